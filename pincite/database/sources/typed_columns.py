"""Grids of text read as typed columns: whole numbers, numbers with a unit and scale, dates, yes and no, text.

A column is of a type when most of its filled cells read as it. What does not fit is null there. Wherever reading lost anything,
a column beside it keeps the cells as they were written, so that nothing in the grid is lost.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from itertools import chain, count
from typing import Any, Literal

from pincite.database.relations.guessed_headings import Names, named, split_heading, words
from pincite.database.relations.model import Column, Relation, Type
from pincite.database.sources.blank_cells import blanks
from pincite.database.sources.cell_dates import day, order_of, seconds
from pincite.database.sources.written_numbers import (
    Decimals,
    decimals_of,
    is_qualifier,
    number_cell,
    parts_thousands,
    written_numbers,
)
from pincite.quantity import UnitError, convert, parse
from pincite.text.lexicon import pattern
from pincite.types import Quantity

MOST = 0.75
"""The share of a column's filled cells that must read as a type."""
_BLANK = pattern("database", "blank", "cells")
_PLAIN = re.compile(r"[-−+]?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?|[-−+]?\.\d{1,12}")
_LEADING = re.compile(
    r"(?P<number>[-−+]?\d[\d,]*+(?:\.\d++)?)\s*+(?P<rest>\([^()]*\)|\[[^\[\]]*\]|[^\W\d_]{2,20}\.?|[*†‡§#]+)"
)
_CODE = re.compile(r"0\d+")

_MONTH = re.compile(r"\d{4}-\d{2}")
_ORDINAL = pattern("database", "ordinal", "cells")
_YES = {"yes": 1, "no": 0, "true": 1, "false": 0}
_WHOLE = 2**63

Row = tuple[Any, ...]


def relation_of(rows: Sequence[Sequence[str]], name: str = "table") -> tuple[Relation, list[Row]]:
    """A grid, headings first, as a relation and its typed rows; their values stand in the order of `stored`.

    Blank lines are left out, short rows filled up, headings without a name or repeated are told apart. Numbers are int or
    float in the column's unit and scale, dates ISO text ("2004-05-06", "2004-05-06 10:30:00"), times of day and durations
    seconds, yes and no 1 and 0.
    """
    headings, *body = filled(rows)
    original: list[tuple[str, ...]] = list(zip(*body, strict=True)) or [()] * len(headings)
    decimals = shared_decimals(original)
    named_cells = zip(distinct(headings, {"rowid"}), original, strict=True)
    made = [column_of(heading, cells, decimals) for heading, cells in named_cells]
    columns, read = [column for column, _ in made], [values for _, values in made]
    taken = {column.name.casefold() for column in columns}
    for at, cells in enumerate(original):
        if any(map(_is_lost, cells, read[at])):
            beside = free_name(f"{columns[at].name} (as written)", taken)
            columns[at] = replace(columns[at], written=beside)
            read.append([cell or None for cell in cells])
    relation = Relation(name, tuple(columns), rows=len(body), rowid="rowid")
    return named([relation], Names())[0], list(zip(*read, strict=True)) if body else []


def shared_decimals(columns: Iterable[Sequence[str]]) -> Decimals | Literal[""]:
    """What parts decimals in all columns of a table that say it; "" where none does, or where they differ."""
    found = {decimals_of(cells) for cells in columns} - {"", None}
    return found.pop() or "" if len(found) == 1 else ""


