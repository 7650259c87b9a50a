"""DOCX files as blocks: headings, lists, tables with merged cells, notes and comments, as Word shows them.

Text that was deleted under revision marks or is hidden is left out, and so are headers, footers and tables of contents.
ECMA-376 part 1, chapter 17, says what the elements mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite.document.address import TEXT
from pincite.errors import SourceError
from pincite.ingest.extra import needed
from pincite.ingest.given_tables import lead, table_block, table_of
from pincite.ingest.layout.line_traits import is_caption
from pincite.ingest.layout.raised_marks import ending, raised
from pincite.ingest.office.docxlists import Numbers
from pincite.ingest.page_cuts import cut, text_block, tidied
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.web.attributes import whole
from pincite.ingest.zip_limits import unpacked
from pincite.types import Cell

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_GONE = frozenset(
    f"{W}{name}" for name in ("del", "moveFrom", "instrText", "delText", "rPr", "pPr", "sdtPr", "txbxContent")
)
_MOST = 1000
"""The most columns that a cell covers; Word makes tables of 63."""


def docx_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of a DOCX file, cut at its page breaks or by length: they are not those that Word prints."""
    docx = needed("docx", path.name)
    with unpacked(path):
        pass
    try:
        document = docx.Document(str(path))
        styles = _styles(document)
        used = {mark.get(f"{W}val") for mark in document.element.body.iter(f"{W}pStyle")}
        headed = any(styles[name].level > 1 for name in used if name in styles)
        reader = _Reader(styles, Numbers(document.part), _notes(document), headed)
        reader.body(document.element.body)
    except SourceError:
        raise
    except Exception as error:  # what a damaged package makes python-docx and lxml raise has no common class
        raise SourceError(
            f"{path.name} cannot be read as a Word document ({type(error).__name__}: {error}): it is damaged or of another "
            "format. Open it in a word processor and save it again as .docx."
        ) from error
    yield from cut(reader.blocks, TEXT)


@dataclass(frozen=True, slots=True)
class _Style:
    """What a paragraph style, with those it is based on, says: heading level (0 for none), list numbering, hidden, name."""

    name: str
    level: int = 0
    numbering: tuple[str, int] = ("", 0)
    hidden: bool = False


