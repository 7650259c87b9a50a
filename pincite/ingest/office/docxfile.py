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
from pincite.ingest.office.docxstyles import UNREAD, Numbers, TextStyle, outline_level, text_styles
from pincite.ingest.office.drawings import FALLBACK, MATH, drawn
from pincite.ingest.office.text_flow import TextFlow
from pincite.ingest.office.wordxml import (
    W,
    attribute,
    below,
    inside,
    is_on,
    name_of,
    number,
    value,
)
from pincite.ingest.optional_libraries import needed
from pincite.ingest.page_cuts import STRUCK, cut, may_head, running_text, text_block, tidied
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.web.attributes import whole
from pincite.ingest.web.markup import xml_root
from pincite.ingest.zip_limits import unpacked
from pincite.types import Cell

_PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_DELETED = ("del", "moveFrom", "delText")
_UNSEEN = ("instrText", "rPr", "pPr", "sdtPr", "txbxContent")
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
        styles = text_styles(document)
        used = {attribute(mark, "val") for mark in inside(document.element.body, "pStyle")}
        headed = any(style.level > 1 for key, style in styles.items() if key in used)
        reader = _Reader(document.part, styles, Numbers(document.part), _notes(document), headed)
        reader.body(document.element.body)
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
            name = name_of(child)
            if name == "p":
                self.paragraph(child)
            elif name == "tbl":
                self.table(child)
            elif name == "altChunk":
                self.left["embedded document"] += 1
            elif name in _CONTAINERS and not _lists_contents(child):
                self.body(child)
        self.flow.close()

    def paragraph(self, element: Any) -> None:
        """Read a paragraph and what hangs on it."""
        style = self.style(element)
        if re.match(r"toc(?: \d|$)", style.name):
            return
        if "vanish" in style.unread and not self.text(element):
            return
        if _begins_page(element):
            self.flow.close()
            self.flow.blocks.append(None)
        mark = self.numbers.mark(element, style.numbering)
        if style.level or not mark:
            self.flow.close()
        if text := self.text(element):
            self.put(element, text, style, mark)
        self.drawings(element)
        if not self.flow.items:
            self.flow.put_notes()

    def drawings(self, element: Any) -> None:
        """Read what is drawn in a paragraph or table: pictures by what they say they show, charts, diagrams, text boxes."""
        said = (text_block(description, "figure") for description in _pictures(element))
        for block in (*said, *drawn(element, self.part, self.left)):
            self.flow.close()
            self.flow.blocks.append(block)
        for box in _boxes(element):
            self.body(box)

    def put(self, element: Any, text: str, style: TextStyle, mark: str) -> None:
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
        self._read(element, parts)
        return tidied("".join(parts))

    def _read(self, element: Any, parts: list[str]) -> None:
        for child in element:
            name = name_of(child)
            if name in _DELETED:
                parts.append(STRUCK)
            elif (characters := _characters(child, name)) is not None:
                parts.append(characters)
            elif name == "r":
                self._run(child, parts)
            elif name.endswith("Reference"):
                self._refer(name.removesuffix("Reference"), attribute(child, "id") or "")
            elif name not in _UNSEEN and child.tag != FALLBACK:
                self._read(child, parts)

    def _run(self, run: Any, parts: list[str]) -> None:
        """Read characters of one look."""
        unread = self.unread(run)
        if unread == {"vanish"} and _text_of(run).strip():
            self.hidden.add(_above(run, "p"))
        if unread or is_on(run, "rPr/webHidden"):
            parts.append(STRUCK if unread != {"vanish"} else "")
            return
        own: list[str] = []
        self._read(run, own)
        text, up = "".join(own), value(run, "rPr/vertAlign") == "superscript"
        parts.append(raised(ending(parts), text) if up else text)

    def unread(self, run: Any) -> set[str]:
        """Which of UNREAD hold for a run: as it says itself, else its own style, else that of its paragraph."""
        key = value(_above(run, "p"), "pPr/pStyle")
        styles = self.styles.get(value(run, "rPr/rStyle")), self.styles.get(key, self.styles[""])
        styled = {name for style in styles if style is not None for name in style.unread}
        said = {name for name in UNREAD if below(run, f"rPr/{name}") is not None}
        return styled - said | {name for name in said if is_on(run, f"rPr/{name}")}

    def _refer(self, kind: str, key: str) -> None:
        """Remember a footnote, an endnote or a comment at the first place that refers to it."""
        note = self.notes.pop((kind, key), None)
        if note is not None and (text := self.cell(note)):
            who = f"Comment by {attribute(note, 'author') or 'a reader'}: "
            self.flow.notes.append(who * (kind == "comment") + text)

    def table(self, element: Any) -> None:
        """A table with its merged cells; one of a single cell or column is what is in it."""
        self.flow.close()
        own = (row for row in inside(element, "tr") if _above(row, "tbl") is element)
        rows = [row for row in own if below(row, "trPr/del") is None]
        cells = self._cells(rows)
        width = max((cell.column + cell.column_span for cell in cells), default=0)
        if width < 2 or len(rows) < 2 and len(cells) < 2:
            self.cells_as_text(element)
            return
        headers = header_count([is_on(row, "trPr/tblHeader") for row in rows])
        made = table_of(cells, header_rows=headers, caption=lead(self.flow.blocks))
        if made is not None:
            self.flow.blocks.append(table_block(made))
        self.drawings(element)
        self.flow.put_notes()

    def cells_as_text(self, element: Any) -> None:
        """Read a table that only lays out text, cell by cell."""
        for cell in inside(element, "tc"):
            if _above(cell, "tbl") is element:
                self.body(cell)

    def _cells(self, rows: list[Any]) -> list[Cell]:
        """The cells of a table, those that are merged as one."""
        cells: list[Cell] = []
        merged: dict[int, int] = {}  # where the cell is that goes on down a column
        for at, row in enumerate(rows):
            column = number(row, "trPr/gridBefore")
            for element in inside(row, "tc"):
                if _above(element, "tr") is not row:
                    continue
                wide = number(element, "tcPr/gridSpan") or 1
                merge = below(element, "tcPr/vMerge")
                if merge is not None and attribute(merge, "val") != "restart" and column in merged:
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
        return " ".join(" ".join(map(self.text, inside(element, "p"))).split())


