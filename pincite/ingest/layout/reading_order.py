"""Words to lines and lines to reading order: runs of words, gutters between columns, bands that cross them.

A recursive X-Y cut (Nagy and Seth, 1984) whose vertical cuts tolerate what crosses them: text that spans a gutter (a
title, a wide table) parts the page into bands, and each band is read column by column only where both sides of the
gutter hold running text. Rows of tables and forms, whose sides are read together, stay lines.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.layout.line_traits import ends_sentence, is_bullet
from pincite.ingest.raw_page import Word
from pincite.types import Box

RUN_GAP = 1.0
"""Words further apart than this many font sizes belong to different runs: columns, cells."""
_GUTTERS = 3  # how many gutters are tried in a region
_TITLE = 1.25  # a first line this many times larger than the rest stands above all columns
MOST_RUNS = 4000
"""A region of more runs is read line by line: it is a map or a table, and no page of columns has so many."""
_BAND_GAP = 2.2  # white space of this many font sizes across a whole band parts it


@dataclass(slots=True)
class WordRun:
    """Words that stand side by side on one line, or an obstacle (a table, a picture) that text flows around."""

    words: list[Word]
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    obstacle: int = -1

    @property
    def box(self) -> Box:
        """The box of the run in page points."""
        return self.x0, self.top, self.x1, self.bottom


@dataclass(slots=True)
class LayoutRow:
    """A line of text: its runs from left to right. A row of several runs is wide apart, as in a table without rules."""

    runs: list[WordRun]
    words: list[Word] = field(default_factory=list)


def runs_of(words: Sequence[Word]) -> list[WordRun]:
    """Words of one direction of writing as runs, whatever order the file has them in."""
    runs: list[WordRun] = []
    run: WordRun | None = None
    for word in words:
        if run is not None and _goes_on(run, word.box, word.size, 0.4):
            _extend(run, word)
        else:
            x0, top, x1, bottom = word.box
            run = WordRun([word], x0, top, x1, bottom, word.size)
            runs.append(run)
    return _merged(runs)


def rows_of(runs: Sequence[WordRun]) -> list[LayoutRow]:
    """Runs of one column as lines from top to bottom, each from left to right."""
    rows: list[LayoutRow] = []
    core: tuple[float, float] = (0.0, 0.0)
    for run in sorted(runs, key=lambda run: (run.top + run.bottom, run.x0)):
        height = run.bottom - run.top
        overlap = min(core[1], run.bottom) - max(core[0], run.top)
        level = overlap > 0.5 * min(height, core[1] - core[0])
        if rows and level and run.obstacle < 0 and rows[-1].runs[0].obstacle < 0:
            rows[-1].runs.append(run)
            if height > core[1] - core[0]:
                core = (run.top, run.bottom)
        else:
            rows.append(LayoutRow([run]))
            core = (run.top, run.bottom)
    for row in rows:
        row.runs.sort(key=lambda run: run.x0)
        row.words = [word for run in row.runs for word in run.words]
    return rows


def regions_of(runs: Sequence[WordRun], depth: int = 0) -> list[list[WordRun]]:
    """Runs and obstacles parted into regions in reading order; each region is one column, to be read line by line."""
    if not 4 <= len(runs) <= MOST_RUNS or depth > 4:
        return [list(runs)] if runs else []
    ordered = sorted(runs, key=lambda run: run.top + run.bottom)
    if titles := _titles(ordered):
        rest = regions_of(ordered[titles:], depth)
        return [ordered] if len(rest) == 1 else [ordered[:titles], *rest]
    for x in _gutters(ordered):
        if parted := _parted_at(ordered, x, depth):
            return parted
    return [ordered]


def _parted_at(ordered: Sequence[WordRun], x: float, depth: int) -> list[list[WordRun]]:
    """The regions of runs parted at a gutter, in reading order; none where it parts nothing.

    What stands between parted pieces may have columns at another gutter.
    """
    regions: list[list[WordRun]] = []
    between: list[WordRun] = []
    for piece in _pieces(ordered, x):
        sides = _parted(piece, x) or _labelled(piece, x)
        if not sides:
            between += piece
            continue
        for part in (between, *sides):
            regions += regions_of(part, depth + 1)
        between = []
    return [*regions, *regions_of(between, depth + 1)] if regions else []


def _pieces(ordered: Sequence[WordRun], x: float) -> list[list[WordRun]]:
    """Runs from top to bottom, parted where something crosses a gutter and, where it parts no columns, by white space."""
    pieces: list[list[WordRun]] = []
    for band in _bands(ordered, x):
        pieces += [band] if _parted(band, x) else _blocks_of(band)
    return pieces


def _titles(ordered: Sequence[WordRun]) -> int:
    """How many lines at the top of a region stand alone and are larger than the rest: they are above all columns."""
    large = _TITLE * median(run.size for run in ordered)
    for at, (run, below) in enumerate(zip(ordered, ordered[1:], strict=False)):
        if run.size <= large or below.top < run.bottom - 0.3 * run.size:
            return at
    return 0


def _goes_on(run: WordRun, box: Box, size: float, share: float) -> bool:
    """Whether what stands in a box is on the line of a run, by this share of the lower height, and goes on from its end."""
    x0, top, _, bottom = box
    size = max(run.size, size)
    if not -0.5 * size <= x0 - run.x1 <= RUN_GAP * size:
        return False
    common = min(run.bottom, bottom) - max(run.top, top)
    return common > share * min(run.bottom - run.top, bottom - top)


def _extend(run: WordRun, word: Word) -> None:
    x0, top, x1, bottom = word.box
    run.words.append(word)
    run.x0 = min(run.x0, x0)
    run.x1 = max(run.x1, x1)
    if word.size > 1.15 * run.size:
        run.size, run.top, run.bottom = word.size, top, bottom
    elif word.size > 0.85 * run.size:
        run.top, run.bottom = min(run.top, top), max(run.bottom, bottom)


def _merged(runs: list[WordRun]) -> list[WordRun]:
    """Runs that touch on one line as one: for files that write a line in pieces."""
    runs.sort(key=lambda run: run.x0)
    farthest = RUN_GAP * max((word.size for run in runs for word in run.words), default=0.0)
    out: list[WordRun] = []
    lanes: defaultdict[int, list[WordRun]] = defaultdict(list)
    for run in runs:
        lane = int((run.top + run.bottom) / 2 // 8)
        hosts: list[WordRun] = []
        for near in (lane - 1, lane, lane + 1):
            lanes[near] = [other for other in lanes[near] if run.x0 - other.x1 <= farthest]
            hosts += [other for other in lanes[near] if _goes_on(other, run.box, run.size, 0.5)]
        if hosts:
            for word in run.words:
                _extend(hosts[-1], word)
        else:
            out.append(run)
            lanes[lane].append(run)
    return out


def _crosses(run: WordRun, x: float) -> bool:
    slack = 0.3 * run.size if run.obstacle < 0 else 6.0
    return run.x0 < x - slack and run.x1 > x + slack


def _gutters(ordered: Sequence[WordRun]) -> list[float]:
    """The places between neighbours on a line that most lines agree on, best first."""
    events: list[tuple[float, int]] = []
    for at, run in enumerate(ordered):
        nearest = _next(ordered, at)
        if nearest is not None and nearest.x0 - run.x1 >= 0.6 * min(run.size, nearest.size):
            events += [(run.x1, 1), (nearest.x0, -1)]
    events.sort(key=lambda event: (event[0], -event[1]))
    best: list[float] = []
    for votes, x in _peaks(events):
        if votes < 2 or len(best) == _GUTTERS:
            break
        if all(abs(x - other) > 8 for other in best):
            best.append(x)
    return best


def _peaks(events: Sequence[tuple[float, int]]) -> list[tuple[int, float]]:
    """How many gaps lie over each other and the middle of where, most and widest first; gaps begin (1) and end (-1)."""
    peaks: list[tuple[int, float, float]] = []
    depth = 0
    for (x, step), (following, next_step) in pairwise(events):
        depth += step
        if step > 0 > next_step:
            peaks.append((depth, x, following))
    peaks.sort(key=lambda peak: (-peak[0], -(peak[2] - peak[1])))
    return [(votes, (left + right) / 2) for votes, left, right in peaks]


def _next(ordered: Sequence[WordRun], at: int) -> WordRun | None:
    """The run nearest to the right of run `at` on its line; `ordered` is sorted by the middle."""
    run = ordered[at]
    nearest: WordRun | None = None
    reach = run.bottom - run.top
    for indices in (range(at + 1, len(ordered)), range(at - 1, -1, -1)):
        for index in indices:
            other = ordered[index]
            apart = abs((other.top + other.bottom) - (run.top + run.bottom)) / 2
            if apart > max(reach, 12.0):
                break
            if other.x0 < run.x1 or nearest is not None and other.x0 >= nearest.x0:
                continue
            if min(run.bottom, other.bottom) - max(run.top, other.top) > 0.3 * min(
                reach, other.bottom - other.top
            ):
                nearest = other
    return nearest


def _bands(ordered: Sequence[WordRun], x: float) -> list[list[WordRun]]:
    """The region from top to bottom, parted where something crosses the gutter."""
    return consecutive(ordered, lambda band, run: _crosses(band[-1], x) == _crosses(run, x))


def _blocks_of(band: Sequence[WordRun]) -> list[list[WordRun]]:
    """A band parted where white space runs across all of it."""
    pieces: list[list[WordRun]] = []
    floor = 0.0
    white = _BAND_GAP * median(run.size for run in band)
    for run in sorted(band, key=lambda run: run.top):
        if not pieces or run.top - floor > white:
            pieces.append([])
        pieces[-1].append(run)
        floor = max(floor, run.bottom)
    return pieces


def _parted(band: Sequence[WordRun], x: float) -> Sequence[list[WordRun]]:
    """The columns left and right of a gutter, if that is what the band holds."""
    left, right = _sides(band, x)
    if left and right and not any(_crosses(run, x) for run in band) and _columns(left, right):
        return left, right
    return ()


def _sides(band: Sequence[WordRun], x: float) -> tuple[list[WordRun], list[WordRun]]:
    """The runs whose middle is left and right of a gutter."""
    sides: tuple[list[WordRun], list[WordRun]] = ([], [])
    for run in band:
        sides[run.x0 + run.x1 >= 2 * x].append(run)
    return sides


def _labelled(band: Sequence[WordRun], x: float) -> Sequence[list[WordRun]]:
    """Labels left of a gutter, each of some lines, and the running text beside it, where that is what the band holds.

    Every label but the first begins level with a new paragraph.
    """
    left, right = _sides(band, x)
    if any(run.obstacle >= 0 or _crosses(run, x) for run in band):
        return ()
    rows, lines = rows_of(left), rows_of(right)
    few = 2 * len(rows) <= len(lines)
    if not few or not _label_prose(rows, right) or _prose_lines(right) < 0.6 * len(lines):
        return ()
    labels = consecutive(rows, _continues_label)
    starts = _paragraphs_beside(labels, lines)
    if not starts or len(rows) <= len(labels):
        return ()
    parts = [_all_runs(lines[: starts[0]])]
    for label, (start, end) in zip(labels, pairwise([*starts, len(lines)]), strict=True):
        parts += [_all_runs(label), _all_runs(lines[start:end])]
    return parts


def _label_prose(labels: Sequence[LayoutRow], text: Sequence[WordRun]) -> bool:
    """Whether all labels are words, and what stands beside them reads on from line to line."""
    return _runs_on(text) >= 0.35 and all(_lettered(row.runs[0]) for row in labels)


def _continues_label(label: Sequence[LayoutRow], row: LayoutRow) -> bool:
    last, first = label[-1].runs[0], row.runs[0]
    return first.bottom - last.bottom < 1.8 * first.size


def _paragraphs_beside(
    labels: Sequence[Sequence[LayoutRow]], lines: Sequence[LayoutRow]
) -> list[int]:
    """The number of the line at which the paragraph level with each label begins; none where one begins at no paragraph."""
    starts: list[int] = []
    for label in labels:
        start = _level_line(lines, label[0].runs[0], starts[-1] if starts else 0)
        if start < 0 or starts and not ends_sentence(lines[start - 1].words[-1].text):
            return []
        starts.append(start)
    return starts


def _level_line(lines: Sequence[LayoutRow], label: WordRun, start: int) -> int:
    """The line from `start` on that is level with a label; -1 where none is."""
    for at in range(start, len(lines)):
        below = lines[at].runs[0].bottom - label.bottom
        if below > -0.4 * label.size:
            return at if below <= 0.4 * label.size else -1
    return -1


def _all_runs(rows: Sequence[LayoutRow]) -> list[WordRun]:
    return [run for row in rows for run in row.runs]


def _columns(left: Sequence[WordRun], right: Sequence[WordRun]) -> bool:
    """Whether both sides of a gutter hold running text of their own (against the cells of rows)."""
    texts = _without_obstacles(left), _without_obstacles(right)
    if not all(texts):
        return any(texts) and all(len(side) > 1 or side[0].obstacle >= 0 for side in (left, right))
    return _are_columns(*texts)


def _are_columns(left: Sequence[WordRun], right: Sequence[WordRun]) -> bool:
    """Whether two sides of a gutter, both of text, are read one after the other."""
    texts = left, right
    rows = [len(rows_of(side)) for side in texts]
    if min(rows) < 2 or max(rows) < 3:
        return False
    level, runs_on = _level(left, right), max(map(_runs_on, texts))
    if level > 0.95 and runs_on < 0.15 and not any(map(_has_bullet, texts)):
        return False  # rows of a table whose cells are phrases
    if level <= 0.4 and runs_on >= 0.35:
        return True  # text beside the labels of a drawing
    if all(map(_is_prose, texts, rows)):
        return True
    return not any(map(_is_fragmentary, texts)) and _fill_alike(left, right)


def _has_bullet(side: Sequence[WordRun]) -> bool:
    return any(is_bullet(run.words[0].text + " x") for run in side)


def _is_prose(side: Sequence[WordRun], rows: int) -> bool:
    return _prose_lines(side) >= max(3, 0.2 * rows)


def _fill_alike(left: Sequence[WordRun], right: Sequence[WordRun]) -> bool:
    """Whether two sides have about as many lines where they stand beside each other, or stand below each other."""
    tops, bottoms = zip(_heights(left), _heights(right), strict=True)
    top, bottom = max(tops), min(bottoms)
    beside = [_lines_between(side, top, bottom) for side in (left, right)]
    return bottom <= top or min(beside) >= 0.4 * max(beside)


def _without_obstacles(side: Sequence[WordRun]) -> list[WordRun]:
    """The runs of words on a side, without what stands in their way."""
    return [run for run in side if run.obstacle < 0]


def _prose_lines(side: Sequence[WordRun]) -> int:
    """How many runs are more than three words with letters."""
    return sum(len(run.words) > 3 and _lettered(run) for run in side)


def _is_fragmentary(side: Sequence[WordRun]) -> bool:
    """Whether a side is mostly numbers, or single words."""
    few = median(len(run.words) for run in side) < 2.5
    return few or 2 * sum(map(_lettered, side)) < len(side)


def _heights(side: Sequence[WordRun]) -> tuple[float, float]:
    """The highest and the lowest edge of a side."""
    return min(run.top for run in side), max(run.bottom for run in side)


def _lines_between(side: Sequence[WordRun], top: float, bottom: float) -> int:
    """How many runs have their middle between two heights."""
    return sum(top <= (run.top + run.bottom) / 2 <= bottom for run in side)


def _runs_on(side: Sequence[WordRun]) -> float:
    """The share of lines that go on in the middle of a sentence."""
    return sum(run.words[0].text[0].islower() for run in side) / max(len(side), 6)


def _level(left: Sequence[WordRun], right: Sequence[WordRun]) -> float:
    """The share of lines of the shorter side that stand level with one of the other."""
    few, many = sorted((left, right), key=len)
    bottoms = sorted(run.bottom for run in many)
    level = 0
    for run in few:
        at = bisect_left(bottoms, run.bottom - 1.5)
        level += at < len(bottoms) and bottoms[at] <= run.bottom + 1.5
    return level / len(few)


def _lettered(run: WordRun) -> bool:
    text = "".join(word.text for word in run.words)
    return sum(map(str.isalpha, text)) > 0.6 * len(text)
