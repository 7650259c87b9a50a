"""What a model is shown: pages as numbered pieces of text, their tables with a handle for every cell.

A table is Markdown, with letters over its columns and numbers before its rows. Where cells are merged it is HTML, which says
what a cell spans, and every cell has its handle as its id.

A document cannot imitate the lines that open and close a piece: they carry a mark computed from all that is shown, so a text
would have to contain its own hash. Characters that a reader of the page does not see are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Literal

from pincite.corpus import Corpus
from pincite.document.table_headers import headers
from pincite.document.words import stems
from pincite.evidence.candidate import Passage
from pincite.evidence.chunk_passages import chunks
from pincite.evidence.cited_place import clipped
from pincite.evidence.gathering import READ, gather, once, with_tables
from pincite.generate.reading_budget import first_within, within
from pincite.index.token_windows import TokenWindows
from pincite.ingest.tree import section_path
from pincite.language import ENGLISH
from pincite.ledger import note
from pincite.plural import counted
from pincite.quantity.units import is_counted
from pincite.question.ask import Ask
from pincite.search.bilingual_pages import asked_in
from pincite.types import Cell, Hit, Node, Table

LONGEST = 24_000
"""Characters of one piece; of a longer page the blocks that share most words with the question are shown."""
_HANDLE = re.compile(r"\W*+T?(\d++)\W*+([A-Z]{1,2})\W?(\d{1,4})\W*+", re.IGNORECASE)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
"""What opens a tag; in "<1%" it is text, and stays what a model would copy."""
_SCALES = {3: "thousands", 6: "millions", 9: "billions", 12: "trillions"}

Unit = Literal["page", "section", "passage", "chunk"]


@dataclass(frozen=True)
class ShownPieces:
    """The pieces a model is given, best first: `pages[i]` are the passages of piece i + 1."""

    pages: tuple[tuple[Passage, ...], ...]
    ask: Ask | None = None

    def first(self, count: int) -> ShownPieces:
        """What is left when only the first pieces fitted."""
        return ShownPieces(self.pages[:count], self.ask)

    @property
    def passages(self) -> list[Passage]:
        """All that is shown, in its order."""
        return [passage for page in self.pages for passage in page]

    @cached_property
    def tables(self) -> Mapping[int, Passage]:
        """The tables by the number in their handle, from 1 on."""
        return dict(
            enumerate((passage for passage in self.passages if passage.node.table is not None), 1)
        )

    @cached_property
    def _bodies(self) -> tuple[str, ...]:
        numbers = {held.node.id: number for number, held in self.tables.items()}
        return tuple(_body(page, numbers, self.ask) for page in self.pages)

    @cached_property
    def mark(self) -> str:
        """What tells the lines around a piece from lines of a document."""
        return blake2b("\0".join(self._bodies).encode(errors="replace"), digest_size=6).hexdigest()

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The text of each piece between its own two lines."""
        mark = self.mark
        return tuple(
            f"=== {mark} page {number} of the context | {_source(page)} ===\n{body}\n=== {mark} end of page {number} ==="
            for number, (page, body) in enumerate(zip(self.pages, self._bodies, strict=True), 1)
        )

    @staticmethod
    def handle(number: int, row: int, column: int) -> str:
        """The handle of a cell of a table by its number: "T2!C5"."""
        return f"T{number}!{_letters(column)}{row + 1}"

    def cell(self, handle: str) -> tuple[Passage, tuple[int, int]] | None:
        """The table and the (row, column) of a handle such as "T2!C5"; None when there is no such cell."""
        found = _HANDLE.fullmatch(handle.strip())
        passage = self.tables.get(int(found[1])) if found else None
        if found is None or passage is None or passage.node.table is None:
            return None
        at = int(found[3]) - 1, _column(found[2])
        origin = _covering(passage.node.table).get(at)
        return (passage, origin) if origin else None


def shown(
    corpus: Corpus,
    hits: Sequence[Hit],
    k: int,
    by: Unit = "page",
    ask: Ask | None = None,
    windows: TokenWindows | None = None,
    budget: int | None = None,
) -> ShownPieces:
    """The `k` best pages, or the sections, single passages or chunks (of these `windows`) that were hit on them, each once.

    With a `budget` in tokens only the best passages of the pages and sections, or the first of the others.
    """
    pieces = _pieces(corpus, hits, k, by, ask, windows)
    if budget is not None:
        whole = sum(map(len, pieces))
        choose = by in ("page", "section")
        pieces = within(pieces, budget, ask) if choose else first_within(pieces, budget)
        if (left := sum(map(len, pieces))) < whole:
            note(f"a small model is shown {left} of {counted(whole, 'passage')}")
    return ShownPieces(pieces, ask)


