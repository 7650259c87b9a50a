"""Words to lines and lines to reading order: runs of words, gutters between columns, bands that cross them.

A recursive X-Y cut (Nagy and Seth, 1984) whose vertical cuts tolerate what crosses them: text that spans a gutter (a
title, a wide table) parts the page into bands, and each band is read column by column only where both sides of the
gutter hold running text. Rows of tables and forms, whose sides are read together, stay lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from pincite.ingest.page import Word
from pincite.types import Box

RUN_GAP = 1.0
"""Words further apart than this many font sizes belong to different runs: columns, cells."""
_GUTTERS = 3  # how many gutters are tried in a region
_BAND_GAP = 2.2  # white space of this many font sizes across a whole band parts it


@dataclass(slots=True)
class Run:
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
class Row:
    """A line of text: its runs from left to right. A row of several runs is wide apart, as in a table without rules."""

    runs: list[Run]
    words: list[Word] = field(default_factory=list)


def runs_of(words: Sequence[Word]) -> list[Run]:
    """Words of one direction of writing as runs, whatever order the file has them in."""
    runs: list[Run] = []
    run: Run | None = None
    for word in words:
        if run is not None and _continues(run, word):
            _extend(run, word)
        else:
            x0, top, x1, bottom = word.box
            run = Run([word], x0, top, x1, bottom, word.size)
            runs.append(run)
    return _merged(runs)


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Runs of one column as lines from top to bottom, each from left to right."""
    rows: list[Row] = []
    core: tuple[float, float] = (0.0, 0.0)
    for run in sorted(runs, key=lambda one: (one.top + one.bottom, one.x0)):
        height = run.bottom - run.top
        overlap = min(core[1], run.bottom) - max(core[0], run.top)
        if rows and run.obstacle < 0 and rows[-1].runs[0].obstacle < 0 and overlap > 0.5 * min(height, core[1] - core[0]):
            rows[-1].runs.append(run)
            if height > core[1] - core[0]:
                core = (run.top, run.bottom)
        else:
            rows.append(Row([run]))
            core = (run.top, run.bottom)
    for row in rows:
        row.runs.sort(key=lambda one: one.x0)
        row.words = [word for run in row.runs for word in run.words]
    return rows


def regions_of(runs: Sequence[Run], depth: int = 0) -> list[list[Run]]:
    """Runs and obstacles parted into regions in reading order; each region is one column, to be read line by line."""
    if len(runs) < 4 or depth > 4:
        return [list(runs)] if runs else []
    ordered = sorted(runs, key=lambda one: one.top + one.bottom)
    for x in _gutters(ordered):
        parts: list[tuple[bool, list[Run]]] = []  # whether it may have columns at another gutter, its runs
        found = False
        for band in _bands(ordered, x):
            left = [run for run in band if (run.x0 + run.x1) / 2 < x]
            right = [run for run in band if (run.x0 + run.x1) / 2 >= x]
            if left and right and not any(_crosses(run, x) for run in band) and _columns(left, right):
                parts += [(False, region) for side in (left, right) for region in regions_of(side, depth + 1)]
                found = True
            elif parts and parts[-1][0]:
                parts[-1][1].extend(band)
            else:
                parts.append((True, band))
        if found:
            return [
                region for open_, part in parts for region in (regions_of(part, depth + 1) if open_ else [part])
            ]
    return [ordered]


def _continues(run: Run, word: Word) -> bool:
    x0, top, x1, bottom = word.box
    size = max(run.size, word.size)
    if not -0.5 * size <= x0 - run.x1 <= RUN_GAP * size:
        return False
    overlap = min(run.bottom, bottom) - max(run.top, top)
    return overlap > 0.4 * min(run.bottom - run.top, bottom - top)


def _extend(run: Run, word: Word) -> None:
    x0, top, x1, bottom = word.box
    run.words.append(word)
    run.x0 = min(run.x0, x0)
    run.x1 = max(run.x1, x1)
    if word.size > 1.15 * run.size:
        run.size, run.top, run.bottom = word.size, top, bottom
    elif word.size > 0.85 * run.size:
        run.top, run.bottom = min(run.top, top), max(run.bottom, bottom)


