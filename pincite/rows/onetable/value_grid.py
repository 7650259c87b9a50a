"""One small table that is given with a question: its cells as written, and every number, date and part of a cell as a column.

Cells of such tables are dirty: "62–6", "1998–2007", "Kansas 16", "5th", "1:31:33.7". What can be compared stands in columns
of its own beside the written ones ("Result (number)", "Result (second number)", "Date (date)", "Years (year)"), so that a
program over them is a plain one. The column `ROW` numbers the rows from 1, top to bottom.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Literal

from pincite.database.relations.model import Column, Database, Relation, Type
from pincite.database.relations.name_folding import stems
from pincite.database.sources.cell_dates import day, order_of
from pincite.database.sources.connection import OpenDatabase, in_memory
from pincite.database.sources.typed_columns import column_of, create, distinct, filled, insert
from pincite.lexicon import pattern, pattern_table
from pincite.rows.programs.program import Field

ROW = "row"
NAME = "given"
Kind = Literal["number", "rank", "year", "date", "time", "second", "margin", "length"]
SHARE = 0.5
"""The share of a column's filled cells that must have a part before it is read as a column."""

_BLANK = pattern("onetable", "blank", "cells")
_NUMBER = re.compile(r"(?<![\w.])[-−+]?\$?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?|(?<![\w.])\.\d+")
_ANY_NUMBER = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?")
_YEAR = pattern("onetable", "year", "parts of a cell")
_RANGE = re.compile(r"(?<!\d)(1[0-9]\d\d|20\d\d)\s*[-–—−/]\s*(?:(1[0-9]\d\d|20\d\d)|(\d\d))(?!\d)")
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
"""The commas between the thousands of a number."""
_CLOCK = re.compile(r"\+?(?:(\d++):)?(\d++):(\d++(?:\.\d++)?)")
_RANKED = pattern("onetable", "heading of ranks", "cells")
_TOTAL = pattern("onetable", "total", "cells")
_NOTE = re.compile(r"\[[^\]]*\]")

_ORDINAL = pattern("onetable", "rank", "cells")
_DASHES = str.maketrans("‐‑‒–—−", "------")
_SCORE = re.compile(r"\d\s*[-–—−:]\s*\d")
_PARTS = pattern_table("onetable", "parts of a cell")

Value = float | str


@dataclass(frozen=True, slots=True)
class GridView:
    """A column that can be compared: its name in the table, the written column it is of, and a value for each row or None."""

    name: str
    of: int
    kind: Kind
    values: tuple[Value | None, ...]

    def numbers(self, rows: Iterable[int]) -> list[float]:
        """The numbers of some rows."""
        return [value for at in rows if isinstance(value := self.values[at], float)]


@dataclass(frozen=True, slots=True)
class ViewEnd:
    """The upper or the lower end of a view."""

    view: GridView
    largest: bool

    @property
    def item(self) -> Field:
        """The view in a program."""
        return Field(self.view.name)

    @property
    def way(self) -> Literal["more", "less"]:
        """What lies toward this end."""
        return "more" if self.largest else "less"

    @property
    def function(self) -> Literal["max", "min"]:
        """The function that finds this end."""
        return "max" if self.largest else "min"

    @property
    def operator(self) -> Literal[">", "<"]:
        """How a value that lies nearer to this end compares with another."""
        return ">" if self.largest else "<"

    def beyond(self, value: Value | None, mark: Value | None) -> bool:
        """Whether a value lies nearer to this end than another of its type."""
        return _is_less(mark, value) if self.largest else _is_less(value, mark)


def _is_less(value: Value | None, mark: Value | None) -> bool:
    """Whether a value comes before another of its type."""
    if value is None or mark is None:
        return False
    if isinstance(value, str) or isinstance(mark, str):
        return isinstance(value, str) and isinstance(mark, str) and value < mark
    return value < mark


def ends(view: GridView) -> tuple[ViewEnd, ViewEnd]:
    """The upper and the lower end of a view."""
    return ViewEnd(view, True), ViewEnd(view, False)


@dataclass(frozen=True, slots=True)
class CellPart:
    """A part of the cells of a written column that may be asked for or counted by: its year, what stands in brackets."""

    name: str
    of: int
    label: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValueGrid:
    """A given table: `headings` and written `cells` by row; the stems of both; `views` and `parts` of its columns.

    `totals` are the rows that sum others up.
    """

    headings: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    heading_stems: tuple[tuple[str, ...], ...]
    cell_stems: tuple[tuple[tuple[str, ...], ...], ...]
    views: tuple[GridView, ...]
    parts: tuple[CellPart, ...]
    totals: frozenset[int]
    relation: Relation

    def view_of(self, column: int, *kinds: Kind) -> GridView | None:
        """The first view of a written column, of one of the kinds where any are named."""
        for view in self.views:
            if view.of == column and (not kinds or view.kind in kinds):
                return view
        return None


