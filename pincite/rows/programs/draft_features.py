"""What speaks for and against a whole draft: words left over, relations nobody named, results that say nothing new."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from pincite.lexicon import word_set
from pincite.rows.programs.draft_parts import Features, Level, ProgramDraft, add, columns
from pincite.rows.programs.field_paths import bracketed
from pincite.rows.programs.pieces import Amount, Mention, QuestionPiece, in_column
from pincite.rows.programs.program import Aggregate, Combined, Constant, Field, Item, Nested, RowQuery, Test
from pincite.rows.programs.program_ranking import Score
from pincite.rows.programs.scheme import Scheme, dated

_IDLE = word_set("rows", "idle")
"""What words of the lexicon do that leaves nothing undone when no part of a program does it."""


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
    scheme, inner = level.scheme, level.sets
    query, used = _converted(level, query, used, features)
    own = frozenset(columns(query))
    held = own.union(*(draft.held for draft in inner.values()))
    for draft in inner.values():
        for name, value in draft.features.items():
            add(features, name, value)
        add(features, "nested")
    left = [at for at in level.places if at not in used]
    explained = used.union(at for at in left if _left(level, at, level.pieces[at], held, features))
    mine = {relation for relation, _ in own}
    add(features, "relation unnamed", float(len(mine - _named_relations(level))))
    add(features, "tests", float(len(query.tests)))
    add(features, "relations", float(len(mine)))
    _ordered(level, query, features)
    _new(scheme, query, features)
    spans = {(level.pieces[at].start, level.pieces[at].end) for at in explained if at not in inner}
    said = [(level.pieces[at].text, what) for at, what in notes]
    for draft in inner.values():
        spans |= draft.spans
        said += draft.notes
    return ProgramDraft(
        _arranged(scheme, query), features, frozenset(spans), tuple(dict.fromkeys(said)), score(features), held
    )


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


def _left(level: Level, at: int, piece: QuestionPiece, held: frozenset[tuple[str, str]], features: Features) -> bool:
    """Count a piece that no effect used; whether the query explains it all the same."""
    scheme = level.scheme
    if piece.kind == "name":
        return _hinted(scheme, [mention for mention in piece.mentions if mention.score > 0.45], held, features)
    if piece.kind == "value":
        if bracketed(level, at + 1) or all(scheme.column(m.relation, m.column).distinct == 1 for m in piece.mentions):
            return True
        add(features, "unmapped value")
    elif piece.kind in ("unknown", "number", "date", "set"):
        add(features, f"unmapped {piece.kind}")
    elif piece.word is not None and piece.word.role not in _IDLE:
        add(features, f"unmapped {piece.word.role.split(' ')[0]}")
    return False


def _hinted(scheme: Scheme, close: list[Mention], held: frozenset[tuple[str, str]], features: Features) -> bool:
    """Count a name that no effect used: of what the query holds, of something beside it, or of nothing."""
    if any((mention.relation, mention.column) in held for mention in close):
        add(features, "hinted")
        return True
    read = {relation for relation, _ in held}
    homes = {scheme.home(*pair) for pair in held if pair[1]}
    columns = [mention for mention in close if mention.column]
    half = any(scheme.home(mention.relation, mention.column) in homes for mention in columns)
    half = half or any(mention.relation in read for mention in close if not mention.column)
    add(features, "half hinted" if half else "unmapped name")
    return False


def _ordered(level: Level, query: RowQuery, features: Features) -> None:
    if any(level.role(at) in ("order", "falling", "rising") for at in level.places):
        add(features, "ordered list" if query.order and query.limit is None else "not ordered")
        add(features, "best though ordered", float(query.best is not None))
        add(features, "ordered by what is shown", float(any(item in query.select for item, _ in query.order)))


def _new(scheme: Scheme, query: RowQuery, features: Features) -> None:
    """Whether the result says what the question has said already."""
    counts = any(isinstance(item, Aggregate) and item.function == "count" for item in query.select)
    for test in query.tests:
        item = test.item if isinstance(test, Test) and not test.negated else None
        if not isinstance(test, Test) or not isinstance(item, Field):
            continue
        if isinstance(test.value, RowQuery):
            # what a link leads to, found by what it leads to
            linked = scheme.home(query.relation, item.column) != (query.relation, item.column)
            add(features, "idle link", float(item in query.select and not item.path and linked))
        elif test.operator == "=" and item in query.select:
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
    """What turns the numbers of an item into a unit; None for what is in none."""
    inner = item.field if isinstance(item, Aggregate) and item.function != "count" else item
    if not isinstance(inner, Field):
        return None
    held = scheme.column(inner.path[-1].to if inner.path else relation, inner.column).unit
    return in_column(Amount(Decimal(1), held), unit) if held else None