@dataclass(slots=True)
class _Reader:
    styles: dict[str, _Style]
    numbers: Numbers
    notes: dict[tuple[str, str], str]
    headed: bool  # whether the document has headings by style; else short bold paragraphs are
    blocks: list[Block | None] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)  # notes and comments referred to since the last block

    def body(self, element: Any) -> None:
        """Read what a body, a content control or a text box holds."""
        for child in element:
            if child.tag == f"{W}p":
                self.paragraph(child)
            elif child.tag == f"{W}tbl":
                self.table(child)
            elif child.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}moveTo", f"{W}customXml"):
                if not any(
                    kind.get(f"{W}val", "").startswith("Table of Contents") for kind in child.iter(f"{W}docPartGallery")
                ):
                    self.body(child)
        self.close()

    def paragraph(self, element: Any) -> None:
        """Read a paragraph: a heading, an item of a list, a caption or text, and what hangs on it."""
        style = self.style(element)
        if style.hidden or re.match(r"toc(?: \d|$)", style.name):
            return
        if _breaks(element):
            self.close()
            self.blocks.append(None)
        mark, bullet = self.numbers.mark(element, style.numbering)
        if style.level or not mark:
            self.close()
        text = self.text(element)
        if text and style.level:
            self.put(text_block(" ".join(f"{mark} {text}".split()), "heading", style.level))
        elif text and mark:
            self.items.append(f"{mark} {' '.join(text.split())}" if not bullet else f"\u2022 {' '.join(text.split())}")
        elif text and not self.headed and _may_head(element, text):
            self.put(Block("heading", text, (None,), (0,), size=_size(element), bold=True))
        elif text:
            captions = style.name == "caption" or is_caption(text) and len(text) < 600
            self.put(text_block(text, "caption" if captions else "paragraph"))
        for said in _pictures(element):
            self.close()
            self.put(text_block(said, "figure"))
        for box in _boxes(element):
            self.body(box)
        if not self.items:
            self.noted()

    def put(self, block: Block) -> None:
        """Add a block."""
        self.blocks.append(block)

    def close(self) -> None:
        """Close the list that is open, and put the notes of its items after it."""
        if self.items:
            self.put(text_block("\n".join(self.items), "list"))
            self.items = []
        self.noted()

    def noted(self) -> None:
        """Put the notes and comments that were referred to."""
        for note in self.pending:
            self.put(text_block(note, "footnote"))
        self.pending = []

    def style(self, paragraph: Any) -> _Style:
        """The style of a paragraph with what it says itself."""
        own = paragraph.find(f"{W}pPr")
        named = own.find(f"{W}pStyle") if own is not None else None
        style = self.styles.get(named.get(f"{W}val") if named is not None else "", self.styles.get("", _Style("")))
        level = _outline(own)
        return _Style(style.name, level, style.numbering, style.hidden) if level else style

    def text(self, element: Any) -> str:
        """The text of a paragraph that is seen, its line breaks kept; notes that it refers to are remembered."""
        parts: list[str] = []
        self._runs(element, parts)
        return tidied("".join(parts))

    def _runs(self, element: Any, parts: list[str]) -> None:
        for child in element:
            tag = child.tag
            if not isinstance(tag, str) or tag in _GONE or tag == _FALLBACK:
                continue
            if tag == f"{W}r":
                self._run(child, parts)
            elif tag == _MATH:
                parts.append(child.text or "")
            else:
                self._runs(child, parts)

    def _run(self, run: Any, parts: list[str]) -> None:
        look = run.find(f"{W}rPr")
        if look is not None and (_on(look, "vanish") or _on(look, "webHidden")):
            return
        own: list[str] = []
        for child in run:
            if child.tag in (f"{W}t", _MATH):
                own.append(child.text or "")
            elif child.tag in (f"{W}tab", f"{W}ptab"):
                own.append(" ")
            elif child.tag == f"{W}cr" or child.tag == f"{W}br" and child.get(f"{W}type") in (None, "textWrapping"):
                own.append("\n")
            elif child.tag == f"{W}noBreakHyphen":
                own.append("-")
            elif child.tag in (f"{W}footnoteReference", f"{W}endnoteReference", f"{W}commentReference"):
                kind = child.tag.removeprefix(W).removesuffix("Reference")
                note = self.notes.get((kind, child.get(f"{W}id")), "")
                self.pending += [note] if note and note not in self.pending else []
            elif child.tag not in _GONE and child.tag != _FALLBACK and len(child):
                self._runs(child, own)
        text = "".join(own)
        raise_ = look.find(f"{W}vertAlign") if look is not None else None
        up = raise_ is not None and raise_.get(f"{W}val") == "superscript"
        parts.append(raised(ending(parts), text) if up else text)

    def table(self, element: Any) -> None:
        """A table with its merged cells; one of a single cell or column is what is in it."""
        self.close()
        rows = [row for row in element.iter(f"{W}tr") if _above(row, f"{W}tbl") is element]
        cells: list[Cell] = []
        open_: dict[int, int] = {}  # the cell that a column's vertical merge goes on with
        headers = 0
        widest = 0
        for at, row in enumerate(rows):
            column = _number(row.find(f"{W}trPr/{W}gridBefore"))
            marked = row.find(f"{W}trPr/{W}tblHeader")
            headers += headers == at and marked is not None and marked.get(f"{W}val", "1") not in ("0", "false")
            for cell in row.iter(f"{W}tc"):
                if _above(cell, f"{W}tr") is not row:
                    continue
                wide = _number(cell.find(f"{W}tcPr/{W}gridSpan")) or 1
                merge = cell.find(f"{W}tcPr/{W}vMerge")
                if merge is not None and merge.get(f"{W}val") != "restart" and column in open_:
                    over = cells[open_[column]]
                    cells[open_[column]] = Cell(over.row, over.column, over.text, at - over.row + 1, over.column_span)
                else:
                    if merge is not None:
                        open_[column] = len(cells)
                    else:
                        open_.pop(column, None)
                    cells.append(Cell(at, column, self.cell(cell), 1, wide))
                column += wide
                widest = max(widest, column)
        if widest < 2 or len(rows) < 2 and len(cells) < 2:
            for cell in element.iter(f"{W}tc"):
                if _above(cell, f"{W}tbl") is element:
                    self.body(cell)
            return
        made = table_of(cells, header_rows=headers if 0 < headers < len(rows) else None, caption=lead(self.blocks))
        if made is not None:
            self.put(table_block(made))
        self.noted()

    def cell(self, element: Any) -> str:
        """The text of a cell on one line; of a table in it, its cells."""
        return " ".join(
            text
            for paragraph in element.iter(f"{W}p")
            if not self.style(paragraph).hidden and (text := " ".join(self.text(paragraph).split()))
        )


