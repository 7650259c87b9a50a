"""The parts of a question that a follow-up can replace: its names with the words that place them, its times, its subject."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pincite.document.times import when
from pincite.question.wording import NUMBER_NOUN, PERIOD_PHRASE
from pincite.text.lexicon import pattern

Known = Callable[[str], bool]
"""Whether a name is one of a document, a company or an author of the corpus."""

_RUN = pattern("question", "name run", "follow-ups")
_PLACED = pattern("question", "placed", "follow-ups")
_ACTS = pattern("question", "acts", "follow-ups")
_STOPS = pattern("question", "stops", "follow-ups")
_OPENING = pattern("question", "opening", "follow-ups")
_POSSESSED = pattern("question", "possessed", "follow-ups")
_NO_NAME = pattern("question", "no name", "follow-ups")


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A name at characters [start, end) of a question, the word that places it ("of", "did", "'s") and [first, last) with it."""

    text: str
    start: int
    end: int
    word: str = ""
    first: int = 0
    last: int = 0


def names(text: str, known: Known) -> list[PlacedName]:
    """The names in a question: runs of capitalised words, and what the corpus knows however it is written."""
    found: list[PlacedName] = []
    for match in _RUN.finditer(text):
        start, end = _trimmed(text, *match.span())
        measured = NUMBER_NOUN.search(text[start:end]) and not known(text[start:end])
        if end > start and not measured and not when(text[start:end]):
            found.append(_placed(text, start, end))
    if not found and text[1:].islower():
        found = [_placed(text, *span) for span in _careless(text, known)]
    return found


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A run without the question words, months and units at its ends, and without a possessive."""
    words = [
        (start + found.start(), start + found.end())
        for found in re.finditer(r"\S+", text[start:end])
    ]
    while words and _NO_NAME.fullmatch(text[slice(*words[0])]):
        words = words[1:]
    while words and _NO_NAME.fullmatch(text[slice(*words[-1])]):
        words = words[:-1]
    if not words:
        return end, end
    first, last = words[0][0], words[-1][1]
    return first, last - _possessive(text[first:last])


def _possessive(name: str) -> int:
    """How many characters of a name are the possessive that ends it."""
    bare = name.removesuffix("s")
    return len(name) - len(bare) + 1 if bare.endswith(("'", "’")) else 0


def _careless(text: str, known: Known) -> list[tuple[int, int]]:
    """The longest runs of words of a text without capitals that the corpus knows as a name."""
    words = [match.span() for match in re.finditer(r"[^\s,?!.]+", text)]
    spans: list[tuple[int, int]] = []
    for size in (4, 3, 2, 1):
        for at in range(len(words) - size + 1):
            start, end = words[at][0], words[at + size - 1][1]
            end -= _possessive(text[start:end])
            if not any(a < end and start < b for a, b in spans) and known(text[start:end]):
                spans.append((start, end))
    return sorted(spans)


def _placed(text: str, start: int, end: int) -> PlacedName:
    head = text[:start]
    if match := _POSSESSED.match(text, end):
        the = pattern("question", "the", "follow-ups").search(head)
        return PlacedName(
            text[start:end], start, end, "'s", the.start() if the else start, match.end()
        )
    if match := _PLACED.search(head):
        return PlacedName(text[start:end], start, end, match["word"].lower(), match.start(), end)
    if match := _ACTS.search(head):
        return PlacedName(text[start:end], start, end, "did", start, end)
    return PlacedName(text[start:end], start, end, "", start, end)


def periods(text: str) -> list[str]:
    """The phrases of a question that name its time, with their prepositions."""
    phrases = [match[0].strip(" ,") for match in PERIOD_PHRASE.finditer(text) if when(match[0])]
    if phrases:
        return phrases
    placed = r"(?:\b(?:in|for|during|at|on)\s+)?(?:the\s+)?"
    found = (re.search(placed + re.escape(period.text), text) for period in when(text))
    return [match[0] for match in found if match]


def subject_at(base: str, known: Known) -> tuple[int, int] | None:
    """Where the subject stands: the words after the opening, up to a preposition, a verb, a placed name or a time."""
    placed = names(base, known)
    masked = base
    spans = [(named.first, named.last) for named in placed if named.word not in ("", "'s")]
    for first, last in (*spans, *(found.span() for found in PERIOD_PHRASE.finditer(base))):
        masked = masked[:first] + "\x00" * (last - first) + masked[last:]
    opening = _OPENING.match(masked)
    start = opening.end() if opening else 0
    for named in placed:
        if named.word == "'s" and named.first == start:
            start = len(base) - len(base[named.last :].lstrip())
    stop = _STOPS.search(masked, start)
    end = stop.start() if stop else len(masked)
    inside = base[start:end]
    end = start + len(inside.rstrip())
    return (start, end) if re.search(r"[^\W\d_]{3,}", inside) else None
