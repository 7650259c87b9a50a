"""What a question over a given table may ask of some rows: a cell, a count, a sum, a difference, which of two, yes or no."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pincite.rows.onetable.anchors import AnchoredQuestion, NumberAnchor, places
from pincite.rows.onetable.subsets import MEETS, Features, Subset
from pincite.rows.onetable.value_grid import NAME, CellPart, GridView, ValueGrid
from pincite.rows.programs.program import (
    Aggregate,
    Best,
    Field,
    Function,
    Operator,
    RowQuery,
    Test,
)


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
                subset.query(Field(name)),
                texts,
                "show",
                subset,
                subset.used | asked.headed[column],
                column,
            )
    for part in grid.parts:
        if part.label != "outside":  # the whole cell says it better
            yield from _shown_part(asked, grid, subset, part)


def _shown_part(
    asked: AnchoredQuestion, grid: ValueGrid, subset: Subset, part: CellPart
) -> Iterator[TableReading]:
    texts = tuple(dict.fromkeys(part.texts[at] for at in subset.rows))
    if (
        len(texts) <= 5
        and all(texts)
        and any(part.texts[at] != grid.cells[at][part.of] for at in subset.rows)
    ):
        used = subset.used | asked.headed[part.of]
        if part.label == "year":
            used |= places(asked, "years")
        query = subset.query(Field(part.name))
        yield TableReading(
            query, texts, f"show {part.label}", subset, used, part.of, _part_features(asked, part)
        )


def _part_features(asked: AnchoredQuestion, part: CellPart) -> Features:
    """Whether what is asked for is what a part holds."""
    label = part.label
    found = [(f"part {label}", 1.0), (f"part {label} headed", asked.head_share[part.of])]
    if label in ("year", "month"):
        said = [at for at, word in enumerate(asked.words) if word.startswith(label)]
        focused = asked.words[:1] == ("when",) or any(at in range(*asked.focus) for at in said)
        found += [
            (f"part {label} in focus", float(focused)),
            (f"part {label} said", float(bool(said))),
        ]
    return tuple(found)


def counted(asked: AnchoredQuestion, grid: ValueGrid, subset: Subset) -> Iterator[TableReading]:
    """How many rows there are, or different cells in a column."""
    if not asked.has("count", "times", "much", "sum"):
        return
    if subset.limit is None:
        spent = places(asked, "count", "times")
        yield TableReading(
            subset.query(Aggregate("count")),
            (str(len(subset.rows)),),
            "count",
            subset,
            subset.used | spent,
        )
    if len(subset.rows) > 1:
        for column, name in enumerate(grid.names):
            n = len({grid.cells[at][column] for at in subset.rows} - {""})
            if (
                n != len(subset.rows)
                and n
                and (asked.has("different") or asked.head_share[column] > 0.3)
            ):
                spent = places(asked, "count", "different") | asked.headed[column]
                query = subset.query(Aggregate("count", Field(name), distinct=True))
                yield TableReading(
                    query, (str(n),), "count different", subset, subset.used | spent, column
                )


_SUMS: tuple[tuple[tuple[str, ...], Function], ...] = (
    (("sum", "count", "much"), "sum"),
    (("mean",), "avg"),
)


def summed(asked: AnchoredQuestion, grid: ValueGrid, subset: Subset) -> Iterator[TableReading]:
    """The sum or mean of a view of the rows."""
    functions = [(cues[0], function) for cues, function in _SUMS if asked.has(*cues)]
    for view in grid.views if functions else ():
        known = view.numbers(subset.rows)
        if len(known) < 2 or view.kind == "year":
            continue
        for cue, function in functions:
            value = sum(known) / (len(known) if function == "avg" else 1)
            used = subset.used | places(asked, cue, "count") | asked.headed[view.of]
            query = subset.query(Aggregate(function, Field(view.name)))
            yield TableReading(
                query,
                (said(value),),
                function,
                subset,
                used,
                view.of,
                ((f"view {view.kind}", 1.0),),
            )


@dataclass(frozen=True, slots=True)
class _Groups:
    """Some rows by what a column, or a part of one, holds in each: `texts` of all rows, and how often these rows have each."""

    subset: Subset
    column: int
    field: Field
    texts: tuple[str, ...]
    label: str
    counts: Counter[str]

    def query(self, best: Best | None = None) -> RowQuery:
        """The program that finds what the rows hold, or of it the best."""
        return self.subset.query(self.field, group=(self.field,), best=best)


def commonest(asked: AnchoredQuestion, grid: ValueGrid, subset: Subset) -> Iterator[TableReading]:
    """The cell that most or fewest of the rows have, that sums up to most, or that at least n of them have."""
    if len(subset.rows) < 3 or subset.cut or len(subset.tags) > 2:
        return
    if (
        not asked.has("often", "up", "down", "over", "at least", "times", "good", "bad")
        and not asked.numbers
    ):
        return
    for groups in _grouped(grid, subset):
        yield from _most(asked, groups)
        yield from _often(asked, groups)
        if not (asked.has("times", "count") and asked.has("often", "up")):
            yield from _richest(asked, grid, groups)


def _grouped(grid: ValueGrid, subset: Subset) -> Iterator[_Groups]:
    """Some rows by every column and part of one that holds something twice, and something else."""
    written = zip(grid.names, zip(*grid.cells, strict=True), strict=True)
    held = [(column, name, texts, "") for column, (name, texts) in enumerate(written)]
    held += [
        (part.of, part.name, part.texts, part.label)
        for part in grid.parts
        if part.label in ("year", "month", "brackets", "outside", "after")
    ]
    for column, name, texts, label in held:
        counts = Counter(texts[at] for at in subset.rows)
        del counts[""]
        if len(counts) > 1 and max(counts.values()) > 1:
            field = Field(name)
            filled = replace(subset, tests=(*subset.tests, Test(field, "null", negated=True)))
            yield _Groups(filled, column, field, texts, label, counts)


def _most(asked: AnchoredQuestion, groups: _Groups) -> Iterator[TableReading]:
    used = groups.subset.used | asked.headed[groups.column]
    for cues, largest in ((("often", "up", "good"), True), (("down", "bad"), False)):
        most = (max if largest else min)(groups.counts.values())
        texts = tuple(text for text, n in groups.counts.items() if n == most)
        if asked.has(*cues) and len(texts) <= 5:
            query = groups.query(Best(Aggregate("count"), largest))
            way = "most" if largest else "fewest"
            features: Features = (
                ("ties", float(len(texts) > 1)),
                (f"commonest {groups.label}", 1.0),
            )
            if groups.label:
                features += (("commonest part said", float(groups.label in asked.words)),)
            spent = used | places(asked, *cues)
            yield TableReading(
                query, texts, f"commonest {way}", groups.subset, spent, groups.column, features
            )


_OFTEN: dict[str, Operator] = {"at least": ">=", "over": ">", "exactly": "="}


def _often(asked: AnchoredQuestion, groups: _Groups) -> Iterator[TableReading]:
    words = [*asked.said("at least", "over"), "exactly"]
    for number in asked.numbers:
        for word in words:
            if int(number.value) >= (1 if word == "over" else 2):
                yield from _that_often(asked, groups, word, number)


def _that_often(
    asked: AnchoredQuestion, groups: _Groups, word: str, number: NumberAnchor
) -> Iterator[TableReading]:
    """What at least, over or exactly so many of the rows have, and how many different it is."""
    n, operator = int(number.value), _OFTEN[word]
    texts = tuple(text for text, rows in groups.counts.items() if MEETS[operator](rows, n))
    if not 0 < len(texts) <= 12:
        return
    subset, column = groups.subset, groups.column
    query = replace(groups.query(), having=(Test(Aggregate("count"), operator, n),))
    used = subset.used | asked.headed[column] | places(asked, "times", word) | {*number.places}
    yield TableReading(query, texts, f"groups {word}", subset, used, column)
    if asked.has("count"):
        many = RowQuery(
            NAME,
            (Aggregate("count", groups.field, distinct=True),),
            (Test(groups.field, "in", query),),
        )
        used |= places(asked, "count")
        yield TableReading(many, (str(len(texts)),), f"count groups {word}", subset, used, column)


def _richest(asked: AnchoredQuestion, grid: ValueGrid, groups: _Groups) -> Iterator[TableReading]:
    column = groups.column
    if asked.head_share[column] == 0 or not asked.has("up"):
        return
    for view in grid.views:
        if (
            view.of == column
            or view.kind not in ("number", "second")
            or asked.head_share[view.of] < 0.5
        ):
            continue
        sums = _sums(view, groups)
        if len(sums) > 1:
            most = max(sums.values())
            texts = tuple(text for text, n in sums.items() if n == most)
            query = groups.query(Best(Aggregate("sum", Field(view.name)), True))
            used = (
                groups.subset.used
                | asked.headed[column]
                | asked.headed[view.of]
                | places(asked, "up")
            )
            yield TableReading(
                query, texts, "group of the largest sum", groups.subset, used, column
            )


def _sums(view: GridView, groups: _Groups) -> dict[str, float]:
    """What the numbers of a view sum up to in each group."""
    sums: dict[str, float] = {}
    for at in groups.subset.rows:
        text, value = groups.texts[at], view.values[at]
        if text and isinstance(value, float):
            sums[text] = sums.get(text, 0.0) + value
    return sums
