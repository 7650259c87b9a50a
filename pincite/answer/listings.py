"""What pages enumerate: bullets and numbered items, series after a colon, columns of tables, short lines below a heading.

A listing is read with what leads to it: the words right before it, or its column's header, and the headings above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.answer.candidate import Evidence, Passage
from pincite.answer.leaders import led
from pincite.types import Table

_MARK = re.compile(
    r"\s*+(?:(?P<bullet>[•●▪■◦‣⁃\uf0b7\uf0a7✓➢*–-])|\(?(?P<number>\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s++(?=\S)"
)
_LEADER = re.compile(r"\s*+\.{4,}+\s*+(?:\d{1,4}|[ivxl]+)?\s*+$")
_COLON = re.compile(
    r"^(?P<lead>[^:;]{4,}?)(?::\s++|,?\s++(?P<open>such\s++as|including|namely)\s++|\s++"
    r"(?P<whole>(?:consists?|composed|comprised)\s++(?:\w+ly\s++)?of|compris(?:es?|ing))\s++)(?P<items>[^:;]+(?:[,;]\s++[^:;,]++)+)$",
    re.DOTALL,
)
_SENTENCE = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b(?:Mr|Ms|Dr|St|No|vs)\.)(?<!\bMrs\.)\s+(?=[A-Z(“\"])")
_NEAR = {"series": 10, "open": 4, "whole": 12}
"""How many words before a series its noun may stand: behind a colon, behind "such as", behind "consists of"."""
_LONGEST = 12
"""Words of the longest line that is an item by itself."""
_COLUMN = 60
"""Cells of the longest column that is read as a listing."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a listing, without its mark; `beside` is what else stands in its table row."""

    text: str
    where: Evidence
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """Items in order under the words `lead`; `above` is the path of headings.

    `made` is how the listing was recognised: list, contents, lines, column, series (after a colon),
    open ("such as") or whole ("consists of").
    """

    lead: str
    above: str
    items: tuple[Item, ...]
    made: str
    rank: int
    numbered: bool = False


def listings(passages: Sequence[Passage]) -> list[Listing]:
    """Every listing of the pages, in reading order; at least two items each."""
    out: list[Listing] = []
    for at, passage in enumerate(passages):
        text = passage.node.text
        if passage.node.table is not None:
            out += _columns(passage, passage.node.table)
        elif passage.node.kind in ("list", "paragraph"):
            before = _before(passages, at)
            marked = tuple(_marked(passage))
            made = "contents" if "...." in text else "list"
            if marked and (passage.node.kind == "list" or len(marked) > 1):
                _extend(out, Listing(before, passage.heading, marked, made, passage.rank, _numbered(text)))
            elif made == "contents":
                _extend(out, Listing(before, passage.heading, tuple(_entries(passage)), made, passage.rank))
            elif lines := tuple(_short(passage)):
                _extend(out, Listing(before, passage.heading, lines, "lines", passage.rank))
            else:
                out += _series(passage)
    return [one for one in out if len(one.items) > 1]


def _extend(out: list[Listing], new: Listing) -> None:
    """Add a listing, or its items to the one before it, where a page's lines were cut into several blocks."""
    last = out[-1] if out else None
    if last and (last.above, last.made, last.numbered, last.rank) == (new.above, new.made, new.numbered, new.rank):
        out[-1] = replace(last, items=(*last.items, *new.items))
    else:
        out.append(new)


def _before(passages: Sequence[Passage], at: int) -> str:
    """The words that lead to what stands at `at`: a line that ends with a colon, or a short one; else the last heading."""
    passage = passages[at]
    for previous in reversed(passages[max(0, at - 6) : at]):
        if previous.rank != passage.rank or previous.node.kind == "heading":
            break
        text = previous.node.text.strip()
        if previous.node.kind in ("paragraph", "caption", "list") and text.endswith(":"):
            return _SENTENCE.split(text)[-1]
        if previous.node.kind == "paragraph" and not text.endswith((".", ";")) and len(text.split()) <= _LONGEST // 2:
            continue
        if previous.node.kind == "paragraph":
            break
    return passage.heading.rpartition(" > ")[2]


def _numbered(text: str) -> bool:
    match = _MARK.match(text)
    return bool(match and match["number"])


def _entries(passage: Passage) -> Iterator[Item]:
    """The entries of a table of contents, without dot leaders and page numbers."""
    text = passage.node.text
    for start, end, _ in led(text):
        if entry := text[start:end].strip():
            yield Item(entry, quoted(passage, start, end))


