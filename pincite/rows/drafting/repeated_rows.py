"""Joins that repeat rows under a sum, a mean or a count: found by the links of the database, mended where that is certain.

Where an amount of an order is summed over a join with its lines, it counts once for each of them (known as fan-out).
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from pincite.database.relations.model import Database, Relation
from pincite.database.relations.name_folding import stems
from pincite.rows.drafting.joins import Step, steps
from pincite.rows.drafting.statement_tree import column, is_within, name_stems, tables_of
from pincite.text.lexicon import pattern

COUNTED_WITHIN = 3
"""Words behind "how many" among which the thing is named that is counted."""


Repeated = tuple[str, bool]
"""That a join repeats the rows of a table whose amounts are added: which, in words, and whether it does no longer."""


def without_repeats(tree: exp.Query, question: str, database: Database) -> list[Repeated]:
    """Mend the SELECTs of a completed statement that add, average or count rows that a join repeats; what was found.

    Tables that only filter become `IN (SELECT ...)`; of rows that are counted each counts once. What shows or groups by the
    table that repeats is left as it is and said.
    """
    every = list(steps(database))
    found = []
    for select in list(tree.find_all(exp.Select)):
        found += list(_mend_select(select, question, database, every))
    return found


def _mend_select(
    select: exp.Select, question: str, database: Database, every: list[Step]
) -> Iterator[Repeated]:
    tables = tables_of(select, database)
    for each in select.find_all(exp.Count):
        if each.find_ancestor(exp.Select) is select and _counts_another(each, tables, question):
            yield "each thing that is counted counts once", True
    adding = [each for each in select.find_all(exp.AggFunc) if _adds_rows(each, select)]
    if len(tables) < 2:
        return
    if not adding:
        yield from _list_once(select, tables, every)
        return
    for each in adding:
        base = _base_table(each, tables, question)
        if base is None:
            continue
        repeating = _repeating_tables(select, base, tables, every)
        if not repeating:
            continue
        what = f"each row of {tables[base].name} counts once for every row of {tables[repeating[0]].name}"
        if isinstance(each, exp.Count):
            yield what, _count_once(each, base, tables[base])
        elif _only_filters(select, repeating):
            yield what, _as_filter(select, base, tables)
            return
        else:
            yield what, False


def _list_once(
    select: exp.Select, tables: dict[str, Relation], every: list[Step]
) -> Iterator[Repeated]:
    """List each row of a table once where tables that only filter repeat it."""
    parts = (*select.expressions, *(select.args.get("order") or exp.Order()).expressions)
    shown = {each.table.casefold() for part in parts for each in part.find_all(exp.Column)}
    counts = any(each.find_ancestor(exp.Select) is select for each in select.find_all(exp.AggFunc))
    if len(shown) != 1 or not shown <= tables.keys() or select.args.get("group") or counts:
        return
    (base,) = shown
    repeating = _repeating_tables(select, base, tables, every)
    if repeating and _only_filters(select, repeating) and not select.args.get("distinct"):
        what = f"each row of {tables[base].name} is listed once, not for every row of {tables[repeating[0]].name}"
        if _as_filter(select, base, tables):
            yield what, True


def _counts_another(count: exp.Count, tables: dict[str, Relation], question: str) -> bool:
    """Count the things that several rows link to once each, where the question counts these; whether it did.

    `COUNT(order_id)` of shipments counts orders; so does `COUNT(*)` where the question asks how many orders there are.
    """
    asked = pattern("rows", "counted", "words").search(question)
    counted = stems(question[asked.end() :]).split()[:COUNTED_WITHIN] if asked else []
    group = getattr(count.find_ancestor(exp.Select), "args", {}).get("group")
    grouped = {each.name for each in group.find_all(exp.Column)} if group is not None else set()
    for alias, relation in tables.items():
        for link in relation.links:
            own, starred = count.this, isinstance(count.this, exp.Star)
            if len(link.columns) != 1 or relation.is_unique(link.columns):
                continue
            if link.columns[0] in grouped:
                continue
            named = name_stems(link.to).split()
            itself = set(name_stems(relation.name).split()) & set(counted)
            linked = isinstance(own, exp.Column) and own.name == link.columns[0]
            if linked or starred and named[-1:] and named[-1] in counted and not itself:
                count.set("this", exp.Distinct(expressions=[column(alias, link.columns[0])]))
                return True
    return False


def _adds_rows(each: exp.AggFunc, select: exp.Select) -> bool:
    """Whether an aggregate of a SELECT's own depends on how often a row comes."""
    if each.find_ancestor(exp.Select) is not select:
        return False
    distinct = isinstance(each.this, exp.Distinct)
    return isinstance(each, exp.Sum | exp.Avg | exp.Count) and not distinct