def _styles(document: Any) -> dict[str, _Style]:
    """The paragraph styles by id, "" for the default one."""
    raw: dict[str, Any] = {style.get(f"{W}styleId"): style for style in document.styles.element.iter(f"{W}style")}
    found: dict[str, _Style] = {}
    for key, style in raw.items():
        if style.get(f"{W}type") not in (None, "paragraph"):
            continue
        chain: list[Any] = []
        at = key
        while at in raw and raw[at] not in chain:
            chain.append(raw[at])
            based = raw[at].find(f"{W}basedOn")
            at = based.get(f"{W}val") if based is not None else ""
        names = [
            (up.find(f"{W}name").get(f"{W}val") or "").casefold() for up in chain if up.find(f"{W}name") is not None
        ]
        level = next((n for up, name in zip(chain, names, strict=False) if (n := _level(up, name))), 0)
        numbering = next((one for up in chain if (one := _numbering(up.find(f"{W}pPr")))[0]), ("", 0))
        hidden = any(up.find(f"{W}rPr") is not None and _on(up.find(f"{W}rPr"), "vanish") for up in chain)
        found[key] = _Style(names[0] if names else "", level, numbering, hidden)
        if style.get(f"{W}default") in ("1", "true") and style.get(f"{W}type") == "paragraph":
            found[""] = found[key]
    return found


def _level(style: Any, name: str) -> int:
    """The heading level of a style: 1 for a title, one more than Word's own for headings under it."""
    if name == "title":
        return 1
    if named := re.fullmatch(r"heading (\d)", name):
        return int(named[1]) + 1
    return _outline(style.find(f"{W}pPr"))


def _outline(properties: Any) -> int:
    found = properties.find(f"{W}outlineLvl") if properties is not None else None
    level = _number(found) if found is not None else 9
    return level + 2 if level < 9 else 0


def _numbering(properties: Any) -> tuple[str, int]:
    found = properties.find(f"{W}numPr") if properties is not None else None
    if found is None or found.find(f"{W}numId") is None:
        return "", 0
    return found.find(f"{W}numId").get(f"{W}val"), _number(found.find(f"{W}ilvl"))


def _notes(document: Any) -> dict[tuple[str, str], str]:
    """The texts of footnotes, endnotes and comments by kind and id."""
    etree = needed("lxml.etree", "a document")
    found = {}
    for relation in document.part.rels.values():
        kind = relation.reltype.rpartition("/")[2].removesuffix("s")
        if kind not in ("footnote", "endnote", "comment") or relation.is_external:
            continue
        part = relation.target_part
        root = etree.fromstring(part.blob, etree.XMLParser(resolve_entities=False, no_network=True))
        for note in root.iter(f"{W}{kind}"):
            if note.get(f"{W}type") in (None, "normal"):
                text = " ".join(map(_text_of, note.iter(f"{W}p")))
                author = f"Comment by {note.get(f'{W}author') or 'a reader'}: " if kind == "comment" else ""
                found[kind, note.get(f"{W}id")] = author + re.sub(r"\s+([.,;:)])", r"\1", " ".join(text.split()))
    return found


def _text_of(paragraph: Any) -> str:
    return " ".join(part.text or "" for part in paragraph.iter(f"{W}t"))


def _breaks(paragraph: Any) -> bool:
    """Whether a page begins in or with a paragraph."""
    before = paragraph.find(f"{W}pPr/{W}pageBreakBefore")
    if before is not None and before.get(f"{W}val", "1") not in ("0", "false"):
        return True
    return any(brk.get(f"{W}type") == "page" for brk in paragraph.iter(f"{W}br")) or any(
        True for _ in paragraph.iter(f"{W}lastRenderedPageBreak")
    )


def _pictures(paragraph: Any) -> list[str]:
    """What pictures and charts say they show."""
    said = [" ".join((picture.get("descr") or "").split()) for picture in paragraph.iter(_PICTURE)]
    return [text for text in dict.fromkeys(said) if len(text.split()) > 1]


def _boxes(paragraph: Any) -> list[Any]:
    """The contents of text boxes in a paragraph, each once."""
    boxes = paragraph.iter(f"{W}txbxContent")
    return [box for box in boxes if next(box.iterancestors(_FALLBACK, f"{W}txbxContent"), None) is None]


def _may_head(paragraph: Any, text: str) -> bool:
    """Whether a paragraph looks like a heading: short, without a stop, every run of it bold, not in a table."""
    runs = [run for run in paragraph.iter(f"{W}r") if _text_of(run).strip()]
    bold = [run.find(f"{W}rPr") is not None and _on(run.find(f"{W}rPr"), "b") for run in runs]
    return (
        all(bold) and len(text) <= 120 and "\n" not in text and text[-1] not in ".;,:" and any(map(str.isalpha, text))
    )


def _size(paragraph: Any) -> float:
    """The largest font size that its runs name, in points; 0 for that of the style."""
    return max((_number(size) / 2 for size in paragraph.iter(f"{W}sz")), default=0.0)


def _on(properties: Any, name: str) -> bool:
    found = properties.find(f"{W}{name}")
    return found is not None and found.get(f"{W}val", "1") not in ("0", "false", "off")


def _above(element: Any, tag: str) -> Any:
    return next((up for up in element.iterancestors() if up.tag == tag), None)


def _number(element: Any) -> int:
    return whole(element.get(f"{W}val") if element is not None else "", most=_MOST)
