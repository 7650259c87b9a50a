"""Numbers and dates compared with columns, counts of related rows, and rows compared with one that is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from pincite.database.relations.model import Column
from pincite.lexicon import pattern
from pincite.rows.programs.draft_parts import (
    Effect,
    Features,
    Level,
    Slot,
    best_mentions,
    denied,
    fits_kinds,
    negation,
)
from pincite.rows.programs.field_paths import placed, reach, set_tests, value_tests
from pincite.rows.programs.pieces import (
    Amount,
    DaySpan,
    Mention,
    QuestionPiece,
    convertible,
    in_column,
)
from pincite.rows.programs.program import (
    Aggregate,
    Condition,
    Field,
    Nested,
    Operator,
    Related,
    RowQuery,
    Test,
)
from pincite.rows.programs.scheme import dated, quantity, temporal
from pincite.rows.programs.table_words import AFTER_NUMBER

_RANGE = pattern("rows", "range", "joints")
_OPERATORS: dict[str, Operator] = {"=": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def numbers(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Numbers and dates compared with columns, and numbers of related rows."""
    done: set[int] = set()
    for at, piece in enumerate(level.pieces):
        if piece.kind not in ("number", "date") or at in taken or at in done:
            continue
        compared = _comparison(level, root, at, taken)
        done |= compared.used
        no = negation(level, at)
        if slot := [denied(effect, no) for effect in compared.effects()]:
            yield slot


def _comparison(level: Level, root: str, at: int, taken: frozenset[int]) -> _Comparison:
    """What the words around a number say that it is compared by."""
    piece, role = level.pieces[at], level.role(at - 1)
    used, operator = {at}, ""
    kinds: tuple[str, ...] = ()
    if role.startswith("compare") and at - 1 not in taken:
        operator, kinds = role.removeprefix("compare "), level.pieces[at - 1].kinds
        used.add(at - 1)
    second = _second(level, at, operator)
    if second is not None:
        operator = "between"
        used |= {at - 1, *range(at + 1, second + 1)}
    after = AFTER_NUMBER.match(
        level.question.text.lower(), level.question.tokens[piece.end - 1][1]
    )
    if after and not operator:
        operator = ">=" if after["more"] else "<="
    other = None if second is None else level.pieces[second]
    return _Comparison(level, root, at, operator, other, kinds, frozenset(used))


