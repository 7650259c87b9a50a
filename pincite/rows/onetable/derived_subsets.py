"""Sets of rows of a given table that are found from other sets: their largest, their first, the next, those with more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.rows.onetable.anchors import AnchoredQuestion, NumberAnchor, places
from pincite.rows.onetable.subsets import (
    BASE,
    Subset,
    all_rows,
    closeness,
    joined,
    missing,
    numeric,
    unique,
    values,
)
from pincite.rows.onetable.value_grid import ROW, GridView, ValueGrid, ViewEnd, ends
from pincite.rows.programs.program import Aggregate, Best, Combined, Constant, Field, Nested, Test

DEEPER = 16
"""Of those, how many are taken further: their largest, their next row."""


def subsets(asked: AnchoredQuestion, grid: ValueGrid) -> list[Subset]:
    """Every set of rows that the question may be about, none of them empty."""
    everything = all_rows(grid)
    single = [*values(asked, grid, everything), *numeric(asked, grid, everything)]
    base = [everything, *joined(single)]
    base += missing(asked, grid, base[:6])
    base = unique(base)[: BASE + 1]
    deep = base[: DEEPER + 1]
    made = [*base]
    made += list(extremes(asked, grid, deep))
    made += list(firsts(asked, deep))
    made += list(shifted(asked, grid, deep))
    made += list(compared(asked, grid, deep))
    made += list(alike(asked, grid, deep))
    made += list(excepted(asked, grid, deep, everything))
    return unique(made)


EXTREME = ("up", "down", "good", "bad", "new", "old", "first", "last")
_MOST, _LEAST, _EITHER = (True,), (False,), (True, False)
_MEANT: dict[str, dict[str, tuple[bool, ...]]] = {
    "up": {"number": _MOST, "rank": _EITHER},
    "down": {"number": _LEAST, "rank": _EITHER},
    "new": {"number": _LEAST, "rank": _LEAST, "calendar": _MOST},
    "old": {"number": _MOST, "rank": _MOST, "calendar": _LEAST},
    "last": {"rank": _MOST, "calendar": _MOST},
    "first": {"rank": _LEAST, "calendar": _LEAST},
}
"""Which ends of a sort of views a word may mean: "highest" is the smallest rank or the largest number."""
_OTHERWISE = {"number": _EITHER, "rank": _EITHER}


def extremes(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[Subset]:
    """Of some rows those with the largest or smallest value of a view; the n largest where a number is said."""
    cues = asked.said(*EXTREME)
    if not cues and any(word.endswith("est") and len(word) > 4 for word in asked.words):
        cues = ["est"]
    meant = list(_meant(cues, grid.views))
    for subset in base:
        for cue, end in meant:
            yield from _extreme(asked, subset, end, cue)


def _meant(cues: Sequence[str], views: Sequence[GridView]) -> Iterator[tuple[str, ViewEnd]]:
    """The ends of views that some words may mean, each with the first word that means it."""
    for view in views:
        sort = {"year": "calendar", "date": "calendar", "rank": "rank"}.get(view.kind, "number")
        for end in ends(view):
            said = [
                cue for cue in cues if end.largest in _MEANT.get(cue, _OTHERWISE).get(sort, ())
            ]
            if said:
                yield said[0], end


def _extreme(asked: AnchoredQuestion, subset: Subset, end: ViewEnd, cue: str) -> Iterator[Subset]:
    view, item = end.view, end.item
    known = [at for at in subset.rows if view.values[at] is not None]
    if len(known) < 2:
        return
    spent = places(asked, cue)
    order = sorted(known, key=lambda at: (view.values[at], 0), reverse=end.largest)
    made = subset.derived(
        "extreme",
        tuple(at for at in known if view.values[at] == view.values[order[0]]),
        (f"extreme {cue} {end.function} {view.kind}", 1.0),
        ("extreme headed", asked.head_share[view.of]),
        ("extreme near heading", closeness(asked, spent, view.of)),
        (f"extreme {end.function}", 1.0),
        used=subset.used | spent | asked.heading_words(view.of),
        columns=subset.columns | {view.of},
        best=Best(item, end.largest),
    )
    yield made
    for number, n in _said_numbers(asked, min(len(known) - 1, 29)):
        cut = replace(
            made,
            rows=tuple(sorted(order[:n])),
            tests=(*subset.tests, Test(item, "null", negated=True)),
            used=made.used.union(number.places),
            tags=(*subset.tags, "top"),
            best=None,
            order=((item, end.largest), (Field(ROW), False)),
            limit=n,
        )
        yield cut
        yield replace(cut, rows=(order[n - 1],), tags=(*subset.tags, "nth"), limit=1, offset=n - 1)


def _said_numbers(asked: AnchoredQuestion, most: int) -> Iterator[tuple[NumberAnchor, int]]:
    """The whole numbers from 2 that a question says and that rows may be counted off by."""
    for number in asked.numbers:
        if number.value.is_integer() and 1 < number.value <= most:
            yield number, int(number.value)


_END_CUES = (
    ("first", False),
    ("last", True),
    ("new", True),
    ("old", False),
    ("new", False),
    ("old", True),
    ("up", False),
    ("down", True),
    ("good", False),
    ("bad", True),
)
"""Words that may mean the first row of some, or (True) the last."""
_ENDS_CUES = (("first", False), ("up", False), ("last", True), ("down", True))
"""Words that may mean the first n rows of some, or (True) the last n."""


def firsts(asked: AnchoredQuestion, base: Sequence[Subset]) -> Iterator[Subset]:
    """Of some rows the first or the last in the table, or the first n, or the nth."""
    for subset in base:
        if len(subset.rows) < 2:
            continue
        for cue, down in _END_CUES:
            if asked.has(cue):
                yield subset.derived(
                    "end",
                    (subset.rows[-1 if down else 0],),
                    (f"end {cue} {'last' if down else 'first'}", 1.0),
                    used=subset.used | places(asked, cue),
                    order=((Field(ROW), down),),
                    limit=1,
                )
        for number, n in _said_numbers(asked, min(len(subset.rows), 30)):
            yield from _counted_off(
                asked, replace(subset, used=subset.used.union(number.places)), n
            )


def _counted_off(asked: AnchoredQuestion, subset: Subset, n: int) -> Iterator[Subset]:
    """The first n rows, the last n, and the nth."""
    for cue, down in _ENDS_CUES:
        if asked.has(cue):
            yield subset.derived(
                "first n",
                subset.rows[-n:] if down else subset.rows[:n],
                (f"n {cue}", 1.0),
                used=subset.used | places(asked, cue),
                order=((Field(ROW), down),),
                limit=n,
            )
    yield subset.derived(
        "nth row", (subset.rows[n - 1],), order=((Field(ROW), False),), limit=1, offset=n - 1
    )


def sorted_by(grid: ValueGrid) -> str:
    """Whether the table runs with time or against it, or neither."""
    for kind in ("date", "year"):
        for view in grid.views:
            known = [value for value in view.values if value is not None]
            if view.kind == kind and len(known) > 2:
                if known == sorted(known):
                    return "rising"
                if known == sorted(known, reverse=True):
                    return "falling"
    return "none"


def shifted(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[Subset]:
    """The row after or before some row, and all rows after or before it."""
    cues = asked.said("next", "previous")
    if not cues:
        return
    order = sorted_by(grid)
    whole = all_rows(grid)
    for subset in base[1:]:
        for cue in cues if len(subset.rows) <= 12 else ():
            moved = replace(subset, used=subset.used | places(asked, cue))
            yield from _beside(moved, whole, 1, f"shift {cue} down {order}")
            yield from _beside(moved, whole, -1, f"shift {cue} up {order}")


def _beside(subset: Subset, whole: Subset, step: int, feature: str) -> Iterator[Subset]:
    """The row one step below or above some rows, and all rows there."""
    down = step > 0
    end = subset.rows[-1 if down else 0]
    place = Nested(subset.query(Aggregate("max" if down else "min", Field(ROW))))
    features = ((feature, 1.0), ("shift of one", float(len(subset.rows) == 1)))
    if end + step in whole.rows:
        test = Test(Field(ROW), "=", Combined("+", place, Constant(step)))
        yield subset.derived("shift", (end + step,), *features, tests=(test,))
    beyond = tuple(at for at in whole.rows if (at - end) * step > 0)
    if len(beyond) > 1:
        test = Test(Field(ROW), ">" if down else "<", place)
        yield subset.derived("beyond", beyond, *features, tests=(*whole.tests, test))


def compared(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[Subset]:
    """Rows with more or less of a view than some row has, and the nearest of them."""
    cues = asked.said(
        "over", "under", "higher", "lower", "good", "bad", "new", "old", "next", "previous"
    )
    if not cues and not asked.has("than"):
        return
    whole = all_rows(grid)
    for subset in base[1:]:
        if len(subset.rows) == 1:
            for view in grid.views:
                for end in ends(view):
                    yield from _further(asked, whole, subset, end, cues)


def _further(
    asked: AnchoredQuestion, whole: Subset, subset: Subset, end: ViewEnd, cues: Sequence[str]
) -> Iterator[Subset]:
    view = end.view
    rows = tuple(
        at for at in whole.rows if end.beyond(view.values[at], view.values[subset.rows[0]])
    )
    if not rows:
        return
    mark = Nested(subset.query(Aggregate(end.function, end.item)))
    made = subset.derived(
        "than",
        rows,
        *((f"than {cue} {end.way} {view.kind}", 1.0) for cue in cues[:3]),
        ("than headed", asked.head_share[view.of]),
        tests=(*whole.tests, Test(end.item, end.operator, mark)),
        used=subset.used | places(asked, *cues) | asked.heading_words(view.of),
        columns=subset.columns | {view.of},
    )
    yield made
    if len(rows) > 1:
        least = rows[0]
        for at in rows[1:]:
            if end.beyond(view.values[least], view.values[at]):
                least = at
        near = tuple(at for at in rows if view.values[at] == view.values[least])
        yield replace(
            made, rows=near, tags=(*subset.tags, "nearest"), best=Best(end.item, not end.largest)
        )


def alike(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[Subset]:
    """Other rows that have the same in a column as some row."""
    if not asked.has("same", "other"):
        return
    whole = all_rows(grid)
    for subset in base[1:]:
        for column in range(len(grid.names)) if len(subset.rows) <= 2 else ():
            yield from _alike(asked, grid, whole, subset, column)


def _alike(
    asked: AnchoredQuestion, grid: ValueGrid, whole: Subset, subset: Subset, column: int
) -> Iterator[Subset]:
    held = {grid.cells[at][column] for at in subset.rows} - {""}
    rows = tuple(
        at for at in whole.rows if grid.cells[at][column] in held and at not in subset.rows
    )
    if rows:
        spent = places(asked, "same")
        field = Field(grid.names[column])
        yield subset.derived(
            "same",
            rows,
            ("same headed", asked.head_share[column]),
            ("same near", closeness(asked, spent, column)),
            tests=(
                *whole.tests,
                Test(field, "in", subset.query(field)),
                Test(Field(ROW), "in", tuple(at + 1 for at in subset.rows), negated=True),
            ),
            used=subset.used | spent | asked.headed[column],
            columns=subset.columns | {column},
        )


def excepted(
    asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset], everything: Subset
) -> Iterator[Subset]:
    """Rows that do not have a value, alone or together with others that do."""
    if not asked.has("not", "other"):
        return
    plain = [subset for subset in base[1:] if len(subset.tags) == 1][:8]
    spent = places(asked, "not", "other")
    for subset in plain:
        kept = Test(
            Field(ROW), "in", replace(subset.query(Field(ROW)), distinct=False), negated=True
        )
        for other in (everything, *plain):
            rows = tuple(at for at in other.rows if at not in subset.rows)
            if not other.used & subset.used and 0 < len(rows) < len(everything.rows):
                both = subset.beside(other, rows, (*other.tests, kept))
                made = replace(both, used=both.used | spent, tags=(*other.tags, "except"))
                yield made
                yield from extremes(asked, grid, [made])
