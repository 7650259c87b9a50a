"""Lines of a column to blocks: where one paragraph ends and the next begins, and what each block is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from pincite.ingest.layout.boxes import around
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
from pincite.ingest.layout.reading_order import LayoutRow, WordRun
from pincite.ingest.raw_page import Block, Word
from pincite.types import Box, Kind

_LIST = 1500  # the most characters of a list that is gathered from its items
_LABEL = 60  # the most characters of a label, and of what stands under it
Edges = tuple[float, float]
"""The left and right edge of a column."""
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
    words: Iterable[Word],
    regions: Iterable[Sequence[LayoutRow]],
    known: frozenset[str],
    height: float,
) -> Style:
    """The style of a page from all its words, and the distance between its lines from those of its columns."""
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    for word in words:
        sizes[round(word.size * 2) / 2] += len(word.text)
        bold[word.bold] += len(word.text)
    size = sizes.most_common(1)[0][0]
    pitches: Counter[float] = Counter()
    for rows in regions:
        for above, below in pairwise(rows):
            pitch = below.runs[0].bottom - above.runs[0].bottom
            if _is_body(above, size) and _is_body(below, size) and 0.8 * size < pitch < 2.2 * size:
                pitches[round(pitch * 2) / 2] += 1
    common = pitches.most_common(1)
    pitch = common[0][0] if common and common[0][1] > 2 else 1.2 * size
    return Style(size, bold[True] > bold[False], pitch, known, height)


def _is_body(row: LayoutRow, size: float) -> bool:
    return bool(row.words) and abs(row.words[0].size - size) < 0.6


@dataclass(frozen=True, slots=True)
class _TextLine:
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
    lines = {at: _line(row) for at, row in enumerate(rows) if row.runs[0].obstacle < 0}
    edges = _edges(list(lines.values()))
    blocks: list[Block] = []
    group: list[_TextLine] = []
    for at, row in enumerate(rows):
        line = lines.get(at)
        if line is None:
            blocks += [*_finished(group, style), obstacles[row.runs[0].obstacle]]
            group = []
            continue
        if group and _breaks(group, line, lines.get(at + 1), style, edges):
            blocks += _finished(group, style)
            group = []
        group.append(line)
    blocks += _finished(group, style)
    return _with_footnotes(_gathered(blocks), style)


def _edges(lines: Sequence[_TextLine]) -> Edges:
    """The left and right edge of a column, past whose right edge a line in twenty may run."""
    if not lines:
        return 0.0, 0.0
    rights = sorted(line.box[2] for line in lines)
    return min(line.box[0] for line in lines), rights[int(0.95 * (len(lines) - 1))]


def _line(row: LayoutRow) -> _TextLine:
    words = row.words
    if sum(_is_rtl(word.text) for word in words) > 0.5 * len(words):
        words = words[::-1]
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    for word in words:
        sizes[word.size] += len(word.text)
        bold[word.bold] += len(word.text)
    size = sizes.most_common(1)[0][0]
    text = _spaced(words)
    least = 0.6 if is_numbered(text) else 0.95  # a numbered heading may stress a word
    return _TextLine(
        text,
        around(run.box for run in row.runs),
        size,
        bold[True] > least * bold.total(),
        words[0].bold,
        all(word.italic for word in words),
        _cells(row.runs, size),
        sum(is_numeric(word.text) for word in words[1:]),
        words[0].superscript,
        median(word.box[3] for word in words if word.size > 0.85 * size),
        words[0].box[2] - words[0].box[0],
    )


def _cells(runs: Sequence[WordRun], size: float) -> int:
    """How many cells the runs of a line make; a marker that it begins with is none of its own."""
    cells = 1 + sum(after.x0 - before.x1 > _CELL_GAP * size for before, after in pairwise(runs))
    marked = len(runs) > 1 and is_marker(" ".join(word.text for word in runs[0].words))
    return cells - (marked and runs[1].x0 - runs[0].x1 > _CELL_GAP * size)


def _spaced(words: Sequence[Word]) -> str:
    """The words with a space between, except where two touch; without the marks of footnotes that are raised beside them."""
    parts = [words[0].text]
    for before, word in zip(words, words[1:], strict=False):
        gap = word.box[0] - before.box[2]
        touching = -0.3 * word.size < gap < 0.12 * max(word.size, before.size)
        resized = abs(word.size - before.size) > 0.15 * before.size
        changes = resized or word.superscript != before.superscript
        # not after the mark that a footnote begins with
        changes = changes and not (before is words[0] and before.superscript)
        if not (touching and (changes or not word.text[0].isalnum())):
            parts.append(" ")
        if word.superscript:
            parts.append(raised("".join(parts[-8:]), word.text))
        else:
            parts.append(unmarked(word.text)[0] if word.text[-1] in RAISED_SIGNS else word.text)
    return "".join(parts)


def _breaks(
    group: Sequence[_TextLine],
    line: _TextLine,
    following: _TextLine | None,
    style: Style,
    edges: Edges,
) -> bool:
    """Whether a line starts a new block after the lines of `group`."""
    last = group[-1]
    size = max(last.size, line.size)
    pitch, usual = line.base - last.base, _usual_pitch(group, line, style)
    rows = last.tabular and line.tabular
    if pitch > usual + 0.25 * size or pitch < 0:
        return not (rows and 0 <= pitch < 2.2 * usual)
    if _changes_type(last, line):
        # a line of a table or a list may change its weight inside its block; short pieces of prose may be all bold
        return not (rows and abs(last.size - line.size) < 0.2 * size)
    if last.tabular != line.tabular:
        return line.tabular or not is_item(group[0].text)
    return not line.tabular and _begins(group, line, following, edges)


def _usual_pitch(group: Sequence[_TextLine], line: _TextLine, style: Style) -> float:
    """The distance at which a line is expected below the lines of its block."""
    last = group[-1]
    size = max(last.size, line.size)
    if len(group) > 1:
        return max(0.9 * size, min(last.base - group[-2].base, 1.6 * size))
    usual = style.pitch if abs(size - style.size) < 0.6 else 1.25 * size
    return max(usual, 1.35 * size) if last.bold and line.bold else usual


def _changes_type(last: _TextLine, line: _TextLine) -> bool:
    weight = last.bold and not line.leads or line.bold and not last.bold
    return weight or abs(last.size - line.size) > 0.08 * max(last.size, line.size)


def _begins(
    group: Sequence[_TextLine], line: _TextLine, following: _TextLine | None, edges: Edges
) -> bool:
    """Whether a line of running text at the usual distance begins an item, a caption, a note or a paragraph."""
    if is_item(line.text):
        return not is_item(group[0].text)
    if is_caption(line.text) or line.raised and ends_sentence(group[-1].text):
        return True
    return not is_caption(group[0].text) and _indents(group, line, following, edges)


def _indents(
    group: Sequence[_TextLine], line: _TextLine, following: _TextLine | None, edges: Edges
) -> bool:
    """Breaks by indentation and by a line that ends early."""
    left, right = edges
    last = group[-1]
    room = right - last.box[2]
    early = room > line.first + 0.6 * line.size
    stopped = ends_sentence(last.text)
    if is_item(group[0].text):
        return _ends_item(line, group[0], early, stopped)
    short = room > 0.4 * (right - left) and right - left > 12 * line.size
    if not early and not stopped:
        return short and not _is_outdented(group, line)
    if (
        early and abs((line.box[0] + line.box[2]) - (last.box[0] + last.box[2])) < line.size
    ):  # centred lines
        return stopped and len(group) > 3
    if line.box[0] - last.box[0] > 0.8 * line.size:
        return early or len(group) > 1 or not _is_level(line, following)
    return short or early and stopped or _is_outdented(group, line)


def _ends_item(line: _TextLine, item: _TextLine, early: bool, stopped: bool) -> bool:
    """Whether a line is no more of an item, whose text hangs at or right of its marker, or runs on at the column's edge."""
    offset = line.box[0] - item.box[0]
    if offset < -0.5 * line.size:
        return early or stopped
    return offset < 0.3 * line.size and early and stopped


