"""Numbers and dates compared with columns, counts of related rows, and rows compared with one that is named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

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
from pincite.rows.programs.pieces import Amount, QuestionPiece, in_column
from pincite.rows.programs.program import Aggregate, Condition, Field, Nested, Operator, Related, RowQuery, Test
from pincite.rows.programs.scheme import canonical, quantity, temporal
from pincite.rows.programs.table_words import AFTER_NUMBER

_OPERATORS: dict[str, Operator] = {"=": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def numbers(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Numbers and dates compared with columns, and numbers of related rows."""
    done: set[int] = set()
    for at, piece in enumerate(level.pieces):
        if piece.kind not in ("number", "date") or at in taken or at in done:
            continue
        used = {at}
        operator = ""
        kinds: tuple[str, ...] = ()
        role = level.role(at - 1)
        if role.startswith("compare") and at - 1 not in taken:
            operator, kinds = role.removeprefix("compare "), level.pieces[at - 1].word.kinds  # type: ignore[union-attr]
            used.add(at - 1)
        second: QuestionPiece | None = None
        if (
            (role == "between" or operator == ">=")
            and level.kind(at + 1) == piece.kind
            and re.search(r"\b(?:and|to|until|till)\b|-", level.lead(at + 1))
        ):
            second, operator = level.pieces[at + 1], "between"
            used |= {at - 1, at + 1}
            done.add(at + 1)
        elif operator == ">=" and level.role(at + 1) == "compare <=" and level.kind(at + 2) == piece.kind:
            second, operator = level.pieces[at + 2], "between"
            used |= {at + 1, at + 2}
            done.add(at + 2)
        after = AFTER_NUMBER.match(level.question.text.lower(), level.question.tokens[piece.end - 1][1])
        if after and not operator:
            operator = ">=" if after["more"] else "<="
        no = negation(level, at)
        slot = list(_compared(level, root, at, piece, second, operator, kinds, frozenset(used)))
        if no is not None:
            slot = [
                replace(effect, tests=tuple(map(negated, effect.tests)), used=effect.used | {no}) for effect in slot
            ]
        if slot:
            yield slot


def _compared(
    level: Level,
    root: str,
    at: int,
    piece: QuestionPiece,
    second: QuestionPiece | None,
    operator: str,
    kinds: tuple[str, ...],
    used: frozenset[int],
) -> Iterator[Effect]:
    """What a number can be compared with: a column that is named, near or far, else one of a fitting kind or unit."""
    seen: set[tuple[Condition, ...]] = set()
    for place, how in _places(level, used):
        for mention in best_mentions(level.pieces[place], 0.5):
            if not mention.column:
                if piece.amount and how in ("name after", "name before") and mention.relation != root:
                    yield from _counted(level, root, mention.relation, operator or "=", piece.amount, used | {place})
                continue
            held = level.scheme.column(mention.relation, mention.column)
            if not _comparable(held, piece, operator):
                continue
            notes = ((place, f"the column {mention.relation}.{held.name}"), (at, f"compared with {held.name}"))
            more = {how: 1.0, "name match": mention.score}
            if piece.amount and piece.amount.unit:
                more["unit fits" if held.unit else "unit unknown"] = 1.0
            for test in _tests(held.unit, held.name, piece, second, operator, temporal(held)):
                for made, features in _all_placed(level, at, root, mention.relation, test):
                    if made not in seen:
                        seen.add(made)
                        yield Effect(used | {place}, tests=made, features={**features, **more}, notes=notes)
    yield from _unnamed(level, root, at, piece, second, operator, kinds, used, seen)


