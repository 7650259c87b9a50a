"""Compounds to their parts: in a language that writes words together, a compound also gives the parts that stand alone elsewhere.

The vocabulary of the index decides what a part is, so nothing is split that the corpus does not say by itself (Braschler and
Ripplinger, "How effective is stemming and decompounding for German text retrieval?", Information Retrieval, 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pincite.index.tokens import tokens
from pincite.language import languages

PART = 4
"""A part has so many letters."""


def may_split(term: str) -> bool:
    """Whether a term is long enough to be a compound."""
    return len(term) >= 2 * PART and term.isalpha()


def split(term: str, code: str, known: Callable[[str], bool]) -> tuple[str, ...]:
    """The terms that make up a term of the language `code`, the fewest and of several ways the most even; () when none do."""
    joints, best = languages()[code].joints, (0, ("", ""))
    for at in range(PART, len(term) - PART + 1):
        tail = _stem(term[at:], code)
        if known(tail):
            for head in _heads(term[:at], joints):
                if known(first := _stem(head, code)):
                    best = max(best, (min(len(head), len(term) - at), (first, tail)))
    if best[0]:
        return best[1]
    for at in range(len(term) - 2 * PART, PART - 1, -1):
        for head in _heads(term[:at], joints):
            if known(first := _stem(head, code)) and (rest := split(term[at:], code, known)):
                return first, *rest
    return ()


def _heads(text: str, joints: tuple[str, ...]) -> Iterator[str]:
    """What stands before a part, with and without the letters that join the two."""
    yield text
    for joint in joints:
        if text.endswith(joint) and len(text) - len(joint) >= PART:
            yield text[: -len(joint)]


def _stem(word: str, code: str) -> str:
    return " ".join(tokens(word, code))
