r"""RTF files as blocks: paragraphs, headings by style or outline level, tables, lists, footnotes (RTF specification 1.9.1).

striprtf makes text of a file. What it has no text for (paragraphs, cells, groups) is marked in the file before: a mark is text
that it lets pass where text is read, and leaves out with the destinations that it does not read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from pincite.document.address import TEXT
from pincite.errors import SourceError
from pincite.ingest.given_tables import header_count, lead, table_block, table_of
from pincite.ingest.layout.raised_marks import ending, raised
from pincite.ingest.lost_parts import not_read, readable
from pincite.ingest.office.docxstyles import named_level
from pincite.ingest.office.text_flow import TextFlow
from pincite.ingest.optional_libraries import needed
from pincite.ingest.page_cuts import cut, running_text, text_block, tidied
from pincite.ingest.raw_page import Page
from pincite.text.struck_text import STRUCK, without_struck
from pincite.types import Cell

_BINARY = re.compile(rb"\\bin(\d{1,10}) ?")
_UNKNOWN = re.compile(r"\\fcharset(?:7[89]|8\d)(?!\d)|\\field(?![a-z])")
"""Old encodings of the Macintosh, which Python does not know; links, of which striprtf would show where they lead."""
_FONT = re.compile(r"\\f(?=\d)")
"""Where a line break keeps striprtf from looking for the encoding of a font up to the end of the file."""
_MARKED = re.compile(
    r"\\([\\{}])|(?:\\\*\s*)?\\(cellx|cell|nestcell|row|nestrow|trowd|trhdr|clv?mgf|clv?mrg|par|sect|page|pard|intbl|"
    r"s|outlinelevel|super|nosupersub|plain|v|striked?|deleted|footnote|listtext|pntext|shp|shpinst|shptxt|shpgrp)(-?\d+)?(?![A-Za-z\d])"
    r" ?|\\([\r\n])|([{}])"
)
_UNREAD = {"annotation": "comment", "objdata": "embedded object"}
_APART = re.compile(rf"\\({'|'.join(_UNREAD)})(?![a-z])")
_STYLE = re.compile(r"\{\\s(\d{1,5})\b[^{}]{0,500}?\s([^\\{};]{1,80});")
_TOKEN = re.compile("\ue000([a-z]+)(-?\\d*)\ue001|([\ue002\ue003])|[^\ue000-\ue003]+|.", re.DOTALL)
_PLAIN = {0xAD: None, 0x2011: "-"}
_SAME_EDGE = 60  # twips by which the edges of cells of one column may differ


def rtf_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of an RTF file, cut at its page breaks or by length. Raises SourceError for any other file."""
    data = path.read_bytes()
    if not data.lstrip().startswith(b"{\\rtf"):
        raise SourceError(
            f"{path.name} is not an RTF file, or its beginning is lost. Open it in a word processor and save it again."
        )
    rtf = b"".join(_without_binaries(data)).decode("latin-1")
    sheet = re.split(r"\}\s*\}", rtf.partition("\\stylesheet")[2], maxsplit=1)[0]
    styles = {int(number): named_level(name.casefold()) for number, name in _STYLE.findall(sheet)}
    with readable(path, "RTF", "a word processor", ".docx"):
        text = rtf_text(_MARKED.sub(_mark, rtf), path.name)
    reader = _Reader(styles, left=Counter(_UNREAD[word] for word in _APART.findall(rtf)))
    reader.read(text)
    yield from cut(reader.flow.blocks, TEXT, lost=not_read(reader.left))


