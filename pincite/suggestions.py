"""What somebody may have meant by a name that is not known: the known names that are spelled most like it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

NEAR = 3
"""Names that are suggested at most."""
ALIKE = 0.6
"""How alike two spellings must be, as `difflib` counts it: the share of letters that both have in the same order."""


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names most like `name`, best first: those that contain it, then those spelled alike, whole or in one word."""
    wanted = name.casefold().strip()
    names = list(dict.fromkeys(known))
    if not wanted:
        return []
    found = [held for held in names if wanted in held.casefold()]
    spellings: dict[str, str] = {}
    for held in names:
        folded = held.casefold()
        for spelling in (folded, *folded.split()):
            spellings.setdefault(spelling, held)
    alike = get_close_matches(wanted, spellings, 2 * NEAR, ALIKE)
    return list(dict.fromkeys((*found, *(spellings[spelling] for spelling in alike))))[:NEAR]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question that follows a message: " Did you mean 'a' or 'b'?"; "" where nothing known is like the name."""
    near = [repr(held) for held in nearest(name, known)]
    if not near:
        return ""
    return f" Did you mean {' or '.join(filter(None, (', '.join(near[:-1]), near[-1])))}?"
