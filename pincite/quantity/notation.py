"""One number as it is written: digits with the sign, currency, parentheses, scale word and unit that belong to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from pincite.language import CLEAR, evidence, languages
from pincite.lexicon import word_set
from pincite.quantity import numbers
from pincite.quantity.scales import LETTERS, cut_off, goes_on, needs_money, scale_of, spelled_scale
from pincite.quantity.units import currency_before, is_money, joined_scale, match_denominators, match_unit, units


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
_GAP = re.compile(r"(?:[-‐‑]|[ \t\u00a0\u202f\u2009]{0,4}\n?[ ]?)(?:of\s(?=[€$£A-Z]{1,3})|d['’](?=euro)|de\s(?=euro))?")
_MODEL = re.compile(r"(?:NVIDIA )?[A-Z]++[0-9]++\w*+(?:[ -][0-9]+GB)? (?=GPU|TPU|CPU|core|server|node|accelerator)")
_PLUS_MINUS = re.compile(r"\s?(?:±|\+/-|\+/−|\\pm)\s?\d+(?:[.,]\d+)*")
_CLOSE = re.compile(r"[ \u00a0]?\)")
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)")
_COUNT_OF = re.compile(r"\s?(?:\d|[A-Z]\w*\d|[A-Z]{2,})")
_NEXT_NUMBER = re.compile(r"\s?[(-]?\d")
_PREPOSITION = re.compile(r"(?:\b(?:of|was|were|to|at|from|and|by)|[:=|])\s?$")
_NUMBER_BEFORE = re.compile(r"(?:[\d%)]|[-–—$€£|])[ \t\u00a0]+$|[$€£]$")
_NUMBER_AFTER = re.compile(r"[ \t\u00a0]*+(?:%[ \t]*+)?[($€£-]*+[ \t]*+[\d–—|]")
_YEAR = re.compile(r"(?:19|20)\d{2}|2100")
_NAME = re.compile(r"(?![x×X](?:\s|[A-Z]))[^\W\d]")  # "3D", but not "8x A100"
_MARK = re.compile(r"\d{1,2}\s?\)|(?:19|20)\d{2}\s?[):]")


def writes_comma(text: str) -> bool:
    """Whether a text is in a language that writes decimals behind a comma; not where it says too little to tell."""
    told, known = evidence(text), languages()
    comma = max((weight for code, weight in told.items() if known[code].comma), default=0.0)
    return comma >= TELLING and comma > CLEAR * max((told[code] for code in told if not known[code].comma), default=0.0)


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
        text = self.text
        start, currency, negative, opened, dollar = self._before(i, floor)
        if m := _PLUS_MINUS.match(text, end):
            end = m.end()
        inner = end
        closed = _CLOSE.match(text, end) if opened else None
        after, scale, unit = self.tail(closed.end() if closed else end, currency)
        if opened and not closed and (closed := _CLOSE.match(text, after)):
            inner, after = after, closed.end()
            if scale is None and not unit:
                after, scale, unit = self.tail(after, currency)
        percent = unit in _PERCENT and inner == end  # "(6)%"
        accounting = bool(opened and closed and (percent or self._accounting(start, after, i, currency, inner == end)))
        if opened and not accounting:  # a parenthetical, "(about 5%)": what it encloses stands alone
            start = text.find("(", start, i) + 1
            if closed and inner == end:
                after, scale, unit = end, None, ""
            else:
                after = inner if closed else after
        if after == end and _NAME.match(text, after):
            return None
        if unit == "yr" and scale is None and _YEAR.fullmatch(text, i, end):  # "the 2017 year-end"
            after, unit = end, ""
        if currency:
            stated = units().by_name.get(unit)
            unit = unit if stated is not None and stated.before else currency
            unit, after = match_denominators(text, unit, after)
        negative = negative or accounting
        bare = not (currency or unit or scale is not None or negative)
        year = bare and bool(_YEAR.fullmatch(text, i, inner))
        if bare and opened and not self.cell and _MARK.match(text, i) and not year:
            return None
        signed = -value if negative and value else value
        return WrittenNumber(signed, scale or Decimal(1), unit, start, after, scale is not None, negative, year, dollar)

    def _before(self, i: int, floor: int) -> tuple[int, str, bool, bool, bool]:
        """Where the number starts, its currency, whether minus and parenthesis stand before, whether a mere $ does."""
        text = self.text
        start, currency, negative, opened, dollar = i, "", False, False, False
        while start > floor:
            gap = start
            while gap > floor and text[gap - 1] in " \u00a0" and start - gap < 3:
                gap -= 1
            before = text[gap - 1 : gap]
            if before == "(" and not opened:
                opened, start = True, gap - 1
            elif before in "-−–‐" and not negative and self._is_sign(gap, start):
                negative, start = True, gap - 1
            elif not currency and (hit := currency_before(text, gap, floor)):
                dollar = text[hit[1] : gap] == "$"
                currency, start = hit
            else:
                break
        return start, currency, negative, opened, dollar

    def _is_sign(self, gap: int, start: int) -> bool:
        """Whether the dash before `gap` is a minus: touching what follows (or a true minus), after nothing."""
        if gap != start and not self.cell and self.text[gap - 1] != "−":
            return False
        before = self.text[max(0, gap - 2) : gap - 1]
        return not before or before in " \u00a0\n\t([|~<>=:/$€£¥₹"

    def _accounting(self, start: int, after: int, i: int, currency: str, digits_only: bool) -> bool:
        """Whether parentheses mean a negative amount here, and not a parenthetical or a footnote's mark."""
        text = self.text
        if self.cell or (currency and text[start] != "("):
            return True
        before = text[max(0, start - 6) : start]
        beside = bool(_NUMBER_BEFORE.search(before)), bool(_NUMBER_AFTER.match(text, after))
        if _MARK.match(text, i):
            return all(beside)
        return (digits_only and any(beside)) or bool(_PREPOSITION.search(before))

    def tail(self, end: int, currency: str) -> tuple[int, Decimal | None, str]:
        """Where the words after a number end, their scale (None when none is stated) and their unit."""
        text = self.text
        start, scale = end, None
        money = ""
        while (m := _WORD.match(text, end)) and not cut_off(text, m.end("word")):
            if both := joined_scale(m["word"]):
                factor, money = Decimal(10) ** both[0], both[1]
            elif word := spelled_scale(m["word"], currency or self._money_after(m)):
                factor = scale_of(word)
            else:
                break
            scale = (scale or Decimal(1)) * factor
            if scale.adjusted() > _MOST_SCALE:
                return start, None, ""
            end = m.end() - (text[m.end() - 1] == "." and m["word"].casefold() not in _DOTTED)
        if scale is None and (m := _LETTER.match(text, end)) and self._is_scale(m, currency):
            scale, end = Decimal(10) ** _LETTERS[m["glued"] or m["money"] or m["spaced"]], m.end()
        gap = _GAP.match(text, end)
        if gap and (model := _MODEL.match(text, gap.end())):
            gap = model
        unit = money
        if (
            not money
            and gap
            and (hit := match_unit(text, gap.end()))
            and self._is_unit(hit, gap.end(), gap[0], currency)
        ):
            unit, end = hit
            if scale is None and (m := _AFTER_CURRENCY.match(text, end)):
                scale, end = Decimal(10) ** _LETTERS[m[0]], m.end()
        return end, scale, unit

    def _money_after(self, word: re.Match[str]) -> str:
        """The currency after a word that is a scale beside money alone ("mill. kr"); "" for another word."""
        gap = _GAP.match(self.text, word.end()) if needs_money(word["word"]) else None
        hit = match_unit(self.text, gap.end()) if gap else None
        return hit[0] if hit and is_money(hit[0]) and not _NEXT_NUMBER.match(self.text, hit[1]) else ""

    def _is_scale(self, m: re.Match[str], currency: str) -> bool:
        """A lone letter is a scale after money; m is metres elsewhere, unless what is counted follows ("5m tokens")."""
        if goes_on(self.text, m.end()):
            return False
        if m["spaced"]:
            return bool(currency) or (m["spaced"] in "MB" and match_unit(self.text, m.end() + 1) is not None)
        if m["glued"] != "m" or currency:
            return True
        follows = match_unit(self.text, m.end() + 1) if self.text[m.end() : m.end() + 1] == " " else None
        return follows is not None and len(follows[0]) > 1

    def _is_unit(self, hit: tuple[str, int], at: int, gap: str, currency: str) -> bool:
        """Whether a unit's spelling is one here: "3 × 4" and "8x A100" are no multiples, "$5 x" is no price in x."""
        text, (name, end) = self.text, hit
        if name == "x" and text[at:end] in ("x", "X", "×"):
            return not currency and not _COUNT_OF.match(text, end)
        money = is_money(name)
        if currency:
            return money and text[at].isalpha() and "\n" not in gap
        if money and gap and _NEXT_NUMBER.match(text, end):
            return False  # the currency belongs to the next number
        return not ("\n" in gap and end - at == 1)
