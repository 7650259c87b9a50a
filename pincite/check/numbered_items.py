"""Numbered things that a place joins and a question does not: "Scope 1 and 2" is not Scope 2."""

from __future__ import annotations

import re

from pincite.evidence.cited_place import CitedPlace, Failed
from pincite.lexicon import pattern
from pincite.question.ask import Ask

_JOINED = pattern("check", "joined numbers")
_NUMBER = re.compile(r"\d+")
_REMEDY = "Cite the place that is of just what the question names, or answer N/A."


def of_other_items(ask: Ask, place: CitedPlace) -> None:
    """Raise Failed where a row or sentence is of several numbered things together, and the question names others of them, or a
    row is of a numbered thing that the question does not name ("Scope 1" for Scope 3).

    A place that names just what is asked as well, or says that its numbers are in order ("respectively"), is let through.
    """
    cell = place.cell
    text = " ".join((*cell.sections, cell.label)) if cell else place.citation.quote
    if "respectively" in text:
        return
    for word, joined in _named(text):
        asked, there = _numbers(word, ask.text), _numbers(word, text)
        if not asked or asked & there:
            continue
        other = cell is not None and frozenset().union(*there).isdisjoint(
            frozenset().union(*asked)
        )
        if other or len(joined) > 1:
            how = f"{place.described} is of {word} {' and '.join(sorted(joined))}"
            raise Failed("contradicted", how, place.citation.label, _REMEDY)


def _named(text: str) -> list[tuple[str, frozenset[str]]]:
    """The numbered things of a text: a word, and the numbers that stand behind it together."""
    return [
        (found["word"].casefold(), frozenset(_NUMBER.findall(found["numbers"])))
        for found in _JOINED.finditer(text)
    ]


def _numbers(word: str, text: str) -> set[frozenset[str]]:
    return {numbers for other, numbers in _named(text) if other == word}