def _pieces(
    corpus: Corpus,
    hits: Sequence[Hit],
    k: int,
    by: Unit,
    ask: Ask | None,
    windows: TokenWindows | None,
) -> tuple[tuple[Passage, ...], ...]:
    code = asked_in(ask.query) if ask is not None else ENGLISH
    if by == "chunk":
        return tuple(chunks(corpus, windows, hits, k, code))
    if by == "page":
        pages: dict[int, list[Passage]] = {}
        for passage in gather(corpus, hits, k, code):
            pages.setdefault(passage.rank, []).append(passage)
        return tuple(tuple(page) for page in pages.values())
    out: dict[tuple[str, ...], tuple[Passage, ...]] = {}
    for hit in hits:
        piece = _around(corpus, hit, by, len(out), code)
        if piece:
            out.setdefault(tuple(passage.node.id for passage in piece), piece)
        if len(out) == k:
            break
    return tuple(out.values())


def _around(corpus: Corpus, hit: Hit, by: Unit, rank: int, code: str) -> tuple[Passage, ...]:
    """The passage that holds a hit, or all of its section on its page; a hit page is shown whole."""
    place = corpus.places([hit.node]).get(hit.node)
    nodes = corpus.nodes([hit.node])
    if place is None or not nodes:
        return ()
    document = corpus.by_version[place[0]]
    held = nodes[0]
    if held.kind == "row":
        around = with_tables(corpus, nodes)
    else:
        on_page = [node for node in once(corpus.page(*place), code) if node.kind in READ]
        around = on_page if held.kind == "page" else _near(held, on_page, by)
    return tuple(
        Passage(node, rank, hit.score, section_path(node), document.id, document.title)
        for node in around
    )


def _near(held: Node, on_page: list[Node], by: Unit) -> list[Node]:
    """The nodes of a page that make up a hit's section or passage; the whole page where none does."""
    if by == "section":
        return [node for node in on_page if node.anchor.path == held.anchor.path] or on_page
    own = held.id if held.kind in READ else held.parent
    return [node for node in on_page if node.id == own] or on_page


def visible(text: str) -> str:
    """A text without control and format characters: what a reader of the page would see of it."""
    return "".join(
        character
        for character in text
        if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Co", "Cn")
    )


def _source(page: Sequence[Passage]) -> str:
    """Which document and page a piece is of, on one line."""
    first = page[0]
    title = f" | {clipped(visible(first.title), 80)}" if first.title else ""
    number = f" | p. {first.node.anchor.page}" if first.node.anchor.page else ""
    return f"document: {clipped(visible(first.document), 80)}{title}{number}"


def _body(page: Sequence[Passage], numbers: Mapping[str, int], ask: Ask | None) -> str:
    captions = {passage.node.table.caption for passage in page if passage.node.table is not None}
    blocks = [
        _block(passage, numbers)
        for passage in page
        if not (passage.node.kind == "caption" and passage.node.text in captions)
    ]
    heading = clipped(visible(page[0].heading), 200)
    first = [f"(section: {heading})"] if heading and page[0].node.kind != "heading" else []
    return "\n".join((*first, *_fitting(blocks, ask)))


def _fitting(blocks: list[str], ask: Ask | None) -> list[str]:
    """The blocks that fit, in order; when not all do, those with most of the question's words."""
    if sum(map(len, blocks)) <= LONGEST:
        return blocks
    asked = ask.stems if ask else frozenset()
    order = sorted(
        range(len(blocks)), key=lambda at: (-len(asked.intersection(stems(blocks[at]))), at)
    )
    kept, room = set(), LONGEST
    for at in order:
        if len(blocks[at]) <= room:
            kept.add(at)
            room -= len(blocks[at])
    return [blocks[at] for at in sorted(kept)] or [blocks[order[0]][:LONGEST]]


def _block(passage: Passage, numbers: Mapping[str, int]) -> str:
    node, part = passage.node, passage.part
    if node.table is not None:
        return table_text(node.table, numbers[node.id], part)
    text = visible(node.text if part is None else node.text[slice(*part)].strip())
    return f"# {' '.join(text.split())}" if node.kind == "heading" else text


def table_text(table: Table, number: int, part: tuple[int, int] | None = None) -> str:
    """A table under its name, in Markdown, or in HTML where a cell that is not blank spans several rows or columns.

    Of its body the rows [start, end) of `part`, each with the sections that it stands under, or all.
    """
    merged = any(cell.text.strip() and _is_merged(cell) for cell in table.cells)
    name = f"Table T{number}: {'; '.join(_said_of(table))}".rstrip(": ")
    rows = _rows(table, part)
    return f"{name}\n{_html(table, rows) if merged else _markdown(table, rows)}"


