"""What speaks for and against a whole draft: words left over, relations nobody named, results that say nothing new."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from pincite.lexicon import word_set
from pincite.rows.programs.draft_parts import Features, Level, ProgramDraft, amount, columns
from pincite.rows.programs.field_paths import bracketed
from pincite.rows.programs.pieces import Amount, QuestionPiece, in_column
from pincite.rows.programs.program import Aggregate, Combined, Constant, Field, Nested, RowQuery, Test
from pincite.rows.programs.program_ranking import Score
from pincite.rows.programs.scheme import Scheme, canonical, temporal

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
            amount(features, name, value)
        amount(features, "nested")
    explained = used | {
        at for at, piece in enumerate(level.pieces) if at not in used and _left(level, at, piece, held, features)
    }
    named = {m.relation for p in level.pieces if p.kind in ("name", "value") for m in p.mentions if m.score > 0.5}
    mine = {relation for relation, _ in own}
    amount(features, "relation unnamed", float(len(mine - named - {r for d in inner.values() for r, _ in d.held})))
    amount(features, "tests", float(len(query.tests)))
    amount(features, "relations", float(len(mine)))
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


def _arranged(scheme: Scheme, query: RowQuery) -> RowQuery:
    """Groups whose order nobody asked for, as a reader expects them: times in their order, else the largest number first."""
    if not query.group or query.order or query.best:
        return query
    for item in query.group:
        if isinstance(item, Field):
            held = scheme.column(item.path[-1].to if item.path else query.relation, item.column)
            if item.part or temporal(held) or "year" in canonical(held.name.replace("_", " ")):
                return replace(query, order=((item, False),))
    measures = [item for item in query.select if isinstance(item, Aggregate | Combined)]
    return replace(query, order=((measures[-1], True),)) if measures else query


def _left(level: Level, at: int, piece: QuestionPiece, held: frozenset[tuple[str, str]], features: Features) -> bool:
    """Count a piece that no effect used; whether the query explains it all the same."""
    scheme = level.scheme
    if piece.kind == "name":
        close = [m for m in piece.mentions if m.score > 0.45]
        if any((m.relation, m.column) in held for m in close):
            amount(features, "hinted")
            return True
        read = {relation for relation, _ in held}
        homes = {scheme.home(*pair) for pair in held if pair[1]}
        half = any((scheme.home(m.relation, m.column) in homes) if m.column else m.relation in read for m in close)
        amount(features, "half hinted" if half else "unmapped name")
    elif piece.kind == "value":
        if bracketed(level, at + 1) or all(scheme.column(m.relation, m.column).distinct == 1 for m in piece.mentions):
            return True
        amount(features, "unmapped value")
    elif piece.kind in ("unknown", "number", "date", "set"):
        amount(features, f"unmapped {piece.kind}")
    elif piece.word is not None and piece.word.role not in _IDLE:
        amount(features, f"unmapped {piece.word.role.split(' ')[0]}")
    return False


def _ordered(level: Level, query: RowQuery, features: Features) -> None:
    if any(level.role(at) in ("order", "falling", "rising") for at in range(len(level.pieces))):
        amount(features, "ordered list" if query.order and query.limit is None else "not ordered")
        amount(features, "best though ordered", float(query.best is not None))
        amount(features, "ordered by what is shown", float(any(item in query.select for item, _ in query.order)))


def _new(scheme: Scheme, query: RowQuery, features: Features) -> None:
    """Whether the result says what the question has said already."""
    counts = any(isinstance(item, Aggregate) and item.function == "count" for item in query.select)
    for test in query.tests:
        if not isinstance(test, Test) or not isinstance(test.item, Field) or test.negated:
            continue
        if isinstance(test.value, RowQuery):
            # what a link leads to, found by what it leads to
            linked = scheme.home(query.relation, test.item.column) != (query.relation, test.item.column)
            amount(features, "idle link", float(test.item in query.select and not test.item.path and linked))
        elif test.operator == "=" and test.item in query.select:
            amount(features, "asks what is said")
        elif test.operator == "=" and test.item.column == scheme.labels[query.relation] and counts:
            amount(features, "counts what is named")


def _converted(
    level: Level, query: RowQuery, used: frozenset[int], features: Features
) -> tuple[RowQuery, frozenset[int]]:
    """The query with what it selects in the unit that is asked for."""
    for at, piece in enumerate(level.pieces):
        if piece.kind == "unit" and piece.amount and at not in used:
            query, converted = _in_unit(level.scheme, query, piece.amount.unit)
            used = used | {at} if converted else used
            amount(features, "converted" if converted else "unmapped unit")
    return query, used


def _in_unit(scheme: Scheme, query: RowQuery, unit: str) -> tuple[RowQuery, bool]:
    """The query with what it selects in a unit, and whether anything of it can be said so."""
    items, any_ = [], False
    for item in query.select:
        inner = item.field if isinstance(item, Aggregate) and item.function != "count" else item
        factor = None
        if isinstance(inner, Field):
            held = scheme.column(inner.path[-1].to if inner.path else query.relation, inner.column).unit
            factor = in_column(Amount(Decimal(1), held), unit) if held else None
        any_ = any_ or factor is not None
        items.append(item if factor is None or factor == 1 else Combined("*", item, Constant(factor)))
    if isinstance(query.select[0], Combined) and not any_:
        any_ = all(isinstance(half, Nested) for half in (query.select[0].left, query.select[0].right))
    return replace(query, select=tuple(items)), any_
