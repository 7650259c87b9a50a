"""The quantity that a whole text is: a table cell, a model's answer, a gold value."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from pincite.quantity.numbers import SPACES
from pincite.quantity.running_text import TRIGGER, QuantityReader
from pincite.quantity.units import match_unit
from pincite.text.lexicon import pattern
from pincite.types import Quantity

_BLANK = pattern("quantity", "no value")
_FOOTNOTE = re.compile(
    r"(?<=[\d%)a-z½¼¾])\s*(?:\(\s?(?:[a-z]|\d{1,2}|[ivx]{1,4})\s?\)|\[\w{1,2}\]|[*†‡§¶#^]+|[⁰¹²³⁴-⁹ᵃᵇᶜ]+)"
    r"(?:,?\s?\([a-z\d]\))*\s*$"
)
_ASIDE = re.compile(
    r"(?<=[\d)])(?:\s?\(\s?(?:\d[\d.,]*+\s?%|±\s?\d[\d.,]*+\s?%?)\s?\)|\(\d{1,2}[.,]\d{1,2}\))$"
)
"""What stands in parentheses behind a number and tells of it: its share of a whole, or its spread."""
_NO_CENTS = re.compile(r"(?<=\d)[.,][-–—]{1,2}(?=$|\s?[A-Z€])")
"""What stands for no cents: "12,–"."""
_MINUS_BEHIND = re.compile(
    rf"(?<![-−–(\w.,])(?!(?:19|20)\d\d\D)(?P<number>\d(?:[\d.,{SPACES} ]*\d)?)\s?[-−](?=$|\s?(?:%|[€$£]|[A-Z]{{3}}$))"
)
"""A number whose minus stands behind it, as ledgers print it: "12.480,75-"."""


def parse(
    text: str, *, scale: Decimal | int = 1, unit: str = "", comma: bool = False
) -> Quantity | None:
    """The quantity that the whole text is ("$ (4,521)", "12.3%", "[0.02, 0.1]"), or None when it is not one.

    For table cells: parentheses mean negative, also where a column break took one of them, and so does a minus behind
    ("12.480,75-"); a footnote mark at the end is dropped, and so are a share or a spread behind the number ("1,234 (12%)",
    "72.3(0.4)"); a dash or "n/a" is None.
    `scale` and `unit` are what the table declares; with either, 2019 is a number and not a year. `comma` says that
    decimals stand behind a comma, so that "1.234" is thousands.
    """
    stripped = " ".join(re.split(r"[ \t\r\n]+", text.strip()))
    if _BLANK.fullmatch(stripped):
        return None
    if stripped.casefold() in ("nil", "zero"):
        return Quantity(Decimal(0), unit, Decimal(scale), text=text)
    body = _mended(stripped)
    unmarked = body if _ends_in_unit(body) else _FOOTNOTE.sub("", body)
    for attempt in dict.fromkeys((body, unmarked, body.rstrip(".;:"), without_aside(body))):
        reader = QuantityReader(attempt, Decimal(scale), unit, cell=True, comma=comma)
        m = TRIGGER.search(attempt)
        if m is None:
            return None
        found, _ = reader.at(m.start(), 0)
        if (
            found
            and not attempt[: found.start].strip(" +")
            and not attempt[found.end :].strip(" .")
        ):
            return replace(found.quantity, text=text.strip())
    return None


def without_aside(text: str) -> str:
    """A text without a share or a spread that its number is followed by in parentheses."""
    return _ASIDE.sub("", text)


def _mended(text: str) -> str:
    """A cell with its parentheses close to the number, with the one that a column break took, its minus in front."""
    text = re.sub(r"(?<=\d) (?=\))|(?<=\() (?=\d)", "", text)
    text = re.sub(r"\)\s+%", ")%", text)
    text = _MINUS_BEHIND.sub(r"-\g<number>", _NO_CENTS.sub("", text))
    lost = text.count("(") - text.count(")")
    if abs(lost) != 1:
        return text
    return f"{text})" if lost > 0 else f"({text}"


def _ends_in_unit(text: str) -> bool:
    """Whether a text ends in a unit whose power looks like the mark of a footnote ("m²")."""
    start = len(text)
    while start and (text[start - 1].isalpha() or text[start - 1] in "²³"):
        start -= 1
    hit = match_unit(text, start) if text[-1:] in ("²", "³") else None
    return hit is not None and hit[1] == len(text)
