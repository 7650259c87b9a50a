"""Whose share a percentage of women or men is: of the workforce, of management, of the board, or of something else."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.check.rival_numbers import clause_of
from pincite.document.words import stems
from pincite.evidence.cited_place import CitedPlace, Failed, PlacedQuantity
from pincite.lexicon import pattern, word_list
from pincite.quantity import same
from pincite.question.understanding import Ask
from pincite.types import Quantity, Value


def _stems_of(name: str) -> frozenset[str]:
    return frozenset(stems(" ".join(word_list("check", name))))


_GENDER = _stems_of("of gender")
_OPERATIONS = _stems_of("operations")
_GROUPS = tuple(frozenset(stems(group)) for group in word_list("check", "groups of people"))
"""The whole workforce, then parts of it and those above it."""
_WORKFORCE = 0
_NOUN = pattern("check", "noun of a percentage")
_REMEDY = "Cite the share of just the people that the question names, or answer N/A."


def of_other_people(value: Value, place: CitedPlace, ask: Ask) -> None:
    """Raise Failed where a share of women or men is asked for, and the place gives that of other people ("of the board" for
    employees), or a percentage of something that is no people ("100% pay equity").
    """
    if not isinstance(value, Quantity) or value.unit != "%":
        return
    asked = frozenset(stems(ask.text))
    if asked.isdisjoint(_GENDER):
        return
    number = next((each for each in place.numbers if same(value, each.quantity)), None)
    own = _groups(asked) or {_WORKFORCE}
    theirs = _groups(stems(_said(place, number)))
    if theirs - own - {_WORKFORCE} or (theirs and own.isdisjoint(theirs)):
        how = f"{place.described} is of other people"
        raise Failed("contradicted", how, place.citation.label, _REMEDY)
    noun = _noun(place, number)
    if noun and noun.isdisjoint(asked | _GENDER | _OPERATIONS) and not _groups(noun):
        how = f"{place.described} is a share of something else"
        raise Failed("contradicted", how, place.citation.label, _REMEDY)


def _groups(words: Iterable[str]) -> set[int]:
    """Which groups of people words name, by their place in the list."""
    said = frozenset(words)
    return {at for at, group in enumerate(_GROUPS) if said & group}


def _said(place: CitedPlace, number: PlacedQuantity | None) -> str:
    """What a place says of its number: the labels of a cell, the clause of a sentence."""
    if place.cell is not None:
        return " ".join((*place.cell.sections, place.cell.label))
    return clause_of(place, number) if number is not None else ""


def _noun(place: CitedPlace, number: PlacedQuantity | None) -> frozenset[str]:
    """The words that stand right behind a percentage of running text and that it is of: "100% pay equity for"."""
    if place.cell is not None or number is None:
        return frozenset()
    found = _NOUN.match(place.node.text, number.end)
    return frozenset(stems(found["noun"])) if found else frozenset()
