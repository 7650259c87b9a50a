"""The languages of a document's pages, and what hangs on them: how the numbers of its tables are written, and parallel texts.

Standards and reports of bilingual countries print the same text in two languages: in columns, in paragraphs or on facing pages.
That is recognised without a dictionary: the same numbers, section numbers among them, and about the same length.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from pincite.ingest.raw_page import Block, Page
from pincite.quantity.numbers import EUROPEAN
from pincite.text.language import language_of, languages, languages_of
from pincite.types import Table

LONG = 40  # characters of a cell that is text of its own, as in a table of two languages
ALIKE = 0.75  # the share of its numbers that a text has in common with its translation
FEW = 3  # fewer numbers say nothing
LENGTHS = 2.0  # so many times as long as the other is no translation
TELLING = 0.5  # weight of evidence by which a block of a page in two languages is in one of them
_NUMBER = re.compile(r"\d(?:[\d.,\u00a0\u202f\u2009]|[ ](?=\d{3}(?!\d)))*")
_COMMA = re.compile(r"\d,\d{1,2}(?!\d)|\d,0\d*|\d\.\d{3}(?:\.\d{3})+|\d\.\d{3},\d|(?<!\d)0,\d")
_POINT = re.compile(r"\d\.\d{1,2}(?![\d.])|\d,\d{3}(?:,\d{3})+|\d,\d{3}\.\d|(?<!\d)0\.\d")
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2},\d{3}(?![\d.,])")
_IN_WORKBOOK = re.compile(r"![A-Z]+\d+:")


@dataclass(frozen=True, slots=True)
class PageLanguages:
    """The languages of a document: that of most of it, "" when nothing tells it, and by number those of its other pages.

    A page in two languages has both, that of most of it first; one that says too little is taken for the document's. `parallel`
    says by number which page has the same text in another language, its own where both stand on it.
    """

    language: str
    others: Mapping[int, tuple[str, ...]]
    parallel: Mapping[int, int]

    def of(self, number: int) -> tuple[str, ...]:
        """The languages of a page."""
        return self.others.get(number, (self.language,) if self.language else ())

    def meta(self, number: int) -> dict[str, Any]:
        """What a page's node says of it: nothing where it is in the document's language alone."""
        others, parallel = self.others.get(number), self.parallel.get(number)
        made: dict[str, Any] = {"languages": list(others)} if others is not None else {}
        return made | ({} if parallel is None else {"parallel": parallel})


def spoken(pages: Sequence[Page]) -> PageLanguages:
    """What language each page of a document is in."""
    told = {page.number: languages_of(_long_texts(page)) for page in pages}
    weight: Counter[str] = Counter()
    for page in pages:
        for code in told[page.number][:1]:
            weight[code] += sum(len(block.text) for block in page.blocks)
    most = next((code for code, _ in weight.most_common(1)), "")
    others = {number: codes for number, codes in told.items() if codes and codes != (most,)}
    return PageLanguages(most, others, _parallel(pages, told) if others else {})


def with_commas(page: Page, codes: Sequence[str]) -> Page:
    """The page, its tables marked whose decimals stand behind a comma: as its language has it, where their numbers agree, or as
    their numbers show beyond doubt.
    """
    comma = bool(codes) and languages()[codes[0]].comma
    blocks = list(page.blocks)
    for at, block in enumerate(blocks):
        # the numbers of a workbook are written with a point whatever its language
        spoken = comma and not _IN_WORKBOOK.search(block.path)
        if block.table is not None and _writes_comma(block.table, spoken):
            blocks[at] = replace(block, table=replace(block.table, comma=True))
    return replace(page, blocks=tuple(blocks))


def _writes_comma(table: Table, spoken: bool) -> bool:
    def count(mark: re.Pattern[str]) -> int:
        return sum(bool(mark.search(cell.text)) for cell in table.cells)

    if spoken:
        return count(_COMMA) >= count(_POINT)
    return count(EUROPEAN) > count(_POINT) + count(_THOUSANDS)


def _long_texts(page: Page) -> Iterator[str]:
    for block in page.blocks:
        cells = block.table.cells if block.table else ()
        long = [cell.text for cell in cells if len(cell.text) >= LONG]
        if len(long) > 1:
            yield from long
        else:
            yield block.text


def _parallel(pages: Sequence[Page], told: Mapping[int, tuple[str, ...]]) -> dict[int, int]:
    """By number of a page, that of the page which says the same in another language: its own where both stand on it.

    `told` are the languages of each page.
    """
    made: dict[int, int] = {}
    for page in pages:
        codes = told.get(page.number, ())
        if len(codes) != 2:
            continue
        texts = [cell.text for block in page.blocks if block.table for cell in block.table.cells]
        texts += [block.text for block in page.blocks if not block.table]
        said = [(language_of(text, codes, TELLING), text) for text in texts]
        if alike(*("\n".join(text for own, text in said if own == code) for code in codes)):
            made[page.number] = page.number
    for page, following in pairwise(pages):
        first, second = told.get(page.number, ()), told.get(following.number, ())
        each_in_one = len(first) == len(second) == 1 and first != second
        if (
            each_in_one
            and page.number not in made
            and alike(_page_text(page), _page_text(following))
        ):
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


def _page_text(page: Page) -> str:
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
    columns = ("\n".join(cell.text for cell in cells if cell.column == at) for at in (0, 1))
    left, right = (language_of(text, codes, TELLING) for text in columns)
    if not left or not right or left == right:
        return [block]
    ordered = sorted(cells, key=lambda cell: (cell.column, cell.row))
    return [Block("paragraph", cell.text, (cell.box,), (0,), path=block.path) for cell in ordered]
