"""Places of something else than what is asked: another kind, other numbered things, a firm's own measure, another firm."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import permutations

from pincite.document.asked_labels import of_others
from pincite.document.cell_values import cell_times, quantity_of
from pincite.document.labelled_cells import Labelled
from pincite.document.statement_rows import LineItem, bare_label, plain, row_name
from pincite.document.times import years_of
from pincite.evidence.cell_terms import times_of
from pincite.evidence.cited_place import CitedPlace, Failed, cells_of, contradicted, sentence_of
from pincite.quantity import UnitError, in_unit, same
from pincite.quantity.units import canonical_unit, is_currency
from pincite.question.ask import Ask
from pincite.question.cues import says
from pincite.text.lexicon import pattern
from pincite.text.words import stems, words
from pincite.types import Node, Quantity

ROUNDED = Decimal("0.01")
"""How far two amounts of one line item may be apart: a summary rounds."""
_POINTS = pattern("check", "points")
_JOINED = pattern("check", "joined numbers")
_NUMBER = re.compile(r"\d+")
_QUALIFIED = pattern("check", "qualified measure")

_KIND = (
    "Name the line that has a value of the kind that the question asks for (an amount, a share, a count, a time); where none "
    "has, lines is empty."
)
_UNCHANGED = "Name the line of the value itself; where no line has it, lines is empty."
_NUMBERED = "Name the line that is of just what the question names; where none is, lines is empty."
_MEASURE = (
    "Name the line of the measure as the question names it; where no line has it, lines is empty."
)
_STATEMENT = "Take all values of the calculation from one and the same statement; where none has all, lines is empty."


def of_other_kind(value: Quantity, place: CitedPlace, ask: Ask) -> None:
    """Raise Failed where a quoted number is of another kind, says by how much something changed, or has no unit asked for."""
    if not _fits_kind(ask, value):
        why, remedy = "is not the kind of answer that was asked for", _KIND
    elif _is_change(ask, value, place):
        why, remedy = "says by how much it changed", _UNCHANGED
    elif not _fits_unit(ask, value):
        unit = ask.query.unit or ask.unit
        why = f"is not a quantity in {unit}"
        remedy = f"Name the line of a number in {unit}; where no line has one, lines is empty."
    else:
        return
    raise Failed("unsupported", f"{place.described} {why}", place.citation.label, remedy)


def _fits_kind(ask: Ask, quantity: Quantity) -> bool:
    """Whether a number can answer at all: not a yes or no, not who, where or why, and no money where things are counted."""
    if ask.expects == "boolean" or ask.wants in ("person", "place", "reason"):
        return False
    return not (ask.says("count of things") and is_currency(quantity.unit))


def _is_change(ask: Ask, quantity: Quantity, place: CitedPlace) -> bool:
    """Whether a text says by how many points something changed, and the question asks for no change."""
    if ask.operation != "lookup" or not _POINTS.search(quantity.text):
        return False
    before, found, _ = place.node.text.partition(quantity.text)
    return bool(found) and says(before[-60:], "a change") and not ask.says("a change")


def _fits_unit(ask: Ask, quantity: Quantity) -> bool:
    """Whether a quantity can be said in the unit that the caller asks for; a percentage asked for in words is one too."""
    if not ask.query.unit:
        bare = not quantity.unit and quantity.scale == 1
        return ask.unit != "%" or bare or quantity.unit in ("%", "x", "pp", "bp")
    if ask.is_rate(quantity.unit, canonical_unit(ask.query.unit)):
        return True
    try:
        in_unit(quantity, ask.query.unit)
    except UnitError:
        return False
    return True


def of_other_items(place: CitedPlace, ask: Ask) -> None:
    """Raise Failed where a row or sentence is of several numbered things together, and the question names others of them, or a
    row is of a numbered thing that the question does not name ("Scope 1" for Scope 3): "Scope 1 and 2" is not Scope 2.

    A place that names just what is asked as well, or says that its numbers are in order ("respectively"), is let through.
    """
    cell = place.cell
    text = " ".join((*cell.sections, cell.label)) if cell else place.citation.quote
    if "respectively" in text:
        return
    for word, joined in _numbered(text):
        asked, there = _numbers(word, ask.text), _numbers(word, text)
        if not asked or asked & there:
            continue
        apart = frozenset().union(*there).isdisjoint(frozenset().union(*asked))
        if (cell and apart) or len(joined) > 1:
            how = f"{place.described} is of {word} {' and '.join(sorted(joined))}"
            raise contradicted(how, place, _NUMBERED)


def _numbered(text: str) -> list[tuple[str, frozenset[str]]]:
    """The numbered things of a text: a word, and the numbers that stand behind it together."""
    return [
        (found["word"].casefold(), frozenset(_NUMBER.findall(found["numbers"])))
        for found in _JOINED.finditer(text)
    ]


def _numbers(word: str, text: str) -> set[frozenset[str]]:
    return {numbers for other, numbers in _numbered(text) if other == word}


def of_qualified_measure(place: CitedPlace, ask: Ask) -> None:
    """Raise Failed where a place qualifies the measure that is asked for by a word that the question does not have, or says that
    it is the part of other owners.

    A firm defines such measures itself: its "core net income" is not the net income of its statements.
    """
    asked, said = frozenset(ask.words), ask.stems
    text = _named_by(place)
    for found in _QUALIFIED.finditer(text):
        measure = asked & frozenset(words(found["measure"]))
        if not measure or said & frozenset(stems(found["qualifier"])):
            continue
        if measure.isdisjoint(words(text[found.end() :])):
            how = f"{place.described} is of {' '.join(found[0].split())}"
            raise contradicted(how, place, _MEASURE)
    if of_others(text, said):
        how = f"{place.described} is the part of others"
        raise contradicted(how, place, _MEASURE)


def _named_by(place: CitedPlace) -> str:
    """What names a place's number: the label of a cell, or its sentence as far as the number."""
    if place.cell is not None:
        return place.cell.label
    if not place.numbers:
        return ""
    number = place.numbers[0]
    return place.node.text[sentence_of(place.node, number)[0] : number.start]


def of_one_firm(found: Sequence[CitedPlace], items: Sequence[LineItem]) -> None:
    """Raise Failed where an operand's own table has another operand's line item at its year with another amount.

    The affiliates' net income beside the firm's sales: the table of the affiliates has sales of its own.
    """
    for place, other in permutations(found, 2):
        if other.cell is None or place.node.id == other.node.id:
            continue
        years = set(years_of(times_of(other)))
        own = _amounts(place.node, _names_of(other.cell, items), years)
        there = quantity_of(other.node, other.cell)
        if own and there and not any(same(there, a, rel=ROUNDED, lenient=True) for a in own):
            how = f"{place.described} is of another table than {other.described}, which says otherwise of it"
            raise contradicted(how, place, _STATEMENT)


def _amounts(node: Node, names: set[str], years: set[int]) -> list[Quantity]:
    """What a table gives for a line item of these names at these years."""
    cells = (
        cell
        for cell in cells_of(node)
        if _name(cell) in names and years & set(years_of(cell_times(cell)))
    )
    found = (quantity_of(node, cell) for cell in cells)
    return [amount for amount in found if amount and amount.unit != "%"]


def _names_of(cell: Labelled, items: Iterable[LineItem]) -> set[str]:
    """How rows of the line item of a cell are called; none where it is of no item."""
    labels = ({plain(bare_label(written)) for written in item.labels} for item in items)
    return set().union(*(written for written in labels if _name(cell) in written))


def _name(cell: Labelled) -> str:
    return plain(bare_label(row_name(cell)))
