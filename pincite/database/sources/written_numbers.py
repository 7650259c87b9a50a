"""Numbers as the cells of a column write them: `12.480,75-`, `(4,521)`, `1 234,5`, `€ 12`, `210 max`.

Which of "." and "," parts decimals is decided by the whole column: one cell alone, such as 1.234, cannot say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from pincite.quantity import UnitError, convert, parse
from pincite.quantity.numbers import decimal_mark
from pincite.quantity.units import is_money
from pincite.text.lexicon import word_set

Decimals = Literal[".", ","]
"""What parts decimals."""
READ = 0.8
"""The share of a column's filled cells that must be numbers."""
FIRST = 20
"""Cells of which half must be numbers, told before all are read."""
BARE = 0.5
"""The share of these that must have nothing beside them but a unit, a sign or a qualifier: "Room 12" is no number."""
BLANKS = " \u00a0\u202f\u2009"
APOSTROPHES = "'’"
MINUS = "-−–"
_CELL = re.compile(
    rf"(?P<before>\D*?)(?P<digits>[.,]?\d(?:[\d.,{APOSTROPHES}{BLANKS}]*\d)?)(?P<after>\D*)",
    re.ASCII,
)
_GROUPED = re.compile(
    rf"\d{{1,3}}(?P<between>[.,{APOSTROPHES}{BLANKS}])(?:\d{{2,3}}(?P=between))*\d{{3}}|\d*"
)
_CENTS = re.compile(rf"[.,][{MINUS}—]+")
"""What stands for no cents in "12,–"."""
_QUALIFIERS = word_set("database", "qualifiers of numbers")
_SIGNS = word_set("database", "signs beside numbers")
_LONGEST = 30


@dataclass(frozen=True, slots=True)
class NumberCell:
    """A cell around one number: what stands before it, its digits as they are written, what stands after it."""

    before: str
    digits: str
    after: str

    @property
    def is_negative(self) -> bool:
        """Whether a minus before or behind it, or brackets around it, make it negative."""
        before, after = self.before.strip(), self.after.strip()
        if _CENTS.match(after):
            after = ""
        signed = any(sign in before for sign in MINUS) or after[:1] in tuple(MINUS)
        return signed or (before.startswith("(") and ")" in after)

    @property
    def has_minus_behind(self) -> bool:
        """Whether a minus stands behind it and nothing before it."""
        return self.after.strip()[:1] in tuple(MINUS) and not self.before.strip()

    @property
    def beside(self) -> tuple[str, str]:
        """The words and signs before and after it, those of a negative number left out."""
        return _words_beside(self.before), _words_beside(_CENTS.sub("", self.after, count=1))


@dataclass(frozen=True, slots=True)
class WrittenNumbers:
    """The numbers of a column.

    `read` has the value of every cell in `unit`, None for a cell that is none; `notes` what else stands in cells; `factors` what
    words beside numbers multiply them by ("Mio." by a million, "GPa" by 1,000 where `unit` is MPa). Of several currencies
    `currencies` has the code under what says it, and `unit` is "".
    """

    decimals: Decimals
    unit: str
    read: Mapping[str, Decimal | None]
    notes: Mapping[str, str]
    factors: Mapping[str, Decimal]
    currencies: Mapping[str, str]

    @property
    def is_whole(self) -> bool:
        """Whether no number has decimals."""
        return all(v is None or v == v.to_integral_value() for v in self.read.values())

    def value(self, cell: str) -> int | float | None:
        """The number of any cell of the column, of those too that are not in `read`; None for what is none."""
        value: Decimal | float | None = self.read.get(cell)
        if cell not in self.read:
            if cell[:1].isdecimal() and cell[-1:].isdecimal():  # most: nothing beside the digits
                plain = cell.replace("," if self.decimals == "." else ".", "")
                with suppress(ValueError):
                    value = float(plain.replace(",", "."))
            if value is None and (found := number_cell(cell)) is not None:
                value = _multiplied(value_of(found, self.decimals), found.beside, self.factors)
        if value is None:
            return None
        number = float(value)
        return int(number) if number.is_integer() else number


@lru_cache(maxsize=20_000)
def number_cell(cell: str) -> NumberCell | None:
    """A cell taken apart around its one number; None where there is none or where letters make it a code ("A12")."""
    if len(cell) > 2 * _LONGEST + 40:
        return None
    match = _CELL.fullmatch(cell.strip())
    if match is None or max(len(match["before"]), len(match["after"])) > _LONGEST:
        return None
    found = NumberCell(match["before"], match["digits"], match["after"])
    glued = [found.before] if found.before[-1:].isalpha() else []
    glued += [found.after] if found.after[:1].isalpha() else []
    return found if all(said(_words_beside(words)) for words in glued) else None


def _words_beside(text: str) -> str:
    kept = " ".join(text.strip().strip(f"+()[]{MINUS}{BLANKS}").split())
    return kept if any(c not in ".,;:" for c in kept) else ""


@lru_cache(maxsize=4096)
def said(words: str) -> tuple[Decimal, str] | None:
    """The scale and the unit that words beside a number say: "Mio. €" is a million and EUR; None where they say neither."""
    if not words or words.casefold() in _QUALIFIERS or words in _SIGNS:
        return None
    for text in (f"1 {words}", f"{words} 1"):
        found = parse(text)
        if found is not None and found.low is None and found.amount:
            if found.unit or found.amount != 1:
                return found.amount, found.unit
    return None


def decimals_of(cells: Iterable[str]) -> Decimals | Literal[""] | None:
    """What parts decimals in these cells: "" where any reading would do or none is certain, None where they contradict."""
    votes = Counter(
        _decimal_vote(found) for cell in cells if (found := number_cell(cell)) is not None
    )
    most, least = sorted((votes["."], votes[","]), reverse=True)
    if least * 20 > most:
        return None
    if not most:
        return ""
    return "." if votes["."] == most else ","


