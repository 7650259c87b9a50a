"""Columns that say, row by row, in which currency or unit a number beside them is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.database.relations.guessed_headings import words
from pincite.database.relations.model import NUMERIC
from pincite.database.sources.sheet_files import is_unit
from pincite.database.sources.written_numbers import said
from pincite.database.views.view_model import ViewColumn
from pincite.quantity import Declared, canonical_unit, declared
from pincite.quantity.units import is_money
from pincite.text.lexicon import word_set

_SAY = word_set("database", "headings of currencies")
_AMOUNTS = word_set("database", "headings of amounts")
_VALUES = word_set("database", "headings of values")
_COUNTS = word_set("database", "headings of counts")
LONGEST = 200
"""Characters of a title that may declare a unit."""
KNOWN = 0.8
"""The share of a column's values that must be units, so that it says them; of currencies all."""


def with_row_units(columns: Sequence[ViewColumn], title: str = "") -> list[ViewColumn]:
    """The columns of a view; those without a unit of their own are bound to one that says it, or get its only unit.

    What is left without gets the unit that the `title` of the table declares ("in MWh").
    """
    says = {c.name: unit for c in columns if c.values and (unit := _kind_said(c))}
    bound = [_bind_unit(column, columns, says) for column in columns] if says else list(columns)
    told = declared(title) if 0 < len(title) <= LONGEST else Declared()
    for at, column in enumerate(bound) if told.unit else ():
        amount = column.kind == "measure" and column.type in NUMERIC and column.scale == 1
        told_already = (
            column.unit or column.currency or not _COUNTS.isdisjoint(_column_words(column))
        )
        if amount and not told_already:
            bound[at] = replace(column, unit=told.unit, scale=told.scale)
    return bound


def _kind_said(column: ViewColumn) -> str:
    """What the values of a column are: "currency", "unit", or "" for anything else."""
    found = [_unit_said(value) for value in column.values]
    if all(is_money(unit) for unit in found):
        return "currency"
    headed = not _SAY.isdisjoint(_column_words(column))
    return "unit" if headed and sum(map(bool, found)) >= KNOWN * len(found) else ""


def _unit_said(value: str) -> str:
    if told := said(value):
        return told[1]
    return canonical_unit(value) if len(value) <= 12 and is_unit(value) else ""


def _column_words(column: ViewColumn) -> set[str]:
    return {word.casefold() for word in (*words(column.source), *column.name.split("_"))}


def _bind_unit(
    column: ViewColumn, columns: Sequence[ViewColumn], says: dict[str, str]
) -> ViewColumn:
    amount = column.type in NUMERIC and column.kind in ("measure", "other")
    if not amount or column.unit or column.currency:
        return column
    fitting = [c for c in columns if c.name in says and _may_be_in(column, says[c.name], columns)]
    if not fitting:
        return column
    at = [c.name for c in columns]

    def nearness(other: ViewColumn) -> tuple[int, int]:
        shared = len(_column_words(column) & _column_words(other) - _SAY)
        return -shared, abs(at.index(other.name) - at.index(column.name))

    nearest = min(fitting, key=nearness)
    if nearest.distinct == 1 and not nearest.nulls:
        scale, unit = said(nearest.values[0]) or (column.scale, _unit_said(nearest.values[0]))
        return replace(column, unit=unit, scale=column.scale * scale)
    return replace(column, currency=nearest.name)


def _may_be_in(column: ViewColumn, what: str, columns: Sequence[ViewColumn]) -> bool:
    """Whether a number may be in what a column says: money, or a value of any kind; the only number of a view may always."""
    spoken = _column_words(column)
    numbers = [c for c in columns if c.type in NUMERIC and c.kind == "measure" and not c.unit]
    named = not (_VALUES if what == "unit" else _AMOUNTS).isdisjoint(spoken)
    counts = what != "unit" and not _COUNTS.isdisjoint(spoken)
    return (named or numbers == [column]) and not counts
