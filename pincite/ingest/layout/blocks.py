"""Lines of a column to blocks: where one paragraph ends and the next begins, and what each block is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
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

# characters, at most
_LIST = 1500  # of a list that is gathered from its items
_LABEL = 60  # of a label, and of what stands under it
_CAPTION = 600
_CELL_GAP = 1.5  # runs of a line further apart than this many font sizes are cells
_SAME_SIZE = 0.6  # points by which the sizes of body text are off, at most
_LARGE, _SMALL, _NOTE = (
    1.15,
    0.85,
    0.92,
)  # sizes beside the body's: a heading's, none's, a footnote's
_FOOT, _HIGHEST_NOTE = (
    0.93,
    0.4,
)  # shares of the page's height: body text ends above, footnotes begin below
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
    sizes, bold = _count_letters((round(word.size * 2) / 2, word) for word in words)
    size = sizes.most_common(1)[0][0]
    pitches: Counter[float] = Counter()
    for pair in chain.from_iterable(map(pairwise, regions)):
        pitch = pair[1].runs[0].bottom - pair[0].runs[0].bottom
        first = [row.words[0] for row in pair if row.words]
        body = [word for word in first if abs(word.size - size) < _SAME_SIZE]
        if len(body) == 2 and 0.8 * size < pitch < 2.2 * size:
            pitches[round(pitch * 2) / 2] += 1
    common = pitches.most_common(1)
    pitch = common[0][0] if common and common[0][1] > 2 else 1.2 * size
    return Style(size, bold[True] > bold[False], pitch, known, height)


def _count_letters(sized: Iterable[tuple[float, Word]]) -> tuple[Counter[float], Counter[bool]]:
    """The letters of words by their size, and by whether they are bold."""
    sizes, bold = Counter[float](), Counter[bool]()
    for size, word in sized:
        sizes[size] += len(word.text)
        bold[word.bold] += len(word.text)
    return sizes, bold


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

    @classmethod
    def of(cls, row: LayoutRow) -> _TextLine:
        """The line of a row of words."""
        words = row.words
        if sum(_is_rtl(word.text) for word in words) > 0.5 * len(words):
            words = words[::-1]
        sizes, bold = _count_letters((word.size, word) for word in words)
        size = sizes.most_common(1)[0][0]
        text = _join_words(words)
        least = 0.6 if is_numbered(text) else 0.95  # a numbered heading may stress a word
        return cls(
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

    @property
    def tabular(self) -> bool:
        """Whether it reads as a row of cells."""
        return self.cells > 2 or (self.cells == 2 and self.numbers > 0)


def _is_rtl(text: str) -> bool:
    return not text.isascii() and any(
        "\u0590" <= letter <= "\u08ff" or "\ufb1d" <= letter <= "\ufeff" for letter in text
    )


def _cells(runs: Sequence[WordRun], size: float) -> int:
    """How many cells the runs of a line make; a marker that it begins with is none of its own."""
    wide = [after.x0 - before.x1 > _CELL_GAP * size for before, after in pairwise(runs)]
    marked = any(wide[:1]) and is_marker(" ".join(word.text for word in runs[0].words))
    return 1 + sum(wide) - marked


def _join_words(words: Sequence[Word]) -> str:
    """The words with a space between, except where two touch; without the marks of footnotes that are raised beside them."""
    parts = [words[0].text]
    for before, word in pairwise(words):
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


def blocks_of(rows: Sequence[LayoutRow], obstacles: Sequence[Block], style: Style) -> list[Block]:
    """The lines of one column as blocks; a row that holds an obstacle gives the block of that number."""
    return _Column(rows, style).blocks(obstacles)


class _Column:
    """The lines of a column, None for an obstacle, and its edges; a line in twenty may run past the right one."""

    def __init__(self, rows: Sequence[LayoutRow], style: Style) -> None:
        self._rows, self._style = rows, style
        self._lines = [None if row.runs[0].obstacle >= 0 else _TextLine.of(row) for row in rows]
        boxes = [line.box for line in self._lines if line is not None]
        rights = sorted(box[2] for box in boxes)
        self._left = min((box[0] for box in boxes), default=0.0)
        self._right = rights[int(0.95 * (len(rights) - 1))] if rights else 0.0
        self._group: list[_TextLine] = []  # the lines of the block so far

    def blocks(self, obstacles: Sequence[Block]) -> list[Block]:
        """The blocks, with the obstacles among them."""
        blocks: list[Block] = []
        following = [*self._lines[1:], None]
        for row, line, below in zip(self._rows, self._lines, following, strict=True):
            if line is None:
                blocks += [*self._finished(), obstacles[row.runs[0].obstacle]]
                continue
            if self._group and self._breaks(line, below):
                blocks += self._finished()
            self._group.append(line)
        return _with_footnotes(_gather_blocks([*blocks, *self._finished()]), self._style)

    def _finished(self) -> list[Block]:
        group, self._group = self._group, []
        return _block_of(group, self._style)

    def _breaks(self, line: _TextLine, following: _TextLine | None) -> bool:
        """Whether a line starts a new block."""
        last, first = self._group[-1], self._group[0]
        size = max(last.size, line.size)
        pitch, usual = line.base - last.base, self._usual_pitch(line)
        rows = last.tabular and line.tabular
        if pitch > usual + 0.25 * size or pitch < 0:
            return not (rows and 0 <= pitch < 2.2 * usual)
        weight = last.bold and not line.leads or line.bold and not last.bold
        if weight or abs(last.size - line.size) > 0.08 * size:
            # a line of a table or a list may change its weight inside its block; short pieces of prose may be all bold
            return not (rows and abs(last.size - line.size) < 0.2 * size)
        if last.tabular != line.tabular:
            return line.tabular or not is_item(first.text)
        return not line.tabular and self._begins_block(line, following)

    def _usual_pitch(self, line: _TextLine) -> float:
        """The distance at which a line is expected below the lines of its block."""
        last = self._group[-1]
        size = max(last.size, line.size)
        if len(self._group) > 1:
            return max(0.9 * size, min(last.base - self._group[-2].base, 1.6 * size))
        body = abs(size - self._style.size) < _SAME_SIZE
        usual = self._style.pitch if body else 1.25 * size
        return max(usual, 1.35 * size) if last.bold and line.bold else usual

    def _begins_block(self, line: _TextLine, following: _TextLine | None) -> bool:
        """Whether a line of running text at the usual distance begins an item, a caption, a note or a paragraph."""
        last, first = self._group[-1], self._group[0]
        if is_item(line.text):
            return not is_item(first.text)
        if is_caption(line.text) or line.raised and ends_sentence(last.text):
            return True
        return not is_caption(first.text) and self._is_set_off(line, following)

    def _is_set_off(self, line: _TextLine, following: _TextLine | None) -> bool:
        """Breaks by indentation and by a line that ends early."""
        group, last, width = self._group, self._group[-1], self._right - self._left
        room, offset = self._right - last.box[2], line.box[0] - last.box[0]
        early = room > line.first + 0.6 * line.size
        stopped = ends_sentence(last.text)
        if is_item(group[0].text):
            return _ends_item(line, group[0], early, stopped)
        short = room > 0.4 * width and width > 12 * line.size
        outdented = len(group) > 1 and line.box[0] < last.box[0] - 0.8 * line.size
        if not early and not stopped:
            return short and not outdented
        centred = abs((line.box[0] + line.box[2]) - (last.box[0] + last.box[2])) < line.size
        if early and centred:
            return stopped and len(group) > 3
        if offset > 0.8 * line.size:
            # not where the next line begins below this one, as in a hanging indent
            if early or len(group) > 1 or following is None:
                return True
            return abs(following.box[0] - line.box[0]) >= 0.3 * line.size
        return short or early and stopped or outdented


def _ends_item(line: _TextLine, item: _TextLine, early: bool, stopped: bool) -> bool:
    """Whether a line is no more of an item, whose text hangs at or right of its marker, or runs on at the column's edge."""
    offset = line.box[0] - item.box[0]
    if offset < -0.5 * line.size:
        return early or stopped
    return offset < 0.3 * line.size and early and stopped


