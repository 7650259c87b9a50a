"""Sets of rows of a given table that a question may mean: those of a value, beyond a number, the first, the largest, the next.

Each is worked out on the grid at once and has the tests that find the same rows again as a program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from operator import eq, ge, gt, le, lt
from typing import Any

from pincite.rows.onetable.anchors import AnchoredQuestion, NumberAnchor, ValueAnchor
from pincite.rows.onetable.value_grid import NAME, ROW, GridView, ValueGrid, is_blank
from pincite.rows.programs.program import (
    Aggregate,
    Best,
    Condition,
    Either,
    Field,
    Item,
    Operator,
    RowQuery,
    Test,
)

BASE = 40
"""Sets made of values and numbers that are kept, the best first."""

Features = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Subset:
    """Some rows, in the order of the table or of `order`, with the program's conditions for them.

    `used` are the words of the question that it explains, `tags` the operations in it, `columns` the written columns that it
    tests, `quality` how surely its values are meant.
    """

    rows: tuple[int, ...]
    tests: tuple[Condition, ...] = ()
    used: frozenset[int] = frozenset()
    tags: tuple[str, ...] = ()
    columns: frozenset[int] = frozenset()
    quality: float = 0.0
    features: Features = ()
    best: Best | None = None
    order: tuple[tuple[Item, bool], ...] = ()
    limit: int | None = None
    offset: int = 0

    @property
    def cut(self) -> bool:
        """Whether only some of the rows that meet the tests are meant."""
        return self.best is not None or self.limit is not None

    @property
    def of_value(self) -> bool:
        """Whether a value that the question names makes it."""
        return self.tags[0].startswith("value")

    def derived(
        self, tag: str, rows: tuple[int, ...], *features: tuple[str, float], **changed: Any
    ) -> Subset:
        """Rows found from these by one more operation."""
        return replace(
            self,
            rows=rows,
            tags=(*self.tags, tag),
            features=(*self.features, *features),
            **changed,
        )

    def beside(self, other: Subset, rows: tuple[int, ...], tests: tuple[Condition, ...]) -> Subset:
        """Rows found from these and others, with what makes up both."""
        return Subset(
            rows,
            tests,
            self.used | other.used,
            (*self.tags, *other.tags),
            self.columns | other.columns,
            self.quality + other.quality,
            (*self.features, *other.features),
        )

    def query(
        self, *select: Item, group: tuple[Item, ...] = (), best: Best | None = None
    ) -> RowQuery:
        """The program that selects something of these rows."""
        if best is not None or group or any(isinstance(item, Aggregate) for item in select):
            return RowQuery(NAME, select, self.conditions(), group, best=best)
        order = self.order or (((Field(ROW), False),) if self.limit else ())
        return RowQuery(
            NAME,
            select,
            self.tests,
            best=self.best,
            order=order,
            limit=self.limit,
            offset=self.offset,
        )

    def conditions(self) -> tuple[Condition, ...]:
        """Tests that no cut stands behind: rows that were cut are found by their number."""
        if not self.cut:
            return self.tests
        return (Test(Field(ROW), "in", replace(self.query(Field(ROW)), distinct=False)),)


def all_rows(grid: ValueGrid) -> Subset:
    """The rows of the table, those that sum up others left out."""
    rows = tuple(at for at in range(len(grid.cells)) if at not in grid.totals)
    left = tuple(at + 1 for at in sorted(grid.totals))
    return Subset(
        rows, (Test(Field(ROW), "in", left, negated=True),) if left else (), tags=("all",)
    )


def unique(made: Iterable[Subset]) -> list[Subset]:
    """Sets with something in them, each way to find it once."""
    held: dict[tuple[object, ...], Subset] = {}
    for subset in made:
        if subset.rows:
            held.setdefault((subset.rows, subset.tags, subset.used, subset.columns), subset)
    return list(held.values())


def values(asked: AnchoredQuestion, grid: ValueGrid, everything: Subset) -> Iterator[Subset]:
    """Rows that have a value that the question names."""
    inside = set(everything.rows)
    ranked = sorted(asked.anchors, key=lambda a: -worth(asked, a))
    for anchor in ranked[:24]:
        rows = tuple(row for row in anchor.rows if row in inside) or anchor.rows
        found = tuple(dict.fromkeys(grid.cells[row][anchor.column] for row in rows))
        tests: tuple[Condition, ...] = (Test(Field(grid.names[anchor.column]), "in", found),)
        if set(rows) <= inside:
            tests = (*everything.tests, *tests)
        yield Subset(
            rows,
            tests,
            frozenset(anchor.places),
            (f"value {anchor.match}",),
            frozenset((anchor.column,)),
            worth(asked, anchor),
            (
                (f"match {anchor.match}", 1.0),
                ("share", anchor.share),
                ("value is heading", float(_heading(asked, anchor))),
                ("value of few rows", float(len(rows) < len(grid.cells) / 2)),
                ("value under its heading", asked.head_share[anchor.column]),
                ("value of first column", float(anchor.column == 0)),
                *_rivals(asked, anchor),
            ),
        )


def _rivals(asked: AnchoredQuestion, anchor: ValueAnchor) -> Features:
    """Whether the same words are a whole cell of this column, and in how many other columns they stand as well."""
    others = [
        other for other in asked.anchors if other.start <= anchor.start and anchor.end <= other.end
    ]
    same = [other for other in others if len(other.places) == len(anchor.places)]
    wider = any(len(other.places) > len(anchor.places) for other in others)
    whole = anchor.match != "exact" and (anchor.column, "exact") in {
        (other.column, other.match) for other in same
    }
    elsewhere = len({other.column for other in same} - {anchor.column})
    return (
        ("part of what is whole", float(whole)),
        ("value elsewhere", float(elsewhere)),
        ("inside a longer value", float(wider)),
    )


def worth(asked: AnchoredQuestion, anchor: ValueAnchor) -> float:
    """How surely an anchor is meant: long and whole matches first."""
    content = sum(len(asked.words[at]) > 3 or asked.words[at].isdigit() for at in anchor.places)
    headed = _heading(asked, anchor)
    kind = {"exact": 1.0, "part": 0.5 * anchor.share + 0.3, "near": 0.3}[anchor.match]
    return content + kind - 0.8 * headed


def _heading(asked: AnchoredQuestion, anchor: ValueAnchor) -> bool:
    """Whether the words of an anchor are those of a heading as well."""
    said = set().union(*asked.headed)
    return all(at in said for at in anchor.places)


_OPERATORS: dict[str, Operator] = {"over": ">", "under": "<", "at least": ">=", "at most": "<="}
_TURNED: dict[Operator, Operator] = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
MEETS: dict[Operator, Callable[[float, float], bool]] = {
    "=": eq,
    ">": gt,
    "<": lt,
    ">=": ge,
    "<=": le,
}
"""What an operator says of two numbers."""


@dataclass(frozen=True, slots=True)
class NumberTest:
    """What a question says of numbers: the bounds that they meet, the words that say so, and its name."""

    bounds: tuple[tuple[Operator, float], ...]
    used: frozenset[int]
    said: str

    def holds(self, value: object) -> bool:
        """Whether a value is a number that meets the bounds."""
        return isinstance(value, float) and all(
            MEETS[operator](value, bound) for operator, bound in self.bounds
        )


def numeric(asked: AnchoredQuestion, grid: ValueGrid, everything: Subset) -> Iterator[Subset]:
    """Rows beyond, at or between numbers that the question says."""
    for number in asked.numbers:
        for test in comparisons(asked, number):
            for view in grid.views:
                if fits(view, number.value):
                    yield from _compared(asked, everything, view, test)
    for test in _decades(asked):
        for view in grid.views:
            if view.kind == "year":
                yield _numbered(asked, everything, view, test)
    if asked.has("between"):
        yield from _between(asked, grid, everything)


def _compared(
    asked: AnchoredQuestion, everything: Subset, view: GridView, test: NumberTest
) -> Iterator[Subset]:
    """Rows that meet a test, and of ranks those that meet it turned round: a higher rank is a smaller number."""
    ((operator, value),) = test.bounds
    tests = [test]
    if view.kind == "rank" and operator != "=":
        tests.append(NumberTest(((_TURNED[operator], value),), test.used, f"{test.said} as rank"))
    yield from (made for test in tests if (made := _numbered(asked, everything, view, test)).rows)


def _decades(asked: AnchoredQuestion) -> Iterator[NumberTest]:
    """The decades and centuries that a question names: the 1990s, the 1800s."""
    for number in asked.numbers:
        behind = asked.words[number.end - 1 : number.end + 1]
        first = number.value
        if (
            1000 <= first <= 2100
            and first % 10 == 0
            and (behind[0].endswith("s") or behind[1:] == ("s",))
        ):
            last = first + (99 if first % 100 == 0 else 9)
            yield NumberTest(((">=", first), ("<=", last)), frozenset(number.places), "decade")


def _between(asked: AnchoredQuestion, grid: ValueGrid, everything: Subset) -> Iterator[Subset]:
    for low, high in combinations(asked.numbers, 2):
        if low.value < high.value and high.start - low.end <= 4:
            used = frozenset((*low.places, *high.places))
            test = NumberTest(((">=", low.value), ("<=", high.value)), used, "between")
            for view in grid.views:
                if fits(view, low.value) and fits(view, high.value):
                    yield _numbered(asked, everything, view, test)


def comparisons(asked: AnchoredQuestion, number: NumberAnchor) -> Iterator[NumberTest]:
    """How a number is compared: by the words close before it or after it; equal where nothing says otherwise."""
    own = frozenset(number.places)
    found = False
    for cue, operator in _OPERATORS.items():
        for start, end in asked.cues[cue]:
            before = number.start - 3 <= end <= number.start
            behind = cue in ("at least", "at most") and number.end <= start <= number.end + 1
            if before or behind:
                found = True
                yield NumberTest(
                    ((operator, number.value),), own | frozenset(range(start, end)), cue
                )
    if not found or asked.has("only"):
        yield NumberTest((("=", number.value),), own, "equal")


def fits(view: GridView, value: float) -> bool:
    """Whether a number can be meant of a view: a year of years, other numbers of numbers."""
    year = 1000 <= value <= 2100 and value == int(value)
    if view.kind == "year":
        return year
    known = [each for each in view.values if isinstance(each, float)]
    return bool(known) and (not year or max(known) >= value / 3) and view.kind != "time"


def _numbered(
    asked: AnchoredQuestion, everything: Subset, view: GridView, test: NumberTest
) -> Subset:
    """The rows whose numbers in a view meet a test."""
    head = asked.head_share[view.of]
    near = closeness(asked, test.used, view.of)
    field = Field(view.name)
    return Subset(
        tuple(at for at in everything.rows if test.holds(view.values[at])),
        (
            *everything.tests,
            *(Test(field, operator, _whole(bound)) for operator, bound in test.bounds),
        ),
        test.used | asked.heading_words(view.of),
        (f"cmp {test.said}",),
        frozenset((view.of,)),
        0.7 + head + near + (view.kind == "year"),
        (
            (f"number {test.said} {view.kind}", 1.0),
            (f"number headed {test.said}", head),
            ("number near heading", near),
        ),
    )


def closeness(asked: AnchoredQuestion, used: frozenset[int], column: int) -> float:
    """How close the words of a heading stand to other words of the question."""
    gap = min((abs(a - b) for a in asked.headed[column] for b in used), default=0)
    return 1 / gap if gap else 0.0


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def joined(single: Sequence[Subset]) -> list[Subset]:
    """Single conditions, and two or three of them together, best first: both hold, or, for one column, either."""
    single = sorted(single, key=lambda subset: -subset.quality)[:22]
    pairs: list[Subset] = []
    for first, second in combinations(single, 2):
        if not first.used & second.used:
            pairs += filter(None, [meet(first, second)])
            pairs += [union(first, second)] if _either(first, second) else []
    made = [*single, *pairs]
    for pair in sorted(pairs, key=lambda subset: -subset.quality)[:12]:
        for third in single[:12]:
            if not pair.used & third.used:
                both = (
                    union(pair, third)
                    if "or" in pair.tags and _either(pair, third)
                    else meet(pair, third)
                )
                made += filter(None, [both])
    return sorted(made, key=lambda subset: (-subset.quality, len(subset.tags)))[:BASE]


def _either(first: Subset, second: Subset) -> bool:
    """Whether two sets are of values of the same columns."""
    return first.columns == second.columns and first.of_value and second.of_value


def meet(first: Subset, second: Subset) -> Subset | None:
    """The rows of both; None where there are none, or where the one adds nothing to the other's column."""
    inside = set(second.rows)
    rows = tuple(at for at in first.rows if at in inside)
    of_one_column = first.columns & second.columns and first.of_value and second.of_value
    if not rows or of_one_column and rows == first.rows == second.rows:
        return None
    return first.beside(second, rows, tuple(dict.fromkeys((*first.tests, *second.tests))))


