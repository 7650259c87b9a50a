"""ODT files as blocks: headings by outline level, paragraphs, lists with their numbers, tables, notes, comments, text boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincite.document.address import TEXT
from pincite.ingest.given_tables import lead, table_block
from pincite.ingest.layout.line_traits import is_caption
from pincite.ingest.office.docxlists import written
from pincite.ingest.office.odf import Opened, chart_table, note_text, opened, q, table_in, text_of
from pincite.ingest.page_cuts import cut, text_block
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.web.attributes import whole

_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_CAPTIONS = frozenset(("caption", "illustration", "table", "figure", "drawing"))


def odt_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of an OpenDocument text, cut at its page breaks or by length. Raises SourceError when it cannot be read."""
    document = opened(path, "text")
    reader = TextReader(document)
    reader.body(document.body)
    yield from cut(reader.blocks, TEXT, title=document.title)


class TextReader:
    """Reads what a body, a section, a text box or a slide's shape holds into blocks."""

    def __init__(self, document: Opened) -> None:
        self.document, self.styles = document, document.styles
        self.blocks: list[Block | None] = []
        self.pending: list[str] = []
        self.counts: dict[str, list[int]] = {}

    def body(self, element: Any) -> None:
        """Read paragraphs, lists, tables and what frames stand between them."""
        for child in element:
            tag = child.tag
            if tag in (q("text:p"), q("text:h")):
                self.paragraph(child)
            elif tag == q("text:list"):
                self.listed(child)
            elif tag == q("table:table"):
                self.table(child)
            elif tag in (q("text:section"), q("text:numbered-paragraph")):
                self.body(child)
            elif tag == q("text:soft-page-break"):
                self.blocks.append(None)
            elif tag in (q("draw:frame"), q("draw:g"), q("draw:custom-shape")):
                self.frame(child)

    def paragraph(self, element: Any) -> None:
        """Read a heading, a caption or text, and what hangs on it."""
        style = element.get(q("text:style-name"))
        if self.styles.value("paragraph", style, "style:paragraph-properties", "fo:break-before") == "page":
            self.blocks.append(None)
        text = text_of(element, self.styles, self.note)
        names = {name.casefold().replace("_20_", " ") for name in self.styles.names("paragraph", style)}
        outline = element.get(q("text:outline-level")) if element.tag == q("text:h") else None
        if text and (outline or "title" in names):
            level = whole(outline, 1) + 1 if outline else 1
            self.blocks.append(text_block(" ".join(text.split()), "heading", level))
        elif text:
            captions = names & _CAPTIONS or is_caption(text) and len(text) < 600
            self.blocks.append(text_block(text, "caption" if captions else "paragraph"))
        if next(element.iter(q("text:soft-page-break")), None) is not None:
            self.blocks.append(None)
        for frame in element.iter(q("draw:frame"), q("draw:custom-shape")):
            if not any(up.tag in (q("draw:frame"), q("draw:custom-shape")) for up in frame.iterancestors()):
                self.frame(frame)
        self.noted()

    def note(self, note: Any) -> None:
        """Remember a note or comment that was referred to."""
        if text := note_text(note, self.styles):
            self.pending.append(text)

    def noted(self) -> None:
        """Put the notes and comments that were referred to."""
        self.blocks += [text_block(note, "footnote") for note in self.pending]
        self.pending = []

    def listed(self, element: Any) -> None:
        """A list with those in it as one block, a line for each item; its headings stand for themselves."""
        lines: list[str] = []
        self.items(element, element.get(q("text:style-name")) or "", 1, lines)
        if lines:
            self.blocks.append(text_block("\n".join(lines), "list"))
        self.noted()

    def items(self, element: Any, style: str, depth: int, lines: list[str]) -> None:
        """The items of a list, each with its mark."""
        style = element.get(q("text:style-name")) or style
        counts = self.counts.setdefault(style, [])
        goes_on = element.get(q("text:continue-numbering")) == "true" or element.get(q("text:continue-list"))
        if depth == 1 and not goes_on:
            counts.clear()
        for item in element.iterfind(q("text:list-item")):
            mark = self.mark(style, depth, counts, item)
            for child in item:
                if child.tag == q("text:h"):
                    self.paragraph(child)
                elif child.tag == q("text:p") and (text := " ".join(text_of(child, self.styles, self.note).split())):
                    lines.append(f"{mark} {text}".strip())
                    mark = ""
                elif child.tag == q("text:list"):
                    self.items(child, style, depth + 1, lines)
                elif child.tag == q("table:table"):
                    self.table(child)

    def mark(self, style: str, depth: int, counts: list[int], item: Any) -> str:
        """The number or bullet of the next item at a depth."""
        level = self.level(style, depth)
        if level is None or level.tag != q("text:list-level-style-number"):
            return "\u2022"
        del counts[depth:]
        counts += [0] * (depth - len(counts))
        start = item.get(q("text:start-value")) or (level.get(q("text:start-value")) if not counts[-1] else None)
        counts[-1] = whole(start, counts[-1] + 1)
        first = depth - whole(level.get(q("text:display-levels")), 1)
        numbers = [
            written(counts[at] or 1, _FORMS.get(self.form(style, at + 1), "")) for at in range(max(first, 0), depth)
        ]
        if not level.get(q("style:num-format")):
            return ""
        return f"{level.get(q('style:num-prefix')) or ''}{'.'.join(numbers)}{level.get(q('style:num-suffix')) or ''}"

    def level(self, style: str, depth: int) -> Any:
        """How a list style marks items at a depth."""
        found = self.styles.held.get((q("text:list-style"), style))
        return (
            next((level for level in found if level.get(q("text:level")) == str(depth)), None)
            if found is not None
            else None
        )

    def form(self, style: str, depth: int) -> str:
        """How a list style writes numbers at a depth: "1", "a", "i"."""
        level = self.level(style, depth)
        return (level.get(q("style:num-format")) or "") if level is not None else ""

    def table(self, element: Any) -> None:
        """A table, with the line over it that says what its numbers are in."""
        made = table_in(element, self.styles, lead(self.blocks), self.note)
        if made is not None:
            self.blocks.append(table_block(made))
        self.noted()

    def frame(self, element: Any) -> None:
        """A text box, a table, a chart as the table of its data, or what a picture says that it shows."""
        for child in element:
            if child.tag == q("draw:text-box"):
                self.body(child)
            elif child.tag == q("table:table"):
                self.table(child)
            elif child.tag == q("draw:object"):
                self.chart(child.get(q("xlink:href")) or "")
            elif child.tag in (q("draw:frame"), q("draw:g"), q("draw:custom-shape")):
                self.frame(child)
            elif child.tag in (q("text:p"), q("text:list")):
                self.body([child])
        said = " ".join((element.findtext(q("svg:desc")) or "").split())
        if len(said.split()) > 1:
            self.blocks.append(text_block(said, "figure"))

    def chart(self, reference: str) -> None:
        """A chart in the file, under its title."""
        root = self.document.objects(reference)
        if root is None:
            return
        title, made = chart_table(root, self.styles)
        if made is not None:
            self.blocks += [text_block(title, "caption")] if title else []
            self.blocks.append(table_block(made))