def _block_of(group: Sequence[_TextLine], style: Style) -> list[Block]:
    """The block that a group of lines makes; none of lines drawn with underscores and dots, or of no lines."""
    texts = [line.text for line in group]
    if not any(map(str.isalnum, "".join(texts))):
        return []
    tabular = sum(line.tabular for line in group) * 2 > len(group)
    items = list(map(is_item, texts))
    several = is_bullet(texts[0]) or sum(items) > 1 or len(texts) == 1
    listed = not tabular and items[0] and several
    text, starts = joined(texts, style.known, [tabular or listed and item for item in items])
    kind = _kind(text, group, tabular, listed, style)
    block = Block(kind, text, tuple(line.box for line in group), starts)
    bold = all(line.bold for line in group)
    return [replace(block, size=_size(group), bold=bold) if kind == "heading" else block]


def _size(group: Sequence[_TextLine]) -> float:
    return median(line.size for line in group)


def _kind(
    text: str, group: Sequence[_TextLine], tabular: bool, listed: bool, style: Style
) -> Kind:
    if tabular:
        return "paragraph"
    if is_caption(text) and len(text) < _CAPTION:
        return "caption"
    if _may_be_heading(text, group) and _is_heading(text, group, style):
        return "heading"
    if listed:
        return "list"
    noted = group[0].raised or _FOOTNOTE.match(text)
    return "footnote" if noted and _size(group) <= _NOTE * style.size else "paragraph"


