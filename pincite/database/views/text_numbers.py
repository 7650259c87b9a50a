"""Numbers kept as text made numbers, in SQL, and what else stands in their cells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from pincite.database.sources.written_numbers import (
    APOSTROPHES,
    BLANKS,
    MINUS,
    WrittenNumbers,
    number_cell,
    said,
)
from pincite.database.views.view_sql import ViewSql, literal

_PLAIN = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_SIGNS = f"+()[]{MINUS}{BLANKS}"


@dataclass(frozen=True, slots=True)
class TextNumbers:
    """How the numbers of a column are read in SQL: `value`, what is left beside it (`note`, "" for nothing), its currency.

    `currency` is "" where all are in one.
    """

    value: str
    note: str
    currency: str


def text_numbers(
    sql: ViewSql, text: str, numbers: WrittenNumbers, blanks: frozenset[str]
) -> TextNumbers:
    """The SQL that reads the numbers of a column as `numbers` does; `blanks` are texts that say that there is nothing."""
    plain = all(v is not None and _PLAIN.fullmatch(c) for c, v in numbers.read.items())
    if plain and numbers.decimals == ".":
        is_number = sql.is_number(sql.from_left(text, "-"))
        return TextNumbers(
            f"CASE WHEN {is_number} THEN {sql.number(text, numbers.is_whole)} END", "", ""
        )
    ends = _ends(numbers)
    core = sql.trimmed(text, ends)
    digits = core
    for sign in _parting(numbers):
        digits = f"REPLACE({digits}, {literal(sign)}, '')"
    if numbers.decimals == ",":
        digits = f"REPLACE({digits}, ',', '.')"
    is_number = sql.is_number(digits)
    whole = numbers.is_whole and not numbers.factors
    value = _negative(sql.number(digits, whole), text, numbers)
    if numbers.factors:
        value = f"{value} * {_factor(text, numbers)}"
    beside = (
        f"SUBSTR({text}, 1, LENGTH({text}) - LENGTH({sql.from_left(text, ends)})) || ' ' || "
        f"SUBSTR({sql.from_left(text, ends)}, LENGTH({core}) + 1)"
    )
    unread = any(value is None for value in numbers.read.values())
    note = ""
    if numbers.notes or unread:
        left = f"NULLIF({sql.trimmed(_without_units(beside, numbers), _SIGNS)}, '')"
        nothing = ", ".join(map(literal, sorted(blanks | {""})))
        note = f"CASE WHEN {text} IN ({nothing}) THEN NULL WHEN {is_number} THEN {left} ELSE {text} END"
    return TextNumbers(f"CASE WHEN {is_number} THEN {value} END", note, _currency(text, numbers))


def _ends(numbers: WrittenNumbers) -> str:
    """The characters that stand around digits; of letters all, because other rows may have other words."""
    seen = set(_SIGNS)
    for cell in numbers.read:
        found = number_cell(cell)
        if found is not None:
            seen |= set(found.before + found.after)
    if any(c.isalpha() for c in seen):
        seen |= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return "".join(sorted(seen))


def _parting(numbers: WrittenNumbers) -> str:
    """The signs among digits that part thousands, those that were seen and the usual one."""
    usual = "." if numbers.decimals == "," else ","
    seen = {usual}
    for cell in numbers.read:
        found = number_cell(cell)
        if found is not None:
            seen |= set(found.digits) & set(f"{BLANKS}{APOSTROPHES}")
    return "".join(sorted(seen))


def _negative(number: str, text: str, numbers: WrittenNumbers) -> str:
    """A number with the sign that stands before it, behind it or as brackets around it."""
    cells = [found for cell in numbers.read if (found := number_cell(cell)) is not None]
    signs = sorted(
        {sign for c in cells if c.is_negative for sign in c.before + c.after if sign in MINUS}
    )
    tests = [f"{text} LIKE {literal(f'%{sign}%')}" for sign in signs]
    if any(c.is_negative and c.before.strip().startswith("(") for c in cells):
        tests.append(f"{text} LIKE '(%)%'")
    return f"CASE WHEN {' OR '.join(tests)} THEN -1 ELSE 1 END * {number}" if tests else number


def _factor(text: str, numbers: WrittenNumbers) -> str:
    """What the words beside a number multiply it by; the longest that fits."""
    cases = []
    for words, factor in sorted(numbers.factors.items(), key=lambda pair: -len(pair[0])):
        cases.append(f"WHEN {_holds(text, words)} THEN {_plain(factor)}")
    return f"CASE {' '.join(cases)} ELSE 1 END"


def _plain(number: Decimal) -> str:
    return f"{number:f}".rstrip("0").rstrip(".") if "." in f"{number:f}" else f"{number:f}"


def _holds(text: str, words: str) -> str:
    return f"({text} LIKE {literal(f'{words}%')} OR {text} LIKE {literal(f'%{words}')})"


def _currency(text: str, numbers: WrittenNumbers) -> str:
    """The currency that each cell says, where they say several."""
    if not numbers.currencies:
        return ""
    cases = (
        f"WHEN {text} LIKE {literal(f'%{words}%')} THEN {literal(code)}"
        for words, code in sorted(numbers.currencies.items(), key=lambda pair: -len(pair[0]))
    )
    return f"CASE {' '.join(cases)} END"


def _without_units(text: str, numbers: WrittenNumbers) -> str:
    """What stands beside numbers, without the units and scales that were read as such."""
    read = set()
    for cell in numbers.read:
        found = number_cell(cell)
        read |= {words for words in (found.beside if found else ()) if said(words) is not None}
    for words in sorted(read, key=lambda each: -len(each)):
        text = f"REPLACE({text}, {literal(words)}, '')"
    return text