def _notes(document: Any) -> dict[tuple[str, str], Any]:
    """The footnotes, endnotes and comments by kind and id."""
    notes = {}
    for relation in document.part.rels.values():
        kind = relation.reltype.rpartition("/")[2].removesuffix("s")
        if kind not in _NOTES or relation.is_external:
            continue
        for note in inside(xml_root(relation.target_part.blob, "a document"), kind):
            notes[kind, attribute(note, "id") or ""] = note
    return notes


def _characters(element: Any, name: str) -> str | None:
    """What an element of a run stands for; None for one that is no character and no text."""
    if name == "t" or element.tag == MATH:
        return element.text or ""
    if name == "br":
        return "\n" if attribute(element, "type") in (None, "textWrapping") else ""
    return _SIGNS.get(name)


def _text_of(element: Any) -> str:
    return " ".join(part.text or "" for part in inside(element, "t"))


def _lists_contents(element: Any) -> bool:
    """Whether a content control holds the table of contents."""
    galleries = (attribute(gallery, "val") or "" for gallery in inside(element, "docPartGallery"))
    return any(gallery.startswith("Table of Contents") for gallery in galleries)


def _begins_page(paragraph: Any) -> bool:
    """Whether a page begins in or with a paragraph."""
    if any(attribute(line_break, "type") == "page" for line_break in inside(paragraph, "br")):
        return True
    rendered = next(inside(paragraph, "lastRenderedPageBreak"), None)
    return rendered is not None or is_on(paragraph, "pPr/pageBreakBefore")


def _pictures(paragraph: Any) -> list[str]:
    """What pictures and charts say they show."""
    said = [" ".join((picture.get("descr") or "").split()) for picture in paragraph.iter(_PICTURE)]
    return [text for text in dict.fromkeys(said) if " " in text]


def _boxes(paragraph: Any) -> list[Any]:
    """The contents of text boxes in a paragraph, each once."""
    boxes = inside(paragraph, "txbxContent")
    around = (FALLBACK, f"{W}txbxContent")
    return [box for box in boxes if next(box.iterancestors(*around), None) is None]


def _is_bold(paragraph: Any) -> bool:
    """Whether every run with text is bold by itself, not by its style."""
    return all(is_on(run, "rPr/b") for run in inside(paragraph, "r") if _text_of(run).strip())


def _size(paragraph: Any) -> float:
    """The largest font size that its runs name, in points; 0 for that of the style."""
    sizes = (whole(attribute(size, "val")) / 2 for size in inside(paragraph, "sz"))
    return max(sizes, default=0.0)


def _above(element: Any, name: str) -> Any:
    return next(element.iterancestors(W + name), None)
