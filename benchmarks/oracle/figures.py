"""Numbers and words as documents write them, by rules that share nothing with the package that is measured."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
ABBREVIATED = {"k": 3, "m": 6, "mn": 6, "mm": 6, "mio": 6, "b": 9, "bn": 9, "mrd": 9}
SPELLED = {
    name: number
    for number, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split()
    )
}
COMMON = frozenset(
    "a an the of in on at to for from by with and or is are was were be been as its it this that what which who how much many "
    "did does do has have had when where why if there their than not no yes we our between during per all any both each".split()
)
"""Words that tell nothing of what a place is about."""
OF_REPLIES = frozenset(
    "answer write give list return format float integer round decimal place question document report page table figure slide "
    "paper guidebook".split()
)
"""Words of a question that speak of the reply or of the document, not of what is asked."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
DIGITS = re.compile(r"\d[\d,.\u00a0\u202f' ]*\d|\d|\.\d+")
CURRENCY = re.compile(r"(?<![A-Za-z])(?:USD|EUR|GBP|CHF|SEK|JPY|AUD|CAD|RMB|CNY|HKD|INR)$")
"""What may stand right before the digits of an amount."""
GROUPED = re.compile(r"\d{1,3}(?:[,\u00a0\u202f' ]\d{3})+(?:\.\d+)?")
POINTED = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}")
"""A number whose thousands are parted by points."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number where it stands: its digits as a value, the power of ten of the word beside them, whether in per cent."""

    value: Decimal
    scale: int
    percent: bool
    start: int
    end: int

    @property
    def amount(self) -> Decimal:
        """The value with its scale word applied."""
        return self.value.scaleb(self.scale)


@lru_cache(maxsize=1 << 17)
def numbers(text: str) -> tuple[Number, ...]:
    """Every number of a text from left to right; numerals, and number words up to twenty."""
    return tuple(_numbers(text.translate(DASHES)))


def _numbers(text: str) -> Iterator[Number]:
    for found in DIGITS.finditer(text):
        if not _in_name(text, found.start()):
            yield from _parted(text, found.start(), found.end())
    for found in re.finditer(r"[A-Za-z]+", text):
        if found[0].lower() in SPELLED:
            scale, end = _scale(text, found.end())
            yield Number(
                Decimal(SPELLED[found[0].lower()]), scale, _percent(text, end), found.start(), end
            )


def _in_name(text: str, start: int) -> bool:
    """Whether digits are part of a name or point elsewhere: H100, GPT-3, CO2, Figure 2, [13]."""
    before = CURRENCY.sub("", text[:start])
    if (
        before[-1:].isalpha()
        or before.endswith("[")
        or before.endswith("-")
        and before[-2:-1].isalpha()
    ):
        return True
    return bool(
        re.search(r"\b(?:Fig(?:ure|\.)|Table|Section|Appendix|Equation|Note)s?\s*$", before)
    )


def _parted(text: str, start: int, end: int) -> Iterator[Number]:
    """The numbers of a stretch of digits and separators: one with grouped thousands, or several beside each other."""
    at = start
    while at < end:
        grouped = GROUPED.match(text, at, end)
        pointed = POINTED.match(text, at, end)
        plain = re.compile(r"\d*\.?\d+").match(text, at, end)
        found = max(
            (one for one in (grouped, pointed, plain) if one),
            key=lambda one: one.end(),
            default=None,
        )
        if found is None:
            at += 1
            continue
        digits = found[0]
        if found is pointed:
            digits = digits.replace(".", "").replace(",", ".")
        try:
            value = Decimal("".join(one for one in digits if one.isdigit() or one == "."))
        except InvalidOperation:
            at = found.end()
            continue
        scale, stop = _scale(text, found.end())
        yield Number(
            -value if _negative(text, found.start(), found.end()) else value,
            scale,
            _percent(text, stop),
            found.start(),
            stop,
        )
        at = found.end()


def _scale(text: str, end: int) -> tuple[int, int]:
    """The power of ten of the scale word behind a number, and where that ends."""
    found = re.compile(r"\)?[\s-]?([A-Za-z]+)\b\.?").match(text, end)
    if found is None:
        return 0, end
    word = found[1].lower().removesuffix("s")
    power = SCALES.get(word) or ABBREVIATED.get(found[1].lower(), 0)
    return (power, found.end(1)) if power else (0, end)


def _percent(text: str, end: int) -> bool:
    return bool(re.compile(r"\s?(?:%|per\s?cent)").match(text, end)) or text[end : end + 3] == ")%"


