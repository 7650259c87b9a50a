"""How the oracle says what it found: numbers in several forms, names as written, texts in other words and languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from .draw import Draw
from .figures import Number, plain
from .seek import Place

SCALES = {
    3: ("thousand", "thousands", "in thousands", "Tausend"),
    6: ("million", "millions", "in millions", "m", "Millionen"),
    9: ("billion", "billions", "in billions", "bn", "Milliarden"),
}
"""Scale words; the first of each is the one that the form asks for."""
CURRENCIES = {
    "$": ("USD", "US dollars", "$"),
    "€": ("EUR", "euros", "€"),
    "£": ("GBP", "pounds sterling", "£"),
}
ANALYSES = (
    "The page states it for just this subject and time.",
    "Die Seite nennt genau diesen Wert für den gefragten Zeitraum.",
    "Sidan anger just detta värde för den period som efterfrågas.",
)
LEADS = (
    "",
    "",
    "According to the report, ",
    "The report says: ",
    "Laut Bericht: ",
    "Enligt rapporten: ",
)
SYNONYMS = {
    "increase": "rise", "increased": "rose", "decrease": "fall", "decreased": "fell", "revenue": "turnover",
    "employees": "staff", "primarily": "mainly", "approximately": "about", "purchase": "buy", "company": "firm",
}  # fmt: skip


MORE = 3
"""Words that a stretch may have between those of a name."""
PER = re.compile(r"\bper\b[^|]*\bshare\b|%", re.I)
"""A number that the scale of its table does not hold for."""


@dataclass(frozen=True, slots=True)
class Said:
    """A number as a form holds it, and the name of the way in which it is said."""

    value: str
    scale: str = ""
    unit: str = ""
    way: str = ""


def power_of(place: Place, gold: Number | None) -> int:
    """The power of ten by which the digits at a place are scaled: what stands beside them, else what the gold's scale says."""
    assert place.number is not None
    if place.number.scale or place.number.percent:
        return place.number.scale
    plain = not PER.search(f"{place.cell.label} | {place.cell.heading}" if place.cell else "")
    if place.power in SCALES and plain:
        return place.power
    if place.grid and place.grid.scale and plain:
        return place.grid.scale
    if gold is not None and gold.scale:
        powers = (3, 6, 9)
        return next(
            (one for one in powers if close(place.number.value.scaleb(one), gold.amount)), 0
        )
    return 0


def close(a: Decimal, b: Decimal) -> bool:
    """Whether two amounts are the same but for rounding, signs aside."""
    return abs(abs(a) - abs(b)) <= abs(b) / 100


def number(place: Place, gold: Number | None, unit: str, draw: Draw, again: bool) -> Said:
    """The number of a place, in one of the ways in which people write it; asked again, just as the document does."""
    assert place.number is not None
    value, power = place.number.value, power_of(place, gold)
    if gold is not None and not again and (gold.value < 0) != (value < 0):
        value = -value
    percent = place.number.percent or (gold is not None and gold.percent)
    if percent and again and not place.number.percent and "%" not in place.about:
        percent, unit = False, ""
    named = "%" if percent else _unit(place, unit, draw, again)
    if again or percent or _is_year(value, power):
        return Said(digits(value), SCALES[power][0] if power else "", named, "as written")
    ways = ["as written", "as written", "digits alone", "grouped digits"]
    ways += ["another scale"] if _rescaled(value, power) else []
    way = draw.one("number", ways)
    if way == "as written":
        word = (
            draw.one("scale", SCALES[power])
            if draw.share("odd scale") < 0.3 and power
            else SCALES.get(power, ("",))[0]
        )
        shown = (
            re.sub(r"(?:\s-\s)?[A-Za-z]+\s*$", "", place.written).strip()
            if value == place.number.value and _is_balanced(place.written)
            else digits(value)
        )
        return Said(shown, word, named, f"as written, {word}" if word else way)
    if way == "another scale":
        over = _rescaled(value, power)
        return Said(digits(value.scaleb(power - over)), SCALES[over][0], named, way)
    whole = value.scaleb(power)
    return Said(
        digits(whole) if way == "digits alone" else f"{Decimal(digits(whole)):,f}", "", named, way
    )


def _is_balanced(written: str) -> bool:
    """Whether a stretch holds its parentheses whole."""
    return written.count("(") == written.count(")")