def _is_heading(text: str, group: Sequence[_TextLine], style: Style) -> bool:
    """Whether a text that may be a heading is large, bold, or stands out by its italics, its capitals or its number."""
    size, count, numbered = _size(group), len(text.split()), is_numbered(text)
    ended = text[-1] == "." and not (numbered and count < 12)
    if size >= _LARGE * style.size:
        return count <= (12 if ended else 25)
    if size < _SMALL * style.size or text[0] == "(":
        return False
    if all(line.bold for line in group) and not style.bold:
        return True
    if ended or text[-1] == ":":
        return False
    titled = text.isupper() or numbered and text.istitle()
    if titled and len(group) <= 2 and 1 < count <= 14:
        return True
    return group[0].italic and len(group) == 1 and count <= 10 and text[0].isupper()


def _may_be_heading(text: str, group: Sequence[_TextLine]) -> bool:
    """Whether a text is short, begins and ends as a heading may, and is most of letters."""
    letters = sum(map(str.isalpha, text))
    long = len(group) > 4 or len(text.split()) > 40
    if long or letters < max(3, 0.5 * len(text.replace(" ", ""))):
        return False
    if text[0].islower() or text[-1] in ",;" or is_bullet(text):
        return False
    return not any(line.cells > 1 for line in group)


def _gather_blocks(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with what belongs together as one of several lines: items of a list, scraps (a drawing's labels).

    A value that stands right under its label, as in a form, goes on with that line.
    """
    out: list[Block] = []
    for block in blocks:
        last = out[-1] if out else None
        under = last is not None and _is_value_under(last, block)
        if last is None or not (
            under or _is_next_item(last, block) or _is_next_scrap(last, block)
        ):
            out.append(block)
            continue
        starts = (*last.starts, *(len(last.text) + 1 + start for start in block.starts))
        text = (" " if under else "\n").join((last.text, block.text))
        out[-1] = replace(last, text=text, lines=last.lines + block.lines, starts=starts)
    return out


def _is_next_item(last: Block, block: Block) -> bool:
    above, below = last.lines[-1], block.lines[0]
    if not last.kind == block.kind == "list" or len(last.text) + len(block.text) > _LIST:
        return False
    near = above and below and 0 <= below[1] - above[1] < 4 * (below[3] - below[1])
    return bool(near)


def _is_next_scrap(last: Block, block: Block) -> bool:
    lines = last.kind == "paragraph" and "\n" in last.text
    return _is_scrap(block) and (lines or _is_scrap(last))


def _is_scrap(block: Block) -> bool:
    short = len(block.text) < 40 and len(block.text.split()) < 5
    return block.kind == "paragraph" and short and not ends_sentence(block.text)


def _is_value_under(last: Block, block: Block) -> bool:
    above, below = last.lines[-1], block.lines[0]
    if above is None or below is None or not last.kind == block.kind == "paragraph":
        return False
    label, value, high = last.text.rpartition("\n")[2], block.text.split(), below[3] - below[1]
    aligned = abs(above[0] - below[0]) < high and 0 <= below[1] - above[1] < 3 * high
    short = len(label) < _LABEL and len(block.text) < _LABEL and not ends_sentence(label)
    return aligned and short and is_numeric(value[0]) and not any(map(is_numeric, label.split()))


def _with_footnotes(blocks: list[Block], style: Style) -> list[Block]:
    """Small notes count as footnotes only at the foot of their column, below the last text of body size."""
    seen_body = False
    out: list[Block] = []
    for block in reversed(blocks):
        first, last = block.lines[0], block.lines[-1]
        if block.kind == "footnote":
            high = first is None or first[1] < _HIGHEST_NOTE * style.height
            if seen_body or high:
                block = replace(block, kind="paragraph")
        elif block.kind in ("paragraph", "list", "heading", "table"):
            seen_body = seen_body or (last is not None and last[3] < _FOOT * style.height)
        out.append(block)
    return out[::-1]