def _negative(text: str, start: int, end: int) -> bool:
    before = text[:start].rstrip(" $€£¥")
    if before.endswith("(") and text[end : end + 2].lstrip(" %")[:1] == ")":
        return True
    if not before.endswith("-"):
        return False
    near = text[: len(before) - 1]
    return not (near if len(before) == start else near.rstrip(" $€£¥"))[-1:].isalnum()


def same(wanted: Decimal, there: Decimal) -> bool:
    """Whether a number is the wanted one, or that one rounded as the wanted is written, signs aside."""
    wanted, there = abs(wanted), abs(there)
    if wanted == there:
        return True
    exponent = wanted.normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    step = Decimal(1).scaleb(min(exponent, 0))
    return len(wanted.normalize().as_tuple().digits) >= 3 and abs(there - wanted) * 2 <= step


def factor(wanted: Number, there: Number, scaled: int = 0) -> int | None:
    """The power of ten by which a number differs from the wanted one in how it is scaled; None when it is another number.

    `scaled` is what the table of the number says of all its cells. Numbers of fewer than three digits must be scaled alike, and
    so must a fraction of one, which is no amount in another scale.
    """
    if same(wanted.amount, there.amount) or same(wanted.value, there.value):
        return 0
    if scaled and same(wanted.amount, there.amount.scaleb(scaled)):
        return scaled
    if wanted.percent != there.percent and same(
        wanted.value, there.value.scaleb(2 if wanted.percent else -2)
    ):
        return 2
    short = len(wanted.value.normalize().as_tuple().digits) < 3
    if wanted.percent or there.percent or short or abs(wanted.value) < 1:
        return None
    powers = (
        power for power in (3, 6, 9, -3, -6, -9) if same(wanted.amount, there.amount.scaleb(power))
    )
    return next(powers, None)


@lru_cache(maxsize=1 << 17)
def plain(text: str) -> str:
    """A text as names are compared: letters and digits alone, lower case, without accents."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in spread if one.isalnum())


@lru_cache(maxsize=1 << 17)
def stems(text: str) -> frozenset[str]:
    """The words of a text that tell what it is about, cut to their beginnings."""
    found = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())
    kept = (word for word in found if word not in COMMON and (len(word) > 1 or word.isdigit()))
    return frozenset(word[:5] for word in kept)


def shared(question: str, about: str) -> int:
    """How many words of a question, those that tell what it is about, stand about a place."""
    asked = re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", question).casefold())
    asked = [word for word in asked if word.removesuffix("s") not in OF_REPLIES]
    return len(stems(" ".join(asked)) & stems(about))


def years(text: str) -> set[int]:
    """The years that a text names."""
    found = re.findall(r"(?<!\d)(?:FY\s?)?((?:19|20)\d\d)(?!\d)", text)
    short = re.findall(r"\bFY\s?'?(\d\d)\b", text)
    return {int(year) for year in found} | {2000 + int(year) for year in short}


def day(text: str) -> tuple[int, int, int] | None:
    """The date that a text is, as year, month, day; None when it is none."""
    month = next(
        (at for at, name in enumerate(MONTHS, 1) if re.search(rf"\b{name}[a-z]*\b", text.lower())),
        0,
    )
    parts = [int(part) for part in re.findall(r"\d+", text)]
    year = next((part for part in parts if 1900 <= part < 2100), 0)
    rest = [part for part in parts if part != year]
    return (year, month, rest[0]) if month and year and len(rest) == 1 and rest[0] <= 31 else None


MORE = 3
"""Words that a stretch may have between those of a name."""


def digits(value: Decimal) -> str:
    """A number in digits, without an exponent."""
    return f"{value:f}" if value != value.to_integral_value() else f"{value.to_integral_value():f}"


def as_spelled(item: str, quote: str) -> str:
    """The stretch of a quote whose letters and digits are those of an item; the item where there is none."""
    at = [index for index, one in enumerate(quote) for _ in plain(one)]
    found = plain(quote).find(plain(item))
    if not plain(item) or len(at) != len(plain(quote)):
        return item
    if found < 0:
        return _stretch(item, quote)
    return quote[at[found] : at[found + len(plain(item)) - 1] + 1]


def _stretch(item: str, quote: str) -> str:
    """The shortest stretch of a quote that has all words of an item and few others; the item where there is none."""
    wanted = {plain(word) for word in item.split()}
    words = quote.split()
    sizes = range(len(wanted), len(wanted) + MORE + 1)
    for size in sizes:
        for start in range(len(words) - size + 1):
            if wanted <= {plain(word) for word in words[start : start + size]}:
                return " ".join(words[start : start + size]).rstrip(".,;")
    return item
