"""The lines of passages: sentences of their text, rows of their tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from pincite.document.cell_values import cell_times, value_of
from pincite.document.labelled_cells import Labelled, labels
from pincite.document.sentence_spans import sentences
from pincite.document.table_headers import STEP
from pincite.document.times import When, when
from pincite.evidence.candidate import Passage
from pincite.evidence.stance import Said
from pincite.lines.line import Line, LineValue
from pincite.quantity import FoundQuantity, find
from pincite.quantity.dollars import DOLLAR, in_own_dollars
from pincite.types import Node, Quantity

UNNAMED = "total"
"""What a row without a label is called below a heading of others: statements print sums so."""
_SCALES = {10**2: "hundred", 10**3: "thousand", 10**6: "million", 10**9: "billion"}


def lines_of(passages: Sequence[Passage]) -> list[Line]:
    """The lines of passages, in their order; of a passage that is shown in part those of that part."""
    return [line for passage in passages for line in _lines(passage)]


def said_by(passages: Sequence[Passage]) -> list[Said]:
    """What the lines of passages say, each cited whole."""
    return [Said(line.text, line.evidence(), line.passage) for line in lines_of(passages)]


def _lines(passage: Passage) -> Iterator[Line]:
    node = passage.node
    if node.table is not None:
        yield from _rows(passage)
        return
    if node.kind == "heading":
        return  # it stands above its lines
    found = find(node.text)  # the whole of it shows whether a comma parts thousands
    first, last = passage.part or (0, len(node.text))
    for begin, stop in sentences(node.text):
        start, end = max(begin, first), min(stop, last)
        text = node.text[start:end]
        if text.strip():
            times = when(text)
            values = tuple(
                _number(node, each, times)
                for each in found
                if start <= each.start and each.end <= end
            )
            yield Line(passage, values, "", None, start, end)


def _number(node: Node, found: FoundQuantity, times: tuple[When, ...]) -> LineValue:
    """A number of a sentence; its dollars are those of its document."""
    text, own = node.text[found.start : found.end], node.meta.get(DOLLAR, "")
    quantity = in_own_dollars(found.quantity, own, found.quantity.text)
    return LineValue(text, quantity, times, "", None, found.start, found.end)


def _rows(passage: Passage) -> Iterator[Line]:
    table = passage.node.table
    assert table is not None
    first, last = passage.part or (0, math.inf)
    held = (cell for cell in labels(table).cells if first <= cell.row < last)
    cells = sorted(held, key=attrgetter("row", "column"))
    for row, beside in groupby(cells, attrgetter("row")):
        own = list(beside)
        values = tuple(_value(passage, cell) for cell in own)
        said = own[0].label or (UNNAMED if own[0].sections else "")
        path = dict.fromkeys(part.strip(" :") for part in (*own[0].sections, said))
        label = STEP.join(part for part in path if part)
        yield Line(passage, values, label, row, measure=_measure(values))


def _value(passage: Passage, cell: Labelled) -> LineValue:
    place = (cell.row, cell.column)
    return LineValue(
        cell.text, value_of(passage.node, cell), cell_times(cell), cell.heading, place
    )


def _measure(values: Sequence[LineValue]) -> str:
    """The scale and unit of all numbers of a row; "" where they differ or have none, or each says its own."""
    held = [
        each for each in values if isinstance(each.value, Quantity) and each.value.unit != "year"
    ]
    bound = {
        (each.value.scale, each.value.unit) for each in held if isinstance(each.value, Quantity)
    }
    if len(bound) != 1:
        return ""
    scale, unit = bound.pop()
    said = " ".join(filter(None, (_SCALES.get(int(scale), ""), unit)))
    return "" if said == "%" and all("%" in each.text for each in held) else said