def filled(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The headings and the lines that hold anything, their cells clean and as many in each."""
    width = max(map(len, rows), default=0)
    made = [list(map(_clean_cell, row)) + [""] * (width - len(row)) for row in rows]
    return [*(made[:1] or [[]]), *filter(any, made[1:])]


def stored(relation: Relation) -> tuple[str, ...]:
    """The names of the columns that a table of this relation has: its own, then those of cells as they were written."""
    written = (c.written for c in relation.columns if c.written)
    return (*(c.name for c in relation.columns), *written)


_AFFINITY = {"integer": "INTEGER", "number": "REAL", "boolean": "INTEGER"}


def create(connection: sqlite3.Connection, relation: Relation) -> None:
    """Make the table of a relation in SQLite."""
    kinds = [_AFFINITY.get(c.type, "TEXT") for c in relation.columns]
    kinds += ["TEXT"] * (len(stored(relation)) - len(kinds))
    named = zip(stored(relation), kinds, strict=True)
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in named)
    connection.execute(f"CREATE TABLE {quoted(relation.name)} ({columns})")


def insert(connection: sqlite3.Connection, relation: Relation, rows: Iterable[Row]) -> None:
    """Add typed rows to the table of a relation in SQLite."""
    marks = ", ".join("?" * len(stored(relation)))
    connection.executemany(f"INSERT INTO {quoted(relation.name)} VALUES ({marks})", rows)


def quoted(name: str) -> str:
    """A name as statements write it in every dialect."""
    return '"' + name.replace('"', '""') + '"'


def _clean_cell(cell: Any) -> str:
    return " ".join(str(cell).split()) if cell is not None else ""


def distinct(headings: Sequence[str], taken: set[str]) -> list[str]:
    """Names of columns after their headings, each once and none of those that are `taken`, which they join."""
    return [free_name(heading or f"column {at}", taken) for at, heading in enumerate(headings, 1)]


def free_name(name: str, taken: set[str], joint: str = " ") -> str:
    """A name, numbered where one of those `taken`, which are case folded and which it joins, is the same."""
    numbered = chain((name,), (f"{name}{joint}{n}" for n in count(2)))
    chosen = next(free for free in numbered if free.casefold() not in taken)
    taken.add(chosen.casefold())
    return chosen


def _is_lost(cell: str, value: Any) -> bool:
    """Whether a cell does not stand in its typed value as it was written."""
    same = cell in ("", str(value)) or isinstance(value, float) and cell == f"{value:g}"
    return not same


def column_of(
    heading: str, cells: Sequence[str], decimals: Decimals | Literal[""] = ""
) -> tuple[Column, list[Any]]:
    """A column and its typed values, None where a cell is blank or does not fit.

    `decimals` is what parts them in other columns, for one that does not say it.
    """
    label, unit, scale = split_heading(heading)
    column = Column(heading, readable=" ".join(words(label)) or heading, unit=unit, scale=scale)
    blank = blanks(cells, heading)
    filled = [cell for cell in cells if cell not in blank]
    written = partial(_written_column, decimals=decimals)
    for attempt in (
        (_flag_column, written, _number_column, _date_column, _time_column, _led_column)
        if filled
        else ()
    ):
        if (found := attempt(column, cells, filled)) is not None:
            return found
    texts = [None if cell in blank else cell for cell in cells]
    return replace(column, type="text", unit="", scale=Decimal(1)), texts


Read = tuple[Column, list[Any]]


def _flag_column(column: Column, cells: Sequence[str], filled: Sequence[str]) -> Read | None:
    if not {cell.casefold() for cell in filled} <= set(_YES):
        return None
    return replace(column, type="boolean", unit=""), [_YES.get(cell.casefold()) for cell in cells]


def _written_column(
    column: Column, cells: Sequence[str], filled: Sequence[str], decimals: Decimals | Literal[""]
) -> Read | None:
    """Numbers with a decimal comma, a minus behind them or words beside that are no unit ("210 max")."""
    if any(_CODE.fullmatch(cell) for cell in filled):
        return None
    own = "," if parts_thousands(filled) else decimals_of(filled)
    if not ("," in (own, own or decimals) or any(map(_is_odd, set(filled)))):
        return None
    found = written_numbers(filled, own or decimals or ".", column.unit)
    if found is None or found.currencies or (found.factors and column.scale != 1):
        return None
    return _numeric_values(replace(column, unit=found.unit), list(map(found.read.get, cells)))


def _is_odd(cell: str) -> bool:
    """Whether a cell is a number with a minus behind it or a qualifier beside it."""
    found = number_cell(cell)
    qualified = found is not None and any(words and is_qualifier(words) for words in found.beside)
    return found is not None and (found.has_minus_behind or qualified)


def _number_column(column: Column, cells: Sequence[str], filled: Sequence[str]) -> Read | None:
    if not _mostly(filled[:200], lambda cell: _quantity(cell, column) is not None):
        return None
    if any(_CODE.fullmatch(cell) for cell in filled):
        return None  # "007" is a code: as a number it would lose its zeros
    read = {cell: _quantity(cell, column) for cell in set(filled)}
    if not _enough(read, filled):
        return None
    units = Counter(q.unit for cell in filled if (q := read[cell]) is not None and q.unit)
    unit = column.unit or next((unit for unit, _ in units.most_common(1)), "")
    values = [_in_unit(read.get(cell), unit, column.scale) for cell in cells]
    return _numeric_values(replace(column, unit=unit), values)


def _numeric_values(column: Column, values: list[Decimal | None]) -> Read:
    """Numbers as SQLite keeps them: whole ones as integers when all are."""
    known = [v for v in values if v is not None]
    if all(v == v.to_integral_value() and abs(v) < _WHOLE for v in known):
        return replace(column, type="integer"), [None if v is None else int(v) for v in values]
    return replace(column, type="number"), [None if v is None else float(v) for v in values]


def _quantity(cell: str, column: Column) -> Quantity | None:
    """The one number that a cell is; a range is none, and a bare year is a number."""
    if _PLAIN.fullmatch(cell):
        return Quantity(Decimal(cell.replace("−", "-")), "", column.scale)
    if _BLANK.fullmatch(cell):
        return None
    if ordinal := _ORDINAL.fullmatch(cell):
        return Quantity(Decimal(ordinal[1]), "", column.scale)
    found = parse(cell, scale=column.scale, unit=column.unit)
    if found is None or found.low is not None or found.unit == "year":
        return None
    return found


def _in_unit(quantity: Quantity | None, unit: str, scale: Decimal) -> Decimal | None:
    if quantity is None:
        return None
    if quantity.unit and quantity.unit != unit:
        try:
            quantity = convert(quantity, unit)
        except UnitError:
            return None
    return quantity.amount / scale


def _date_column(column: Column, cells: Sequence[str], filled: Sequence[str]) -> Read | None:
    """Days of a year; months of a year as their first day when that is what most cells are."""
    order = order_of(filled)
    if not _mostly(filled[:200], lambda cell: day(cell, order) is not None):
        return None
    read = {cell: day(cell, order) or "" for cell in set(filled)}
    whole = {cell: f"{value}-01" for cell, value in read.items() if _MONTH.fullmatch(value)}
    if sum(map(whole.__contains__, filled)) <= len(filled) / 2:
        whole = {cell: value for cell, value in read.items() if len(value) >= len("2004-05-06")}
    if not _enough(whole, filled):
        return None
    kind: Type = "datetime" if ":" in "".join(whole.values()) else "date"
    return replace(column, type=kind, unit="", scale=Decimal(1)), list(map(whole.get, cells))


def _time_column(column: Column, cells: Sequence[str], filled: Sequence[str]) -> Read | None:
    read = {cell: seconds(cell) for cell in set(filled)}
    if not _enough(read, filled):
        return None
    return _numeric_values(replace(column, unit="s", scale=Decimal(1)), list(map(read.get, cells)))


def _led_column(column: Column, cells: Sequence[str], filled: Sequence[str]) -> Read | None:
    """Cells that a number leads: "17.3 (63.1)" for most of them, or the same word after each ("5 goals")."""
    matches = {cell: _LEADING.fullmatch(cell) for cell in set(filled)}
    words_after = Counter(_word_after(match) for cell in filled if (match := matches[cell]))
    if not words_after:
        return None
    word, _ = words_after.most_common(1)[0]
    read: dict[str, Decimal | None] = {}
    for cell, match in matches.items():
        number = cell if _PLAIN.fullmatch(cell) else ""
        if match is not None and _word_after(match) == word:
            number = match["number"]
        quantity = _quantity(number, column) if number else None
        read[cell] = None if quantity is None else quantity.amount / column.scale
    if not _enough(read, filled):
        return None
    return _numeric_values(replace(column, unit=column.unit or word), list(map(read.get, cells)))


def _word_after(match: re.Match[str]) -> str:
    """The word after a leading number; "" for what is in brackets or a mark."""
    return match["rest"].casefold() if match["rest"][0].isalpha() else ""


def _mostly(cells: Sequence[str], fits: Callable[[str], bool]) -> bool:
    """Whether about as many cells fit as must, told early from the first ones."""
    return sum(map(fits, cells)) >= (MOST - 0.25) * len(cells)


def _enough(read: Mapping[str, object], filled: Sequence[str]) -> bool:
    """Whether the cells that could be read make a column's type; one that does not fit is never too much for three."""
    fits = sum(read.get(cell) is not None for cell in filled)
    return fits >= MOST * len(filled) or (fits > 1 and len(filled) - fits == 1)
