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
from statistics import median

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
        if run is not None and _continues(run, word):
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
    for run in sorted(runs, key=lambda one: (one.top + one.bottom, one.x0)):
        height = run.bottom - run.top
        overlap = min(core[1], run.bottom) - max(core[0], run.top)
        if (
            rows
            and run.obstacle < 0
            and rows[-1].runs[0].obstacle < 0
            and overlap > 0.5 * min(height, core[1] - core[0])
        ):
            rows[-1].runs.append(run)
            if height > core[1] - core[0]:
                core = (run.top, run.bottom)
        else:
            rows.append(LayoutRow([run]))
            core = (run.top, run.bottom)
    for row in rows:
        row.runs.sort(key=lambda one: one.x0)
        row.words = [word for run in row.runs for word in run.words]
    return rows


def regions_of(runs: Sequence[WordRun], depth: int = 0) -> list[list[WordRun]]:
    """Runs and obstacles parted into regions in reading order; each region is one column, to be read line by line."""
    if not 4 <= len(runs) <= MOST_RUNS or depth > 4:
        return [list(runs)] if runs else []
    ordered = sorted(runs, key=lambda one: one.top + one.bottom)
    if titles := _titles(ordered):
        rest = regions_of(ordered[titles:], depth)
        return [ordered] if len(rest) == 1 else [ordered[:titles], *rest]
    for x in _gutters(ordered):
        parts: list[tuple[bool, list[WordRun]]] = []  # whether it may have columns at another gutter, its runs
        found = False
        for band in _bands(ordered, x):
            for piece in [band] if _parted(band, x) else _blocks_of(band):
                if sides := _parted(piece, x) or _labelled(piece, x):
                    parts += [(False, region) for side in sides for region in regions_of(side, depth + 1)]
                    found = True
                elif parts and parts[-1][0]:
                    parts[-1][1].extend(piece)
                else:
                    parts.append((True, piece))
        if found:
            return [region for open_, part in parts for region in (regions_of(part, depth + 1) if open_ else [part])]
    return [ordered]


def _titles(ordered: Sequence[WordRun]) -> int:
    """How many lines at the top of a region stand alone and are larger than the rest: they are above all columns."""
    large = _TITLE * median(run.size for run in ordered)
    for at, (run, below) in enumerate(zip(ordered, ordered[1:], strict=False)):
        if run.size <= large or below.top < run.bottom - 0.3 * run.size:
            return at
    return 0


