"""Amounts of several currencies or units in one column: added for each of them alone, or for the one that the question names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from sqlglot import exp

from pincite.database.relations.model import Column, Database
from pincite.database.relations.name_folding import stems
from pincite.database.statements.statement_guard import DIALECTS
from pincite.database.views.view_model import CleanView
from pincite.quantity import canonical_unit
from pincite.quantity.dimensions import factor
from pincite.rows.drafting.statement_tree import Mendable, column, stored_column

if TYPE_CHECKING:
    from pincite.rows.clean_source import CleanSource

_ADDING = (exp.Sum, exp.Avg, exp.Max, exp.Min)


def by_unit(
    tree: exp.Query, question: str, database: Database, views: Sequence[CleanView]
) -> list[str]:
    """Add amounts whose rows say their unit for each unit alone, or for the one that the question names; what was done."""
    units = _unit_columns(views)
    done = []
    if isinstance(tree, exp.Select):
        _show_units(tree, database, units)
    for select in list(tree.find_all(exp.Select)):
        for each in select.find_all(*_ADDING):
            if each.find_ancestor(exp.Select) is not select:
                continue
            said = _keep_units_apart(select, each, question, database, units)
            if said:
                done.append(said)
                break
    return done


Units = Mapping[tuple[str, str], str]
"""The column that says the unit of each row, by the view and the column of the amounts."""


def _unit_columns(views: Sequence[CleanView]) -> Units:
    return {(view.name, own.name): own.currency for view in views for own in view.columns}


def _show_units(tree: exp.Select, database: Database, units: Units) -> None:
    """Show beside each amount that stands as it is stored the column that says its unit."""
    shown = {part.unalias().sql() for part in tree.selects}
    for part in tree.selects if not tree.args.get("group") else ():
        found = stored_column(part.unalias(), database)
        unit = units.get((found[0].name, found[1].name), "") if found else ""
        saying = column(part.unalias().args["table"].name, unit) if unit else None
        if saying is not None and saying.sql() not in shown and not tree.args.get("distinct"):
            tree.append("expressions", saying)


def compared_in_one_unit(
    tree: exp.Query, database: Database, views: Sequence[CleanView], source: CleanSource
) -> list[str]:
    """Have orders of amounts whose rows say their unit compare them in one unit; what was done, in words.

    Raises Mendable where the rows that are ordered have units that cannot be converted into each other.
    """
    units = _unit_columns(views)
    done = []
    for order in list(tree.find_all(exp.Order)):
        select = order.find_ancestor(exp.Select)
        for each in list(order.find_all(exp.Column)):
            stored = stored_column(each, database)
            unit = units.get((stored[0].name, stored[1].name), "") if stored else ""
            if stored is None or not unit or select is None or _uses_unit(select, unit):
                continue
            saying = column(each.table or stored[0].name, unit)
            found = _units_of(select, saying, source, database)
            if len(found) < 2:
                continue
            to = canonical_unit(found[0])
            factors = {code: factor(canonical_unit(code), to) for code in found}
            if None in factors.values():
                given = ", ".join(found)
                raise Mendable(f"amounts in {given} are compared as if they were of one unit")
            each.replace(_convert_amount(each, saying, factors))
            done.append(f"{stored[1].name} is compared in {found[0]}")
    return done


def _units_of(
    select: exp.Select, saying: exp.Column, source: CleanSource, database: Database
) -> list[str]:
    """The units of the rows that a SELECT takes, the most frequent first."""
    inner = select.copy()
    for part in ("order", "limit", "group", "having", "offset"):
        inner.set(part, None)
    inner.set("distinct", None)
    inner.set("expressions", [saying.copy()])
    inner.group_by(saying.copy(), copy=False)
    inner.order_by(exp.Count(this=exp.Star()).desc(), copy=False)
    rows = source.run(str(inner.sql(dialect=DIALECTS[database.dialect]))).rows
    return [str(row[0]) for row in rows if row[0] is not None]


def _convert_amount(
    amount: exp.Column, saying: exp.Column, factors: Mapping[str, Decimal | None]
) -> exp.Expr:
    """An amount in the unit whose factor is 1, whatever unit its row says."""
    chosen = exp.Case(this=saying.copy())
    for code, ratio in factors.items():
        if ratio != 1:
            times = exp.Literal.number(repr(float(ratio or 1)))
            value = exp.Mul(this=amount.copy(), expression=times)
            chosen = chosen.when(exp.Literal.string(code), value)
    return chosen.else_(amount.copy())


def _keep_units_apart(
    select: exp.Select, each: exp.AggFunc, question: str, database: Database, units: Units
) -> str:
    """Keep the units of one aggregate apart; what was done, "" where nothing had to be."""
    for amount in each.find_all(exp.Column):
        found = stored_column(amount, database)
        unit = units.get((found[0].name, found[1].name), "") if found else ""
        if not found or not unit or _uses_unit(select, unit):
            continue
        saying = found[0].column(unit)
        if named := named_unit(question, saying):
            select.where(column(amount.table, unit).eq(exp.Literal.string(named)), copy=False)
            return f"only rows whose {unit} is {named}"
        around = select.parent
        if around is not None and not isinstance(around, exp.CTE):
            if not isinstance(around.parent, exp.From | exp.Join):
                return ""
        by = column(amount.table, unit)
        select.set("expressions", [by, *select.expressions])
        select.group_by(by.copy(), copy=False)
        return f"for each {unit} alone"
    return ""


def _uses_unit(select: exp.Select, unit: str) -> bool:
    """Whether a SELECT filters or groups by the column that says the unit."""
    parts = [part for name in ("where", "group") if (part := select.args.get(name)) is not None]
    return any(each.name == unit for part in parts for each in part.find_all(exp.Column))


def named_unit(question: str, saying: Column) -> str:
    """The value of a column of units that a question names; "" for none."""
    words = {word.strip("?,.;:()").casefold() for word in question.split()}
    said = set(stems(question).split())
    for value in saying.values:
        if value.casefold() in words or set(stems(value).split()) <= said:
            return value
    meant = {canonical_unit(word) for word in words} - {""}
    return next((value for value in saying.values if canonical_unit(value) in meant), "")
