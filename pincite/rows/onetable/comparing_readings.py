"""Readings that set rows, columns or counts of a given table beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

from pincite.rows.onetable.anchors import AnchoredQuestion, places
from pincite.rows.onetable.readings import TableReading, said
from pincite.rows.onetable.subsets import Subset, all_rows
from pincite.rows.onetable.value_grid import NAME, ROW, GridView, ValueGrid, ViewEnd, ends
from pincite.rows.programs.program import Aggregate, Best, Combined, Field, Nested, RowQuery, Test


def _single(found: Sequence[Subset]) -> list[Subset]:
    """Those of one row."""
    return [subset for subset in found if len(subset.rows) == 1]


def across(
    asked: AnchoredQuestion, grid: ValueGrid, found: Sequence[Subset]
) -> Iterator[TableReading]:
    """Of one row the heading under which the most or least stands, among all number columns or those that the question names."""
    if not asked.has(*_ACROSS):
        return
    firsts = (
        grid.view_of(column, "number", "rank", "year") for column in range(len(grid.headings))
    )
    views = list(filter(None, firsts))
    named = [view for view in views if asked.head_share[view.of] > 0.5]
    for subset in [subset for subset in _single(found) if subset.of_value][:8]:
        for reading in _across(asked, grid, subset, views):
            yield replace(reading, features=(("across named False", 1.0), *reading.features))
        for reading in _across(asked, grid, subset, named):
            used = reading.used | asked.headed[reading.column]
            yield replace(
                reading, used=used, features=(("across named True", 1.0), *reading.features)
            )


_ACROSS = ("up", "down", "good", "bad", "higher", "lower", "often")


def _across(
    asked: AnchoredQuestion, grid: ValueGrid, subset: Subset, views: Sequence[GridView]
) -> Iterator[TableReading]:
    """The headings of the most and of the least in a row among some views."""
    cues = asked.said(*_ACROSS)
    for end, n in _ends_across(views, subset.rows[0]):
        column = end.view.of
        features = (
            *((f"across {cue} {end.way}", 1.0) for cue in cues[:3]),
            ("across columns", n / len(grid.headings)),
        )
        used = subset.used | places(asked, *cues)
        yield TableReading(
            subset.query(end.item),
            (grid.headings[column],),
            "across",
            subset,
            used,
            column,
            features,
        )


def _ends_across(views: Sequence[GridView], at: int) -> Iterator[tuple[ViewEnd, int]]:
    """Which of some views has the most in a row, and which the least, where only one has; and how many have a number there."""
    known = [(value, view) for view in views if isinstance(value := view.values[at], float)]
    values = [value for value, _ in known]
    for largest in (True, False) if len(known) > 1 else ():
        best = max(values) if largest else min(values)
        if values.count(best) == 1:
            yield ViewEnd(known[values.index(best)][1], largest), len(known)


def runs(
    asked: AnchoredQuestion, grid: ValueGrid, found: Sequence[Subset]
) -> Iterator[TableReading]:
    """The longest stretch of rows one after another that are among some rows, and what a column has the longest in a row."""
    if not asked.has("consecutive"):
        return
    parts = [
        subset
        for subset in found
        if 1 < len(subset.rows) < len(grid.cells) and subset.limit is None
    ]
    for subset in parts[:20]:
        first, last = _longest_stretch(subset.rows)
        query = RowQuery(
            NAME,
            (Aggregate("count"),),
            (Test(Field(ROW), ">=", first + 1), Test(Field(ROW), "<=", last + 1)),
        )
        used = subset.used | places(asked, "consecutive", "count")
        yield TableReading(query, (str(last - first + 1),), "run", subset, used)
    whole = all_rows(grid)
    for column, name in enumerate(grid.names):
        n, holder = _longest_run(cells[column] for cells in grid.cells)
        if n > 1:
            query = replace(whole.query(Field(name)), tests=(Test(Field(name), "=", holder),))
            used = places(asked, "consecutive", "up") | asked.headed[column]
            yield TableReading(query, (holder,), "run holder", whole, used, column)


def _longest_stretch(rows: Sequence[int]) -> tuple[int, int]:
    """The first and the last row of the longest stretch without a gap."""
    stretches = [[rows[0], rows[0]]]
    for at in rows[1:]:
        if at == stretches[-1][1] + 1:
            stretches[-1][1] = at
        else:
            stretches.append([at, at])
    first, last = max(stretches, key=lambda ends: ends[1] - ends[0])
    return first, last


def _longest_run(texts: Iterable[str]) -> tuple[int, str]:
    """How often a text, and which, stands the longest in a row."""
    stretches = ((len(list(stretch)), text) for text, stretch in groupby(texts) if text)
    return max(stretches, key=lambda stretch: stretch[0], default=(0, ""))


def _alone(base: Sequence[Subset], n: int) -> list[Subset]:
    return [subset for subset in base if subset.tags != ("all",) and "except" not in subset.tags][
        :n
    ]


def _pairs(some: Sequence[Subset]) -> Iterator[tuple[Subset, Subset]]:
    """Every two sets of rows that differ and that different words explain."""
    for first, second in combinations(some, 2):
        if not first.used & second.used and first.rows != second.rows:
            yield first, second


def _paired(first: Subset, second: Subset) -> Subset:
    """The first set with the operations and the columns of both."""
    return replace(
        first, tags=(*first.tags, "and", *second.tags), columns=first.columns | second.columns
    )


def differences(
    asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]
) -> Iterator[TableReading]:
    """By how much two rows, two counts, two columns of one row, or the ends of a column differ."""
    if not asked.has("difference", "than", "much", "span", "between"):
        return
    spent = places(asked, "difference", "between")
    rest = [subset for subset in base if not subset.cut]
    for first, second in _pairs(_alone(rest, 12)):
        if len(first.rows) == len(second.rows) == 1:
            yield from _rows_apart(asked, grid, first, second)
        elif asked.has("count"):
            high, low = (first, second) if len(first.rows) >= len(second.rows) else (second, first)
            query = _difference(high, low, Aggregate("count"))
            both = _explained(first, second)
            n = len(high.rows) - len(low.rows)
            yield TableReading(query, (str(n),), "difference of counts", both, both.used | spent)
    for subset in rest[:12]:
        yield from _ranges(asked, grid, subset)


def _ranges(asked: AnchoredQuestion, grid: ValueGrid, subset: Subset) -> Iterator[TableReading]:
    """How far it is from the least to the most of each view."""
    for view in grid.views:
        known = view.numbers(subset.rows)
        if len(known) > 1:
            item = Field(view.name)
            query = subset.query(Combined("-", Aggregate("max", item), Aggregate("min", item)))
            used = subset.used | places(asked, "difference", "between") | asked.headed[view.of]
            gap = said(max(known) - min(known))
            yield TableReading(
                query, (gap,), "range", subset, used, view.of, ((f"view {view.kind}", 1.0),)
            )


def _explained(first: Subset, second: Subset) -> Subset:
    """The first set with what makes up both."""
    both = _paired(first, second)
    return replace(
        both, used=first.used | second.used, features=(*first.features, *second.features)
    )


def _rows_apart(
    asked: AnchoredQuestion, grid: ValueGrid, first: Subset, second: Subset
) -> Iterator[TableReading]:
    """By how much two rows differ in each view."""
    both = _explained(first, second)
    spent = both.used | places(asked, "difference", "between")
    for view in grid.views:
        a, b = view.values[first.rows[0]], view.values[second.rows[0]]
        if isinstance(a, float) and isinstance(b, float):
            high, low = (first, second) if a >= b else (second, first)
            query = _difference(high, low, Aggregate("max", Field(view.name)))
            used = spent | asked.headed[view.of]
            features = ((f"view {view.kind}", 1.0),)
            yield TableReading(
                query, (said(abs(a - b)),), "difference", both, used, view.of, features
            )


def _difference(high: Subset, low: Subset, measure: Aggregate) -> RowQuery:
    difference = Combined("-", Nested(high.query(measure)), Nested(low.query(measure)))
    return RowQuery(NAME, (difference,), (Test(Field(ROW), "=", 1),))


def spans(
    asked: AnchoredQuestion, grid: ValueGrid, found: Sequence[Subset]
) -> Iterator[TableReading]:
    """From a first number to a second in one row: the years of a range, one column less another."""
    if not asked.has("much", "span", "difference", "than", "count"):
        return
    single = _single(found)[:25]
    for subset in single:
        yield from _lengths(asked, grid, subset)
    pairs = [pair for pair in combinations(grid.views, 2) if _spanning(asked, *pair)][:20]
    for subset in single:
        for a, b in pairs:
            start, end = a.values[subset.rows[0]], b.values[subset.rows[0]]
            if isinstance(start, float) and isinstance(end, float):
                high, low = (a, b) if start >= end else (b, a)
                query = subset.query(Combined("-", Field(high.name), Field(low.name)))
                spent = places(asked, "difference", "span", "much")
                used = subset.used | spent | asked.headed[a.of] | asked.headed[b.of]
                features = ((f"span {a.kind} {b.kind}", 1.0),)
                yield TableReading(
                    query, (said(abs(end - start)),), "span", subset, used, a.of, features
                )


def _spanning(asked: AnchoredQuestion, a: GridView, b: GridView) -> bool:
    """Whether one may ask how far it is from one view to another: of years, of the sides of a score, of two columns named."""
    kinds = {a.kind, b.kind}
    if "year" in kinds and kinds <= {"year", "second"}:
        return True
    if a.of == b.of:
        return kinds == {"number", "second"}
    return a.kind == b.kind != "date" and asked.head_share[a.of] > 0 and asked.head_share[b.of] > 0


def _lengths(asked: AnchoredQuestion, grid: ValueGrid, subset: Subset) -> Iterator[TableReading]:
    """How long it is from one date or year to another in a row."""
    for view in grid.views:
        value = view.values[subset.rows[0]]
        if view.kind == "length" and isinstance(value, float):
            days = view.name.endswith("(days)")
            if days and (not asked.has("span") or "years" in asked.words):
                value = round(value / 365.25)
            used = subset.used | places(asked, "span", "much") | asked.headed[view.of]
            features = (("length in days", float(days)),)
            query = subset.query(Field(view.name))
            yield TableReading(query, (said(value),), "length", subset, used, view.of, features)


@dataclass(frozen=True, slots=True)
class _Choice:
    """Values of a column, each with its rows, among which a question chooses by some cues."""

    subset: Subset
    column: int
    field: Field
    rows: dict[str, list[int]]
    cues: Sequence[str]
    used: frozenset[int]

    def reading(self, text: str, by: str, query: RowQuery, label: str) -> TableReading:
        """The reading that chooses a value."""
        features = tuple((f"choice {label.format(cue)}", 1.0) for cue in self.cues[:3])
        return TableReading(query, (text,), by, self.subset, self.used, self.column, features)

    def best(self, measure: Aggregate, largest: bool) -> RowQuery:
        """The program that finds the value with the most or the least of a measure."""
        return self.subset.query(self.field, group=(self.field,), best=Best(measure, largest))


def choices(
    asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]
) -> Iterator[TableReading]:
    """Which of two or three named values has more or less of a view, comes more often, or stands first."""
    if not asked.has("or", "higher", "lower", "good", "bad", "first", "last"):
        return
    cues = asked.said(
        "up", "down", "good", "bad", "new", "old", "first", "last", "higher", "lower", "often"
    )
    for subset in [subset for subset in base if "or" in subset.tags][:8]:
        if len(subset.columns) != 1:
            continue
        (column,) = subset.columns
        rows: dict[str, list[int]] = {}
        for at in subset.rows:
            rows.setdefault(grid.cells[at][column], []).append(at)
        if 2 <= len(rows) <= 4:
            used = subset.used | places(asked, *cues)
            choice = _Choice(subset, column, Field(grid.names[column]), rows, cues, used)
            for largest in (True, False):
                yield from _chosen(asked, grid, choice, largest)


def _chosen(
    asked: AnchoredQuestion, grid: ValueGrid, choice: _Choice, largest: bool
) -> Iterator[TableReading]:
    """The value with the most or the least of each view, with the most or the fewest rows, and the last or the first."""
    extreme = max if largest else min
    way = "more" if largest else "less"
    for view in grid.views:
        sums = _sums(view, choice.rows)
        if len(sums) == len(choice.rows) and len(set(sums.values())) > 1:
            text = extreme(sums, key=lambda text: sums[text])
            query = choice.best(Aggregate("sum", Field(view.name)), largest)
            made = choice.reading(text, "choice", query, f"{{}} {way} {view.kind}")
            headed = (*made.features, ("choice headed", asked.head_share[view.of]))
            yield replace(made, used=made.used | asked.headed[view.of], features=headed)
    counts = {text: len(rows) for text, rows in choice.rows.items()}
    if len(set(counts.values())) > 1:
        text = extreme(counts, key=lambda text: counts[text])
        yield choice.reading(
            text, "choice by count", choice.best(Aggregate("count"), largest), f"count {{}} {way}"
        )
    text = extreme(choice.rows, key=lambda text: extreme(choice.rows[text]))
    query = replace(choice.subset.query(choice.field), order=((Field(ROW), largest),), limit=1)
    yield choice.reading(text, "choice by row", query, f"row {{}} {way}")


def _sums(view: GridView, groups: dict[str, list[int]]) -> dict[str, float]:
    """What the numbers of a view sum up to in each group that has any."""
    sums = {}
    for text, rows in groups.items():
        if numbers := view.numbers(rows):
            sums[text] = sum(numbers)
    return sums


_SIDES = (
    ("above", "below"),
    ("before", "after"),
    ("more", "less"),
    ("higher", "lower"),
    ("greater", "less"),
)


def _as_said(*pair: Subset) -> list[Subset]:
    """Two sets of rows in the order in which the question names them."""
    return sorted(pair, key=lambda subset: min(subset.used, default=0))


def sides(
    asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]
) -> Iterator[TableReading]:
    """Which side of another row a row is on, where the question offers both: above or below, before or after, more or less."""
    offered = [pair for pair in _SIDES if set(pair) <= set(asked.words)]
    if not offered:
        return
    for pair in _pairs(_alone([subset for subset in _single(base) if subset.best is None], 10)):
        first, second = _as_said(*pair)
        yield from _sides(asked, grid, first, second, offered[0])


def _sides(
    asked: AnchoredQuestion,
    grid: ValueGrid,
    first: Subset,
    second: Subset,
    offered: tuple[str, str],
) -> Iterator[TableReading]:
    """Which of two sides of the second row the first is on: in the table, and in each view."""
    over, under = offered
    used = (
        first.used | second.used | {at for at, word in enumerate(asked.words) if word in offered}
    )
    both = _paired(first, second)
    own, mark = first.rows[0], second.rows[0]
    tests = (Test(Field(ROW), "in", (own + 1, mark + 1)),)
    text = over if own < mark else under
    yield TableReading(
        RowQuery(NAME, (Field(ROW),), tests), (text,), f"side {over} by row", both, used
    )
    for view in grid.views:
        sides = [
            end.largest for end in ends(view) if end.beyond(view.values[own], view.values[mark])
        ]
        for more in sides:
            # what is before another has less: an earlier date, a smaller rank
            text = under if more == (over == "before") else over
            query = RowQuery(NAME, (Field(view.name),), tests)
            spent = used | asked.headed[view.of]
            yield TableReading(query, (text,), f"side {over} by {view.kind}", both, spent, view.of)


def verdicts(
    asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]
) -> Iterator[TableReading]:
    """Yes or no: whether there are such rows, or one row has more or less than another, or than a number."""
    yield from sides(asked, grid, base)
    if not asked.has("yes"):
        return
    some = _alone([subset for subset in base if subset.best is None], 10)
    for subset in some:
        query = subset.query(Aggregate("count"))
        yield TableReading(query, ("yes",), "some", subset, subset.used)
        if subset.limit is None:
            yield TableReading(query, ("no",), "none", subset, subset.used)
    for pair in _pairs(_single(some)):
        first, second = _as_said(*pair)
        for view in grid.views:
            if type(view.values[first.rows[0]]) is type(view.values[second.rows[0]]):
                for end in ends(view):
                    yield from _verdict(asked, first, second, end)


def _verdict(
    asked: AnchoredQuestion, first: Subset, second: Subset, end: ViewEnd
) -> Iterator[TableReading]:
    """Whether a row lies nearer to an end of a view than another row."""
    view = end.view
    a, b = view.values[first.rows[0]], view.values[second.rows[0]]
    if a is None:
        return
    cues = asked.said(
        "higher", "lower", "good", "bad", "new", "old", "up", "down", "same", "next", "previous"
    )
    test = Test(end.item, end.operator, Nested(second.query(Aggregate("max", end.item))))
    features = tuple((f"verdict {cue} {end.way} {view.kind}", 1.0) for cue in cues[:3])
    yield TableReading(
        RowQuery(NAME, (Aggregate("count"),), (*first.conditions(), test)),
        ("yes" if end.beyond(a, b) else "no",),
        "verdict",
        _paired(first, second),
        first.used | second.used | asked.headed[view.of] | places(asked, *cues),
        view.of,
        (*features, ("verdict headed", asked.head_share[view.of])),
    )
