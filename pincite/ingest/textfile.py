"""Text files as pages: page texts between form feeds, Markdown, plain text. Lines alone show the structure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from pathlib import Path

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
from pincite.ingest.page_cuts import running_text
from pincite.ingest.raw_page import Block, Page
from pincite.lexicon import word_set
from pincite.types import Cell, Kind, Table

_PICTURE = re.compile(
    r"\[Image\s+page=\d+[^\]]*\](?:[ \t]*Size:[ \t]*\d+x\d+)?(?:,?[ \t]*Data:[ \t]*\d+[ \t]*bytes)?"
)
_WRAPPED = 200  # longer lines are whole paragraphs
_FIGURE = "\0"
"""A line that stands for a picture."""
_KNOWN_HEADINGS = word_set("ingest", "known headings")
_ATX = re.compile(r"(#{1,6})\s++(.*)")
_RULE = re.compile(r"^\s*+\|?(?:\s*+:?-{2,}+:?\s*+\|)*\s*+:?-{2,}+:?\s*+\|?\s*+$")
_BREAK = re.compile(r"\s*+(?:[-*_]\s*+){3,}")
_FENCES = ("```", "~~~")
_UNDERLINES = ({"="}, {"-"})
_MARKDOWN_ITEM = re.compile(r"\s*+(?:[-*+]|\d{1,3}[.)])\s++")


def read_text(path: Path) -> str:
    """The text of a file, decoded by its byte order mark, as UTF-8, else as Windows-1252, with plain line feeds."""
    data = path.read_bytes()
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if data.startswith(mark):
            text = data.decode(encoding, "replace")
            break
    else:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


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
    page = _page(
        [
            " ".join(line.split())
            for line in f"\n{_FIGURE}\n".join(_PICTURE.split(text)).split("\n")
        ]
    )
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


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a page and an empty one, which of them are headings and which rows of a table, how wide its text is."""

    lines: list[str]
    heads: list[bool]
    rows: list[bool]
    width: int

    def begins_block(self, at: int, group: Sequence[str]) -> bool:
        """Whether a line begins another block than the lines of `group` before it."""
        if (
            self.lines[at] in ("", _FIGURE)
            or self.width > _WRAPPED
            or self.rows[at] != self.rows[at - 1]
        ):
            return True
        if self.rows[at]:
            return False
        return self.heads[at] or self.heads[at - 1] or _breaks(group, self.lines[at], self.width)


def _page(lines: list[str]) -> _Lines:
    lengths = sorted(len(line) for line in lines if len(line) > 20)
    width = lengths[int(0.8 * (len(lengths) - 1))] if lengths else 80
    lines = [*lines, ""]
    if width > _WRAPPED:
        return _Lines(lines, [False] * len(lines), [False] * len(lines), width)
    heads = _headings(lines, width)
    return _Lines(lines, heads, _rows(lines, heads, width), width)


def _headings(lines: Sequence[str], width: int) -> list[bool]:
    """Which lines are headings. Three in a row are a table of contents and none of them is one."""
    heads = [
        bool(line) and _heads(line, following, width) for line, following in pairwise([*lines, ""])
    ]
    listed: set[int] = set()
    for at in range(len(heads) - 2):
        if all(heads[at : at + 3]):
            listed.update((at, at + 1, at + 2))
    return [head and at not in listed for at, head in enumerate(heads)]


def _heads(line: str, following: str, width: int) -> bool:
    """Whether a line is a heading: numbered or well known, short, and followed by text that starts anew."""
    if len(line) > 90 or line.endswith((".", ",", ";", ":", "-")) or following[:1].islower():
        return False
    return (
        line.casefold() in _KNOWN_HEADINGS
        or len(following) > 15
        and _is_numbered_title(line, width)
    )


