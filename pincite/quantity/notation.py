"""One number as it is written: digits with the sign, currency, parentheses, scale word and unit that belong to it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from pincite.quantity import numbers
from pincite.quantity.scales import LETTERS, cut_off, goes_on, needs_money, scale_of, spelled_scale
from pincite.quantity.units import (
    currency_before,
    is_currency,
    is_money,
    joined_scale,
    match_denominators,
    match_unit,
)
from pincite.text.language import CLEAR, evidence, languages
from pincite.text.lexicon import past, pattern, word_set


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number read at [start, end). `stated` says that a scale word was written, `year` that four digits
    stand alone which may be a year, `dollar` that the currency is a mere $.
    """

    value: Decimal
    scale: Decimal
    unit: str
    start: int
    end: int
    stated: bool = False
    negative: bool = False
    year: bool = False
    dollar: bool = False


@dataclass(frozen=True, slots=True)
class _Before:
    """What stands before a number: where it starts, its currency, a minus, a parenthesis, whether the currency is a mere $."""

    start: int
    currency: str = ""
    negative: bool = False
    opened: bool = False
    dollar: bool = False


@dataclass(frozen=True, slots=True)
class Tail:
    """What stands behind a number and where it ends: the scale, the unit, and whether a scale is `stated`."""

    end: int
    scale: Decimal = Decimal(1)
    unit: str = ""
    stated: bool = False


TELLING = 0.5
"""The weight of evidence by which a sentence tells how its language writes numbers: less than tells which language it is."""

_WORD = re.compile(r"\s{0,4}-?(?P<word>[^\W\d_]++)(?:\(s\))?\.?(?!\w)")
_PERCENT = frozenset(("%", "pp", "bp"))
_MOST_SCALE = 60
"""The power of ten of the largest scale that words are: "million million million" and more is no scale."""
_DOTTED = word_set("quantity", "dotted scales")
_LETTER = re.compile(
    r"(?P<glued>MM|[kKMBTm])(?![^\W_]|&)|[ \u00a0]?(?P<money>MM|[kKMBm])(?=[€$£])"
    r"|[ \u00a0](?P<spaced>MM|[kMBm])(?![\w'’]|\s?&|-[^\W\d_])"
)
_LETTERS = {**LETTERS, "T": 12, "mn": 6, "bn": 9}
_AFTER_CURRENCY = re.compile(r"(?<=[$€£¥₹])(?:mm|mn|m|M|bn)(?!\w)")
_GAP = pattern("quantity", "number to unit")
"""What may stand between a number and its unit: spaces, a hyphen, "of", the model of what is counted ("8 A100 GPUs")."""
_PLUS_MINUS = re.compile(r"\s?(?:±|\+/-|\+/−|\\pm)\s?\d+(?:[.,]\d+)*")
_CLOSE = re.compile(r"[ \u00a0]?\)")
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)")
_COUNT_OF = re.compile(r"\s?(?:\d|[A-Z]\w*\d|[A-Z]{2,})")
_NEXT_NUMBER = re.compile(r"\s?[(-]?\d")
_PREPOSITION = pattern("quantity", "before an amount")
_NUMBER_BEFORE = re.compile(r"(?:[\d%)]|[-–—$€£|])[ \t\u00a0]+$|[$€£]$")
_NUMBER_AFTER = re.compile(r"[ \t\u00a0]*+(?:%[ \t]*+)?[($€£-]*+[ \t]*+[\d–—|]")
_YEAR = re.compile(r"(?:19|20)\d{2}|2100")
_NAME = re.compile(r"(?![x×X](?:\s|[A-Z]))[^\W\d]")  # "3D", but not "8x A100"
_MARK = re.compile(r"\d{1,2}\s?\)|(?:19|20)\d{2}\s?[):]")


def _scale_of_letters(end: int, letters: str) -> Tail:
    """The scale that letters are which end here."""
    return Tail(end, Decimal(10) ** _LETTERS[letters], stated=True)


def writes_comma(text: str) -> bool:
    """Whether a text is in a language that writes decimals behind a comma; not where it says too little to tell."""
    told, known = evidence(text), languages()
    comma = max((weight for code, weight in told.items() if known[code].comma), default=0.0)
    return comma >= TELLING and comma > CLEAR * max(
        (told[code] for code in told if not known[code].comma), default=0.0
    )


