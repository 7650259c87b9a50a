"""A raw page understood: words to lines, lines to blocks in reading order, each with its kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from pincite.ingest.columns import Row, Run, regions_of, rows_of, runs_of
from pincite.ingest.lines import (
    ends_sentence,
    is_bullet,
    is_caption,
    is_item,
    is_numbered,
    is_numeric,
    joined,
    table_text,
)
from pincite.ingest.page import Block, Page, RawPage, Word
from pincite.types import Box, Kind, Table

_CELL_GAP = 1.5  # runs of a line further apart than this many font sizes are cells
_WORD = re.compile(r"\w+(?:-\w+)*")
_FOOTNOTE = re.compile(r"(?:\d{1,3}|\(\d{1,2}\)|[*\u2020\u2021\u00a7\u00b6a-e]|[*\u2020\u2021]{2,3})[\s.)]*(?=[^\W\d_]|http|[\"\u201c$\u20ac])")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of one column with what breaks and kinds are decided by."""

    text: str
    box: Box
    size: float
    bold: bool
    cells: int
    numbers: int
    raised: bool
    base: float
    first: float  # width of its first word

    @property
    def tabular(self) -> bool:
        """Whether it reads as a row of cells."""
        return self.cells > 2 or (self.cells == 2 and self.numbers > 0)


@dataclass(frozen=True, slots=True)
class _Style:
    """What is normal on a page: the size of the body, whether it is bold, the distance between its lines."""

    size: float
    bold: bool
    pitch: float
    known: frozenset[str]
    height: float


def layout(page: RawPage, tables: Sequence[Table] = ()) -> Page:
    """The blocks of a page in reading order, each with one box per line and the offset in its text of each line.

    Columns are read one after the other; text that spans them stands between. Words inside the box of a table belong to
    that table's block and those inside no other. Text written in another direction than most of the page comes last.
    A page without geometry gives one paragraph of its text.
    """
    if not page.words and not tables:
        text = page.text.strip()
        blocks = (Block("paragraph", text, (None,), (0,)),) if text else ()
        return Page(page.number, page.width, page.height, blocks + tuple(_pictures(page, ())))
    angles = Counter[int]()
    for word in page.words:
        angles[word.angle] += len(word.text)
    main = angles.most_common(1)[0][0] if angles else 0
    known = frozenset(found.lower() for word in page.words for found in _WORD.findall(word.text))
    blocks_: list[Block] = []
    for angle in sorted(angles or {0: 1}, key=lambda one: (one != main, one)):
        turned, back = _turned(page, angle)
        own = [word for word in turned.words if word.text.strip()]
        if angle == main:
            blocks_ += _blocks(turned, own, [_turn_table(table, page, angle) for table in tables], known, back)
        else:
            blocks_ += _blocks(replace(turned, pictures=()), own, (), known, back)
    return Page(page.number, page.width, page.height, tuple(blocks_))


def _blocks(
    page: RawPage, words: Sequence[Word], tables: Sequence[tuple[Table, Box | None]], known: frozenset[str], back: Callable[[Box], Box]
) -> list[Block]:
    placed = [(table, box) for table, box in tables if box is not None]
    free = [word for word in words if not any(_inside(word.box, box) for _, box in placed)] if placed else words
    pictures = list(_pictures(page, free))
    obstacles: list[Block] = [
        *(Block("table", table_text(table), (box,), (0,), table=table) for table, box in placed),
        *pictures,
    ]
    runs = runs_of(free)
    for at, block in enumerate(obstacles):
        x0, top, x1, bottom = block.lines[0] or (0.0, 0.0, 0.0, 0.0)
        runs.append(Run([], x0, top, x1, bottom, 10.0, at))
    regions = [rows_of(region) for region in regions_of(runs)]
    style = _style(regions, known, page.height)
    blocks: list[Block] = []
    for rows in regions:
        blocks += _region(rows, obstacles, style)
    for table, box in tables:
        if box is None:
            blocks.append(Block("table", table_text(table), (None,), (0,), table=table))
    return [replace(block, lines=tuple(box and back(box) for box in block.lines)) for block in blocks]


