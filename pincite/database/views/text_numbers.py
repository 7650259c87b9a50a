"""Numbers kept as text made numbers, in SQL, and what else stands in their cells."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.database.relations.shaped_values import written
from pincite.database.sources.written_numbers import (
    APOSTROPHES,
    BLANKS,
    MINUS,
    NumberCell,
    WrittenNumbers,
    number_cell,
    said,
)  # fmt: skip
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
    ends = _end_signs(numbers)
    core = sql.trimmed(text, ends)
    digits = core
    for sign in _parting_signs(numbers):
        digits = f"REPLACE({digits}, {literal(sign)}, '')"
    if numbers.decimals == ",":
        digits = f"REPLACE({digits}, ',', '.')"
    is_number = sql.is_number(digits)
    whole = numbers.is_whole and not numbers.factors
    value = _signed_sql(sql.number(digits, whole), text, numbers)
    if numbers.factors:
        value = f"{value} * {_factor_sql(text, numbers)}"
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
    return TextNumbers(
        f"CASE WHEN {is_number} THEN {value} END", note, _currency_sql(text, numbers)
    )


def _number_cells(numbers: WrittenNumbers) -> list[NumberCell]:
    return [found for cell in numbers.read if (found := number_cell(cell)) is not None]


def _end_signs(numbers: WrittenNumbers) -> str:
    """The characters that stand around digits; of letters all, because other rows may have other words."""
    seen = set(_SIGNS).union(*(found.before + found.after for found in _number_cells(numbers)))
    if any(c.isalpha() for c in seen):
        seen |= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return "".join(sorted(seen))


def _parting_signs(numbers: WrittenNumbers) -> str:
    """The signs among digits that part thousands, those that were seen and the usual one."""
    usual = "." if numbers.decimals == "," else ","
    seen = set().union(*(found.digits for found in _number_cells(numbers)))
    return "".join(sorted(seen & set(f"{BLANKS}{APOSTROPHES}") | {usual}))


def _signed_sql(number: str, text: str, numbers: WrittenNumbers) -> str:
    """A number with the sign that stands before it, behind it or as brackets around it."""
    cells = [found for found in _number_cells(numbers) if found.is_negative]
    signs = sorted({sign for c in cells for sign in c.before + c.after if sign in MINUS})
    tests = [f"{text} LIKE {literal(f'%{sign}%')}" for sign in signs]
    if any(c.before.strip().startswith("(") for c in cells):
        tests.append(f"{text} LIKE '(%)%'")
    return f"CASE WHEN {' OR '.join(tests)} THEN -1 ELSE 1 END * {number}" if tests else number


def _factor_sql(text: str, numbers: WrittenNumbers) -> str:
    """What the words beside a number multiply it by; the longest that fits."""
    cases = []
    for words, factor in sorted(numbers.factors.items(), key=lambda pair: -len(pair[0])):
        holds = f"({text} LIKE {literal(f'{words}%')} OR {text} LIKE {literal(f'%{words}')})"
        cases.append(f"WHEN {holds} THEN {written(factor)}")
    return f"CASE {' '.join(cases)} ELSE 1 END"


def _currency_sql(text: str, numbers: WrittenNumbers) -> str:
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
    beside = {words for found in _number_cells(numbers) for words in found.beside}
    read = [words for words in beside if said(words) is not None]
    for words in sorted(read, key=lambda each: (-len(each), each)):
        text = f"REPLACE({text}, {literal(words)}, '')"
    return text
