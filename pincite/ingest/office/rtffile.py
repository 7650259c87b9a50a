r"""RTF files as blocks: paragraphs, headings by style or outline level, tables, lists, footnotes (RTF specification 1.9.1).

Hidden and deleted text, headers, footers, pictures and what a reader does not know ("\*" groups) are left out.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from pincite.document.address import TEXT
from pincite.errors import SourceError
from pincite.ingest.given_tables import header_count, lead, table_block, table_of
from pincite.ingest.layout.raised_marks import ending, raised
from pincite.ingest.office.docxstyles import named_level
from pincite.ingest.office.rtf_tokens import Token, letter, tokens, whole_letters
from pincite.ingest.office.text_flow import TextFlow
from pincite.ingest.page_cuts import cut, running_text, text_block, tidied
from pincite.ingest.raw_page import Page
from pincite.lexicon import word_set
from pincite.types import Cell

_BINARY = re.compile(rb"\\bin(\d{1,10}) ?")
_SKIPPED = word_set("ingest", "rtf destinations")
_SIGNS = {
    "emdash": "\u2014", "endash": "\u2013", "bullet": "\u2022", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "\u201c", "rdblquote": "\u201d", "tab": " ", "line": "\n", "emspace": " ", "enspace": " ", "qmspace": " ",
}  # fmt: skip
_SYMBOLS = {b"{": "{", b"}": "}", b"\\": "\\", b"~": " ", b"_": "-"}
_KINDS = {kind: kind for kind in ("fonttbl", "stylesheet", "footnote", "listtext")} | {
    "pntext": "listtext"
}
"""Destinations that are read, and what is kept of them."""
_STARRED = ("shptxt", "footnote")
_LOOKS = ("v", "deleted", "super", "nosupersub", "plain", "uc")
_TABLED = ("ansicpg", "f", "fcharset", "s")
_CHARSETS = {
    128: "cp932", 129: "cp949", 134: "gb18030", 136: "big5", 161: "cp1253", 162: "cp1254", 177: "cp1255", 178: "cp1256",
    186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 77: "mac_roman",
}  # fmt: skip
_DEEPEST = 5000
_SAME_EDGE = 60  # twips by which the edges of cells of one column may differ


def rtf_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of an RTF file, cut at its page breaks or by length. Raises SourceError for any other file."""
    data = path.read_bytes()
    if not data.lstrip().startswith(b"{\\rtf"):
        raise SourceError(
            f"{path.name} is not an RTF file, or its beginning is lost. Open it in a word processor and save it again."
        )
    reader = _Reader()
    reader.read(b"".join(_without_binaries(data)))
    yield from cut(reader.flow.blocks, TEXT)


