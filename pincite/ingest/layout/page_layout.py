"""A raw page understood: words to lines, columns, blocks in reading order, each with its kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pincite.ingest.layout.blocks import blocks_of, style_of
from pincite.ingest.layout.figures import with_figures
from pincite.ingest.layout.line_traits import table_text
from pincite.ingest.layout.reading_order import WordRun, regions_of, rows_of, runs_of
from pincite.ingest.raw_page import Block, Page, RawPage, Word
from pincite.ingest.tables.turned_text import direction
from pincite.types import Box, Table

Turn = Callable[[Box], Box]

LEADERS = ".\u2026\u00b7_"
"""What leads from a label to its value."""
_WORD = re.compile(r"\w+(?:-\w+)*")


def layout(page: RawPage, tables: Sequence[Table] = ()) -> Page:
    """The blocks of a page in reading order, each with one box per line and the offset in its text of each line.

    Columns are read one after the other; text that spans them stands between. Words inside the box of a table belong to
    that table's block and those inside no other. Text written in another direction than most of the page comes last.
    A page without geometry gives one paragraph of its text.
    """
    if not page.words and not tables:
        text = page.text.strip()
        blocks = (Block("paragraph", text, (None,), (0,)),) if text else ()
        held = (*blocks, *_pictures(page, ()))
        return Page(page.number, page.width, page.height, held, page.seen, page.suspicion)
    counted = Counter[int]()
    for word in page.words:
        counted[word.angle] += len(word.text)
    angles = Counter[int]()
    for angle, count in counted.items():
        angles[direction(angle)] += count
    main = angles.most_common(1)[0][0] if angles else 0
    known = frozenset(_WORD.findall(" ".join(word.text for word in page.words).lower()))
    written = [_written(page, table, angles, main) for table in tables]
    blocks_: list[Block] = []
    for angle in sorted(angles or {0: 1}, key=lambda one: (one != main, one)):
        forth, back = _turns(page.width, page.height, angle)
        turned = _turned(page, angle, forth)
        placed = [(table, forth(table.box) if table.box else None) for table in tables]
        own = [one for one, side in zip(placed, written, strict=True) if side == angle]
        free = _free([word for word in turned.words if word.text.strip()], own, back)
        shown = replace(turned, pictures=()) if angle != main else turned
        blocks_ += _blocks(shown, free, placed if angle == main else (), known, back)
    held = tuple(with_figures(page, blocks_))
    return Page(page.number, page.width, page.height, held, page.seen, page.suspicion)


def _written(page: RawPage, table: Table, angles: Counter[int], main: int) -> int:
    """The direction in which most of a table is written."""
    if len(angles) < 2 or table.box is None:
        return main
    inside = Counter(direction(word.angle) for word in page.words if _inside(word.box, table.box))
    return inside.most_common(1)[0][0] if inside else main


def _free(words: list[Word], tables: Sequence[tuple[Table, Box | None]], back: Turn) -> list[Word]:
    """The words that are in no table."""
    placed = [(table, box) for table, box in tables if box is not None]
    if not placed:
        return words
    boxes = [box for _, box in placed]
    free = [word for word in words if not any(map(partial(_inside, word.box), boxes))]
    for table, box in placed:
        free += _left_out(table, [word for word in words if _inside(word.box, box)], back)
    return free


def _blocks(
    page: RawPage,
    free: Sequence[Word],
    tables: Sequence[tuple[Table, Box | None]],
    known: frozenset[str],
    back: Turn,
) -> list[Block]:
    placed = [(table, box) for table, box in tables if box is not None]
    pictures = list(_pictures(page, free))
    obstacles: list[Block] = [
        *(Block("table", table_text(table), (box,), (0,), table=table) for table, box in placed),
        *pictures,
    ]
    runs = runs_of(free)
    for at, block in enumerate(obstacles):
        x0, top, x1, bottom = block.lines[0] or (0.0, 0.0, 0.0, 0.0)
        runs.append(WordRun([], x0, top, x1, bottom, 10.0, at))
    regions = [rows_of(region) for region in regions_of(runs)]
    style = style_of(page.words, regions, known, page.height)
    blocks: list[Block] = []
    for rows in regions:
        blocks += blocks_of(rows, obstacles, style)
    for table, box in tables:
        if box is None:
            blocks.append(Block("table", table_text(table), (None,), (0,), table=table))
    return [replace(block, lines=tuple(box and back(box) for box in block.lines)) for block in blocks]


def _left_out(table: Table, words: Sequence[Word], back: Turn) -> list[Word]:
    """The words within a table's box that none of its cells holds: of text that runs through it. Nothing is lost."""
    boxes = [cell.box for cell in table.cells if cell.box]
    held = sum(len("".join(cell.text.split())) for cell in table.cells)
    if not boxes or sum(len(word.text) for word in words) <= held:
        return []
    marked = any(cell.marks for cell in table.cells)
    placed = np.array(boxes)
    missing = Counter(word.text.strip(LEADERS) for word in words)
    missing.subtract(token.strip(LEADERS) for cell in table.cells for token in cell.text.split())
    return [
        word
        for word in words
        if missing[word.text.strip(LEADERS)] > 0
        and any(map(str.isalnum, word.text))
        and not (marked and word.superscript)
        and not _stands_in(back(word.box), placed)
    ]


