"""Text that runs up, down or on its head, as wide tables on upright pages do: read turned, and the boxes turned back."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from pincite.ingest.raw_page import RawPage
from pincite.types import Box, Table

ASKEW = 15
"""Text that is off a quarter turn by no more degrees is written so, on a page that was scanned askew."""
FEWEST = 8
"""Fewer words in another direction than that of the page are no table: labels of axes, stamps in the margin."""


def direction(angle: int) -> int:
    """The nearest quarter turn; slanted text keeps its own angle."""
    quarter = round(angle / 90) * 90
    return quarter % 360 if abs(angle - quarter) <= ASKEW else angle


def directions(page: RawPage) -> list[int]:
    """The quarter turns in which text enough for a table is written, that of most words first."""
    angles = Counter(word.angle for word in page.words)
    counted = Counter[int]()
    for angle, count in angles.items():
        counted[direction(angle)] += count
    ordered = enumerate(counted.most_common())
    return [angle for at, (angle, count) in ordered if angle % 90 == 0 and (at == 0 or count >= FEWEST)]


def turned(page: RawPage, angle: int) -> RawPage:
    """The page turned so that text written at `angle` is level, with that text only."""
    angles = {word.angle for word in page.words}
    own = {turn for turn in angles if direction(turn) == angle}
    words = page.words if own == angles else tuple(word for word in page.words if word.angle in own)
    if angle == 0:
        return page if words is page.words else replace(page, words=words)

    def turn(box: Box) -> Box:
        return _turn(box, page.width, page.height, angle)

    words = tuple(replace(word, box=turn(word.box), angle=(word.angle - angle) % 360) for word in words)
    sideways = angle in (90, 270)
    return replace(
        page,
        width=page.height if sideways else page.width,
        height=page.width if sideways else page.height,
        words=words,
        rules=tuple(map(turn, page.rules)),
        fills=tuple(map(turn, page.fills)),
        pictures=tuple(map(turn, page.pictures)),
    )


def turned_back(table: Table, page: RawPage, angle: int) -> Table:
    """A table found on the turned page with its boxes on `page` as displayed."""
    if angle == 0:
        return table
    width, height = (page.height, page.width) if angle in (90, 270) else (page.width, page.height)

    def back(box: Box | None) -> Box | None:
        return _turn(box, width, height, -angle % 360) if box else None

    return replace(table, box=back(table.box), cells=tuple(replace(cell, box=back(cell.box)) for cell in table.cells))


def _turn(box: Box, width: float, height: float, angle: int) -> Box:
    """A box of a page of this size after the page is turned clockwise by `angle` degrees."""
    x0, top, x1, bottom = box
    if angle == 90:
        return height - bottom, x0, height - top, x1
    if angle == 180:
        return width - x1, height - bottom, width - x0, height - top
    return top, width - x1, bottom, width - x0
