"""A page as a parser sees it, before anything is understood: words, rules and pictures with their places."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.types import Box, Kind, Table


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without a space; `size` is the font size in points, `angle` the direction of writing in degrees."""

    text: str
    box: Box
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    angle: int = 0
    superscript: bool = False


@dataclass(frozen=True, slots=True)
class RawPage:
    """Words in the order of the content stream, ruling lines and filled rectangles as thin or wide boxes, pictures.

    Boxes are in points with the origin at the top left of the page as displayed (its rotation applied). A page of a text
    file has no geometry: `text` holds it and `words` is empty. `drawn` are the slanted and curved shapes, as of charts.
    `figures` are the words read off each of the `pictures`, by OCR; `seen` is how sure OCR is of `words` where they are not
    those of the text layer, `suspicion` why that did not serve. `lost` is why a page was not read at all.
    """

    number: int
    width: float = 0.0
    height: float = 0.0
    words: tuple[Word, ...] = ()
    rules: tuple[Box, ...] = ()
    fills: tuple[Box, ...] = ()
    pictures: tuple[Box, ...] = ()
    text: str = ""
    drawn: tuple[Box, ...] = ()
    figures: tuple[tuple[Word, ...], ...] = ()
    seen: float = 0.0
    suspicion: str = ""
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page in reading order: its kind, text, one box per line and the offset in `text` where each line begins.

    A heading has its font size in points and whether it is bold, from which the tree tells its level; or its `level`, from
    1, where the format says it. `inner` blocks belong to it: what was read off a figure. `path` is its place in the
    format's own terms where that is not its page and the headings above it: "Sheet1!B2:F9". Pieces of one block that pages
    or columns part have the same number as their `run`, which is 0 for all others. A table that `continues` is a part of
    the one before it.
    """

    kind: Kind
    text: str
    lines: tuple[Box | None, ...] = ()
    starts: tuple[int, ...] = ()
    level: int = 0
    table: Table | None = None
    size: float = 0.0
    bold: bool = False
    inner: tuple[Block, ...] = ()
    path: str = ""
    run: int = 0
    continues: bool = False

    def text_lines(self) -> list[str]:
        """The lines of the text."""
        ends = (*self.starts[1:], len(self.text))
        return [self.text[start:end].strip() for start, end in zip(self.starts, ends, strict=True)]


@dataclass(frozen=True, slots=True)
class Page:
    """A page understood: blocks in reading order, running headers and footers left out; `seen` and `suspicion` of its raw page.

    `place` is what it is in the format's own terms where it is not a page of a printed document: "slide 3", "chapter 2",
    "text" (of a format that has headings and no pages). `title` is the document's, where its file names one; `metadata_title`
    what a printed file calls itself. `lost` says what of it was not read, and why.
    """

    number: int
    width: float = 0.0
    height: float = 0.0
    blocks: tuple[Block, ...] = ()
    seen: float = 0.0
    suspicion: str = ""
    place: str = ""
    title: str = ""
    lost: str = ""
    metadata_title: str = ""
