"""Joins that repeat rows under a sum, a mean or a count: found by the links of the database, mended where that is certain.

Where an amount of an order is summed over a join with its lines, it counts once for each of them (known as fan-out).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from pincite.database.relations.model import Database, Relation
from pincite.database.relations.name_folding import stems
from pincite.lexicon import pattern
from pincite.rows.drafting.joins import Step, column, names_one, steps, tables_of

COUNTED_WITHIN = 3
"""Words behind "how many" among which the thing is named that is counted."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """That a join repeats the rows of a table whose amounts are added: `said` says which, `mended` whether it does no longer."""

    said: str
    mended: bool


def without_repeats(tree: exp.Query, question: str, database: Database) -> list[Repeated]:
    """Mend the SELECTs of a completed statement that add, average or count rows that a join repeats; what was found.

    Tables that only filter become `IN (SELECT ...)`; of rows that are counted each counts once. What shows or groups by the
    table that repeats is left as it is and said.
    """
    every = list(steps(database))
    found = []
    for select in list(tree.find_all(exp.Select)):
        found += list(_mended(select, question, database, every))
    return found


def _mended(
    select: exp.Select, question: str, database: Database, every: list[Step]
) -> Iterator[Repeated]:
    tables = tables_of(select, database)
    for each in select.find_all(exp.Count):
        if each.find_ancestor(exp.Select) is select and _counts_another(each, tables, question):
            yield Repeated("each thing that is counted counts once", True)
    adding = [each for each in select.find_all(exp.AggFunc) if _adds(each, select)]
    if len(tables) < 2:
        return
    if not adding:
        yield from _listed_once(select, tables, every)
        return
    for each in adding:
        base = _base(each, tables, question)
        if base is None:
            continue
        joined = [alias for alias in tables if alias != base]
        repeating = [alias for alias in joined if _repeats(select, base, alias, tables, every)]
        if not repeating:
            continue
        what = f"each row of {tables[base].name} counts once for every row of {tables[repeating[0]].name}"
        if isinstance(each, exp.Count):
            yield Repeated(what, _count_once(each, base, tables[base]))
        elif _only_filters(select, repeating):
            yield Repeated(what, _as_filter(select, base, tables))
            return
        else:
            yield Repeated(what, False)


def _listed_once(
    select: exp.Select, tables: dict[str, Relation], every: list[Step]
) -> Iterator[Repeated]:
    """List each row of a table once where tables that only filter repeat it."""
    parts = (*select.expressions, *(select.args.get("order") or exp.Order()).expressions)
    shown = {each.table.casefold() for part in parts for each in part.find_all(exp.Column)}
    counts = any(each.find_ancestor(exp.Select) is select for each in select.find_all(exp.AggFunc))
    if len(shown) != 1 or not shown <= tables.keys() or select.args.get("group") or counts:
        return
    (base,) = shown
    repeating = [
        alias for alias in tables if alias != base and _repeats(select, base, alias, tables, every)
    ]
    if repeating and _only_filters(select, repeating) and not select.args.get("distinct"):
        what = f"each row of {tables[base].name} is listed once, not for every row of {tables[repeating[0]].name}"
        if _as_filter(select, base, tables):
            yield Repeated(what, True)


def _counts_another(count: exp.Count, tables: dict[str, Relation], question: str) -> bool:
    """Count the things that several rows link to once each, where the question counts these; whether it did.

    `COUNT(order_id)` of shipments counts orders; so does `COUNT(*)` where the question asks how many orders there are.
    """
    counted = stems(question[_asked_from(question) :]).split()[:COUNTED_WITHIN]
    group = getattr(count.find_ancestor(exp.Select), "args", {}).get("group")
    grouped = {each.name for each in group.find_all(exp.Column)} if group is not None else set()
    for alias, relation in tables.items():
        for link in relation.links:
            own, starred = count.this, isinstance(count.this, exp.Star)
            if (
                len(link.columns) != 1
                or names_one(relation, link.columns)
                or link.columns[0] in grouped
            ):
                continue
            named = stems(link.to.replace("_", " ")).split()
            itself = set(stems(relation.name.replace("_", " ")).split()) & set(counted)
            linked = isinstance(own, exp.Column) and own.name == link.columns[0]
            if linked or starred and named[-1:] and named[-1] in counted and not itself:
                place = column(alias, link.columns[0])
                count.set("this", exp.Distinct(expressions=[place]))
                return True
    return False


def _asked_from(question: str) -> int:
    """Where a question begins to say what is counted: behind "how many" or "number of"."""
    found = pattern("rows", "counted", "words").search(question)
    return found.end() if found else len(question)


def _adds(each: exp.AggFunc, select: exp.Select) -> bool:
    """Whether an aggregate of a SELECT's own depends on how often a row comes."""
    if each.find_ancestor(exp.Select) is not select:
        return False
    distinct = isinstance(each.this, exp.Distinct)
    return isinstance(each, exp.Sum | exp.Avg | exp.Count) and not distinct


