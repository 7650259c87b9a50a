"""Quantities in running text.

The text is walked from digit to digit (and spelled cardinal to spelled cardinal). The text before decides whether there is a
quantity at all, and whether it is approximate; the text after may be the other end of a range.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from pincite.quantity import noise, numbers
from pincite.quantity.dimensions import factor
from pincite.quantity.notation import Tail, Text, WrittenNumber
from pincite.quantity.units import currency_before, is_currency, match_denominators, units
from pincite.text.lexicon import pattern, word_list
from pincite.types import Quantity


@dataclass(frozen=True, slots=True)
class FoundQuantity:
    """A quantity and the characters [start, end) of the text it was read from."""

    quantity: Quantity
    start: int
    end: int


TRIGGER = re.compile(
    r"[0-9¼½¾⅐-⅞]|[TtFfSsEeNnOoAa](?:(?<=[Tt])(?=wo|hree|en|welve|hirt|went)|(?<=[Ff])(?=our|ive|ift|ort)"
    r"|(?<=[Ss])(?=ix|even)|(?<=[Ee])(?=ight|lev)|(?<=[Nn])(?=in)|(?<=[Oo])(?=ne[- ](?:hun|tho|mil|bil|tri))"
    r"|(?<=[Aa])(?=n? (?:hundred|dozen|thousand |million |billion |trillion )))(?<![^\W_].)"
)
"""Where a quantity may begin: a digit or the first letter of a spelled cardinal."""

_APPROXIMATE = (*word_list("quantity", "approximate"), *word_list("quantity", "bounds"))
_WAYS = "|".join(re.escape(phrase).replace(r"\ ", r"\s") for phrase in _APPROXIMATE)
_BEFORE_APPROXIMATE = re.compile(
    rf"(?<![~≈∼≃<>≤≥])(?:[~≈∼≃<>≤≥]\s?+=?+\s?+|(?<![\w-])(?:{_WAYS})\s(?:an?\s|the\s)?)++$",
    re.IGNORECASE,
)
_APPROXIMATE_LAST = {phrase.split()[-1].rstrip(".") for phrase in _APPROXIMATE} | {
    "a",
    "an",
    "the",
}
_APPROXIMATE_SIGNS = frozenset("~≈∼≃<>≤≥=.")
_BEFORE_MINUS = pattern("quantity", "minus")
_DASH = pattern("quantity", "range")
_CHANGED = pattern("quantity", "changed")
_BETWEEN = pattern("quantity", "between")
_BETWEEN_JOINT = pattern("quantity", "between joint")
_BRACKET_JOINT = re.compile(r"\s?[,;–-]\s?")
_CLOSE = re.compile(r"\s?\]")
_SECOND = re.compile(r"[-−(]?(?:[$€£¥₹]|[A-Z]{1,3}\$|[A-Z]{3} )?\s?[-−]?(?=\.?\d)")
_FROM = pattern("quantity", "from")
_RANGING = pattern("quantity", "ranging from")
_FRACTION = pattern("quantity", "fraction")
_NO_QUANTITIES: tuple[Callable[[str, int], int], ...] = (
    noise.labelled,
    noise.dated,
    noise.paginated,
)
"""Where what is no quantity ends, in a cell as in running text."""


def find(text: str, *, scale: Decimal | int = 1, unit: str = "") -> list[FoundQuantity]:
    """All quantities in running text, left to right, not overlapping.

    `scale` and `unit` are what a table's caption declares and hold only where the text states none itself. Left out is
    what is a name, a place or a date: citation marks, section and table numbers, phone numbers, identifiers such as
    GPT-3, dates and ranges of years. A bare year between 1900 and 2100 has the unit "year".
    """
    reader = QuantityReader(text, Decimal(scale), unit)
    found: list[FoundQuantity] = []
    position = 0
    while m := TRIGGER.search(text, position):
        result, position = reader.at(m.start(), found[-1].end if found else 0)
        if result:
            found.append(result)
    return found


def _is_course(before: str) -> bool:
    """Whether "from" before a number makes of "to" a course and no range ("rose from 5 to 7")."""
    return bool(_FROM.search(before)) and not _RANGING.search(before)


class QuantityReader:
    """One pass over one text, under what its caption declares."""

    def __init__(
        self, text: str, scale: Decimal, unit: str, cell: bool = False, comma: bool = False
    ) -> None:
        self.text = text
        self.scale = scale
        self.unit = unit
        self.cell = cell
        self.numbers = Text(text, cell, comma)

    def at(self, i: int, floor: int) -> tuple[FoundQuantity | None, int]:
        """What is read at a trigger, and where to go on; nothing before `floor` may be used again."""
        first: WrittenNumber | None
        if self.text[i].isnumeric():
            if (skip := self._skip(i)) > i:
                return None, skip
            first, past = self.numbers.number(i, floor), noise.rest(self.text, i)
        else:
            first, past = self._spelled(i)
        if first is None:
            return None, past
        found = self._finish(first, floor)
        return found, found.end

    def _skip(self, i: int) -> int:
        """The end of what is no quantity at this digit; i itself when it may be one."""
        text = self.text
        if noise.glued(text, i) and currency_before(text, i) is None:
            return noise.rest(text, i)
        for end_of in (
            _NO_QUANTITIES if self.cell else (noise.cited, *_NO_QUANTITIES, self._heading)
        ):
            if (end := end_of(text, i)) > i:
                return end
        return i

    def _heading(self, text: str, i: int) -> int:
        """The end of the number that opens a heading; i for none, as for "3.2 GB" at the start of a line."""
        end = noise.heading(text, i)
        if end == i or ")" in text[i:end]:
            return end
        behind = self.numbers.tail(end - 1, "")
        return i if behind.stated or behind.unit else end

    def _spelled(self, i: int) -> tuple[WrittenNumber | None, int]:
        text = self.text
        m = numbers.SPELLED.match(text, i)
        value = numbers.spelled(m[0]) if m else None
        if m is None or value is None:
            return None, i + 1
        behind = self.numbers.tail(m.end(), "")
        if _FRACTION.match(text, m.end()) or (value == 1 and behind == Tail(m.end())):
            return None, m.end()
        return WrittenNumber(
            value, behind.scale, behind.unit, i, behind.end, behind.stated
        ), behind.end

    def _finish(self, first: WrittenNumber, floor: int) -> FoundQuantity:
        """Join the other end of a range, look for "approximately", and build the quantity."""
        text = self.text
        second = self._second(first)
        start, end = first.start, (second or first).end
        if (
            second
            and text[max(0, start - 2) : start].rstrip()[-1:] == "["
            and (m := _CLOSE.match(text, end))
        ):
            start, end = text.rfind("[", 0, start), m.end()
        word = self._word_before(start, floor)
        if second and word and (m := _BETWEEN.search(text[max(floor, start - 34) : start])):
            start -= len(m[0])
        elif word in ("minus", "negative") and (
            m := _BEFORE_MINUS.search(text[max(floor, start - 12) : start])
        ):
            start -= len(m[0])
            first = replace(first, value=-abs(first.value), negative=True, year=False)
        about = self._approximation(start, floor)
        start -= len(about)
        return FoundQuantity(
            self._quantity(first, second, bool(about), text[start:end]), start, end
        )

    def _word_before(self, start: int, floor: int) -> str:
        return noise.last_word(self.text, start).casefold() if start > floor else ""

    def _approximation(self, start: int, floor: int) -> str:
        """What says just before a number that it is approximate; "" for nothing."""
        text = self.text
        signs = text[max(0, start - 2) : start]
        if self._word_before(
            start, floor
        ) not in _APPROXIMATE_LAST and _APPROXIMATE_SIGNS.isdisjoint(signs):
            return ""
        m = _BEFORE_APPROXIMATE.search(text[max(floor, start - 34) : start])
        return m[0] if m else ""

    def _second(self, first: WrittenNumber) -> WrittenNumber | None:
        """The other end of a range that begins with this number."""
        before = self.text[max(0, first.start - 40) : first.start]
        between, bracket = bool(_BETWEEN.search(before)), before.rstrip().endswith("[")
        joint = (_BETWEEN_JOINT if between else _BRACKET_JOINT if bracket else _DASH).match(
            self.text, first.end
        )
        second = self._number_after(joint.end()) if joint else None
        if joint is None or second is None or (first.year and second.year):
            return None
        if between:
            return self._in_unit_of(first, second)
        if bracket:
            return self._in_unit_of(first, second) if _CLOSE.match(self.text, second.end) else None
        return None if self._stands_alone(first, second, joint) else self._upper(first, second)

    def _number_after(self, joint: int) -> WrittenNumber | None:
        """The number that stands behind the joint of a range, where it is no date."""
        head = _SECOND.match(self.text, joint)
        if head is None:
            return None
        digit = head.end() + (self.text[head.end()] == ".")
        return None if noise.dated(self.text, digit) > digit else self.numbers.number(digit, joint)

    def _stands_alone(
        self, first: WrittenNumber, second: WrittenNumber, joint: re.Match[str]
    ) -> bool:
        """Whether a number behind a dash or "to" ends no range: a course goes there, it is negative, or in another column."""
        if " to " in joint[0]:
            before = self.text[max(0, first.start - 40) : first.start]
            return _is_course(before) or bool(first.unit and _CHANGED.search(before))
        in_row = joint["spaced"] and not self.cell  # in a row of a table, a dash is an empty cell
        return (
            second.negative
            or bool(in_row)
            and (not second.unit or first.unit not in ("", second.unit))
        )

    def _upper(self, first: WrittenNumber, second: WrittenNumber) -> WrittenNumber | None:
        """The other end of a range in the unit of the first, where it is the larger."""
        upper = self._in_unit_of(first, second)
        if upper is None:
            return None
        scale = first.scale if first.stated else upper.scale
        upper_scale = upper.scale if upper.stated else first.scale
        return upper if first.value * scale < upper.value * upper_scale else None

    def _in_unit_of(self, first: WrittenNumber, second: WrittenNumber) -> WrittenNumber | None:
        """The other end in the unit of the first ("300 watts to 1 kilowatt"); None when it measures something else."""
        if first.unit and not second.unit:  # "$2-3 million per year"
            unit, end = match_denominators(self.text, first.unit, second.end)
            return replace(second, unit=unit, end=end)
        if not first.unit or second.unit == first.unit or second.unit.startswith(f"{first.unit}/"):
            return second
        if "%" in (first.unit, second.unit):
            return None  # "140 basis points to 44.8%" says by how much, and to what
        ratio = factor(second.unit, first.unit)
        return (
            None if ratio is None else replace(second, value=second.value * ratio, unit=first.unit)
        )

    def _quantity(
        self, first: WrittenNumber, second: WrittenNumber | None, approximate: bool, text: str
    ) -> Quantity:
        if second is None:
            unit, scale = self._declared(first)
            return Quantity(first.value, unit, scale, approximate=approximate, text=text)
        both = replace(
            second,
            unit=second.unit or first.unit,
            scale=second.scale if second.stated else first.scale,
            stated=first.stated or second.stated,
            dollar=first.dollar or second.dollar,
            year=False,
        )
        unit, scale = self._declared(both)
        shift = first.scale / both.scale if first.stated else Decimal(1)
        low, high = sorted((first.value * shift if shift != 1 else first.value, second.value))
        return Quantity((low + high) / 2, unit, scale, low, high, approximate, text=text)

    def _declared(self, written: WrittenNumber) -> tuple[str, Decimal]:
        """Unit and scale, with what the caption declares where the text states none."""
        if written.year and not (self.cell and (self.unit or self.scale != 1)):
            return "year", Decimal(1)
        unit = written.unit
        declared = units().by_name.get(self.unit)
        if written.dollar and declared and declared.is_dollar:
            unit = unit.replace("USD", self.unit, 1)
        return unit or self.unit, self.scale if self._takes_scale(written, unit) else written.scale

    def _takes_scale(self, written: WrittenNumber, unit: str) -> bool:
        """Whether the declared scale holds for a number that states none: in the declared unit, or in a currency like that."""
        if written.stated:
            return False
        if unit in ("", self.unit):
            return True
        return is_currency(written.unit) and (not self.unit or is_currency(self.unit))