def words_of(text: str) -> tuple[str, ...]:
    """The stems of a text, thousands in one piece: "Kansas 1,200" gives kansa and 1200."""
    return tuple(stems(THOUSANDS.sub("", text)).split())


def grid_of(rows: Sequence[Sequence[str]]) -> ValueGrid:
    """Read a grid of texts, headings first; blank rows are left out, short ones filled up."""
    headings, *body = filled([[cell.replace("\\n", " ") for cell in row] for row in rows])
    names = distinct(headings, {ROW})
    views: list[GridView] = []
    parts: list[CellPart] = []
    for at, (name, heading) in enumerate(zip(names, headings, strict=True)):
        cells = [row[at] for row in body]
        views += _views(at, name, heading, cells)
        parts += _parts(at, name, cells)
    views += _lengths(names, views)
    columns = (
        Column(ROW, "integer", "row", guessed=False),
        *(
            Column(name, "text", heading or name)
            for name, heading in zip(names, headings, strict=True)
        ),
        *(Column(view.name, _type(view), view.name) for view in views),
        *(Column(part.name, "text", part.name) for part in parts),
    )
    return ValueGrid(
        tuple(headings),
        tuple(map(tuple, body)),
        tuple(names),
        tuple(map(words_of, headings)),
        tuple(tuple(map(words_of, cells)) for cells in body),
        tuple(views),
        tuple(parts),
        _totals(body),
        Relation(NAME, columns, rows=len(body), key=(ROW,)),
    )


def _totals(body: Sequence[Sequence[str]]) -> frozenset[int]:
    """The rows that sum others up."""
    if len(body) <= 3:
        return frozenset()
    return frozenset(
        at for at, row in enumerate(body) if at and any(map(_TOTAL.fullmatch, row[:2]))
    )


def source_of(grid: ValueGrid) -> OpenDatabase:
    """The table in memory, for statements: written columns and views as `ValueGrid.relation` lists them."""
    columns = [
        range(1, len(grid.cells) + 1),
        *map(_filled, zip(*grid.cells, strict=True)),
        *(view.values for view in grid.views),
        *(_filled(part.texts) for part in grid.parts),
    ]
    rows = list(zip(*columns, strict=True))
    database = Database(NAME, (grid.relation,))

    def fill(held: sqlite3.Connection) -> None:
        create(held, grid.relation)
        insert(held, grid.relation, rows)

    return in_memory(database, fill)


def _filled(texts: Sequence[str]) -> list[str | None]:
    return [text or None for text in texts]


def is_blank(text: str) -> bool:
    """Whether a cell says that there is nothing."""
    return _BLANK.fullmatch(text) is not None


def _type(view: GridView) -> Type:
    if view.kind == "date":
        return "text"
    whole = all(
        isinstance(value, float) and value.is_integer()
        for value in view.values
        if value is not None
    )
    return "integer" if whole else "number"


def _views(at: int, name: str, heading: str, cells: Sequence[str]) -> list[GridView]:
    """Every way in which a column can be compared, the likeliest first."""
    full = [cell for cell in cells if not is_blank(cell)]
    if not full:
        return []
    made: list[GridView] = []

    def add(kind: Kind, label: str, found: Iterable[Value | None]) -> None:
        values = tuple(found)
        known = sum(value is not None for value in values)
        same = any(view.values == values for view in made)
        if known and known >= SHARE * len(full) and not same:
            made.append(GridView(f"{name} ({label})", at, kind, values))

    numbers = _numbers(heading, cells)
    seconds = list(map(_second, cells))
    add("time", "time", map(_clock, cells))
    add("date", "date", _dates(cells))
    add("year", "year", map(_year, cells))
    add(
        "rank" if _RANKED.fullmatch(heading) or _most(_ORDINAL, full) else "number",
        "number",
        numbers,
    )
    add("second", "second number", seconds)
    if _most(_SCORE, full) and not {view.kind for view in made} & {"date", "year", "time"}:
        add("margin", "margin", map(_apart, numbers, seconds))
    return made


