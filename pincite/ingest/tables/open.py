"""Tables without a lattice: columns by the gaps that the lines leave, rows by values, spacing, rules and shading."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from pincite.ingest.page import Word
from pincite.ingest.tables.columns import Span, spans
from pincite.ingest.tables.grids import Placed, is_part_of_period, is_period, table
from pincite.ingest.tables.lines import Chunk, Line
from pincite.ingest.tables.regions import Region, valued
from pincite.ingest.tables.rules import Level
from pincite.types import Box, Table

_UNFINISHED = re.compile(r"(?:[,–—-]|\b(?:and|or|of|to|in|on|at|by|for|from|with|through|the|a|an))\s*$")
ALIGNED = 3.5
"""Text whose edge or middle is this near, in points, to that of a column stands in line with it."""


LONGEST_LABEL = 10
"""Half of the labels of a table without a header have no more words than this on a line."""
SPARSEST = 0.35
"""A table of many columns has at least this share of its values."""


def open_table(region: Region, level: Sequence[Level], fills: Sequence[Box], page: int) -> Table | None:
    """The table of a region; None when it is none (too few rows, a table of contents, text that happened to align)."""
    header, body = _split(region)
    rows = [line for line in body if valued(line)]
    if len(rows) < 2 and not (rows and _headed(rows[0], header, level)):
        return None
    columns = spans(rows)
    if len(columns) < 2 or not header and (len(rows) + len(columns) < 5 or _worded(rows)):
        return None
    if _contents(rows, header) or _equations(rows):
        return None
    placed = _header_cells(header, columns, level)
    depth = max((cell.row_end for cell in placed), default=0)
    for at, group in enumerate(_rows(body, columns, level, fills)):
        placed.extend(_body_cells(group, columns, depth + at))
    made = table(placed, page, header_rows=None)
    if made is None or len(made.cells) < 4 or len(columns) > 5 and _scattered(made):
        return None
    return made


def _headed(row: Line, header: Sequence[Line], level: Sequence[Level]) -> bool:
    """Whether a single row of values has a ruled header over two values at least."""
    values = sum(chunk.numeric for chunk in row.chunks[1:])
    named = any(len(line.chunks) >= 2 for line in header)
    ruled = (
        any(header[0].top < y < row.base + row.size and x0 < row.x1 and x1 > row.x0 for y, x0, x1 in level)
        if header
        else False
    )
    return values >= 2 and named and ruled


def _scattered(made: Table) -> bool:
    """Whether the values stand here and there, as the labels of a drawing or map do."""
    values = [cell for cell in made.cells if cell.column > 0]
    rows, columns = {cell.row for cell in values}, {cell.column for cell in values}
    return len(values) < SPARSEST * len(rows) * len(columns)


def _split(region: Region) -> tuple[list[Line], list[Line]]:
    """Header lines and body lines: leading lines whose values are all periods belong to the header."""
    first = region.first
    lines = region.lines
    while first < len(lines) - 1 and (not valued(lines[first]) or _periods(lines[first])):
        if not valued(lines[first]) and not any(valued(line) and _periods(line) for line in lines[first:][:4]):
            break
        if not valued(lines[first]) and len(lines[first].chunks) == 1 and lines[first].chunks[0].x0 <= lines[first].x0:
            break
        first += 1
    return lines[:first], lines[first:]


def _periods(line: Line) -> bool:
    return all(is_period(chunk.text) or not chunk.numeric for chunk in line.chunks[1:]) and any(
        is_period(chunk.text) for chunk in line.chunks
    )


def _contents(rows: Sequence[Line], header: Sequence[Line]) -> bool:
    """Whether this is a table of contents: one column of page numbers that never go down, under no header but "Page"."""
    named = [chunk.text.lower() for line in header for chunk in line.chunks[1:]]
    if any(sum(chunk.numeric for chunk in line.chunks[1:]) > 1 for line in rows) or any("page" not in n for n in named):
        return False
    last = [line.chunks[-1].text for line in rows if len(line.chunks) >= 2]
    pages = [int(text) for text in last if text.isdigit() and len(text) <= 4]
    if len(pages) < 3 or len(pages) < 0.8 * len(last):
        return False
    wordy = sum(not line.chunks[0].numeric or len(line.chunks) > 2 for line in rows)
    return all(a <= b for a, b in pairwise(pages)) and wordy > 0.7 * len(rows) and len(set(pages)) > 1


def _worded(rows: Sequence[Line]) -> bool:
    """Whether the labels are lines of running text, beside which numbers happen to stand."""
    words = sorted(len(line.chunks[0].words) for line in rows)
    return words[len(words) // 2] > LONGEST_LABEL


def _equations(rows: Sequence[Line]) -> bool:
    """Whether the values are the numbers of equations: (3), (4), ... at the end of each line and nothing else."""
    last = [re.fullmatch(r"\(([A-Z]?\.?\d{1,3})[a-z]?\)", line.chunks[-1].text) for line in rows]
    return all(last) and not any(chunk.numeric for line in rows for chunk in line.chunks[1:-1])


def _place(chunk: Chunk, columns: Sequence[Span]) -> tuple[int, int]:
    """First and last column (inclusive) that a chunk covers; the nearest when it covers none."""
    over = [at for at, column in enumerate(columns) if min(chunk.x1, column.x1) - max(chunk.x0, column.x0) > 0.5]
    if over:
        return over[0], over[-1]
    middle = (chunk.x0 + chunk.x1) / 2
    nearest = min(range(len(columns)), key=lambda at: max(columns[at].x0 - middle, middle - columns[at].x1))
    return nearest, nearest


def _body_cells(group: Sequence[Line], columns: Sequence[Span], row: int) -> list[Placed]:
    parts: dict[tuple[int, int], list[Word]] = {}
    for line in group:
        for chunk in line.chunks:
            first, last = _place(chunk, columns)
            if first == last or not chunk.numeric:
                spanning = first > 0 and len(line.chunks) == 1
                parts.setdefault((first, last if spanning else first), []).extend(chunk.words)
                continue
            for word in chunk.words:  # values that stand too close to be chunks of their own
                at = _place(Chunk([word], word.box[0], word.box[2]), columns)[0]
                parts.setdefault((at, at), []).append(word)
    return [Placed(words, row, first, row + 1, last + 1) for (first, last), words in parts.items()]


def _rows(
    body: Sequence[Line], columns: Sequence[Span], level: Sequence[Level], fills: Sequence[Box]
) -> list[list[Line]]:
    """Lines grouped to rows: a line without values goes to the row above or below when it is the rest of its label."""
    bands, alone = _bands(body, columns, level)
    groups: list[list[Line]] = []
    for at, line in enumerate(body):
        same = at > 0 and bands[at] == bands[at - 1]
        if same and bands[at] in alone or groups and same and _continues(groups[-1], line, columns, level, fills):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _bands(body: Sequence[Line], columns: Sequence[Span], level: Sequence[Level]) -> tuple[list[int], set[int]]:
    """The number of the band between rules that each line stands in, and the bands that are a row for certain.

    Those are the bands with one line of values, in a table where many bands have just one.
    """
    left, right = columns[0].x0, columns[-1].x1
    places = [y for y, x0, x1 in level if min(x1, right) - max(x0, left) > 0.8 * (right - left)]
    bands = [sum(y < line.base - 0.3 * line.size for y in places) for line in body]
    counted = Counter(band for band, line in zip(bands, body, strict=True) if valued(line))
    alone = {band for band, count in counted.items() if count == 1}
    return bands, alone if len(counted) >= 3 and len(alone) >= 0.4 * len(counted) else set()


def _continues(
    group: Sequence[Line], line: Line, columns: Sequence[Span], level: Sequence[Level], fills: Sequence[Box]
) -> bool:
    above, step = group[-1], line.base - group[-1].base
    whole = any(valued(one) or one.x0 > columns[0].x1 for one in group)
    alone = len(line.chunks) == 1 and line.chunks[0].x0 <= columns[0].x1
    if step < 0.95 * line.size:  # values half a line below or above the lines of their label
        return alone or not whole
    shaded = _shade(above, fills) == _shade(line, fills) and _shade(line, fills) is not None
    if step > (2.6 if shaded else 1.75) * line.size:
        return False
    if whole and valued(line) or any(above.base < y < line.base - 0.5 * line.size for y, _, _ in level):
        return False
    label, text = above.chunks[0], line.chunks[0]
    if alone and whole:  # a label that goes on below its values
        return shaded or text.text[:1].islower() and text.x0 >= label.x0 - 1
    if whole or len(above.chunks) > 1:
        return False
    if label.words[0].bold != text.words[0].bold or label.text.rstrip().endswith(":"):
        return False  # a section, not a label that began above its values
    return shaded or text.text[:1].islower() or bool(_UNFINISHED.search(label.text))


def _shade(line: Line, fills: Sequence[Box]) -> Box | None:
    """The smallest fill behind the beginning of a line."""
    x, y = line.x0 + 2, line.base - 0.3 * line.size
    behind = [fill for fill in fills if fill[0] <= x <= fill[2] and fill[1] <= y <= fill[3]]
    return min(behind, key=lambda fill: (fill[2] - fill[0]) * (fill[3] - fill[1]), default=None)


def _header_cells(header: Sequence[Line], columns: Sequence[Span], level: Sequence[Level]) -> list[Placed]:
    """Header lines as cells: lines of one cell joined, a cell above several others as one that spans them."""
    cells: list[Placed] = []
    row = 0
    open_cells: dict[tuple[int, int], Placed] = {}
    for at, line in enumerate(header):
        pieces = [piece for chunk in line.chunks for piece in _pieces(chunk, columns)]
        places = _header_places(pieces, columns, level, line, last=at == len(header) - 1)
        joins = at > 0 and _go_on(places, open_cells) and not _ruled(level, header[at - 1], line)
        if at > 0 and not joins:
            row += 1
            open_cells = {}
        for piece, place in zip(pieces, places, strict=True):
            if place in open_cells:
                open_cells[place].words.extend(piece.words)
            else:
                open_cells[place] = Placed(list(piece.words), row, place[0], row + 1, place[1] + 1)
                cells.append(open_cells[place])
    return cells


def _go_on(places: Sequence[tuple[int, int]], open_cells: dict[tuple[int, int], Placed]) -> bool:
    """Whether a header line only goes on with the cells above it, or stands beside them."""
    apart = [place for place in places if place not in open_cells]
    beside = all(
        last < first_above or last_above < first for first, last in apart for first_above, last_above in open_cells
    )
    return len(apart) < len(places) and beside


def _ruled(level: Sequence[Level], above: Line, below: Line) -> bool:
    return any(
        above.base < y < below.base - 0.5 * below.size and x0 < below.x1 and x1 > below.x0 for y, x0, x1 in level
    )


def _pieces(chunk: Chunk, columns: Sequence[Span]) -> list[Chunk]:
    """A header chunk, cut where a wider gap between its words falls between two columns."""
    first, last = _covered(chunk, columns)
    if first == last or len(chunk.words) < 2:
        return [chunk]
    dealt = _dealt(chunk, columns[first : last + 1])
    if dealt:
        return dealt
    gaps = [right.box[0] - left.box[2] for left, right in pairwise(chunk.words)]
    usual = sorted(gaps)[len(gaps) // 2] if len(gaps) > 1 else 0.4 * chunk.words[0].size
    runs: list[list[Word]] = [[chunk.words[0]]]
    for (left, right), gap in zip(pairwise(chunk.words), gaps, strict=True):
        one, other = (_covered(Chunk([word], word.box[0], word.box[2]), columns) for word in (left, right))
        wider = gap > 0.3 * right.size and gap > 1.5 * usual
        if one[1] < other[0] and (wider or is_period(left.text) and is_period(right.text)):
            runs.append([right])
        else:
            runs[-1].append(right)
    return [Chunk(run, run[0].box[0], run[-1].box[2]) for run in runs]


def _dealt(chunk: Chunk, columns: Sequence[Span]) -> list[Chunk]:
    """A header chunk as one for each column it covers, when its words stand in line with every one of them."""
    runs: list[list[Word]] = [[] for _ in columns]
    for word in chunk.words:
        runs[_place(Chunk([word], word.box[0], word.box[2]), columns)[0]].append(word)
    for run, column in zip(runs, columns, strict=True):
        if not run:
            return []
        x0, x1 = run[0].box[0], run[-1].box[2]
        if min(abs(x0 - column.x0), abs(x1 - column.x1), abs(x0 + x1 - column.x0 - column.x1) / 2) > ALIGNED:
            return []
    return [Chunk(run, run[0].box[0], run[-1].box[2]) for run in runs]


def _covered(chunk: Chunk, columns: Sequence[Span]) -> tuple[int, int]:
    """First and last column that a header stands over: not those it only reaches with its end."""
    over = [at for at, column in enumerate(columns) if _overlap(chunk, column) > 0.4]
    return (over[0], over[-1]) if over else (_place(chunk, columns)[0],) * 2


def _overlap(chunk: Chunk, column: Span) -> float:
    """The common width as a share of the narrower of the two."""
    common = min(chunk.x1, column.x1) - max(chunk.x0, column.x0)
    return common / max(min(chunk.x1 - chunk.x0, column.x1 - column.x0), 0.1)


def _header_places(
    pieces: Sequence[Chunk], columns: Sequence[Span], level: Sequence[Level], line: Line, last: bool
) -> list[tuple[int, int]]:
    """The columns each header of a line covers: by the rule right below it, by even shares, or by its text."""
    places = [_ruled_place(piece, pieces, columns, level, line) or _covered(piece, columns) for piece in pieces]
    if last:
        return places
    spread = [at for at, (first, _) in enumerate(places) if first > 0]
    if not all(is_part_of_period(pieces[at].text) or places[at][0] < places[at][1] for at in spread):
        return places
    shares = _even_shares([pieces[at] for at in spread], columns)
    for at, share in zip(spread, shares, strict=False):
        places[at] = share
    return places


def _even_shares(pieces: Sequence[Chunk], columns: Sequence[Span]) -> list[tuple[int, int]]:
    """Columns of values dealt out evenly to headers that stand in the middle of their share; else nothing."""
    count = len(columns) - 1
    if not pieces or count <= len(pieces) or count % len(pieces):
        return []
    each = count // len(pieces)
    shares = [(1 + at * each, at * each + each) for at in range(len(pieces))]
    for piece, (first, last) in zip(pieces, shares, strict=True):
        middle = (columns[first].x0 + columns[last].x1) / 2
        if abs((piece.x0 + piece.x1) / 2 - middle) > 0.3 * (columns[last].x1 - columns[first].x0) / each + 4:
            return []
    return shares


def _ruled_place(
    piece: Chunk, pieces: Sequence[Chunk], columns: Sequence[Span], level: Sequence[Level], line: Line
) -> tuple[int, int] | None:
    """The columns over the rule drawn right below a header, when it is the header's own."""
    for y, x0, x1 in level:
        if not (line.base - 1 < y < line.base + 1.1 * line.size and x0 <= piece.x0 + 3 and x1 >= piece.x1 - 3):
            continue
        if any(other is not piece and other.x0 < x1 - 1 and other.x1 > x0 + 1 for other in pieces):
            continue
        under = [at for at, column in enumerate(columns) if x0 - 3 < (column.x0 + column.x1) / 2 < x1 + 3]
        if under and under[0] > 0:
            return under[0], under[-1]
    return None