def _merged(runs: list[Run]) -> list[Run]:
    """Runs that touch on one line as one: for files that write a line in pieces."""
    runs.sort(key=lambda one: one.x0)
    out: list[Run] = []
    lanes: dict[int, list[Run]] = {}
    for run in runs:
        middle = (run.top + run.bottom) / 2
        host = None
        for lane in (int(middle // 8) - 1, int(middle // 8), int(middle // 8) + 1):
            for other in lanes.get(lane, ()):
                size = max(run.size, other.size)
                gap = run.x0 - other.x1
                overlap = min(run.bottom, other.bottom) - max(run.top, other.top)
                if -0.5 * size <= gap <= RUN_GAP * size and overlap > 0.5 * min(run.bottom - run.top, other.bottom - other.top):
                    host = other
        if host is None:
            out.append(run)
            lanes.setdefault(int(middle // 8), []).append(run)
        else:
            for word in run.words:
                _extend(host, word)
    return out


def _crosses(run: Run, x: float) -> bool:
    slack = 0.3 * run.size if run.obstacle < 0 else 6.0
    return run.x0 < x - slack and run.x1 > x + slack


def _gutters(ordered: Sequence[Run]) -> list[float]:
    """The places between neighbours on a line that most lines agree on, best first."""
    events: list[tuple[float, int]] = []
    for at, run in enumerate(ordered):
        nearest: Run | None = None
        for other in _beside(ordered, at):
            if other.x0 >= run.x1 and (nearest is None or other.x0 < nearest.x0):
                nearest = other
        if nearest is not None and nearest.x0 - run.x1 >= 0.6 * min(run.size, nearest.size):
            events += [(run.x1, 1), (nearest.x0, -1)]
    events.sort(key=lambda event: (event[0], -event[1]))
    peaks: list[tuple[int, float, float]] = []
    depth = 0
    for at, (x, step) in enumerate(events):
        depth += step
        if step > 0 and at + 1 < len(events) and events[at + 1][1] < 0:
            peaks.append((depth, x, events[at + 1][0]))
    best = sorted(peaks, key=lambda peak: (-peak[0], -(peak[2] - peak[1])))[:_GUTTERS]
    return [(a + b) / 2 for depth, a, b in best if depth >= 2]


def _beside(ordered: Sequence[Run], at: int) -> list[Run]:
    """The runs that share a line with run `at`; `ordered` is sorted by the middle."""
    run = ordered[at]
    found = []
    reach = run.bottom - run.top
    for indices in (range(at + 1, len(ordered)), range(at - 1, -1, -1)):
        for index in indices:
            other = ordered[index]
            apart = abs((other.top + other.bottom) - (run.top + run.bottom)) / 2
            if apart > max(reach, 12.0):
                break
            if min(run.bottom, other.bottom) - max(run.top, other.top) > 0.3 * min(reach, other.bottom - other.top):
                found.append(other)
    return found


def _bands(ordered: Sequence[Run], x: float) -> list[list[Run]]:
    """The region from top to bottom, parted where something crosses the gutter or white space runs across both sides."""
    bands: list[list[Run]] = []
    floor = 0.0
    crossing = False
    for run in sorted(ordered, key=lambda one: (one.top, one.x0)):
        crosses = _crosses(run, x)
        white = run.top - floor > _BAND_GAP * run.size
        if not bands or crosses != crossing or (white and not crosses):
            bands.append([])
        bands[-1].append(run)
        floor = max(floor, run.bottom) if len(bands[-1]) > 1 or not white else run.bottom
        crossing = crosses
    return bands


def _columns(left: Sequence[Run], right: Sequence[Run]) -> bool:
    """Whether both sides of a gutter hold running text of their own (against the cells of rows)."""
    texts = [[run for run in side if run.obstacle < 0] for side in (left, right)]
    if not all(texts):
        return any(texts) and all(len(side) > 1 or side[0].obstacle >= 0 for side in (left, right))
    lines = [len(rows_of(side)) for side in texts]
    if min(lines) < 2 or max(lines) < 3:
        return False
    for side in texts:
        letters = sum(sum(map(str.isalpha, word.text)) for run in side for word in run.words)
        characters = sum(len(word.text) for run in side for word in run.words)
        if letters < 0.55 * characters or median(len(run.words) for run in side) < 2.5:
            return False
    top = max(min(run.top for run in side) for side in texts)
    bottom = min(max(run.bottom for run in side) for side in texts)
    if bottom <= top:
        return True
    beside = [sum(top <= (run.top + run.bottom) / 2 <= bottom for run in side) for side in texts]
    return min(beside) >= 0.4 * max(beside)
