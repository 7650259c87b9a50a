"""What the text of a table cell is: a number, a year, nothing at all."""

from __future__ import annotations

import re
from functools import lru_cache

from pincite.quantity.whole_text import without_aside

LONGEST = 2_000
"""Characters of the longest cell that may hold a number; a longer one is text."""
_NUMBER = re.compile(
    r"^[^\w(]*+\(?[^\w(]*+\d[\d,.]*+(?:\s\d{3})*+\s?\)?\W*+(?:\w{0,3}|pts|points|years)?\)?\W*+$"
)
YEAR = re.compile(
    r"^(?:[A-Za-z]\D{0,13}|\D{0,3})?(?:\d{1,2},? )?(?:19|20)\d\d(?:\D{0,6}|\s*\(\w\)|"
    r"\s*\D{0,3}[’'‘]000)$|\b(?:19|20)\d\d\s.*[’'‘]000"
)
"""A year, or a date with one, as columns are headed."""
_UNIT = re.compile(r"^\D*0{3}s?\W*$")
_BLANK = re.compile(r"^[\s\-–—−.*$€£¥]*$")


@lru_cache(maxsize=65536)
def is_number(text: str) -> bool:
    """Whether a cell holds a number rather than words; a bare year is a label."""
    return (
        len(text) <= LONGEST
        and bool(_NUMBER.match(without_aside(text)))
        and not YEAR.match(text)
        and not _UNIT.match(text)
    )


@lru_cache(maxsize=65536)
def is_blank(text: str) -> bool:
    """Whether a cell says nothing: empty, or a dash for nil."""
    return bool(_BLANK.match(text))
