"""The columns of a block of lines: the stretches of its width that text covers, between gaps that no line crosses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.tables.chunks import Line

STEP = 0.5
"""Width in points of one step of the coverage profile."""


@dataclass(frozen=True, slots=True)
class ColumnSpan:
    """The horizontal extent of a column."""

    x0: float
    x1: float


def spans(lines: Sequence[Line]) -> list[ColumnSpan]:
    """The columns that the chunks of some lines make, from left to right.

    A gap is a stretch that no chunk covers. In a long block one line in fifteen may cross it, as a value that runs into
    its neighbour does; and of the labels one in six may, as they run on where their line has no value.
    """
    if not lines:
        return []
    left = min(line.x0 for line in lines)
    steps = int((max(line.x1 for line in lines) - left) / STEP) + 2
    labels, values = np.zeros(steps + 1, dtype=np.int64), np.zeros(steps + 1, dtype=np.int64)
    for line in lines:
        for at, chunk in enumerate(line.chunks):
            change = labels if at == 0 and not chunk.numeric else values
            change[int((chunk.x0 - left) / STEP)] += 1
            change[int((chunk.x1 - left) / STEP) + 1] -= 1
    over = (np.cumsum(labels) > len(lines) // 6) | (np.cumsum(values) > len(lines) // 15)
    used = np.concatenate([[False], over, [False]])
    edges = np.flatnonzero(used[1:] != used[:-1])
    ends = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    covered = [ColumnSpan(left + start * STEP, left + end * STEP) for start, end in ends]
    groups = consecutive(covered, lambda group, span: span.x0 - group[-1].x1 < 1.0)
    return [ColumnSpan(group[0].x0, group[-1].x1) for group in groups]
