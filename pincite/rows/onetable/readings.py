"""What a question over a given table may ask of some rows: a cell, a count, a sum, a difference, which of two, yes or no."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pincite.rows.onetable.anchors import AnchoredQuestion, places
from pincite.rows.onetable.subsets import Features, Subset
from pincite.rows.onetable.value_grid import NAME, CellPart, ValueGrid
from pincite.rows.programs.program import Aggregate, Best, Field, Function, Operator, RowQuery, Test


@dataclass(frozen=True, slots=True)
class TableReading:
    """One thing that a question may ask: the program, what it finds as texts, the words it explains, and what it is made of.

    `operation` names what is done with the rows of `subset`; `column` is the written column that is shown (-1 for a number);
    `said` takes the place of the rows found where the answer is yes or no.
    """

    query: RowQuery
    answer: tuple[str, ...]
    operation: str
    subset: Subset
    used: frozenset[int]
    column: int = -1
    features: Features = ()


def said(value: float) -> str:
    """A number as it is written."""
    return str(int(value)) if value == int(value) else repr(round(value, 6))


def shown(asked: AnchoredQuestion, grid: ValueGrid, subset: Subset) -> Iterator[TableReading]:
    """The cells of the rows in a column."""
    if len(subset.rows) > 30 or subset.tags == ("all",):
        return
    for column, name in enumerate(grid.names):
        texts = tuple(dict.fromkeys(grid.cells[at][column] for at in subset.rows))
        if len(texts) <= 20 and all(texts):
            yield TableReading(
                subset.query(Field(name)), texts, "show", subset, subset.used | asked.headed[column], column
            )
    for part in grid.parts:
        if part.label == "outside":
            continue  # the whole cell says it better
        texts = tuple(dict.fromkeys(part.texts[at] for at in subset.rows))
        if len(texts) <= 5 and all(texts) and any(part.texts[at] != grid.cells[at][part.of] for at in subset.rows):
            used = (
                subset.used | asked.headed[part.of] | (places(asked, "years") if part.label == "year" else frozenset())
            )
            query = subset.query(Field(part.name))
            yield TableReading(query, texts, f"show {part.label}", subset, used, part.of, _part_features(asked, part))


def _part_features(asked: AnchoredQuestion, part: CellPart) -> Features:
    """Whether what is asked for is what a part holds."""
    focus = asked.words[slice(*asked.focus)]
    said = {"year": "year", "month": "month"}.get(part.label)
    found = [(f"part {part.label}", 1.0), (f"part {part.label} headed", asked.head_share[part.of])]
    if said:
        found.append(
            (
                f"part {part.label} in focus",
                float(any(word.startswith(said) for word in focus) or asked.words[:1] == ("when",)),
            )
        )
        found.append((f"part {part.label} said", float(any(word.startswith(said) for word in asked.words))))
    return tuple(found)


def counted(asked: AnchoredQuestion, grid: ValueGrid, subset: Subset) -> Iterator[TableReading]:
    """How many rows there are, or different cells in a column."""
    if not asked.has("count", "times", "much", "sum"):
        return
    cut = subset.limit is not None or "end" in subset.tags
    if not cut:
        spent = places(asked, "count", "times")
        yield TableReading(
            subset.query(Aggregate("count")), (str(len(subset.rows)),), "count", subset, subset.used | spent
        )
    if len(subset.rows) > 1:
        for column, name in enumerate(grid.names):
            n = len({grid.cells[at][column] for at in subset.rows} - {""})
            if n != len(subset.rows) and n and (asked.has("different") or asked.head_share[column] > 0.3):
                spent = places(asked, "count", "different") | asked.headed[column]
                query = subset.query(Aggregate("count", Field(name), distinct=True))
                yield TableReading(query, (str(n),), "count different", subset, subset.used | spent, column)


_SUMS: tuple[tuple[str, Function], ...] = (("sum", "sum"), ("mean", "avg"))


def summed(asked: AnchoredQuestion, grid: ValueGrid, subset: Subset) -> Iterator[TableReading]:
    """The sum or mean of a view of the rows."""
    if len(subset.rows) < 2 or not asked.has("sum", "mean", "count", "much", "difference", "or"):
        return
    for view in grid.views:
        if view.kind in ("date", "year"):
            continue
        known = [value for at in subset.rows if isinstance(value := view.values[at], float)]
        if len(known) < 2:
            continue
        for cue, function in _SUMS:
            if asked.has(cue) or (cue == "sum" and asked.has("count", "much")):
                value = sum(known) / (len(known) if cue == "mean" else 1)
                used = subset.used | places(asked, cue, "count") | asked.headed[view.of]
                query = subset.query(Aggregate(function, Field(view.name)))
                yield TableReading(
                    query, (said(value),), function, subset, used, view.of, ((f"view {view.kind}", 1.0),)
                )


@dataclass(frozen=True, slots=True)
class _Held:
    """A column or a part of one that rows can be grouped by: what it holds in each row."""

    column: int
    name: str
    texts: tuple[str, ...]
    label: str = ""


def commonest(asked: AnchoredQuestion, grid: ValueGrid, subset: Subset) -> Iterator[TableReading]:
    """The cell that most or fewest of the rows have, that sums up to most, or that at least n of them have."""
    if len(subset.rows) < 3 or subset.limit is not None or subset.best is not None or len(subset.tags) > 2:
        return
    if not asked.has("often", "up", "down", "over", "at least", "times", "good", "bad") and not asked.numbers:
        return
    held = [_Held(column, name, tuple(cells[column] for cells in grid.cells)) for column, name in enumerate(grid.names)]
    held += [
        _Held(part.of, part.name, part.texts, part.label)
        for part in grid.parts
        if part.label in ("year", "month", "brackets", "outside", "after")
    ]
    for each in held:
        counts = Counter(each.texts[at] for at in subset.rows)
        del counts[""]
        if len(counts) > 1 and max(counts.values()) > 1:
            said = replace(subset, tests=(*subset.tests, Test(Field(each.name), "null", negated=True)))
            yield from _most(asked, said, each, counts)
            yield from _often(asked, said, each, counts)
            if not (asked.has("times", "count") and asked.has("often", "up")):
                yield from _richest(asked, grid, said, each)


def _most(asked: AnchoredQuestion, subset: Subset, held: _Held, counts: Counter[str]) -> Iterator[TableReading]:
    field = Field(held.name)
    used = subset.used | asked.headed[held.column]
    for cues, largest in ((("often", "up", "good"), True), (("down", "bad"), False)):
        most = (max if largest else min)(counts.values())
        texts = tuple(text for text, n in counts.items() if n == most)
        if asked.has(*cues) and len(texts) <= 5:
            query = subset.query(field, group=(field,), best=Best(Aggregate("count"), largest))
            way = "most" if largest else "fewest"
            features: Features = (("ties", float(len(texts) > 1)), (f"commonest {held.label}", 1.0))
            if held.label:
                features += (("commonest part said", float(held.label in asked.words)),)
            yield TableReading(
                query, texts, f"commonest {way}", subset, used | places(asked, *cues), held.column, features
            )


_OFTEN: dict[str, Operator] = {"at least": ">=", "over": ">", "exactly": "="}


def _often(asked: AnchoredQuestion, subset: Subset, held: _Held, counts: Counter[str]) -> Iterator[TableReading]:
    field = Field(held.name)
    for number in asked.numbers:
        n = int(number.value)
        for word, operator in _OFTEN.items():
            if n < 1 or (word != "exactly" and not asked.has(word)):
                continue
            holds = {text: {">=": k >= n, ">": k > n, "=": k == n}[operator] for text, k in counts.items()}
            texts = tuple(text for text, each in holds.items() if each)
            if not 0 < len(texts) <= 12 or (n == 1 and word != "over"):
                continue
            query = replace(subset.query(field, group=(field,)), having=(Test(Aggregate("count"), operator, n),))
            cues = ("times",) if word == "exactly" else ("times", word)
            used = (
                subset.used
                | asked.headed[held.column]
                | frozenset(range(number.start, number.end))
                | places(asked, *cues)
            )
            yield TableReading(query, texts, f"groups {word}", subset, used, held.column)
            if asked.has("count"):
                many = RowQuery(NAME, (Aggregate("count", field, distinct=True),), (Test(field, "in", query),))
                used |= places(asked, "count")
                yield TableReading(many, (str(len(texts)),), f"count groups {word}", subset, used, held.column)


def _richest(asked: AnchoredQuestion, grid: ValueGrid, subset: Subset, held: _Held) -> Iterator[TableReading]:
    if asked.head_share[held.column] == 0 or not asked.has("up"):
        return
    field = Field(held.name)
    for view in grid.views:
        if view.of == held.column or view.kind not in ("number", "second") or asked.head_share[view.of] < 0.5:
            continue
        sums: dict[str, float] = {}
        for at in subset.rows:
            if isinstance(value := view.values[at], float) and held.texts[at]:
                sums[held.texts[at]] = sums.get(held.texts[at], 0.0) + value
        if len(sums) > 1:
            texts = tuple(text for text, n in sums.items() if n == max(sums.values()))
            query = subset.query(field, group=(field,), best=Best(Aggregate("sum", Field(view.name)), True))
            used = subset.used | asked.headed[held.column] | asked.headed[view.of] | places(asked, "up")
            yield TableReading(query, texts, "group of the largest sum", subset, used, held.column)
