"""Figures and their captions: a caption belongs to the picture or drawing next to it, which is found by its shapes.

A chart is seldom one picture: it is drawn of lines, areas and words. What is drawn close together is one drawing; the one
that stands nearest over a caption, or under it, is its figure, with what is drawn beside it under the same caption.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import numpy as np

from pincite.ingest.raw_page import Block, RawPage
from pincite.types import Box

NEAR = 14.0
"""Points between shapes of one drawing."""
CELLS = 200
"""Cells of the grid by which that is told, along a side of a page at most."""
FAR = 48.0
"""Points between a drawing and its caption: the labels of an axis may stand between them."""
LEAST = 40.0
"""Points of a figure's sides: what is smaller is a mark."""
LABEL = 60
"""Characters of a title, a label or an entry of a legend, at most; other text is none of the figure's."""
MOST = 0.9
"""The share of a page that a figure covers at most: what covers more is a background."""
_OF_TABLE = re.compile(r"\W*+(?:\w++ ){0,2}(?:tab|exhibit|algorithm|listing|box)", re.IGNORECASE)


def with_figures(page: RawPage, blocks: Sequence[Block]) -> list[Block]:
    """The blocks with the figure of each caption right before it; one that is not among them yet is made, without a text."""
    wanted = [
        block for block in blocks if block.kind == "caption" and _boxed(block) and not _OF_TABLE.match(block.text)
    ]
    if not wanted:
        return list(blocks)
    tables = [box for block in blocks if block.kind == "table" for box in block.lines if box]
    drawings = _drawings(
        page, [*tables, *(_around(block) for block in blocks if block.kind == "caption" and _boxed(block))]
    )
    made = list(blocks)
    for caption in wanted:
        found = _figure_of(_around(caption), drawings)
        if found is None:
            continue
        box = _grown(found, _around(caption), drawings, [block for block in made if _boxed(block) and block.text])
        held = [block for block in made if block.kind == "figure" and _boxed(block) and _within(_around(block), box)]
        drawings = [drawing for drawing in drawings if not _within(drawing, box)]
        figure = Block("figure", "", (box,), (0,), inner=tuple(inner for block in held for inner in block.inner))
        taken = set(map(id, held))
        made = [block for block in made if id(block) not in taken]
        at = next(at for at, block in enumerate(made) if block is caption)
        made.insert(at, figure)
    return made


def _boxed(block: Block) -> bool:
    return any(block.lines)


def _around(block: Block) -> Box:
    return _joined([box for box in block.lines if box])


def _joined(boxes: Sequence[Box]) -> Box:
    x0, top, x1, bottom = zip(*boxes, strict=True)
    return min(x0), min(top), max(x1), max(bottom)


def _within(box: Box, outer: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def _drawings(page: RawPage, apart: Sequence[Box]) -> list[Box]:
    """What is drawn close together, with the words in it; what stands in a table or is a frame of the page is left out."""
    area = page.width * page.height
    shapes = [
        box
        for box in (*page.drawn, *page.pictures, *page.fills, *page.rules)
        if (box[2] - box[0]) * (box[3] - box[1]) <= MOST * area
        and box[2] - box[0] <= MOST * page.width
        and not any(map(partial(_within, box), apart))
    ]
    return [
        box
        for box in _clusters(page, shapes)
        if min(box[2] - box[0], box[3] - box[1]) >= LEAST and (box[2] - box[0]) * (box[3] - box[1]) <= MOST * area
    ]


def _clusters(page: RawPage, boxes: Sequence[Box]) -> list[Box]:
    """The boxes around those that stand close together: in cells of a grid that touch."""
    cell = max(NEAR / 2, page.width / CELLS, page.height / CELLS)
    shown = np.array(boxes, dtype=np.float64).reshape(-1, 4).clip(0) // cell
    taken = np.zeros((int(page.height // cell) + 2, int(page.width // cell) + 2), dtype=np.int64)
    rows, columns = (side - 1 for side in taken.shape)
    places = [(min(int(y0), rows), min(int(x0), columns), int(y1), int(x1)) for x0, y0, x1, y1 in shown.tolist()]
    for top, left, bottom, right in places:
        taken[top : bottom + 1, left : right + 1] = -1
    count = 0
    for start in zip(*np.nonzero(taken), strict=True):
        if taken[start] >= 0:
            continue
        count += 1
        open_ = [(int(start[0]), int(start[1]))]
        taken[start] = count
        while open_:
            row, column = open_.pop()
            top, left = max(row - 1, 0), max(column - 1, 0)
            for y, x in zip(*np.nonzero(taken[top : row + 2, left : column + 2] < 0), strict=True):
                taken[top + y, left + x] = count
                open_.append((int(top + y), int(left + x)))
    held: dict[int, list[Box]] = {}
    for box, (top, left, _, _) in zip(boxes, places, strict=True):
        held.setdefault(int(taken[top, left]), []).append(box)
    return [_joined(together) for together in held.values()]


def _near(one: Box, other: Box, by: float) -> bool:
    return one[0] - by <= other[2] and other[0] - by <= one[2] and one[1] - by <= other[3] and other[1] - by <= one[3]


def _figure_of(caption: Box, drawings: Sequence[Box]) -> Box | None:
    """The drawing that stands nearest over a caption, or under it, with what stands beside it."""
    placed = []
    for box in drawings:
        if min(box[2], caption[2]) - max(box[0], caption[0]) < 0.3 * min(box[2] - box[0], caption[2] - caption[0]):
            continue
        over, under = caption[1] - box[3], box[1] - caption[3]
        if -5 <= over <= FAR or -5 <= under <= FAR:
            placed.append((max(over, under) + (0 if over >= -5 else FAR / 2), box))
    if not placed:
        return None
    nearest = min(placed)[1]
    return _joined([nearest, *(box for _, box in placed if min(box[3], nearest[3]) - max(box[1], nearest[1]) > 0)])


def _grown(figure: Box, caption: Box, drawings: Sequence[Box], blocks: Sequence[Block]) -> Box:
    """A figure with the drawings that go on above or below it with no text between, and with its titles and labels."""
    over = figure[3] <= caption[1] + 5
    texts = [
        (_around(block), len(block.text) <= LABEL and block.kind not in ("caption", "heading")) for block in blocks
    ]
    grown = True
    while grown:
        grown = False
        for box in (*drawings, *(one for one, short in texts if short)):
            drawn = box in drawings
            if (
                _holds(figure, box)
                or not _near(figure, box, (FAR if drawn else NEAR))
                or not _within_columns(box, figure)
            ):
                continue
            if (box[3] > caption[1] + 5) if over else (box[1] < caption[3] - 5):
                continue
            joined = _joined([figure, box])
            if any(not short and _meet(one, joined) and not _meet(one, figure) for one, short in texts):
                continue
            figure, grown = joined, True
    return figure


def _holds(outer: Box, box: Box) -> bool:
    return outer[0] <= box[0] and outer[1] <= box[1] and outer[2] >= box[2] and outer[3] >= box[3]


def _within_columns(box: Box, figure: Box) -> bool:
    """Whether a box stands in the columns of a figure, or a label's width beside them."""
    return figure[0] - FAR <= (box[0] + box[2]) / 2 <= figure[2] + FAR


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
