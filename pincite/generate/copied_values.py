"""Where a text that a model copied stands in a line: at a value as it is written, at one that means the same, or at its words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.document.folded_text import folded
from pincite.evidence.candidate import Evidence
from pincite.lines.line import Line, LineValue
from pincite.quantity import parse, same
from pincite.types import Cell, Quantity, Value


@dataclass(frozen=True, slots=True)
class Found:
    """A value where it stands: in a line, at one of its values or at some of its characters."""

    line: Line
    value: Value
    evidence: Evidence
    of: LineValue | None = None


def agree(value: Value, other: Value) -> bool:
    """Whether two values that one text may mean are the same."""
    if isinstance(value, Quantity) and isinstance(other, Quantity):
        return same(value, other, lenient=True)
    return type(value) is type(other)


def standing(said: str, line: Line) -> Iterator[Found]:
    """The places of a line where a text stands: values that it is as written, values that mean the same, its words."""
    bare = folded(said)[0]
    for value in line.values:
        if folded(value.text)[0] == bare:
            yield Found(line, value.value, line.evidence(value), value)
    number = parse(said)
    if number is not None:
        meant = [
            (value, value.value)
            for value in line.values
            if isinstance(value.value, Quantity) and _same(value.value, number)
        ]
        for value, held in sorted(meant, key=lambda each: each[1].value * number.value < 0):
            yield Found(line, held, line.evidence(value), value)
    yield from _words(said, line)


def _same(held: Quantity, said: Quantity) -> bool:
    """Whether a number is the one that is said: by its digits as they stand, or with its scale. Its sign is that of its line,
    which prints what is deducted in parentheses.
    """
    return abs(held.value) == abs(said.value) or math.isclose(
        abs(float(held.amount)), abs(float(said.amount)), rel_tol=1e-9
    )


def _words(said: str, line: Line) -> Iterator[Found]:
    """Where the words stand in a sentence, in a cell of a row, or in cells that they are the whole of ("GS51 | Research")."""
    needle = folded(said)[0].strip(".,;:")
    node = line.passage.node
    if len(needle) < 2:
        return
    if line.row is None:
        text = node.text[line.start : line.end]
        hay, at = folded(text)
        start = _place(needle, hay)
        if start is not None:
            begin, end = line.start + at[start], line.start + at[start + len(needle) - 1] + 1
            spelled = " ".join(node.text[begin:end].split())
            yield Found(
                line,
                spelled,
                Evidence(node, (), begin, end, node.text[begin:end], line.passage.document),
            )
        return
    assert node.table is not None
    row = [cell for cell in node.table.cells if cell.row == line.row and cell.text.strip()]
    for cells in (*([cell] for cell in row), _whole_cells(needle, row)):
        written = " ".join(cell.text for cell in cells)
        hay, at = folded(written)
        start = _place(needle, hay)
        if start is not None:
            spelled = " ".join(written[at[start] : at[start + len(needle) - 1] + 1].split())
            places = tuple((cell.row, cell.column) for cell in cells)
            yield Found(
                line, spelled, Evidence(node, places, 0, 0, written, line.passage.document)
            )


def _whole_cells(needle: str, row: Sequence[Cell]) -> list[Cell]:
    """The cells of a row that words are the whole of, in their order; none where anything is left over."""
    cells, rest = [], needle
    for cell in row:
        text = folded(cell.text)[0]
        if text and rest.startswith(text):
            cells.append(cell)
            rest = rest[len(text) :]
    return [] if rest else cells


def _place(needle: str, hay: str) -> int | None:
    """Where words stand in a text: digits not as a part of a longer number ("538" in "77,538")."""
    before = r"(?<!\d)(?<!\d[.,])" if needle[0].isdigit() else ""
    after = r"(?!\d|[.,]\d)" if needle[-1].isdigit() else ""
    found = re.search(f"{before}{re.escape(needle)}{after}", hay)
    return found.start() if found else None
