"""The layout of a raw page: words to lines, columns, blocks in reading order, each with its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from pincite.ingest.layout.blocks import blocks_of, style_of
from pincite.ingest.layout.boxes import is_within, middle
from pincite.ingest.layout.figures import with_figures
from pincite.ingest.layout.line_traits import known_words, table_text
from pincite.ingest.layout.reading_order import WordRun, regions_of, rows_of, runs_of
from pincite.ingest.raw_page import Block, Page, RawPage, Word
from pincite.ingest.tables.turned_text import Rotation, direction, turned
from pincite.types import Box, Table

SPECK, BACKGROUND = 0.02, 0.9  # shares of a page that pictures cover which are no figures
LEADERS = ".\u2026\u00b7_"  # what leads from a label to its value
AROUND = 1.0  # words belong to a table whose box their middle is in, or so many points outside of


def layout(page: RawPage, tables: Sequence[Table] = ()) -> Page:
    """The blocks of a page in reading order, each with one box per line and the offset in its text of each line.

    Columns are read one after the other; text that spans them stands between. Words inside the box of a table belong to
    that table's block and those inside no other. Text written in another direction than most of the page comes last.
    A page without geometry gives one paragraph of its text.
    """
    blocks = tuple(_blocks(page, tables))
    return Page(page.number, page.width, page.height, blocks, page.seen, page.suspicion)


def _blocks(page: RawPage, tables: Sequence[Table]) -> list[Block]:
    if not page.words:
        text = page.text.strip()
        blocks = [Block("paragraph", text, (None,), (0,))] if text else []
        return [*blocks, *_pictures(page, ())]
    letters = Counter[int]()
    for word in page.words:
        letters[direction(word.angle)] += len(word.text)
    main = letters.most_common(1)[0][0]
    known = known_words(" ".join(word.text for word in page.words))
    blocks = []
    for angle in sorted(letters, key=lambda angle: (angle != main, angle)):
        own = [table for table in tables if _writing_direction(page, table, main) == angle]
        shown = turned(page, angle)
        rotation = Rotation(page.width, page.height, angle)
        across = [table for table in tables if table not in own]
        free = _words_in_no_table(_without_headings(shown.words, across, rotation), own, rotation)
        apart: list[Block] = []
        if angle == main:
            placed = ((table, rotation.forth(table.box)) for table in tables if table.box)
            apart = [
                Block("table", table_text(table), (box,), (0,), table=table)
                for table, box in placed
            ]
            apart += _pictures(shown, free)
        for block in _blocks_in_order(shown, free, apart, known):
            lines = tuple(box and rotation.back(box) for box in block.lines)
            blocks.append(replace(block, lines=lines))
    return with_figures(page, blocks)


def _writing_direction(page: RawPage, table: Table, main: int) -> int:
    """The direction in which most of a table is written."""
    box = table.box
    words = (word for word in page.words if box and is_within(word.box, box, AROUND))
    inside = Counter(direction(word.angle) for word in words)
    return inside.most_common(1)[0][0] if inside else main


def _words_in_no_table(
    words: Sequence[Word], tables: Sequence[Table], rotation: Rotation
) -> list[Word]:
    """The words of a turned page that are in no table."""
    words = free = [word for word in words if word.text.strip()]
    inside: list[Word] = []
    for table in tables:
        if table.box:
            box = rotation.forth(table.box)
            own = [word for word in words if is_within(word.box, box, AROUND)]
            inside += _words_in_no_cell(table, own, rotation)
            free = [word for word in free if not is_within(word.box, box, AROUND)]
    return free + inside


def _without_headings(
    words: Sequence[Word], tables: Sequence[Table], rotation: Rotation
) -> Sequence[Word]:
    """Words without those that are the turned headings of tables written in another direction."""
    for box, table in ((rotation.forth(table.box), table) for table in tables if table.box):
        inside = [word for word in words if is_within(word.box, box, AROUND)]
        words = [word for word in words if word not in inside] + _words_beyond_cells(table, inside)
    return words


def _blocks_in_order(
    page: RawPage, free: Sequence[Word], obstacles: Sequence[Block], known: frozenset[str]
) -> list[Block]:
    """The blocks of a turned page, its tables and pictures as obstacles among the text that is in no table."""
    runs = runs_of(free)
    for at, obstacle in enumerate(obstacles):
        runs += [WordRun([], *box, 10.0, at) for box in obstacle.lines if box]
    regions = [rows_of(region) for region in regions_of(runs)]
    style = style_of(page.words, regions, known, page.height)
    return [block for rows in regions for block in blocks_of(rows, obstacles, style)]


def _words_in_no_cell(table: Table, words: Sequence[Word], rotation: Rotation) -> list[Word]:
    """The words within a table's box that none of its cells holds: of text that runs through it. Nothing is lost."""
    held = sum(len("".join(cell.text.split())) for cell in table.cells)
    boxes = np.array([cell.box for cell in table.cells if cell.box])
    if not boxes.size or sum(len(word.text) for word in words) <= held:
        return []
    left_out = []
    for word in _words_beyond_cells(table, words):
        # its dots that lead to the next cell need not stand in one
        x0, top, x1, bottom = rotation.back(word.box)
        wide = np.minimum(x1, boxes[:, 2]) - np.maximum(x0, boxes[:, 0])
        high = np.minimum(bottom, boxes[:, 3]) - np.maximum(top, boxes[:, 1])
        if not ((wide > 0.5) & (high > 0.3 * (bottom - top))).any():
            left_out.append(word)
    return left_out


def _words_beyond_cells(table: Table, words: Sequence[Word]) -> list[Word]:
    """The words that stand more often in a table's box than in its cells; marks of footnotes are left out with those."""
    count = Counter(word.text.strip(LEADERS) for word in words)
    count.subtract(token.strip(LEADERS) for cell in table.cells for token in cell.text.split())
    if any(cell.marks for cell in table.cells):
        words = [word for word in words if not word.superscript]
    words = [word for word in words if count[word.text.strip(LEADERS)] > 0]
    return [word for word in words if any(map(str.isalnum, word.text))]


def _pictures(page: RawPage, words: Sequence[Word]) -> Iterable[Block]:
    """The pictures that count as figures: not specks, not backgrounds of the page or of text."""
    area = page.width * page.height
    x, y = np.array([middle(word.box) for word in words]).reshape(-1, 2).T
    for at, box in enumerate(page.pictures):
        x0, top, x1, bottom = box
        share = (x1 - x0) * (bottom - top) / area if area else 0.0
        if not SPECK <= share <= BACKGROUND:
            continue
        inside = (x0 - 1 <= x) & (x <= x1 + 1) & (top - 1 <= y) & (y <= bottom + 1)
        if inside.sum() < 4:
            read_off = page.figures[at] if at < len(page.figures) else ()
            yield Block("figure", "", (box,), (0,), inner=_read_off(page, read_off))


def _read_off(page: RawPage, words: Sequence[Word]) -> tuple[Block, ...]:
    """The words read off a figure as one block, in reading order."""
    if not words:
        return ()
    text = ""
    lines: list[Box | None] = []
    starts: list[int] = []
    for block in layout(RawPage(page.number, page.width, page.height, tuple(words))).blocks:
        text += "\n" if text else ""
        starts += [len(text) + start for start in block.starts]
        lines += block.lines
        text += block.text
    return (Block("ocr", text, tuple(lines), tuple(starts)),)
