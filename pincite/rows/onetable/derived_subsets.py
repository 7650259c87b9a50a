"""Sets of rows of a given table that are found from other sets: their largest, their first, the next, those with more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.rows.onetable.anchors import AnchoredQuestion
from pincite.rows.onetable.subsets import BASE, Subset, all_rows, closeness, joined, missing, numeric, unique, values
from pincite.rows.onetable.value_grid import ROW, GridView, ValueGrid
from pincite.rows.programs.program import Aggregate, Best, Combined, Constant, Field, Nested, Test

DEEPER = 16
"""Of those, how many are taken further: their largest, their next row."""


def subsets(asked: AnchoredQuestion, grid: ValueGrid) -> list[Subset]:
    """Every set of rows that the question may be about, none of them empty."""
    everything = all_rows(grid)
    single = [*values(asked, grid, everything), *numeric(asked, grid, everything)]
    base = [everything, *joined(asked, grid, single, everything)]
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


def extremes(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[Subset]:
    """Of some rows those with the largest or smallest value of a view; the n largest where a number is said."""
    cues = [cue for cue in EXTREME if asked.has(cue)]
    cues += ["est"] if any(word.endswith("est") and len(word) > 4 for word in asked.words) and not cues else []
    if not cues:
        return
    for subset in base:
        if len(subset.rows) < 2:
            continue
        for view in grid.views:
            for largest in (True, False):
                said = [cue for cue in cues if likely(cue, view, largest)]
                if said:
                    yield from _extreme(asked, subset, view, largest, said[0])


def likely(cue: str, view: GridView, largest: bool) -> bool:
    """Whether a word may mean this end of a view: "highest" is the smallest rank or the largest number."""
    time = view.kind in ("year", "date")
    if cue == "up":
        return not time and (largest or view.kind == "rank")
    if cue == "down":
        return not time and (not largest or view.kind == "rank")
    if cue in ("new", "last"):
        return (
            (time and largest)
            or (cue == "last" and view.kind == "rank" and largest)
            or (cue == "new" and not time and not largest)
        )
    if cue in ("old", "first"):
        return (
            (time and not largest)
            or (cue == "first" and view.kind == "rank" and not largest)
            or (cue == "old" and not time and largest)
        )
    return not time


def _extreme(asked: AnchoredQuestion, subset: Subset, view: GridView, largest: bool, cue: str) -> Iterator[Subset]:
    known = [at for at in subset.rows if view.values[at] is not None]
    if len(known) < 2:
        return
    spans = asked.cues.get(cue, ())
    used = subset.used | {at for start, end in spans for at in range(start, end)}
    head = asked.head_share[view.of]
    near = closeness(asked, frozenset(at for start, end in spans for at in range(start, end)), view.of)
    ends = "max" if largest else "min"
    features = (
        *subset.features,
        (f"extreme {cue} {ends} {view.kind}", 1.0),
        ("extreme headed", head),
        ("extreme near heading", near),
        (f"extreme {ends}", 1.0),
    )
    used |= asked.headed[view.of] if head > 0.4 else set()
    item = Field(view.name)
    order = sorted(known, key=lambda at: (view.values[at], 0), reverse=largest)
    most = view.values[order[0]]
    rows = tuple(at for at in known if view.values[at] == most)
    made = Subset(
        rows,
        subset.tests,
        used,
        (*subset.tags, "extreme"),
        subset.columns | {view.of},
        subset.quality,
        features,
        Best(item, largest),
    )
    if subset.best is None and subset.limit is None:
        yield made
    for number in asked.numbers:
        n = int(number.value)
        if 1 < n < len(known) and number.value == n and n < 30 and subset.best is None and subset.limit is None:
            present = (*subset.tests, Test(item, "null", negated=True))
            common = used | set(range(number.start, number.end))
            ordered = ((item, largest), (Field(ROW), False))
            yield Subset(
                tuple(sorted(order[:n])),
                present,
                common,
                (*subset.tags, "top"),
                subset.columns | {view.of},
                subset.quality,
                features,
                order=ordered,
                limit=n,
            )
            yield Subset(
                (order[n - 1],),
                present,
                common,
                (*subset.tags, "nth"),
                subset.columns | {view.of},
                subset.quality,
                features,
                order=ordered,
                limit=1,
                offset=n - 1,
            )


def firsts(asked: AnchoredQuestion, base: Sequence[Subset]) -> Iterator[Subset]:
    """Of some rows the first or the last in the table, or the first n, or the nth."""
    if (
        not asked.has("first", "last", "new", "old", "up", "down", "good", "bad", "next", "previous")
        and not asked.numbers
    ):
        return
    for subset in base:
        if subset.best is not None or subset.limit is not None or len(subset.rows) < 2:
            continue
        for cue, down in (
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
        ):
            if asked.has(cue):
                spans = asked.cues[cue]
                used = subset.used | {at for start, end in spans for at in range(start, end)}
                features = (*subset.features, (f"end {cue} {'last' if down else 'first'}", 1.0))
                at = subset.rows[-1] if down else subset.rows[0]
                yield replace(
                    subset,
                    rows=(at,),
                    used=used,
                    tags=(*subset.tags, "end"),
                    features=features,
                    order=((Field(ROW), down),),
                    limit=1,
                )
        for number in asked.numbers:
            n = int(number.value)
            if number.value != n or not 1 < n <= len(subset.rows) or n > 30:
                continue
            used = subset.used | set(range(number.start, number.end))
            for cue, down in (("first", False), ("up", False), ("last", True), ("down", True)):
                if asked.has(cue):
                    spent = used | {at for start, end in asked.cues[cue] for at in range(start, end)}
                    rows = subset.rows[-n:] if down else subset.rows[:n]
                    yield replace(
                        subset,
                        rows=rows,
                        used=spent,
                        tags=(*subset.tags, "first n"),
                        features=(*subset.features, (f"n {cue}", 1.0)),
                        order=((Field(ROW), down),),
                        limit=n,
                    )
            yield replace(
                subset,
                rows=(subset.rows[n - 1],),
                used=used,
                tags=(*subset.tags, "nth row"),
                order=((Field(ROW), False),),
                limit=1,
                offset=n - 1,
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
    if not asked.has("next", "previous"):
        return
    order = sorted_by(grid)
    inside = set(all_rows(grid).rows)
    for subset in base[1:]:
        if not subset.rows or len(subset.rows) > 12 or subset.best is not None:
            continue
        for cue in ("next", "previous"):
            if not asked.has(cue):
                continue
            used = subset.used | {at for start, end in asked.cues[cue] for at in range(start, end)}
            for step in (1, -1):
                end = subset.rows[-1] if step > 0 else subset.rows[0]
                way = "down" if step > 0 else "up"
                features = (
                    *subset.features,
                    (f"shift {cue} {way} {order}", 1.0),
                    ("shift of one", float(len(subset.rows) == 1)),
                )
                function = "max" if step > 0 else "min"
                place = Nested(subset.query(Aggregate(function, Field(ROW))))  # type: ignore[arg-type]
                at = end + step
                if at in inside:
                    test = Test(Field(ROW), "=", Combined("+", place, Constant(step)))
                    yield Subset(
                        (at,), (test,), used, (*subset.tags, "shift"), subset.columns, subset.quality, features
                    )
                beyond = tuple(at for at in sorted(inside) if (at > end if step > 0 else at < end))
                if len(beyond) > 1:
                    test = Test(Field(ROW), ">" if step > 0 else "<", place)
                    yield Subset(
                        beyond,
                        (*all_rows(grid).tests, test),
                        used,
                        (*subset.tags, "beyond"),
                        subset.columns,
                        subset.quality,
                        features,
                    )


def compared(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[Subset]:
    """Rows with more or less of a view than some row has, and the nearest of them."""
    if not asked.has("than", "next", "previous", "higher", "lower", "over", "under", "good", "bad", "new", "old"):
        return
    whole = all_rows(grid)
    cues = [
        cue
        for cue in ("over", "under", "higher", "lower", "good", "bad", "new", "old", "next", "previous")
        if asked.has(cue)
    ]
    for subset in base[1:]:
        if len(subset.rows) != 1 or subset.best is not None:
            continue
        for view in grid.views:
            mark = view.values[subset.rows[0]]
            if mark is None:
                continue
            for largest in (True, False):
                rows = tuple(at for at in whole.rows if _further(view.values[at], mark, largest))
                if not rows:
                    continue
                way = "more" if largest else "less"
                spent = {at for cue in cues for start, end in asked.cues[cue] for at in range(start, end)}
                head = asked.head_share[view.of]
                used = subset.used | spent | (asked.headed[view.of] if head > 0.4 else set())
                features = (
                    *subset.features,
                    *((f"than {cue} {way} {view.kind}", 1.0) for cue in cues[:3]),
                    ("than headed", head),
                )
                item = Field(view.name)
                test = Test(
                    item, ">" if largest else "<", Nested(subset.query(Aggregate("max" if largest else "min", item)))
                )
                made = Subset(
                    rows,
                    (*whole.tests, test),
                    used,
                    (*subset.tags, "than"),
                    subset.columns | {view.of},
                    subset.quality,
                    features,
                )
                yield made
                if len(rows) > 1:
                    least = (min if largest else max)(view.values[at] for at in rows)  # type: ignore[type-var]
                    near = tuple(at for at in rows if view.values[at] == least)
                    yield replace(made, rows=near, tags=(*subset.tags, "nearest"), best=Best(item, not largest))


def _further(given: object, mark: object, more: bool) -> bool:
    if type(given) is not type(mark):
        return False
    return given > mark if more else given < mark  # type: ignore[operator,no-any-return]


def alike(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[Subset]:
    """Other rows that have the same in a column as some row."""
    if not asked.has("same", "other"):
        return
    whole = all_rows(grid)
    for subset in base[1:]:
        if len(subset.rows) > 2 or subset.best is not None:
            continue
        for column, name in enumerate(grid.names):
            held = {grid.cells[at][column] for at in subset.rows} - {""}
            rows = tuple(at for at in whole.rows if grid.cells[at][column] in held and at not in subset.rows)
            if not rows:
                continue
            spent = {at for start, end in asked.cues["same"] for at in range(start, end)}
            head = asked.head_share[column]
            features = (
                *subset.features,
                ("same headed", head),
                ("same near", closeness(asked, frozenset(spent), column)),
            )
            tests = (
                *whole.tests,
                Test(Field(name), "in", subset.query(Field(name))),
                Test(Field(ROW), "in", tuple(at + 1 for at in subset.rows), negated=True),
            )
            yield Subset(
                rows,
                tests,
                subset.used | spent | asked.headed[column],
                (*subset.tags, "same"),
                subset.columns | {column},
                subset.quality,
                features,
            )


def excepted(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset], everything: Subset) -> Iterator[Subset]:
    """Rows that do not have a value, alone or together with others that do."""
    if not asked.has("not", "other"):
        return
    plain = [subset for subset in base[1:] if len(subset.tags) == 1][:8]
    spent = {at for cue in ("not", "other") for start, end in asked.cues[cue] for at in range(start, end)}
    for subset in plain:
        kept = Test(Field(ROW), "in", replace(subset.query(Field(ROW)), distinct=False), negated=True)
        for other in (everything, *plain):
            if other is subset or other.used & subset.used:
                continue
            rows = tuple(at for at in other.rows if at not in subset.rows)
            if rows and len(rows) < len(everything.rows):
                made = Subset(
                    rows,
                    (*other.tests, kept),
                    subset.used | other.used | spent,
                    (*other.tags, "except"),
                    subset.columns | other.columns,
                    subset.quality + other.quality,
                    (*subset.features, *other.features),
                )
                yield made
                yield from extremes(asked, grid, [made])
