"""A cited number of running text against the question: do the words around it point to another year, clause or sentence?

Years are compared with the question only where a sentence binds them to the number; clauses and sentences are rivals as cells
are (`rival_cells.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, pairwise

from pincite.check.rival_cells import Prefers, asked_words, fit
from pincite.document.sentences import read
from pincite.document.times import when, years_in_turn, years_of
from pincite.evidence.candidate import Evidence
from pincite.evidence.cited_place import (
    CitedPlace,
    PlacedQuantity,
    clipped,
    numbers_in,
    sentence_of,
)
from pincite.question.ask import Ask
from pincite.text.lexicon import pattern
from pincite.text.words import STOP, words
from pincite.types import Node


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


def bound_years(place: CitedPlace, cited: PlacedQuantity) -> Bound:
    """The years that a sentence binds to a number of it.

    "(2022: 93.4)", "93.4 in 2022", "93.4 and 91.0 in 2022 and 2021, respectively", "In 2021 and 2022, ... 91.0 and 93.4", and
    "In 2022, ... 93.4".
    """
    start, end = sentence_of(place.node, cited)
    text = place.node.text[:end]
    amounts = amounts_of(place.node, start, end)
    spans = [(number.start - start, number.end - start) for number in amounts]
    if year := years_in_turn(text[start:], spans).get(cited.start - start):
        return Bound(frozenset((year,)), True)
    together, in_turn = _TOGETHER.search(text, start), "respectively" in text[start:]
    if together or in_turn:
        years = years_of(when(text[start:]))
        numbers = [number.start for number in amounts]
        alone = len(years) == len(numbers) and together and years == years_of(when(together[0]))
        if in_turn or alone:
            told = 1 < len(years) <= len(numbers)
            pairs = zip(years, numbers[-len(years) :], strict=True) if told else ()
            return Bound(frozenset(year for year, at in pairs if at == cited.start), True)
    if match := _BEFORE.search(text, max(start, cited.start - 12), cited.start):
        return Bound(_years(match["year"]), True)
    if match := _AFTER.match(text, cited.end):
        return Bound(_years(match["year"] or match["plain"]), True)
    opening = list(_OPENING.finditer(text[start : cited.start]))
    return Bound(_years(opening[-1]["year"]) if opening else frozenset())


def _years(text: str) -> frozenset[int]:
    return frozenset(period.year for period in when(text))


def elsewhere(ask: Ask, place: CitedPlace, cited: PlacedQuantity) -> bool:
    """Whether the sentence itself sets another number against the cited one for what is asked.

    "93.4 (2022: 91.0)" when 2022 is asked, "91.0 a year earlier" when the year of the other is, "93.4, up from 91.0" when no
    time is, and "X and Y were 93.4 and 91.0, respectively" when Y is.
    """
    text, times = place.node.text, ask.periods
    compared = _COMPARED.match(text, cited.end)
    if compared and len(times) == 1 and times[0].year in _years(compared["year"]):
        return True
    first, last = sentence_of(place.node, cited)
    amounts = amounts_of(place.node, first, last)
    others = [number for number in amounts if number.start != cited.start]
    if times and _EARLIER.match(text, cited.end):
        bounds = (bound_years(place, number) for number in others)
        if any(bound.beside and times[0].year in bound.years for bound in bounds):
            return True
    if not times and _FROM.search(text[first : cited.start]) and not ask.says("a change"):
        if any(other.quantity.unit == cited.quantity.unit for other in others):
            return True
    starts = [number.start for number in amounts]
    return _of_other_item(text[first:last], starts, cited.start, asked_words(ask, False))


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
    named = [any(counts[word] == 1 for word in item & asked) for item in items]
    return named.count(True) == 1 and not named[numbers.index(cited)]


def amounts_of(node: Node, start: int, end: int) -> list[PlacedQuantity]:
    """The quantities of [start, end) of a node's text that are no years."""
    return [number for number in numbers_in(node, start, end) if number.quantity.unit != "year"]


def other_number(ask: Ask, place: CitedPlace, cited: PlacedQuantity, prefers: Prefers) -> str:
    """A number of the sentence that what is counted stands behind, while it does not stand behind the cited one; or one of
    another clause, which the question's words name better than the cited one's.
    """
    node = place.node
    counted = words(ask.wants)[-1:] if ask.says("count of things") else []
    if counted and counted[0] not in _after(node, cited):
        for number in amounts_of(node, *sentence_of(node, cited)):
            if counted[0] in _after(node, number) and prefers(_number(node, number)):
                return clipped(number.quantity.text)
    return _other_clause(ask, place, cited, prefers)


def _other_clause(ask: Ask, place: CitedPlace, cited: PlacedQuantity, prefers: Prefers) -> str:
    """The first number of a clause that has more of the question's words than the cited one's."""
    node = place.node
    low, high = sentence_of(node, cited)
    cuts = [low, *(low + at.end() for at in _CLAUSE.finditer(node.text[low:high])), high]
    asked = asked_words(ask, False)
    clauses = list(pairwise(cuts))
    mine = next((each for each in clauses if each[0] <= cited.start < each[1]), (low, high))
    own = fit(asked, words(node.text[slice(*mine)]))
    for clause in clauses:
        amounts = [] if clause == mine else amounts_of(node, *clause)
        theirs = fit(asked, words(node.text[slice(*clause)]))
        # a word more, or two where it says more besides
        nearer = theirs.covers(own) or len(theirs.shared) > len(own.shared) + 1
        named = nearer and theirs.shared > own.shared
        if amounts and named and prefers(_number(node, amounts[0])):
            return clipped(amounts[0].quantity.text)
    return ""


def other_sentence(ask: Ask, place: CitedPlace, beside: Iterable[Node], prefers: Prefers) -> str:
    """A sentence with a number in another paragraph that holds three words of the question or more, and all those that stand
    anywhere in the cited paragraph or above it, where these are one at most.
    """
    asked = asked_words(ask, False) - STOP
    mine = asked.intersection(words(f"{place.node.text} {place.node.anchor.path}"))
    if len(mine) > 1:
        return ""
    for node in beside:
        if node.id == place.node.id or node.table or not any(map(str.isdigit, node.text)):
            continue
        reading = read(node.text)
        for segment in reading.segments:
            theirs = asked.intersection(reading.stems[segment.first : segment.last])
            told = theirs >= mine and len(theirs) > 2
            amounts = amounts_of(node, segment.start, segment.end) if told else ()
            if amounts and prefers(_number(node, amounts[0])):
                return clipped(node.text[segment.start : segment.end])
    return ""


def _number(node: Node, number: PlacedQuantity) -> Evidence:
    return Evidence(node, (), number.start, number.end)


def _after(node: Node, number: PlacedQuantity) -> list[str]:
    """The words of a number itself and the two after it."""
    behind = words(node.text[number.end : number.end + 40])
    return words(node.text[number.start : number.end]) + behind[:2]