def _is_year(value: Decimal, power: int) -> bool:
    """Whether a number may be a year, which nobody writes otherwise."""
    return not power and value == int(value) and 1900 <= value < 2100


def digits(value: Decimal) -> str:
    """A number in digits, without an exponent."""
    return f"{value:f}" if value != value.to_integral_value() else f"{value.to_integral_value():f}"


def _rescaled(value: Decimal, power: int) -> int:
    """The next larger scale in which a number is said with at most three decimals; 0 when there is none."""
    amount = abs(value.scaleb(power))
    over = next((one for one in (9, 6) if amount >= Decimal(10) ** one), 0)
    if not over or over == power:
        return 0
    exponent = amount.scaleb(-over).normalize().as_tuple().exponent
    return over if isinstance(exponent, int) and exponent >= -3 else 0


def _unit(place: Place, unit: str, draw: Draw, again: bool) -> str:
    """The unit as the set names it, or the currency whose sign stands at the place; often none."""
    if unit:
        return unit
    sign = next((one for one in CURRENCIES if one in place.quote or one in place.written), "")
    if not sign:
        return ""
    return CURRENCIES[sign][0] if again else draw.one("currency", (*CURRENCIES[sign], ""))


def name(place: Place, item: str, draw: Draw, again: bool) -> Said:
    """A name as the document spells it, or as people type it."""
    spelled = as_spelled(item, place.quote)
    if again:
        return Said(spelled, way="as written")
    way = draw.one(
        "name", ("as written", "as written", "as written", "as asked", "capitals", "full stop")
    )
    made = {"as asked": item, "capitals": spelled.upper(), "full stop": f"{spelled}."}
    return Said(made.get(way, spelled), way=way)


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


def text(told: str, draw: Draw, again: bool) -> Said:
    """An answer in a sentence: as the document says it, or with a lead or synonyms."""
    if again:
        return Said(told, way="as written")
    way = draw.one("text", ("as written", "lead", "synonyms"))
    if way == "lead":
        return Said(draw.one("lead", LEADS) + told, way=way)
    if way == "synonyms":
        return Said(
            re.sub(r"[a-z]+", lambda found: SYNONYMS.get(found[0], found[0]), told), way=way
        )
    return Said(told, way=way)


def quote(place: Place, draw: Draw, again: bool, alone: bool) -> tuple[str, str, str]:
    """How a place is cited: the handle, the quoted words, and the name of the way; a row is quoted for what stands `alone`."""
    if place.handle:
        ways = ("cell", "cell", "cell alone", "row" if alone else "cell")
        way = "cell" if again else draw.one(f"cite {place.handle}", ways)
        if way == "row" and place.grid and place.cell:
            return (
                "",
                f"| {place.cell.row + 1} | {' | '.join(place.grid.rows[place.cell.row])} |",
                way,
            )
        return place.handle, "" if way == "cell alone" else place.quote, way
    way = "sentence" if again else draw.one("cite", ("sentence", "sentence", "part", "gap"))
    if draw.apart and not alone and place.number is not None:
        return "", _with_no_other(place.quote, place.number.start, place.number.end), "part"
    if way == "part" and place.number is not None:
        return "", _around(place.quote, place.number.start, place.number.end), way
    words = place.quote.split()
    if way == "gap" and len(words) > 14 and place.number is None:
        return "", f"{' '.join(words[:5])} ... {' '.join(words[-5:])}", way
    return "", place.quote, "sentence"


def _with_no_other(sentence: str, start: int, end: int) -> str:
    """A number with the words about it up to the next digits on both sides."""
    start = sentence.rfind(" ", 0, start) + 1
    before = re.search(r"\D*$", sentence[:start])
    behind = re.match(r"[^\d]*", sentence[end:])
    assert before and behind
    first = before[0].partition(" ")[2] if before.start() else before[0]
    return f"{first}{sentence[start:end]}{behind[0].rpartition(' ')[0]}".strip()


def _around(sentence: str, start: int, end: int) -> str:
    """A part of a sentence: the four words before and behind a number, whole."""
    before, behind = sentence[:start].split(" ")[-5:], sentence[end:].split(" ")[:5]
    return (" ".join(before) + sentence[start:end] + " ".join(behind)).strip()
