"""Tables of a page, found by ruling lines where there are some and by the alignment of text where there are none."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.ingest.page import RawPage, Word
from pincite.ingest.tables.captions import captioned
from pincite.ingest.tables.framed import frames, within
from pincite.ingest.tables.lattice import lattices
from pincite.ingest.tables.lines import lines
from pincite.ingest.tables.open import open_table
from pincite.ingest.tables.prose import without_prose
from pincite.ingest.tables.regions import regions
from pincite.ingest.tables.ruled import goes_on, only_header, ruled_table
from pincite.ingest.tables.rules import Level, Upright, ruling
from pincite.ingest.tables.turned import reading_angle, turned, turned_back
from pincite.types import Box, Table

__all__ = ["find_tables"]

HEADER = 60.0
"""A header may stand this many points above the first rule of a table."""
MARGIN = 0.045
"""Share of the page's height, at its top, where running headers stand."""


def find_tables(page: RawPage) -> list[Table]:
    """The tables of a page from top to bottom, with spans, boxes, headers, caption and what the caption declares.

    A page whose text mostly runs up or down is read turned; boxes are those of the page as displayed in any case.
    """
    if sum("\ufffd" in word.text for word in page.words) > 0.3 * len(page.words):
        return []
    angle = reading_angle(page)
    found = _tables(turned(page, angle))
    return [turned_back(table, page, angle) for table in found] if angle else found


def _tables(page: RawPage) -> list[Table]:
    level, upright = ruling(page.rules)
    words = [word for word in page.words if word.angle == 0]
    found: list[Table] = []
    for lattice in lattices(level, upright):
        if goes_on(lattice, level, words):
            continue
        made = ruled_table(lattice, words, page.number)
        if made is not None and not only_header(made, words):
            found.append(made)
            words = _outside(words, made.box)
    rest = words
    for x0, top, x1, bottom in frames(level, words, upright):
        for table in _open_tables(within(rest, (x0, top - HEADER, x1, page.height)), level, upright, page):
            if table.box and table.box[1] < bottom:  # it may go on below the last rule, but begins above it
                found.append(table)
                rest = _outside(rest, table.box)
    found.extend(_open_tables(rest, level, upright, page))
    for table in found:
        words = _outside(words, table.box)
    found.sort(key=lambda table: table.box[1] if table.box else 0.0)
    return [captioned(table, lines(_beside(words, table.box, page.height))) for table in found]


def _open_tables(
    words: Sequence[Word], level: Sequence[Level], upright: Sequence[Upright], page: RawPage
) -> list[Table]:
    text = lines(without_prose(words, lines(words, upright)), upright)
    made = (open_table(region, level, page.fills, page.number) for region in regions(text, level))
    return [table for table in made if table is not None]


def _outside(words: Sequence[Word], box: Box | None) -> list[Word]:
    if box is None:
        return list(words)
    x0, top, x1, bottom = box
    return [
        word
        for word in words
        if not (x0 <= (word.box[0] + word.box[2]) / 2 <= x1 and top <= (word.box[1] + word.box[3]) / 2 <= bottom)
    ]


def _beside(words: Sequence[Word], box: Box | None, height: float) -> list[Word]:
    """Words over or under a table, where its caption may stand; running headers at the edge of the page are none."""
    if box is None:
        return []
    left, right = box[0] - 20, box[2] + 20
    high, low = max(box[1] - 130, MARGIN * height), box[3] + 90
    return [word for word in words if left <= word.box[0] and word.box[2] <= right and high < word.box[1] < low]
