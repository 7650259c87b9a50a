"""Tables without a lattice: columns by the gaps that the lines leave, rows by values, spacing, rules and shading."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import inf
from statistics import median_high

from pincite.ingest.raw_page import Word
from pincite.ingest.tables.assembly import PlacedCell, table
from pincite.ingest.tables.chunks import Chunk, Line
from pincite.ingest.tables.column_gaps import ColumnSpan, spans
from pincite.ingest.tables.headers import header_cells, place
from pincite.ingest.tables.regions import Region, dated, valued
from pincite.ingest.tables.rules import Level, ruled
from pincite.lexicon import pattern
from pincite.types import Box, Table

_UNFINISHED = pattern("ingest", "unfinished", "cells")
LONGEST_LABEL = 10
"""Half of the labels of a table without a header have no more words than this on a line."""
SPARSEST = 0.35
"""A table of many columns has at least this share of its values."""


def open_table(
    region: Region, level: Sequence[Level], fills: Sequence[Box], page: int
) -> Table | None:
    """The table of a region; None when it is no table (too few rows, a table of contents, text that happened to align)."""
    header, body = _split(region)
    rows = list(filter(valued, body))
    columns = spans(rows)
    if not _tabular(rows, header, columns, level):
        return None
    placed = header_cells(header, columns, level)
    depth = max((cell.row_end for cell in placed), default=0)
    for at, group in enumerate(_rows(body, columns, level, fills)):
        placed.extend(_body_cells(group, columns, depth + at))
    made = table(placed, page)
    if made is None or len(made.cells) < 4 or len(columns) > 5 and _scattered(made):
        return None
    return made


def _tabular(
    rows: Sequence[Line],
    header: Sequence[Line],
    columns: Sequence[ColumnSpan],
    level: Sequence[Level],
) -> bool:
    """Whether lines of values are the rows of a table, and not of a table of contents or of text that happens to align."""
    if len(rows) < 2 and not (rows and _headed(rows[0], header, level)):
        return False
    if len(columns) < 2 or not header and (len(rows) + len(columns) < 5 or _worded(rows)):
        return False
    return not _contents(rows, header) and not _equations(rows)


def _headed(row: Line, header: Sequence[Line], level: Sequence[Level]) -> bool:
    """Whether a single row of values has a ruled header over two values at least."""
    named = any(len(line.chunks) >= 2 for line in header)
    if row.values < 2 or not named:
        return False
    return ruled(level, header[0].top, row.base + row.size, row.x0, row.x1)


def _scattered(made: Table) -> bool:
    """Whether the values stand here and there, as the labels of a drawing or map do."""
    values = [cell for cell in made.cells if cell.column > 0]
    rows, columns = {cell.row for cell in values}, {cell.column for cell in values}
    return len(values) < SPARSEST * len(rows) * len(columns)


def _split(region: Region) -> tuple[list[Line], list[Line]]:
    """Header lines and body lines: what stands over the columns of values before the first value that is no period."""
    lines = region.lines
    values = (at for at, line in enumerate(lines) if valued(line) and not dated(line))
    real = next(values, region.first)
    behind = (chunk for line in lines[real:] for chunk in line.chunks[1:])
    inner = min((chunk.x0 for chunk in behind if chunk.numeric), default=0.0)
    first = min(region.first, real)
    for at in range(first, real):
        if _reaches(lines[at], inner - 10) or dated(lines[at]):
            first = at + 1
    first = min(first, len(lines) - 1)
    return lines[:first], lines[first:]


def _reaches(line: Line, x: float) -> bool:
    """Whether something on a line has its middle right of a place."""
    return any(chunk.x0 + chunk.x1 > 2 * x for chunk in line.chunks)


def _contents(rows: Sequence[Line], header: Sequence[Line]) -> bool:
    """Whether this is a table of contents: one column of page numbers that never go down, under no header but "Page"."""
    if any(line.values > 1 for line in rows):
        return False
    if any("page" not in chunk.text.lower() for line in header for chunk in line.chunks[1:]):
        return False
    wordy = sum(not line.chunks[0].numeric or len(line.chunks) > 2 for line in rows)
    return wordy > 0.7 * len(rows) and _page_numbers([line.chunks[-1].text for line in rows])


def _page_numbers(texts: Sequence[str]) -> bool:
    """Whether most texts are numbers of pages that never go down."""
    pages = [int(text) for text in texts if text.isdecimal() and len(text) <= 4]
    many = len(pages) >= max(3, 0.8 * len(texts))
    return many and pages == sorted(pages) and pages[0] < pages[-1]


def _worded(rows: Sequence[Line]) -> bool:
    """Whether the labels are lines of running text, beside which numbers happen to stand."""
    return median_high(len(line.chunks[0].words) for line in rows) > LONGEST_LABEL


def _equations(rows: Sequence[Line]) -> bool:
    """Whether the values are the numbers of equations: (3), (4), ... at the end of each line and nothing else."""
    last = [re.fullmatch(r"\(([A-Z]?\.?\d{1,3})[a-z]?\)", line.chunks[-1].text) for line in rows]
    return all(last) and not any(chunk.numeric for line in rows for chunk in line.chunks[1:-1])


def _body_cells(
    group: Sequence[Line], columns: Sequence[ColumnSpan], row: int
) -> list[PlacedCell]:
    parts: dict[tuple[int, int], list[Word]] = {}
    for line in group:
        for chunk in line.chunks:
            first, last = place(chunk, columns)
            if first == last or not chunk.numeric:
                spanning = first > 0 and len(line.chunks) == 1
                parts.setdefault((first, last if spanning else first), []).extend(chunk.words)
                continue
            for word in chunk.words:  # values that stand too close to be chunks of their own
                at = place(Chunk.of([word]), columns)[0]
                parts.setdefault((at, at), []).append(word)
    placed = ((words, row, first, row + 1, last + 1) for (first, last), words in parts.items())
    return [PlacedCell(*given) for given in placed]


def _rows(
    body: Sequence[Line],
    columns: Sequence[ColumnSpan],
    level: Sequence[Level],
    fills: Sequence[Box],
) -> list[list[Line]]:
    """Lines grouped to rows: a line without values goes to the row above or below when it is the rest of its label."""
    bands, alone = _bands(body, columns, level)
    groups: list[list[Line]] = []
    for at, line in enumerate(body):
        same = at > 0 and bands[at] == bands[at - 1]
        whole = same and bands[at] in alone
        if whole or same and _continues(groups[-1], line, columns, level, fills):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _bands(
    body: Sequence[Line], columns: Sequence[ColumnSpan], level: Sequence[Level]
) -> tuple[list[int], set[int]]:
    """The number of the band between rules that each line stands in, and the bands that are a row for certain.

    Those are the bands with one line of values, in a table where many bands have just one.
    """
    left, right = columns[0].x0, columns[-1].x1
    wide = 0.8 * (right - left)
    places = sorted(y for y, x0, x1 in level if min(x1, right) - max(x0, left) > wide)
    bands = [bisect_left(places, line.base - 0.3 * line.size) for line in body]
    counted = Counter(band for band, line in zip(bands, body, strict=True) if valued(line))
    alone = {band for band, count in counted.items() if count == 1}
    return bands, alone if len(counted) >= 3 and len(alone) >= 0.4 * len(counted) else set()


def _continues(
    group: Sequence[Line],
    line: Line,
    columns: Sequence[ColumnSpan],
    level: Sequence[Level],
    fills: Sequence[Box],
) -> bool:
    above, step = group[-1], line.base - group[-1].base
    if step < 0.95 * line.size and not _overlaps(line, group):
        return True
    shade = _shade(line, fills)
    shaded = shade is not None and shade == _shade(above, fills)
    if step > (2.6 if shaded else 1.75) * line.size or ruled(
        level, above.base, line.base - 0.5 * line.size, -inf, inf
    ):
        return False
    labels = columns[0].x1
    if any(valued(part) or part.x0 > labels for part in group):
        return _ends_row(line, above, labels, shaded)
    return _ends_label(line, above, shaded)


def _overlaps(line: Line, group: Sequence[Line]) -> bool:
    """Whether a line stands below some of a row, and not half a line off it, as values beside a label of two lines do."""
    taken = [chunk for part in group for chunk in part.chunks]
    pairs = product(line.chunks, taken)
    return any(chunk.x0 < other.x1 and other.x0 < chunk.x1 for chunk, other in pairs)


def _ends_row(line: Line, above: Line, labels: float, shaded: bool) -> bool:
    """Whether a line goes on with the words or, left of `labels`, with the label of a row that has its values."""
    if valued(line):
        return False
    if line.x0 > labels:
        return line.base - above.base < 1.5 * line.size and not line.numeric
    midway = _midway(line.chunks[0].text) and line.x0 >= above.x0 - 1
    return len(line.chunks) == 1 and (shaded or midway)


def _ends_label(line: Line, above: Line, shaded: bool) -> bool:
    """Whether a line has the rest of a label that began above its values, which is no section."""
    label, text = above.chunks[0], line.chunks[0]
    alike = label.words[0].bold == text.words[0].bold
    if len(above.chunks) > 1 or not alike or label.text.rstrip().endswith(":"):
        return False
    return shaded or _midway(text.text) or bool(_UNFINISHED.search(label.text))


def _midway(text: str) -> bool:
    """Whether a text begins within a sentence: with a word in small letters."""
    small = text[:1].islower() and text[:1].isascii()
    return small and (text[1:2].isalpha() or text[1:2] in ("", " "))


def _shade(line: Line, fills: Sequence[Box]) -> Box | None:
    """The smallest fill behind the beginning of a line."""
    x, y = line.x0 + 2, line.base - 0.3 * line.size
    behind = [fill for fill in fills if fill[0] <= x <= fill[2] and fill[1] <= y <= fill[3]]
    return min(behind, key=lambda fill: (fill[2] - fill[0]) * (fill[3] - fill[1]), default=None)
