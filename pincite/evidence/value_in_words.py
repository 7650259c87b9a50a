"""A value as an answer says it: in the unit asked for, and in words."""

from __future__ import annotations

import re
from decimal import Decimal

from pincite.quantity import UnitError, canonical_unit, in_unit
from pincite.quantity.units import is_counted
from pincite.question.ask import Ask
from pincite.text.lexicon import word_list
from pincite.text.wording import plural
from pincite.types import Quantity, Table, Value

LONGEST = 6
"""Decimal places beyond which a number that nobody wrote was made by a division."""
DIGITS = 6
"""Significant digits of a number that was computed without end."""
CONVERTED = 3
"""Significant digits that a converted number keeps at least, and a computed percentage has, with a decimal place or more."""
_NUMBER = re.compile(r"\d(?:[.,'’\s]?\d)*")
_DECIMAL = re.compile(r"-?\d+\.\d+")
_WORDS = "|".join(word_list("quantity", "bounds")).replace(" ", r"\s+")
_BOUND = re.compile(rf"(?P<sign>[<>≤≥])\s?(?P<equal>=?)|(?P<words>{_WORDS})\b", re.I)
_OR_EQUAL = {"<": "≤", ">": "≥"}


def as_asked(ask: Ask, value: Value) -> Value:
    """A value in the unit that the question or its caller asks for; unchanged where that is not possible."""
    if isinstance(value, tuple):
        return tuple(as_asked(ask, item) for item in value)
    wanted = ask.query.unit or ask.unit
    if not isinstance(value, Quantity):
        return value
    if not ask.query.unit and ask.scale and value.unit not in ("%", "pp"):  # "in millions of USD"
        wanted = f"{scale_word(ask.scale)} {ask.unit or value.unit}".strip()
    if not wanted or wanted == value.unit:
        return value
    try:
        return in_unit(value, wanted)
    except UnitError:
        return value


_SCALES = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}


def scale_word(scale: Decimal) -> str:
    """Thousand, million, billion or trillion; "" for any other scale."""
    return _SCALES.get(scale.adjusted(), "")


def worded(value: Value) -> str:
    """A value in words: the number as written with its scale and unit, Yes or No, names with commas."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, tuple):
        return ", ".join(worded(item) for item in value)
    if isinstance(value, Quantity):
        return _number(value)
    if isinstance(value, Table):
        return _tabled(value)
    return str(value)


def _tabled(table: Table) -> str:
    """A table in a few words: its one row, or how many rows it has under which headings."""
    heads = [cell.text for cell in table.cells if cell.row < table.header_rows]
    body = [cell for cell in table.cells if cell.row >= table.header_rows]
    rows = len({cell.row for cell in body})
    if rows == 1 and len(heads) == len(body):
        pairs = zip(heads, body, strict=True)
        return "; ".join(f"{head}: {short_text(c.text) or 'nothing'}" for head, c in pairs)
    return f"{rows:,} rows of {', '.join(heads)}"


def short(value: Decimal) -> Decimal:
    """A number with the digits that a reader wants: one that a division made endless is rounded to so many significant ones.

    Digits before the point stay, since a reader may look for them.
    """
    if -int(value.as_tuple().exponent) <= LONGEST:
        return value
    return _rounded(value, DIGITS)


def short_number(value: Quantity, number: Decimal) -> Decimal:
    """A number of a quantity that was computed, with the digits that a reader wants."""
    if value.unit != "%":
        return short(number)
    if short(number) == number:
        return number.normalize()
    return number.quantize(Decimal(1).scaleb(-max(1, CONVERTED - 1 - number.adjusted())))


def short_text(text: str) -> str:
    """A cell of an answer's table as it is read: a number that a division made endless is rounded, all else stays."""
    return f"{short(Decimal(text)):f}" if _DECIMAL.fullmatch(text) else text


def _rounded(value: Decimal, digits: int) -> Decimal:
    """A number with so many significant digits, and all of those before the point."""
    places = max(0, digits - 1 - value.adjusted()) if value else 0
    return value.quantize(Decimal(1).scaleb(-places)).normalize()


def _shown(value: Quantity, number: Decimal) -> str:
    """A number of a quantity as it is shown: one with more digits than were written was converted, and is rounded to these."""
    written = _NUMBER.findall(value.text)
    counted = [len(re.sub(r"\D", "", digits).lstrip("0")) for digits in written]
    if not counted:
        return f"{short_number(value, number):,f}"
    known = max(CONVERTED, *counted)
    significant = len(number.normalize().as_tuple().digits)
    if number != number.to_integral_value() and significant > known:
        number = _rounded(number, known)
    return f"{number:,f}"


def _about(value: Quantity) -> str:
    """The word or sign that bounds a value as it is written, "about" for another that is not exact, else ""."""
    if not value.approximate:
        return ""
    bound = _BOUND.match(value.text.lstrip())
    if bound is None:
        return "about"
    if sign := bound["sign"]:
        return _OR_EQUAL.get(sign, sign) if bound["equal"] else sign
    return " ".join(bound["words"].casefold().split())


def _number(value: Quantity) -> str:
    if value.low is not None and value.high is not None:
        shown = f"{_shown(value, value.low)} to {_shown(value, value.high)}"
    elif value.unit == "year":
        shown = f"{short(value.value):f}"
    else:
        shown = _shown(value, value.value)
    about = _about(value)
    scale = scale_word(value.scale)
    if value.unit == "%":
        return " ".join(filter(None, (about, f"{shown}%", scale)))
    unit = "" if value.unit == "year" else value.unit
    if value.amount != 1 and is_counted(unit):
        unit = plural(canonical_unit(unit))
    return " ".join(filter(None, (about, shown, scale, unit)))