def _style(regions: Iterable[Sequence[Row]], known: frozenset[str], height: float) -> _Style:
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    for rows in regions:
        for row in rows:
            for word in row.words:
                sizes[round(word.size * 2) / 2] += len(word.text)
                bold[word.bold] += len(word.text)
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    pitches = [
        pitch
        for rows in regions
        for above, below in zip(rows, rows[1:], strict=False)
        if above.words and below.words and abs(below.words[0].size - size) < 0.6 and abs(above.words[0].size - size) < 0.6
        and 0.8 * size < (pitch := below.runs[0].bottom - above.runs[0].bottom) < 2.2 * size
    ]  # fmt: skip
    common = Counter(round(pitch * 2) / 2 for pitch in pitches).most_common(1)
    pitch = common[0][0] if common and common[0][1] > 2 else 1.2 * size
    return _Style(size, bold[True] > bold[False], pitch, known, height)


def _region(rows: Sequence[Row], obstacles: Sequence[Block], style: _Style) -> list[Block]:
    """One column's lines as blocks."""
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
            blocks += _finished(group, style, right)
            group = []
            blocks.append(item)
            continue
        following = items[at + 1] if at + 1 < len(items) else None
        if group and _breaks(group, item, following if isinstance(following, _Line) else None, style, left, right):
            blocks += _finished(group, style, right)
            group = []
        group.append(item)
    blocks += _finished(group, style, right)
    return _with_footnotes(blocks, style)


def _line(row: Row) -> _Line:
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
        cells += after.x0 - before.x1 > _CELL_GAP * size and not (before is runs[0] and len(before.words[0].text) < 8 and len(before.words) == 1)
    text = _spaced(words)
    base = median(word.box[3] for word in words if word.size > 0.85 * size)
    return _Line(
        text,
        (min(run.x0 for run in runs), min(run.top for run in runs), max(run.x1 for run in runs), max(run.bottom for run in runs)),
        size,
        2 * bold > total,
        cells,
        sum(is_numeric(word.text) for word in words[1:]),
        words[0].superscript,
        base,
        words[0].box[2] - words[0].box[0],
    )  # fmt: skip


def _spaced(words: Sequence[Word]) -> str:
    """The words with a space between, except where two touch: a mark raised beside its word."""
    parts = [words[0].text]
    for before, word in zip(words, words[1:], strict=False):
        gap = word.box[0] - before.box[2]
        touching = -0.3 * word.size < gap < 0.12 * max(word.size, before.size)
        changes = word.superscript != before.superscript or abs(word.size - before.size) > 0.15 * before.size
        if not (touching and (changes or not word.text[0].isalnum())):
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts)


def _breaks(group: Sequence[_Line], line: _Line, following: _Line | None, style: _Style, left: float, right: float) -> bool:
    """Whether a line starts a new block after the lines of `group`."""
    last = group[-1]
    size = max(last.size, line.size)
    pitch = line.base - last.base
    normal = style.pitch if abs(size - style.size) < 0.6 else 1.25 * size
    if len(group) > 1:
        normal = max(0.9 * size, min(last.base - group[-2].base, 1.6 * size))
    if pitch > normal + 0.25 * size or pitch < 0:
        return not (last.tabular and line.tabular and 0 <= pitch < 2.2 * normal)
    if abs(last.size - line.size) > 0.08 * size or last.bold != line.bold:
        # a line of a table or a list may change its weight inside its block; short pieces of prose may be all bold
        return not (last.tabular and line.tabular and abs(last.size - line.size) < 0.2 * size)
    if last.tabular != line.tabular:
        return not (is_item(group[0].text) and not line.tabular)
    if line.tabular:
        return False
    if is_item(line.text):
        return not is_item(group[0].text)
    if is_caption(line.text) or (is_numbered(line.text) and ends_sentence(last.text) and line.raised):
        return True
    if is_caption(group[0].text) and len(group) >= 1 and line.size == last.size:
        return False
    return _indents(group, line, following, left, right)


def _indents(group: Sequence[_Line], line: _Line, following: _Line | None, left: float, right: float) -> bool:
    """Breaks by indentation and by a line that ends early."""
    last = group[-1]
    size = line.size
    room = right - last.box[2]
    early = room > line.first + 0.6 * size
    stopped = ends_sentence(last.text)
    step = line.box[0] - min(last.box[0], group[0].box[0] if len(group) > 1 else last.box[0])
    if is_item(group[0].text):
        # the text of an item hangs at or right of its marker; what stands left of it, or starts anew at it, does not
        return line.box[0] < group[0].box[0] - 0.5 * size or (abs(line.box[0] - group[0].box[0]) < 0.3 * size and early and stopped)
    centred = abs((line.box[0] + line.box[2]) - (last.box[0] + last.box[2])) < size and early
    if centred:
        return stopped and len(group) > 3
    if step > 0.8 * size and (early or stopped):
        hanging = following is not None and abs(following.box[0] - line.box[0]) < 0.3 * size and len(group) == 1 and not early
        return not hanging
    if step < -0.8 * size or (len(group) > 1 and line.box[0] < last.box[0] - 0.8 * size and group[0].box[0] < last.box[0] - 0.8 * size):
        return early or stopped
    if early and stopped:
        return True
    return room > 0.4 * (right - left) and right - left > 12 * size


