"""Lines of a column to blocks: where one paragraph ends and the next begins, and what each block is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from pincite.ingest.layout.line_traits import (
    ends_sentence,
    is_bullet,
    is_caption,
    is_item,
    is_marker,
    is_numbered,
    is_numeric,
    joined,
)
from pincite.ingest.layout.raised_marks import RAISED_SIGNS, raised, unmarked
from pincite.ingest.layout.reading_order import LayoutRow
from pincite.ingest.raw_page import Block, Word
from pincite.types import Box, Kind

_LIST = 1500  # the most characters of a list that is gathered from its items
_CELL_GAP = 1.5  # runs of a line further apart than this many font sizes are cells
_FOOTNOTE = re.compile(
    r"(?:\d{1,3}|\(\d{1,2}\)|[*\u2020\u2021\u00a7\u00b6a-e]|[*\u2020\u2021]{2,3})[\s.)]*"
    r"(?=[^\W\d_]|http|[\"\u201c$\u20ac])"
)


@dataclass(frozen=True, slots=True)
class Style:
    """What is normal on a page: the size of its body text, whether that is bold, its line pitch, all in points.

    `known` holds the words of the page in lower case, `height` is that of the page.
    """

    size: float
    bold: bool
    pitch: float
    known: frozenset[str]
    height: float


def style_of(
    words: Iterable[Word], regions: Iterable[Sequence[LayoutRow]], known: frozenset[str], height: float
) -> Style:
    """The style of a page from all its words, and the distance between its lines from those of its columns."""
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    for word in words:
        sizes[round(word.size * 2) / 2] += len(word.text)
        bold[word.bold] += len(word.text)
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    pitches = [
        pitch
        for rows in regions
        for above, below in zip(rows, rows[1:], strict=False)
        if above.words and below.words
        and abs(below.words[0].size - size) < 0.6 and abs(above.words[0].size - size) < 0.6
        and 0.8 * size < (pitch := below.runs[0].bottom - above.runs[0].bottom) < 2.2 * size
    ]  # fmt: skip
    common = Counter(round(pitch * 2) / 2 for pitch in pitches).most_common(1)
    pitch = common[0][0] if common and common[0][1] > 2 else 1.2 * size
    return Style(size, bold[True] > bold[False], pitch, known, height)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of one column with what breaks and kinds are decided by."""

    text: str
    box: Box
    size: float
    bold: bool  # as a whole
    leads: bool  # its first word is bold
    italic: bool
    cells: int
    numbers: int
    raised: bool
    base: float
    first: float  # width of its first word

    @property
    def tabular(self) -> bool:
        """Whether it reads as a row of cells."""
        return self.cells > 2 or (self.cells == 2 and self.numbers > 0)


def blocks_of(rows: Sequence[LayoutRow], obstacles: Sequence[Block], style: Style) -> list[Block]:
    """The lines of one column as blocks; a row that holds an obstacle gives the block of that number."""
    items: list[_Line | Block] = []
    for row in rows:
        obstacle = row.runs[0].obstacle
        items.append(_line(row) if obstacle < 0 else obstacles[obstacle])
    lines = [item for item in items if isinstance(item, _Line)]
    if not lines:
        return [item for item in items if isinstance(item, Block)]
    left = min(line.box[0] for line in lines)
    right = sorted(line.box[2] for line in lines)[int(0.95 * (len(lines) - 1))]
    blocks: list[Block] = []
    group: list[_Line] = []
    for at, item in enumerate(items):
        if isinstance(item, Block):
            blocks += _finished(group, style)
            group = []
            blocks.append(item)
            continue
        following = items[at + 1] if at + 1 < len(items) else None
        if group and _breaks(group, item, following if isinstance(following, _Line) else None, style, left, right):
            blocks += _finished(group, style)
            group = []
        group.append(item)
    blocks += _finished(group, style)
    return _with_footnotes(_gathered(blocks), style)


