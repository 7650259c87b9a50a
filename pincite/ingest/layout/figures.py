"""Figures and their captions: a caption belongs to the picture or drawing next to it, which is found by its shapes.

A chart is seldom one picture: it is drawn of lines, areas and words. What is drawn close together is one drawing; the one
that stands nearest over a caption, or under it, is its figure, with what is drawn beside it under the same caption.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import repeat

import numpy as np

from pincite.ingest.layout.boxes import around, is_within, middle, overlap
from pincite.ingest.raw_page import Block, RawPage
from pincite.text.lexicon import pattern
from pincite.types import Box, Kind

NEAR = 14.0  # points between shapes of one drawing
CELLS = 200  # cells of the grid by which that is told, along a side of a page at most
FAR = 48.0  # points between a drawing and its caption: labels of an axis may stand between them
SLACK = 5.0  # points by which a drawing and its caption may overlap
LEAST = 40.0  # points of a figure's sides: what is smaller is a mark
LABEL = 60  # characters of a title, a label or an entry of a legend, at most
MOST = 0.9  # the share of a page that a figure covers at most: what covers more is a background
_OF_NO_FIGURE = pattern("ingest", "of no figure", "captions")


def with_figures(page: RawPage, blocks: Sequence[Block]) -> list[Block]:
    """The blocks with the figure of each caption right before it; one that is not among them yet is made, without a text."""
    made = list(blocks)
    captions = _of_kind(blocks, "caption")
    wanted = [caption for caption in captions if not _OF_NO_FIGURE.match(caption.text)]
    if not wanted:
        return made
    drawings = _drawings(page, list(map(_box_of, [*captions, *_of_kind(blocks, "table")])))
    for caption in wanted:
        found = _figure_of(_box_of(caption), drawings)
        if found is not None:
            box = _grow_figure(found, _box_of(caption), drawings, made)
            drawings = [drawing for drawing in drawings if not is_within(drawing, box)]
            made = _with_figure(made, caption, box)
    return made


def _of_kind(blocks: Sequence[Block], kind: Kind) -> list[Block]:
    """The blocks of a kind that have a place on the page."""
    return [block for block in blocks if block.kind == kind and any(block.lines)]


def _box_of(block: Block) -> Box:
    return around(box for box in block.lines if box)


def _with_figure(blocks: Sequence[Block], caption: Block, box: Box) -> list[Block]:
    """The blocks with the figure in a box right before its caption, in place of those that are parts of it."""
    parts = [block for block in _of_kind(blocks, "figure") if is_within(_box_of(block), box)]
    inner = tuple(inner for part in parts for inner in part.inner)
    taken = set(map(id, parts))
    made = [block for block in blocks if id(block) not in taken]
    at = next(at for at, block in enumerate(made) if block is caption)
    return [*made[:at], Block("figure", "", (box,), (0,), inner=inner), *made[at:]]


def _drawings(page: RawPage, apart: Sequence[Box]) -> list[Box]:
    """What is drawn close together, with the words in it; what stands in a table or is a frame of the page is left out."""
    most = MOST * (page.width * page.height)
    drawn = (*page.drawn, *page.pictures, *page.fills, *page.rules)
    small = (box for box in drawn if _area(box) <= most and box[2] - box[0] <= MOST * page.width)
    shapes = [box for box in small if not any(map(partial(is_within, box), apart))]
    large = (box for box in _clusters(page, shapes) if _area(box) <= most)
    return [box for box in large if min(box[2] - box[0], box[3] - box[1]) >= LEAST]


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _clusters(page: RawPage, boxes: Sequence[Box]) -> list[Box]:
    """The boxes around those that stand close together: in cells of a grid that touch."""
    cell = max(NEAR / 2, page.width / CELLS, page.height / CELLS)
    shown = np.array(boxes, dtype=np.float64).reshape(-1, 4).clip(0) // cell
    taken = np.zeros((int(page.height // cell) + 2, int(page.width // cell) + 2), dtype=np.int64)
    rows, columns = (side - 1 for side in taken.shape)
    ends = shown.astype(int).tolist()
    places = [(min(y0, rows), min(x0, columns), y1, x1) for x0, y0, x1, y1 in ends]
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
    return [around(together) for together in held.values()]


def _figure_of(caption: Box, drawings: Sequence[Box]) -> Box | None:
    """The drawing that stands nearest over a caption, or under it, with what stands beside it."""
    placed = []
    for box in drawings:
        common = min(box[2], caption[2]) - max(box[0], caption[0])
        over, under = caption[1] - box[3], box[1] - caption[3]
        near = -SLACK <= over <= FAR or -SLACK <= under <= FAR
        if near and common >= 0.3 * min(box[2] - box[0], caption[2] - caption[0]):
            placed.append((max(over, under) + (0 if over >= -SLACK else FAR / 2), box))
    if not placed:
        return None
    nearest = min(placed)[1]
    beside = (box for _, box in placed if min(box[3], nearest[3]) - max(box[1], nearest[1]) > 0)
    return around([nearest, *beside])


def _grow_figure(
    figure: Box, caption: Box, drawings: Sequence[Box], blocks: Sequence[Block]
) -> Box:
    """A figure with the drawings that go on above or below it with no text between, and with its titles and labels."""
    labels, others = list[Box](), list[Box]()
    for block in blocks:
        if block.text and any(block.lines):
            label = len(block.text) <= LABEL and block.kind not in ("caption", "heading")
            (labels if label else others).append(_box_of(block))
    parts = [*zip(drawings, repeat(FAR)), *zip(labels, repeat(NEAR))]
    # what stands on the other side of the caption is none of the figure's
    if figure[3] <= caption[1] + SLACK:
        parts = [part for part in parts if part[0][3] <= caption[1] + SLACK]
    else:
        parts = [part for part in parts if part[0][1] >= caption[3] - SLACK]
    grown = True
    while grown:
        before = figure
        for box, reach in parts:
            joined = around([figure, box])
            come = (text for text in others if overlap(text, joined) and not overlap(text, figure))
            if _is_near(figure, box, reach) and not any(come):
                figure = joined
        grown = figure != before
    return figure


def _is_near(figure: Box, box: Box, reach: float) -> bool:
    """Whether a box is within reach of a figure and in its columns, or a label's width beside them."""
    x0, top, x1, bottom = figure
    level = top - reach <= box[3] and box[1] - reach <= bottom
    upright = x0 - reach <= box[2] and box[0] - reach <= x1
    return level and upright and x0 - FAR <= middle(box)[0] <= x1 + FAR
