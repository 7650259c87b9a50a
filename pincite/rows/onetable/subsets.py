"""Sets of rows of a given table that a question may mean: those of a value, beyond a number, the first, the largest, the next.

Each is worked out on the grid at once and has the tests that find the same rows again as a program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from pincite.rows.onetable.anchors import AnchoredQuestion, NumberAnchor, ValueAnchor, filled
from pincite.rows.onetable.value_grid import NAME, ROW, GridView, ValueGrid
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

    def query(self, *select: Item, group: tuple[Item, ...] = (), best: Best | None = None) -> RowQuery:
        """The program that selects something of these rows."""
        if best is not None or group or any(isinstance(item, Aggregate) for item in select):
            return RowQuery(NAME, select, self.conditions(), group, best=best)
        order = self.order or (((Field(ROW), False),) if self.limit else ())
        return RowQuery(NAME, select, self.tests, best=self.best, order=order, limit=self.limit, offset=self.offset)

    def conditions(self) -> tuple[Condition, ...]:
        """Tests that no cut stands behind: rows that were cut are found by their number."""
        if self.best is None and self.limit is None:
            return self.tests
        return (Test(Field(ROW), "in", replace(self.query(Field(ROW)), distinct=False)),)


def all_rows(grid: ValueGrid) -> Subset:
    """The rows of the table, those that sum up others left out."""
    rows = tuple(at for at in range(len(grid.cells)) if at not in grid.totals)
    left = tuple(at + 1 for at in sorted(grid.totals))
    return Subset(rows, (Test(Field(ROW), "in", left, negated=True),) if left else (), tags=("all",))


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
            frozenset(range(anchor.start, anchor.end)),
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
    same = [
        other
        for other in asked.anchors
        if (other.start, other.end) == (anchor.start, anchor.end) and other is not anchor
    ]
    wider = [
        one
        for one in asked.anchors
        if one.start <= anchor.start and anchor.end <= one.end and one.end - one.start > anchor.end - anchor.start
    ]
    whole = any(other.column == anchor.column and other.match == "exact" for other in same)
    elsewhere = len({other.column for other in same} - {anchor.column})
    return (
        ("part of what is whole", float(whole)),
        ("value elsewhere", float(elsewhere)),
        ("inside a longer value", float(bool(wider))),
    )


def worth(asked: AnchoredQuestion, anchor: ValueAnchor) -> float:
    """How surely an anchor is meant: long and whole matches first."""
    content = sum(len(asked.words[at]) > 3 or asked.words[at].isdigit() for at in range(anchor.start, anchor.end))
    headed = _heading(asked, anchor)
    kind = {"exact": 1.0, "part": 0.5 * anchor.share + 0.3, "near": 0.3}[anchor.match]
    return content + kind - 0.8 * headed


def _heading(asked: AnchoredQuestion, anchor: ValueAnchor) -> bool:
    """Whether the words of an anchor are those of a heading as well."""
    said = set().union(*asked.headed)
    return all(at in said for at in range(anchor.start, anchor.end))


_OVER: dict[str, tuple[Operator, str]] = {
    "over": (">", "over"),
    "under": ("<", "under"),
    "at least": (">=", "at least"),
    "at most": ("<=", "at most"),
}


_TURNED: dict[Operator, Operator] = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


def numeric(asked: AnchoredQuestion, grid: ValueGrid, everything: Subset) -> Iterator[Subset]:
    """Rows beyond, at or between numbers that the question says."""
    for number in asked.numbers:
        for operator, used, said in comparisons(asked, number):
            for view in grid.views:
                if fits(view, number.value):
                    yield from _beyond(asked, everything, view, operator, number.value, used, said)
                    if view.kind == "rank" and operator != "=":
                        # a higher rank is a smaller number
                        yield from _beyond(
                            asked, everything, view, _TURNED[operator], number.value, used, f"{said} as rank"
                        )
    for number in asked.numbers:
        behind = asked.words[number.end - 1 : number.end + 1]
        if (
            1000 <= number.value <= 2100
            and number.value % 10 == 0
            and (behind[0].endswith("s") or behind[1:] == ("s",))
        ):
            last = number.value + (99 if number.value % 100 == 0 else 9)
            for view in grid.views:
                if view.kind == "year":
                    used = frozenset(range(number.start, number.end))
                    rows = tuple(at for at in everything.rows if _within(view.values[at], number.value, last))
                    field = Field(view.name)
                    tests = (*everything.tests, Test(field, ">=", int(number.value)), Test(field, "<=", int(last)))
                    yield _numbered(asked, rows, tests, used, "decade", view)
    for one, other in combinations(asked.numbers, 2):
        if asked.has("between") and one.value < other.value and other.start - one.end <= 4:
            for view in grid.views:
                if fits(view, one.value) and fits(view, other.value) and view.kind != "date":
                    used = frozenset((*range(one.start, one.end), *range(other.start, other.end)))
                    rows = tuple(at for at in everything.rows if _within(view.values[at], one.value, other.value))
                    field = Field(view.name)
                    tests = (
                        *everything.tests,
                        Test(field, ">=", _whole(one.value)),
                        Test(field, "<=", _whole(other.value)),
                    )
                    yield _numbered(asked, rows, tests, used, "between", view)


def comparisons(asked: AnchoredQuestion, number: NumberAnchor) -> Iterator[tuple[Operator, frozenset[int], str]]:
    """How a number is compared: by the words close before it or after it; equal where nothing says otherwise."""
    own = frozenset(range(number.start, number.end))
    found = False
    for cue, (operator, said) in _OVER.items():
        for start, end in asked.cues[cue]:
            before = number.start - 3 <= end <= number.start
            behind = cue in ("at least", "at most") and number.end <= start <= number.end + 1
            if before or behind:
                found = True
                yield operator, own | frozenset(range(start, end)), said
    if not found or asked.has("only"):
        yield "=", own, "equal"


def fits(view: GridView, value: float) -> bool:
    """Whether a number can be meant of a view: a year of years, other numbers of numbers."""
    year = 1000 <= value <= 2100 and value == int(value)
    if view.kind in ("year", "date"):
        return year
    known = [each for each in view.values if isinstance(each, float)]
    return bool(known) and (not year or max(known) >= value / 3) and view.kind != "time"


def _beyond(
    asked: AnchoredQuestion,
    everything: Subset,
    view: GridView,
    operator: Operator,
    value: float,
    used: frozenset[int],
    said: str,
) -> Iterator[Subset]:
    if view.kind == "date":
        return
    rows = tuple(at for at in everything.rows if _holds(view.values[at], operator, value))
    if rows:
        tests = (*everything.tests, Test(Field(view.name), operator, _whole(value)))
        yield _numbered(asked, rows, tests, used, said, view)


def _numbered(
    asked: AnchoredQuestion,
    rows: tuple[int, ...],
    tests: tuple[Condition, ...],
    used: frozenset[int],
    said: str,
    view: GridView,
) -> Subset:
    head = asked.head_share[view.of]
    near = closeness(asked, used, view.of)
    features = ((f"number {said} {view.kind}", 1.0), (f"number headed {said}", head), ("number near heading", near))
    return Subset(
        rows,
        tests,
        used | (asked.headed[view.of] if head > 0.4 else frozenset()),
        (f"cmp {said}",),
        frozenset((view.of,)),
        0.7 + head + near + (view.kind == "year"),
        features,
    )


def closeness(asked: AnchoredQuestion, used: frozenset[int], column: int) -> float:
    """How close the words of a heading stand to other words of the question."""
    gap = min((abs(a - b) for a in asked.headed[column] for b in used), default=0)
    return 1 / gap if gap else 0.0


def _holds(given: object, operator: str, value: float) -> bool:
    if not isinstance(given, float):
        return False
    meets = {"=": given == value, ">": given > value, "<": given < value, ">=": given >= value, "<=": given <= value}
    return meets[operator]


def _within(given: object, low: float, high: float) -> bool:
    return isinstance(given, float) and low <= given <= high


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def joined(asked: AnchoredQuestion, grid: ValueGrid, single: Sequence[Subset], everything: Subset) -> list[Subset]:
    """Single conditions, and two or three of them together, best first: both hold, or, for one column, either."""
    single = sorted(single, key=lambda subset: -subset.quality)[:22]
    made = list(single)
    for one, other in combinations(single, 2):
        if one.used & other.used:
            continue
        if both := meet(one, other):
            made.append(both)
        if one.columns == other.columns and one.tags[0].startswith("value") and other.tags[0].startswith("value"):
            made.append(union(one, other))
    pairs = sorted((subset for subset in made if len(subset.tags) > 1), key=lambda subset: -subset.quality)[:12]
    for pair in pairs:
        for third in single[:12]:
            if pair.used & third.used:
                continue
            if "or" in pair.tags and third.columns == pair.columns and third.tags[0].startswith("value"):
                made.append(union(pair, third))
            elif both := meet(pair, third):
                made.append(both)
    return sorted(made, key=lambda subset: (-subset.quality, len(subset.tags)))[:BASE]


def meet(one: Subset, other: Subset) -> Subset | None:
    """The rows of both; None where there are none, or where the one adds nothing to the other's column."""
    inside = set(other.rows)
    rows = tuple(at for at in one.rows if at in inside)
    if not rows or (
        one.columns & other.columns
        and one.tags[0].startswith("value")
        and other.tags[0].startswith("value")
        and rows == one.rows == other.rows
    ):
        return None
    tests = tuple(dict.fromkeys((*one.tests, *other.tests)))
    return Subset(
        rows,
        tests,
        one.used | other.used,
        (*one.tags, *other.tags),
        one.columns | other.columns,
        one.quality + other.quality,
        (*one.features, *other.features),
    )


