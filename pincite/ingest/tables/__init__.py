"""Tables of a page, found by ruling lines where there are some and by the alignment of text where there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pincite.ingest.layout.boxes import is_within
from pincite.ingest.raw_page import RawPage, Word
from pincite.ingest.tables.between_rules import frames, within
from pincite.ingest.tables.captions import captioned
from pincite.ingest.tables.chunks import Chunk, lines
from pincite.ingest.tables.footnote_marks import may_be_marked, without_marks
from pincite.ingest.tables.lattice import lattices
from pincite.ingest.tables.regions import regions
from pincite.ingest.tables.ruled import goes_on, only_header, ruled_table
from pincite.ingest.tables.rules import Level, Upright, ruling
from pincite.ingest.tables.running_text import without
from pincite.ingest.tables.text_columns import TextColumn, level_share, runs_across, text_columns
from pincite.ingest.tables.turned_headings import with_headings
from pincite.ingest.tables.turned_text import directions, turned, turned_back
from pincite.ingest.tables.unruled import open_table
from pincite.types import Box, Table

__all__ = ["find_tables"]

HEADER = 60.0
"""A header may stand this many points above the first rule of a table."""
MARGIN = 0.045
"""Share of the page's height, at its top, where running headers stand."""


def find_tables(page: RawPage) -> list[Table]:
    """The tables of a page from top to bottom, with spans, boxes, headers, caption and what the caption declares.

    Text that runs up, down or on its head is read turned, its tables come after those of most of the page's text; boxes are
    those of the page as displayed in any case.
    """
    if sum("\ufffd" in word.text for word in page.words) > 0.3 * len(page.words):
        return []
    found: list[Table] = []
    for angle in directions(page):
        made = _tables(with_headings(turned(page, angle), page, angle))
        found += [turned_back(table, page, angle) for table in made]
        page = replace(page, words=tuple(_outside(page.words, found)))
    return found


def _tables(page: RawPage) -> list[Table]:
    level, upright = ruling(page.rules)
    found = _ruled_tables(page, level, upright)
    rest = _outside(page.words, found)
    for x0, top, x1, bottom in frames(level, rest, upright):
        near = within(rest, (x0, top - HEADER, x1, page.height))
        for table in _open_tables(near, level, upright, page):
            # it may go on below the last rule, but begins above it
            if table.box and table.box[1] < bottom:
                found.append(table)
                rest = _outside(rest, [table])
    found.extend(_open_tables(rest, level, upright, page))
    words = _outside(page.words, found)
    found.sort(key=lambda table: table.box[1] if table.box else 0.0)
    return [_told(table, words, page) for table in found]


def _ruled_tables(
    page: RawPage, level: Sequence[Level], upright: Sequence[Upright]
) -> list[Table]:
    found: list[Table] = []
    words: Sequence[Word] = page.words
    for lattice in lattices(level, upright):
        if goes_on(lattice, level, words):
            continue
        made = ruled_table(lattice, words, page.number)
        if made is not None and not only_header(made, words):
            found.append(made)
            words = _outside(words, [made])
    return found


def _told(table: Table, words: Sequence[Word], page: RawPage) -> Table:
    """A table with what the text around it says: its caption, and the notes whose marks stand in its cells."""
    if table.box and may_be_marked(table):
        low = table.box[3] - 1
        table = without_marks(table, lines(word for word in words if word.box[1] > low))
    return captioned(table, lines(_beside(words, table.box, page.height)))


def _open_tables(
    words: Sequence[Word], level: Sequence[Level], upright: Sequence[Upright], page: RawPage
) -> list[Table]:
    """The tables without a lattice; on a page of several columns those of each column, unless one runs across."""
    columns = text_columns(words, level, upright)
    found = [table for column in columns for table in _aligned(column, level, upright, page)]
    if len(columns) > 1:
        values = lines(_outside(words, found), upright)
        if any(runs_across(table, values) for table in found):
            return _aligned(TextColumn.of(words, upright), level, upright, page)
    return found


def _aligned(
    column: TextColumn, level: Sequence[Level], upright: Sequence[Upright], page: RawPage
) -> list[Table]:
    """The tables whose values stand in line. Running text that a table would run through is part of it."""
    running = column.running
    while True:
        text = lines(without(column.words, running), upright) if running else column.lines
        made = (
            open_table(region, level, page.fills, page.number) for region in regions(text, level)
        )
        found = [table for table in made if table is not None]
        left = [stack for stack in running if not any(map(partial(_runs_through, stack), found))]
        if len(left) == len(running):
            return found
        running = left


def _runs_through(stack: Sequence[Chunk], table: Table) -> bool:
    """Whether a stack of running text stands in a table, or is the long labels of its rows."""
    first = [chunk.words[0] for chunk in stack]
    if table.box is None:
        return False
    inside = 2 * len(within(first, table.box)) >= len(stack)
    return inside or stack[0].x1 <= table.box[0] and _labels(first, table)


def _labels(words: Sequence[Word], table: Table) -> bool:
    """Whether words left of a table, which begin lines, begin the labels of its rows: they are level, most with a capital."""
    if 3 * sum(word.text[0].islower() for word in words) > len(words):
        return False
    bottoms = [word.box[3] for word in words]
    below = [cell for cell in table.cells if cell.row >= table.header_rows]
    return level_share(below, bottoms) > 2 / 3


def _outside(words: Sequence[Word], tables: Sequence[Table]) -> list[Word]:
    """The words that stand in none of some tables."""
    boxes = [table.box for table in tables if table.box]
    return [word for word in words if not any(map(partial(is_within, word.box), boxes))]


def _beside(words: Sequence[Word], box: Box | None, height: float) -> list[Word]:
    """Words over or under a table, where its caption may stand; running headers at the edge of the page are none."""
    if box is None:
        return []
    left, right = box[0] - 20, box[2] + 20
    high, low = max(box[1] - 130, MARGIN * height), box[3] + 90
    between = (word for word in words if high < word.box[1] < low)
    return [word for word in between if left <= word.box[0] and word.box[2] <= right]
