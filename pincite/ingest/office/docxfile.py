"""DOCX files as blocks: headings, lists, tables with merged cells, notes and comments, as Word shows them.

Text that is struck out or deleted under revision marks is left out, and so are headers, footers and tables of contents. What is
hidden or embedded is said to be left out.
ECMA-376 part 1, chapter 17, says what the elements mean.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pincite.document.address import TEXT
from pincite.ingest.given_tables import header_count, lead, table_block, table_of
from pincite.ingest.layout.raised_marks import ending, raised
from pincite.ingest.lost_parts import not_read, readable
from pincite.ingest.office.docxstyles import (
    UNREAD,
    Numbers,
    TextStyle,
    is_on,
    number,
    outline_level,
    plain,
    text_styles,
    value,
)
from pincite.ingest.office.drawings import FALLBACK, MATH, drawn
from pincite.ingest.office.text_flow import TextFlow
from pincite.ingest.optional_libraries import needed
from pincite.ingest.page_cuts import cut, may_head, running_text, text_block, tidied
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.web.markup import whole, xml_root
from pincite.ingest.zip_limits import unpacked
from pincite.text.struck_text import STRUCK
from pincite.types import Cell

_PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_DELETED = ("del", "moveFrom", "delText")
_UNSEEN = ("instrText", "rPr", "pPr", "sdtPr", "txbxContent", FALLBACK)
"""Elements of a paragraph whose text is not part of it."""
_SIGNS = {"tab": " ", "ptab": " ", "cr": "\n", "noBreakHyphen": "-"}
_CONTAINERS = ("sdt", "sdtContent", "ins", "moveTo", "customXml")
_NOTES = ("footnote", "endnote", "comment")


def docx_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of a DOCX file, cut at its page breaks or by length: they are not those that Word prints."""
    docx = needed("docx", path.name)
    with unpacked(path):
        pass
    with readable(path, "a Word document", "a word processor", ".docx"):
        document = docx.Document(str(path))
        body, styles = plain(document.element.body), text_styles(document)
        used = {mark.get("val") for mark in body.iter("pStyle")}
        headed = any(style.level > 1 for key, style in styles.items() if key in used)
        reader = _Reader(document.part, styles, Numbers(document.part), _notes(document), headed)
        reader.body(body)
        reader.left["hidden passage"] = len(reader.hidden)
    yield from cut(reader.flow.blocks, TEXT, lost=not_read(reader.left))