def union(first: Subset, second: Subset) -> Subset:
    """The rows of either, of values of the same columns."""
    rows = tuple(sorted({*first.rows, *second.rows}))
    shared = [test for test in first.tests if test in second.tests]
    own = [test for test in (*first.tests, *second.tests) if test not in shared]
    both = first.beside(second, rows, (*shared, Either(tuple(own))))
    return replace(both, tags=tuple(dict.fromkeys((*both.tags, "or"))), quality=both.quality - 0.1)


def missing(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[Subset]:
    """Rows with nothing in a column, or with something."""
    gaps = list(_gaps(asked, grid)) if asked.has("missing", "not", "present") else []
    for subset in base:
        for column, tag, rows, tests in gaps:
            yield subset.derived(
                tag,
                tuple(at for at in subset.rows if at in rows),
                ("headed blank", asked.head_share[column]),
                tests=(*subset.tests, *tests),
                used=subset.used | asked.headed[column],
                columns=subset.columns | {column},
            )


def _gaps(
    asked: AnchoredQuestion, grid: ValueGrid
) -> Iterator[tuple[int, str, set[int], tuple[Condition, ...]]]:
    """Of each column with gaps its blank rows and its filled rows, with the tests for them."""
    for column, name in enumerate(grid.names):
        empty = {
            at: cells[column] for at, cells in enumerate(grid.cells) if is_blank(cells[column])
        }
        if not empty or asked.head_share[column] == 0 and not asked.has("missing", "not"):
            continue
        field = Field(name)
        null, some = Test(field, "null"), Test(field, "null", negated=True)
        blanks = tuple(filter(None, dict.fromkeys(empty.values())))
        filled = set(range(len(grid.cells))) - set(empty)
        if blanks:
            yield column, "blank", set(empty), (Either((null, Test(field, "in", blanks))),)
            yield column, "filled", filled, (some, Test(field, "in", blanks, negated=True))
        else:
            yield column, "blank", set(empty), (null,)
            yield column, "filled", filled, (some,)
