"""What speaks for and against a whole draft: words left over, relations nobody named, results that say nothing new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import chain

from pincite.lexicon import word_set
from pincite.rows.programs.draft_parts import ORDERING, Features, Level, ProgramDraft, add, merged
from pincite.rows.programs.field_paths import bracketed
from pincite.rows.programs.pieces import Amount, Mention, in_column
from pincite.rows.programs.program import (
    Aggregate,
    Combined,
    Condition,
    Constant,
    Either,
    Field,
    Item,
    Nested,
    Path,
    Related,
    RowQuery,
    Test,
    fields,
)
from pincite.rows.programs.program_ranking import Score
from pincite.rows.programs.scheme import IDENTIFIER, Scheme, dated

_IDLE = word_set("rows", "idle")
"""Roles of words that need no part of a program."""


def finished(
    level: Level,
    query: RowQuery,
    features: Features,
    used: frozenset[int],
    notes: tuple[tuple[int, str], ...],
    score: Score,
) -> ProgramDraft:
    """The draft of a query that the pieces at `used` make, all its features counted, those of its sets too."""
    features = dict(features)
    inner = level.sets.values()
    query, used = _converted(level, query, used, features)
    own = frozenset(_columns(query))
    held = own.union(*(draft.held for draft in inner))
    features = merged(features, *(draft.features for draft in inner))
    if inner:
        add(features, "nested")
    explained = {at for at in level.places if at in used or _left(level, at, held, features)}
    mine = {relation for relation, _ in own}
    add(features, "relation unnamed", float(len(mine - _named_relations(level))))
    add(features, "tests", float(len(query.tests)))
    add(features, "relations", float(len(mine)))
    _ordered(level, query, features)
    _new(level.scheme, query, features)
    pieces = [level.pieces[at] for at in explained if at not in level.sets]
    spans = frozenset((piece.start, piece.end) for piece in pieces).union(
        *(draft.spans for draft in inner)
    )
    said = [(level.pieces[at].text, what) for at, what in notes]
    said += chain.from_iterable(draft.notes for draft in inner)
    arranged = _arranged(level.scheme, query)
    return ProgramDraft(
        arranged, features, spans, tuple(dict.fromkeys(said)), score(features), held
    )


def _columns(query: RowQuery) -> Iterator[tuple[str, str]]:
    """Every column that a query reads or walks along, as (relation, column); those of queries nested in it left out."""
    yield query.relation, ""
    for read in fields(query):
        yield read.holder(query.relation), read.column
        yield from _steps(query.relation, read.path)
    yield from _tested(query.relation, (*query.tests, *query.having))


def _steps(relation: str, path: Path) -> Iterator[tuple[str, str]]:
    for step in path:
        places = [(relation, column) for column in step.columns] + [
            (step.to, column) for column in step.to_columns
        ]
        for holder, column in places:
            # an identifier walked along is not thereby asked for
            yield holder, "" if IDENTIFIER.search(column) else column
        relation = step.to


def _tested(relation: str, tests: Iterable[Condition]) -> Iterator[tuple[str, str]]:
    for test in tests:
        if isinstance(test, Related):
            yield from _steps(relation, test.path)
            end = test.path[-1].to
            for read in chain.from_iterable(map(fields, test.tests)):
                yield read.holder(end), read.column
            yield from _tested(end, test.tests)
        elif isinstance(test, Either):
            yield from _tested(relation, test.tests)


def _named_relations(level: Level) -> set[str]:
    """The tables that names and values speak of, and those that sets hold."""
    named = {relation for draft in level.sets.values() for relation, _ in draft.held}
    for piece in level.pieces:
        if piece.kind in ("name", "value"):
            named.update(mention.relation for mention in piece.mentions if mention.score > 0.5)
    return named


def _arranged(scheme: Scheme, query: RowQuery) -> RowQuery:
    """Groups whose order nobody asked for, as a reader expects them: times in their order, else the largest number first."""
    if not query.group or query.order or query.best:
        return query
    for item in query.group:
        if isinstance(item, Field) and _is_time(scheme, query, item):
            return replace(query, order=((item, False),))
    measures = [item for item in query.select if isinstance(item, Aggregate | Combined)]
    return replace(query, order=((measures[-1], True),)) if measures else query


def _is_time(scheme: Scheme, query: RowQuery, item: Field) -> bool:
    return bool(item.part) or dated(scheme.column(item.holder(query.relation), item.column))


def _left(level: Level, at: int, held: frozenset[tuple[str, str]], features: Features) -> bool:
    """Count a piece that no effect used; whether the query explains it all the same."""
    scheme, piece = level.scheme, level.pieces[at]
    if piece.kind == "name":
        return _hinted(
            scheme, [mention for mention in piece.mentions if mention.score > 0.45], held, features
        )
    if piece.kind == "value" and (
        bracketed(level, at + 1)
        or all(scheme.column(*mention.place).distinct == 1 for mention in piece.mentions)
    ):
        return True
    if piece.kind == "word" and piece.role not in _IDLE:
        add(features, f"unmapped {piece.role.split(' ')[0]}")
    elif piece.kind not in ("word", "unit"):
        add(features, f"unmapped {piece.kind}")
    return False


def _hinted(
    scheme: Scheme, close: list[Mention], held: frozenset[tuple[str, str]], features: Features
) -> bool:
    """Count a name that no effect used: of what the query holds, of something beside it, or of nothing."""
    if not held.isdisjoint(mention.place for mention in close):
        add(features, "hinted")
        return True
    beside = {scheme.home(*place) for place in held} | {(relation, "") for relation, _ in held}
    half = any(scheme.home(*mention.place) in beside for mention in close)
    add(features, "half hinted" if half else "unmapped name")
    return False


def _ordered(level: Level, query: RowQuery, features: Features) -> None:
    if level.first(ORDERING) is not None:
        add(features, "ordered list" if query.order and query.limit is None else "not ordered")
        add(features, "best though ordered", float(query.best is not None))
        add(
            features,
            "ordered by what is shown",
            float(any(item in query.select for item, _ in query.order)),
        )


def _new(scheme: Scheme, query: RowQuery, features: Features) -> None:
    """Count results that say what the question has said already."""
    counts = any(isinstance(item, Aggregate) and item.function == "count" for item in query.select)
    for test in query.tests:
        if not isinstance(test, Test) or test.negated or not isinstance(test.item, Field):
            continue
        item, shown = test.item, test.item in query.select
        if isinstance(test.value, RowQuery):
            # what a link leads to, found by what it leads to
            linked = scheme.home(query.relation, item.column) != (query.relation, item.column)
            add(features, "idle link", float(shown and not item.path and linked))
        elif test.operator == "=" and shown:
            add(features, "asks what is said")
        elif test.operator == "=" and item.column == scheme.labels[query.relation] and counts:
            add(features, "counts what is named")


def _converted(
    level: Level, query: RowQuery, used: frozenset[int], features: Features
) -> tuple[RowQuery, frozenset[int]]:
    """The query with what it selects in the unit that is asked for."""
    for at, piece in enumerate(level.pieces):
        if piece.kind == "unit" and piece.amount and at not in used:
            query, converted = _in_unit(level.scheme, query, piece.amount.unit)
            used = used | {at} if converted else used
            add(features, "converted" if converted else "unmapped unit")
    return query, used


def _in_unit(scheme: Scheme, query: RowQuery, unit: str) -> tuple[RowQuery, bool]:
    """The query with what it selects in a unit, and whether anything of it can be said so."""
    factors = [_factor(scheme, query.relation, item, unit) for item in query.select]
    items = [
        item if factor is None or factor == 1 else Combined("*", item, Constant(factor))
        for item, factor in zip(query.select, factors, strict=True)
    ]
    first = query.select[0]
    said = any(factor is not None for factor in factors)
    if isinstance(first, Combined) and not said:
        said = isinstance(first.left, Nested) and isinstance(first.right, Nested)
    return replace(query, select=tuple(items)), said


def _factor(scheme: Scheme, relation: str, item: Item, unit: str) -> Decimal | None:
    """What the numbers of an item are multiplied by to be in a unit; None for an item without one."""
    inner = item.field if isinstance(item, Aggregate) and item.function != "count" else item
    if not isinstance(inner, Field):
        return None
    held = scheme.column(inner.holder(relation), inner.column).unit
    return in_column(Amount(Decimal(1), held), unit) if held else None