@dataclass(slots=True)
class _Reader:
    part: Any
    styles: dict[str, TextStyle]
    numbers: Numbers
    notes: dict[tuple[str, str], Any]
    headed: bool  # whether the document has headings by style; else short bold paragraphs are
    flow: TextFlow = field(default_factory=TextFlow)
    left: Counter[str] = field(default_factory=Counter)
    hidden: set[Any] = field(default_factory=set)  # the paragraphs with hidden text

    def body(self, element: Any) -> None:
        """Read what a body, a content control or a text box holds."""
        for child in element:
            if child.tag == "p":
                self.paragraph(child)
            elif child.tag == "tbl":
                self.table(child)
            elif child.tag == "altChunk":
                self.left["embedded document"] += 1
            elif child.tag in _CONTAINERS:
                galleries = (one.get("val", "") for one in child.iter("docPartGallery"))
                if not any(name.startswith("Table of Contents") for name in galleries):
                    self.body(child)
        self.flow.close()

    def paragraph(self, element: Any) -> None:
        """Read a paragraph and what hangs on it."""
        style = self.style(element)
        if re.match(r"toc(?: \d|$)", style.name):
            return
        if "vanish" in style.unread and not self.text(element):
            return
        breaks = any(one.get("type") == "page" for one in element.iter("br"))
        rendered = next(element.iter("lastRenderedPageBreak"), None) is not None
        if breaks or rendered or is_on(element, "pPr/pageBreakBefore"):
            self.flow.close()
            self.flow.blocks.append(None)
        mark = self.numbers.mark(element, style.numbering)
        if style.level or not mark:
            self.flow.close()
        if text := self.text(element):
            self.add_paragraph(element, text, style, mark)
        self.drawings(element)
        if not self.flow.items:
            self.flow.put_notes()

    def drawings(self, element: Any) -> None:
        """Read what is drawn in a paragraph or table: pictures by what they say they show, charts, diagrams, text boxes."""
        said = [" ".join((one.get("descr") or "").split()) for one in element.iter(_PICTURE)]
        pictures = (text_block(text, "figure") for text in dict.fromkeys(said) if " " in text)
        for block in (*pictures, *drawn(element, self.part, self.left)):
            self.flow.close()
            self.flow.blocks.append(block)
        for box in element.iter("txbxContent"):
            if next(box.iterancestors(FALLBACK, "txbxContent"), None) is None:
                self.body(box)

    def add_paragraph(self, element: Any, text: str, style: TextStyle, mark: str) -> None:
        """Add a paragraph as a heading, an item of a list, a caption or running text."""
        if mark and not style.level:
            self.flow.items.append(f"{mark} {' '.join(text.split())}")
            return
        if style.level:
            block = text_block(" ".join(f"{mark} {text}".split()), "heading", style.level)
        elif not self.headed and _is_bold(element) and may_head(text):
            block = Block("heading", text, (None,), (0,), size=_size(element), bold=True)
        else:
            block = text_block(text, "caption") if style.name == "caption" else running_text(text)
        self.flow.blocks.append(block)

    def style(self, paragraph: Any) -> TextStyle:
        """The style of a paragraph with what it says itself."""
        style = self.styles.get(value(paragraph, "pPr/pStyle"), self.styles[""])
        level = outline_level(paragraph)
        return replace(style, level=level) if level else style

    def text(self, element: Any) -> str:
        """The text of a paragraph that is seen, its line breaks kept; notes that it refers to are remembered."""
        parts: list[str] = []
        self._read_content(element, parts)
        return tidied("".join(parts))

    def _read_content(self, element: Any, parts: list[str]) -> None:
        for child in element:
            name = str(child.tag)
            if name in _DELETED:
                parts.append(STRUCK)
            elif name in _SIGNS:
                parts.append(_SIGNS[name])
            elif name in ("t", MATH):
                parts.append(child.text or "")
            elif name == "br":
                parts.append("\n" if child.get("type", "textWrapping") == "textWrapping" else "")
            elif name == "r":
                self._read_run(child, parts)
            elif name.endswith("Reference"):
                self._take_note(name.removesuffix("Reference"), child.get("id", ""))
            elif name not in _UNSEEN:
                self._read_content(child, parts)

    def _read_run(self, run: Any, parts: list[str]) -> None:
        """Read characters of one look."""
        unread = self.unread(run)
        if unread == {"vanish"} and _has_text(run):
            self.hidden.add(next(run.iterancestors("p"), None))
        if unread or is_on(run, "rPr/webHidden"):
            parts.append(STRUCK if unread != {"vanish"} else "")
            return
        own: list[str] = []
        self._read_content(run, own)
        text, up = "".join(own), value(run, "rPr/vertAlign") == "superscript"
        parts.append(raised(ending(parts), text) if up else text)

    def unread(self, run: Any) -> set[str]:
        """Which of UNREAD hold for a run: as it says itself, else its own style, else that of its paragraph."""
        key = value(next(run.iterancestors("p")), "pPr/pStyle")
        styles = self.styles.get(value(run, "rPr/rStyle")), self.styles.get(key, self.styles[""])
        styled = {name for style in styles if style is not None for name in style.unread}
        said = {name for name in UNREAD if run.find(f"rPr/{name}") is not None}
        return styled - said | {name for name in said if is_on(run, f"rPr/{name}")}

    def _take_note(self, kind: str, key: str) -> None:
        """Remember a footnote, an endnote or a comment at the first place that refers to it."""
        note = self.notes.pop((kind, key), None)
        if note is not None and (text := self.cell(note)):
            who = f"Comment by {note.get('author') or 'a reader'}: "
            self.flow.notes.append(who * (kind == "comment") + text)

    def table(self, element: Any) -> None:
        """A table with its merged cells; one of a single cell or column is what is in it."""
        self.flow.close()
        own = (row for row in element.iter("tr") if next(row.iterancestors("tbl")) is element)
        rows = [row for row in own if row.find("trPr/del") is None]
        cells = self._cells(rows)
        width = max((cell.column + cell.column_span for cell in cells), default=0)
        if width < 2 or len(rows) < 2 and len(cells) < 2:  # one that only lays out text
            for cell in element.iter("tc"):
                if next(cell.iterancestors("tbl")) is element:
                    self.body(cell)
            return
        headers = header_count([is_on(row, "trPr/tblHeader") for row in rows])
        made = table_of(cells, header_rows=headers, caption=lead(self.flow.blocks))
        if made is not None:
            self.flow.blocks.append(table_block(made))
        self.drawings(element)
        self.flow.put_notes()

    def _cells(self, rows: list[Any]) -> list[Cell]:
        """The cells of a table, those that are merged as one."""
        cells: list[Cell] = []
        merged: dict[int, int] = {}  # where the cell is that goes on down a column
        for at, row in enumerate(rows):
            column = number(row, "trPr/gridBefore")
            for element in row.iter("tc"):
                if next(element.iterancestors("tr")) is not row:
                    continue
                wide = number(element, "tcPr/gridSpan") or 1
                merge = element.find("tcPr/vMerge")
                if merge is not None and merge.get("val") != "restart" and column in merged:
                    top = cells[merged[column]]
                    cells[merged[column]] = replace(top, row_span=at - top.row + 1)
                else:
                    merged.pop(column, None)
                    if merge is not None:
                        merged[column] = len(cells)
                    cells.append(Cell(at, column, self.cell(element), 1, wide))
                column += wide
        return cells

    def cell(self, element: Any) -> str:
        """The text of a cell or note on one line; of a table in it, its cells."""
        return " ".join(" ".join(map(self.text, element.iter("p"))).split())


def _notes(document: Any) -> dict[tuple[str, str], Any]:
    """The footnotes, endnotes and comments by kind and id."""
    notes = {}
    for relation in document.part.rels.values():
        kind = relation.reltype.rpartition("/")[2].removesuffix("s")
        if kind not in _NOTES or relation.is_external:
            continue
        for note in plain(xml_root(relation.target_part.blob, "a document")).iter(kind):
            notes[kind, note.get("id", "")] = note
    return notes


def _has_text(run: Any) -> bool:
    return any((part.text or "").strip() for part in run.iter("t"))


def _is_bold(paragraph: Any) -> bool:
    """Whether every run with text is bold by itself, not by its style."""
    return all(is_on(run, "rPr/b") for run in paragraph.iter("r") if _has_text(run))


def _size(paragraph: Any) -> float:
    """The largest font size that its runs name, in points; 0 for that of the style."""
    sizes = (whole(size.get("val")) / 2 for size in paragraph.iter("sz"))
    return max(sizes, default=0.0)
