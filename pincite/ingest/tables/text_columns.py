"""Columns of running text on a page, so that a table in one of them is not read together with the text beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.ingest.layout.boxes import around, middle
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.assembly import is_value
from pincite.ingest.tables.chunks import Chunk, Line, is_near, lines
from pincite.ingest.tables.rules import Level, Ruling
from pincite.ingest.tables.running_text import prose_stacks
from pincite.types import Box, Cell, Table

LEVEL = 1.5  # lines whose lower edges are this near, in points, are level
NEXT = 2.6  # rows of one table are at most this many font sizes apart
GUTTER = 6.0  # columns of running text are at least this many points apart


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Words that are read together, their lines, and the stacks of running text among them."""

    words: Sequence[Word]
    lines: list[Line]
    running: list[list[Chunk]]

    @classmethod
    def of(cls, words: Sequence[Word], ruling: Ruling) -> TextColumn:
        """All of some words as one column."""
        whole = lines(words, ruling.upright)
        return cls(words, whole, prose_stacks(whole))


def text_columns(words: Sequence[Word], ruling: Ruling) -> list[TextColumn]:
    """The words left and right of each gutter between columns of running text, and those that stand over or under them.

    A gutter reaches as far as no text and no rule crosses it.
    """
    column = TextColumn.of(words, ruling)
    chunks = ((word.box for chunk in stack for word in chunk.words) for stack in column.running)
    stacks = list(map(around, chunks))
    for x in _gutters(stacks):
        free = _stretches(x, column.lines, ruling.level)
        stretches = [stretch for stretch in free if _has_text_beside(x, *stretch, stacks)]
        if not stretches:
            continue
        left, right, beyond = list[Word](), list[Word](), list[Word]()
        for word in words:
            across, down = middle(word.box)
            if not any(low < down < high for low, high in stretches):
                beyond.append(word)
            else:
                (right if across > x else left).append(word)
        parts = filter(None, (left, right, beyond))
        return [column for part in parts for column in text_columns(part, ruling)]
    return [column]


def runs_across(table: Table, rest: Sequence[Line]) -> bool:
    """Whether a table found in one column is part of one that runs across columns.

    It then has no labels, or level with its rows stand values that are in no table (`rest` are the lines outside of tables).
    """
    body = (cell for cell in table.cells if cell.row >= table.header_rows)
    labels = [cell.text for cell in body if cell.column == 0]
    if 2 * sum(map(is_value, labels)) > len(labels):
        return True
    values = [line.bottom for line in rest if line.numeric]
    return level_share([cell for cell in table.cells if cell.column], values) > 1 / 2


def level_share(cells: Iterable[Cell], bottoms: Sequence[float]) -> float:
    """The share of the rows of some cells that are level with one of these lower edges."""
    rows = {cell.row: cell.box[3] for cell in cells if cell.box}
    return sum(is_near(low, bottoms, LEVEL) for low in rows.values()) / max(len(rows), 1)


def _has_text_beside(x: float, top: float, bottom: float, stacks: Sequence[Box]) -> bool:
    """Whether stacks of running text stand on both sides of a gutter between two heights."""
    inside = (box for box in stacks if top <= box[1] and box[3] <= bottom)
    between = [box for box in inside if not box[0] < x < box[2]]
    return {box[0] > x for box in between} == {True, False}


def _gutters(stacks: Sequence[Box]) -> list[float]:
    """The middles between stacks of running text that stand beside each other, the narrowest first."""
    pairs = ((left[2], right[0]) for left in stacks for right in stacks)
    between = [(right - left, (left + right) / 2) for left, right in pairs]
    return [x for gap, x in sorted(between) if gap >= GUTTER]


def _stretches(
    x: float, whole: Sequence[Line], level: Sequence[Level]
) -> list[tuple[float, float]]:
    """The heights between what crosses a gutter; rows of values next to one that crosses are of the same table."""
    crossing = _find_crossing(x, whole) + [(y, y) for y, x0, x1 in level if x0 + 1 < x < x1 - 1]
    made: list[tuple[float, float]] = []
    floor = float("-inf")
    for top, bottom in [*sorted(crossing), (float("inf"), float("inf"))]:
        if top > floor:
            made.append((floor, top))
        floor = max(floor, bottom)
    return made


def _find_crossing(x: float, whole: Sequence[Line]) -> list[tuple[float, float]]:
    """The upper and lower edges of the lines that cross a gutter, with the rows of values that go on from those."""
    crosses = [any(chunk.x0 < x < chunk.x1 for chunk in line.chunks) for line in whole]
    rows = [0 < line.values == len(line.chunks) - 1 for line in whole]
    for order in (range(1, len(whole)), range(len(whole) - 2, -1, -1)):
        for at in order:
            beside = at - order.step
            near = abs(whole[at].base - whole[beside].base) < NEXT * whole[at].size
            crosses[at] = crosses[at] or crosses[beside] and near and rows[at]
    return [(line.top, line.bottom) for line, over in zip(whole, crosses, strict=True) if over]
