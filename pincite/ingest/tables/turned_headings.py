"""Headings turned by a quarter over the columns of a level table: each as one level word over its column."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from pincite.ingest.layout.boxes import around, middle
from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.raw_page import RawPage, Word
from pincite.ingest.tables.assembly import cell_text, is_value
from pincite.ingest.tables.between_rules import within
from pincite.ingest.tables.chunks import Line, lines, spans
from pincite.ingest.tables.regions import running_text
from pincite.ingest.tables.rules import Ruling, Upright
from pincite.ingest.tables.turned_text import Rotation, turned
from pincite.types import Box

BELOW = 45.0  # the first row stands at most this many points below the headings
ROWS = 3  # so many lines below the headings show which columns there are
LONGEST = 8  # words of a level heading beside those that are turned, at most

Piece = tuple[list[Word], Box]
"""A line of a heading: its words as they read, on the page turned for that, and its box on the page with level text."""


def with_headings(level: RawPage, page: RawPage, angle: int) -> RawPage:
    """A `page` that was turned by `angle`, so that its text is `level`, with headings written at a right angle to that."""
    if len(level.words) == len(page.words):
        return level
    words = list(level.words)
    uprights = Ruling.of(level.rules).upright
    for turn in (90, 270):
        for band in _group_by_height(_turned_lines(page, level, angle, turn)):
            words = _with_band(words, band, uprights)
    return replace(level, words=tuple(words))


def _turned_lines(page: RawPage, level: RawPage, angle: int, turn: int) -> list[Piece]:
    """The lines of text at a quarter turn to the level text, in the order in which they are read."""
    back = Rotation(level.width, level.height, turn).back
    found = lines(turned(page, (angle + turn) % 360).words)
    held = (chunk.words for line in found for chunk in line.chunks)
    return [(words, back(around(word.box for word in words))) for words in held]


def _group_by_height(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces that stand at the same height, each with the others in the order in which they are read."""
    boxes = [box for _, box in pieces]

    def stands_beside(band: Sequence[int], at: int) -> bool:
        return boxes[at][1] < max(boxes[other][3] for other in band)

    order = sorted(range(len(boxes)), key=lambda at: boxes[at][1])
    return [[pieces[at] for at in sorted(band)] for band in consecutive(order, stands_beside)]


def _with_band(
    level: list[Word], band: Sequence[Piece], uprights: Sequence[Upright]
) -> list[Word]:
    """Level words with the headings of a band if two of them stand over columns, all of one height.

    The level headings beside them, such as that of the labels, are made words of that height too.
    """
    x0, top, x1, bottom = around(box for _, box in band)
    reach = bottom + max(BELOW, bottom - top)
    below = lines(within(level, (0.0, bottom, x1 + BELOW, reach + BELOW)), uprights)
    rows = [line for line in below if line.x1 > x0][:ROWS]
    if not rows or rows[0].base > reach:
        return level
    axis = lines(within(level, (x0, top - (rows[0].bottom - bottom), x1 + BELOW, bottom)))
    if any(line.chunks[0].numeric or line.values for line in axis):
        return level  # the labels of axes: the numbers of these stand beside them, or above as near as below
    edges = _column_edges(rows, (top + bottom) / 2, uprights)
    headings = _group_by_column(band, edges)
    named = {column for column, (words, _) in headings.items() if not _is_value(words)}
    held = (chunk for row in rows for chunk in row.chunks if not running_text(chunk))
    over = {bisect(edges, (chunk.x0 + chunk.x1) / 2) for chunk in held}
    if len(over & named) < max(2, len(headings) / 2):
        return level
    left, first = min(row.x0 for row in rows), rows[0].top
    beside = (word for word in within(level, (left, top, x0, first)) if word.box[3] < rows[0].base)
    for column, label in _group_by_column((([word], word.box) for word in beside), edges).items():
        if column in over - headings.keys() and len(label[0]) <= LONGEST:
            headings[column] = label
    taken = {id(word) for words, _ in headings.values() for word in words}
    made = [word for word in level if id(word) not in taken]
    ends = [0.0, *edges, float("inf")]
    for column, (words, (start, _, end, _)) in headings.items():
        # it fills the height down to the rows, and no more than the width of its column
        sides = max(start, ends[column]), min(end, ends[column + 1])
        box = sides[0], top, sides[1], max(bottom, first - rows[0].size)
        made.append(replace(words[0], text=cell_text(words)[0], box=box, angle=0))
    return made


def _is_value(words: Sequence[Word]) -> bool:
    """Whether turned text is but values, as over the bars of a chart, or signs."""
    return all(is_value(word.text) or not any(map(str.isalnum, word.text)) for word in words)


def _column_edges(rows: Sequence[Line], height: float, uprights: Sequence[Upright]) -> list[float]:
    """What parts columns: the rules between headings where there are some, else the middles between what stands below."""
    ruled = [x for x, top, bottom in uprights if top < height < bottom]
    if len(ruled) > 1:
        return sorted(ruled)
    return [(left.x1 + right.x0) / 2 for left, right in pairwise(spans(rows))]


def _group_by_column(pieces: Iterable[Piece], edges: Sequence[float]) -> dict[int, Piece]:
    """The pieces over each column as one."""
    found: dict[int, Piece] = {}
    for words, box in pieces:
        column = bisect(edges, middle(box)[0])
        held, extent = found.get(column, ([], box))
        found[column] = [*held, *words], around((extent, box))
    return found
