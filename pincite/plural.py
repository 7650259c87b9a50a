"""Numbers with what they count: "1 file", "2 files", "1,204 entries"."""

from __future__ import annotations

import re

_IRREGULAR = {"person": "people"}
_ENDING = re.compile(r"(?:s|x|z|ch|sh)$")
_IES = re.compile(r"(?<![aeiou])y$")


def counted(number: int, noun: str) -> str:
    """A number and what it counts; `noun` is in the singular, and its last word becomes the plural."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """The plural of a noun in English."""
    before, space, last = noun.rpartition(" ")
    if last in _IRREGULAR:
        formed = _IRREGULAR[last]
    elif _IES.search(last):
        formed = _IES.sub("ies", last)
    else:
        formed = last + ("es" if _ENDING.search(last) else "s")
    return before + space + formed