def _second(level: Level, at: int, operator: str) -> int | None:
    """Where the other end of a range stands: "between 2 and 3", "from 2 to 3", "at least 2 and at most 3"."""
    kind = level.kind(at)
    follows = level.kind(at + 1) == kind and _RANGE.search(level.lead(at + 1))
    if follows and (level.role(at - 1) == "between" or operator == ">="):
        return at + 1
    if operator == ">=" and level.role(at + 1) == "compare <=" and level.kind(at + 2) == kind:
        return at + 2
    return None


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The number or date at a place, and what it is compared by.

    `operator` is "" where none is said, `second` the other end of a range, `kinds` the kinds of quantity that the words are
    about, `used` the pieces that say so. `seen` are the tests that it was found to mean.
    """

    level: Level
    root: str
    at: int
    operator: str
    second: QuestionPiece | None
    kinds: tuple[str, ...]
    used: frozenset[int]
    seen: set[tuple[Condition, ...]] = field(default_factory=set)

    @property
    def piece(self) -> QuestionPiece:
        """The number or date."""
        return self.level.pieces[self.at]

    def effects(self) -> Iterator[Effect]:
        """What it can be compared with: a column that is named, near or far, else one of a fitting kind or unit."""
        for place, how in _places(self.level, self.used):
            for mention in best_mentions(self.level.pieces[place], 0.5):
                if mention.column:
                    yield from self._with_column(place, how, mention)
                elif (
                    self.piece.amount
                    and how in ("name after", "name before")
                    and mention.relation != self.root
                ):
                    yield from self._with_count(place, mention.relation, self.piece.amount)
        yield from self._with_unnamed()

    def _with_column(self, place: int, how: str, mention: Mention) -> Iterator[Effect]:
        """A column that the piece at a place names."""
        held = self.level.scheme.column(*mention.place)
        if not self._comparable(held):
            return
        notes = (
            (place, f"the column {mention.relation}.{held.name}"),
            (self.at, f"compared with {held.name}"),
        )
        more = {how: 1.0, "name match": mention.score}
        if self.piece.amount and self.piece.amount.unit:
            more["unit fits" if held.unit else "unit unknown"] = 1.0
        yield from self._compared(mention.relation, held, self.used | {place}, more, notes)

    def _with_count(self, place: int, relation: str, many: Amount) -> Iterator[Effect]:
        """How many rows of another relation there are."""
        for path, features in reach(self.level.scheme, self.root, relation)[:2]:
            measure = Aggregate(
                "count", Field(self.level.scheme.keys[relation], path), distinct=True
            )
            having = Test(measure, _OPERATORS.get(self.operator, "="), many.value)
            yield Effect(
                self.used | {place}, having=(having,), features={**features, "count test": 1.0}
            )

    def _with_unnamed(self) -> Iterator[Effect]:
        """Columns that nobody named, of the root and of what is a step away, by kind, unit or dates."""
        for relation in self.level.scheme.database.relations:
            ways = reach(self.level.scheme, self.root, relation.name)
            for held in relation.columns if ways and len(ways[0][0]) < 2 else ():
                if more := _fitting(held, self.piece, self.kinds):
                    notes = ((self.at, f"compared with {relation.name}.{held.name}"),)
                    yield from self._compared(relation.name, held, self.used, more, notes)

    def _compared(
        self,
        relation: str,
        held: Column,
        used: frozenset[int],
        more: Features,
        notes: tuple[tuple[int, str], ...],
    ) -> Iterator[Effect]:
        """The tests of a column that are meant from the rows of the root, each found once."""
        for test in self._tests(held):
            for made, features in _all_placed(self.level, self.at, self.root, relation, test):
                if made not in self.seen:
                    self.seen.add(made)
                    yield Effect(used, tests=made, features={**features, **more}, notes=notes)

    def _comparable(self, held: Column) -> bool:
        """Whether a column can be compared with the number or date."""
        if self.piece.kind == "date":
            return dated(held)
        return quantity(held) or temporal(held) or self.operator in ("", "=")

    def _tests(self, held: Column) -> Iterator[tuple[Test, ...]]:
        """What a number or a date, or two of them, say of a column."""
        span, second = self.piece.span, self.second.span if self.second else None
        if span is not None:
            yield (_date_tests if temporal(held) else _year_tests)(
                Field(held.name), span, second, self.operator
            )
        elif self.piece.amount is not None:
            yield from _amount_tests(held, self.piece.amount, self)


def _places(level: Level, used: frozenset[int]) -> list[tuple[int, str]]:
    """The names around a comparison, with how they stand to it, the nearest first."""
    first, last = min(used), max(used)
    near = {
        first - 1: "name before",
        first - 2: "name further before",
        last + 1: "name after",
        first - 3: "name far",
    }
    far = (place for place in level.names() if place not in near)
    return [
        *((place, near[place]) for place in level.names(near)),
        *((place, "name elsewhere") for place in far),
    ]


def _fitting(held: Column, piece: QuestionPiece, kinds: tuple[str, ...]) -> Features:
    """Why a column that nobody named can be meant: its kind of quantity, its unit, its dates; empty when it cannot."""
    rank = fits_kinds(held, kinds) if quantity(held) else -1
    more: Features = {"kind": 1.0, "kind rank": float(rank)} if rank >= 0 else {}
    unit = piece.amount.unit if piece.amount else ""
    if unit and held.unit and convertible(unit, held.unit):
        more["by unit"] = 1.0
    if piece.span and (dated(held) if piece.span.unit == "year" else temporal(held)):
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
            yield (
                (replace(first, tests=tuple(replace(test, item=inner.item) for test in tests)),),
                features,
            )
        else:
            yield tests, features


def _year_tests(
    item: Field, span: DaySpan, second: DaySpan | None, operator: str
) -> tuple[Test, ...]:
    """A date held against a column of years."""
    if second:
        return Test(item, ">=", span.low.year), Test(item, "<=", second.low.year)
    return (Test(item, _OPERATORS.get(operator, "="), span.low.year),)


def _date_tests(
    item: Field, span: DaySpan, second: DaySpan | None, operator: str
) -> tuple[Test, ...]:
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


def than(level: Level, at: int) -> int | None:
    """The place of the "than" behind a comparative, None without one."""
    return next((place for place in level.places[at + 1 :] if level.role(place) == "than"), None)


def comparatives(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Rows compared with one that is named: "a higher yield strength than X", "denser than X"."""
    for at in level.places:
        behind = _than_what(level, at)
        if behind is None or at in taken or level.kind(behind + 1) not in ("value", "set"):
            continue
        if slot := list(_than_row(level, root, at, behind)):
            yield slot


def _than_row(level: Level, root: str, at: int, behind: int) -> Iterator[Effect]:
    """Rows that have more of a quantity, or less, than the row named behind the "than"."""
    test_of = value_tests if level.kind(behind + 1) == "value" else set_tests
    tests = [(test, features) for test, features, _ in islice(test_of(level, behind + 1, root), 2)]
    sign: Operator = ">" if level.pieces[at].sign > 0 else "<"
    for column, features, place in _compared_columns(level, root, at, behind):
        for test, more in tests:
            other = Nested(RowQuery(root, (Aggregate("avg", Field(column)),), (test,)))
            yield Effect(
                frozenset({at, behind, place, behind + 1}),
                tests=(Test(Field(column), sign, other),),
                features={**features, **more, "compared with row": 1.0},
                notes=((at, f"compared by {column}"),),
            )


def _than_what(level: Level, at: int) -> int | None:
    """Where the "than" of a comparison stands, None when there is none."""
    role = level.role(at)
    if role == "more":
        return than(level, at)
    return at if role in ("compare >", "compare <") and level.pieces[at].kinds else None


def _compared_columns(
    level: Level, root: str, at: int, behind: int
) -> Iterator[tuple[str, Features, int]]:
    """The columns that rows may be compared by: those named before "than", else two of the kinds that the word is about."""
    names = level.names(range(at + 1, behind))
    for place in names:
        for mention in best_mentions(level.pieces[place], 0.4):
            if mention.relation == root and mention.column:
                yield mention.column, {"name match": mention.score}, place
    if not names:
        held, kinds = level.scheme.database.relation(root).columns, level.pieces[at].kinds
        fitting = (
            column.name for column in held if fits_kinds(column, kinds) >= 0 and quantity(column)
        )
        for name in islice(fitting, 2):
            yield name, {"kind": 1.0, "kind order": 0.0}, at