def _is_outdented(group: Sequence[_TextLine], line: _TextLine) -> bool:
    return len(group) > 1 and line.box[0] < group[-1].box[0] - 0.8 * line.size


def _is_level(line: _TextLine, following: _TextLine | None) -> bool:
    """Whether the next line begins below this one, as in a hanging indent."""
    return following is not None and abs(following.box[0] - line.box[0]) < 0.3 * line.size


def _finished(group: Sequence[_TextLine], style: Style) -> list[Block]:
    """The block that a group of lines makes; none of lines drawn with underscores and dots, or of no lines."""
    texts = [line.text for line in group]
    if not any(map(str.isalnum, "".join(texts))):
        return []
    tabular = sum(line.tabular for line in group) * 2 > len(group)
    items = list(map(is_item, texts))
    listed = not tabular and _is_list(texts, items)
    text, starts = joined(texts, style.known, [tabular or listed and item for item in items])
    kind = _kind(text, group, tabular, listed, style)
    block = Block(kind, text, tuple(line.box for line in group), starts)
    return [
        replace(block, size=_size(group), bold=_is_bold(group)) if kind == "heading" else block
    ]


def _is_list(texts: Sequence[str], items: Sequence[bool]) -> bool:
    """Whether lines are items: the first is, and has a bullet or is not the only one among others."""
    return items[0] and (is_bullet(texts[0]) or sum(items) > 1 or len(texts) == 1)