def _marked(passage: Passage) -> Iterator[Item]:
    """The items that open with a bullet or a number; lines without one go on with the item before."""
    parts: list[tuple[int, int, int]] = []
    start = 0
    for line in passage.node.text.splitlines(keepends=True):
        match = _MARK.match(line)
        if match:
            parts.append((start + match.end(), start + len(line.rstrip()), start))
        elif parts:
            parts[-1] = (parts[-1][0], start + len(line.rstrip()), parts[-1][2])
        start += len(line)
    for first, last, _ in parts:
        text = _LEADER.sub("", " ".join(passage.node.text[first:last].split()))
        if text:
            yield Item(text, quoted(passage, first, last))


def _short(passage: Passage) -> Iterator[Item]:
    """The lines of a passage whose lines are all short and no sentences."""
    lines = [(match[0].strip(), match) for match in re.finditer(r"[^\n]+", passage.node.text)]
    if all(len(text.split()) <= _LONGEST and not text.endswith((".", ":", ";")) for text, _ in lines):
        yield from (Item(text, quoted(passage, *match.span())) for text, match in lines if any(map(str.isalpha, text)))


def _series(passage: Passage) -> Iterator[Listing]:
    """Series in sentences: "four areas: A, B, and C", "fuels such as A, B and C"."""
    start = 0
    for sentence in _SENTENCE.split(passage.node.text):
        start = passage.node.text.find(sentence, start)
        match = _COLON.fullmatch(sentence.rstrip(" .\n")) if "," in sentence and len(sentence) < 1500 else None
        if match is None:
            continue
        first = start + match.start("items")
        spans = [(first + begin, first + end) for begin, end in _parts(match["items"])]
        texts = [(" ".join(passage.node.text[begin:end].split()).strip(" ,;"), begin, end) for begin, end in spans]
        made = "open" if match["open"] else "whole" if match["whole"] else "series"
        lead = " ".join(match["lead"].split()[-_NEAR[made] :])
        items = tuple(
            Item(text, quoted(passage, begin, end))
            for text, begin, end in texts
            if 0 < len(text.split()) <= 2 * _LONGEST
        )
        yield Listing(lead, passage.heading, items, made, passage.rank)


def _parts(text: str) -> list[tuple[int, int]]:
    """The character ranges of what "A, B (b, c), and D" enumerates: semicolons divide where there are any."""
    divider = r"\s*;\s+(?:(?:and|or)\s+)?" if "; " in text else r"\s*,\s+(?:(?:and|or)\s+)?(?![^()]*\))"
    cuts = [match.span() for match in re.finditer(divider, text)]
    begins, ends = [0, *(end for _, end in cuts)], [*(begin for begin, _ in cuts), len(text)]
    parts = list(zip(begins, ends, strict=True))
    last = re.search(r"\s+(?:and|or)\s+(?![^()]*\))", text[begins[-1] :]) if ";" not in text else None
    if last and not re.search(r"[,;]\s+(?:and|or)\s+$", text[: begins[-1]]):
        parts[-1:] = [(begins[-1], begins[-1] + last.start()), (begins[-1] + last.end(), len(text))]
    return parts


def _columns(passage: Passage, table: Table) -> Iterator[Listing]:
    """Each column of words of a table, with its header; beside each cell the rest of its row."""
    grid: dict[int, dict[int, str]] = {}
    for cell in table.cells:
        grid.setdefault(cell.row, {})[cell.column] = " ".join(cell.text.split())
    columns = sorted({cell.column for cell in table.cells})
    head = table.header_rows
    if head and all(len(grid.get(row, {})) == 1 for row in range(head)) and len(grid.get(head, {})) == len(columns):
        head += 1  # what was taken for the header is a title over the whole table
    rows = sorted(row for row in grid if row >= head)
    for column in columns:
        header = " ".join(
            cell.text
            for cell in table.cells
            if cell.row < head and cell.column <= column < cell.column + cell.column_span and len(grid[cell.row]) > 1
        )
        items = tuple(
            Item(
                grid[row][column],
                Evidence(passage.node, cells=((row, column),), quote=grid[row][column], document=passage.document),
                " | ".join(text for other, text in grid[row].items() if other != column),
            )
            for row in rows
            if grid[row].get(column, "").strip()
        )
        if 1 < len(items) <= _COLUMN and sum(any(map(str.isalpha, one.text)) for one in items) > len(items) / 2:
            above = f"{passage.heading} > {table.caption}" if table.caption else passage.heading
            yield Listing(header, above, items, "column", passage.rank)


def quoted(passage: Passage, start: int, end: int) -> Evidence:
    """The characters [start, end) of a passage, without blanks at their ends, as a place."""
    text = passage.node.text[start:end]
    start, end = start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
    return Evidence(passage.node, start=start, end=end, quote=" ".join(text.split()), document=passage.document)