@dataclass(slots=True)
class _State:
    """What holds inside a group and ends with it."""

    skipped: bool = False
    kind: str = ""  # fonttbl, stylesheet, footnote, listtext
    hidden: bool = False
    raised: bool = False
    skip: int = 1  # characters after \\u that stand for it
    codec: str = ""


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
    flow: TextFlow = field(default_factory=TextFlow)
    now: _State = field(default_factory=_State)
    stack: list[_State] = field(default_factory=list)
    after: int = 0  # characters to pass over
    starred: bool = False
    text: list[str] = field(default_factory=list)
    note: list[str] = field(default_factory=list)
    marker: str = ""
    level: int = 0
    style: int = 0
    in_table: bool = False
    row: _Row = field(default_factory=_Row)
    rows: list[_Row] = field(default_factory=list)
    fonts: dict[int, str] = field(default_factory=dict)
    styles: dict[int, str] = field(default_factory=dict)
    ansi: str = "cp1252"
    defined: int = 0  # the font or style that a table of them is telling of
    bytes_: bytearray = field(default_factory=bytearray)

    def read(self, data: bytes) -> None:
        """Read a whole file; braces that do not match are forgiven."""
        for token in tokens(data):
            self.take(token)
        self.flush_bytes()
        self.paragraph()
        self.table()
        self.flow.close()

    def take(self, token: Token) -> None:
        """Read the next token."""
        if not token.byte:
            self.flush_bytes()
        if token.brace:
            self.brace(token.brace)
        elif token.word == "u" and token.number is not None:
            self.put(letter(token.number))
            self.after = self.now.skip
        elif token.word:
            self.word(token.word, token.number)
        elif token.sign:
            self.sign(token.sign)
        elif token.byte:
            self.bytes_ += token.byte[self.after :]
            self.after = max(0, self.after - 1)
        else:
            self.put(self.decoded(token.text[self.after :]))
            self.after = max(0, self.after - len(token.text))

    def brace(self, brace: bytes) -> None:
        """Begin or end a group."""
        self.after = 0
        if brace == b"{":
            self.starred = False
            if len(self.stack) < _DEEPEST:
                self.stack.append(replace(self.now))
            return
        outer = self.stack.pop() if self.stack else _State()
        if self.now.kind == "footnote" and outer.kind != "footnote":
            if text := " ".join(whole_letters(self.note).split()):
                self.flow.notes.append(text)
            self.note = []
        self.now = outer

    def sign(self, sign: bytes) -> None:
        """Obey a control symbol."""
        self.starred = sign == b"*"
        self.put(_SYMBOLS.get(sign, ""))
        if sign in (b"\n", b"\r"):
            self.paragraph()

    def decoded(self, data: bytes) -> str:
        """Bytes in the encoding that holds here."""
        return data.decode(self.now.codec or self.ansi, "replace")

    def flush_bytes(self) -> None:
        """Read the escaped bytes so far, of which two may be one character."""
        if self.bytes_:
            self.put(self.decoded(bytes(self.bytes_)))
            self.bytes_.clear()

    def put(self, text: str) -> None:
        """Add text where it belongs."""
        if self.now.skipped or self.now.hidden or not text:
            return
        if self.now.kind == "stylesheet":
            self.styles[self.defined] = self.styles.get(self.defined, "") + text
        elif self.now.kind == "footnote":
            self.note.append(text)
        elif self.now.kind == "listtext":
            self.marker += text
        elif self.now.kind != "fonttbl":
            self.text.append(raised(ending(self.text), text) if self.now.raised else text)

    def word(self, name: str, value: int | None) -> None:
        """Obey a control word."""
        unknown = self.starred and name not in _STARRED
        self.starred = False
        if unknown or name in _SKIPPED:
            self.now.skipped = True
        elif name in _KINDS:
            self.now.kind = _KINDS[name]
        elif self.now.skipped:
            return
        elif name in _SIGNS:
            self.put(_SIGNS[name])
        elif name in _LOOKS:
            self.look(name, value)
        elif name in _TABLED:
            self.tabled(name, value or 0)
        elif self.now.kind in ("", "listtext"):
            self.layout(name, value or 0)
            self.fill_row(name, value or 0)

    def look(self, name: str, value: int | None) -> None:
        """Obey a word about how text looks and how it is written."""
        if name in ("v", "deleted"):
            self.now.hidden = value != 0
        elif name == "uc":
            self.now.skip = value or 0
        else:
            self.now.raised = name == "super" and value != 0
            self.now.hidden = self.now.hidden and name != "plain"

    def tabled(self, name: str, value: int) -> None:
        """Obey a word about encodings and styles."""
        if name == "ansicpg":
            self.ansi = _codec(value)
        elif name == "fcharset":
            self.fonts[self.defined] = _CHARSETS.get(value, "")
        elif self.now.kind in ("fonttbl", "stylesheet"):
            self.defined = value if (name == "f") == (self.now.kind == "fonttbl") else self.defined
        elif name == "f":
            self.now.codec = self.fonts.get(value, "")
        else:
            self.style = value

    def layout(self, name: str, value: int) -> None:
        """Obey a word about paragraphs."""
        if name in ("par", "sect", "page"):
            self.paragraph()
            if name == "page":
                self.flow.close()
                self.flow.break_page()
        elif name == "pard":
            self.level, self.style, self.in_table = 0, 0, False
        elif name == "intbl":
            self.in_table = True
        elif name == "outlinelevel":
            self.level = value + 1 if value < 9 else 0

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
            self.row.texts.append(" ".join(whole_letters([self.marker, *self.text]).split()))
            self.text, self.marker = [], ""
        elif name in ("row", "nestrow"):
            self.rows.append(self.row)
            self.row = replace(self.row, texts=[], merges=self.row.merges[:])

    def paragraph(self) -> None:
        """Close the paragraph that is open; inside a table it is a part of its cell."""
        if self.in_table:
            self.text.append(" ")
            return
        text, marker = (
            tidied(whole_letters(self.text)),
            " ".join(whole_letters(self.marker).split()),
        )
        self.text, self.marker = [], ""
        if not text:
            return
        self.table()
        level = self.heading_level()
        if level or not marker:
            self.flow.close_list()
        if level:
            self.flow.put(text_block(" ".join(f"{marker} {text}".split()), "heading", level))
        elif marker:
            sign = marker if any(map(str.isalnum, marker)) else "\u2022"
            self.flow.items.append(f"{sign} {' '.join(text.split())}")
        else:
            self.flow.put(running_text(text))
        if not self.flow.items:
            self.flow.put_notes()

    def heading_level(self) -> int:
        """The level that the style or the outline of the open paragraph makes it a heading of; 0 for running text."""
        name = self.styles.get(self.style, "").strip("; ").casefold()
        return named_level(name) or (self.level + 1 if self.level else 0)

    def table(self) -> None:
        """Close the table that is open."""
        rows, self.rows = self.rows, []
        if not rows:
            return
        self.flow.close()
        headers = header_count([row.header for row in rows])
        made = table_of(_cells(rows), header_rows=headers, caption=lead(self.flow.blocks))
        if made is not None:
            self.flow.put(table_block(made))