def _decimal_vote(cell: NumberCell) -> str:
    """Which sign must part decimals in one number; "" where it does not say.

    Whoever writes the minus behind a number ("4.711-") parts decimals by a comma.
    """
    comma = cell.has_minus_behind and "." in cell.digits
    return decimal_mark(cell.digits) or ("," if comma else "")


def value_of(cell: NumberCell, decimals: Decimals) -> Decimal | None:
    """The number of a cell, without scale and unit; None where its signs are not in order."""
    whole, parted, part = cell.digits.partition(decimals)
    if parted and not part.isdecimal() or not _GROUPED.fullmatch(whole) or not (whole or part):
        return None
    plain = "".join(c for c in whole if c.isdecimal())
    number = Decimal(f"{plain or '0'}.{part or '0'}")
    return -number if cell.is_negative else number


def written_numbers(
    filled: Sequence[str], decimals: Decimals | Literal[""] = "", unit: str = ""
) -> WrittenNumbers | None:
    """The cells of a column that hold something, as numbers; None where too few of them are.

    `decimals` is what other columns say, for a column that does not; where neither does, "1.234" is no number. `unit` is the one
    that the heading says.
    """
    first = filled[:FIRST]
    if sum(number_cell(cell) is not None for cell in first) * 2 < len(first):
        return None
    own = decimals_of(filled)
    if own is None:
        return None
    chosen = own or decimals or _likely_decimals(filled, unit)
    if not chosen:
        return None
    cells = {cell: found for cell in set(filled) if (found := number_cell(cell)) is not None}
    values = {cell: value_of(found, chosen) for cell, found in cells.items()}
    beside = {cell: cells[cell].beside for cell, value in values.items() if value is not None}
    read = [beside[cell] for cell in filled if cell in beside]
    bare = sum(all(map(_is_bare, words)) for words in read)
    if not read or len(read) < READ * len(filled) or bare < BARE * len(filled):
        return None
    return _in_one_unit(chosen, values, beside, filled, unit)


def _likely_decimals(filled: Sequence[str], unit: str) -> Decimals | Literal[""]:
    """What parts decimals where no cell is certain: 1,234 has thousands, 1.234 where it is money or stands beside a bare 980."""
    pointed = [found for found in map(number_cell, filled) if found and "." in found.digits]
    if not pointed:
        return "."
    beside = (said(words) for found in pointed for words in found.beside)
    money = is_money(unit) or any(told and is_money(told[1]) for told in beside)
    return "," if money or parts_thousands(filled) else ""


def parts_thousands(filled: Sequence[str]) -> bool:
    """Whether points part thousands, as bare numbers of three digits say: 1.250 beside 980, where decimals would be 980.000."""
    cells = [found.digits for found in map(number_cell, filled) if found is not None]
    pointed = sum("." in digits for digits in cells)
    bare = sum(len(digits) == 3 and digits.isdecimal() for digits in cells)
    return pointed > 1 and bare * 10 >= len(cells) and decimals_of(filled) == ""


def _is_bare(words: str) -> bool:
    return not words or is_qualifier(words) or said(words) is not None


def is_qualifier(words: str) -> bool:
    """Whether words or signs only qualify the number beside them: "max", "<", "up to"."""
    return all(word.casefold() in _QUALIFIERS or word in _SIGNS for word in words.split())


def _in_one_unit(
    decimals: Decimals,
    values: Mapping[str, Decimal | None],
    beside: Mapping[str, tuple[str, str]],
    filled: Sequence[str],
    unit: str,
) -> WrittenNumbers | None:
    """The numbers in one unit, where all that stand beside them convert to it; several currencies stay apart."""
    every = (words for cell in filled for words in beside.get(cell, ()))
    counts = Counter(told[1] for words in every if (told := said(words)))
    units = [name for name, _ in counts.most_common() if name]
    common = unit or (units[0] if units else "")
    factors: dict[str, Decimal] = {}
    codes: dict[str, str] = {}
    for words in sorted({words for pair in beside.values() for words in pair if said(words)}):
        scale, own = said(words) or (Decimal(1), "")
        factor = scale * (_factor(own, common) or 1)
        if own:
            codes[words] = own
        if factor != 1:
            factors[words] = factor
    foreign = {code for code in codes.values() if _factor(code, common) is None}
    several = len(set(codes.values())) > 1 and bool(foreign)
    if several and any(_factor(u, common) is None and not is_money(u) for u in units):
        return None
    cells = dict.fromkeys(filled)
    read = {cell: _multiplied(values.get(cell), beside.get(cell, ()), factors) for cell in cells}
    notes = {}
    for cell, words_beside in beside.items():
        if left := " ".join(words for words in words_beside if words and said(words) is None):
            notes[cell] = left
    unit, currencies = ("", codes) if several else (common, {})
    return WrittenNumbers(decimals, unit, read, notes, factors, currencies)


@lru_cache(maxsize=1024)
def _factor(unit: str, common: str) -> Decimal | None:
    """What a number in a unit is multiplied by to be in the common one; None where it cannot be."""
    if unit in ("", common):
        return Decimal(1)
    one, none = parse(f"1 {unit}"), parse(f"0 {unit}")
    try:
        if one is None or none is None or convert(none, common).amount:
            return None  # degrees of different scales do not convert by a factor
        return convert(one, common).amount
    except UnitError:
        return None


def _multiplied(
    value: Decimal | None, beside: tuple[str, ...], factors: Mapping[str, Decimal]
) -> Decimal | None:
    if value is None:
        return None
    for words in beside:
        value *= factors.get(words, Decimal(1))
    return value
