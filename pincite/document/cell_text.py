"""What the text of a table cell is: a number, a year, nothing at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pincite.quantity.dimensions import measure
from pincite.quantity.whole_text import parse, without_aside

LONGEST = 2_000
"""Characters of the longest cell that may hold a number; a longer one is text."""
_NUMBER = re.compile(
    r"^[^\w(]*+\(?[^\w(]*+\d[\d,.]*+(?:[\s'’]\d{3})*+(?:[.,]\d+)?\s?\)?\W*+(?:\w{0,3}|pts|points|years)?\)?\W*+$"
)
YEAR = re.compile(
    r"^(?:[A-Za-z]\D{0,13}|\D{0,3})?(?:\d{1,2},? )?(?:19|20)\d\d(?:\D{0,6}|\s*\(\w\)|"
    r"\s*\D{0,3}[’'‘]000)$|\b(?:19|20)\d\d\s.*[’'‘]000"
)
"""A year, or a date with one, as columns are headed."""
_UNIT = re.compile(r"^\D*0{3}s?\W*$")
_BLANK = re.compile(r"^[\s\-–—−.*$€£¥]*$")
_MEASURED = re.compile(r"[-−+(]?\d[\d,.\s]*[^\W\d]")
LONGEST_MEASURED = 24
"""Characters of the longest cell that is a number with its unit."""


@lru_cache(maxsize=65536)
def is_number(text: str) -> bool:
    """Whether a cell holds a number rather than words; a bare year is a label."""
    if len(text) > LONGEST or YEAR.match(text) or _UNIT.match(text):
        return False
    return bool(_NUMBER.match(without_aside(text))) or is_measured(text)


@lru_cache(maxsize=65536)
def is_measured(text: str) -> bool:
    """Whether a cell is one number with its unit of measurement ("67,150 kWh"); a time ("30 days") may label a row as well."""
    if len(text) > LONGEST_MEASURED or not _MEASURED.match(text):
        return False
    held = parse(text)
    if held is None or held.low is not None:
        return False
    if held.scale != 1:
        return True
    bases = measure(held.unit)[1]
    return any(power > 0 and name != "time" for name, power in bases)


@lru_cache(maxsize=65536)
def is_blank(text: str) -> bool:
    """Whether a cell says nothing: empty, or a dash for nil."""
    return bool(_BLANK.match(text))


def is_running(texts: Sequence[str]) -> bool:
    """Whether the cells of a column number its rows from 1 on."""
    held = [text.strip().rstrip(".)") for text in texts if text.strip()]
    return len(held) > 1 and held == [str(number) for number in range(1, len(held) + 1)]