def _size(group: Sequence[_TextLine]) -> float:
    return median(line.size for line in group)


def _is_bold(group: Sequence[_TextLine]) -> bool:
    return all(line.bold for line in group)


def _kind(
    text: str, group: Sequence[_TextLine], tabular: bool, listed: bool, style: Style
) -> Kind:
    if tabular:
        return "paragraph"
    if is_caption(text) and len(text) < 600:
        return "caption"
    if _may_be_heading(text, group) and _is_heading(text, group, style):
        return "heading"
    if listed:
        return "list"
    noted = group[0].raised or _FOOTNOTE.match(text)
    return "footnote" if noted and _size(group) <= 0.92 * style.size else "paragraph"


def _is_heading(text: str, group: Sequence[_TextLine], style: Style) -> bool:
    size, count = _size(group), len(text.split())
    ended = text[-1] == "." and not (is_numbered(text) and count < 12)
    if size >= 1.15 * style.size:
        return count <= (12 if ended else 25)
    if size < 0.85 * style.size or text[0] == "(":
        return False
    if _is_bold(group) and not style.bold:
        return True
    return not ended and _stands_out(text, group)


def _may_be_heading(text: str, group: Sequence[_TextLine]) -> bool:
    """Whether a text is short, begins and ends as a heading may, and is most of letters."""
    letters = sum(map(str.isalpha, text))
    long = len(group) > 4 or len(text.split()) > 40
    if long or letters < max(3, 0.5 * len(text.replace(" ", ""))):
        return False
    if text[0].islower() or text[-1] in ",;" or is_bullet(text):
        return False
    return not any(line.cells > 1 for line in group)


def _stands_out(text: str, group: Sequence[_TextLine]) -> bool:
    """Whether a text in the size and weight of others is a heading by its italics, its capitals or its number."""
    if text.endswith(":"):
        return False
    count = len(text.split())
    titled = text.isupper() or is_numbered(text) and text.istitle()
    if titled and len(group) <= 2 and 1 < count <= 14:
        return True
    return group[0].italic and len(group) == 1 and count <= 10 and text[0].isupper()


def _gathered(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with what belongs together as one of several lines: items of a list, scraps (a drawing's labels).

    A value that stands right under its label, as in a form, goes on with that line.
    """
    out: list[Block] = []
    for block in blocks:
        last = out[-1] if out else None
        under = last is not None and _is_value_under(last, block)
        if last is not None and (
            under or _is_next_item(last, block) or _is_next_scrap(last, block)
        ):
            starts = (*last.starts, *(len(last.text) + 1 + start for start in block.starts))
            text = " ".join((last.text, block.text)) if under else f"{last.text}\n{block.text}"
            lines = last.lines + block.lines
            out[-1] = replace(last, text=text, lines=lines, starts=starts)
        else:
            out.append(block)
    return out


def _is_next_item(last: Block, block: Block) -> bool:
    if last.kind != "list" or block.kind != "list" or len(last.text) + len(block.text) > _LIST:
        return False
    above, below = last.lines[-1], block.lines[0]
    if above is None or below is None:
        return False
    return 0 <= below[1] - above[1] < 4 * (below[3] - below[1])


def _is_next_scrap(last: Block, block: Block) -> bool:
    lines = last.kind == "paragraph" and "\n" in last.text
    return _is_scrap(block) and (lines or _is_scrap(last))


def _is_value_under(last: Block, block: Block) -> bool:
    above, below = last.lines[-1], block.lines[0]
    if above is None or below is None or not last.kind == block.kind == "paragraph":
        return False
    label, value, high = last.text.rpartition("\n")[2], block.text.split(), below[3] - below[1]
    aligned = abs(above[0] - below[0]) < high and 0 <= below[1] - above[1] < 3 * high
    short = len(label) < _LABEL and len(block.text) < _LABEL and not ends_sentence(label)
    return aligned and short and is_numeric(value[0]) and not any(map(is_numeric, label.split()))


def _is_scrap(block: Block) -> bool:
    short = len(block.text) < 40 and len(block.text.split()) < 5
    return block.kind == "paragraph" and short and not ends_sentence(block.text)


def _with_footnotes(blocks: list[Block], style: Style) -> list[Block]:
    """Small notes count as footnotes only at the foot of their column, below the last text of body size."""
    seen_body = False
    out: list[Block] = []
    for block in reversed(blocks):
        if block.kind == "footnote" and (
            seen_body or (block.lines[0] or (0, 0, 0, 0))[1] < 0.4 * style.height
        ):
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
