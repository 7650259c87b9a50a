"""Numbers and dates compared with columns, counts of related rows, and rows compared with one that is named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from pincite.database.relations.model import Column
from pincite.rows.programs.draft_parts import (
    Effect,
    Features,
    Level,
    Slot,
    best_mentions,
    fits_kinds,
    negated,
    negation,
)
from pincite.rows.programs.field_paths import label_of, placed, reach, set_tests, value_tests
from pincite.rows.programs.pieces import Amount, DaySpan, QuestionPiece, in_column
from pincite.rows.programs.program import Aggregate, Condition, Field, Nested, Operator, Related, RowQuery, Test
from pincite.rows.programs.scheme import canonical, quantity, temporal
from pincite.rows.programs.table_words import AFTER_NUMBER

_RANGE = re.compile(r"\b(?:and|to|until|till)\b|-")
_OPERATORS: dict[str, Operator] = {"=": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def numbers(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Numbers and dates compared with columns, and numbers of related rows."""
    done: set[int] = set()
    for at, piece in enumerate(level.pieces):
        if piece.kind not in ("number", "date") or at in taken or at in done:
            continue
        compared = _comparison(level, at, taken)
        done |= {place for place in compared.used if place > at}
        slot = list(_compared(level, root, at, compared))
        no = negation(level, at)
        if no is not None:
            slot = [
                replace(effect, tests=tuple(map(negated, effect.tests)), used=effect.used | {no}) for effect in slot
            ]
        if slot:
            yield slot


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A number or date with what it is compared by: the operator, the second end of a range, the kinds of quantity that the
    words name, and the pieces that say so.
    """

    piece: QuestionPiece
    operator: str
    second: QuestionPiece | None
    kinds: tuple[str, ...]
    used: frozenset[int]


def _comparison(level: Level, at: int, taken: frozenset[int]) -> _Comparison:
    """What the words around a number say that it is compared by."""
    piece = level.pieces[at]
    role = level.role(at - 1)
    used, operator = {at}, ""
    kinds: tuple[str, ...] = ()
    second: QuestionPiece | None = None
    if role.startswith("compare") and at - 1 not in taken:
        word = level.pieces[at - 1].word
        operator, kinds = role.removeprefix("compare "), word.kinds if word else ()
        used.add(at - 1)
    follows = level.kind(at + 1) == piece.kind and _RANGE.search(level.lead(at + 1))
    if follows and (role == "between" or operator == ">="):
        second, operator = level.pieces[at + 1], "between"
        used |= {at - 1, at + 1}
    elif operator == ">=" and level.role(at + 1) == "compare <=" and level.kind(at + 2) == piece.kind:
        second, operator = level.pieces[at + 2], "between"
        used |= {at + 1, at + 2}
    after = AFTER_NUMBER.match(level.question.text.lower(), level.question.tokens[piece.end - 1][1])
    if after and not operator:
        operator = ">=" if after["more"] else "<="
    return _Comparison(piece, operator, second, kinds, frozenset(used))


def _compared(level: Level, root: str, at: int, compared: _Comparison) -> Iterator[Effect]:
    """What a number can be compared with: a column that is named, near or far, else one of a fitting kind or unit."""
    piece, used = compared.piece, compared.used
    seen: set[tuple[Condition, ...]] = set()
    for place, how in _places(level, used):
        for mention in best_mentions(level.pieces[place], 0.5):
            if not mention.column:
                if piece.amount and how in ("name after", "name before") and mention.relation != root:
                    operator = compared.operator or "="
                    yield from _counted(level, root, mention.relation, operator, piece.amount, used | {place})
                continue
            held = level.scheme.column(mention.relation, mention.column)
            if not _comparable(held, piece, compared.operator):
                continue
            notes = ((place, f"the column {mention.relation}.{held.name}"), (at, f"compared with {held.name}"))
            more = {how: 1.0, "name match": mention.score}
            if piece.amount and piece.amount.unit:
                more["unit fits" if held.unit else "unit unknown"] = 1.0
            for made, features in _new_tests(level, at, root, mention.relation, held, compared, seen):
                yield Effect(used | {place}, tests=made, features={**features, **more}, notes=notes)
    yield from _unnamed(level, root, at, compared, seen)


def _new_tests(
    level: Level,
    at: int,
    root: str,
    relation: str,
    held: Column,
    compared: _Comparison,
    seen: set[tuple[Condition, ...]],
) -> Iterator[tuple[tuple[Condition, ...], Features]]:
    """The tests of a column that a comparison means from the rows of `root`, those left out that were `seen`."""
    for test in _tests(held, compared):
        for made, features in _all_placed(level, at, root, relation, test):
            if made not in seen:
                seen.add(made)
                yield made, features


def _unnamed(
    level: Level, root: str, at: int, compared: _Comparison, seen: set[tuple[Condition, ...]]
) -> Iterator[Effect]:
    """Columns that nobody named, of the root and of what is a step away, by kind, unit or dates."""
    for relation in level.scheme.database.relations:
        ways = reach(level.scheme, root, relation.name)
        for held in relation.columns if ways and len(ways[0][0]) < 2 else ():
            more = _fitting(held, compared.piece, compared.kinds)
            if not more:
                continue
            notes = ((at, f"compared with {relation.name}.{held.name}"),)
            for made, features in _new_tests(level, at, root, relation.name, held, compared, seen):
                yield Effect(compared.used, tests=made, features={**features, **more}, notes=notes)


def _places(level: Level, used: frozenset[int]) -> list[tuple[int, str]]:
    """The names around a comparison, with how they stand to it, the nearest first."""
    first, last = min(used), max(used)
    near = {first - 1: "name before", first - 2: "name further before", last + 1: "name after", first - 3: "name far"}
    found = [(place, how) for place, how in near.items() if level.kind(place) == "name"]
    rest = (place for place in range(len(level.pieces)) if level.kind(place) == "name" and place not in near)
    return [*found, *((place, "name elsewhere") for place in rest)]


def _comparable(held: Column, piece: QuestionPiece, operator: str) -> bool:
    """Whether a column can be compared with a number or a date."""
    if piece.kind == "date":
        return temporal(held) or _year(held.name)
    return quantity(held) or temporal(held) or operator in ("", "=")


def _fitting(held: Column, piece: QuestionPiece, kinds: tuple[str, ...]) -> Features:
    """Why a column that nobody named can be meant: its kind of quantity, its unit, its dates; empty when it cannot."""
    rank = fits_kinds(held, kinds) if kinds and quantity(held) else -1
    more: Features = {"kind": 1.0, "kind rank": float(rank)} if rank >= 0 else {}
    if piece.amount and piece.amount.unit and held.unit and in_column(piece.amount, held.unit) is not None:
        more["by unit"] = 1.0
    if piece.span and (temporal(held) or (piece.span.unit == "year" and _year(held.name))):
        more["by time"] = 1.0
    return more


def _all_placed(
    level: Level, at: int, root: str, relation: str, tests: tuple[Test, ...]
) -> Iterator[tuple[tuple[Condition, ...], Features]]:
    """Several tests of one column, put on one and the same related row."""
    for first, features in placed(level, at, root, relation, tests[0]):
        if isinstance(first, Related):
            inner = first.tests[0]
            assert isinstance(inner, Test)
            yield (replace(first, tests=tuple(replace(test, item=inner.item) for test in tests)),), features
        else:
            yield tests, features


def _tests(held: Column, compared: _Comparison) -> Iterator[tuple[Test, ...]]:
    """What a number or a date, or two of them, say of a column."""
    if compared.piece.kind == "date" and compared.piece.span is not None:
        span, second = compared.piece.span, compared.second.span if compared.second else None
        yield (_date_tests if temporal(held) else _year_tests)(Field(held.name), span, second, compared.operator)
    elif compared.piece.amount is not None:
        yield from _amount_tests(held, compared.piece.amount, compared)


def _year_tests(item: Field, span: DaySpan, second: DaySpan | None, operator: str) -> tuple[Test, ...]:
    """A date held against a column of years."""
    if second:
        return Test(item, ">=", span.low.year), Test(item, "<=", second.low.year)
    return (Test(item, _OPERATORS.get(operator, "="), span.low.year),)


def _date_tests(item: Field, span: DaySpan, second: DaySpan | None, operator: str) -> tuple[Test, ...]:
    """A date held against a column of dates: a year or a month is all of its days."""
    if operator == "between" and second is not None:
        return Test(item, ">=", span.low), Test(item, "<", second.high)
    if operator in (">", "<="):
        return (Test(item, ">=" if operator == ">" else "<", span.high),)
    if operator in (">=", "<"):
        return (Test(item, _OPERATORS[operator], span.low),)
    return Test(item, ">=", span.low), Test(item, "<", span.high)


def _amount_tests(held: Column, own: Amount, compared: _Comparison) -> Iterator[tuple[Test, ...]]:
    """A number, or two of them, held against a column in its unit; the unit of one of two is that of the other too."""
    item, unit = Field(held.name), held.unit
    value = in_column(own, unit)
    if value is None:
        return
    second = compared.second.amount if compared.second else None
    if compared.operator != "between" or second is None:
        yield (Test(item, _OPERATORS.get(compared.operator, "="), value),)
        return
    other = second if second.unit else Amount(second.value, own.unit)
    low = in_column(own if own.unit else Amount(own.value, other.unit), unit)
    high = in_column(other, unit)
    if low is not None and high is not None:
        yield Test(item, ">=", min(low, high)), Test(item, "<=", max(low, high))


def _year(name: str) -> bool:
    return "year" in canonical(name.replace("_", " "))


def _counted(
    level: Level, root: str, relation: str, operator: str, many: Amount, used: frozenset[int]
) -> Iterator[Effect]:
    for path, features in reach(level.scheme, root, relation)[:2]:
        if path:
            measure = Aggregate(
                "count",
                Field(
                    label_of(level.scheme, relation)
                    if level.scheme.keys[relation] == ""
                    else level.scheme.keys[relation],
                    path,
                ),
                distinct=True,
            )
            having = Test(measure, _OPERATORS.get(operator, "="), many.value)
            yield Effect(used, having=(having,), features={**features, "count test": 1.0})


def than(level: Level, at: int) -> int | None:
    """The place of the "than" behind a comparative, None without one."""
    return next((place for place in range(at + 1, len(level.pieces)) if level.role(place) == "than"), None)


def comparatives(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Rows compared with one that is named: "a higher yield strength than X", "denser than X"."""
    for at, piece in enumerate(level.pieces):
        behind = _than_what(level, at)
        if behind is None or at in taken or piece.word is None or level.kind(behind + 1) not in ("value", "set"):
            continue
        test_of = value_tests if level.kind(behind + 1) == "value" else set_tests
        tests = [(test, features) for test, features, _ in test_of(level, behind + 1, root)]
        sign: Operator = ">" if piece.word.sign > 0 else "<"
        slot: Slot = []
        for column, features, place in _compared_columns(level, root, at, behind, piece.word.kinds):
            for test, more in tests[:2]:
                other = Nested(RowQuery(root, (Aggregate("avg", Field(column)),), (test,)))
                slot.append(
                    Effect(
                        frozenset({at, behind, place, behind + 1}),
                        tests=(Test(Field(column), sign, other),),
                        features={**features, **more, "compared with row": 1.0},
                        notes=((at, f"compared by {column}"),),
                    )
                )
        if slot:
            yield slot


def _than_what(level: Level, at: int) -> int | None:
    """Where the "than" of a comparison stands, None when there is none."""
    role, word = level.role(at), level.pieces[at].word
    if role == "more":
        return than(level, at)
    return at if role in ("compare >", "compare <") and word and word.kinds else None


def _compared_columns(
    level: Level, root: str, at: int, behind: int, kinds: tuple[str, ...]
) -> list[tuple[str, Features, int]]:
    """The columns that rows may be compared by: those named before "than", else two of the kinds that the word is about."""
    columns: list[tuple[str, Features, int]] = []
    names = [place for place in range(at + 1, behind) if level.kind(place) == "name"]
    for place in names:
        for mention in best_mentions(level.pieces[place], 0.4):
            if mention.relation == root and mention.column:
                columns.append((mention.column, {"name match": mention.score}, place))
    if kinds and not names:
        held = level.scheme.database.relation(root).columns
        fitting = (column.name for column in held if fits_kinds(column, kinds) >= 0 and quantity(column))
        columns += [(name, {"kind": 1.0, "kind order": 0.0}, at) for name in islice(fitting, 2)]
    return columns
