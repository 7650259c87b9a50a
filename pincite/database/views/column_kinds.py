"""What a column is for: a key, a link, a code whose digits are no number, an amount that may be summed, a date, a name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from pincite.database.relations.guessed_headings import words
from pincite.database.relations.model import NUMERIC, TEMPORAL, Column, Relation
from pincite.database.views.relation_sample import telling
from pincite.database.views.view_model import Kind
from pincite.text.lexicon import word_set

_CODES = word_set("database", "headings of codes")
_COUNTED = word_set("database", "headings of numbers of")
_COUNTED_DAYS = word_set("database", "headings of counted days")
_DAYS = word_set("database", "headings of days as digits")
_UNSUMMED = word_set("database", "headings not summed")
_YEARS = word_set("database", "headings of years")
_ZEROS = re.compile(r"0\d+")
_LONG = re.compile(r"\d{9,}|\+?\d[\d /()-]{7,}\d")
"""Digits too many for an amount, or parted as those of a telephone number."""
LABEL = 80
"""The usual length of a text that names something, at most."""


def _heading_words(column: Column) -> list[str]:
    return [word.casefold() for word in words(column.name)]


def says_counted_days(column: Column) -> bool:
    """Whether a heading says that whole numbers are dates: most others that a date may stand under name something else."""
    return not _COUNTED_DAYS.isdisjoint(_heading_words(column))


def says_days(column: Column) -> bool:
    """Whether a heading says that eight digits are dates."""
    return bool(said := _heading_words(column)) and said[-1] in _DAYS


def is_code(column: Column, cells: Sequence[Any]) -> bool:
    """Whether digits in a column name something and are no number: by its heading, by leading zeros, by length."""
    fractions = any(isinstance(cell, float) and not cell.is_integer() for cell in cells)
    if _is_headed_as_code(column) and not fractions:
        return True
    texts = {cell.strip() for cell in cells if isinstance(cell, str)}
    if any(text[:1] == "0" and _ZEROS.fullmatch(text) for text in texts):
        return True
    filled = telling([text for text in texts if text])
    return bool(filled) and sum(bool(_LONG.fullmatch(text)) for text in filled) * 2 > len(filled)


def _is_headed_as_code(column: Column) -> bool:
    said = _heading_words(column)
    ends = {said[-1], *map(str.casefold, words(column.readable)[-1:])} if said else set()
    if not said or said[0] in _COUNTED or said[0] == "total":
        return False  # "number of employees", "total number"
    return not ends.isdisjoint(_CODES) or column.name.endswith(("ID", "Id")) and column.unit == ""


def kind_of(
    relation: Relation, column: Column, *, code: bool, linked: Collection[tuple[str, str]]
) -> Kind:
    """What a cleaned column is for; `code` says that its digits are no number.

    `linked` are the columns of the source that links name, with their relations.
    """
    if column.name in relation.key:
        return "key"
    if any(column.name in link.columns for link in relation.links):
        return "link"
    if (relation.name, column.name) in linked:
        return "key" if relation.is_unique((column.name,)) else "code"
    if column.type in TEMPORAL:
        return "date"
    if code or _numbers_rows(relation, column):
        return "code"
    if column.type in NUMERIC:
        return "other" if _is_unsummed(column) else "measure"
    at = [c.name for c in relation.columns].index(column.name)
    lengths = [len(str(row[at])) for row in relation.sample if row[at] is not None]
    short = not lengths or sum(lengths) / len(lengths) <= LABEL
    return "label" if column.type == "text" and short else "other"


def _numbers_rows(relation: Relation, column: Column) -> bool:
    """Whether whole numbers of four digits and more lead every row, each another."""
    first = relation.columns[0].name == column.name and column.type == "integer"
    unique = column.distinct == relation.rows > 2 and not column.nulls
    if not first or not unique or column.unit or not isinstance(column.low, int):
        return False
    return len(str(column.low)) == len(str(column.high)) > 3


def _is_unsummed(column: Column) -> bool:
    """Whether a sum of these numbers says nothing: years, shares, rates, averages, places."""
    said = {*_heading_words(column), *map(str.casefold, words(column.readable))}
    years = isinstance(column.low, int) and 1500 <= column.low and column.high <= 2200
    unsummed = column.unit in ("%", "year", "°C", "°F", "K", "pp", "bp") or said & _UNSUMMED
    return bool(unsummed or years and said & _YEARS)
