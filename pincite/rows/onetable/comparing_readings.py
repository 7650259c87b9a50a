"""Readings that set rows, columns or counts of a given table beside each other, and all readings of a question together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from pincite.rows.onetable.anchors import AnchoredQuestion, places
from pincite.rows.onetable.derived_subsets import subsets
from pincite.rows.onetable.readings import TableReading, commonest, counted, said, shown, summed
from pincite.rows.onetable.subsets import Subset, all_rows
from pincite.rows.onetable.value_grid import NAME, ROW, GridView, ValueGrid
from pincite.rows.programs.program import Aggregate, Best, Combined, Field, Item, Nested, RowQuery, Test

MOST = 4000
"""Readings of one question that are kept."""


def readings(asked: AnchoredQuestion, grid: ValueGrid) -> list[TableReading]:
    """Every reading of a question, none without an answer."""
    found = subsets(asked, grid)
    made: list[TableReading] = []
    for subset in found:
        made += shown(asked, grid, subset)
        made += counted(asked, grid, subset)
        made += summed(asked, grid, subset)
        made += commonest(asked, grid, subset)
        if len(made) > MOST:
            break
    base = [
        subset
        for subset in found
        if len(subset.tags) <= 3 and not {"shift", "beyond", "than", "nearest"} & set(subset.tags)
    ]
    made += differences(asked, grid, base)
    made += spans(asked, grid, found)
    made += choices(asked, grid, base)
    made += verdicts(asked, grid, base)
    made += across(asked, grid, found)
    made += runs(asked, grid, found)
    made += [each for reading in made for each in measured(asked, grid, reading)]
    return [reading for reading in made if reading.answer and all(reading.answer)]


_UNIT = re.compile(r"\d\s*([^\W\d_]{1,12})\b")


def measured(asked: AnchoredQuestion, grid: ValueGrid, reading: TableReading) -> Iterator[TableReading]:
    """A computed number once more with its unit: years, or what stands behind the numbers of the column."""
    if reading.operation not in ("span", "length", "difference", "range", "sum", "avg") or len(reading.answer) != 1:
        return
    kinds = [name for name, _ in reading.features]
    if reading.operation == "length" or any("year" in name for name in kinds):
        if asked.has("much", "difference", "span") and not reading.answer[0].startswith("-"):
            unit = "year" if reading.answer[0] == "1" else "years"
            yield replace(reading, answer=(f"{reading.answer[0]} {unit}",), operation=f"{reading.operation} in years")
        return
    cells = [cells[reading.column] for cells in grid.cells if cells[reading.column]]
    units = Counter(match[1] for cell in cells if (match := _UNIT.search(cell)))
    if units and units.most_common(1)[0][1] > len(cells) / 2:
        yield replace(
            reading,
            answer=(f"{reading.answer[0]} {units.most_common(1)[0][0]}",),
            operation=f"{reading.operation} in unit",
        )
    elif sum(cell.startswith("$") for cell in cells) > len(cells) / 2:
        yield replace(reading, answer=(f"${float(reading.answer[0]):,.0f}",), operation=f"{reading.operation} in unit")


def across(asked: AnchoredQuestion, grid: ValueGrid, found: Sequence[Subset]) -> Iterator[TableReading]:
    """Of one row the heading under which the most or least stands, among all number columns or those that the question names."""
    cues = [cue for cue in ("up", "down", "good", "bad", "higher", "lower", "often") if asked.has(cue)]
    if not cues:
        return
    firsts: dict[int, GridView] = {}
    for view in grid.views:
        if view.kind in ("number", "rank", "year"):
            firsts.setdefault(view.of, view)
    named = [column for column in firsts if asked.head_share[column] > 0.5]
    for subset in [each for each in found if len(each.rows) == 1 and each.tags[0].startswith("value")][:8]:
        at = subset.rows[0]
        for columns in (list(firsts), named):
            values = {column: value for column in columns if isinstance(value := firsts[column].values[at], float)}
            if len(values) < 2:
                continue
            for largest in (True, False):
                best = (max if largest else min)(values.values())
                tops = [column for column, value in values.items() if value == best]
                if len(tops) == 1:
                    way = "more" if largest else "less"
                    features = (
                        (f"across named {columns is named}", 1.0),
                        *((f"across {cue} {way}", 1.0) for cue in cues[:3]),
                        ("across columns", len(values) / len(grid.headings)),
                    )
                    query = subset.query(Field(firsts[tops[0]].name))
                    used = (
                        subset.used
                        | places(asked, *cues)
                        | (asked.headed[tops[0]] if columns is named else frozenset())
                    )
                    yield TableReading(query, (grid.headings[tops[0]],), "across", subset, used, tops[0], features)


def runs(asked: AnchoredQuestion, grid: ValueGrid, found: Sequence[Subset]) -> Iterator[TableReading]:
    """The longest stretch of rows one after another that are among some rows."""
    if not asked.has("consecutive"):
        return
    for subset in [each for each in found if 1 < len(each.rows) < len(grid.cells) and each.limit is None][:20]:
        best: list[int] = []
        here: list[int] = []
        for at in subset.rows:
            here = [*here, at] if here and at == here[-1] + 1 else [at]
            best = here if len(here) > len(best) else best
        query = RowQuery(
            NAME, (Aggregate("count"),), (Test(Field(ROW), ">=", best[0] + 1), Test(Field(ROW), "<=", best[-1] + 1))
        )
        yield TableReading(query, (str(len(best)),), "run", subset, subset.used | places(asked, "consecutive", "count"))
    for column, name in enumerate(grid.names):
        longest, holder, n = 0, "", 0
        for at, cells in enumerate(grid.cells):
            n = n + 1 if at and cells[column] == grid.cells[at - 1][column] else 1
            if n > longest and cells[column]:
                longest, holder = n, cells[column]
        if longest > 1:
            whole = all_rows(grid)
            query = replace(whole.query(Field(name)), tests=(Test(Field(name), "=", holder),))
            yield TableReading(
                query, (holder,), "run holder", whole, places(asked, "consecutive", "up") | asked.headed[column], column
            )


def _alone(base: Sequence[Subset], n: int) -> list[Subset]:
    return [subset for subset in base if subset.tags != ("all",) and "except" not in subset.tags][:n]


def differences(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[TableReading]:
    """By how much two rows, two counts, two columns of one row, or the ends of a column differ."""
    if not asked.has("difference", "than", "much", "span", "between"):
        return
    spent = places(asked, "difference", "between")
    rest = [subset for subset in base if subset.best is None and subset.limit is None]
    for one, other in combinations(_alone(rest, 12), 2):
        if one.used & other.used or one.rows == other.rows:
            continue
        both = replace(
            one,
            tags=(*one.tags, "and", *other.tags),
            used=one.used | other.used,
            features=(*one.features, *other.features),
            columns=one.columns | other.columns,
        )
        used = both.used | spent
        if len(one.rows) == len(other.rows) == 1:
            for view in grid.views:
                a, b = view.values[one.rows[0]], view.values[other.rows[0]]
                if isinstance(a, float) and isinstance(b, float) and view.kind != "date":
                    high, low = (one, other) if a >= b else (other, one)
                    query = _difference(grid, high, low, Aggregate("max", Field(view.name)))
                    yield TableReading(
                        query,
                        (said(abs(a - b)),),
                        "difference",
                        both,
                        used | asked.headed[view.of],
                        view.of,
                        ((f"view {view.kind}", 1.0),),
                    )
        elif asked.has("count"):
            high, low = (one, other) if len(one.rows) >= len(other.rows) else (other, one)
            query = _difference(grid, high, low, Aggregate("count"))
            yield TableReading(query, (str(len(high.rows) - len(low.rows)),), "difference of counts", both, used)
    for one in [each for each in base if each.best is None and each.limit is None][:12]:
        if len(one.rows) > 1:
            for view in grid.views:
                known = [value for at in one.rows if isinstance(value := view.values[at], float)]
                if len(known) > 1:
                    item = Field(view.name)
                    query = one.query(Combined("-", Aggregate("max", item), Aggregate("min", item)))
                    yield TableReading(
                        query,
                        (said(max(known) - min(known)),),
                        "range",
                        one,
                        one.used | spent | asked.headed[view.of],
                        view.of,
                        ((f"view {view.kind}", 1.0),),
                    )


def _difference(grid: ValueGrid, high: Subset, low: Subset, measure: Aggregate) -> RowQuery:
    one, other = Nested(high.query(measure)), Nested(low.query(measure))
    return RowQuery(NAME, (Combined("-", one, other),), (Test(Field(ROW), "=", 1),))


def spans(asked: AnchoredQuestion, grid: ValueGrid, found: Sequence[Subset]) -> Iterator[TableReading]:
    """From a first number to a second in one row: the years of a range, one column less another."""
    if not asked.has("much", "span", "difference", "than", "count"):
        return
    pairs: list[tuple[GridView, GridView]] = []
    for a, b in combinations(grid.views, 2):
        years = {a.kind, b.kind} <= {"year", "second"} and (a.kind == "year" or b.kind == "year")
        headed = (
            a.of != b.of and a.kind == b.kind != "date" and asked.head_share[a.of] > 0 and asked.head_share[b.of] > 0
        )
        score = a.of == b.of and {a.kind, b.kind} == {"number", "second"}
        if years or headed or score:
            pairs.append((a, b))
    lengths = [view for view in grid.views if view.kind == "length"]
    for subset in [each for each in found if len(each.rows) == 1][:25]:
        for view in lengths:
            if isinstance(value := view.values[subset.rows[0]], float):
                days = view.name.endswith("(days)")
                text = (
                    said(float(round(value / 365.25)))
                    if days and not asked.has("span") or days and "years" in asked.words
                    else said(value)
                )
                used = subset.used | places(asked, "span", "much") | asked.headed[view.of]
                yield TableReading(
                    subset.query(Field(view.name)),
                    (text,),
                    "length",
                    subset,
                    used,
                    view.of,
                    (("length in days", float(days)),),
                )
    for subset in [each for each in found if len(each.rows) == 1][:25]:
        at = subset.rows[0]
        for a, b in pairs[:20]:
            start, end = a.values[at], b.values[at]
            if not isinstance(start, float) or not isinstance(end, float):
                continue
            first, second = (b, a) if start >= end else (a, b)
            query = subset.query(Combined("-", Field(second.name), Field(first.name)))
            used = subset.used | places(asked, "difference", "span", "much") | asked.headed[a.of] | asked.headed[b.of]
            yield TableReading(
                query, (said(abs(end - start)),), "span", subset, used, a.of, ((f"span {a.kind} {b.kind}", 1.0),)
            )


def choices(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[TableReading]:
    """Which of two or three named values has more or less of a view, comes more often, or stands first."""
    if not asked.has("or", "higher", "lower", "good", "bad", "first", "last"):
        return
    for subset in [each for each in base if "or" in each.tags][:8]:
        (column,) = subset.columns if len(subset.columns) == 1 else (-1,)
        if column < 0:
            continue
        name = Field(grid.names[column])
        groups: dict[str, list[int]] = {}
        for at in subset.rows:
            groups.setdefault(grid.cells[at][column], []).append(at)
        if not 2 <= len(groups) <= 4:
            continue
        cues = [
            cue
            for cue in ("up", "down", "good", "bad", "new", "old", "first", "last", "higher", "lower", "often")
            if asked.has(cue)
        ]
        for largest in (True, False):
            way = "more" if largest else "less"
            extreme = max if largest else min
            for view in grid.views:
                sums = {
                    text: sum(v for at in rows if isinstance(v := view.values[at], float))
                    for text, rows in groups.items()
                    if any(isinstance(view.values[at], float) for at in rows)
                }
                if len(sums) == len(groups) and len(set(sums.values())) > 1:
                    best = extreme(sums.values())
                    text = next(text for text, value in sums.items() if value == best)
                    query = subset.query(name, group=(name,), best=Best(Aggregate("sum", Field(view.name)), largest))
                    features = tuple((f"choice {cue} {way} {view.kind}", 1.0) for cue in cues[:3])
                    head = asked.head_share[view.of]
                    used = subset.used | asked.headed[view.of] | places(asked, *cues)
                    yield TableReading(
                        query, (text,), "choice", subset, used, column, (*features, ("choice headed", head))
                    )
            counts = {text: len(rows) for text, rows in groups.items()}
            if len(set(counts.values())) > 1:
                best = extreme(counts.values())
                text = next(text for text, n in counts.items() if n == best)
                query = subset.query(name, group=(name,), best=Best(Aggregate("count"), largest))
                features = tuple((f"choice count {cue} {way}", 1.0) for cue in cues[:3])
                yield TableReading(
                    query, (text,), "choice by count", subset, subset.used | places(asked, *cues), column, features
                )
            place = {text: extreme(rows) for text, rows in groups.items()}
            text = extreme(place, key=lambda each: place[each])
            query = replace(subset.query(name), order=((Field(ROW), largest),), limit=1)
            features = tuple((f"choice row {cue} {way}", 1.0) for cue in cues[:3])
            yield TableReading(
                query, (text,), "choice by row", subset, subset.used | places(asked, *cues), column, features
            )


_SIDES = (("above", "below"), ("before", "after"), ("more", "less"), ("higher", "lower"), ("greater", "less"))


def sides(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[TableReading]:
    """Which side of another row a row is on, where the question offers both: above or below, before or after, more or less."""
    offered = [pair for pair in _SIDES if set(pair) <= set(asked.words)]
    if not offered:
        return
    some = _alone([subset for subset in base if subset.best is None and len(subset.rows) == 1], 10)
    for one, other in combinations(some, 2):
        if one.used & other.used or one.rows == other.rows:
            continue
        first, second = (one, other) if min(one.used, default=0) <= min(other.used, default=0) else (other, one)
        used = first.used | second.used | frozenset(at for at, word in enumerate(asked.words) if word in offered[0])
        both = replace(first, tags=(*first.tags, "and", *second.tags), columns=first.columns | second.columns)
        query = RowQuery(NAME, (Field(ROW),), (Test(Field(ROW), "in", (first.rows[0] + 1, second.rows[0] + 1)),))
        over, under = offered[0]
        yield TableReading(
            query, (over if first.rows[0] < second.rows[0] else under,), f"side {over} by row", both, used
        )
        for view in grid.views:
            a, b = view.values[first.rows[0]], view.values[second.rows[0]]
            if a is None or type(a) is not type(b) or a == b:
                continue
            more = a > b  # type: ignore[operator]
            text = (under if more else over) if over == "before" else (over if more else under)
            query = RowQuery(
                NAME, (Field(view.name),), (Test(Field(ROW), "in", (first.rows[0] + 1, second.rows[0] + 1)),)
            )
            yield TableReading(
                query, (text,), f"side {over} by {view.kind}", both, used | asked.headed[view.of], view.of
            )


def verdicts(asked: AnchoredQuestion, grid: ValueGrid, base: Sequence[Subset]) -> Iterator[TableReading]:
    """Yes or no: whether there are such rows, or one row has more or less than another, or than a number."""
    yield from sides(asked, grid, base)
    if not asked.has("yes"):
        return
    some = _alone([subset for subset in base if subset.best is None], 10)
    for one in some:
        query = one.query(Aggregate("count"))
        yield TableReading(query, ("yes",), "some", one, one.used)
        if one.limit is None:
            yield TableReading(query, ("no",), "none", one, one.used)
    cues = [
        cue
        for cue in ("higher", "lower", "good", "bad", "new", "old", "up", "down", "same", "next", "previous")
        if asked.has(cue)
    ]
    for one, other in combinations(some, 2):
        if one.used & other.used or len(one.rows) > 1 or len(other.rows) > 1 or one.rows == other.rows:
            continue
        first, second = (one, other) if min(one.used, default=0) <= min(other.used, default=0) else (other, one)
        for view in grid.views:
            a, b = view.values[first.rows[0]], view.values[second.rows[0]]
            if a is None or b is None or type(a) is not type(b):
                continue
            for largest in (True, False):
                true = (a > b) if largest else (a < b)  # type: ignore[operator]
                item: Item = Field(view.name)
                test = Test(item, ">" if largest else "<", Nested(second.query(Aggregate("max", item))))
                query = RowQuery(NAME, (Aggregate("count"),), (*first.conditions(), test))
                features = tuple(
                    (f"verdict {cue} {'more' if largest else 'less'} {view.kind}", 1.0) for cue in cues[:3]
                )
                used = first.used | second.used | asked.headed[view.of] | places(asked, *cues)
                both = replace(first, tags=(*first.tags, "and", *second.tags), columns=first.columns | second.columns)
                yield TableReading(
                    query,
                    ("yes" if true else "no",),
                    "verdict",
                    both,
                    used,
                    view.of,
                    (*features, ("verdict headed", asked.head_share[view.of])),
                )
