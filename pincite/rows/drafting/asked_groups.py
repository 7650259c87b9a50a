"""The groups that a question asks for, in a statement as the question says them: "for each country", "by year".

A model computes one number for all of them, or does not show which group a number is of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from pincite.database.relations.model import NUMERIC, TEMPORAL, Column, Database, Relation
from pincite.database.relations.name_folding import stems
from pincite.index.tokens import STOP_WORDS
from pincite.lexicon import data_table, pattern
from pincite.rows.drafting.joins import column, completed, route, steps, stored_column, tables_of
from pincite.rows.drafting.naming_columns import label_of

Place = tuple[str, Relation, Column]
"""What a statement calls a table, the table, and a column of it."""


def in_asked_groups(tree: exp.Query, question: str, database: Database) -> list[str]:
    """Have a completed statement that only computes do so for each group that its question names, and show of which one each
    number is; what was changed, in words.
    """
    if not isinstance(tree, exp.Select) or tree.args.get("limit"):
        return []
    group = tree.args.get("group")
    if group is not None and _computes(tree):
        shown = [each for each in group.expressions if isinstance(each, exp.Column)]
    elif group is None and (_computes(tree) or _is_numbers(tree, database)):
        shown = [each for each in [_asked(tree, question, database)] if each is not None]
        if _computes(tree):
            tree.group_by(*(each.copy() for each in shown), copy=False)
    else:
        return []
    if not shown:
        return []
    _show_first(tree, shown)
    completed(tree, database)
    return [
        f"for each {' and '.join(_called(each, database) for each in tree.selects[: len(shown)])}"
    ]


def in_useful_order(tree: exp.Query, database: Database) -> None:
    """Have groups in no order begin with the largest number, those of times with the earliest."""
    if not isinstance(tree, exp.Select) or not tree.args.get("group") or tree.args.get("order"):
        return
    numbers = [each.unalias() for each in tree.selects if each.find(exp.AggFunc)]
    groups = [each.unalias() for each in tree.selects if not each.find(exp.AggFunc)]
    times = [each for each in groups if _is_time(each, database)]
    if len(numbers) == 1 and groups:
        first, desc = (times[0], False) if times else (numbers[0], True)
        tree.order_by(exp.Ordered(this=first.copy(), desc=desc, nulls_first=False), copy=False)


def _is_time(each: exp.Expr, database: Database) -> bool:
    """Whether a group is one of time."""
    place = stored_column(each, database)
    named = place is not None and (place[1].type in TEMPORAL or "year" in _names(place[1]))
    return named or each.find(exp.TimeToStr) is not None


def with_asked_thing(tree: exp.Query, question: str, database: Database) -> list[str]:
    """Have a completed statement show the thing that a question asks for with "which", where it shows only numbers of it, and
    the one that has the least or the most in the place of that number; what was changed, in words.
    """
    asked = pattern("rows", "which thing", "groups").search(question)
    if asked is None or not isinstance(tree, exp.Select) or tree.args.get("group"):
        return []
    words, beyond = stems(asked["what"]).split(), asked["what"].casefold().split()[1:]
    if asked["end"] and not STOP_WORDS.issuperset(beyond):
        return []  # "the latest order date" is no order
    for called, relation in tables_of(tree, database).items():
        label, table = label_of(relation), stems(relation.name.replace("_", " "))
        columns = {
            word for own in relation.columns for name in _names(own) for word in name.split()
        }
        named = table == " ".join(words) or table == words[0] and not columns & set(words[1:])
        if label is not None and named and _is_numbers(tree, database):
            return _shown_label(tree, column(called, label.name), f"{relation.name}.{label.name}")
    return []


def _shown_label(tree: exp.Select, label: exp.Column, called: str) -> list[str]:
    """Show a label before numbers, or in the place of the least or the most."""
    end = tree.selects[0].unalias()
    if not any(each.find(exp.AggFunc) for each in tree.selects):
        _show_first(tree, [label])
    elif len(tree.selects) == 1 and isinstance(end, exp.Min | exp.Max) and not tree.args.get("limit"):  # fmt: skip
        most = isinstance(end, exp.Max)
        order = exp.Ordered(this=end.this.copy(), desc=most, nulls_first=False)
        tree.set("order", exp.Order(expressions=[order]))
        tree.limit(1, copy=False)
        tree.set("expressions", [label])
    else:
        return []
    return [f"shows {called}"]


def _is_numbers(tree: exp.Select, database: Database) -> bool:
    """Whether a SELECT shows only numbers and times, and what is computed of them."""
    columns = [each for each in tree.find_all(exp.Column) if _is_shown(each, tree)]
    places = [stored_column(each, database) for each in columns]
    bare = NUMERIC | TEMPORAL
    numbers = all(place and place[1].type in bare and not _joins(*place) for place in places)
    return (
        bool(places) and numbers and not any(isinstance(each, exp.Star) for each in tree.selects)
    )


def _show_first(tree: exp.Select, places: Sequence[exp.Expr]) -> None:
    """Show columns before the others; what is ordered or grouped by a position is so by what stands there."""
    parts = [part for name in ("order", "group") if (part := tree.args.get(name)) is not None]
    for each in [literal for part in parts for literal in part.find_all(exp.Literal)]:
        stands = not isinstance(each.parent, exp.Binary | exp.Func)
        if stands and each.is_int and 0 < int(each.this) <= len(tree.selects):
            each.replace(tree.selects[int(each.this) - 1].unalias().copy())
    tree.set("expressions", [*(each.copy() for each in places), *tree.selects])


def _is_shown(each: exp.Column, tree: exp.Select) -> bool:
    """Whether a column is part of what a SELECT shows."""
    around: exp.Expr | None = each
    while around is not None and around.parent is not tree:
        around = around.parent
    return around is not None and any(around is shown for shown in tree.selects)


def _joins(relation: Relation, own: Column) -> bool:
    """Whether a column is a key or a link."""
    return (own.name,) == relation.key or any(own.name in link.columns for link in relation.links)


def _computes(tree: exp.Select) -> bool:
    """Whether all that a SELECT shows is computed over rows."""
    return all(
        each.find(exp.AggFunc) and not each.find(exp.Window, exp.Subquery) for each in tree.selects
    )


def _called(each: exp.Expr, database: Database) -> str:
    """What is shown of each group, in words."""
    place = stored_column(each, database)
    return f"{place[0].name}.{place[1].name}" if place else str(each.sql())


def _asked(tree: exp.Select, question: str, database: Database) -> exp.Expr | None:
    """What the rows are grouped by for the first group that a question names and the tables of a statement have."""
    tables = tables_of(tree, database)
    if not tables:
        return None
    for found in pattern("rows", "for each", "groups").finditer(question):
        words, each = stems(found["what"] or found["end"]).split(), bool(found["what"])
        for length in range(len(words), 0, -1):
            parts = (" ".join(words[-length:]), " ".join(words[:length]))
            for said in parts if each else parts[:1]:  # "by carrier Fjordline" names one
                place = _period(said, tables) or _column(said, each, tables, database)
                if place is not None:
                    return place
    return None


def _period(said: str, tables: dict[str, Relation]) -> exp.Expr | None:
    """A part of the one date of the tables, "year" or "month", where no column is called so."""
    form = {stems(name): form for name, form in data_table("words/rows")["parts of dates"].items()}
    if said not in form:
        return None
    own = [each for relation in tables.values() for each in relation.columns]
    dates = [
        (called, each)
        for called, relation in tables.items()
        for each in relation.columns
        if each.type in TEMPORAL
    ]
    if len(dates) != 1 or any(said in _names(each) for each in own):
        return None
    called, date = dates[0]
    return exp.TimeToStr(this=column(called, date.name), format=exp.Literal.string(form[said]))


def _column(
    said: str, each: bool, tables: dict[str, Relation], database: Database
) -> exp.Column | None:
    """The column of this name, or what names the rows of a table of this name: in the tables of a statement, else in one that
    these lead to without a row twice. Behind "per" (not `each`) a number is what is divided by.
    """
    own = [(called, relation, one) for called, relation in tables.items() for one in relation.columns]  # fmt: skip
    names = [relation.name for relation in tables.values()]
    beyond = [
        relation
        for relation in database.relations
        if relation.name not in names
        and (way := route(database, names, relation.name))
        and not any(step.repeats for step in way)
    ]
    others = [(relation.name, relation, one) for relation in beyond for one in relation.columns]
    for places in (own, others):
        found = [place for place in places if said in _names(place[2]) and _groups(place[2], each)]
        found += list(_labels(said, places, tables, database))
        if len({(relation.name, one.name) for _, relation, one in found}) == 1:
            called, _, one = found[0]
            return column(called, one.name)
    return None


def _labels(
    said: str, places: list[Place], tables: dict[str, Relation], database: Database
) -> Iterator[Place]:
    """What names the rows of a table that is called so, if there is more than one row of the statement's for each of its own."""
    links = {(step.one, step.other) for step in steps(database) if step.repeats}
    for called, relation in dict((called, relation) for called, relation, _ in places).items():
        repeated = any((relation.name, other.name) in links for other in tables.values())
        label = label_of(relation)
        if stems(relation.name.replace("_", " ")) == said and repeated and label is not None:
            yield called, relation, label


def _names(each: Column) -> set[str]:
    return {
        stems(name.replace("_", " ")) for name in (each.name, each.readable, *each.also) if name
    }


def _groups(own: Column, each: bool) -> bool:
    """Whether rows are told apart by a column: by a text, a day, a year, or behind "each" a number without a unit."""
    numbers = own.type == "integer" and not own.unit and (each or "year" in _names(own))
    return numbers or own.type in ("text", "boolean", "date")
