"""The pages of a request as a model reads them: pieces between marked lines, tables with a handle for each cell.

Tables are in Markdown, those with merged cells in HTML, whose cells have their letter and number as id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

OPENED = re.compile(
    r"=== ([0-9a-f]+) page (\d+) of the context \| document: (.*?)(?: \| p\. (\d+))? ==="
)
NAMED = re.compile(r"Table T(\d+)(?::\s*(.*))?")
YEAR = re.compile(r"\W*(?:19|20)\d\d(?:\W(?:19|20)?\d\d)?\W*")
LONGEST = 800
"""Characters of a sentence: a table read as one line of text goes on for longer."""
POWERS = {"thousands": 3, "millions": 6, "billions": 9, "trillions": 12}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with what stands before it in its row and above it in its column."""

    handle: str
    row: int
    column: int
    text: str
    label: str
    heading: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its number, what is said of it, its rows of texts, the power of ten that all its cells are scaled by."""

    number: int
    caption: str
    rows: tuple[tuple[str, ...], ...]
    scale: int = 0

    def cells(self) -> Iterator[Cell]:
        """Every cell that is not empty, row by row."""
        section = ""
        for at, row in enumerate(self.rows):
            filled = [text for text in row if text]
            if len(filled) == 1 and row[0]:
                section = row[0]
            for column, text in enumerate(row):
                if text:
                    yield self._cell(at, column, section)

    def _cell(self, at: int, column: int, section: str) -> Cell:
        row = self.rows[at]
        above = [self.rows[up][column] for up in range(at) if column < len(self.rows[up])]
        heads = [text for text in above[:4] if text and not _bare(text)]
        label = row[0] if column else ""
        told = f"{section} | {label}" if section not in ("", label) else label
        return Cell(
            f"T{self.number}!{letters(column)}{at + 1}",
            at,
            column,
            row[column],
            told,
            " | ".join(heads),
        )


@dataclass(frozen=True, slots=True)
class Piece:
    """A page of the context: its running number, document, page there, running text, tables."""

    number: int
    document: str
    page: int
    lines: tuple[str, ...]
    grids: tuple[Grid, ...] = field(default=())

    def sentences(self) -> Iterator[str]:
        """The sentences of its running text; the line that names the section is none, and nor is what never ends."""
        for line in self.lines:
            if not line.startswith("(section: "):
                yield from (one for one in sentences(line) if len(one) <= LONGEST)


def _bare(text: str) -> bool:
    """Whether a cell above another is a value and no heading: digits with nothing told beside them, but for a year or two."""
    return not re.search(r"[A-Za-z]", text) and not YEAR.fullmatch(text)


def letters(column: int) -> str:
    """The letters over a column."""
    return chr(65 + column) if column < 26 else chr(64 + column // 26) + chr(65 + column % 26)


def pieces(text: str) -> list[Piece]:
    """The pages that a prompt shows, in order."""
    found: list[Piece] = []
    lines = iter(text.split("\n"))
    for line in lines:
        opened = OPENED.fullmatch(line)
        if opened is None:
            continue
        mark, number, document, page = opened.groups()
        held: list[str] = []
        for inner in lines:
            if inner == f"=== {mark} end of page {number} ===":
                break
            held.append(inner)
        name = document.split(" | ")[0]
        found.append(_piece(int(number), name, int(page or 0), held))
    return found


def _piece(number: int, document: str, page: int, held: list[str]) -> Piece:
    prose: list[str] = []
    grids: list[Grid] = []
    at = 0
    while at < len(held):
        named = NAMED.fullmatch(held[at])
        below = held[at + 1] if at + 1 < len(held) else ""
        if named is None or not below.startswith(("|", "<table>")):
            prose.append(held[at])
            at += 1
            continue
        rows, at = _markdown(held, at + 3) if below.startswith("|") else _html(held, at + 1)
        caption = named[2] or ""
        scale = next(
            (power for word, power in POWERS.items() if f"numbers in {word}" in caption), 0
        )
        grids.append(Grid(int(named[1]), caption, tuple(rows), scale))
    return Piece(number, document, page, tuple(prose), tuple(grids))


def _markdown(held: list[str], at: int) -> tuple[list[tuple[str, ...]], int]:
    """The rows of a table in Markdown, each at the place that its number says, and where the table ends."""
    rows: list[tuple[str, ...]] = []
    while at < len(held) and held[at].startswith("|"):
        _, number, *parts = re.split(r"(?<!\\)\|", held[at])[:-1]
        rows += [()] * (int(number) - 1 - len(rows))  # rows that are not shown
        rows.append(tuple(part.replace("\\|", "|").strip() for part in parts))
        at += 1
    return rows, at


def _html(held: list[str], at: int) -> tuple[list[tuple[str, ...]], int]:
    """The rows of a table in HTML from its first line on, and where it ends."""
    table = _HtmlTable()
    while at < len(held):
        table.feed(held[at])
        at += 1
        if held[at - 1] == "</table>":
            break
    table.close()
    height = 1 + max((row for row, _ in table.texts), default=-1)
    width = 1 + max((column for _, column in table.texts), default=-1)
    rows = [
        tuple(table.texts.get((row, column), "") for column in range(width))
        for row in range(height)
    ]
    return rows, at


class _HtmlTable(HTMLParser):
    """The texts of a table by row and column: a merged header at all that it covers, a merged body cell at its first place."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[tuple[int, int], str] = {}
        self._places: list[tuple[int, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Close the open cell, whose end tag is left out, and open one at the place that its id names."""
        told = {name: value or "" for name, value in attrs}
        self._places = []
        if found := re.fullmatch(r"([A-Z]+)(\d+)", told.get("id", "")):
            spans = (int(told.get(name, "1")) for name in ("rowspan", "colspan"))
            down, right = spans if tag == "th" else (1, 1)
            row, column = int(found[2]) - 1, _column(found[1])
            self._places = [(row + i, column + j) for i in range(down) for j in range(right)]

    def handle_data(self, data: str) -> None:
        """Text of the open cell."""
        for place in self._places:
            self.texts[place] = self.texts.get(place, "") + data


def _column(name: str) -> int:
    """The column under these letters."""
    return next(column for column in range(27 * 26) if letters(column) == name)


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