class Text:
    """A text to read numbers from; in a `cell`, parentheses mean negative and groups may be split by plain spaces.

    With `comma` decimals stand behind a comma; without, the text itself may tell that, by its numbers or its language.
    """

    def __init__(self, text: str, cell: bool = False, comma: bool = False) -> None:
        self.text = text
        self.cell = cell
        self._european: bool | None = comma or None

    def number(self, i: int, floor: int = 0) -> WrittenNumber | None:
        """The number whose first digit is at i, taking nothing from before `floor`; None when it begins no number."""
        text = self.text
        m = numbers.NUMBER.match(text, i)
        if m is None:
            return None
        value, end = numbers.number(m, self._is_european(m["digits"])), m.end()
        if value is None:
            return None
        if m["digits"]:
            if i > floor and text[i - 1] == "." and not text[max(0, i - 2) : i - 1].isalnum():
                value, i = numbers.plain(f"0.{m['digits']}") or value, i - 1
            value, end = self._spaced(i, end, value)
        return self._complete(i, end, value, floor)

    def _spaced(self, i: int, end: int, value: Decimal) -> tuple[Decimal, int]:
        """The number with the groups of digits that spaces part from it ("1 234,5"), and its end."""
        spaced = _SPACED.match(self.text, i)
        if spaced is None or spaced.end() < end or not (self.cell or self._comma()):
            return value, end
        return numbers.plain(spaced[0], True) or value, spaced.end()

    def _is_european(self, digits: str | None) -> bool:
        """Whether these digits are 1.234,5 style; the text is searched for evidence only when they leave it open."""
        return bool(digits and numbers.AMBIGUOUS.fullmatch(digits)) and self._comma()

    def _comma(self) -> bool:
        if self._european is None:
            self._european = bool(numbers.EUROPEAN.search(self.text)) or writes_comma(self.text)
        return self._european

    def _complete(self, i: int, end: int, value: Decimal, floor: int) -> WrittenNumber | None:
        """A number with what belongs to it before and behind; None where it is part of a name ("3D") or a note's mark."""
        before = self._before(i, floor)
        end = past(_PLUS_MINUS, self.text, end)
        if before.opened:
            before, behind = self._enclosed(i, end, before)
        else:
            behind = self.tail(end, before.currency)
        if behind.end == end and _NAME.match(self.text, end):
            return None
        if (
            behind.unit == "yr" and not behind.stated and _YEAR.fullmatch(self.text, i, end)
        ):  # "the 2017 year-end"
            behind = Tail(end)
        return self._written(i, end, value, before, behind)

    def _enclosed(self, i: int, end: int, before: _Before) -> tuple[_Before, Tail]:
        """What belongs to a number behind an opening parenthesis: a minus where the parentheses mean one, as in "(4,521)
        thousand"; else what they enclose stands alone, as in "(about 5%)".
        """
        text, currency = self.text, before.currency
        closed = _CLOSE.match(text, end)
        if closed:
            alone, behind = Tail(end), self.tail(closed.end(), currency)
        else:
            alone = behind = self.tail(end, currency)
            closed = _CLOSE.match(text, alone.end)
            if closed:
                behind = replace(alone, end=closed.end())
        if closed and self._is_negative(before, i, alone.end == end, behind):
            return replace(before, negative=True), behind
        return replace(before, start=text.find("(", before.start, i) + 1), alone

    def _is_negative(self, before: _Before, i: int, digits_only: bool, behind: Tail) -> bool:
        """Whether parentheses mean a negative amount here, and not a parenthetical or a footnote's mark."""
        text, start = self.text, before.start
        in_percent = digits_only and behind.unit in _PERCENT  # "(6)%"
        if self.cell or in_percent or (before.currency and text[start] != "("):
            return True
        window = text[max(0, start - 6) : start]
        beside = bool(_NUMBER_BEFORE.search(window)), bool(_NUMBER_AFTER.match(text, behind.end))
        if _MARK.match(text, i):
            return all(beside)
        return (digits_only and any(beside)) or bool(_PREPOSITION.search(window))

    def _written(
        self, i: int, end: int, value: Decimal, before: _Before, behind: Tail
    ) -> WrittenNumber | None:
        """A number whose digits stand at [i, end) in its currency or unit; None for a footnote's mark."""
        unit, after = self._in_currency(before.currency, behind)
        bare = not (unit or behind.stated or before.negative)
        year = bare and _YEAR.fullmatch(self.text, i, end) is not None
        if bare and not year and self._is_mark(i, before):
            return None
        return WrittenNumber(
            -value if before.negative else value,
            behind.scale,
            unit,
            before.start,
            after,
            behind.stated,
            before.negative,
            year,
            before.dollar,
        )

    def _in_currency(self, currency: str, behind: Tail) -> tuple[str, int]:
        """The unit of a number and where it ends: the currency before it, unless one stands behind it too, and what it is per."""
        if not currency:
            return behind.unit, behind.end
        unit = behind.unit if is_currency(behind.unit) else currency
        return match_denominators(self.text, unit, behind.end)

    def _is_mark(self, i: int, before: _Before) -> bool:
        """Whether a bare number in parentheses is a footnote's mark or an item's number."""
        return before.opened and not self.cell and _MARK.match(self.text, i) is not None

    def _before(self, i: int, floor: int) -> _Before:
        """What stands before a number and belongs to it, from `floor` on."""
        before = _Before(i)
        while before.start > floor and (further := self._further(before, floor)):
            before = further
        return before

    def _further(self, before: _Before, floor: int) -> _Before | None:
        """With the parenthesis, minus or currency that stands next before it; None where none does."""
        text, start = self.text, before.start
        window = max(floor, start - 3)
        gap = window + len(text[window:start].rstrip(" \u00a0"))
        sign = text[gap - 1] if gap > floor else ""
        if sign == "(" and not before.opened:
            return replace(before, start=gap - 1, opened=True)
        if sign and sign in "-−–‐" and not before.negative and self._is_sign(gap, start):
            return replace(before, start=gap - 1, negative=True)
        if before.currency or not (hit := currency_before(text, gap, floor)):
            return None
        currency, at = hit
        return replace(before, start=at, currency=currency, dollar=text[at:gap] == "$")

    def _is_sign(self, gap: int, start: int) -> bool:
        """Whether the dash before `gap` is a minus: touching what follows (or a true minus), after nothing."""
        if gap != start and not self.cell and self.text[gap - 1] != "−":
            return False
        before = self.text[max(0, gap - 2) : gap - 1]
        return not before or before in " \u00a0\n\t([|~<>=:/$€£¥₹"

    def tail(self, end: int, currency: str) -> Tail:
        """The words of scale and the unit after a number that ends here, `currency` standing before it."""
        text = self.text
        behind = self._scaled(end, currency)
        if not behind.stated:
            behind = self._lettered(end, currency)
        at = past(_GAP, text, behind.end)
        hit = None if behind.unit else match_unit(text, at)
        if hit is None or not self._is_unit(hit, at, text[behind.end : at], currency):
            return behind
        unit, end = hit
        if not behind.stated and (m := _AFTER_CURRENCY.match(text, end)):
            behind, end = _scale_of_letters(end, m[0]), m.end()
        return replace(behind, end=end, unit=unit)

    def _scaled(self, start: int, currency: str) -> Tail:
        """The words of scale after a number, and the currency that the last of them says ("5 MSEK")."""
        text = self.text
        behind = Tail(start)
        while (m := _WORD.match(text, behind.end)) and not cut_off(text, m.end("word")):
            money = ""
            if both := joined_scale(m["word"]):
                factor, money = Decimal(10) ** both[0], both[1]
            elif word := spelled_scale(m["word"], currency or self._money_after(m)):
                factor = scale_of(word)
            else:
                break
            scale = behind.scale * factor
            if scale.adjusted() > _MOST_SCALE:
                return Tail(start)
            stop = text[m.end() - 1] == "." and m["word"].casefold() not in _DOTTED
            behind = Tail(m.end() - stop, scale, money or behind.unit, True)
        return behind

    def _lettered(self, end: int, currency: str) -> Tail:
        """The letter of scale after a number ("5k", "$5 M")."""
        m = _LETTER.match(self.text, end)
        if m is None or not self._is_scale(m, currency):
            return Tail(end)
        return _scale_of_letters(m.end(), m["glued"] or m["money"] or m["spaced"])

    def _money_after(self, word: re.Match[str]) -> str:
        """The currency after a word that is a scale beside money alone ("mill. kr"); "" for another word."""
        hit = (
            match_unit(self.text, past(_GAP, self.text, word.end()))
            if needs_money(word["word"])
            else None
        )
        return (
            hit[0]
            if hit and is_money(hit[0]) and not _NEXT_NUMBER.match(self.text, hit[1])
            else ""
        )

    def _is_scale(self, m: re.Match[str], currency: str) -> bool:
        """A lone letter is a scale after money; m is metres elsewhere, unless what is counted follows ("5m tokens")."""
        if goes_on(self.text, m.end()):
            return False
        if m["spaced"]:
            return bool(currency) or (
                m["spaced"] in "MB" and match_unit(self.text, m.end() + 1) is not None
            )
        if m["glued"] != "m" or currency:
            return True
        follows = (
            match_unit(self.text, m.end() + 1) if self.text[m.end() : m.end() + 1] == " " else None
        )
        return follows is not None and len(follows[0]) > 1

    def _is_unit(self, hit: tuple[str, int], at: int, gap: str, currency: str) -> bool:
        """Whether a unit's spelling is one here: "3 × 4" and "8x A100" are no multiples, "$5 x" is no price in x."""
        text, (name, end) = self.text, hit
        is_letter = end - at == 1
        if name == "x" and is_letter:
            return not (currency or _COUNT_OF.match(text, end))
        if currency:
            return is_money(name) and text[at].isalpha() and "\n" not in gap
        if gap and is_money(name) and _NEXT_NUMBER.match(text, end):
            return False  # the currency belongs to the next number
        return not (is_letter and "\n" in gap)
