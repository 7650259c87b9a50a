"""Numbered things that a place joins and a question does not: "Scope 1 and 2" is not Scope 2."""

from __future__ import annotations

import re

from pincite.evidence.cited_place import CitedPlace, Failed
from pincite.lexicon import pattern
from pincite.question.understanding import Ask

_JOINED = pattern("check", "joined numbers")
_NUMBER = re.compile(r"\d+")
_REMEDY = "Cite the place that is of just what the question names, or answer N/A."


def of_other_items(ask: Ask, place: CitedPlace) -> None:
    """Raise Failed where a row or sentence is of several numbered things together, and the question names others of them.

    A place that names just what is asked as well, or says that its numbers are in order ("respectively"), is let through.
    """
    cell = place.cell
    text = " ".join((*cell.sections, cell.label)) if cell else place.citation.quote
    if "respectively" in text:
        return
    for word, joined in _named(text):
        asked = {numbers for other, numbers in _named(ask.text) if other == word}
        if len(joined) > 1 and asked and joined not in asked and not asked & _numbers(word, text):
            told = f"{word} {' and '.join(sorted(joined))}"
            how = f"{place.described} is of {told} together"
            raise Failed("contradicted", how, place.citation.label, _REMEDY)


def _named(text: str) -> list[tuple[str, frozenset[str]]]:
    """The numbered things of a text: a word, and the numbers that stand behind it together."""
    return [
        (found["word"].casefold(), frozenset(_NUMBER.findall(found["numbers"])))
        for found in _JOINED.finditer(text)
    ]


def _numbers(word: str, text: str) -> set[frozenset[str]]:
    return {numbers for other, numbers in _named(text) if other == word}