def _most(pattern: re.Pattern[str], cells: Sequence[str]) -> bool:
    """Whether a pattern is found in half of some cells."""
    return sum(pattern.search(cell) is not None for cell in cells) >= SHARE * len(cells)


def _year(cell: str) -> float | None:
    match = _YEAR.search(cell)
    return float(match[1]) if match else None


def _lengths(names: Sequence[str], views: Sequence[GridView]) -> list[GridView]:
    """How long from a first year or date to a second, in the cells of one column or from one column to another."""
    made: list[GridView] = []

    def add(
        start: GridView,
        end: GridView,
        unit: str,
        gap: Callable[[Value | None, Value | None], float | None],
    ) -> None:
        gaps = tuple(gap(a, b) for a, b in zip(start.values, end.values, strict=True))
        known = [gap for gap in gaps if gap is not None]
        if (
            known
            and min(known) >= 0
            and len(known) * 2 >= sum(value is not None for value in start.values)
        ):
            made.append(
                GridView(f"{names[start.of]} to {names[end.of]} ({unit})", end.of, "length", gaps)
            )

    for start in views:
        if start.kind == "year":
            for end in views:
                if _ends(start, end):
                    add(start, end, "years", _years)
    for start, end in combinations((view for view in views if view.kind == "date"), 2):
        add(start, end, "days", _days)
    return made[:6]


def _ends(start: GridView, end: GridView) -> bool:
    """Whether a view may hold the years in which those of another end: of another column, or second in the same cells."""
    paired = (
        end.of == start.of if end.kind == "second" else end.of != start.of and end.kind == "year"
    )
    return paired and any(isinstance(value, float) and value >= 1000 for value in end.values)


def _apart(a: Value | None, b: Value | None) -> float | None:
    return abs(a - b) if isinstance(a, float) and isinstance(b, float) else None


def _years(start: Value | None, end: Value | None) -> float | None:
    return end - start if isinstance(start, float) and isinstance(end, float) else None


def _days(start: Value | None, end: Value | None) -> float | None:
    try:
        return float(
            (date.fromisoformat(str(end)[:10]) - date.fromisoformat(str(start)[:10])).days
        )
    except ValueError:
        return None


def _parts(at: int, name: str, cells: Sequence[str]) -> list[CellPart]:
    """The parts of a column's cells that differ from the whole."""
    full = sum(map(bool, cells))
    made = []
    for label, part in _PARTS:
        texts = tuple(m[1].strip() if (m := part.search(cell)) else "" for cell in cells)
        known = [(text, cell) for text, cell in zip(texts, cells, strict=True) if text]
        if len(known) >= max(1, SHARE * full) and any(text != cell for text, cell in known):
            made.append(CellPart(f"{name} ({label} part)", at, label, texts))
    return made


def _numbers(heading: str, cells: Sequence[str]) -> list[Value | None]:
    """The number of each cell: as the column's type has it, else the first number in the text."""
    column, typed = column_of(heading, cells)
    plain = column.type in ("integer", "number")
    made: list[Value | None] = []
    for cell, value in zip(cells, typed, strict=True):
        if plain and isinstance(value, int | float) and not isinstance(value, bool):
            made.append(float(value))
        else:
            made.append(_first(cell))
    return made


def _first(cell: str) -> float | None:
    if is_blank(cell):
        return None
    match = _NUMBER.search(_NOTE.sub("", cell)) or _ANY_NUMBER.search(_NOTE.sub("", cell))
    return None if match is None else _float(match[0])


def _second(cell: str) -> float | None:
    """The second number of a cell: the end of a range of years ("2001–02" ends in 2002), the other side of a score."""
    if match := _RANGE.search(cell):
        return float(match[2]) if match[2] else float(match[1][:2] + match[3])
    found = list(_ANY_NUMBER.finditer(_NOTE.sub("", cell)))
    return _float(found[1][0]) if len(found) > 1 and not _CLOCK.search(cell) else None


def _float(text: str) -> float | None:
    try:
        return float(text.replace(",", "").replace("−", "-").replace("$", ""))
    except ValueError:
        return None


def _dates(cells: Sequence[str]) -> list[Value | None]:
    plain = [_NOTE.sub("", cell).translate(_DASHES).strip(" *#†‡") for cell in cells]
    order = order_of(plain)
    return [day(cell, order) for cell in plain]


def _clock(cell: str) -> float | None:
    match = _CLOCK.search(cell)
    if match is None:
        return None
    return int(match[1] or 0) * 3600 + int(match[2]) * 60 + float(match[3])
