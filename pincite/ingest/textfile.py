"""Text files as pages: page texts between form feeds, Markdown, plain text. Without geometry, lines must tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pincite.ingest.given_tables import lead, table_block, table_of
from pincite.ingest.layout.line_traits import (
    ends_sentence,
    is_caption,
    is_item,
    is_numbered,
    is_numeric,
    joined,
    looks_tabular,
    numbering,
)
from pincite.ingest.raw_page import Block, Page
from pincite.types import Cell, Kind, Table

_PICTURE = re.compile(r"\[Image\s+page=\d+[^\]]*\](?:[ \t]*Size:[ \t]*\d+x\d+)?(?:,?[ \t]*Data:[ \t]*\d+[ \t]*bytes)?")
_WRAPPED = 200  # longer lines are whole paragraphs
_WORD = re.compile(r"\w+(?:-\w+)*")
_KNOWN_HEADING = re.compile(
    r"(?:abstract|introduction|background|related work|methods?|methodology|results|discussion|conclusions?|references|"
    r"acknowledge?ments?|appendix|limitations|contents|summary|executive summary|bibliography|evaluation|experiments)",
    re.IGNORECASE,
)
_ATX = re.compile(r"(#{1,6})\s++(.*)")
_RULE = re.compile(r"^\s*+\|?(?:\s*+:?-{2,}+:?\s*+\|)*\s*+:?-{2,}+:?\s*+\|?\s*+$")
_FENCE = re.compile(r"\s*+(?:```|~~~)")
_MARKDOWN_ITEM = re.compile(r"\s*+(?:[-*+]|\d{1,3}[.)])\s++")


def read_text(path: Path) -> str:
    """The text of a file, decoded by its byte order mark, as UTF-8, else as Windows-1252, with plain line feeds."""
    data = path.read_bytes()
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
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
    known = frozenset(word.lower() for word in _WORD.findall(text))
    lines = [" ".join(line.split()) for line in "\n\0\n".join(_PICTURE.split(text)).split("\n")]
    lengths = sorted(len(line) for line in lines if len(line) > 20)
    width = lengths[int(0.8 * (len(lengths) - 1))] if lengths else 80
    if width > _WRAPPED:
        rows, heads = [False] * len(lines), [False] * len(lines)
    else:
        heads = _headings(lines, width)
        rows = _rows(lines, heads, width)
    blocks: list[Block] = []
    group: list[str] = []
    for at, line in enumerate(lines):
        if not line and rows[at]:
            continue
        if group and (
            not line
            or line == "\0"
            or width > _WRAPPED
            or rows[at] != rows[at - 1]
            or (not rows[at] and (heads[at] or heads[at - 1] or _breaks(group, line, width)))
        ):
            blocks.append(_block(group, rows[at - 1], heads[at - 1], known))
            group = []
        if line == "\0":
            blocks.append(Block("figure", "", (None,), (0,)))
        elif line:
            group.append(line)
    if group:
        blocks.append(_block(group, rows[-1], heads[-1], known))
    return blocks


def _headings(lines: Sequence[str], width: int) -> list[bool]:
    """Which lines are headings. Three in a row are a table of contents and none of them is one."""
    heads = [
        bool(line) and _heads(line, lines[at + 1] if at + 1 < len(lines) else "", width)
        for at, line in enumerate(lines)
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
    if _KNOWN_HEADING.fullmatch(line):
        return True
    if len(line) >= 0.95 * width or not is_numbered(line) or looks_tabular(line) or is_numeric(line.split()[-1]):
        return False
    words = [word for word in line.split()[1:] if word[0].isalpha()]
    capitals = sum(word[0].isupper() for word in words)
    if not 0 < len(words) <= 12 or not words[0][0].isupper() or len(following) <= 15:
        return False
    return len(words) <= 3 or 2 * capitals >= len(words) or (numbering(line) > 2 and len(line) < 0.85 * width)


def _rows(lines: Sequence[str], heads: Sequence[bool], width: int) -> list[bool]:
    """Which lines are rows of a table, with the short labels that stand among and above them."""
    short = [not head and _is_short(line, width) for line, head in zip(lines, heads, strict=True)]
    rows = [not head and _is_row(line, tight, width) for line, tight, head in zip(lines, short, heads, strict=True)]
    _join_rows(rows, short, lines)
    for at in range(1, len(rows)):
        rows[at] = rows[at] or (rows[at - 1] and not heads[at] and _ends_in_number(lines[at], width))
    for at in range(len(rows)):
        if rows[at] and _is_alone(rows, at) and not looks_tabular(lines[at]):
            rows[at] = False
    _take_labels(rows, short, lines)
    return rows


def _is_short(line: str, width: int) -> bool:
    """Whether a line is a label as tables have them, and no sentence or caption."""
    return bool(line) and line != "\0" and len(line) < 0.7 * width and not ends_sentence(line) and not is_caption(line)


def _is_row(line: str, short: bool, width: int) -> bool:
    """Whether a line by itself looks like a row of a table."""
    if ends_sentence(line):
        return False
    return looks_tabular(line) or (_ends_in_number(line, width) and (short or line[0].isupper()))


def _join_rows(rows: list[bool], short: Sequence[bool], lines: Sequence[str]) -> None:
    """Make rows of up to two labels or empty lines between two rows."""
    seen = [at for at, row in enumerate(rows) if row]
    for first, second in zip(seen, seen[1:], strict=False):
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
    last = group[-1]
    early = len(last) < 0.75 * width
    stopped = ends_sentence(last)
    if is_caption(line) and (early or stopped or len(group) == 1):
        return True
    if is_item(line) and (stopped or early):
        return not is_item(group[0])
    if early and (stopped or is_caption(group[0])):
        return not line[:1].islower()
    label = len(group) == 1 and len(last) < 0.5 * width and last[-1].isalnum() and last[0].isupper()
    return label and len(line) > 0.5 * width and not line[:1].islower()


def _block(group: Sequence[str], rows: bool, heading: bool, known: frozenset[str]) -> Block:
    items = [is_item(line) for line in group]
    listed = items[0] and not rows
    text, starts = joined(group, known, [rows or (listed and item) for item in items])
    kind: Kind = "heading" if heading else "list" if listed else "paragraph"
    if not rows and is_caption(text) and len(text) < 600:
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
    lines = text.split("\n")
    known = frozenset(word.lower() for word in _WORD.findall(text))
    blocks: list[Block] = []
    group: list[str] = []
    at = 0

    def close() -> None:
        if group:
            items = [bool(_MARKDOWN_ITEM.match(line)) for line in group]
            body, starts = joined([line.strip() for line in group], known, [item and items[0] for item in items])
            kind: Kind = "list" if items[0] else "caption" if is_caption(body) else "paragraph"
            blocks.append(Block(kind, body, (None,) * len(group), starts))
            group.clear()

    while at < len(lines):
        line = lines[at]
        heading = _ATX.match(line)
        if _FENCE.match(line):
            close()
            end = next((i for i in range(at + 1, len(lines)) if _FENCE.match(lines[i])), len(lines))
            body = lines[at + 1 : end]
            if any(line.strip() for line in body):
                joined_text, starts = joined(body, known, [True] * len(body))
                blocks.append(Block("paragraph", joined_text, (None,) * len(body), starts))
            at = end
        elif heading:
            close()
            if title := heading[2].rstrip().rstrip("#").rstrip():
                blocks.append(Block("heading", _plain(title), (None,), (0,), len(heading[1])))
        elif "|" in line and at + 1 < len(lines) and "|" in lines[at + 1] and _RULE.match(lines[at + 1]):
            close()
            end = next((i for i in range(at, len(lines)) if "|" not in lines[i]), len(lines))
            table = _table([lines[at], *lines[at + 2 : end]], lead(blocks))
            if table is not None:
                blocks.append(table_block(table))
            at = end - 1
        elif not line.strip():
            close()
        elif (
            group
            and at
            and re.fullmatch(r"\s*+(?:=++|-++)\s*+", line)
            and len(group) == 1
            and not _MARKDOWN_ITEM.match(group[0])
        ):
            level = 1 if "=" in line else 2
            blocks.append(Block("heading", _plain(group.pop().strip()), (None,), (0,), level))
        elif not re.fullmatch(r"\s*+(?:[-*_]\s*+){3,}", line):
            if _MARKDOWN_ITEM.match(line) and group and not _MARKDOWN_ITEM.match(group[0]):
                close()
            group.append(_plain(line))
        at += 1
    close()
    return blocks


def _plain(text: str) -> str:
    """A line of Markdown without the marks of its links and emphasis."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(\*\*|__|`)(.+?)\1", r"\2", text)


def _table(lines: Sequence[str], caption: Sequence[str]) -> Table | None:
    cells = []
    for row, line in enumerate(lines):
        for column, text in enumerate(re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))):
            cells.append(Cell(row, column, _plain(text.strip().replace("\\|", "|"))))
    return table_of(cells, header_rows=1, caption=caption)
