"""Header lines as cells: stacked lines joined, a header over several columns as one cell that spans them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from statistics import median_high

import numpy as np

from pincite.ingest.layout.boxes import around
from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.assembly import PlacedCell, is_part_of_period, is_period
from pincite.ingest.tables.chunks import Chunk, Line
from pincite.ingest.tables.column_gaps import ColumnSpan
from pincite.ingest.tables.rules import Level, ruled
from pincite.quantity.declarations import SCALE_NOTE

ALIGNED = 3.5
"""Text whose edge or middle is this near, in points, to that of a column stands in line with it."""
TIGHT = 1.7
"""Lines of one cell are at most this many font sizes apart."""

Place = tuple[int, int]
"""First and last column of a cell."""


def header_cells(
    header: Sequence[Line], columns: Sequence[ColumnSpan], level: Sequence[Level]
) -> list[PlacedCell]:
    """The cells of the header lines over these columns, rows numbered from 0."""
    cells: list[PlacedCell] = []
    row = 0
    above: dict[Place, PlacedCell] = {}
    for at, line in enumerate(header):
        pieces = list(chain.from_iterable(_pieces(chunk, columns) for chunk in line.chunks))
        places = _places(pieces, columns, level, header, at)
        if above:
            near = line.base - header[at - 1].base < TIGHT * line.size and not _ruled(
                level, header[at - 1], line
            )
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


def _of_all(
    pieces: Sequence[Chunk], columns: Sequence[ColumnSpan], header: Sequence[Line], at: int
) -> bool:
    """Whether line `at` of a header is a note of all columns, such as "(in thousands)".

    It stands above all other headers or in the middle of all columns, and is not that of the middle one.
    """
    alone = len(pieces) == 1 and SCALE_NOTE.fullmatch(pieces[0].text)
    if not alone or len(columns) < 3 or len(header) < 2:
        return False
    if at == 0 and place(pieces[0], columns)[0] > 0:
        return True
    left, right = columns[1].x0, columns[-1].x1
    centred = abs(2 * _middle(pieces[0]) - left - right) < 0.3 * (right - left)
    return centred and not _may_be_of_middle_column(columns, header)


def _may_be_of_middle_column(columns: Sequence[ColumnSpan], header: Sequence[Line]) -> bool:
    """Whether what stands in the middle of all columns of values may be the header of one, as no period heads each."""
    return len(columns) % 2 == 0 and not any(
        is_period(chunk.text) for line in header for chunk in line.chunks
    )


def place(chunk: Chunk, columns: Sequence[ColumnSpan]) -> Place:
    """First and last column that a chunk reaches; the nearest when it reaches none."""
    shared = [min(chunk.x1, column.x1) - max(chunk.x0, column.x0) for column in columns]
    over = [at for at, width in enumerate(shared) if width > 0.5]
    if over:
        return over[0], over[-1]
    middle = _middle(chunk)
    off = [max(column.x0 - middle, middle - column.x1) for column in columns]
    return (off.index(min(off)),) * 2


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


def _ruled(level: Sequence[Level], above: Line, below: Line) -> bool:
    return ruled(level, above.base, below.base - 0.5 * below.size, below.x0, below.x1)


def _places(
    pieces: Sequence[Chunk],
    columns: Sequence[ColumnSpan],
    level: Sequence[Level],
    header: Sequence[Line],
    at: int,
) -> list[Place]:
    """The columns each piece of line `at` covers: by the rule right below it, by its middle, or by its text."""
    if _of_all(pieces, columns, header, at):
        return [(1, len(columns) - 1)]
    line = header[at]
    rules = _rules_below(line, level)
    known = [_ruled_place(piece, pieces, columns, rules) for piece in pieces]
    places = [own or _covered(piece, columns) for own, piece in zip(known, pieces, strict=True)]
    spread = [number for number, (first, _) in enumerate(places) if first > 0]
    if at + 1 < len(header) and spread and not any(known):
        spanning = [pieces[number] for number in spread]
        shares = _shares(spanning, columns, level, line, header[at + 1])
        for number, share in zip(spread, shares, strict=False):
            places[number] = share
    return places


def _rules_below(line: Line, level: Sequence[Level]) -> list[tuple[float, float]]:
    """The ends of the rules that are drawn right below a line."""
    return [(x0, x1) for y, x0, x1 in level if line.base - 1 < y < line.base + 1.1 * line.size]


def _shares(
    pieces: Sequence[Chunk],
    columns: Sequence[ColumnSpan],
    level: Sequence[Level],
    line: Line,
    below: Line,
) -> list[Place]:
    """The columns of headers that share all columns of values; nothing when they do not, or are but over one each."""
    if repeated := _repeated(pieces, columns, below):
        return repeated
    shares = _dealt_out(pieces, columns)
    apart = below.base - line.base > TIGHT * line.size or _ruled(level, line, below)
    pairs = zip(pieces, shares, strict=False)
    spanning = (_spanning(piece, share, columns) for piece, share in pairs)
    return shares if apart or any(spanning) else []


def _dealt_out(pieces: Sequence[Chunk], columns: Sequence[ColumnSpan]) -> list[Place]:
    """All columns of values dealt out to headers, each in the middle of its share; nothing when they do not fit so."""
    if len(pieces) >= len(columns) - 1:
        return []
    middles = np.array(list(map(_middle, pieces)))
    owners = [int(abs(middles - _middle(column)).argmin()) for column in columns[1:]]
    shares = []
    for at, piece in enumerate(pieces):
        own = [column + 1 for column, owner in enumerate(owners) if owner == at]
        if not own:
            return []
        middle = (columns[own[0]].x0 + columns[own[-1]].x1) / 2
        pitch = (columns[own[-1]].x1 - columns[own[0]].x0) / len(own)
        if abs(_middle(piece) - middle) > 0.25 * pitch + ALIGNED:
            return []
        shares.append((own[0], own[-1]))
    return shares


def _repeated(pieces: Sequence[Chunk], columns: Sequence[ColumnSpan], below: Line) -> list[Place]:
    """Equal shares of the columns for headers over a line that says the same under each ("2023 2022 2023 2022")."""
    values = len(columns) - 1
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


def _spanning(piece: Chunk, share: Place, columns: Sequence[ColumnSpan]) -> bool:
    """Whether a header stands over its whole share and is not the first line of the header of the middle column."""
    first, last = share
    if first == last:
        return False
    if is_part_of_period(piece.text):
        return True
    if (last - first) % 2:  # an even number: its middle is between two columns
        middles = map(_middle, columns[first : last + 1])
        nearest = min(abs(_middle(piece) - middle) for middle in middles)
        return nearest > 2 * ALIGNED
    centre = (first + last) // 2
    left = (columns[centre - 1].x1 + columns[centre].x0) / 2
    right = (columns[centre].x1 + columns[centre + 1].x0) / 2
    return piece.x0 < left and piece.x1 > right


def _pieces(chunk: Chunk, columns: Sequence[ColumnSpan]) -> list[Chunk]:
    """A header chunk, cut where a wider gap between its words falls between two columns."""
    first, last = _covered(chunk, columns)
    if first == last or len(chunk.words) < 2:
        return [chunk]
    dealt = _dealt(chunk, columns[first : last + 1])
    if dealt:
        return dealt
    gaps = [right.box[0] - left.box[2] for left, right in pairwise(chunk.words)]
    usual = median_high(gaps) if len(gaps) > 1 else 0.4 * chunk.words[0].size
    runs = consecutive(chunk.words, lambda run, word: not _is_cut(run[-1], word, usual, columns))
    return [Chunk.of(run) for run in runs]


def _is_cut(left: Word, right: Word, usual: float, columns: Sequence[ColumnSpan]) -> bool:
    """Whether two words of a header stand over columns of their own, and further apart than is usual or as two periods."""
    gap = right.box[0] - left.box[2]
    wider = gap > 0.3 * right.size and gap > 1.5 * usual
    if not wider and not (is_period(left.text) and is_period(right.text)):
        return False
    return _covered(Chunk.of([left]), columns)[1] < _covered(Chunk.of([right]), columns)[0]


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
    return [Chunk.of(run) for run in runs]


def _covered(chunk: Chunk, columns: Sequence[ColumnSpan]) -> Place:
    """First and last column that a header stands over: not those it only reaches with its end."""
    over = [at for at, column in enumerate(columns) if _overlap(chunk, column) > 0.4]
    return (over[0], over[-1]) if over else (place(chunk, columns)[0],) * 2


def _overlap(chunk: Chunk, column: ColumnSpan) -> float:
    """The common width as a share of the narrower of the two."""
    common = min(chunk.x1, column.x1) - max(chunk.x0, column.x0)
    return common / max(min(chunk.x1 - chunk.x0, column.x1 - column.x0), 0.1)


def _ruled_place(
    piece: Chunk,
    pieces: Sequence[Chunk],
    columns: Sequence[ColumnSpan],
    rules: Sequence[tuple[float, float]],
) -> Place | None:
    """The columns over the rule drawn right below a header, when it is the header's own; `rules` are the ends of those."""
    for x0, x1 in rules:
        others = (other for other in pieces if other is not piece)
        shared = any(other.x0 < x1 - 1 and other.x1 > x0 + 1 for other in others)
        if shared or x0 > piece.x0 + 3 or x1 < piece.x1 - 3:
            continue
        under = [at for at, column in enumerate(columns) if x0 - 3 < _middle(column) < x1 + 3]
        if under and under[0] > 0:
            return under[0], under[-1]
    return None
