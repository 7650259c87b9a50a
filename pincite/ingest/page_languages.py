"""The languages of a document's pages, and what hangs on them: how the numbers of its tables are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pincite.ingest.parallel_texts import parallel
from pincite.ingest.raw_page import Block, Page
from pincite.language import languages, languages_of
from pincite.quantity.numbers import EUROPEAN
from pincite.types import Table

LONG = 40
"""A cell of so many characters is text of its own: a page in two languages is often one table of two columns."""

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
    told = {page.number: languages_of(_texts(page)) for page in pages}
    weight: Counter[str] = Counter()
    for page in pages:
        for code in told[page.number][:1]:
            weight[code] += sum(len(block.text) for block in page.blocks)
    most = next((code for code, _ in weight.most_common(1)), "")
    others = {number: codes for number, codes in told.items() if codes and codes != (most,)}
    return PageLanguages(most, others, parallel(pages, told) if others else {})


def with_commas(page: Page, codes: Sequence[str]) -> Page:
    """The page, its tables marked whose decimals stand behind a comma: as its language has it, where their numbers agree, or as
    their numbers show beyond doubt.
    """
    comma = bool(codes) and languages()[codes[0]].comma
    blocks = tuple(_with_comma(block, comma) for block in page.blocks)
    return page if blocks == page.blocks else replace(page, blocks=blocks)


def _with_comma(block: Block, comma: bool) -> Block:
    # the numbers of a workbook are written with a point whatever its language
    spoken = comma and not _IN_WORKBOOK.search(block.path)
    if block.table is None or not _writes_comma(block.table, spoken):
        return block
    return replace(block, table=replace(block.table, comma=True))


def _writes_comma(table: Table, spoken: bool) -> bool:
    if spoken:
        return _count(_COMMA, table) >= _count(_POINT, table)
    return _count(EUROPEAN, table) > _count(_POINT, table) + _count(_THOUSANDS, table)


def _count(mark: re.Pattern[str], table: Table) -> int:
    return sum(bool(mark.search(cell.text)) for cell in table.cells)


def _texts(page: Page) -> Iterator[str]:
    for block in page.blocks:
        cells = block.table.cells if block.table else ()
        long = [cell.text for cell in cells if len(cell.text) >= LONG]
        if len(long) > 1:
            yield from long
        else:
            yield block.text
