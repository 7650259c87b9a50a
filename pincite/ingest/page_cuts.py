"""The blocks of a format without pages cut into pages that a reader can take in at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pincite.ingest.layout.line_traits import is_caption
from pincite.ingest.raw_page import Block, Page
from pincite.text.struck_text import without_struck
from pincite.types import Kind

LENGTH = 3600  # characters after which a page ends at a heading; after twice as many, at any block
_LONGEST_CAPTION = 600
_LONGEST_HEADING = 120


def cut(
    blocks: Iterable[Block | None], place: str, first: int = 1, title: str = "", lost: str = ""
) -> Iterator[Page]:
    """Pages numbered from `first`, all of them `place`; None among the blocks is a page break of the format.

    The first has the `title` of the document and says what of it was `lost`.

    No page ends on a heading or a caption, nor between a table and the caption under it.
    """
    held: list[Block] = []
    length = 0
    number = first
    for block in blocks:
        if length and _begins_page(block, length):
            # headings and captions at the end belong to what follows, unless a break parts them
            kept = len(held)
            while block and kept > 1 and held[kept - 1].kind in ("heading", "caption"):
                kept -= 1
            yield Page(number, 0.0, 0.0, tuple(held[:kept]), place=place, title=title, lost=lost)
            number, title, lost = number + 1, "", ""
            held = held[kept:]
            length = sum(len(block.text) for block in held)
        if block is not None:
            held.append(block)
            length += len(block.text)
    if held or lost:
        yield Page(number, 0.0, 0.0, tuple(held), place=place, title=title, lost=lost)


def _begins_page(block: Block | None, length: int) -> bool:
    """Whether a page begins with a block after one of so many characters."""
    if block is None:
        return True
    if block.kind in ("caption", "footnote"):
        return False
    return length > 2 * LENGTH or length > LENGTH and block.kind == "heading"


def tidied(text: str) -> str:
    """A text without empty lines or STRUCK, and its lines without blanks around or runs of them within."""
    lines = [" ".join(line.split()) for line in without_struck(text).split("\n")]
    return "\n".join(filter(None, lines))


def text_block(text: str, kind: Kind = "paragraph", level: int = 0, path: str = "") -> Block:
    """A block of text without geometry; every line break in it begins a line."""
    starts = (0, *(at for at, letter in enumerate(text, 1) if letter == "\n"))
    return Block(kind, text, (None,) * len(starts), starts, level, path=path)


def running_text(text: str) -> Block:
    """The block of a text that its format calls nothing: a caption when it begins as one and is short, else a paragraph."""
    captions = is_caption(text) and len(text) < _LONGEST_CAPTION
    return text_block(text, "caption" if captions else "paragraph")


def may_head(text: str) -> bool:
    """Whether a bold text can be a heading: short, on one line, with letters, not ended as a sentence or an introduction is."""
    short = len(text) <= _LONGEST_HEADING and "\n" not in text
    return short and text[-1] not in ".;,:" and any(map(str.isalpha, text))
