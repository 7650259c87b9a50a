"""The groups and things that a question asks for, in a statement as the question says them: "for each country", "which order".

A model computes one number for all groups, does not show which group a number is of, or shows ids in the place of names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from pincite.database.relations.model import NUMERIC, TEMPORAL, Column, Database, Relation
from pincite.database.relations.name_folding import stems
from pincite.rows.drafting.joins import completed, route, steps
from pincite.rows.drafting.statement_tree import (
    column,
    is_shown,
    name_stems,
    stored_column,
    tables_of,
)
from pincite.search.index.tokens import STOP_WORDS
from pincite.text.lexicon import data_table, pattern

Place = tuple[str, Relation, Column]
"""What a statement calls a table, the table, and a column of it."""
_NAME = pattern("rows", "name", "columns")
_ID = pattern("rows", "identifier", "columns")


def in_asked_groups(tree: exp.Query, question: str, database: Database) -> list[str]:
    """Have a completed statement that only computes do so for each group that its question names, and show of which one each
    number is; what was changed, in words.
    """
    if not isinstance(tree, exp.Select) or tree.args.get("limit"):
        return []
    group, computes = tree.args.get("group"), _computes(tree)
    shown: list[exp.Expr] = []
    if group is not None and computes:
        shown = [each for each in group.expressions if isinstance(each, exp.Column)]
    elif group is None and (computes or _is_numbers(tree, database)):
        asked = _asked_group(tree, question, database)
        shown = [asked] if asked is not None else []
        if computes:
            tree.group_by(*(each.copy() for each in shown), copy=False)
    if not shown:
        return []
    _show_first(tree, shown)
    completed(tree, database)
    called = []
    for each in tree.selects[: len(shown)]:
        place = stored_column(each, database)
        called.append(f"{place[0].name}.{place[1].name}" if place else str(each.sql()))
    return [f"for each {' and '.join(called)}"]


def in_useful_order(tree: exp.Query, database: Database) -> None:
    """Have groups in no order begin with the largest number, those of times with the earliest."""
    if not isinstance(tree, exp.Select) or not tree.args.get("group") or tree.args.get("order"):
        return
    numbers = [each.unalias() for each in tree.selects if each.find(exp.AggFunc)]
    groups = [each.unalias() for each in tree.selects if not each.find(exp.AggFunc)]
    if len(numbers) == 1 and groups:
        time = next((each for each in groups if _is_time(each, database)), None)
        order = exp.Ordered(this=(time or numbers[0]).copy(), desc=time is None, nulls_first=False)
        tree.order_by(order, copy=False)


def _is_time(each: exp.Expr, database: Database) -> bool:
    place = stored_column(each, database)
    named = place is not None and (place[1].type in TEMPORAL or "year" in _column_names(place[1]))
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
        label, table = label_of(relation), name_stems(relation.name)
        columns = {
            word
            for own in relation.columns
            for name in _column_names(own)
            for word in name.split()
        }
        named = table == " ".join(words) or table == words[0] and not columns & set(words[1:])
        if label is not None and named and _is_numbers(tree, database):
            shown = _show_label(tree, column(called, label.name))
            return [f"shows {relation.name}.{label.name}"] if shown else []
    return []


def _show_label(tree: exp.Select, label: exp.Column) -> bool:
    """Show a label before numbers, or in the place of the least or the most; whether it is shown."""
    end = tree.selects[0].unalias()
    if not any(each.find(exp.AggFunc) for each in tree.selects):
        _show_first(tree, [label])
        return True
    if len(tree.selects) > 1 or not isinstance(end, exp.Min | exp.Max) or tree.args.get("limit"):
        return False
    most = isinstance(end, exp.Max)
    order = exp.Ordered(this=end.this.copy(), desc=most, nulls_first=False)
    tree.set("order", exp.Order(expressions=[order]))
    tree.limit(1, copy=False)
    tree.set("expressions", [label])
    return True


def _is_numbers(tree: exp.Select, database: Database) -> bool:
    """Whether a SELECT shows only numbers and times, and what is computed of them."""
    columns = [each for each in tree.find_all(exp.Column) if is_shown(each, tree)]
    places = [stored_column(each, database) for each in columns]
    bare = NUMERIC | TEMPORAL
    numbers = all(
        place and place[1].type in bare and not _is_key_or_link(*place) for place in places
    )
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


def _is_key_or_link(relation: Relation, own: Column) -> bool:
    """Whether a column is a key or a link."""
    return (own.name,) == relation.key or any(own.name in link.columns for link in relation.links)


def _computes(tree: exp.Select) -> bool:
    """Whether all that a SELECT shows is computed over rows."""
    return all(
        each.find(exp.AggFunc) and not each.find(exp.Window, exp.Subquery) for each in tree.selects
    )


def _asked_group(tree: exp.Select, question: str, database: Database) -> exp.Expr | None:
    """What the rows are grouped by for the first group that a question names and the tables of a statement have."""
    tables = tables_of(tree, database)
    for found in pattern("rows", "for each", "groups").finditer(question) if tables else ():
        words, each = stems(found["what"] or found["end"]).split(), bool(found["what"])
        for length in range(len(words), 0, -1):
            parts = (" ".join(words[-length:]), " ".join(words[:length]))
            for said in parts if each else parts[:1]:  # "by carrier Fjordline" names one
                place = _date_part(said, tables) or _group_column(said, each, tables, database)
                if place is not None:
                    return place
    return None


def _date_part(said: str, tables: dict[str, Relation]) -> exp.Expr | None:
    """A part of the one date of the tables, "year" or "month", where no column is called so."""
    form = {stems(name): form for name, form in data_table("words/rows")["parts of dates"].items()}
    own = [(called, each) for called, relation in tables.items() for each in relation.columns]
    dates = [(called, each) for called, each in own if each.type in TEMPORAL]
    if said not in form or len(dates) != 1 or any(said in _column_names(each) for _, each in own):
        return None
    ((called, date),) = dates
    return exp.TimeToStr(this=column(called, date.name), format=exp.Literal.string(form[said]))


def _group_column(
    said: str, each: bool, tables: dict[str, Relation], database: Database
) -> exp.Column | None:
    """The column of this name, or what names the rows of a table of this name: in the tables of a statement, else in one that
    these lead to without a row twice. Behind "per" (not `each`) a number is what is divided by.
    """
    own = [(called, relation, one) for called, relation in tables.items() for one in relation.columns]  # fmt: skip
    names = [relation.name for relation in tables.values()]
    others = [
        (relation.name, relation, one)
        for relation in database.relations
        if relation.name not in names
        and (way := route(database, names, relation.name))
        and not any(step.repeats for step in way)
        for one in relation.columns
    ]
    for places in (own, others):
        found = [
            place
            for place in places
            if said in _column_names(place[2]) and _tells_rows_apart(place[2], each)
        ]
        found += list(_table_labels(said, places, tables, database))
        if len({(relation.name, one.name) for _, relation, one in found}) == 1:
            called, _, one = found[0]
            return column(called, one.name)
    return None


def _table_labels(
    said: str, places: list[Place], tables: dict[str, Relation], database: Database
) -> Iterator[Place]:
    """What names the rows of a table that is called so, if there is more than one row of the statement's for each of its own."""
    links = {(step.one, step.other) for step in steps(database) if step.repeats}
    for called, relation in dict((called, relation) for called, relation, _ in places).items():
        repeated = any((relation.name, other.name) in links for other in tables.values())
        label = label_of(relation)
        if name_stems(relation.name) == said and repeated and label is not None:
            yield called, relation, label