def _base(each: exp.AggFunc, tables: dict[str, Relation], question: str) -> str | None:
    """The table whose rows an aggregate takes: that of its columns; of COUNT(*) the one that the question names."""
    used = {c.table.casefold() for c in each.find_all(exp.Column)} & tables.keys()
    if used:
        return next(iter(used)) if len(used) == 1 else None
    said = set(stems(question).split())
    named = [a for a, r in tables.items() if set(stems(r.name.replace("_", " ")).split()) & said]
    return named[0] if len(named) == 1 and isinstance(each, exp.Count) else None


def _repeats(
    select: exp.Select, base: str, alias: str, tables: dict[str, Relation], every: list[Step]
) -> bool:
    """Whether a joined table may have several rows for one of the base: on the way to it a step leads to many."""
    return any(step.repeats for step in _way(select, base, alias, tables, every))


def _way(
    select: exp.Select, base: str, alias: str, tables: dict[str, Relation], every: list[Step]
) -> list[Step]:
    """The steps of the SELECT's own joins from one table to another."""
    reached: dict[str, list[Step]] = {base: []}
    pairs = list(_equalities(select))
    grew = True
    while grew and alias not in reached:
        grew = False
        for a, b in (*pairs, *((b, a) for a, b in pairs)):
            one, other = a.table.casefold(), b.table.casefold()
            if one in reached and other in tables and other not in reached and one in tables:
                step = _step(tables[one], tables[other], (a.name, b.name), every)
                reached[other] = [*reached[one], step]
                grew = True
    return reached.get(alias, [])


def _step(one: Relation, other: Relation, pair: tuple[str, str], every: list[Step]) -> Step:
    """The link behind a join; a join by no link may repeat rows."""
    for step in every:
        if (step.one, step.other) == (one.name, other.name) and pair in step.pairs:
            return step
    return Step(one.name, other.name, (pair,), True)


def _equalities(select: exp.Select) -> Iterator[tuple[exp.Column, exp.Column]]:
    """The pairs of columns by which a SELECT joins."""
    for join in select.args.get("joins") or ():
        on = join.args.get("on")
        for equal in on.find_all(exp.EQ) if on is not None else ():
            if isinstance(equal.left, exp.Column) and isinstance(equal.right, exp.Column):
                yield equal.left, equal.right


def _count_once(count: exp.Count, base: str, relation: Relation) -> bool:
    """Count each row of a table once, by its key; whether it has one."""
    inner = count.this
    key = relation.key or ((relation.rowid,) if relation.rowid else ())
    if len(key) != 1:
        return False
    starred = isinstance(inner, exp.Star)
    if starred or isinstance(inner, exp.Column):
        count.set("this", exp.Distinct(expressions=[column(base, key[0])]))
        return True
    return False


def _only_filters(select: exp.Select, repeating: list[str]) -> bool:
    """Whether some tables stand only in conditions and joins, and in nothing that is shown, grouped or ordered."""
    where = select.args.get("where")
    joins = select.args.get("joins") or []
    for each in select.find_all(exp.Column):
        if each.table.casefold() in repeating and not any(
            part is not None and _inside(each, part) for part in (where, *joins)
        ):
            return False
    return True


def _inside(each: exp.Expr, part: exp.Expr) -> bool:
    around: exp.Expr | None = each
    while around is not None:
        if around is part:
            return True
        around = around.parent
    return False


def _as_filter(select: exp.Select, base: str, tables: dict[str, Relation]) -> bool:
    """Put the joins of a SELECT over one table into a condition on its key; whether that can be done.

    Tables whose columns are shown must not be among the joined ones.
    """
    key = tables[base].key or ((tables[base].rowid,) if tables[base].rowid else ())
    outside = {
        each.table.casefold()
        for part in (*select.expressions, select.args.get("group"), select.args.get("order"))
        if part is not None
        for each in part.find_all(exp.Column)
    } & tables.keys()
    if len(key) != 1 or outside - {base}:
        return False
    inner = exp.Select(expressions=[column(base, key[0])])
    for part in ("from_", "joins", "where"):
        held = select.args.get(part)
        if isinstance(held, list):
            inner.set(part, [each.copy() for each in held])
        elif held is not None:
            inner.set(part, held.copy())
    source = next(
        each.copy() for each in select.find_all(exp.Table) if each.alias_or_name.casefold() == base
    )
    select.set("joins", None)
    select.set("from_", exp.From(this=source))
    select.set("where", exp.Where(this=exp.In(this=column(base, key[0]), query=inner.subquery())))
    return True
