"""Tables without a lattice: columns by the gaps that the lines leave, rows by values, spacing, rules and shading."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import inf
from statistics import median_high

from pincite.ingest.raw_page import RawPage, Word
from pincite.ingest.tables.assembly import PlacedCell, table
from pincite.ingest.tables.chunks import Chunk, ColumnSpan, Line, spans
from pincite.ingest.tables.headers import Header, place
from pincite.ingest.tables.regions import Region, dated, valued
from pincite.ingest.tables.rules import Level, is_ruled
from pincite.text.lexicon import pattern
from pincite.types import Box, Table

_UNFINISHED = pattern("ingest", "unfinished", "cells")
_EQUATION = re.compile(r"\(([A-Z]?\.?\d{1,3})[a-z]?\)")
LONGEST_LABEL = 10  # words on a line that half the labels of a table without header have, at most
SPARSEST = 0.35  # a table of many columns has at least this share of its values


def open_table(region: Region, level: Sequence[Level], page: RawPage) -> Table | None:
    """The table of a region; None when it is no table (too few rows, a table of contents, text that happened to align)."""
    over, body = _split_header(region)
    rows = list(filter(valued, body))
    columns = spans(rows)
    header = Header(over, columns, level)
    if not _is_tabular(rows, header):
        return None
    placed = header.cells()
    depth = max((cell.row_end for cell in placed), default=0)
    for row, group in enumerate(_Body(body, columns, level, page.fills).rows(), depth):
        placed.extend(_body_cells(group, columns, row))
    made = table(placed, page.number)
    if made is None or len(made.cells) < 4 or len(columns) > 5 and _is_scattered(made):
        return None
    return made


def _is_tabular(rows: Sequence[Line], header: Header) -> bool:
    """Whether lines of values are the rows of a table, and not of a table of contents or of text that happens to align."""
    if len(rows) < 2 and not (rows and _is_headed(rows[0], header)):
        return False
    if len(header.columns) < 2:
        return False
    if not header.lines:
        # of running text, beside which numbers happen to stand, the lines are long
        words = median_high(len(line.chunks[0].words) for line in rows)
        if len(rows) + len(header.columns) < 5 or words > LONGEST_LABEL:
            return False
    return not _is_contents(rows, header.lines) and not _are_equations(rows)


def _is_headed(row: Line, header: Header) -> bool:
    """Whether a single row of values has a ruled header over two values at least."""
    if row.values < 2 or not any(len(line.chunks) >= 2 for line in header.lines):
        return False
    low = row.base + row.size
    return is_ruled(header.level, header.lines[0].top, low, row.x0, row.x1)


def _is_scattered(made: Table) -> bool:
    """Whether the values stand here and there, as the labels of a drawing or map do."""
    values = [cell for cell in made.cells if cell.column > 0]
    rows, columns = {cell.row for cell in values}, {cell.column for cell in values}
    return len(values) < SPARSEST * len(rows) * len(columns)


def _split_header(region: Region) -> tuple[list[Line], list[Line]]:
    """Header lines and body lines: what stands over the columns of values before the first value that is no period."""
    lines = region.lines
    values = (at for at, line in enumerate(lines) if valued(line) and not dated(line))
    real = next(values, region.first)
    behind = (chunk for line in lines[real:] for chunk in line.chunks[1:])
    inner = min((chunk.x0 for chunk in behind if chunk.numeric), default=0.0)
    first = min(region.first, real)
    for at in range(first, real):
        over = any(chunk.x0 + chunk.x1 > 2 * (inner - 10) for chunk in lines[at].chunks)
        if over or dated(lines[at]):
            first = at + 1
    first = min(first, len(lines) - 1)
    return lines[:first], lines[first:]


def _is_contents(rows: Sequence[Line], header: Sequence[Line]) -> bool:
    """Whether this is a table of contents: one column of page numbers that never go down, under no header but "Page"."""
    if any(line.values > 1 for line in rows):
        return False
    if any("page" not in chunk.text.lower() for line in header for chunk in line.chunks[1:]):
        return False
    wordy = sum(not line.chunks[0].numeric or len(line.chunks) > 2 for line in rows)
    last = [line.chunks[-1].text for line in rows]
    pages = [int(text) for text in last if text.isdecimal() and len(text) <= 4]
    if wordy <= 0.7 * len(rows) or len(pages) < max(3, 0.8 * len(rows)):
        return False
    return pages == sorted(pages) and pages[0] < pages[-1]


def _are_equations(rows: Sequence[Line]) -> bool:
    """Whether the values are the numbers of equations: (3), (4), ... at the end of each line and nothing else."""
    numbered = all(_EQUATION.fullmatch(line.chunks[-1].text) for line in rows)
    return numbered and not any(chunk.numeric for line in rows for chunk in line.chunks[1:-1])


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
    return [
        PlacedCell(words, row, first, row + 1, last + 1) for (first, last), words in parts.items()
    ]


@dataclass(frozen=True, slots=True)
class _Body:
    """The lines below the header of a table, its columns, and what is drawn on the page."""

    lines: Sequence[Line]
    columns: Sequence[ColumnSpan]
    level: Sequence[Level]
    fills: Sequence[Box]

    def rows(self) -> list[list[Line]]:
        """Lines grouped to rows: a line without values goes to the row above or below when it is the rest of its label."""
        bands, alone = self._bands()
        groups: list[list[Line]] = []
        for at, line in enumerate(self.lines):
            same = at > 0 and bands[at] == bands[at - 1]
            if same and (bands[at] in alone or self._continues(groups[-1], line)):
                groups[-1].append(line)
            else:
                groups.append([line])
        return groups

    def _bands(self) -> tuple[list[int], set[int]]:
        """The number of the band between rules that each line stands in, and the bands that are a row for certain.

        Those are the bands with one line of values, in a table where many bands have just one.
        """
        left, right = self.columns[0].x0, self.columns[-1].x1
        wide = 0.8 * (right - left)
        rules = sorted(y for y, x0, x1 in self.level if min(x1, right) - max(x0, left) > wide)
        bands = [bisect_left(rules, line.base - 0.3 * line.size) for line in self.lines]
        pairs = zip(bands, self.lines, strict=True)
        counted = Counter(band for band, line in pairs if valued(line))
        alone = {band for band, count in counted.items() if count == 1}
        many = len(counted) >= 3 and len(alone) >= 0.4 * len(counted)
        return bands, alone if many else set()

    def _continues(self, group: Sequence[Line], line: Line) -> bool:
        """Whether a line goes on with a row: half a line off its values, or near and in the same shade, or its rest."""
        above, step = group[-1], line.base - group[-1].base
        if step < 0.95 * line.size:
            taken = [chunk for part in group for chunk in part.chunks]
            pairs = product(line.chunks, taken)
            if not any(chunk.x0 < other.x1 and other.x0 < chunk.x1 for chunk, other in pairs):
                return True
        shade = self._shade(line)
        shaded = shade is not None and shade == self._shade(above)
        low = line.base - 0.5 * line.size
        far = step > (2.6 if shaded else 1.75) * line.size
        if far or is_ruled(self.level, above.base, low, -inf, inf):
            return False
        labels = self.columns[0].x1
        if any(valued(part) or part.x0 > labels for part in group):
            return _ends_row(line, above, labels, shaded)
        return _ends_label(line, above, shaded)

    def _shade(self, line: Line) -> Box | None:
        """The smallest fill behind the beginning of a line."""
        x, y = line.x0 + 2, line.base - 0.3 * line.size
        behind = [one for one in self.fills if one[0] <= x <= one[2] and one[1] <= y <= one[3]]
        return min(behind, key=lambda one: (one[2] - one[0]) * (one[3] - one[1]), default=None)


def _ends_row(line: Line, above: Line, labels: float, shaded: bool) -> bool:
    """Whether a line goes on with the words or, left of `labels`, with the label of a row that has its values."""
    if valued(line):
        return False
    if line.x0 > labels:
        return line.base - above.base < 1.5 * line.size and not line.numeric
    midway = _is_midway(line.chunks[0].text) and line.x0 >= above.x0 - 1
    return len(line.chunks) == 1 and (shaded or midway)


def _ends_label(line: Line, above: Line, shaded: bool) -> bool:
    """Whether a line has the rest of a label that began above its values, which is no section."""
    label, text = above.chunks[0], line.chunks[0]
    alike = label.words[0].bold == text.words[0].bold
    if len(above.chunks) > 1 or not alike or label.text.rstrip().endswith(":"):
        return False
    return shaded or _is_midway(text.text) or bool(_UNFINISHED.search(label.text))


def _is_midway(text: str) -> bool:
    """Whether a text begins within a sentence: with a word in small letters."""
    small = text[:1].islower() and text[:1].isascii()
    return small and (text[1:2].isalpha() or text[1:2] in ("", " "))
