"""Header lines as cells: stacked lines joined, a header over several columns as one cell that spans them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_high

import numpy as np

from pincite.ingest.layout.boxes import around
from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.assembly import PlacedCell, is_part_of_period, is_period
from pincite.ingest.tables.chunks import Chunk, ColumnSpan, Line
from pincite.ingest.tables.rules import Level, is_ruled
from pincite.quantity.declarations import SCALE_NOTE

ALIGNED = 3.5  # points by which edges or middles of what stands in line are off, at most
TIGHT = 1.7  # lines of one cell are at most this many font sizes apart
OVER = 0.4  # a header stands over a column if they share more than this of the narrower of the two

Place = tuple[int, int]  # first and last column of a cell


@dataclass(frozen=True, slots=True)
class Header:
    """The lines over the columns of a table, and the level rules of the page."""

    lines: Sequence[Line]
    columns: Sequence[ColumnSpan]
    level: Sequence[Level]

    def cells(self) -> list[PlacedCell]:
        """The cells of the lines, rows numbered from 0."""
        cells: list[PlacedCell] = []
        row = 0
        above: dict[Place, PlacedCell] = {}
        for at, line in enumerate(self.lines):
            pieces = [piece for chunk in line.chunks for piece in self._cut(chunk)]
            places = self._places(pieces, at)
            if above:
                step = line.base - self.lines[at - 1].base
                near = step < TIGHT * line.size and not self._is_ruled_under(at - 1)
                if near:
                    pairs = zip(pieces, places, strict=True)
                    places = [_adopted(piece, own, places, above) for piece, own in pairs]
                if not near or not _goes_on(places, above):
                    row, above = row + 1, {}
            for piece, own in zip(pieces, places, strict=True):
                if own in above:
                    above[own].words.extend(piece.words)
                else:
                    above[own] = PlacedCell(list(piece.words), row, own[0], row + 1, own[1] + 1)
                    cells.append(above[own])
        return cells

    def _is_ruled_under(self, at: int) -> bool:
        """Whether a rule is drawn between a line and the next."""
        above, below = self.lines[at], self.lines[at + 1]
        low = below.base - 0.5 * below.size
        return is_ruled(self.level, above.base, low, below.x0, below.x1)

    def _places(self, pieces: Sequence[Chunk], at: int) -> list[Place]:
        """The columns each piece of line `at` covers: by the rule right below it, by its middle, or by its text."""
        if self._is_of_all(pieces, at):
            return [(1, len(self.columns) - 1)]
        line = self.lines[at]
        under = line.base - 1, line.base + 1.1 * line.size
        rules = [(x0, x1) for y, x0, x1 in self.level if under[0] < y < under[1]]
        known = [self._ruled_place(piece, pieces, rules) for piece in pieces]
        pairs = zip(known, pieces, strict=True)
        places = [own or _covered(piece, self.columns) for own, piece in pairs]
        spread = [number for number, (first, _) in enumerate(places) if first > 0]
        if at + 1 < len(self.lines) and spread and not any(known):
            shares = self._shares([pieces[number] for number in spread], at)
            for number, share in zip(spread, shares, strict=False):
                places[number] = share
        return places

    def _is_of_all(self, pieces: Sequence[Chunk], at: int) -> bool:
        """Whether line `at` is a note of all columns, such as "(in thousands)".

        It stands above all other headers or in the middle of all columns, and is not that of the middle one.
        """
        alone = len(pieces) == 1 and SCALE_NOTE.fullmatch(pieces[0].text)
        if not alone or len(self.columns) < 3 or len(self.lines) < 2:
            return False
        if at == 0 and place(pieces[0], self.columns)[0] > 0:
            return True
        left, right = self.columns[1].x0, self.columns[-1].x1
        if abs(2 * _middle(pieces[0]) - left - right) >= 0.3 * (right - left):
            return False
        # in the middle of an odd number of columns of values it heads one of them, unless periods head each
        texts = (chunk.text for line in self.lines for chunk in line.chunks)
        return len(self.columns) % 2 > 0 or any(map(is_period, texts))

    def _ruled_place(
        self, piece: Chunk, pieces: Sequence[Chunk], rules: Sequence[tuple[float, float]]
    ) -> Place | None:
        """The columns over one of the `rules` right below a header, when it is the header's own."""
        for x0, x1 in rules:
            others = (other for other in pieces if other is not piece)
            shared = any(other.x0 < x1 - 1 and other.x1 > x0 + 1 for other in others)
            if shared or x0 > piece.x0 + 3 or x1 < piece.x1 - 3:
                continue
            middles = enumerate(map(_middle, self.columns))
            under = [at for at, middle in middles if x0 - 3 < middle < x1 + 3]
            if under and under[0] > 0:
                return under[0], under[-1]
        return None

    def _shares(self, pieces: Sequence[Chunk], at: int) -> list[Place]:
        """The columns of headers that share all columns of values; nothing when they do not, or are but over one each."""
        line, below = self.lines[at], self.lines[at + 1]
        if repeated := self._repeated(pieces, below):
            return repeated
        shares = self._dealt_out(pieces)
        pairs = list(zip(pieces, shares, strict=False))
        apart = below.base - line.base > TIGHT * line.size or self._is_ruled_under(at)
        return shares if apart or any(self._is_spanning(*pair) for pair in pairs) else []

    def _dealt_out(self, pieces: Sequence[Chunk]) -> list[Place]:
        """All columns of values dealt out to headers, each in the middle of its share; nothing when they do not fit so."""
        columns = self.columns
        if len(pieces) >= len(columns) - 1:
            return []
        middles = np.array(list(map(_middle, pieces)))
        owners = [int(abs(middles - _middle(column)).argmin()) for column in columns[1:]]
        shares = []
        for at, piece in enumerate(pieces):
            own = [column for column, owner in enumerate(owners, 1) if owner == at]
            if not own:
                return []
            left, right = columns[own[0]].x0, columns[own[-1]].x1
            pitch = (right - left) / len(own)
            if abs(_middle(piece) - (left + right) / 2) > 0.25 * pitch + ALIGNED:
                return []
            shares.append((own[0], own[-1]))
        return shares

    def _repeated(self, pieces: Sequence[Chunk], below: Line) -> list[Place]:
        """Equal shares of the columns for headers over a line that says the same under each ("2023 2022 2023 2022")."""
        columns, values = self.columns, len(self.columns) - 1
        width, over = divmod(values, len(pieces))
        if len(pieces) < 2 or width < 2 or over:
            return []
        texts = [chunk.text for chunk in below.chunks if place(chunk, columns)[0] > 0]
        if len(set(texts[:width])) != width or texts != texts[:width] * len(pieces):
            return []
        shares = [(1 + width * at, width * (at + 1)) for at in range(len(pieces))]
        pitch = (columns[-1].x1 - columns[1].x1) / (values - 1)
        for piece, (first, last) in zip(pieces, shares, strict=True):
            if not columns[first].x1 - pitch < _middle(piece) < columns[last].x1:
                return []
        return shares

    def _is_spanning(self, piece: Chunk, share: Place) -> bool:
        """Whether a header stands over its whole share and is not the first line of the header of the middle column."""
        first, last = share
        if first == last:
            return False
        if is_part_of_period(piece.text):
            return True
        if (last - first) % 2:  # an even number: its middle is between two columns
            middles = map(_middle, self.columns[first : last + 1])
            return min(abs(_middle(piece) - middle) for middle in middles) > 2 * ALIGNED
        before, centre, after = self.columns[(first + last) // 2 - 1 : (first + last) // 2 + 2]
        return piece.x0 < (before.x1 + centre.x0) / 2 and piece.x1 > (centre.x1 + after.x0) / 2

    def _cut(self, chunk: Chunk) -> list[Chunk]:
        """A chunk, cut where a wider gap between its words falls between two columns."""
        first, last = _covered(chunk, self.columns)
        if first == last or len(chunk.words) < 2:
            return [chunk]
        if dealt := _dealt(chunk, self.columns[first : last + 1]):
            return dealt
        gaps = [right.box[0] - left.box[2] for left, right in pairwise(chunk.words)]
        usual = median_high(gaps) if len(gaps) > 1 else 0.4 * chunk.words[0].size

        def goes_on(run: Sequence[Word], word: Word) -> bool:
            """Whether a word is no further away than is usual, unless both are periods, or stands over the same column."""
            gap = word.box[0] - run[-1].box[2]
            wider = gap > 0.3 * word.size and gap > 1.5 * usual
            if not wider and not (is_period(run[-1].text) and is_period(word.text)):
                return True
            end = _covered(Chunk.of([run[-1]]), self.columns)[1]
            return end >= _covered(Chunk.of([word]), self.columns)[0]

        return list(map(Chunk.of, consecutive(chunk.words, goes_on)))


def place(chunk: Chunk, columns: Sequence[ColumnSpan]) -> Place:
    """First and last column that a chunk reaches; the nearest when it reaches none."""
    shared = [min(chunk.x1, column.x1) - max(chunk.x0, column.x0) for column in columns]
    over = [at for at, width in enumerate(shared) if width > 0.5]
    if over:
        return over[0], over[-1]
    middle = _middle(chunk)
    off = [max(column.x0 - middle, middle - column.x1) for column in columns]
    return (off.index(min(off)),) * 2


def _covered(chunk: Chunk, columns: Sequence[ColumnSpan]) -> Place:
    """First and last column that a header stands over: not those it only reaches with its end."""
    over = []
    for at, column in enumerate(columns):
        common = min(chunk.x1, column.x1) - max(chunk.x0, column.x0)
        narrower = min(chunk.x1 - chunk.x0, column.x1 - column.x0)
        if common / max(narrower, 0.1) > OVER:
            over.append(at)
    return (over[0], over[-1]) if over else (place(chunk, columns)[0],) * 2


def _dealt(chunk: Chunk, columns: Sequence[ColumnSpan]) -> list[Chunk]:
    """A header chunk as one for each column it covers, when its words stand in line with every one of them."""
    runs: list[list[Word]] = [[] for _ in columns]
    for word in chunk.words:
        runs[place(Chunk.of([word]), columns)[0]].append(word)
    for run, column in zip(runs, columns, strict=True):
        if not run:
            return []
        x0, x1 = run[0].box[0], run[-1].box[2]
        left, right = abs(x0 - column.x0), abs(x1 - column.x1)
        if min(left, right, abs(x0 + x1 - column.x0 - column.x1) / 2) > ALIGNED:
            return []
    return list(map(Chunk.of, runs))


def _middle(part: Chunk | ColumnSpan) -> float:
    return (part.x0 + part.x1) / 2


def _adopted(
    piece: Chunk, own: Place, places: Sequence[Place], above: dict[Place, PlacedCell]
) -> Place:
    """The place of the spanning cell above that this piece goes on with, when it stands alone in its middle."""
    for over, cell in above.items():
        if over == own or not _covers(over, own):
            continue
        alone = sum(_covers(over, other) for other in places) == 1
        x0, _, x1, _ = around(word.box for word in cell.words)
        if alone and abs((x0 + x1) / 2 - _middle(piece)) < 2 * ALIGNED:
            return over
    return own


def _covers(over: Place, own: Place) -> bool:
    return over[0] <= own[0] and own[1] <= over[1]


def _goes_on(places: Sequence[Place], above: dict[Place, PlacedCell]) -> bool:
    """Whether a header line only goes on with the cells above it, or stands beside them."""
    apart = [own for own in places if own not in above]
    beside = all(last < start or end < first for first, last in apart for start, end in above)
    return len(apart) < len(places) and beside
