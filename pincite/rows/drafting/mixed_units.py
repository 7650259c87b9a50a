"""Amounts of several currencies or units in one column: added for each of them alone, or for the one that the question names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from pincite.database.relations.model import Column, Database
from pincite.database.relations.name_folding import stems
from pincite.database.views.view_model import CleanView
from pincite.quantity import canonical_unit
from pincite.rows.drafting.joins import column, stored_column

_ADDING = (exp.Sum, exp.Avg, exp.Max, exp.Min)


def by_unit(
    tree: exp.Query, question: str, database: Database, views: Sequence[CleanView]
) -> list[str]:
    """Add amounts whose rows say their unit for each unit alone, or for the one that the question names; what was done."""
    units = {
        (view.name, own.name): own.currency
        for view in views
        for own in view.columns
        if own.currency
    }
    done = []
    if isinstance(tree, exp.Select):
        _show_units(tree, database, units)
    for select in list(tree.find_all(exp.Select)):
        for each in select.find_all(*_ADDING):
            if each.find_ancestor(exp.Select) is not select:
                continue
            said = _each_unit(select, each, question, database, units)
            if said:
                done.append(said)
                break
    return done


def _show_units(
    tree: exp.Select, database: Database, units: Mapping[tuple[str, str], str]
) -> None:
    """Show beside each amount that stands as it is stored the column that says its unit."""
    shown = {part.unalias().sql() for part in tree.selects}
    for part in tree.selects if not tree.args.get("group") else ():
        found = stored_column(part.unalias(), database)
        unit = units.get((found[0].name, found[1].name), "") if found else ""
        saying = column(part.unalias().args["table"].name, unit) if unit else None
        if saying is not None and saying.sql() not in shown and not tree.args.get("distinct"):
            tree.append("expressions", saying)


def compared_across(
    tree: exp.Query, database: Database, views: Sequence[CleanView]
) -> tuple[str, ...]:
    """The orders of a statement that compare amounts of several currencies or units as if they were of one."""
    units = {(view.name, own.name): own.currency for view in views for own in view.columns}
    found = []
    for order in tree.find_all(exp.Order):
        select = order.find_ancestor(exp.Select)
        for each in order.find_all(exp.Column):
            stored = stored_column(each, database)
            unit = units.get((stored[0].name, stored[1].name), "") if stored else ""
            if unit and select is not None and not _is_told(select, unit):
                found.append(
                    f"amounts of several {unit} values are compared as if they were of one"
                )
    return tuple(dict.fromkeys(found))


def _each_unit(
    select: exp.Select,
    each: exp.AggFunc,
    question: str,
    database: Database,
    units: Mapping[tuple[str, str], str],
) -> str:
    """Keep the units of one aggregate apart; what was done, "" where nothing had to be."""
    for amount in each.find_all(exp.Column):
        found = stored_column(amount, database)
        unit = units.get((found[0].name, found[1].name), "") if found else ""
        if not found or not unit or _is_told(select, unit):
            continue
        saying = found[0].column(unit)
        if named := named_unit(question, saying):
            select.where(column(amount.table, unit).eq(exp.Literal.string(named)), copy=False)
            return f"only rows whose {unit} is {named}"
        around = select.parent
        if (
            around is not None
            and not isinstance(around, exp.CTE)
            and not isinstance(around.parent, exp.From | exp.Join)
        ):
            return ""
        by = column(amount.table, unit)
        select.set("expressions", [by, *select.expressions])
        select.group_by(by.copy(), copy=False)
        return f"for each {unit} alone"
    return ""


def _is_told(select: exp.Select, unit: str) -> bool:
    """Whether a SELECT filters or groups by the column that says the unit."""
    parts = (select.args.get("where"), select.args.get("group"))
    return any(
        each.name == unit
        for part in parts
        if part is not None
        for each in part.find_all(exp.Column)
    )


def named_unit(question: str, saying: Column) -> str:
    """The value of a column of units that a question names; "" for none."""
    words = {word.strip("?,.;:()").casefold() for word in question.split()}
    said = set(stems(question).split())
    for value in saying.values:
        if value.casefold() in words or set(stems(value).split()) <= said:
            return value
    meant = {canonical_unit(word) for word in words} - {""}
    return next((value for value in saying.values if canonical_unit(value) in meant), "")
