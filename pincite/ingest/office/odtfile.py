"""ODT files as blocks: headings by outline level, paragraphs, lists with their numbers, tables, notes, comments, text boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincite.document.address import TEXT
from pincite.ingest.given_tables import lead, table_block
from pincite.ingest.office.docxlists import written
from pincite.ingest.office.odf import (
    Opened,
    attribute,
    chart_table,
    name_of,
    note_text,
    opened,
    q,
    table_in,
    text_of,
)
from pincite.ingest.office.text_flow import TextFlow
from pincite.ingest.page_cuts import cut, running_text, text_block
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.web.attributes import whole

_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_CAPTIONS = frozenset(("caption", "illustration", "table", "figure", "drawing"))
_FRAMES = ("draw:frame", "draw:custom-shape", "draw:g")


def odt_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of an OpenDocument text, cut at its page breaks or by length. Raises SourceError when it cannot be read."""
    document = opened(path, "text")
    reader = TextReader(document)
    reader.body(document.body)
    yield from cut(reader.flow.blocks, TEXT, title=document.title)


class TextReader:
    """Reads what a body, a section, a text box or a slide's shape holds into blocks."""

    def __init__(self, document: Opened) -> None:
        self.document, self.styles = document, document.styles
        self.flow = TextFlow()
        self.counts: dict[str, list[int]] = {}

    def body(self, element: Any) -> None:
        """Read paragraphs, lists, tables and what frames stand between them."""
        for child in element:
            name = name_of(child)
            if name in ("text:p", "text:h"):
                self.paragraph(child)
            elif name == "text:list":
                self.listed(child)
            elif name == "table:table":
                self.table(child)
            elif name in ("text:section", "text:numbered-paragraph"):
                self.body(child)
            elif name == "text:soft-page-break":
                self.flow.break_page()
            elif name in _FRAMES:
                self.frame(child)

    def paragraph(self, element: Any) -> None:
        """Read a paragraph and what hangs on it."""
        style = attribute(element, "text:style-name")
        if (
            self.styles.value("paragraph", style, "style:paragraph-properties", "fo:break-before")
            == "page"
        ):
            self.flow.break_page()
        if text := text_of(element, self.styles, self.note):
            self.flow.put(self.block(element, style, text))
        if next(element.iter(q("text:soft-page-break")), None) is not None:
            self.flow.break_page()
        frames = q("draw:frame"), q("draw:custom-shape")
        for frame in element.iter(*frames):
            if next(frame.iterancestors(*frames), None) is None:
                self.frame(frame)
        self.flow.put_notes()

    def block(self, element: Any, style: str, text: str) -> Block:
        """A paragraph as a heading, a caption or running text."""
        names = {
            name.casefold().replace("_20_", " ") for name in self.styles.names("paragraph", style)
        }
        outline = attribute(element, "text:outline-level") if name_of(element) == "text:h" else ""
        if outline:
            return text_block(" ".join(text.split()), "heading", whole(outline, 1) + 1)
        if "title" in names:
            return text_block(" ".join(text.split()), "heading", 1)
        return text_block(text, "caption") if names & _CAPTIONS else running_text(text)

    def note(self, note: Any) -> None:
        """Remember a note or comment that was referred to."""
        if text := note_text(note, self.styles):
            self.flow.notes.append(text)

    def listed(self, element: Any) -> None:
        """A list with those in it as one block, a line for each item; its headings stand for themselves."""
        lines: list[str] = []
        self.items(element, "", 1, lines)
        if lines:
            self.flow.put(text_block("\n".join(lines), "list"))
        self.flow.put_notes()

    def items(self, element: Any, style: str, depth: int, lines: list[str]) -> None:
        """The items of a list, each with its mark."""
        style = attribute(element, "text:style-name") or style
        counts = self.counts.setdefault(style, [])
        if depth == 1 and not _goes_on(element):
            counts.clear()
        for item in element.iterfind(q("text:list-item")):
            mark = self.mark(style, depth, counts, item)
            for child in item:
                if text := self.item_text(child):
                    lines.append(f"{mark} {text}".strip())
                    mark = ""
                elif name_of(child) == "text:list":
                    self.items(child, style, depth + 1, lines)
                elif name_of(child) in ("text:h", "table:table"):
                    self.body([child])

    def item_text(self, element: Any) -> str:
        """What a paragraph of an item says, on one line; "" for anything else."""
        return (
            " ".join(text_of(element, self.styles, self.note).split())
            if name_of(element) == "text:p"
            else ""
        )

    def mark(self, style: str, depth: int, counts: list[int], item: Any) -> str:
        """The number or bullet of the next item at a depth."""
        level = self.level(style, depth)
        if level is None or name_of(level) != "text:list-level-style-number":
            return "\u2022"
        del counts[depth:]
        counts += [0] * (depth - len(counts))
        start = attribute(item, "text:start-value")
        if not start and not counts[-1]:
            start = attribute(level, "text:start-value")
        counts[-1] = whole(start, counts[-1] + 1)
        if not attribute(level, "style:num-format"):
            return ""
        first = max(depth - whole(attribute(level, "text:display-levels"), 1), 0)
        numbers = (
            written(counts[at] or 1, self.form(style, at + 1)) for at in range(first, depth)
        )
        return f"{attribute(level, 'style:num-prefix')}{'.'.join(numbers)}{attribute(level, 'style:num-suffix')}"

    def level(self, style: str, depth: int) -> Any:
        """How a list style marks items at a depth; None where it does not say."""
        levels = self.styles.held.get((q("text:list-style"), style), ())
        return next(
            (level for level in levels if attribute(level, "text:level") == str(depth)), None
        )

    def form(self, style: str, depth: int) -> str:
        """How a list style writes numbers at a depth, as Word calls it: "lowerLetter"."""
        level = self.level(style, depth)
        return _FORMS.get(attribute(level, "style:num-format"), "") if level is not None else ""

    def table(self, element: Any) -> None:
        """A table, with the line over it that says what its numbers are in."""
        made = table_in(element, self.styles, lead(self.flow.blocks), self.note)
        if made is not None:
            self.flow.put(table_block(made))
        self.flow.put_notes()

    def frame(self, element: Any) -> None:
        """A text box, a table, a chart as the table of its data, or what a picture says that it shows."""
        for child in element:
            name = name_of(child)
            if name == "draw:text-box":
                self.body(child)
            elif name == "draw:object":
                self.chart(attribute(child, "xlink:href"))
            elif name in ("text:p", "text:list", "table:table", *_FRAMES):
                self.body([child])
        said = " ".join((element.findtext(q("svg:desc")) or "").split())
        if " " in said:
            self.flow.put(text_block(said, "figure"))

    def chart(self, reference: str) -> None:
        """A chart in the file, under its title."""
        root = self.document.content_of(reference)
        if root is None:
            return
        title, made = chart_table(root, self.styles)
        if made is not None:
            if title:
                self.flow.put(text_block(title, "caption"))
            self.flow.put(table_block(made))


def _goes_on(element: Any) -> bool:
    """Whether a list counts on where another ended."""
    return attribute(element, "text:continue-numbering") == "true" or bool(
        attribute(element, "text:continue-list")
    )
