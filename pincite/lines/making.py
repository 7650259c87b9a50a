"""The lines of passages: sentences of their text, rows of their tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from pincite.document.cell_values import binding, cell_times, value_of
from pincite.document.labelled_cells import Labelled, labels
from pincite.document.sentence_spans import sentences
from pincite.document.table_headers import STEP
from pincite.document.times import when
from pincite.evidence.candidate import Passage
from pincite.lines.line import Line, LineValue
from pincite.quantity import find

_SCALES = {10**2: "hundred", 10**3: "thousand", 10**6: "million", 10**9: "billion"}


def lines_of(passages: Sequence[Passage]) -> list[Line]:
    """The lines of passages, in their order."""
    return [line for passage in passages for line in _lines(passage)]


def _lines(passage: Passage) -> Iterator[Line]:
    node = passage.node
    if node.table is not None:
        yield from _rows(passage)
        return
    for start, end in sentences(node.text):
        text = node.text[start:end]
        if text.strip():
            times = when(text)
            values = tuple(
                LineValue(
                    text[each.start : each.end],
                    each.quantity,
                    times,
                    "",
                    None,
                    start + each.start,
                    start + each.end,
                )  # fmt: skip
                for each in find(text)
            )
            yield Line(passage, values, "", None, start, end)


def _rows(passage: Passage) -> Iterator[Line]:
    table = passage.node.table
    assert table is not None
    for row, cells in groupby(sorted(labels(table).cells, key=lambda c: (c.row, c.column)), lambda c: c.row):  # fmt: skip
        held = list(cells)
        first = held[0]
        path = dict.fromkeys(part.strip(" :") for part in (*first.sections, first.label))
        label = STEP.join(part for part in path if part)
        yield Line(
            passage, tuple(_value(passage, cell) for cell in held), label, row, measure=_measure(passage, held)
        )  # fmt: skip


def _value(passage: Passage, cell: Labelled) -> LineValue:
    place = (cell.row, cell.column)
    return LineValue(
        cell.text, value_of(passage.node, cell), cell_times(cell), cell.heading, place
    )


def _measure(passage: Passage, cells: Sequence[Labelled]) -> str:
    """The scale and unit that all cells of a row are bound to; "" where they differ or have none."""
    table = passage.node.table
    assert table is not None
    bound = {binding(table, cell) for cell in cells}
    if len(bound) != 1:
        return ""
    scale, unit = bound.pop()
    return " ".join(filter(None, (_SCALES.get(int(scale), ""), unit)))