def _base_table(each: exp.AggFunc, tables: dict[str, Relation], question: str) -> str | None:
    """The table whose rows an aggregate takes: that of its columns; of COUNT(*) the one that the question names."""
    used = {c.table.casefold() for c in each.find_all(exp.Column)} & tables.keys()
    if used:
        return next(iter(used)) if len(used) == 1 else None
    said = set(stems(question).split())
    named = [a for a, r in tables.items() if set(name_stems(r.name).split()) & said]
    return named[0] if len(named) == 1 and isinstance(each, exp.Count) else None


def _repeating_tables(
    select: exp.Select, base: str, tables: dict[str, Relation], every: list[Step]
) -> list[str]:
    """The joined tables that may have several rows for one of the base: on the way to them a step leads to many."""
    pairs = [
        (equal.left, equal.right)
        for join in select.args.get("joins") or ()
        for equal in (join.args.get("on") or exp.true()).find_all(exp.EQ)
        if isinstance(equal.left, exp.Column) and isinstance(equal.right, exp.Column)
    ]
    pairs += [(b, a) for a, b in pairs]
    reached, before = {base: False}, 0
    while len(reached) > before:
        before = len(reached)
        for a, b in pairs:
            one, other = a.table.casefold(), b.table.casefold()
            if one in reached and other in tables.keys() - reached.keys():
                step = _step_between(tables[one], tables[other], (a.name, b.name), every)
                reached[other] = reached[one] or step.repeats
    return [alias for alias in tables if reached.get(alias)]


def _step_between(
    one: Relation, other: Relation, pair: tuple[str, str], every: list[Step]
) -> Step:
    """The link behind a join; a join by no link may repeat rows."""
    for step in every:
        if (step.one, step.other) == (one.name, other.name) and pair in step.pairs:
            return step
    return Step(one.name, other.name, (pair,), True)


def _count_once(count: exp.Count, base: str, relation: Relation) -> bool:
    """Count each row of a table once, by its key; whether it has one."""
    key = _single_key(relation)
    if key and isinstance(count.this, exp.Star | exp.Column):
        count.set("this", exp.Distinct(expressions=[column(base, key)]))
        return True
    return False


def _single_key(relation: Relation) -> str:
    """The one column that names a row of a table; "" where there is none."""
    key = relation.key or (relation.rowid,)
    return key[0] if len(key) == 1 else ""


def _only_filters(select: exp.Select, repeating: list[str]) -> bool:
    """Whether some tables stand only in conditions and joins, and in nothing that is shown, grouped or ordered."""
    where = select.args.get("where")
    parts = [*([where] if where is not None else []), *(select.args.get("joins") or ())]
    named = (c for c in select.find_all(exp.Column) if c.table.casefold() in repeating)
    return all(any(is_within(each, part) for part in parts) for each in named)


def _as_filter(select: exp.Select, base: str, tables: dict[str, Relation]) -> bool:
    """Put the joins of a SELECT over one table into a condition on its key; whether that can be done.

    Tables whose columns are shown must not be among the joined ones.
    """
    key = _single_key(tables[base])
    outside = {
        each.table.casefold()
        for part in (*select.expressions, select.args.get("group"), select.args.get("order"))
        if part is not None
        for each in part.find_all(exp.Column)
    } & tables.keys()
    if not key or outside - {base}:
        return False
    inner = exp.Select(expressions=[column(base, key)])
    copied = select.copy()
    for part in ("from_", "joins", "where"):
        inner.set(part, copied.args.get(part))
    source = next(
        each.copy() for each in select.find_all(exp.Table) if each.alias_or_name.casefold() == base
    )
    select.set("joins", None)
    select.set("from_", exp.From(this=source))
    select.set("where", exp.Where(this=exp.In(this=column(base, key), query=inner.subquery())))
    return True
