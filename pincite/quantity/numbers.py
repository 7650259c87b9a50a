"""Digits and number words to Decimal: separators of every locale, exponents, fractions, spelled cardinals."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

from pincite.text.lexicon import word_list

SPACES = "\u00a0\u202f\u2009\u2007'’"
"""What may stand between groups of three digits, beside comma, point and (in a cell) a plain space."""

_WITHOUT_SPACES = str.maketrans("", "", f" {SPACES}")
_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")


def _ten(name: str) -> str:
    """A power of ten as a pattern: 10^25, 10**25, 10^{25} or 10²⁵."""
    raised = "[⁰¹²³⁴⁵⁶⁷⁸⁹]"
    return rf"10(?:\s?(?:\^|\*\*)\s?[{{(]?\s?(?P<{name}a>[-−+]?\d{{1,3}})\s?[)}}]?|(?P<{name}b>[⁻⁺]?{raised}{{1,3}}(?!{raised})))"


NUMBER = re.compile(
    rf"""
    {_ten("p")}
  | (?: (?P<digits>\d{{1,3}}(?:[{SPACES}]\d{{3}})+(?!\d)(?:[.,]\d+)?
          | \d{{1,3}}(?:[ ]\d{{3}})+,\d{{1,2}}(?![\d,.]) | \d+(?:[.,]\d+)*)
        (?: [eE](?P<e>[-+−]?\d{{1,3}})(?![\d.,]*\d)
          | [ \u00a0]?[×x·⋅∗*][ \u00a0]?(?:{_ten("x")}|10(?P<xc>[-−]\d{{1,2}})(?![\d.,]))
          | (?P<mixed>[ \u00a0]?[{_VULGAR}] | [ ][1-9]/(?:2|3|4|5|8|16|32)(?![\d/]) ) )?
      | (?P<vulgar>[{_VULGAR}]) )
    """,
    re.VERBOSE,
)
_COMMAS = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}")
_POINTS = re.compile(r"\d{1,3}(?:\.\d{3})+")
EUROPEAN = re.compile(
    r"(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d|(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.])|(?<![\d.,])\d+,\d{1,2}\s?(?:€|EUR|Mio|Mrd|kr\b)"
    r"|\d (?:\d{3} ?)+(?:t|m|mn|md)?kr\b"
)
"""Evidence that a text writes 1.234,5 or 1 234,5 and not 1,234.5."""
LONGEST = 40
"""Characters of the longest number without its exponent: amounts are compared with so many digits."""
AMBIGUOUS = re.compile(r"[1-9]\d{0,2}[.,]\d+")
"""Digits that the text around may turn from a decimal into thousands or back."""


def plain(digits: str, european: bool = False) -> Decimal | None:
    """Digits with separators as a Decimal that keeps the decimals written; None when they are no number ("1.2.3", LONGEST).

    With one separator the pattern decides: "1,234" is thousands, "3,5" and "0,125" are decimals, "1.234" is a decimal
    unless the text around is `european`.
    """
    digits = digits.translate(_WITHOUT_SPACES)
    if len(digits) > LONGEST:
        return None
    if "," not in digits:
        return _with_points(digits, european)
    return _grouped(digits) if "." in digits else _with_commas(digits, european)


def _grouped(digits: str) -> Decimal | None:
    """A number with points and commas: whichever comes last is before the decimals."""
    mark, groups = (",", _POINTS) if digits.rfind(",") > digits.rfind(".") else (".", _COMMAS)
    whole, _, decimals = digits.rpartition(mark)
    if not groups.fullmatch(whole):
        return None
    return Decimal(whole.replace(",", "").replace(".", "") + "." + decimals)


def _with_points(digits: str, european: bool) -> Decimal | None:
    """A number without commas: its points part thousands, or one is before the decimals."""
    single = digits.count(".") <= 1
    if _POINTS.fullmatch(digits) and (not single or (european and digits[0] != "0")):
        return Decimal(digits.replace(".", ""))
    return Decimal(digits) if single else None


def _with_commas(digits: str, european: bool) -> Decimal | None:
    """A number with commas and no point: they part thousands, or one is before the decimals."""
    single = digits.count(",") == 1
    if _COMMAS.fullmatch(digits) and digits[0] != "0" and not (european and single):
        return Decimal(digits.replace(",", ""))
    short = len(digits) - digits.rfind(",") <= 3
    return (
        Decimal(digits.replace(",", "."))
        if single and (short or digits.startswith("0,") or european)
        else None
    )


def decimal_mark(digits: str) -> str:
    """Which of "." and "," must part decimals in digits; "" where neither must, as in "12", or either may, as in "1,234"."""
    marks = [mark for mark in digits if mark in ".,"]
    if not marks:
        return ""
    last = marks[-1]
    if len(set(marks)) > 1:
        return last if marks.count(last) == 1 else ""
    if len(marks) > 1:
        grouped = _COMMAS.fullmatch(digits) or _POINTS.fullmatch(digits)
        return "" if grouped is None else "," if last == "." else "."
    whole, _, part = digits.partition(last)
    grouped_too = 1 <= len(whole) <= 3 and whole[0] != "0" and len(part) == 3
    return "" if grouped_too else last


FARTHEST = 300
"""The power of ten from which, and below the negative of which, digits are no number of a document: what is kept is read
again, and is not read beyond a little more.
"""


def number(match: re.Match[str], european: bool = False) -> Decimal | None:
    """The value of a NUMBER match, without its sign; None when the digits are no number, or one beyond FARTHEST."""
    value = _number(match, european)
    return None if value is None or abs(value.adjusted()) > FARTHEST else value


def _number(match: re.Match[str], european: bool) -> Decimal | None:
    if match["vulgar"]:
        return _fraction(match["vulgar"])
    power = match["pa"] or match["pb"]
    if power:
        return Decimal(10) ** int(power.translate(_SUPERSCRIPT))
    value = plain(match["digits"], european)
    if value is None:
        return None
    if match["mixed"]:
        return value + _fraction(match["mixed"].strip())
    exponent = match["e"] or match["xa"] or match["xb"] or match["xc"]
    return value.scaleb(int(exponent.translate(_SUPERSCRIPT))) if exponent else value


def _fraction(text: str) -> Decimal:
    if "/" in text:
        above, _, below = text.partition("/")
        return Decimal(above) / Decimal(below)
    return Decimal(str(unicodedata.numeric(text)))


ONES = {word: n for n, word in enumerate(word_list("quantity", "ones"))}
"""The numbers in words below twenty."""
_TENS = {word: 10 * n for n, word in enumerate(word_list("quantity", "tens"), 2)}
_UNIT = "|".join(sorted([*ONES, *_TENS], key=len, reverse=True))
SPELLED = re.compile(
    rf"\b(?:(?:{_UNIT})(?:[-\s](?:{_UNIT}|hundred(?:\s+and)?(?=\s)|hundred))*|a\s+(?:hundred|dozen)"
    rf"|an?(?=\s+(?:thousand|million|billion|trillion)\b(?!s)))\b",
    re.IGNORECASE,
)


def spelled(text: str) -> Decimal | None:
    """A spelled cardinal below a thousand ("twenty-three", "one hundred and five", "a dozen"); None for any other text."""
    total = last = 0
    for word in re.findall(r"[a-z]+", text.casefold()):
        if word == "dozen":
            return Decimal(12)
        if word in ("a", "an"):
            total, last = total or 1, 1
        elif word == "hundred":
            total, last = (total or 1) * 100, 100
        elif word != "and":
            n = ONES.get(word, _TENS.get(word, 0))
            if not _may_follow(n, last):
                return None
            total, last = total + n, n or 1
    return Decimal(total)


def _may_follow(n: int, last: int) -> bool:
    """Whether a spelled number may stand after another: "three" after "twenty" and "hundred", "twenty" after "hundred" alone."""
    return not last or (last >= 20 and n < last and (n < 10 or last >= 100))
