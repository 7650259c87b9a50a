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
from pincite.ingest.given_tables import lead, table_block, table_of
from pincite.ingest.layout.line_traits import is_caption
from pincite.ingest.layout.raised_marks import ending, raised
from pincite.ingest.page_cuts import cut, text_block, tidied
from pincite.ingest.raw_page import Block, Page
from pincite.lexicon import word_set
from pincite.types import Cell

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\"
)
_BINARY = re.compile(rb"\\bin(\d{1,10}) ?")
_SKIPPED = word_set("ingest", "rtf destinations")
_SIGNS = {
    "emdash": "\u2014", "endash": "\u2013", "bullet": "\u2022", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "\u201c", "rdblquote": "\u201d", "tab": " ", "line": "\n", "emspace": " ", "enspace": " ", "qmspace": " ",
}  # fmt: skip
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
            f"{path.name} is no RTF file, or its beginning is lost. Open it in a word processor and save it again."
        )
    reader = _Reader()
    reader.read(b"".join(_without_binaries(data)))
    yield from cut(reader.blocks, TEXT)


@dataclass(slots=True)
class _State:
    """What holds inside a group and ends with it."""

    skipped: bool = False
    kind: str = ""  # fonttbl, stylesheet, footnote, listtext
    hidden: bool = False
    raised: bool = False
    skip: int = 1  # characters after \u that stand for it
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
    blocks: list[Block | None] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    note: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
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
        stack: list[_State] = []
        now = _State()
        after = 0  # characters to pass over
        starred = False
        for found in _TOKEN.finditer(data):
            word, number, code, sign, brace, plain = found.groups()
            if code is None and self.bytes_:
                self.flush_bytes(now)
            if brace == b"{":
                if len(stack) < _DEEPEST:
                    stack.append(replace(now))
                after, starred = 0, False
            elif brace == b"}":
                self.ended(now, stack[-1] if stack else _State())
                now = stack.pop() if stack else _State()
                after = 0
            elif word == b"u" and number:
                self.put(chr(int(number) % 65536), now)
                after = now.skip
            elif word is not None:
                self.word(word.decode(), int(number) if number else None, now, starred)
                starred = False
            elif code is not None:
                if not after:
                    self.bytes_ += bytes([int(code, 16)])
                after = max(0, after - 1)
            elif sign is not None:
                starred = sign == b"*"
                self.sign(sign, now)
            elif plain is not None:
                text = plain[after:] if after else plain
                after = max(0, after - len(plain))
                self.put(text.decode(self.codec(now), "replace"), now)
        if self.bytes_:
            self.flush_bytes(now)
        self.paragraph()
        self.table()
        self.close()

    def sign(self, sign: bytes, now: _State) -> None:
        """Obey a control symbol."""
        if sign in b"{}\\":
            self.put(sign.decode(), now)
        elif sign in (b"~", b"_"):
            self.put(" " if sign == b"~" else "-", now)
        elif sign in (b"\n", b"\r"):
            self.paragraph()

    def codec(self, now: _State) -> str:
        """How bytes are to be read here."""
        return now.codec or self.ansi

    def flush_bytes(self, now: _State) -> None:
        """Read the escaped bytes so far, of which two may be one character."""
        self.put(bytes(self.bytes_).decode(self.codec(now), "replace"), now)
        self.bytes_.clear()

    def put(self, text: str, now: _State) -> None:
        """Add text where it belongs."""
        if now.skipped or now.hidden or not text:
            return
        if now.kind == "stylesheet":
            self.styles[self.defined] = self.styles.get(self.defined, "") + text
        elif now.kind == "footnote":
            self.note.append(text)
        elif now.kind == "listtext":
            self.marker += text
        elif now.kind != "fonttbl":
            self.text.append(raised(ending(self.text), text) if now.raised else text)

    def ended(self, now: _State, outer: _State) -> None:
        """Close a group."""
        if now.kind == "footnote" and outer.kind != "footnote":
            text = " ".join(_whole(self.note).split())
            self.notes += [text] if text else []
            self.note = []

    def word(self, name: str, value: int | None, now: _State, starred: bool) -> None:
        """Obey a control word."""
        if name in _SKIPPED or starred and name not in ("shptxt", "footnote"):
            now.skipped = True
        elif name in ("fonttbl", "stylesheet", "footnote"):
            now.kind = name
        elif name in ("listtext", "pntext"):
            now.kind = "listtext"
        elif now.skipped:
            return
        elif name in _SIGNS:
            self.put(_SIGNS[name], now)
        elif name in ("v", "deleted"):
            now.hidden = value != 0
        elif name in ("super", "nosupersub", "plain"):
            now.raised = name == "super" and value != 0
            now.hidden = now.hidden and name != "plain"
        elif name == "uc":
            now.skip = value or 0
        elif name in ("ansicpg", "f", "fcharset", "s"):
            self.tabled(name, value or 0, now)
        elif now.kind not in ("stylesheet", "footnote", "fonttbl"):
            self.layout(name, value)

    def tabled(self, name: str, value: int, now: _State) -> None:
        """Obey a word about encodings and styles."""
        if name == "ansicpg":
            self.ansi = {65001: "utf-8", 10000: "mac_roman"}.get(
                value, f"cp{value}" if 437 <= value < 1400 else "cp1252"
            )
            try:
                codecs.lookup(self.ansi)
            except LookupError:
                self.ansi = "cp1252"
        elif name == "fcharset":
            self.fonts[self.defined] = _CHARSETS.get(value, "")
        elif now.kind in ("fonttbl", "stylesheet"):
            self.defined = value if (name == "f") == (now.kind == "fonttbl") else self.defined
        elif name == "f":
            now.codec = self.fonts.get(value, "")
        else:
            self.style = value

    def layout(self, name: str, value: int | None) -> None:
        """Obey a word about paragraphs and tables."""
        if name in ("par", "sect", "page"):
            self.paragraph()
            if name == "page":
                self.close()
                self.blocks.append(None)
        elif name == "pard":
            self.level, self.style, self.in_table = 0, 0, False
        elif name == "intbl":
            self.in_table = True
        elif name == "outlinelevel":
            self.level = (value or 0) + 1 if (value or 0) < 9 else 0
        elif name == "trowd":
            self.row = _Row(texts=self.row.texts)
        elif name == "trhdr":
            self.row.header = True
        elif name in ("clvmgf", "clvmrg", "clmgf", "clmrg"):
            self.row.merge = name
        elif name == "cellx":
            self.row.merges.append(self.row.merge)
            self.row.edges.append(value or 0)
            self.row.merge = ""
        elif name in ("cell", "nestcell"):
            self.row.texts.append(" ".join(_whole([self.marker, *self.text]).split()))
            self.text, self.marker = [], ""
        elif name in ("row", "nestrow"):
            self.rows.append(replace(self.row, texts=self.row.texts[:], merges=self.row.merges[:]))
            self.row = replace(self.row, texts=[])

    def paragraph(self) -> None:
        """Close the paragraph that is open; inside a table it is a part of its cell."""
        if self.in_table:
            self.text.append(" ")
            return
        text = tidied(_whole(self.text))
        marker, self.text, self.marker = " ".join(_whole([self.marker]).split()), [], ""
        if not text:
            return
        self.table()
        named = re.fullmatch(r"heading (\d)", self.styles.get(self.style, "").strip("; ").casefold())
        level = int(named[1]) + 1 if named else self.level + 1 if self.level else 0
        if "title" == self.styles.get(self.style, "").strip("; ").casefold():
            level = 1
        notes, self.notes = self.notes, []
        if level:
            self.close()
            self.blocks.append(text_block(" ".join(f"{marker} {text}".split()), "heading", level))
        elif marker:
            self.items.append(f"{marker if any(map(str.isalnum, marker)) else chr(0x2022)} {' '.join(text.split())}")
        else:
            self.close()
            self.blocks.append(text_block(text, "caption" if is_caption(text) and len(text) < 600 else "paragraph"))
        self.notes += notes
        if not self.items:
            self.noted()

    def close(self) -> None:
        """Close the list that is open."""
        if self.items:
            self.blocks.append(text_block("\n".join(self.items), "list"))
            self.items = []
        self.noted()

    def noted(self) -> None:
        """Put the footnotes so far."""
        self.blocks += [text_block(note, "footnote") for note in self.notes]
        self.notes = []

    def table(self) -> None:
        """Close the table that is open."""
        rows, self.rows = self.rows, []
        if not rows:
            return
        self.close()
        cells: dict[tuple[int, int], Cell] = {}
        columns = _columns(rows)
        for at, row in enumerate(rows):
            for place, text in enumerate(row.texts):
                merge = row.merges[place] if place < len(row.merges) else ""
                column, wide = columns(row, place)
                left = next((c for c in range(column - 1, -1, -1) if (at, c) in cells), None)
                above = next((up for up in range(at - 1, -1, -1) if (up, column) in cells), None)
                if merge == "clmrg" and left is not None:
                    cells[at, left] = replace(cells[at, left], column_span=column - left + wide)
                elif merge == "clvmrg" and above is not None:
                    cells[above, column] = replace(cells[above, column], row_span=at - above + 1)
                else:
                    cells[at, column] = Cell(at, column, text, 1, wide)
        headers = next((at for at, row in enumerate(rows) if not row.header), len(rows))
        made = table_of(
            cells.values(), header_rows=headers if 0 < headers < len(rows) else None, caption=lead(self.blocks)
        )
        if made is not None:
            self.blocks.append(table_block(made))


def _tells_edges(row: _Row) -> bool:
    """Whether a row tells the edge of each of its cells, and they lie apart."""
    return len(row.edges) >= len(row.texts) and all(right - left > _SAME_EDGE for left, right in pairwise(row.edges))


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


def _whole(parts: Sequence[str]) -> str:
    """Pieces of text as one: a character beyond 16 bits is written in two."""
    return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