def rtf_text(rtf: str, name: str) -> str:
    """What striprtf makes of RTF whose bytes are its letters; halves of characters are put together."""
    striprtf = needed("striprtf.striprtf", name)
    parted = _FONT.sub(r"\n\\f", _UNKNOWN.sub("", rtf))
    text = striprtf.rtf_to_text(parted, errors="replace")
    return str(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _mark(found: re.Match[str]) -> str:
    """A control word, or a brace, with the mark that stands for it in the text; the symbol before ends what is to be skipped."""
    escaped, word, number, line, brace = found.groups()
    if escaped:
        return found[0]
    if brace:
        return "{\ue002" if brace == "{" else "}\ue003"
    return f"\\|\ue000{'par' if line else word}{number or ''}\ue001"


@dataclass(slots=True)
class _State:
    """What holds inside a group and ends with it; its kind is "footnote" or "listtext"."""

    kind: str = ""
    hidden: bool = False
    struck: bool = False
    raised: bool = False


@dataclass(slots=True)
class _Row:
    """The row that is being filled: its texts, how each cell is defined, whether it is a header row."""

    texts: list[str] = field(default_factory=list)
    merges: list[str] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)
    merge: str = ""
    header: bool = False


@dataclass(slots=True)
class _Reader:
    styles: dict[int, int]  # the heading level of each style, 0 for running text
    flow: TextFlow = field(default_factory=TextFlow)
    now: _State = field(default_factory=_State)
    stack: list[_State] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    note: str = ""
    marker: str = ""
    level: int = 0
    in_table: bool = False
    row: _Row = field(default_factory=_Row)
    rows: list[_Row] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)

    def read(self, text: str) -> None:
        """Read a whole file; groups that do not match are forgiven."""
        for found in _TOKEN.finditer(text):
            word, number, group = found.groups()
            if group == "\ue002":
                self.stack.append(replace(self.now))
            elif group:
                self.close_group()
            elif not word:
                self.put(found[0].translate(_PLAIN))
            elif not self.change_look(word, number != "0"):
                self.lay_out(word, int(number or 0))
                self.fill_row(word, int(number or 0))
        self.paragraph()
        self.table()
        self.flow.close()

    def close_group(self) -> None:
        """End a group."""
        outer = self.stack.pop() if self.stack else _State()
        if self.now.kind == "footnote" != outer.kind:
            self.flow.notes += filter(None, [" ".join(without_struck(self.note).split())])
            self.note = ""
        self.now = outer

    def put(self, text: str) -> None:
        """Add text where it belongs."""
        if self.now.hidden:
            return
        text = STRUCK if self.now.struck else text
        if self.now.kind == "footnote":
            self.note += text
        elif self.now.kind == "listtext":
            self.marker += text
        else:
            self.text.append(raised(ending(self.text), text) if self.now.raised else text)

    def change_look(self, name: str, on: bool) -> bool:
        """Obey a word about what a group holds and how it looks; whether it is one, or stands in a note."""
        if name in ("footnote", "listtext", "pntext"):
            self.now.kind = name.replace("pntext", "listtext")
        elif name == "v":
            self.now.hidden = on
            self.left["hidden passage"] += on
        elif name in ("strike", "striked", "deleted"):
            self.now.struck = on
        elif name in ("super", "nosupersub", "plain"):
            self.now.raised = name == "super" and on
            self.now.hidden = self.now.hidden and name != "plain"
            self.now.struck = self.now.struck and name != "plain"
        elif self.now.kind != "footnote":
            return False
        return True

    def lay_out(self, name: str, value: int) -> None:
        """Obey a word about paragraphs."""
        if name in ("par", "sect", "page"):
            self.paragraph()
            if name == "page":
                self.flow.close()
                self.flow.blocks.append(None)
        elif name == "pard":
            self.level, self.in_table = 0, False
        elif name == "intbl":
            self.in_table = True
        elif name == "s":
            self.level = self.styles.get(value, 0)
        elif name == "outlinelevel" and value < 9:
            self.level = self.level or value + 2

    def fill_row(self, name: str, value: int) -> None:
        """Obey a word about the rows and cells of a table."""
        if name == "trowd":
            self.row = _Row(texts=self.row.texts)
        elif name == "trhdr":
            self.row.header = True
        elif name in ("clvmgf", "clvmrg", "clmgf", "clmrg"):
            self.row.merge = name
        elif name == "cellx":
            self.row.merges.append(self.row.merge)
            self.row.edges.append(value)
            self.row.merge = ""
        elif name in ("cell", "nestcell"):
            self.row.texts.append(" ".join(tidied("".join([self.marker, *self.text])).split()))
            self.text, self.marker = [], ""
        elif name in ("row", "nestrow"):
            self.rows.append(self.row)
            self.row = replace(self.row, texts=[], merges=self.row.merges[:])

    def paragraph(self) -> None:
        """Close the paragraph that is open; inside a table it is a part of its cell."""
        if self.in_table:
            self.text.append(" ")
            return
        text, marker = tidied("".join(self.text)), " ".join(self.marker.split())
        self.text, self.marker = [], ""
        if not text:
            return
        self.table()
        if self.level or not marker:
            self.flow.close_list()
        if self.level:
            heading = " ".join(f"{marker} {text}".split())
            self.flow.blocks.append(text_block(heading, "heading", self.level))
        elif marker:
            sign = marker if any(map(str.isalnum, marker)) else "\u2022"
            self.flow.items.append(f"{sign} {' '.join(text.split())}")
        else:
            self.flow.blocks.append(running_text(text))
        if not self.flow.items:
            self.flow.put_notes()

    def table(self) -> None:
        """Close the table that is open."""
        rows, self.rows = self.rows, []
        if not rows:
            return
        self.flow.close()
        headers = header_count([row.header for row in rows])
        made = table_of(_cells(rows), header_rows=headers, caption=lead(self.flow.blocks))
        if made is not None:
            self.flow.blocks.append(table_block(made))