def _line(row: LayoutRow) -> _Line:
    words = row.words
    if sum(_is_rtl(word.text) for word in words) > 0.5 * len(words):
        words = words[::-1]
    sizes: Counter[float] = Counter()
    bold = total = 0
    for word in words:
        count = len(word.text)
        sizes[word.size] += count
        total += count
        bold += count if word.bold else 0
    size = sizes.most_common(1)[0][0]
    runs = row.runs
    cells = 1
    for before, after in zip(runs, runs[1:], strict=False):
        if after.x0 - before.x1 > _CELL_GAP * size:
            cells += before is not runs[0] or not is_marker(" ".join(word.text for word in before.words))
    text = _spaced(words)
    boxes = [run.box for run in runs]
    base = median(word.box[3] for word in words if word.size > 0.85 * size)
    return _Line(
        text,
        (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)),
        size,
        bold > (0.6 if is_numbered(text) else 0.95) * total,  # a numbered heading may stress a word
        words[0].bold,
        all(word.italic for word in words),
        cells,
        sum(is_numeric(word.text) for word in words[1:]),
        words[0].superscript,
        base,
        words[0].box[2] - words[0].box[0],
    )  # fmt: skip


def _spaced(words: Sequence[Word]) -> str:
    """The words with a space between, except where two touch; without the marks of footnotes that are raised beside them."""
    parts = [words[0].text]
    for before, word in zip(words, words[1:], strict=False):
        gap = word.box[0] - before.box[2]
        touching = -0.3 * word.size < gap < 0.12 * max(word.size, before.size)
        changes = word.superscript != before.superscript or abs(word.size - before.size) > 0.15 * before.size
        changes = changes and not (before is words[0] and before.superscript)  # the mark that a footnote begins with
        if not (touching and (changes or not word.text[0].isalnum())):
            parts.append(" ")
        if word.superscript:
            parts.append(raised("".join(parts[-8:]), word.text))
        else:
            parts.append(unmarked(word.text)[0] if word.text[-1] in RAISED_SIGNS else word.text)
    return "".join(parts)


def _breaks(
    group: Sequence[_Line], line: _Line, following: _Line | None, style: Style, left: float, right: float
) -> bool:
    """Whether a line starts a new block after the lines of `group`."""
    last = group[-1]
    size = max(last.size, line.size)
    pitch = line.base - last.base
    normal = style.pitch if abs(size - style.size) < 0.6 else 1.25 * size
    if last.bold and line.bold:
        normal = max(normal, 1.35 * size)
    if len(group) > 1:
        normal = max(0.9 * size, min(last.base - group[-2].base, 1.6 * size))
    if pitch > normal + 0.25 * size or pitch < 0:
        return not (last.tabular and line.tabular and 0 <= pitch < 2.2 * normal)
    changed = last.bold and not line.leads or line.bold and not last.bold
    if abs(last.size - line.size) > 0.08 * size or changed:
        # a line of a table or a list may change its weight inside its block; short pieces of prose may be all bold
        return not (last.tabular and line.tabular and abs(last.size - line.size) < 0.2 * size)
    if last.tabular != line.tabular:
        return not (is_item(group[0].text) and not line.tabular)
    if line.tabular:
        return False
    if is_item(line.text):
        return not is_item(group[0].text)
    if is_caption(line.text) or (line.raised and ends_sentence(last.text)):
        return True
    if is_caption(group[0].text):
        return False
    return _indents(group, line, following, left, right)


def _indents(group: Sequence[_Line], line: _Line, following: _Line | None, left: float, right: float) -> bool:
    """Breaks by indentation and by a line that ends early."""
    last = group[-1]
    size = line.size
    room = right - last.box[2]
    early = room > line.first + 0.6 * size
    stopped = ends_sentence(last.text)
    step = line.box[0] - last.box[0]
    if is_item(group[0].text):
        # the text of an item hangs at or right of its marker, or runs on at the left edge of the column
        offset = line.box[0] - group[0].box[0]
        return (early or stopped) and (offset < -0.5 * size or (offset < 0.3 * size and early and stopped))
    if early and abs((line.box[0] + line.box[2]) - (last.box[0] + last.box[2])) < size:  # centred lines
        return stopped and len(group) > 3
    if step > 0.8 * size and (early or stopped):
        level = following is not None and abs(following.box[0] - line.box[0]) < 0.3 * size
        return early or len(group) > 1 or not level  # else the second line of a hanging indent
    if len(group) > 1 and line.box[0] < last.box[0] - 0.8 * size:
        return early or stopped
    if early and stopped:
        return True
    return room > 0.4 * (right - left) and right - left > 12 * size


