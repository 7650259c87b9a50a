"""What a cell of a table says by itself: its number with the scale and unit bound to it, its times, the words of its label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from pincite.document.cell_text import LONGEST, LONGEST_MEASURED, YEAR, is_blank, is_number
from pincite.document.deducted_amounts import is_deducted
from pincite.document.derived import kept
from pincite.document.labelled_cells import Labelled, Labels, labels
from pincite.document.times import When, is_year, when
from pincite.document.written_columns import code_columns, decimal_commas, signed
from pincite.quantity import declared, exempt, parse
from pincite.quantity.declarations import Declared
from pincite.quantity.dollars import DOLLAR, in_own_dollars
from pincite.quantity.units import is_currency
from pincite.text.lexicon import pattern
from pincite.text.words import stems, words
from pincite.types import Node, Quantity, Table, Value


@lru_cache(maxsize=65536)
def label_terms(text: str) -> frozenset[str]:
    """The stems of a label without years and footnote marks; all of its words where none has content ("Other")."""
    plain = _NOTE.sub("", text)
    return frozenset(stem for stem in words(plain) or stems(plain) if not is_year(stem))


def cell_times(cell: Labelled) -> tuple[When, ...]:
    """The times a cell holds for: those of its column, else of its row, else of its sections, each completed by the others."""
    return _times(cell.header, cell.label, cell.sections)


@lru_cache(maxsize=65536)
def _times(header: tuple[str, ...], label: str, sections: tuple[str, ...]) -> tuple[When, ...]:
    texts = (" ".join(header), label, *reversed(sections))
    first, *others = [_merged(times) for text in texts if (times := when(text))] or [()]
    for beside in others:
        if len(beside) == 1:
            first = tuple(_completed(time, beside[0]) for time in first)
    return first


def _completed(time: When, other: When) -> When:
    """A time with the year and quarter of another where it names none."""
    return replace(time, year=time.year or other.year, quarter=time.quarter or other.quarter)


def _merged(times: tuple[When, ...]) -> tuple[When, ...]:
    """A year and a quarter (or a day) named apart in one header are one time."""
    if len(times) != 2:
        return times
    first, second = times
    if bool(first.year) == bool(second.year):
        return times
    month, day = first.month or second.month, first.day or second.day
    return (
        replace(
            _completed(first, second), month=month, day=day, text=f"{first.text} {second.text}"
        ),
    )


def value_of(node: Node, cell: Labelled) -> Value:
    """The quantity in a cell, or its text when it holds words; a time ("30 days") is a quantity too."""
    short = len(cell.text) <= LONGEST_MEASURED and not YEAR.match(cell.text)
    timed = short and cell.text[:1].isdigit()
    if not timed and not is_number(cell.text) and not is_blank(cell.text):
        return cell.text
    quantity = quantity_of(node, cell)
    if quantity is None or timed and quantity.low is not None:
        return cell.text  # "5 to 7 years" is told as it stands
    return quantity


def quantity_of(node: Node, cell: Labelled) -> Quantity | None:
    """The number in a cell; scale and unit come from the cell, its column, its row, its sections, then the whole table.

    A dash for nil is zero. None when the cell holds no number. What a statement prints in parentheses because it is deducted
    there is the amount that was spent.
    """
    if node.table is None:
        return None
    quantity = _quantity(node.table, cell)
    if quantity is not None and quantity.value < 0 and is_deducted(labels(node.table), cell):
        quantity = replace(quantity, value=-quantity.value)
    if quantity is None or DOLLAR not in node.meta:
        return quantity
    said = " ".join((node.table.caption, *cell.header, *cell.sections, cell.label, cell.text))
    return in_own_dollars(quantity, node.meta[DOLLAR], said)


@kept
def _quantity(table: Table, cell: Labelled) -> Quantity | None:
    scale, unit = binding(table, cell)
    period = next((time.text for time in cell_times(cell)), "")
    if cell.text and is_blank(cell.text):
        return Quantity(Decimal(0), unit, scale, period=period, text=cell.text)
    if len(cell.text) > LONGEST:
        return None
    seen = labels(table)
    if cell.column in code_columns(seen):
        return None
    comma = decimal_commas(seen).get(cell.column, table.comma)
    quantity = parse(signed(seen, cell.column, cell.text), scale=scale, unit=unit, comma=comma)
    return quantity and replace(quantity, period=period, text=cell.text)


_NOTE = re.compile(r"\(\d{1,2}\)|(?<=[a-z)])\d{1,2}(?=\s|$)|[*†‡¹²³]+$")
"""A footnote mark on a label."""
_AMOUNT = re.compile(r"\b\d[\d.,]*\s?%")
"""A percentage in a label."""
_PERCENT = pattern("document", "percent")
_COUNTS = pattern("document", "counts")
_CURRENCY = frozenset("$€£¥₹")
_PLAIN = pattern("document", "unscaled")


def binding(table: Table, cell: Labelled) -> tuple[Decimal, str]:
    """The scale and unit that hold for a cell that names none itself: its column's, its row's, its sections', its table's."""
    unit = ""
    in_money = not _CURRENCY.isdisjoint(cell.text)
    for text in filter(None, (cell.heading, cell.measure, cell.label, " ".join(cell.sections))):
        said = _AMOUNT.sub(" ", text)  # "VAT at 20%" says nothing of what it numbers
        stated = declared(said)
        if stated.scale != 1:
            return stated.scale, stated.unit or unit or table.unit
        if _PERCENT.search(said):
            if not in_money and not (text == cell.heading and _is_of_others(table, cell)):
                return Decimal(1), "%"
        elif (
            _is_unscaled(said, stated.unit, table) or text == cell.label and _is_own(stated, table)
        ):
            return Decimal(1), stated.unit
        else:
            unit = unit or stated.unit
    seen = labels(table)
    percent = cell.column in _shares(seen) or not unit and cell.column in _marked_at_ends(seen)
    if percent and not in_money:
        return Decimal(1), "%"
    return table.scale, unit or table.unit


def _is_unscaled(text: str, unit: str, table: Table) -> bool:
    """Whether what a header says is told without the table's scale: an amount per share, a ratio, a unit that is no currency."""
    if unit and not is_currency(unit):
        return True
    return _PLAIN.search(text) is not None or exempt(table.unscaled, text)