def _finished(group: Sequence[_Line], style: _Style, right: float) -> list[Block]:
    """The block that a group of lines makes."""
    if not group:
        return []
    texts = [line.text for line in group]
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
    elif not tabular and size <= 0.92 * style.size and (group[0].raised or _FOOTNOTE.match(text)) and kind == "paragraph":
        kind = "footnote"
    lead = kind == "heading"
    return [Block(kind, text, tuple(line.box for line in group), starts, size=size if lead else 0.0, bold=bold and lead)]


def _is_heading(text: str, group: Sequence[_Line], size: float, bold: bool, style: _Style) -> bool:
    words = text.split()
    letters = sum(map(str.isalpha, text))
    if len(group) > 4 or len(words) > 25 or letters < 3 or letters < 0.5 * len(text.replace(" ", "")) or is_bullet(text):
        return False
    if text[0].islower() or text[-1] in ",;":
        return False
    ended = text[-1] in ".!" and not (is_numbered(text) and len(words) < 12)
    if size >= 1.15 * style.size:
        return not (ended and len(words) > 12)
    if size < 0.85 * style.size or ended:
        return False
    if bold and not style.bold:
        return True
    capitals = text.isupper() and len(words) > 1
    return (capitals or is_numbered(text)) and len(group) <= 2 and len(words) <= 14 and not text.endswith(":") and len(words) > 1 and (capitals or text.istitle())


def _with_footnotes(blocks: list[Block], style: _Style) -> list[Block]:
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


def _pictures(page: RawPage, words: Sequence[Word]) -> Iterable[Block]:
    """The pictures that count as figures: not specks, not backgrounds of the page or of text."""
    area = page.width * page.height
    for box in page.pictures:
        x0, top, x1, bottom = box
        share = (x1 - x0) * (bottom - top) / area if area else 0.0
        if 0.02 <= share <= 0.9 and sum(_inside(word.box, box) for word in words) < 4:
            yield Block("figure", "", (box,), (0,))


def _inside(box: Box, outer: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] - 1 <= x <= outer[2] + 1 and outer[1] - 1 <= y <= outer[3] + 1


def _is_rtl(text: str) -> bool:
    return any("\u0590" <= letter <= "\u08ff" or "\ufb1d" <= letter <= "\ufeff" for letter in text)


def _turned(page: RawPage, angle: int) -> tuple[RawPage, Callable[[Box], Box]]:
    """The words written at `angle` on the page turned so that they read level, and the way back for boxes."""
    forth, back = _turns(page.width, page.height, angle)
    words = tuple(replace(word, box=forth(word.box), angle=0) if angle else word for word in page.words if word.angle == angle)
    if angle not in (90, 180, 270):
        return replace(page, words=words), back
    width, height = (page.height, page.width) if angle != 180 else (page.width, page.height)
    return replace(page, width=width, height=height, words=words, pictures=tuple(map(forth, page.pictures))), back


def _turn_table(table: Table, page: RawPage, angle: int) -> tuple[Table, Box | None]:
    forth, _ = _turns(page.width, page.height, angle)
    return table, forth(table.box) if table.box else None


def _turns(width: float, height: float, angle: int) -> tuple[Callable[[Box], Box], Callable[[Box], Box]]:
    if angle == 90:
        return lambda b: (height - b[3], b[0], height - b[1], b[2]), lambda b: (b[1], height - b[2], b[3], height - b[0])
    if angle == 270:
        return lambda b: (b[1], width - b[2], b[3], width - b[0]), lambda b: (width - b[3], b[0], width - b[1], b[2])
    if angle == 180:
        half = lambda b: (width - b[2], height - b[3], width - b[0], height - b[1])  # noqa: E731
        return half, half
    return lambda b: b, lambda b: b
