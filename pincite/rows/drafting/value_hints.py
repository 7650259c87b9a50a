"""The stored values that words of a question resemble best: a model copies them, and the check looks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pincite.database.relations.model import Database
from pincite.database.relations.name_folding import stems
from pincite.database.relations.near_values import ValueMatch
from pincite.search.index.tokens import STOP_WORDS

if TYPE_CHECKING:
    from pincite.rows.clean_source import CleanSource

MOST = 4
"""Values that are shown with a question; more are taken for a list to choose from."""
SAME, LIKE, PART = 0.93, 0.82, 0.55
"""The least likeness of a value to words of a question: written the same, to words in small letters, and to a name."""
LONGEST = 6
WORD, JOINED = 0.7, 0.9
"""Likeness from which a word is taken for another that is spelled otherwise, and several words without their spaces."""
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_](?:[\w'&./+-]*[\w%])?")
PLACES = 12
"""Places that are looked at for a phrase: what many tables name stands in each of them."""


@dataclass(frozen=True, slots=True)
class ValueHint:
    """That words of a question are like a stored value of a column; `same`: but for case, accents and plurals they are it."""

    words: str
    relation: str
    column: str
    value: str
    same: bool


def value_hints(question: str, values: CleanSource) -> tuple[ValueHint, ...]:
    """The stored values that words of a question are like, the surest first; of words inside others only the longer ones."""
    found: list[tuple[float, int, int, ValueHint]] = []
    taken: list[range] = []
    for phrase, start, end in _phrases(question):
        if any(start >= other.start and end <= other.stop for other in taken):
            continue
        named = any(letter.isupper() or letter.isdigit() for letter in phrase)
        least = PART if named else LIKE
        near = [each for each in values.near(phrase, PLACES) if each.score >= least]
        near = [
            each for each in _owned_first(near, values.database)[:4] if _may_be_meant(phrase, each)
        ]
        near = [each for each in near if not named_otherwise(question, each.value)]
        if not near:
            continue
        best = near[0].score
        for each in [other for other in near if other.score >= min(best, SAME)][:2]:
            hint = ValueHint(phrase, each.relation, each.column, each.value, each.score >= SAME)
            found.append((-each.score, start, end, hint))
        if best >= SAME:
            taken.append(range(start, end))
    first: dict[tuple[str, str, str], ValueHint] = {}
    for _, start, end, hint in sorted(found, key=lambda each: (each[0], -len(each[3].words))):
        if hint.same or not any(start >= o.start and end <= o.stop for o in taken):
            first.setdefault((hint.relation, hint.column, hint.value), hint)
    return tuple(first.values())[:MOST]


def named_otherwise(question: str, value: str) -> str:
    """The name in a question that begins like a stored value and goes on otherwise, "" where there is none: who asks for
    "AX 4" or "Delta Clinic" does not mean "AX 40" or "Delta Clean".
    """
    held = [word.casefold() for word in _WORD.findall(value)]
    said = list(_WORD.finditer(question))
    words = [found[0].casefold() for found in said]
    if any(words[at : at + len(held)] == held for at in range(len(words))):
        return ""
    for at in range(len(said) - 1):
        same = 0
        while same < len(held) and at + same < len(words) and words[at + same] == held[same]:
            same += 1
        if not 0 < same < len(held) or at + same >= len(said):
            continue
        behind = said[at + same]
        between = question[said[at + same - 1].end() : behind.start()]
        name = any(letter.isupper() or letter.isdigit() for letter in behind[0])
        others = set(held[same:]).isdisjoint(words) and not is_spelling_of(behind[0], held[same])
        if between == " " and name and others:
            return question[said[at].start() : behind.end()]
    return ""


def is_spelling_of(text: str, value: str) -> bool:
    """Whether a text may be a value spelled otherwise: all of it is like it, or each of its words; with the same digits."""
    if _DIGITS.findall(text) != _DIGITS.findall(value):
        return False
    own, held = stems(text).split(), stems(value).split()
    whole = get_close_matches("".join(own), ["".join(held)], 1, JOINED)
    return bool(whole) or all(get_close_matches(word, held, 1, WORD) for word in own)


def _owned_first(near: Sequence[ValueMatch], database: Database) -> list[ValueMatch]:
    """The values as they are, but those of one likeness by their owners: what stands in many tables belongs to the one that the
    others link to.
    """
    places = {(each.relation, each.column, each.value.casefold()) for each in near}
    links = {}
    for relation in database.relations:
        for link in (link for link in relation.links if len(link.columns) == 1):
            links[relation.name, link.columns[0]] = (link.to, link.to_columns[0])

    def owned(each: ValueMatch) -> bool:
        to = links.get((each.relation, each.column))
        return to is not None and (*to, each.value.casefold()) in places

    return sorted(near, key=lambda each: (-each.score, owned(each)))


def _may_be_meant(phrase: str, found: ValueMatch) -> bool:
    """Whether a short value is written as in the question, and a number of the question is the whole value."""
    if phrase.isdigit() and (len(phrase) < 3 or found.value != phrase):
        return False
    return len(found.value) > 3 or found.value in phrase.split() or found.value.isdigit()


def _phrases(question: str) -> Iterator[tuple[str, int, int]]:
    """The phrases of a question that begin and end with a telling word, the longest first, with where they stand."""
    words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(question)]
    for length in range(min(LONGEST, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            ends = words[at], words[at + length - 1]
            if any(_is_idle(word) for word, _, _ in ends):
                continue
            start, end = ends[0][1], ends[1][2]
            yield question[start:end], start, end


def _is_idle(word: str) -> bool:
    """Whether a word names nothing: a word of grammar, or a single small letter."""
    grammar = word.casefold() in STOP_WORDS and not word.isupper()
    return grammar or len(word) == 1 and word.islower()
