"""Text files as pages: page texts between form feeds, Markdown, plain text. Lines alone show the structure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from pincite.ingest.given_tables import lead, table_block, table_of
from pincite.ingest.layout.line_traits import (
    ends_sentence,
    is_caption,
    is_item,
    is_numbered,
    is_numeric,
    joined,
    known_words,
    looks_tabular,
    numbering,
)
from pincite.ingest.page_cuts import running_text, text_block
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.text_encoding import decoded
from pincite.text.lexicon import word_set
from pincite.text.struck_text import STRUCK, without_struck
from pincite.types import Cell, Kind, Table

_PICTURE = re.compile(
    r"\[Image\s+page=\d+[^\]]*\](?:[ \t]*Size:[ \t]*\d+x\d+)?(?:,?[ \t]*Data:[ \t]*\d+[ \t]*bytes)?"
)
_WRAPPED = 200  # longer lines are whole paragraphs
_FIGURE = "\0"  # a line that stands for a picture
_KNOWN_HEADINGS = word_set("ingest", "known headings")
_NUMBER = re.compile(r"[\dA-Z]+(?:\.\d+)*")
_LISTS = ("bullet_list", "ordered_list")
_LINES = ("fence", "code_block", "html_block")  # blocks of Markdown that keep their lines


def read_text(path: Path) -> str:
    """The text of a file, decoded by its byte order mark, as UTF-8, else as it looks, with plain line feeds."""
    return decoded(path.read_bytes())


def text_pages(path: Path) -> Iterator[Page]:
    """The pages of a plain text file, one for each text between form feeds."""
    for number, part in enumerate(read_text(path).removesuffix("\f").split("\f"), 1):
        yield Page(number, 0.0, 0.0, tuple(text_blocks(part)))


def text_blocks(text: str) -> list[Block]:
    """The blocks of a page of plain text.

    Wrapped lines are joined into paragraphs; a run of lines that look like rows of a table keeps its line breaks.
    A placeholder of a picture, "[Image page=1 idx=1 name=...]", becomes an empty figure block.
    """
    known = known_words(text)
    lines = f"\n{_FIGURE}\n".join(_PICTURE.split(text)).split("\n")
    page = _Lines([" ".join(line.split()) for line in lines])
    blocks: list[Block] = []
    group: list[str] = []
    for at, line in enumerate(page.lines):
        if page.rows[at] and not line:
            continue
        if group and page.begins_block(at, group):
            blocks.append(_block(group, page.rows[at - 1], page.heads[at - 1], known))
            group = []
        if line == _FIGURE:
            blocks.append(Block("figure", "", (None,), (0,)))
        elif line:
            group.append(line)
    return blocks


class _Lines:
    """The lines of a page and an empty one, how wide its text is, which lines are headings and which rows of a table."""

    def __init__(self, lines: list[str]) -> None:
        lengths = sorted(len(line) for line in lines if len(line) > 20)
        self.width = lengths[int(0.8 * (len(lengths) - 1))] if lengths else 80
        self.lines = [*lines, ""]
        self.heads = self.rows = [False] * len(self.lines)
        if self.width <= _WRAPPED:
            self.heads = self._headings()
            self.rows = self._tabular()

    def begins_block(self, at: int, group: Sequence[str]) -> bool:
        """Whether a line begins another block than the lines of `group` before it."""
        alone = self.lines[at] in ("", _FIGURE) or self.width > _WRAPPED
        if alone or self.rows[at] != self.rows[at - 1]:
            return True
        if self.rows[at]:
            return False
        return self.heads[at] or self.heads[at - 1] or _breaks(group, self.lines[at], self.width)

    def _headings(self) -> list[bool]:
        """Which lines are headings. Three in a row are a table of contents and none of them is one."""
        pairs = pairwise([*self.lines, ""])
        heads = [bool(line) and self._heads(line, following) for line, following in pairs]
        listed: set[int] = set()
        for at in range(len(heads) - 2):
            if all(heads[at : at + 3]):
                listed.update((at, at + 1, at + 2))
        return [head and at not in listed for at, head in enumerate(heads)]

    def _heads(self, line: str, following: str) -> bool:
        """Whether a line is a heading: well known, or a number with a few words after it, most of them in capitals.

        It is short, and followed by text that starts anew.
        """
        if len(line) > 90 or line.endswith((".", ",", ";", ":", "-")) or following[:1].islower():
            return False
        if line.casefold() in _KNOWN_HEADINGS:
            return True
        numbered = is_numbered(line) and len(following) > 15 and len(line) < 0.95 * self.width
        if not numbered or looks_tabular(line) or is_numeric(line.split()[-1]):
            return False
        words = [word for word in line.split()[1:] if word[0].isalpha()]
        if not 0 < len(words) <= 12 or not words[0][0].isupper():
            return False
        titled = len(words) <= 3 or 2 * sum(word[0].isupper() for word in words) >= len(words)
        return titled or numbering(line) > 2 and len(line) < 0.85 * self.width

    def _tabular(self) -> list[bool]:
        """Which lines are rows of a table, with the short labels that stand among and above them."""
        lines = self.lines
        pairs = list(zip(lines, self.heads, strict=True))
        short = [not head and self._is_short(line) for line, head in pairs]
        told = zip(pairs, short, strict=True)
        rows = [not head and self._is_row(line, label) for (line, head), label in told]
        # up to two labels or empty lines between two rows
        for first, second in pairwise([at for at, row in enumerate(rows) if row]):
            between = range(first + 1, second)
            if second - first <= 3 and all(short[at] or not lines[at] for at in between):
                rows[first:second] = [True] * (second - first)
        for at in range(1, len(rows)):
            follows = rows[at - 1] and not self.heads[at]
            rows[at] = rows[at] or follows and self._ends_in_number(lines[at])
        for at, line in enumerate(lines):
            beside = rows[max(at - 1, 0) : at] + rows[at + 1 : at + 2]
            rows[at] = rows[at] and (looks_tabular(line) or any(beside))
        # up to two labels above the first row
        for at in range(len(rows) - 1, 1, -1):
            if rows[at] and not rows[at - 1] and short[at - 1]:
                rows[at - 1] = True
                rows[at - 2] = rows[at - 2] or short[at - 2] and not lines[at - 2][:1].islower()
        return rows

    def _is_short(self, line: str) -> bool:
        """Whether a line is a label as tables have them, and no sentence or caption."""
        if line in ("", _FIGURE) or len(line) >= 0.7 * self.width:
            return False
        return not ends_sentence(line) and not is_caption(line)

    def _is_row(self, line: str, short: bool) -> bool:
        """Whether a line by itself looks like a row of a table."""
        if ends_sentence(line):
            return False
        return looks_tabular(line) or self._ends_in_number(line) and (short or line[0].isupper())

    def _ends_in_number(self, line: str) -> bool:
        ended = 0 < len(line) < 0.95 * self.width and line[-1] != ","
        return ended and is_numeric(line.split()[-1])


def _breaks(group: Sequence[str], line: str, width: int) -> bool:
    """Whether a line of running text starts a new block after the lines of `group`."""
    early = len(group[-1]) < 0.75 * width
    stopped = ends_sentence(group[-1])
    if is_caption(line) and (early or stopped or len(group) == 1):
        return True
    if is_item(line) and (stopped or early):
        return not is_item(group[0])
    if line[:1].islower():
        return False
    if early and (stopped or is_caption(group[0])):
        return True
    # after a label, one short line that does not end as a sentence does
    label = group[-1]
    short = len(group) == 1 and len(label) < 0.5 * width < len(line)
    return short and label[-1].isalnum() and label[0].isupper()


def _block(group: Sequence[str], rows: bool, heading: bool, known: frozenset[str]) -> Block:
    items = [is_item(line) for line in group]
    listed = items[0] and not rows
    text, starts = joined(group, known, [rows or (listed and item) for item in items])
    kind: Kind = "heading" if heading else "list" if listed else "paragraph"
    if not rows and running_text(text).kind == "caption":
        kind = "caption"
    number = _NUMBER.match(text) if is_numbered(text) else None
    depth = 1 + number[0].count(".") if number else 1
    return Block(kind, text, (None,) * len(group), starts, depth if heading else 0)


def markdown_pages(path: Path) -> Iterator[Page]:
    """A Markdown file as pages (one for each text between form feeds): headings, lists, pipe tables, paragraphs."""
    for number, part in enumerate(read_text(path).removesuffix("\f").split("\f"), 1):
        yield Page(number, 0.0, 0.0, tuple(markdown_blocks(part)))


def markdown_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown text. Emphasis, links and code keep their words; a fenced block keeps its lines."""
    blocks: list[Block] = []
    parsed = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    _read(SyntaxTreeNode(parsed).children, blocks, known_words(text))
    return blocks