def _is_own(stated: Declared, table: Table) -> bool:
    """Whether the label of a row says the currency of its table again, and no scale: "Result per share (EUR)"."""
    return bool(stated.unit) and stated.unit == table.unit


def _is_of_others(table: Table, cell: Labelled) -> bool:
    """Whether the per cent of a header is of the other columns below it, since this one counts or prints amounts with their
    currency.
    """
    if _PERCENT.search(cell.header[-1]):
        return False
    return bool(_COUNTS.search(cell.header[-1])) or cell.column in _in_money(labels(table))


@kept
def _in_money(seen: Labels) -> frozenset[int]:
    """The columns with an amount that is printed with its currency."""
    return frozenset(cell.column for cell in seen.cells if not _CURRENCY.isdisjoint(cell.text))


@kept
def _shares(seen: Labels) -> frozenset[int]:
    """The columns of shares of their first number, the whole, which is the one that stands as 100%."""
    first = {
        cell.column: parse(cell.text) for cell in reversed(seen.cells) if is_number(cell.text)
    }
    return frozenset(
        column for column, held in first.items() if held and held.unit == "%" and held.value == 100
    )


@kept
def _marked_at_ends(seen: Labels) -> frozenset[int]:
    """The columns of percentages that print the sign at their first and their last number only, as those of tax rates do."""
    columns: dict[int, list[Quantity]] = {}
    for cell in seen.cells:
        if is_number(cell.text) and (number := parse(cell.text)):
            columns.setdefault(cell.column, []).append(replace(number, text=cell.text))
    return frozenset(column for column, numbers in columns.items() if _are_percentages(numbers))


def _are_percentages(numbers: Sequence[Quantity]) -> bool:
    """Whether the ends of a column are percentages, the last the sum of the others, which are written alike, with a decimal."""
    first, last = numbers[0], numbers[-1]
    if len(numbers) < 3 or {number.unit for number in numbers} != {"%", ""}:
        return False
    decimals = {_decimals(number) for number in numbers}
    if not first.unit == last.unit == "%" or len(decimals) != 1 or decimals == {0}:
        return False
    rounding = len(numbers) * Decimal(1).scaleb(-decimals.pop()) / 2
    return abs(sum(number.value for number in numbers[:-1]) - last.value) <= rounding


def _decimals(number: Quantity) -> int:
    return max(0, -int(number.value.as_tuple().exponent))