def _is_numbered_title(line: str, width: int) -> bool:
    """Whether a line is a number with a few words after it, most of them in capitals."""
    number, *rest = line.split()
    words = [word for word in rest if word[0].isalpha()]
    if (
        not is_numbered(line)
        or len(line) >= 0.95 * width
        or looks_tabular(line)
        or is_numeric((number, *rest)[-1])
    ):
        return False
    if not 0 < len(words) <= 12 or not words[0][0].isupper():
        return False
    capitals = sum(word[0].isupper() for word in words)
    return (
        len(words) <= 3
        or 2 * capitals >= len(words)
        or (numbering(line) > 2 and len(line) < 0.85 * width)
    )


def _rows(lines: Sequence[str], heads: Sequence[bool], width: int) -> list[bool]:
    """Which lines are rows of a table, with the short labels that stand among and above them."""
    short = [not head and _is_short(line, width) for line, head in zip(lines, heads, strict=True)]
    rows = [
        not head and _is_row(line, tight, width)
        for line, tight, head in zip(lines, short, heads, strict=True)
    ]
    _join_rows(rows, short, lines)
    for at in range(1, len(rows)):
        rows[at] = rows[at] or (
            rows[at - 1] and not heads[at] and _ends_in_number(lines[at], width)
        )
    for at, line in enumerate(lines):
        rows[at] = rows[at] and (looks_tabular(line) or not _is_alone(rows, at))
    _take_labels(rows, short, lines)
    return rows


def _is_short(line: str, width: int) -> bool:
    """Whether a line is a label as tables have them, and no sentence or caption."""
    return (
        line not in ("", _FIGURE)
        and len(line) < 0.7 * width
        and not ends_sentence(line)
        and not is_caption(line)
    )


def _is_row(line: str, short: bool, width: int) -> bool:
    """Whether a line by itself looks like a row of a table."""
    if ends_sentence(line):
        return False
    return looks_tabular(line) or (_ends_in_number(line, width) and (short or line[0].isupper()))


def _join_rows(rows: list[bool], short: Sequence[bool], lines: Sequence[str]) -> None:
    """Make rows of up to two labels or empty lines between two rows."""
    seen = [at for at, row in enumerate(rows) if row]
    for first, second in pairwise(seen):
        between = range(first + 1, second)
        if second - first <= 3 and all(short[at] or not lines[at] for at in between):
            rows[first:second] = [True] * (second - first)


def _is_alone(rows: Sequence[bool], at: int) -> bool:
    """Whether there is no row before or after this one."""
    return not (at and rows[at - 1]) and not (at + 1 < len(rows) and rows[at + 1])


def _take_labels(rows: list[bool], short: Sequence[bool], lines: Sequence[str]) -> None:
    """Make rows of up to two labels above the first row of a table."""
    for at in range(len(rows) - 1, 1, -1):
        if rows[at] and not rows[at - 1] and short[at - 1]:
            rows[at - 1] = True
            rows[at - 2] = rows[at - 2] or (short[at - 2] and not lines[at - 2][:1].islower())


def _ends_in_number(line: str, width: int) -> bool:
    return 0 < len(line) < 0.95 * width and line[-1] != "," and is_numeric(line.split()[-1])


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
    return len(line) > 0.5 * width and _is_label(group, width)


def _is_label(group: Sequence[str], width: int) -> bool:
    """Whether a block is one short line that does not end as a sentence does."""
    line = group[-1]
    return len(group) == 1 and len(line) < 0.5 * width and line[-1].isalnum() and line[0].isupper()


def _block(group: Sequence[str], rows: bool, heading: bool, known: frozenset[str]) -> Block:
    items = [is_item(line) for line in group]
    listed = items[0] and not rows
    text, starts = joined(group, known, [rows or (listed and item) for item in items])
    kind: Kind = "heading" if heading else "list" if listed else "paragraph"
    if not rows and running_text(text).kind == "caption":
        kind = "caption"
    return Block(kind, text, (None,) * len(group), starts, _depth(text) if heading else 0)


def _depth(text: str) -> int:
    found = re.match(r"[\dA-Z]+(?:\.\d+)*", text)
    return 1 + found.group().count(".") if found and is_numbered(text) else 1


def markdown_pages(path: Path) -> Iterator[Page]:
    """A Markdown file as pages (one for each text between form feeds): headings, lists, pipe tables, paragraphs."""
    for number, part in enumerate(read_text(path).removesuffix("\f").split("\f"), 1):
        yield Page(number, 0.0, 0.0, tuple(markdown_blocks(part)))


