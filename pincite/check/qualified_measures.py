"""Measures that a firm defines itself: "core net income" is not the net income of its statements."""

from __future__ import annotations

from pincite.document.words import stems, words
from pincite.evidence.cited_place import CitedPlace, Failed, sentence_of
from pincite.lexicon import pattern
from pincite.question.ask import Ask

_QUALIFIED = pattern("check", "qualified measure")
_REMEDY = "Cite the measure as the question names it, or answer N/A."


def of_qualified_measure(place: CitedPlace, ask: Ask) -> None:
    """Raise Failed where a place qualifies the measure that is asked for by a word that the question does not have."""
    asked, said = frozenset(ask.words), ask.stems
    text = _said(place)
    for found in _QUALIFIED.finditer(text):
        measure = asked & frozenset(words(found["measure"]))
        if not measure or said & frozenset(stems(found["qualifier"])):
            continue
        if measure.isdisjoint(words(text[found.end() :])):
            how = f"{place.described} is of {' '.join(found[0].split())}"
            raise Failed("contradicted", how, place.citation.label, _REMEDY)


def _said(place: CitedPlace) -> str:
    """What names a place's number: the label of a cell, or its sentence as far as the number."""
    if place.cell is not None:
        return place.cell.label
    if not place.numbers:
        return ""
    number = place.numbers[0]
    return place.node.text[sentence_of(place.node, number)[0] : number.start]
