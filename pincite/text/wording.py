"""Words of messages: numbers with what they count ("1 file", "1,204 entries"), and what may be meant by an unknown name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

_IRREGULAR = {"person": "people"}
_ENDING = re.compile(r"(?:s|x|z|ch|sh)$")
_IES = re.compile(r"(?<![aeiou])y$")
NEAR = 3
"""Names that are suggested at most."""
ALIKE = 0.6
"""How alike two spellings must be, as `difflib` counts it: the share of letters that both have in the same order."""


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


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names most like `name`, best first: those that contain it, then those spelled alike, whole or in one word."""
    wanted = name.casefold().strip()
    names = list(dict.fromkeys(known))
    if not wanted:
        return []
    found = [held for held in names if wanted in held.casefold()]
    spellings: dict[str, str] = {}
    for held in names:
        for spelling in (held.casefold(), *held.casefold().split()):
            spellings.setdefault(spelling, held)
    alike = get_close_matches(wanted, spellings, 2 * NEAR, ALIKE)
    return list(dict.fromkeys((*found, *(spellings[spelling] for spelling in alike))))[:NEAR]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question that follows a message: " Did you mean 'a' or 'b'?"; "" where nothing known is like the name."""
    near = [repr(held) for held in nearest(name, known)]
    if not near:
        return ""
    return f" Did you mean {' or '.join(filter(None, (', '.join(near[:-1]), near[-1])))}?"