def _cells(rows: Sequence[_Row]) -> list[Cell]:
    """The cells of a table, those that are merged as one."""
    cells: dict[tuple[int, int], Cell] = {}
    tops: dict[int, tuple[int, int]] = {}  # where the last cell is that begins in a column
    for at, (row, places) in enumerate(zip(rows, _places(rows), strict=True)):
        left = None  # where the last cell is that begins in this row
        merges = [*row.merges, *[""] * len(row.texts)]
        for (column, wide), text, merge in zip(places, row.texts, merges, strict=False):
            if merge == "clmrg" and left is not None:
                cells[left] = replace(cells[left], column_span=column - left[1] + wide)
            elif merge == "clvmrg" and column in tops:
                top = tops[column]
                cells[top] = replace(cells[top], row_span=at - top[0] + 1)
            else:
                left = tops[column] = at, column
                cells[left] = Cell(at, column, text, 1, wide)
    return list(cells.values())


def _places(rows: Sequence[_Row]) -> list[list[tuple[int, int]]]:
    """Which column of a table each cell of each row begins in and how many it covers: by the right edges of the cells, in twips.

    Where rows do not tell edges that lie apart, the cells are counted.
    """
    steps = (right - left for row in rows for left, right in pairwise(row.edges))
    whole = all(len(row.edges) >= len(row.texts) for row in rows)
    if not whole or min(steps, default=_SAME_EDGE + 1) <= _SAME_EDGE:
        return [[(place, 1) for place in range(len(row.texts))] for row in rows]
    edges: list[int] = []
    for edge in sorted({edge for row in rows for edge in row.edges[: len(row.texts)]}):
        if not edges or edge - edges[-1] > _SAME_EDGE:
            edges.append(edge)
    ends = ([0, *(bisect_right(edges, edge) for edge in row.edges)] for row in rows)
    return [[(left, max(right - left, 1)) for left, right in pairwise(row)] for row in ends]


def _without_binaries(data: bytes) -> Iterator[bytes]:
    """The file without the raw bytes of pictures, in which anything may stand."""
    at = 0
    for found in _BINARY.finditer(data):
        if found.start() >= at:
            yield data[at : found.start()]
            at = found.end() + int(found[1])
    yield data[at:]
