"""Tables of a page, found by ruling lines where there are some and by the alignment of text where there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pincite.ingest.layout.boxes import is_within
from pincite.ingest.raw_page import RawPage, Word
from pincite.ingest.tables.assembly import extent
from pincite.ingest.tables.between_rules import frames, within
from pincite.ingest.tables.captions import captioned
from pincite.ingest.tables.chunks import Chunk, lines
from pincite.ingest.tables.footnote_marks import may_be_marked, without_marks
from pincite.ingest.tables.lattice import lattices
from pincite.ingest.tables.regions import regions
from pincite.ingest.tables.ruled import goes_on, only_header, ruled_table
from pincite.ingest.tables.rules import Ruling
from pincite.ingest.tables.running_text import without
from pincite.ingest.tables.text_columns import TextColumn, level_share, runs_across, text_columns
from pincite.ingest.tables.turned_headings import with_headings
from pincite.ingest.tables.turned_text import directions, turned, turned_back
from pincite.ingest.tables.unruled import open_table
from pincite.types import Table

__all__ = ["find_tables"]

UNKNOWN = 0.3  # no table is read where a larger share of words has characters without a name
HEADER = 60.0  # a header may stand this many points above the first rule of a table
MARGIN = 0.045  # share of the page's height, at its top, where running headers stand
OVER, UNDER, BESIDE = (
    130.0,
    90.0,
    20.0,
)  # points above, below and beside a table within which its caption may stand


def find_tables(page: RawPage) -> list[Table]:
    """The tables of a page from top to bottom, with spans, boxes, headers, caption and what the caption declares.

    Text that runs up, down or on its head is read turned, its tables come after those of most of the page's text; boxes are
    those of the page as displayed in any case.
    """
    if sum("\ufffd" in word.text for word in page.words) > UNKNOWN * len(page.words):
        return []
    found: list[Table] = []
    for angle in directions(page):
        made = _tables(with_headings(turned(page, angle), page, angle))
        found += [turned_back(table, page, angle) for table in made]
        page = replace(page, words=tuple(_words_outside(page.words, found)))
    return found


def _tables(page: RawPage) -> list[Table]:
    ruling = Ruling.of(page.rules)
    found = _ruled_tables(page, ruling)
    rest = _words_outside(page.words, found)
    for x0, top, x1, bottom in frames(ruling, rest):
        near = within(rest, (x0, top - HEADER, x1, page.height))
        for table in _open_tables(near, ruling, page):
            if extent(table)[1] < bottom:  # it may go on below the last rule, but begins above it
                found.append(table)
                rest = _words_outside(rest, [table])
    found.extend(_open_tables(rest, ruling, page))
    words = _words_outside(page.words, found)
    found.sort(key=lambda table: extent(table)[1])
    return [_with_surroundings(table, words, page) for table in found]


def _ruled_tables(page: RawPage, ruling: Ruling) -> list[Table]:
    found: list[Table] = []
    words: Sequence[Word] = page.words
    for lattice in lattices(ruling):
        if goes_on(lattice, ruling.level, words):
            continue
        made = ruled_table(lattice, words, page.number)
        if made is not None and not only_header(made, words):
            found.append(made)
            words = _words_outside(words, [made])
    return found


def _with_surroundings(table: Table, words: Sequence[Word], page: RawPage) -> Table:
    """A table with what the text around it says: its caption, and the notes whose marks stand in its cells."""
    x0, top, x1, bottom = extent(table)
    if may_be_marked(table):
        table = without_marks(table, lines(word for word in words if word.box[1] > bottom - 1))
    high, low = max(top - OVER, MARGIN * page.height), bottom + UNDER
    between = (word for word in words if high < word.box[1] < low)
    beside = (
        word for word in between if x0 - BESIDE <= word.box[0] and word.box[2] <= x1 + BESIDE
    )
    return captioned(table, lines(beside))


def _open_tables(words: Sequence[Word], ruling: Ruling, page: RawPage) -> list[Table]:
    """The tables without a lattice; on a page of several columns those of each column, unless one runs across."""
    columns = text_columns(words, ruling)
    found = [table for column in columns for table in _aligned_tables(column, ruling, page)]
    if len(columns) > 1:
        values = lines(_words_outside(words, found), ruling.upright)
        if any(runs_across(table, values) for table in found):
            return _aligned_tables(TextColumn.of(words, ruling), ruling, page)
    return found


def _aligned_tables(column: TextColumn, ruling: Ruling, page: RawPage) -> list[Table]:
    """The tables whose values stand in line. Running text that a table would run through is part of it."""
    running = column.running
    while True:
        text = lines(without(column.words, running), ruling.upright) if running else column.lines
        made = (open_table(region, ruling.level, page) for region in regions(text, ruling.level))
        found = [table for table in made if table is not None]
        left = [stack for stack in running if not any(map(partial(_runs_through, stack), found))]
        if len(left) == len(running):
            return found
        running = left


def _runs_through(stack: Sequence[Chunk], table: Table) -> bool:
    """Whether a stack of running text stands in a table, or is the long labels of its rows."""
    first = [chunk.words[0] for chunk in stack]
    if 2 * len(within(first, extent(table))) >= len(stack):
        return True
    return stack[0].x1 <= extent(table)[0] and _are_labels(first, table)


def _are_labels(words: Sequence[Word], table: Table) -> bool:
    """Whether words left of a table, which begin lines, begin the labels of its rows: they are level, most with a capital."""
    if 3 * sum(word.text[0].islower() for word in words) > len(words):
        return False
    body = [cell for cell in table.cells if cell.row >= table.header_rows]
    return level_share(body, [word.box[3] for word in words]) > 2 / 3


def _words_outside(words: Sequence[Word], tables: Sequence[Table]) -> list[Word]:
    """The words that stand in none of some tables."""
    boxes = list(map(extent, tables))
    return [word for word in words if not any(map(partial(is_within, word.box), boxes))]
