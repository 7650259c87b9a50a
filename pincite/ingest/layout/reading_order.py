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
from functools import cached_property
from itertools import chain, pairwise
from statistics import median

from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.layout.line_traits import ends_sentence, is_bullet
from pincite.ingest.raw_page import Word
from pincite.types import Box

# in font sizes
RUN_GAP = 1.0  # words further apart are of different runs: columns, cells
_BAND_GAP = 2.2  # white space across a whole band parts it
_TITLE = 1.25  # times larger than the rest is a first line that stands above all columns
_LEVEL = 0.4  # a label and the line beside it are off by less
# numbers
MOST_RUNS = 4000  # a region of more is a map or a table, and read line by line
_GUTTERS = 3  # that are tried in a region
_DEEPEST = 4  # columns within columns
# shares of the lines of a side of a gutter
_ROWS, _PHRASES = 0.95, 0.15  # level with the other and no sentence going on: the cells of a table
_APART, _TEXT = (
    0.4,
    0.35,
)  # level with the other, and sentences going on: text beside the labels of a drawing
_PROSE, _LABELLED_PROSE = (
    0.2,
    0.6,
)  # lines of more than three words, of a column and of the text beside labels
_ALIKE = 0.4  # of the lines of the fuller column that the other has beside them


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

    @property
    def lettered(self) -> bool:
        """Whether it is most of letters."""
        text = "".join(word.text for word in self.words)
        return sum(map(str.isalpha, text)) > 0.6 * len(text)

    def crosses(self, x: float) -> bool:
        """Whether it runs over a gutter."""
        slack = 0.3 * self.size if self.obstacle < 0 else 6.0
        return self.x0 < x - slack and self.x1 > x + slack

    def goes_on(self, box: Box, size: float, share: float) -> bool:
        """Whether what stands in a box is on its line, by this share of the lower height, and goes on from its end."""
        x0, top, _, bottom = box
        size = max(self.size, size)
        if not -0.5 * size <= x0 - self.x1 <= RUN_GAP * size:
            return False
        common = min(self.bottom, bottom) - max(self.top, top)
        return common > share * min(self.bottom - self.top, bottom - top)

    def add(self, word: Word) -> None:
        """Take a word into the run."""
        x0, top, x1, bottom = word.box
        self.words.append(word)
        self.x0, self.x1 = min(self.x0, x0), max(self.x1, x1)
        if word.size > 1.15 * self.size:
            self.size, self.top, self.bottom = word.size, top, bottom
        elif word.size > 0.85 * self.size:
            self.top, self.bottom = min(self.top, top), max(self.bottom, bottom)


@dataclass(slots=True)
class LayoutRow:
    """A line of text: its runs from left to right. A row of several runs is wide apart, as in a table without rules."""

    runs: list[WordRun]
    words: list[Word] = field(default_factory=list)


def runs_of(words: Sequence[Word]) -> list[WordRun]:
    """Words of one direction of writing as runs, whatever order the file has them in."""
    runs: list[WordRun] = []
    for word in words:
        if runs and runs[-1].goes_on(word.box, word.size, 0.4):
            runs[-1].add(word)
        else:
            runs.append(WordRun([word], *word.box, word.size))
    return _merge_runs(runs)


def _merge_runs(runs: list[WordRun]) -> list[WordRun]:
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
            hosts += [other for other in lanes[near] if other.goes_on(run.box, run.size, 0.5)]
        if not hosts:
            out.append(run)
            lanes[lane].append(run)
            continue
        for word in run.words:
            hosts[-1].add(word)
    return out


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
    if not 4 <= len(runs) <= MOST_RUNS or depth > _DEEPEST:
        return [list(runs)] if runs else []
    ordered = sorted(runs, key=lambda run: run.top + run.bottom)
    if titles := _titles(ordered):
        rest = regions_of(ordered[titles:], depth)
        return [ordered] if len(rest) == 1 else [ordered[:titles], *rest]
    for x in _gutters(ordered):
        if parted := _parted_at(ordered, x, depth):
            return parted
    return [ordered]