def _read(nodes: Iterable[SyntaxTreeNode], blocks: list[Block], known: frozenset[str]) -> None:
    for node in nodes:
        if node.type == "blockquote":
            _read(node.children, blocks, known)
        elif node.type != "hr":
            blocks += filter(None, [_markdown_block(node, blocks, known)])


def _markdown_block(
    node: SyntaxTreeNode, over: Sequence[Block], known: frozenset[str]
) -> Block | None:
    """A block of Markdown; None for one that says nothing. `over` are those before it."""
    if node.type == "table":
        table = _table(node, lead(over))
        return table_block(table) if table is not None else None
    if node.type in _LISTS:
        return text_block("\n".join(_items(node)), "list")
    said = without_struck(_said(node))
    lines = [line.strip() for line in said.split("\n") if line.strip()]
    if not lines:
        return None
    if node.type == "heading":
        return text_block(" ".join(lines), "heading", int(node.tag[1]))
    text, starts = joined(lines, known, [node.type in _LINES] * len(lines))
    kind: Kind = "caption" if node.type == "paragraph" and is_caption(text) else "paragraph"
    return Block(kind, text, (None,) * len(lines), starts)


def _items(node: SyntaxTreeNode) -> Iterator[str]:
    """The items of a list, and of those in it, each with its mark."""
    for item in node.children:
        mark = f"{item.info}{item.markup}"
        for child in item.children:
            if child.type in _LISTS:
                yield from _items(child)
            elif text := " ".join(without_struck(_said(child)).split()):
                yield f"{mark} {text}".strip()
                mark = ""


def _said(node: SyntaxTreeNode) -> str:
    """What a part of a Markdown text says; a star may be a sign of multiplication and stays, what is struck out does not."""
    if node.type == "s":
        return STRUCK
    if node.type in ("softbreak", "hardbreak"):
        return "\n"
    text = "".join(map(_said, node.children)) or node.content
    return f"{node.markup}{text}{node.markup}" if node.type == "em" else text


def _table(node: SyntaxTreeNode, caption: Sequence[str]) -> Table | None:
    rows = (row for part in node.children for row in part.children)
    cells = [
        Cell(at, column, without_struck(_said(cell)).strip())
        for at, row in enumerate(rows)
        for column, cell in enumerate(row.children)
    ]
    return table_of(cells, header_rows=1, caption=caption)