def _column_names(each: Column) -> set[str]:
    return {name_stems(name) for name in (each.name, each.readable, *each.also) if name}


def _tells_rows_apart(own: Column, each: bool) -> bool:
    """Whether rows are told apart by a column: by a text, a day, a year, or behind "each" a number without a unit."""
    numbers = own.type == "integer" and not own.unit and (each or "year" in _column_names(own))
    return numbers or own.type in ("text", "boolean", "date")


def with_names(tree: exp.Query, question: str, database: Database) -> exp.Query:
    """The statement with the name of a thing in the place of each id that it shows, unless the question asks for the id."""
    if not isinstance(tree, exp.Select) or tree.args.get("distinct") and len(tree.selects) > 1:
        return tree
    asked = set(stems(question).split())
    changed = False
    for shown in tree.selects:
        found = stored_column(shown.unalias(), database)
        if found is None or not _is_id(*found) or _is_asked(found[1], asked):
            continue
        relation, own = found
        to = next((link.to for link in relation.links if link.columns == (own.name,)), "")
        owner = next((each for each in database.relations if each.name == to), relation)
        label = label_of(owner)
        if label is not None and label.name != own.name:
            changed = True
            _put_name(tree, shown, owner, label)
    return completed(tree, database) if changed else tree


def label_of(relation: Relation) -> Column | None:
    """The column that names the rows of a relation: a text that differs from row to row, one called a name before others; else
    the one that is called the relation's name.
    """
    every = [each for each in relation.columns if each.type == "text" and each.distinct > 1]
    texts = [each for each in every if relation.rows < 2 or each.distinct >= relation.rows * 0.6]
    if not texts:
        own = {"name", name_stems(f"{relation.name} name")}
        texts = [each for each in every if name_stems(each.name) in own]
    named = [each for each in texts if _NAME.search(each.name.replace("_", " "))]
    others = [each for each in texts if not _ID.search(each.name)]
    return next(iter((*named, *others)), None)


def _is_id(relation: Relation, own: Column) -> bool:
    """Whether a column only joins tables: a key or a link without words of its own."""
    return _is_key_or_link(relation, own) and (own.type == "integer" or bool(_ID.search(own.name)))


def _is_asked(own: Column, asked: set[str]) -> bool:
    """Whether a question asks for an id as such: by "id", "number" or "code", or by the words of the column's name."""
    words = set(name_stems(own.name).split())
    return bool(words) and words <= asked or bool(asked & {"id", "ids", "identifi"})


def _put_name(tree: exp.Select, shown: exp.Expr, owner: Relation, label: Column) -> None:
    """Show the name in the place of the id; where the result is grouped by the id, by both."""
    table = shown.unalias().args.get("table")
    alias = str(table.this) if table is not None else owner.name
    own = any(
        source.name == owner.name and source.alias_or_name.casefold() == alias.casefold()
        for source in tree.find_all(exp.Table)
    )
    name = column(alias if own else owner.name, label.name)
    if isinstance(shown, exp.Alias):
        shown.set("this", name)
    else:
        shown.replace(name)
    group = tree.args.get("group")
    if group is not None:
        group.append("expressions", name.copy())
