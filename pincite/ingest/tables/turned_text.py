"""Text that runs up, down or on its head, as wide tables on upright pages do: read turned, and the boxes turned back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache

from pincite.ingest.raw_page import RawPage
from pincite.types import Box, Table

ASKEW = 5  # degrees off a quarter turn that scans are askew by
FEWEST = 8  # fewer words in another direction than the page's are labels of axes or stamps


@dataclass(frozen=True, slots=True)
class Rotation:
    """A page of this size turned so that text written at `angle` is level; at other angles than quarter turns it stays."""

    width: float
    height: float
    angle: int

    @property
    def turned(self) -> Rotation:
        """That of the turned page, by which it is turned back."""
        size = self.width, self.height
        return Rotation(*(size[::-1] if self.angle in (90, 270) else size), -self.angle % 360)

    def forth(self, box: Box) -> Box:
        """A box of the page on the turned one."""
        x0, top, x1, bottom = box
        if self.angle == 90:
            return self.height - bottom, x0, self.height - top, x1
        if self.angle == 180:
            return self.width - x1, self.height - bottom, self.width - x0, self.height - top
        return (top, self.width - x1, bottom, self.width - x0) if self.angle == 270 else box

    def back(self, box: Box) -> Box:
        """A box of the turned page on the page."""
        return self.turned.forth(box)


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
    shown = (
        replace(word, box=rotation.forth(word.box), angle=(word.angle - angle) % 360)
        for word in words
    )
    boxes = (page.rules, page.fills, page.pictures)
    rules, fills, pictures = (tuple(map(rotation.forth, held)) for held in boxes)
    width, height = rotation.turned.width, rotation.turned.height
    made = replace(page, width=width, height=height, words=tuple(shown))
    return replace(made, rules=rules, fills=fills, pictures=pictures)


def turned_back(table: Table, page: RawPage, angle: int) -> Table:
    """A table found on the turned page with its boxes on `page` as displayed."""
    rotation = Rotation(page.width, page.height, angle)
    cells = tuple(replace(cell, box=cell.box and rotation.back(cell.box)) for cell in table.cells)
    return replace(table, box=table.box and rotation.back(table.box), cells=cells)