def _titles(ordered: Sequence[WordRun]) -> int:
    """How many lines at the top of a region stand alone and are larger than the rest: they are above all columns."""
    large = _TITLE * median(run.size for run in ordered)
    for at, (run, below) in enumerate(pairwise(ordered)):
        if run.size <= large or below.top < run.bottom - 0.3 * run.size:
            return at
    return 0


def _gutters(ordered: Sequence[WordRun]) -> list[float]:
    """The places between neighbours on a line that most lines agree on, best first."""
    events: list[tuple[float, int]] = []
    for at, run in enumerate(ordered):
        nearest = _next_on_line(ordered, at)
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


def _next_on_line(ordered: Sequence[WordRun], at: int) -> WordRun | None:
    """The run nearest to the right of run `at` on its line; `ordered` is sorted by the middle."""
    run = ordered[at]
    nearest: WordRun | None = None
    reach = run.bottom - run.top
    for indices in (range(at + 1, len(ordered)), range(at - 1, -1, -1)):
        for index in indices:
            other = ordered[index]
            if abs((other.top + other.bottom) - (run.top + run.bottom)) / 2 > max(reach, 12.0):
                break
            if other.x0 < run.x1 or nearest is not None and other.x0 >= nearest.x0:
                continue
            common = min(run.bottom, other.bottom) - max(run.top, other.top)
            if common > 0.3 * min(reach, other.bottom - other.top):
                nearest = other
    return nearest


def _parted_at(ordered: Sequence[WordRun], x: float, depth: int) -> list[list[WordRun]]:
    """The regions of runs parted at a gutter, in reading order; none where it parts nothing.

    What crosses the gutter parts the runs into bands, and a band that holds no columns is parted by white space. What stands
    between parted pieces may have columns at another gutter.
    """
    regions: list[list[WordRun]] = []
    between: list[WordRun] = []
    bands = consecutive(ordered, lambda band, run: band[-1].crosses(x) == run.crosses(x))
    pieces = ([band] if _parted_columns(band, x) else _blocks_of(band) for band in bands)
    for piece in chain.from_iterable(pieces):
        sides = _parted_columns(piece, x) or _labelled_parts(piece, x)
        if not sides:
            between += piece
            continue
        for part in (between, *sides):
            regions += regions_of(part, depth + 1)
        between = []
    return [*regions, *regions_of(between, depth + 1)] if regions else []


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


def _split_at(band: Sequence[WordRun], x: float) -> tuple[_Side, _Side]:
    """The runs whose middle is left and right of a gutter."""
    left = [run for run in band if run.x0 + run.x1 < 2 * x]
    return _Side(left), _Side([run for run in band if run.x0 + run.x1 >= 2 * x])


def _parted_columns(band: Sequence[WordRun], x: float) -> Sequence[list[WordRun]]:
    """The columns left and right of a gutter, if both sides hold running text of their own, and no cells of rows."""
    left, right = _split_at(band, x)
    if not left.runs or not right.runs or any(run.crosses(x) for run in band):
        return ()
    texts = [_Side([run for run in side.runs if run.obstacle < 0]) for side in (left, right)]
    if all(side.runs for side in texts):
        columns = _are_columns(*texts)
    else:
        whole = [len(side.runs) > 1 or side.runs[0].obstacle >= 0 for side in (left, right)]
        columns = any(side.runs for side in texts) and all(whole)
    return (left.runs, right.runs) if columns else ()


def _labelled_parts(band: Sequence[WordRun], x: float) -> Sequence[list[WordRun]]:
    """Labels left of a gutter, each of some lines, and the running text beside it, where that is what the band holds.

    Every label but the first begins level with a new paragraph.
    """
    left, right = _split_at(band, x)
    if any(run.obstacle >= 0 or run.crosses(x) for run in band):
        return ()
    rows, lines = rows_of(left.runs), rows_of(right.runs)
    worded = all(row.runs[0].lettered for row in rows)
    if 2 * len(rows) > len(lines) or right.runs_on < _TEXT or not worded:
        return ()
    if right.prose < _LABELLED_PROSE * len(lines):
        return ()

    def goes_on(label: Sequence[LayoutRow], row: LayoutRow) -> bool:
        last, first = label[-1].runs[0], row.runs[0]
        return first.bottom - last.bottom < 1.8 * first.size

    labels = consecutive(rows, goes_on)
    starts = _paragraphs_beside(labels, lines)
    if not starts or len(rows) <= len(labels):
        return ()
    parts = [lines[: starts[0]]]
    for label, (start, end) in zip(labels, pairwise([*starts, len(lines)]), strict=True):
        parts += [label, lines[start:end]]
    return [[run for row in part for run in row.runs] for part in parts]