def _continues(run: WordRun, word: Word) -> bool:
    x0, top, x1, bottom = word.box
    size = max(run.size, word.size)
    if not -0.5 * size <= x0 - run.x1 <= RUN_GAP * size:
        return False
    overlap = min(run.bottom, bottom) - max(run.top, top)
    return overlap > 0.4 * min(run.bottom - run.top, bottom - top)


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
    runs.sort(key=lambda one: one.x0)
    farthest = RUN_GAP * max((word.size for run in runs for word in run.words), default=0.0)
    out: list[WordRun] = []
    lanes: defaultdict[int, list[WordRun]] = defaultdict(list)
    for run in runs:
        middle = (run.top + run.bottom) / 2
        host = None
        for lane in (int(middle // 8) - 1, int(middle // 8), int(middle // 8) + 1):
            lanes[lane] = [other for other in lanes[lane] if run.x0 - other.x1 <= farthest]
            for other in lanes[lane]:
                size = max(run.size, other.size)
                gap = run.x0 - other.x1
                overlap = min(run.bottom, other.bottom) - max(run.top, other.top)
                if -0.5 * size <= gap <= RUN_GAP * size and overlap > 0.5 * min(
                    run.bottom - run.top, other.bottom - other.top
                ):
                    host = other
        if host is None:
            out.append(run)
            lanes[int(middle // 8)].append(run)
        else:
            for word in run.words:
                _extend(host, word)
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
    peaks: list[tuple[int, float, float]] = []
    depth = 0
    for at, (x, step) in enumerate(events):
        depth += step
        if step > 0 and at + 1 < len(events) and events[at + 1][1] < 0:
            peaks.append((depth, x, events[at + 1][0]))
    best: list[float] = []
    for votes, a, b in sorted(peaks, key=lambda peak: (-peak[0], -(peak[2] - peak[1]))):
        if votes < 2 or len(best) == _GUTTERS:
            break
        if all(abs((a + b) / 2 - other) > 8 for other in best):
            best.append((a + b) / 2)
    return best


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
            if min(run.bottom, other.bottom) - max(run.top, other.top) > 0.3 * min(reach, other.bottom - other.top):
                nearest = other
    return nearest


def _bands(ordered: Sequence[WordRun], x: float) -> list[list[WordRun]]:
    """The region from top to bottom, parted where something crosses the gutter."""
    bands: list[list[WordRun]] = []
    crossing = False
    for run in ordered:
        crosses = _crosses(run, x)
        if not bands or crosses != crossing:
            bands.append([])
        bands[-1].append(run)
        crossing = crosses
    return bands


def _blocks_of(band: Sequence[WordRun]) -> list[list[WordRun]]:
    """A band parted where white space runs across all of it."""
    pieces: list[list[WordRun]] = []
    floor = 0.0
    white = _BAND_GAP * median(run.size for run in band)
    for run in sorted(band, key=lambda one: one.top):
        if not pieces or run.top - floor > white:
            pieces.append([])
        pieces[-1].append(run)
        floor = max(floor, run.bottom)
    return pieces


def _parted(band: Sequence[WordRun], x: float) -> Sequence[list[WordRun]]:
    """The columns left and right of a gutter, if that is what the band holds."""
    left = [run for run in band if run.x0 + run.x1 < 2 * x]
    right = [run for run in band if run.x0 + run.x1 >= 2 * x]
    if left and right and not any(_crosses(run, x) for run in band) and _columns(left, right):
        return left, right
    return ()


def _labelled(band: Sequence[WordRun], x: float) -> Sequence[list[WordRun]]:
    """Labels left of a gutter, each of some lines, and the running text beside it, where that is what the band holds.

    Every label but the first begins level with a new paragraph.
    """
    left = [run for run in band if run.x0 + run.x1 < 2 * x]
    right = [run for run in band if run.x0 + run.x1 >= 2 * x]
    if not left or any(run.obstacle >= 0 or _crosses(run, x) for run in band):
        return ()
    labels, lines = rows_of(left), rows_of(right)
    if 2 * len(labels) > len(lines) or _runs_on(right) < 0.35 or not all(_lettered(row.runs[0]) for row in labels):
        return ()
    if sum(len(run.words) > 3 and _lettered(run) for run in right) < 0.6 * len(lines):
        return ()
    parts: list[list[WordRun]] = []
    at = 0
    for above, label in zip([None, *labels], labels, strict=False):
        first = label.runs[0]
        if above is not None and first.bottom - above.runs[0].bottom < 1.8 * first.size:
            parts[-2] += label.runs
            continue
        beside = next(
            (n for n in range(at, len(lines)) if lines[n].runs[0].bottom > first.bottom - 0.4 * first.size), -1
        )
        if beside < 0 or lines[beside].runs[0].bottom > first.bottom + 0.4 * first.size:
            return ()
        if parts and not ends_sentence(lines[beside - 1].words[-1].text):
            return ()
        if parts:
            parts[-1] += [run for row in lines[at:beside] for run in row.runs]
        elif beside:
            parts.append([run for row in lines[:beside] for run in row.runs])
        parts += [list(label.runs), []]
        at = beside
    parts[-1] += [run for row in lines[at:] for run in row.runs]
    return parts if len(labels) > len(parts) // 2 else ()


def _columns(left: Sequence[WordRun], right: Sequence[WordRun]) -> bool:
    """Whether both sides of a gutter hold running text of their own (against the cells of rows)."""
    texts = [_without_obstacles(left), _without_obstacles(right)]
    if not all(texts):
        return any(texts) and all(len(side) > 1 or side[0].obstacle >= 0 for side in (left, right))
    rows = [len(rows_of(side)) for side in texts]
    if min(rows) < 2 or max(rows) < 3:
        return False
    level, runs_on = _level(*texts), max(map(_runs_on, texts))
    bullets = any(is_bullet(run.words[0].text + " x") for side in texts for run in side)
    if level > 0.95 and runs_on < 0.15 and not bullets:
        return False  # rows of a table whose cells are phrases
    prose = list(map(_prose_lines, texts))
    if all(count >= 3 and count >= 0.2 * height for count, height in zip(prose, rows, strict=True)):
        return True
    if level <= 0.4 and runs_on >= 0.35:
        return True  # text beside the labels of a drawing
    if any(map(_is_fragmentary, texts)):
        return False
    tops, bottoms = zip(*map(_heights, texts), strict=True)
    top, bottom = max(tops), min(bottoms)
    if bottom <= top:
        return True
    beside = [_lines_between(side, top, bottom) for side in texts]
    return min(beside) >= 0.4 * max(beside)


def _without_obstacles(side: Sequence[WordRun]) -> list[WordRun]:
    """The runs of words on a side, without what stands in their way."""
    return [run for run in side if run.obstacle < 0]


def _prose_lines(side: Sequence[WordRun]) -> int:
    """How many runs are more than three words with letters."""
    return sum(len(run.words) > 3 and _lettered(run) for run in side)


def _is_fragmentary(side: Sequence[WordRun]) -> bool:
    """Whether a side is mostly numbers, or single words."""
    return 2 * sum(map(_lettered, side)) < len(side) or median(len(run.words) for run in side) < 2.5


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
