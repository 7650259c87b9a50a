"""Answers to the project's own questions: whether each is right, by what a careful reader noted of the page.

A gold row has `answer`, a list of accepted answers or null where the documents hold none, and `unit`, in which numbers stand
("million USD", "%"). A number is right within 1%, its sign, scale and unit included; a unit that is not told is forgiven, a
wrong one is not. A name is right when it is the gold's words, or these with a title or a legal form; a list when each item has
its own; yes and no by equality; `{"must": [..]}` when each of these words stands in the answer or in what it quotes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from pincite.lab.scoring.typed_answers import SCALES, boolean_of, near
from pincite.quantity import canonical_unit
from pincite.quantity.dimensions import measure
from pincite.records.runfile import Record, number_of, text_of

MORE_WORDS = 2
"""Words that a name may have beyond the gold's: a title, a legal form."""


def right(record: Record | None, gold: Mapping[str, Any]) -> bool:
    """Whether what is shown answers a row that has an answer; a refusal does not."""
    if record is None or record.value is None or gold["answer"] is None:
        return False
    return any(
        _agrees(record, accepted, str(gold.get("unit") or "")) for accepted in gold["answer"]
    )


def _agrees(record: Record, accepted: Any, unit: str) -> bool:
    if isinstance(accepted, bool):
        return boolean_of(record.value) is accepted
    if isinstance(accepted, int | float):
        given = number_of(record.value)
        return given is not None and same_amount(
            given, record.unit, number_of(accepted) or Decimal(0), unit
        )
    if isinstance(accepted, Mapping):
        said = plain(
            " ".join(
                (text_of(record.value), record.text, *(each.quote for each in record.citations))
            )
        )
        return all(plain(word) in said for word in accepted["must"])
    if isinstance(accepted, list):
        items = (
            record.value
            if isinstance(record.value, list)
            else re.split(r";|, | and ", text_of(record.value))
        )
        return same_items([text_of(item) for item in items], [str(item) for item in accepted])
    return same_name(text_of(record.value), str(accepted))


def same_amount(given: Decimal, given_unit: str, wanted: Decimal, unit: str) -> bool:
    """Whether two numbers with units are one amount: within 1%, a percentage without its sign also as a fraction.

    Nouns that only say what is counted ("people", "stores") are not held against each other.
    """
    given, told = scaled(given, given_unit)
    wanted, meant = scaled(wanted, unit)
    if told and meant:
        factor, *dimensions = measure(told)
        wanted_factor, *wanted_dimensions = measure(meant)
        other = dimensions != wanted_dimensions and not (is_noun(told) and is_noun(meant))
        return near(given * factor, wanted * wanted_factor) and not other
    return near(given, wanted) or meant == "%" and near(given * 100, wanted)


def scaled(number: Decimal, unit: str) -> tuple[Decimal, str]:
    """A number with the scale words of its unit multiplied in, and the unit without them."""
    words = unit.replace("percentage points", "%").replace("percent", "%").split()
    for word in words:
        number *= SCALES.get(word.lower(), 1)
    return number, canonical_unit(" ".join(word for word in words if word.lower() not in SCALES))


def is_noun(unit: str) -> bool:
    """Whether a unit measures nothing but itself and is no currency: it says what is counted."""
    return unit.islower() and measure(unit)[1] == ((unit, 1),)


def plain(text: str) -> str:
    """Lower case, without accents and marks, its words apart by one space."""
    bare = "".join(
        char
        for char in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(char)
    )
    return " ".join(re.findall(r"[a-z0-9%]+", bare.replace("'s", "").replace("’s", "")))


def same_name(given: str, wanted: str) -> bool:
    """Whether a name is the one that is wanted, with few other words beside it, or two of its words in a row at least."""
    said, meant = plain(given).split(), plain(wanted).split()
    if not said or not meant:
        return False
    whole = (
        f" {' '.join(meant)} " in f" {' '.join(said)} " and len(said) <= len(meant) + MORE_WORDS
    )
    return whole or len(said) >= 2 and f" {' '.join(said)} " in f" {' '.join(meant)} "


def same_items(given: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether each item has its own among as many."""
    left = list(wanted)
    for item in given:
        found = next((each for each in left if same_name(item, each)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


Rows = Sequence[Sequence[object]]


def right_rows(record: Record | None, golds: Sequence[Rows]) -> bool:
    """Whether a value is what one of the accepted results holds: all of a column, or a cell of its only row.

    Numbers agree within 1%; repeats and order do not count; yes and no also as 1 and 0.
    """
    if record is None or record.value is None:
        return False
    items = list(record.value) if isinstance(record.value, list) else [record.value]
    for rows in golds:
        columns = [list(column) for column in zip(*rows, strict=True)]
        wanted = [[cell] for cell in rows[0]] if len(rows) == 1 else columns
        if any(_same_cells(items, column) for column in wanted):
            return True
    return False


def _same_cells(items: Sequence[object], column: Sequence[object]) -> bool:
    return all(any(_same_cell(item, cell) for cell in column) for item in items) and all(
        any(_same_cell(item, cell) for item in items) for cell in column
    )


def _same_cell(item: object, cell: object) -> bool:
    if isinstance(item, bool):
        return boolean_of(cell) is item
    given, wanted = number_of(item), number_of(cell)
    if given is not None and wanted is not None:
        return near(given, wanted)
    return plain(text_of(item)) == plain(text_of(cell)) != ""