def _finished(group: Sequence[_Line], style: Style) -> list[Block]:
    """The block that a group of lines makes; none of lines drawn with underscores and dots, or of no lines."""
    texts = [line.text for line in group]
    if not any(any(map(str.isalnum, text)) for text in texts):
        return []
    tabular = sum(line.tabular for line in group) * 2 > len(group)
    items = [is_item(text) for text in texts]
    listed = items[0] and not tabular and (is_bullet(texts[0]) or sum(items) > 1 or len(group) == 1)
    breaks = [tabular or (listed and item) for item in items]
    text, starts = joined(texts, style.known, breaks)
    kind: Kind = "list" if listed else "paragraph"
    size = median(line.size for line in group)
    bold = all(line.bold for line in group)
    if is_caption(text) and len(text) < 600 and not tabular:
        kind = "caption"
    elif not tabular and _is_heading(text, group, size, bold, style):
        kind = "heading"
    elif (
        not tabular and size <= 0.92 * style.size and (group[0].raised or _FOOTNOTE.match(text)) and kind == "paragraph"
    ):
        kind = "footnote"
    lead = kind == "heading"
    return [
        Block(kind, text, tuple(line.box for line in group), starts, size=size if lead else 0.0, bold=bold and lead)
    ]


def _is_heading(text: str, group: Sequence[_Line], size: float, bold: bool, style: Style) -> bool:
    words = text.split()
    letters = sum(map(str.isalpha, text))
    if (
        len(group) > 4
        or len(words) > 40
        or letters < 3
        or letters < 0.5 * len(text.replace(" ", ""))
        or is_bullet(text)
    ):
        return False
    if text[0].islower() or text[-1] in ",;" or any(line.cells > 1 for line in group):
        return False
    ended = text[-1] == "." and not (is_numbered(text) and len(words) < 12)
    if size >= 1.15 * style.size:
        return len(words) <= (12 if ended else 25)
    if size < 0.85 * style.size or text[0] == "(":
        return False
    if bold and not style.bold:
        return True
    if ended:
        return False
    if group[0].italic and len(group) == 1 and len(words) <= 10 and text[0].isupper() and not text.endswith(":"):
        return True
    capitals = text.isupper() and len(words) > 1
    return (
        (capitals or is_numbered(text))
        and len(group) <= 2
        and len(words) <= 14
        and not text.endswith(":")
        and len(words) > 1
        and (capitals or text.istitle())
    )


def _gathered(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with what belongs together as one of several lines: items of a list, scraps (a drawing's labels)."""
    out: list[Block] = []
    for block in blocks:
        last = out[-1] if out else None
        if last is not None and (
            _is_next_item(last, block)
            or (_is_scrap(block) and (_is_scrap(last) or (last.kind == "paragraph" and "\n" in last.text)))
        ):
            starts = (*last.starts, *(len(last.text) + 1 + start for start in block.starts))
            out[-1] = replace(last, text=f"{last.text}\n{block.text}", lines=last.lines + block.lines, starts=starts)
        else:
            out.append(block)
    return out


def _is_next_item(last: Block, block: Block) -> bool:
    if last.kind != "list" or block.kind != "list" or len(last.text) + len(block.text) > _LIST:
        return False
    above, below = last.lines[-1], block.lines[0]
    return above is not None and below is not None and 0 <= below[1] - above[1] < 4 * (below[3] - below[1])


def _is_scrap(block: Block) -> bool:
    return (
        block.kind == "paragraph"
        and len(block.text) < 40
        and len(block.text.split()) < 5
        and not ends_sentence(block.text)
    )


def _with_footnotes(blocks: list[Block], style: Style) -> list[Block]:
    """Small notes count as footnotes only at the foot of their column, below the last text of body size."""
    seen_body = False
    out: list[Block] = []
    for block in reversed(blocks):
        if block.kind == "footnote" and (seen_body or (block.lines[0] or (0, 0, 0, 0))[1] < 0.4 * style.height):
            block = replace(block, kind="paragraph")
        elif block.kind in ("paragraph", "list", "heading", "table"):
            low = block.lines[-1]
            seen_body = seen_body or (low is not None and low[3] < 0.93 * style.height)
        out.append(block)
    return out[::-1]


def _is_rtl(text: str) -> bool:
    return not text.isascii() and any(
        "\u0590" <= letter <= "\u08ff" or "\ufb1d" <= letter <= "\ufeff" for letter in text
    )
