"""The numbers of a text that may answer, each with marks of what kind it is: a year, an ordinal, a page number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from pincite.derived import kept
from pincite.document.sentences import TokenizedText
from pincite.lexicon import pattern
from pincite.quantity import FoundQuantity, find
from pincite.types import Quantity

_YEAR = re.compile(r"(?:19|20)\d\d(?![\d.,]*\d)")
_DIGITS = re.compile(r"\d[\d.,]*")
_LETTER_BEFORE = re.compile(r"[^\W\d_]-?\Z")
_ORDINAL = pattern("readers", "ordinal ending")
_LABEL_BEFORE = pattern("readers", "label before")


@dataclass(frozen=True, slots=True)
class TextNumber:
    """A quantity of a text at characters [start, end), with what it looks like."""

    quantity: Quantity
    start: int
    end: int
    token: int
    segment: int
    along: float
    marks: Mapping[str, float]


@kept
def numbers_by_segment(reading: TokenizedText) -> Mapping[int, tuple[TextNumber, ...]]:
    """The numbers of every segment that holds one."""
    found: dict[int, tuple[TextNumber, ...]] = {}
    for number in numbers(reading):
        found[number.segment] = (*found.get(number.segment, ()), number)
    return found


@kept
def numbers(reading: TokenizedText) -> tuple[TextNumber, ...]:
    """The quantities of a text, each with marks of what kind of number it is."""
    if not reading.segments:
        return ()
    return tuple(filter(None, map(partial(_text_number, reading), find(reading.text))))


def _text_number(reading: TokenizedText, found: FoundQuantity) -> TextNumber | None:
    """A quantity where it stands in a text; None for one that numbers a label or is part of a word."""
    text, quantity, start, end = reading.text, found.quantity, found.start, found.end
    token = reading.token_at(start)
    before = text[max(0, start - 24) : start]
    inside = reading.starts[token] < start < reading.ends[token]
    if inside or _LABEL_BEFORE.search(before) or _LETTER_BEFORE.search(before):
        return None
    segment = reading.segment_at(token)
    part = reading.segments[segment]
    marks = {
        "year": float(bool(_YEAR.match(text, start)) and quantity.scale == 1),
        "ordinal": float(bool(_ORDINAL.match(text[end : end + 6]))),
        "edge": float(_is_whole(quantity) and _on_edge(text, start, end)),
    }
    along = (start - part.start) / max(1, part.end - part.start)
    return TextNumber(quantity, start, end, token, segment, along, marks)


def _is_whole(quantity: Quantity) -> bool:
    return quantity.scale == 1 and quantity.value == quantity.value.to_integral_value()


def _on_edge(text: str, start: int, end: int) -> bool:
    """Whether a number stands at the end of a line of its own at the top or the bottom of a text, as page numbers do."""
    digits = _DIGITS.match(text, start)
    last = digits.end() if digits else end
    alone = text[max(0, start - 1) : start] in ("", "\n") or text[last : last + 1] in ("", "\n")
    return alone and (last <= text.find("\n", 1) or start > text.rstrip().rfind("\n"))