def _stands_in(word: Box, cells: NDArray[np.float64]) -> bool:
    """Whether a word stands in one of some cells, a box a row; its dots that lead to the next one need not."""
    x = np.minimum(word[2], cells[:, 2]) - np.maximum(word[0], cells[:, 0])
    y = np.minimum(word[3], cells[:, 3]) - np.maximum(word[1], cells[:, 1])
    return bool(((x > 0.5) & (y > 0.3 * (word[3] - word[1]))).any())


def _pictures(page: RawPage, words: Sequence[Word]) -> Iterable[Block]:
    """The pictures that count as figures: not specks, not backgrounds of the page or of text."""
    area = page.width * page.height
    boxes = np.array([word.box for word in words]).reshape(-1, 4)
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    for at, box in enumerate(page.pictures):
        x0, top, x1, bottom = box
        share = (x1 - x0) * (bottom - top) / area if area else 0.0
        if not 0.02 <= share <= 0.9:
            continue
        inside = (x0 - 1 <= x) & (x <= x1 + 1) & (top - 1 <= y) & (y <= bottom + 1)
        if inside.sum() < 4:
            words_ = page.figures[at] if at < len(page.figures) else ()
            yield Block("figure", "", (box,), (0,), inner=_read_off(page, words_))


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


def _inside(box: Box, outer: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] - 1 <= x <= outer[2] + 1 and outer[1] - 1 <= y <= outer[3] + 1


def _turned(page: RawPage, angle: int, forth: Turn) -> RawPage:
    """The page turned so that the words written at `angle` read level, with those words only."""
    angles = {word.angle for word in page.words}
    own = {turn for turn in angles if direction(turn) == angle}
    words = page.words if own == angles else tuple(word for word in page.words if word.angle in own)
    if angle not in (90, 180, 270):
        return replace(page, words=words)
    width, height = (page.height, page.width) if angle != 180 else (page.width, page.height)
    words = tuple(replace(word, box=forth(word.box), angle=0) for word in words)
    return replace(page, width=width, height=height, words=words, pictures=tuple(map(forth, page.pictures)))


def _turns(width: float, height: float, angle: int) -> tuple[Turn, Turn]:
    """Boxes of the page to boxes of the page turned by `angle`, and back."""
    turns: dict[int, tuple[Turn, Turn]] = {
        90: (
            lambda b: (height - b[3], b[0], height - b[1], b[2]),
            lambda b: (b[1], height - b[2], b[3], height - b[0]),
        ),
        180: (lambda b: (width - b[2], height - b[3], width - b[0], height - b[1]),) * 2,
        270: (lambda b: (b[1], width - b[2], b[3], width - b[0]), lambda b: (width - b[3], b[0], width - b[1], b[2])),
    }
    return turns.get(angle, (lambda b: b, lambda b: b))
