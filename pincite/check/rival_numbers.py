"""A cited number of running text against the question: do the words around it point to another year, clause or sentence?

Years are compared with the question only where a sentence binds them to the number; clauses and sentences are rivals as cells
are (`rival_cells.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from pincite.check.rival_cells import Fit, Prefers, asked_words, fit
from pincite.document.sentences import Segment, read
from pincite.document.times import when, years_of
from pincite.document.words import STOP, words
from pincite.evidence.candidate import Evidence
from pincite.evidence.cited_place import (
    CitedPlace,
    PlacedQuantity,
    clipped,
    numbers_in,
    sentence_of,
)
from pincite.lexicon import pattern
from pincite.quantity import UnitError, in_unit
from pincite.quantity.units import canonical_unit, is_currency
from pincite.question.ask import Ask
from pincite.question.cues import says
from pincite.types import Node, Quantity


@dataclass(frozen=True, slots=True)
class Bound:
    """The years a sentence binds to a number; `beside` when they stand right by it, not at the opening of the sentence."""

    years: frozenset[int] = frozenset()
    beside: bool = False


_BEFORE = pattern("check", "year before")
_AFTER = pattern("check", "year behind")
_OPENING = pattern("check", "year of a clause")
_COMPARED = pattern("check", "compared year")
_VERB = pattern("check", "verb of amounts")
_ITEMS = pattern("check", "between subjects")
_EARLIER = pattern("check", "earlier")
_FROM = pattern("check", "changed from")
_CLAUSE = pattern("check", "clause")
_TOGETHER = pattern("check", "years together")
_POINTS = pattern("check", "points")


def bound_years(place: CitedPlace, cited: PlacedQuantity) -> Bound:
    """The years that a sentence binds to a number of it.

    "(2022: 93.4)", "93.4 in 2022", "93.4 and 91.0 in 2022 and 2021, respectively", "In 2021 and 2022, ... 91.0 and 93.4", and
    "In 2022, ... 93.4".
    """
    start, end = sentence_of(place.node, cited)
    text = place.node.text[:end]
    if "respectively" in text[start:]:
        years = years_of(when(text[start:]))
        numbers = [number.start for number in amounts_of(place.node, start, end)]
        return Bound(_in_turn(cited.start, numbers, years), True)
    if together := _TOGETHER.search(text, start):
        years = years_of(when(together[0]))
        numbers = [number.start for number in amounts_of(place.node, start, end)]
        if len(years) == len(numbers) and years == years_of(when(text[start:])):
            return Bound(_in_turn(cited.start, numbers, years), True)
    if match := _BEFORE.search(text, max(start, cited.start - 12), cited.start):
        return Bound(_years(match["year"]), True)
    if match := _AFTER.match(text, cited.end):
        return Bound(_years(match["year"] or match["plain"]), True)
    opening = list(_OPENING.finditer(text[start : cited.start]))
    return Bound(_years(opening[-1]["year"]) if opening else frozenset())


def _in_turn(cited: int, numbers: Sequence[int], years: Sequence[int]) -> frozenset[int]:
    """The year of one of several numbers that are followed by as many years."""
    if not 1 < len(years) <= len(numbers):
        return frozenset()
    return frozenset(
        year for year, start in zip(years, numbers[-len(years) :], strict=True) if start == cited
    )


def _years(text: str) -> frozenset[int]:
    return frozenset(period.year for period in when(text))


def elsewhere(ask: Ask, place: CitedPlace, cited: PlacedQuantity) -> bool:
    """Whether the sentence itself sets another number against the cited one for what is asked.

    "93.4 (2022: 91.0)" when 2022 is asked, "91.0 a year earlier" when the year of the other is, "93.4, up from 91.0" when no
    time is, and "X and Y were 93.4 and 91.0, respectively" when Y is.
    """
    text = place.node.text
    compared = _COMPARED.match(text, cited.end)
    if compared and len(ask.periods) == 1 and ask.periods[0].year in _years(compared["year"]):
        return True
    first, last = sentence_of(place.node, cited)
    amounts = amounts_of(place.node, first, last)
    others = [number for number in amounts if number.start != cited.start]
    if (
        ask.periods
        and _EARLIER.match(text, cited.end)
        and _is_beside(ask.periods[0].year, place, others)
    ):
        return True
    if _changed_from(ask, text[first : cited.start], cited, others):
        return True
    return _of_other_item(
        text[first:last],
        [number.start for number in amounts],
        cited.start,
        asked_words(ask, False),
    )


def _changed_from(
    ask: Ask, before: str, cited: PlacedQuantity, others: Iterable[PlacedQuantity]
) -> bool:
    """Whether a number is what another one of its unit changed from, and the question names no time and asks for no change."""
    if ask.periods or not _FROM.search(before) or ask.says("a change"):
        return False
    return any(other.quantity.unit == cited.quantity.unit for other in others)


def _is_beside(year: int, place: CitedPlace, numbers: Iterable[PlacedQuantity]) -> bool:
    """Whether a year stands beside one of the numbers."""
    bounds = (bound_years(place, number) for number in numbers)
    return any(bound.beside and year in bound.years for bound in bounds)


def _of_other_item(sentence: str, starts: list[int], cited: int, asked: frozenset[str]) -> bool:
    """Whether "X and Y were 93.4 and 91.0, respectively" gives the cited number for another item than the one asked for."""
    verb = _VERB.search(sentence)
    if "respectively" not in sentence or verb is None:
        return False
    items = [frozenset(words(part)) for part in _ITEMS.split(sentence[: verb.start()])]
    numbers = starts[-len(items) :]
    if not 2 <= len(items) <= len(starts) or cited not in numbers:
        return False
    counts = Counter(chain.from_iterable(items))
    named = [
        at for at, item in enumerate(items) if any(counts[word] == 1 for word in item & asked)
    ]
    return len(named) == 1 and named[0] != numbers.index(cited)


def amounts_of(node: Node, start: int, end: int) -> list[PlacedQuantity]:
    """The quantities of [start, end) of a node's text that are no years."""
    return [number for number in numbers_in(node, start, end) if number.quantity.unit != "year"]