def _paragraphs_beside(
    labels: Sequence[Sequence[LayoutRow]], lines: Sequence[LayoutRow]
) -> list[int]:
    """The number of the line at which the paragraph level with each label begins; none where one begins at no paragraph."""
    starts: list[int] = []
    for label in labels:
        first = label[0].runs[0]
        below = [line.runs[0].bottom - first.bottom for line in lines]
        beside, slack = range(starts[-1] if starts else 0, len(lines)), _LEVEL * first.size
        start = next((at for at in beside if below[at] > -slack), -1)
        if start < 0 or below[start] > slack:
            return []
        if starts and not ends_sentence(lines[start - 1].words[-1].text):
            return []
        starts.append(start)
    return starts


@dataclass(frozen=True)
class _Side:
    """The runs on one side of a gutter."""

    runs: list[WordRun]

    @cached_property
    def rows(self) -> int:
        """How many lines they make."""
        return len(rows_of(self.runs))

    @cached_property
    def prose(self) -> int:
        """How many are more than three words with letters."""
        return sum(len(run.words) > 3 and run.lettered for run in self.runs)

    @cached_property
    def runs_on(self) -> float:
        """The share of lines that go on in the middle of a sentence."""
        return sum(run.words[0].text[0].islower() for run in self.runs) / max(len(self.runs), 6)

    @property
    def bulleted(self) -> bool:
        """Whether one of them begins with a bullet."""
        return any(is_bullet(run.words[0].text + " x") for run in self.runs)

    @property
    def fragmentary(self) -> bool:
        """Whether they are mostly numbers, or single words."""
        few = median(len(run.words) for run in self.runs) < 2.5
        return few or 2 * sum(run.lettered for run in self.runs) < len(self.runs)

    def between(self, top: float, bottom: float) -> int:
        """How many have their middle between two heights."""
        return sum(top <= (run.top + run.bottom) / 2 <= bottom for run in self.runs)


def _are_columns(left: _Side, right: _Side) -> bool:
    """Whether two sides of a gutter, both of text, are read one after the other."""
    sides = left, right
    if min(left.rows, right.rows) < 2 or max(left.rows, right.rows) < 3:
        return False
    level, runs_on = _level_share(left.runs, right.runs), max(left.runs_on, right.runs_on)
    if level > _ROWS and runs_on < _PHRASES and not any(side.bulleted for side in sides):
        return False  # rows of a table whose cells are phrases
    if level <= _APART and runs_on >= _TEXT:
        return True  # text beside the labels of a drawing
    if all(side.prose >= max(3, _PROSE * side.rows) for side in sides):
        return True
    return not any(side.fragmentary for side in sides) and _fill_alike(left, right)


def _fill_alike(left: _Side, right: _Side) -> bool:
    """Whether two sides have about as many lines where they stand beside each other, or stand below each other."""
    top = max(min(run.top for run in side.runs) for side in (left, right))
    bottom = min(max(run.bottom for run in side.runs) for side in (left, right))
    beside = [side.between(top, bottom) for side in (left, right)]
    return bottom <= top or min(beside) >= _ALIKE * max(beside)


def _level_share(left: Sequence[WordRun], right: Sequence[WordRun]) -> float:
    """The share of lines of the shorter side that stand level with one of the other."""
    few, many = sorted((left, right), key=len)
    bottoms = sorted(run.bottom for run in many)
    level = 0
    for run in few:
        at = bisect_left(bottoms, run.bottom - 1.5)
        level += at < len(bottoms) and bottoms[at] <= run.bottom + 1.5
    return level / len(few)
