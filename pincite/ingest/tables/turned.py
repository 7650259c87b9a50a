"""Pages whose text runs up or down, as wide tables on upright pages do: read turned, and the boxes turned back."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from pincite.ingest.page import RawPage, Word
from pincite.types import Box, Table


def reading_angle(page: RawPage) -> int:
    """The direction, of 0, 90, 180 and 270 degrees, in which most of the page's text is written."""
    counted = Counter(word.angle for word in page.words)
    if len(counted) < 2 and 0 in counted or not counted:
        return 0
    angle, count = max(((angle, counted[angle]) for angle in (0, 90, 180, 270)), key=lambda pair: pair[1])
    return angle if count > 0.6 * len(page.words) else 0


def turned(page: RawPage, angle: int) -> RawPage:
    """The page turned so that text written at `angle` is level."""
    if angle == 0:
        return page

    def turn(box: Box) -> Box:
        return _turn(box, page.width, page.height, angle)

    words = tuple(
        Word(w.text, turn(w.box), w.size, w.bold, w.italic, (w.angle - angle) % 360, w.superscript) for w in page.words
    )
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
