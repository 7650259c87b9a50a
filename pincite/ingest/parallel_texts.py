"""The same text in two languages: pages whose columns, paragraphs or facing pages repeat each other.

Standards and reports of bilingual countries are printed so. They are recognised without a dictionary: the same numbers, section
numbers among them, and about the same length, in two languages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from pincite.ingest.raw_page import Block, Page
from pincite.language import language_of
from pincite.types import Cell

ALIKE = 0.75
"""The share of its numbers that a text has in common with its translation."""
FEW = 3
"""Fewer numbers say nothing."""
LENGTHS = 2.0
"""So many times as long as the other is no translation."""
TELLING = 0.5
"""The weight of evidence by which a block of a page in two languages is in one of them."""

_NUMBER = re.compile(r"\d(?:[\d.,\u00a0\u202f\u2009]|[ ](?=\d{3}(?!\d)))*")


def parallel(pages: Sequence[Page], told: Mapping[int, tuple[str, ...]]) -> dict[int, int]:
    """By number of a page, that of the page which says the same in another language: its own where both stand on it.

    `told` are the languages of each page.
    """
    made: dict[int, int] = {}
    for page in pages:
        codes = told.get(page.number, ())
        if len(codes) == 2 and alike(*(_said_in(page, code, codes) for code in codes)):
            made[page.number] = page.number
    for page, following in pairwise(pages):
        first, second = told.get(page.number, ()), told.get(following.number, ())
        each_in_one = len(first) == len(second) == 1 and first != second
        if each_in_one and page.number not in made and alike(_text(page), _text(following)):
            made[page.number], made[following.number] = following.number, page.number
    return made


def alike(text: str, other: str) -> bool:
    """Whether two texts are as long and hold the same numbers, as a text and its translation do."""
    mine, theirs = Counter(_numbers(text)), Counter(_numbers(other))
    few = min(mine.total(), theirs.total()) < FEW
    if few or not 1 / LENGTHS <= len(text) / len(other) <= LENGTHS:
        return False
    return 2 * (mine & theirs).total() >= ALIKE * (mine.total() + theirs.total())


def _numbers(text: str) -> list[str]:
    """Numbers however their language writes them: "1 600", "1.600" and "1,600" are the same, and so are "1,6" and "1.6"."""
    return ["".join(filter(str.isdecimal, number)) for number in _NUMBER.findall(text)]


def _said_in(page: Page, code: str, codes: tuple[str, ...]) -> str:
    texts = [cell.text for block in page.blocks if block.table for cell in block.table.cells]
    texts += [block.text for block in page.blocks if not block.table]
    return "\n".join(text for text in texts if language_of(text, codes, TELLING) == code)


def _text(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks)


def unfolded(page: Page, codes: Sequence[str]) -> Page:
    """The page, a table whose columns are two languages as the paragraphs that it lays out side by side."""
    if len(codes) != 2 or not any(block.table for block in page.blocks):
        return page
    blocks = (paragraph for block in page.blocks for paragraph in _paragraphs(block, codes))
    return replace(page, blocks=tuple(blocks))


def _paragraphs(block: Block, codes: Sequence[str]) -> list[Block]:
    cells = [cell for cell in block.table.cells if cell.text.strip()] if block.table else []
    if any(cell.column > 1 for cell in cells):
        return [block]
    left, right = _language_of_column(cells, 0, codes), _language_of_column(cells, 1, codes)
    if not left or not right or left == right:
        return [block]
    ordered = sorted(cells, key=lambda cell: (cell.column, cell.row))
    return [Block("paragraph", cell.text, (cell.box,), (0,), path=block.path) for cell in ordered]


def _language_of_column(cells: Sequence[Cell], column: int, codes: Sequence[str]) -> str:
    text = "\n".join(cell.text for cell in cells if cell.column == column)
    return language_of(text, codes, TELLING)
