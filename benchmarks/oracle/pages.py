"""The lines of a request as a model reads them: numbered sentences and rows of tables, below the place that they stand at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

PLACE = re.compile(r"\[(.*?)(?: > .*?)??(?:, p\. (\d+))?\]")
NUMBERED = re.compile(r"(\d+) (.*)")
MEASURE = re.compile(r" \(([^()]*)\)$")
CELL = re.compile(r"(?:(.*?) = )?(.*)")
LONGEST = 800
"""Characters of a sentence: a table read as one line of text goes on for longer."""
POWERS = {"thousand": 3, "million": 6, "billion": 9}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with what stands before it in its row and above it in its column, and the power of ten of its row.

    `table` is the place that its row stands at, and `row` the number of its line.
    """

    table: str
    row: int
    column: int
    text: str
    label: str
    heading: str
    scale: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A page of the context: its running number, document, page there, numbered texts, cells of its rows."""

    number: int
    document: str
    page: int
    texts: tuple[tuple[int, str], ...]
    cells: tuple[Cell, ...] = ()

    def sentences(self) -> Iterator[tuple[int, str]]:
        """The sentences of its running text, each with the number of its line; what never ends is none."""
        for number, line in self.texts:
            yield from ((number, one) for one in sentences(line) if len(one) <= LONGEST)


def pieces(text: str) -> list[Piece]:
    """The pages that a prompt shows, in order."""
    found: dict[tuple[str, int], Piece] = {}
    place, key = "", ("", 0)
    for line in text.split("\n"):
        if opened := PLACE.fullmatch(line):
            place, key = line, (opened[1], int(opened[2] or 0))
        elif place and (numbered := NUMBERED.fullmatch(line)):
            own = found.get(key) or Piece(len(found) + 1, *key, ())
            found[key] = _with(own, place, int(numbered[1]), numbered[2])
    return list(found.values())


def _with(piece: Piece, place: str, number: int, said: str) -> Piece:
    """A page with one line more."""
    cells = tuple(_cells(place, number, said))
    if cells:
        return replace(piece, cells=(*piece.cells, *cells))
    return replace(piece, texts=(*piece.texts, (number, said)))


def _cells(table: str, number: int, said: str) -> Iterator[Cell]:
    """The cells of a row; none where a line is a sentence."""
    if " = " not in said:
        return
    measure = MEASURE.search(said)
    scale = POWERS.get(measure[1].split(" ")[0], 0) if measure else 0
    bare = said[: measure.start()] if measure and "=" not in measure[1] else said
    label, behind, held = bare.partition(": ")
    if not behind or " = " in label:
        label, held = "", bare
    yield Cell(table, number, 0, label.split(" > ")[-1], "", "")
    for column, part in enumerate(held.split("; "), 1):
        found = CELL.fullmatch(part)
        if found:
            yield Cell(table, number, column, found[2], label, found[1] or "", scale)


def sentences(line: str) -> list[str]:
    """The sentences of a line of running text, as they stand."""
    ends = [
        found.end()
        for found in re.finditer(r"(?<![A-Z])[.!?][\"')\]]?\s+(?=[\"'(\[]?[A-Z0-9•])", line)
    ]
    bounds = [0, *ends, len(line)]
    return [
        line[a:b].strip() for a, b in zip(bounds, bounds[1:], strict=False) if line[a:b].strip()
    ]


def document(name: str) -> str:
    """A document's name without its folder, extension and case."""
    return re.sub(r"\.(?:pdf|txt|html?|md)$", "", name.rsplit("/", 1)[-1].casefold())