def _codec(page: int) -> str:
    """What Python calls a code page; that of Western Windows for one that it does not know."""
    name = {65001: "utf-8", 10000: "mac_roman"}.get(
        page, f"cp{page}" if 437 <= page < 1400 else "cp1252"
    )
    try:
        return codecs.lookup(name) and name
    except LookupError:
        return "cp1252"


def _cells(rows: Sequence[_Row]) -> list[Cell]:
    """The cells of a table, those that are merged as one."""
    columns = _columns(rows)
    cells: dict[tuple[int, int], Cell] = {}
    tops: dict[int, tuple[int, int]] = {}  # where the last cell is that begins in a column
    for at, row in enumerate(rows):
        left = None  # where the last cell is that begins in this row
        for place, text in enumerate(row.texts):
            merge = row.merges[place] if place < len(row.merges) else ""
            column, wide = columns(row, place)
            if merge == "clmrg" and left is not None:
                cells[left] = replace(cells[left], column_span=column - left[1] + wide)
            elif merge == "clvmrg" and column in tops:
                top = tops[column]
                cells[top] = replace(cells[top], row_span=at - top[0] + 1)
            else:
                left = tops[column] = at, column
                cells[left] = Cell(at, column, text, 1, wide)
    return list(cells.values())


def _tells_edges(row: _Row) -> bool:
    """Whether a row tells the edge of each of its cells, and they lie apart."""
    return len(row.edges) >= len(row.texts) and all(
        right - left > _SAME_EDGE for left, right in pairwise(row.edges)
    )


def _columns(rows: Sequence[_Row]) -> Callable[[_Row, int], tuple[int, int]]:
    """Which column of a table a cell of a row begins in and how many it covers: by the right edges of the cells, in twips.

    Where rows do not tell edges that lie apart, the cells are counted.
    """
    told = all(map(_tells_edges, rows))
    edges: list[int] = []
    for edge in sorted({edge for row in rows for edge in row.edges[: len(row.texts)]}):
        if not edges or edge - edges[-1] > _SAME_EDGE:
            edges.append(edge)

    def column(row: _Row, place: int) -> tuple[int, int]:
        if not told:
            return place, 1
        first = bisect_right(edges, row.edges[place - 1]) if place else 0
        return first, max(bisect_right(edges, row.edges[place]) - first, 1)

    return column


def _without_binaries(data: bytes) -> Iterator[bytes]:
    """The file without the raw bytes of pictures, in which anything may stand."""
    at = 0
    for found in _BINARY.finditer(data):
        if found.start() >= at:
            yield data[at : found.start()]
            at = found.end() + int(found[1])
    yield data[at:]
