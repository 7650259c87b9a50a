"""Text that runs up, down or on its head, as wide tables on upright pages do: read turned, and the boxes turned back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache

from pincite.ingest.raw_page import RawPage
from pincite.types import Box, Table

ASKEW = 5
"""Text that is off a quarter turn by no more degrees is written so, on a page that was scanned askew."""
FEWEST = 8
"""Fewer words in another direction than that of the page are no table: labels of axes, stamps in the margin."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """A page of this size turned so that text written at `angle` is level; at other angles than quarter turns it stays."""

    width: float
    height: float
    angle: int

    def forth(self, box: Box) -> Box:
        """A box of the page on the turned one."""
        return _turned_box(box, self.width, self.height, self.angle)

    def back(self, box: Box) -> Box:
        """A box of the turned page on the page."""
        return _turned_box(box, *self.size, -self.angle % 360)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the turned page."""
        return (self.height, self.width) if self.angle in (90, 270) else (self.width, self.height)


@cache
def direction(angle: int) -> int:
    """The nearest quarter turn; slanted text keeps its own angle."""
    quarter = round(angle / 90) * 90
    return quarter % 360 if abs(angle - quarter) <= ASKEW else angle


def directions(page: RawPage) -> list[int]:
    """The quarter turns in which text enough for a table is written, that of most words first."""
    counted = enumerate(Counter(direction(word.angle) for word in page.words).most_common())
    told = (angle for at, (angle, count) in counted if at == 0 or count >= FEWEST)
    return [angle for angle in told if angle % 90 == 0]


def turned(page: RawPage, angle: int) -> RawPage:
    """The page turned so that text written at `angle` is level, with that text only."""
    words = tuple(word for word in page.words if direction(word.angle) == angle)
    if angle not in (90, 180, 270):
        return replace(page, words=words)
    rotation = Rotation(page.width, page.height, angle)
    width, height = rotation.size
    shown = [
        replace(word, box=rotation.forth(word.box), angle=(word.angle - angle) % 360)
        for word in words
    ]
    made = replace(page, width=width, height=height, words=tuple(shown))
    boxes = (page.rules, page.fills, page.pictures)
    rules, fills, pictures = (tuple(map(rotation.forth, held)) for held in boxes)
    return replace(made, rules=rules, fills=fills, pictures=pictures)


def turned_back(table: Table, page: RawPage, angle: int) -> Table:
    """A table found on the turned page with its boxes on `page` as displayed."""
    rotation = Rotation(page.width, page.height, angle)
    cells = tuple(replace(cell, box=cell.box and rotation.back(cell.box)) for cell in table.cells)
    return replace(table, box=table.box and rotation.back(table.box), cells=cells)


def _turned_box(box: Box, width: float, height: float, angle: int) -> Box:
    """A box of a page of this size after the page is turned clockwise by `angle` degrees."""
    x0, top, x1, bottom = box
    if angle == 90:
        return height - bottom, x0, height - top, x1
    if angle == 180:
        return width - x1, height - bottom, width - x0, height - top
    return (top, width - x1, bottom, width - x0) if angle == 270 else box