def markdown_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown text. Emphasis, links and code keep their words; a fenced block keeps its lines."""
    reader = _MarkdownReader(text.split("\n"), known_words(text))
    at = 0
    while at < len(reader.lines):
        at = reader.read(at)
    reader.close()
    return reader.blocks


@dataclass(slots=True)
class _MarkdownReader:
    """The blocks of the lines read so far, and the lines of the one that is open."""

    lines: list[str]
    known: frozenset[str]
    blocks: list[Block] = field(default_factory=list)
    group: list[str] = field(default_factory=list)

    def read(self, at: int) -> int:
        """Read what begins at a line; the line that follows it."""
        line = self.lines[at]
        heading = _ATX.match(line)
        if _is_fence(line):
            return self.fenced(at)
        if heading:
            self.close()
            self.heading(heading[2].rstrip().rstrip("#").rstrip(), len(heading[1]))
        elif self.begins_table(at):
            return self.table(at)
        elif not line.strip():
            self.close()
        elif self.is_underline(line):
            self.heading(self.group.pop().strip(), 1 if "=" in line else 2)
        elif not _BREAK.fullmatch(line):
            self.running(line)
        return at + 1

    def heading(self, text: str, level: int) -> None:
        """Add a heading that has a text."""
        if text:
            self.blocks.append(Block("heading", _plain(text), (None,), (0,), level))

    def running(self, line: str) -> None:
        """Add a line to the open block; the first item of a list closes it."""
        if self.group and _MARKDOWN_ITEM.match(line) and not _MARKDOWN_ITEM.match(self.group[0]):
            self.close()
        self.group.append(_plain(line))

    def is_underline(self, line: str) -> bool:
        """Whether a line makes the one before it a heading."""
        return (
            len(self.group) == 1
            and not _MARKDOWN_ITEM.match(self.group[0])
            and set(line.strip()) in _UNDERLINES
        )

    def begins_table(self, at: int) -> bool:
        """Whether a line is the first of a table: a rule with pipes is under it."""
        rule = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        return "|" in self.lines[at] and "|" in rule and bool(_RULE.match(rule))

    def table(self, at: int) -> int:
        """Add a table with the line over it."""
        self.close()
        rows = list(takewhile(lambda line: "|" in line, self.lines[at:]))
        table = _table([rows[0], *rows[2:]], lead(self.blocks))
        if table is not None:
            self.blocks.append(table_block(table))
        return at + len(rows)

    def fenced(self, at: int) -> int:
        """Add what stands between fences, line by line."""
        self.close()
        body = list(takewhile(lambda line: not _is_fence(line), self.lines[at + 1 :]))
        if any(line.strip() for line in body):
            text, starts = joined(body, self.known, [True] * len(body))
            self.blocks.append(Block("paragraph", text, (None,) * len(body), starts))
        return at + len(body) + 2

    def close(self) -> None:
        """Add the block that is open."""
        if not self.group:
            return
        items = [bool(_MARKDOWN_ITEM.match(line)) for line in self.group]
        breaks = [item and items[0] for item in items]
        text, starts = joined([line.strip() for line in self.group], self.known, breaks)
        kind: Kind = "list" if items[0] else "caption" if is_caption(text) else "paragraph"
        self.blocks.append(Block(kind, text, (None,) * len(self.group), starts))
        self.group.clear()


def _is_fence(line: str) -> bool:
    return line.lstrip().startswith(_FENCES)


def _plain(text: str) -> str:
    """A line of Markdown without the marks of its links and emphasis."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(\*\*|__|`)(.+?)\1", r"\2", text)


def _table(lines: Sequence[str], caption: Sequence[str]) -> Table | None:
    cells = []
    for row, line in enumerate(lines):
        for column, text in enumerate(
            re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
        ):
            cells.append(Cell(row, column, _plain(text.strip().replace("\\|", "|"))))
    return table_of(cells, header_rows=1, caption=caption)