def _rows(table: Table, part: tuple[int, int] | None) -> Sequence[int]:
    """The rows of a table that are shown: its headers and, where there is a part, the rows of that with their sections."""
    height, _ = _size(table)
    if part is None:
        return range(height)
    own = range(max(part[0], table.header_rows), min(part[1], height))
    known = headers(table).rows
    above = {section for row in own if row in known for section in known[row].sections}
    return [*range(table.header_rows), *sorted({*above, *own})]


def _is_merged(cell: Cell) -> bool:
    return cell.row_span > 1 or cell.column_span > 1


def _flat(cell: Cell) -> str:
    """The text of a cell on one line."""
    return " ".join(visible(cell.text).split())


def _markdown(table: Table, rows: Sequence[int]) -> str:
    """A table without merged cells: letters over the columns, numbers before the rows."""
    texts = {(cell.row, cell.column): _flat(cell).replace("|", "\\|") for cell in table.cells}
    _, width = _size(table)
    lines = [f"|   | {' | '.join(map(_letters, range(width)))} |", "|" + "---|" * (width + 1)]
    for row in rows:
        shown_row = [texts.get((row, column), "") for column in range(width)]
        lines.append(f"| {row + 1} | {' | '.join(shown_row)} |")
    return "\n".join(lines)


def _html(table: Table, rows: Sequence[int]) -> str:
    """A table with merged cells: a line for each row, every cell that is not blank with its letter and number as id.

    End tags that HTML does not require are left out: 92 such tables of annual reports take 32% more characters than in
    Markdown, with end tags 69%.
    """
    covering = _covering(table)
    origins = {(cell.row, cell.column): cell for cell in table.cells}
    _, width = _size(table)
    lines = ["<table>"]
    for row in rows:
        own = [(row, column) for column in range(width)]
        cells = [_html_cell(table, origins.get(at)) for at in own if covering.get(at, at) == at]
        lines.append(f"<tr>{''.join(cells)}")
    return "\n".join((*lines, "</table>"))


def _html_cell(table: Table, cell: Cell | None) -> str:
    """One cell; nothing beside its text that a reader of the page does not see but its handle and what it spans."""
    if cell is None:
        return "<td>"
    name = "th" if _heads(table, cell) else "td"
    text = _TAG.sub("&lt;", _flat(cell))
    parts = [f"id={_letters(cell.column)}{cell.row + 1}"] if text else []
    parts += [f"rowspan={cell.row_span}"] if cell.row_span > 1 else []
    parts += [f"colspan={cell.column_span}"] if cell.column_span > 1 else []
    return f"<{' '.join((name, *parts))}>{text}"


def _heads(table: Table, cell: Cell) -> bool:
    """Whether a cell is a header of rows or columns."""
    return cell.row < table.header_rows or cell.column < table.header_columns


def _size(table: Table) -> tuple[int, int]:
    """The number of rows and of columns."""
    covered = _covering(table)
    height = 1 + max((row for row, _ in covered), default=0)
    return height, 1 + max((column for _, column in covered), default=0)


def _said_of(table: Table) -> list[str]:
    """What holds for the whole table: its caption, scale and unit, and what the scale does not hold for."""
    said = [clipped(visible(table.caption), 300)] if table.caption else []
    if table.scale != 1:
        things = f" of {table.unit}s" if is_counted(table.unit) else ""
        said.append(
            f"numbers{things} in {_SCALES.get(table.scale.adjusted(), f'{table.scale:,f}')}"
        )
    if table.unit:
        said.append(f"unit {table.unit}")
    if table.unscaled and table.scale != 1:
        said.append(f"except {clipped(visible(table.unscaled))}")
    return said


def _covering(table: Table) -> dict[tuple[int, int], tuple[int, int]]:
    """The cell that each position of the grid belongs to; where two claim one, the cell that begins there."""
    out = {(cell.row, cell.column): (cell.row, cell.column) for cell in table.cells}
    for cell in table.cells:
        for row in range(cell.row, cell.row + cell.row_span):
            for column in range(cell.column, cell.column + cell.column_span):
                out.setdefault((row, column), (cell.row, cell.column))
    return out


def _letters(column: int) -> str:
    return chr(65 + column) if column < 26 else chr(64 + column // 26) + chr(65 + column % 26)


def _column(letters: str) -> int:
    at = 0
    for letter in letters.upper():
        at = at * 26 + ord(letter) - 64
    return at - 1