def other_number(ask: Ask, place: CitedPlace, cited: PlacedQuantity, prefers: Prefers) -> str:
    """A number of another clause of the sentence that the question's words name better than the cited one's clause."""
    counted = words(ask.wants)[-1:] if ask.says("count of things") else []
    return _other_count(counted, place, cited, prefers) or _other_clause(
        ask, place, cited, prefers
    )


def _other_count(
    counted: Sequence[str], place: CitedPlace, cited: PlacedQuantity, prefers: Prefers
) -> str:
    """A number of the sentence that what is counted stands behind, where it does not stand behind the cited one."""
    node = place.node
    if not counted or counted[0] in _after(node, cited):
        return ""
    for number in amounts_of(node, *sentence_of(node, cited)):
        if counted[0] in _after(node, number) and prefers(_number(node, number)):
            return clipped(number.quantity.text)
    return ""


def _other_clause(ask: Ask, place: CitedPlace, cited: PlacedQuantity, prefers: Prefers) -> str:
    """The first number of a clause that has more of the question's words than the cited one's."""
    node = place.node
    low, high = sentence_of(node, cited)
    cuts = [low, *(low + at.end() for at in _CLAUSE.finditer(node.text[low:high])), high]
    asked = asked_words(ask, False)
    mine = next(
        (clause for clause in pairwise(cuts) if clause[0] <= cited.start < clause[1]), (low, high)
    )
    own = fit(asked, words(node.text[slice(*mine)]))
    for clause in pairwise(cuts):
        amounts = [] if clause == mine else amounts_of(node, *clause)
        theirs = fit(asked, words(node.text[slice(*clause)]))
        if amounts and _names_clause(theirs, own) and prefers(_number(node, amounts[0])):
            return clipped(amounts[0].quantity.text)
    return ""


def _names_clause(theirs: Fit, own: Fit) -> bool:
    """Whether the words name one clause rather than another: by a word more, or by two where it says more besides."""
    return theirs.shared > own.shared and (
        theirs.covers(own) or len(theirs.shared) > len(own.shared) + 1
    )


def other_sentence(ask: Ask, place: CitedPlace, beside: Iterable[Node], prefers: Prefers) -> str:
    """A sentence with a number in another paragraph that holds three words of the question or more, and all those that stand
    anywhere in the cited paragraph or above it, where these are one at most.
    """
    asked = asked_words(ask, False) - STOP
    mine = asked & (frozenset(words(f"{place.node.text} {place.node.anchor.path}")))
    if len(mine) > 1:
        return ""
    paragraphs = (node for node in beside if node.id != place.node.id and node.table is None)
    for node, segment, said in chain.from_iterable(map(_sentences, paragraphs)):
        theirs = asked & said
        amounts = (
            amounts_of(node, segment.start, segment.end)
            if theirs >= mine and len(theirs) > 2
            else ()
        )
        if amounts and prefers(_number(node, amounts[0])):
            return clipped(node.text[segment.start : segment.end])
    return ""


def _sentences(node: Node) -> Iterator[tuple[Node, Segment, frozenset[str]]]:
    """The sentences of a paragraph that has a number in digits, each with its stems."""
    if any(map(str.isdigit, node.text)):
        reading = read(node.text)
        for segment in reading.segments:
            yield node, segment, frozenset(reading.stems[segment.first : segment.last])


def _number(node: Node, number: PlacedQuantity) -> Evidence:
    return Evidence(node, (), number.start, number.end)


def _after(node: Node, number: PlacedQuantity) -> list[str]:
    """The words of a number itself and the two after it."""
    return (
        words(node.text[number.start : number.end])
        + words(node.text[number.end : number.end + 40])[:2]
    )


def fits_kind(ask: Ask, quantity: Quantity) -> bool:
    """Whether a number can answer at all: not a yes or no, not who, where or why, and no money where things are counted."""
    if ask.expects == "boolean" or ask.wants in ("person", "place", "reason"):
        return False
    return not (ask.says("count of things") and is_currency(quantity.unit))


def is_change(ask: Ask, quantity: Quantity, place: CitedPlace) -> bool:
    """Whether a text says by how many points something changed, and the question asks for no change."""
    if ask.operation != "lookup" or not _POINTS.search(quantity.text):
        return False
    before, found, _ = place.node.text.partition(quantity.text)
    return bool(found) and says(before[-60:], "a change") and not ask.says("a change")


def fits_unit(ask: Ask, quantity: Quantity) -> bool:
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