def union(one: Subset, other: Subset) -> Subset:
    """The rows of either."""
    rows = tuple(sorted({*one.rows, *other.rows}))
    shared = tuple(test for test in one.tests if test in other.tests)
    first = [test for test in one.tests if test not in shared]
    second = [test for test in other.tests if test not in shared]
    tests: tuple[Condition, ...] = (*shared, Either((*first, *second)))
    tags = tuple(dict.fromkeys((*one.tags, *other.tags, "or")))
    return Subset(
        rows,
        tests,
        one.used | other.used,
        tags,
        one.columns,
        one.quality + other.quality - 0.1,
        (*one.features, *other.features),
    )


def missing(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[Subset]:
    """Rows with nothing in a column, or with something."""
    if not asked.has("missing", "not", "present"):
        return
    for subset in base:
        for column, name in enumerate(grid.names):
            said = set(filled(grid, column))
            if len(said) == len(grid.cells) or (asked.head_share[column] == 0 and not asked.has("missing", "not")):
                continue
            used = subset.used | asked.headed[column]
            blanks = tuple(
                dict.fromkeys(cells[column] for at, cells in enumerate(grid.cells) if at not in said and cells[column])
            )
            empty = Test(Field(name), "null")
            tests: tuple[Condition, ...] = (Either((empty, Test(Field(name), "in", blanks))),) if blanks else (empty,)
            full: tuple[Condition, ...] = (Test(Field(name), "null", negated=True),)
            if blanks:
                full = (*full, Test(Field(name), "in", blanks, negated=True))
            head = (("headed blank", asked.head_share[column]),)
            inner = tuple(at for at in subset.rows if at not in said)
            yield replace(
                subset,
                rows=inner,
                tests=(*subset.tests, *tests),
                used=used,
                tags=(*subset.tags, "blank"),
                columns=subset.columns | {column},
                features=(*subset.features, *head),
            )
            outer = tuple(at for at in subset.rows if at in said)
            yield replace(
                subset,
                rows=outer,
                tests=(*subset.tests, *full),
                used=used,
                tags=(*subset.tags, "filled"),
                columns=subset.columns | {column},
                features=(*subset.features, *head),
            )