def _unnamed(
    level: Level,
    root: str,
    at: int,
    piece: QuestionPiece,
    second: QuestionPiece | None,
    operator: str,
    kinds: tuple[str, ...],
    used: frozenset[int],
    seen: set[tuple[Condition, ...]],
) -> Iterator[Effect]:
    for relation in level.scheme.database.relations:
        ways = reach(level.scheme, root, relation.name)
        for held in relation.columns if ways and len(ways[0][0]) < 2 else ():
            more = _fitting(held, piece, kinds)
            for test in _tests(held.unit, held.name, piece, second, operator, temporal(held)) if more else ():
                for made, features in _all_placed(level, at, root, relation.name, test):
                    if made not in seen:
                        seen.add(made)
                        notes = ((at, f"compared with {relation.name}.{held.name}"),)
                        yield Effect(used, tests=made, features={**features, **more}, notes=notes)


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
    if piece.span and (temporal(held) or _year(held.name) and piece.span.unit == "year"):
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


def _tests(
    unit: str, column: str, piece: QuestionPiece, second: QuestionPiece | None, operator: str, dated: bool
) -> Iterator[tuple[Test, ...]]:
    """What a number or a date, or two of them, say of a column."""
    item = Field(column)
    if piece.kind == "date" and piece.span is not None:
        low, high = piece.span.low, piece.span.high
        if not dated and second and second.span:
            yield Test(item, ">=", low.year), Test(item, "<=", second.span.low.year)
        elif not dated:
            yield (Test(item, _OPERATORS.get(operator, "="), low.year),)
        elif operator == "between" and second is not None and second.span is not None:
            yield Test(item, ">=", low), Test(item, "<", second.span.high)
        elif operator in (">", ">=", "<", "<="):
            edge = {">": high, ">=": low, "<": low, "<=": high}[operator]
            yield (Test(item, "<" if operator in ("<", "<=") else ">=", edge),)
        else:
            yield Test(item, ">=", low), Test(item, "<", high)
        return
    if piece.amount is None:
        return
    value = in_column(piece.amount, unit)
    if value is None:
        return
    if operator == "between" and second is not None and second.amount is not None:
        other = second.amount if second.amount.unit else Amount(second.amount.value, piece.amount.unit)
        low_one = piece.amount if piece.amount.unit else Amount(piece.amount.value, other.unit)
        one, two = in_column(low_one, unit), in_column(other, unit)
        if one is not None and two is not None:
            yield Test(item, ">=", min(one, two)), Test(item, "<=", max(one, two))
        return
    yield (Test(item, _OPERATORS.get(operator, "="), value),)


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
        role = level.role(at)
        behind = (
            than(level, at)
            if role == "more"
            else at
            if role in ("compare >", "compare <") and piece.word and piece.word.kinds
            else None
        )
        if behind is None or at in taken or piece.word is None or level.kind(behind + 1) not in ("value", "set"):
            continue
        names = [place for place in range(at + 1, behind) if level.kind(place) == "name"]
        slot: Slot = []
        columns = [
            (m.column, {"name match": m.score}, place)
            for place in names
            for m in best_mentions(level.pieces[place], 0.4)
            if m.relation == root and m.column
        ]
        columns += [
            (held.name, {"kind": 1.0, "kind order": 0.0}, at)
            for held in level.scheme.database.relation(root).columns
            if piece.word.kinds and fits_kinds(held, piece.word.kinds) >= 0 and quantity(held) and not names
        ][:2]
        tests = [
            (test, features)
            for test, features, _ in (value_tests if level.kind(behind + 1) == "value" else set_tests)(
                level, behind + 1, root
            )
        ]
        places = [behind + 1]
        while level.kind(places[-1] + 1) == "value":
            places.append(places[-1] + 1)
        for column, features, place in columns:
            for test, more in tests[:2]:
                other = Nested(RowQuery(root, (Aggregate("avg", Field(column)),), (test,)))
                made = Test(Field(column), ">" if piece.word.sign > 0 else "<", other)
                slot.append(
                    Effect(
                        frozenset({at, behind, place, behind + 1}),
                        tests=(made,),
                        features={**features, **more, "compared with row": 1.0},
                        notes=((at, f"compared by {column}"),),
                    )
                )
        if slot:
            yield slot
