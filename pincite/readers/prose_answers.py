"""Quantities and sentences in running text as answers.

Every number of the found pages is a candidate. What speaks for it: the question's words near it, in its sentence, around
it and in the headings above; the asked unit, or one that converts; the noun of "how many" right after it; for a line of a
flattened table, the header word that stands as far along its line as the number does along its own. What speaks against
it: being a citation mark, a year, a label ("Table 3") or a number that the question itself gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from math import exp

import numpy as np

from pincite.derived import kept
from pincite.document.sentences import TokenizedText, read
from pincite.document.words import STOP, stems
from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.stance import read_truth
from pincite.evidence.term_match import (
    Floats,
    PageMatch,
    Terms,
    between,
    match,
    nearness,
    top_segments,
)
from pincite.quantity import canonical_unit, compatible, find_units
from pincite.quantity.dollars import DOLLAR, in_own_dollars
from pincite.quantity.units import units
from pincite.question.ask import Ask
from pincite.question.offers import offered
from pincite.readers.names import read_options
from pincite.readers.spans import load_reader, read_spans
from pincite.readers.text_numbers import TextNumber, numbers, numbers_by_segment
from pincite.types import Quantity

_KEPT = 40
"""How many candidates are handed on."""


def read_prose(ask: Ask, passages: Sequence[Passage]) -> tuple[list[Candidate], list[Candidate]]:
    """What the passages' text may answer to `ask`: in words (or yes and no), and in numbers.

    Each best first; a score in [0, 1] estimates how often the like is right. Where neither caller nor wording says of which
    kind the answer is, both are read: which of them answers is for the ranker to say.
    """
    terms, matches = match(ask.sought, passages)
    if ask.expects == "boolean" or ask.instructs("statement"):
        return read_truth(ask, terms, matches), []
    numeric = _numeric(ask)
    if not numeric and (options := offered(ask)):
        return scaled("options", read_options(options, terms, matches)), []
    told = [] if numeric else scaled("spans", read_spans(ask, terms, matches))
    counted = (
        scaled("numbers", read_numbers(ask, terms, matches)) if numeric or _any_kind(ask) else []
    )
    return _nearest_first(ask, matches, told), _nearest_first(ask, matches, counted)


_IN_WORDS = ("who", "org", "when", "where", "why", "how")
"""Classes of questions that words answer."""
_ELSEWHERE = (0.0, -0.5, -1.0)
"""What the log-odds of a candidate on the first, the second and any later page lose when the question points at a place."""


def _nearest_first(
    ask: Ask, matches: Sequence[PageMatch], candidates: Sequence[Candidate]
) -> list[Candidate]:
    """Candidates by their likelihoods, those where the question points before others."""
    if not ask.points:
        return list(candidates)
    ranks = {passage.node.id: passage.rank for found in matches for passage in found.passages}
    lowered = (
        replace(candidate, score=_lowered(candidate.score, ranks[candidate.evidence[0].node.id]))
        for candidate in candidates
    )
    return sorted(lowered, key=lambda candidate: -candidate.score)


def _lowered(likelihood: float, rank: int) -> float:
    odds = likelihood / (1.0 - likelihood) * exp(_ELSEWHERE[min(rank, 2)])
    return odds / (1.0 + odds)


def scaled(kind: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates, best first, their raw scores as likelihoods by the logistic curve fitted for their kind."""
    slope, offset = load_reader()["likelihood"][kind]
    ranked = sorted(candidates, key=lambda candidate: -candidate.score)
    return [
        replace(candidate, score=1.0 / (1.0 + exp(-(slope * candidate.score + offset))))
        for candidate in ranked
    ]


def _any_kind(ask: Ask) -> bool:
    """Whether neither the caller nor the wording says of which kind the answer is: a number may answer as well as words."""
    plain = ask.query.expects is None and ask.expects == "text" and ask.kind not in _IN_WORDS
    return plain and not ask.tells


def _numeric(ask: Ask) -> bool:
    """Whether a number is asked for: its type was read so and nothing in the wording asks for a reason, a person or a date."""
    if ask.query.unit or ask.query.expects == "number":
        return True
    return ask.expects == "number" and ask.kind not in (
        "who",
        "org",
        "when",
        "where",
        "why",
        "do",
    )


WEIGHTS = {
    "near": 2.0, "segment": 1.2, "context": 1.0, "pairs": 0.7, "special": 0.6, "own": 0.4, "title": 0.3, "page": 0.4,
    "rank": 0.5, "unit": 1.2, "noun": 0.6, "column": 0.6, "label_fit": 0.6, "bound": 0.7, "respective": 1.6, "period": 0.6,
    "year": -1.2, "asked": -2.0, "other_period": -1.0, "wrong_unit": -1.0, "bare": -0.4, "scaled": -0.4, "ordinal": -0.8,
    "edge": -1.5,
}  # fmt: skip
_CROWD = 60
"""How many numbers of one segment are looked at: no sentence has more."""
_SEGMENTS = 40
"""How many segments numbers are taken from."""


def read_numbers(ask: Ask, terms: Terms, matches: Sequence[PageMatch]) -> list[Candidate]:
    """Quantities that may answer `ask`, best first."""
    scored: list[tuple[float, PageMatch, TextNumber, dict[str, float]]] = []
    asked = _AskedNumber.of(ask, terms)
    for at, index, base in top_segments(terms, matches, _SEGMENTS, numbers_by_segment):
        for number, features in _numbers_of(asked, terms, matches[at], index, base):
            score = sum(WEIGHTS.get(name, 0.0) * value for name, value in features.items())
            scored.append((score, matches[at], number, features))
    scored.sort(key=lambda entry: -entry[0])
    made = []
    for score, found, number, features in scored[:_KEPT]:
        where, quantity = found.evidence(number.start, number.end), number.quantity
        value = in_own_dollars(quantity, where.node.meta.get(DOLLAR, ""), quantity.text)
        made.append(
            Candidate(value, (where,), period=quantity.period, score=score, features=features)
        )
    return made


@dataclass(frozen=True, slots=True)
class _AskedNumber:
    """What the features of every number need of the question: its unit, the stems of what is counted, the amounts and years
    that it names, and the weights of its special words.
    """

    unit: str
    nouns: frozenset[str]
    given: frozenset[Decimal]
    years: frozenset[str]
    special: Floats

    @staticmethod
    def of(ask: Ask, terms: Terms) -> _AskedNumber:
        """Read them from a question."""
        special = np.zeros(len(terms.stems), np.float32)
        special[list(terms.special)] = terms.weights[list(terms.special)]
        special /= max(1e-6, float(special.sum()))
        return _AskedNumber(
            canonical_unit(ask.unit),
            frozenset(stem for stem in stems(f"{ask.unit} {ask.wants}") if stem not in STOP),
            frozenset(number.quantity.amount for number in numbers(read(ask.text))),
            frozenset(str(period.year) for period in ask.periods),
            special,
        )


def _numbers_of(
    asked: _AskedNumber, terms: Terms, found: PageMatch, index: int, base: Mapping[str, float]
) -> Iterator[tuple[TextNumber, dict[str, float]]]:
    """The numbers of a segment with their features; `base` are those of the segment."""
    reading = found.reading
    inside = numbers_by_segment(reading)[index][:_CROWD]
    segment = reading.segments[index]
    close = nearness(found, segment.first, segment.last) @ terms.weights
    bound = _bound(found, terms.weights, index, inside)
    respective = _respective(reading, index, inside, terms)
    shared = {
        **base,
        "special": float(found.around[index] @ asked.special),
        "own": float(found.cover[index] @ asked.special),
        "title": float(found.title @ terms.weights),
        "page": found.page,
        "row": float(segment.row),
        "label_fit": _label_fit(reading, index, terms) if segment.row else 0.0,
    }
    for number in inside:
        features = {
            **shared,
            **number.marks,
            "near": float(close[number.token - segment.first]),
            "bound": bound[number.start],
            "respective": respective.get(number.start, 0.5),
            "noun": _noun_after(reading, number, asked.nouns),
            "asked": float(number.quantity.amount in asked.given),
            **_period(reading, number, asked.years),
            **_unit_features(asked.unit, number.quantity, found, index),
        }
        if segment.row:
            features["column"] = _column(found, terms, number)
        yield number, features


def _bound(
    found: PageMatch, weights: Floats, index: int, inside: Sequence[TextNumber]
) -> dict[int, float]:
    """For each number of a segment the weight of the terms to which it is the nearest number, in [0, 1]."""
    part = found.reading.segments[index]
    out = {number.start: 0.0 for number in inside}
    total = 0.0
    for term in np.flatnonzero(weights):
        places = found.places[term]
        weight = float(found.strength[term] * weights[term])
        closest: dict[int, int] = {}
        for place in between(places, part.first, part.last):
            for number in inside:
                closest[number.start] = min(
                    closest.get(number.start, 999), abs(number.token - place)
                )
        if closest:
            total += weight
            least = min(closest.values())
            for start, distance in closest.items():
                if distance <= least:
                    out[start] += weight
    return {start: value / total if total else 0.0 for start, value in out.items()}


def _respective(
    reading: TokenizedText, index: int, inside: Sequence[TextNumber], terms: Terms
) -> dict[int, float]:
    """In "A and B are 1 and 2, respectively": 1 for the number whose item the question names alone, 0 for the others."""
    part = reading.segments[index]
    if len(inside) < 2 or "respect" not in reading.stems[inside[-1].token : part.last]:
        return {}
    numbers = [number for number in inside if number.quantity.unit == inside[-1].quantity.unit][
        -3:
    ]
    items = _listed(reading, part.first, numbers[0].token, len(numbers))
    key = terms.key
    named = [item in key for item in items]
    if len(items) != len(numbers) or sum(named) != 1:
        return {}
    return {number.start: float(own) for number, own in zip(numbers, named, strict=True)}


def _listed(reading: TokenizedText, first: int, last: int, count: int) -> list[str]:
    """The heads of the last enumeration of `count` items in tokens [first, last): "withdrawal and consumption"."""
    for at in range(last - 2, first, -1):
        if reading.stems[at] in ("and", "or"):
            items = [reading.stems[at + 1], reading.stems[at - 1]]
            token = at - 2
            while len(items) < count and token >= first:
                if "," in reading.text[reading.ends[token] : reading.starts[token + 1]]:
                    items.append(reading.stems[token])
                token -= 1
            return items[::-1]
    return []


def _label_fit(reading: TokenizedText, index: int, terms: Terms) -> float:
    """The share of a table line's label that is made of words of the question."""
    part = reading.segments[index]
    key = terms.key
    quiet = STOP | {"%"}
    label = [
        stem
        for stem in reading.stems[part.first : part.last]
        if not stem[0].isdigit() and stem not in quiet
    ]
    return sum(stem in key for stem in label) / len(label) if label else 0.0


def _period(reading: TokenizedText, number: TextNumber, years: frozenset[str]) -> dict[str, float]:
    """`period` is 1 when the nearest year in the number's segment is asked for, 0 when another is, .5 when there is none.

    `other_period` says that the asked year stands there too, but with another number.
    """
    part = reading.segments[number.segment]
    near: list[tuple[float, str]] = []
    for token in range(part.first, part.last) if years else ():
        if _is_year(reading.stems[token]) and token != number.token:
            distance = (
                token - number.token if token > number.token else 1.5 * (number.token - token)
            )
            near.append((distance, reading.stems[token]))
    distance, year = min(near, key=lambda pair: pair[0], default=(_FAR, ""))
    if distance >= _FAR:
        return {"period": 0.5, "other_period": 0.0}
    elsewhere = year not in years and any(other in years for _, other in near)
    return {"period": float(year in years), "other_period": float(elsewhere)}


_FAR = 999.0
"""Tokens from which on a year says nothing of a number."""


def _is_year(stem: str) -> bool:
    return len(stem) == 4 and stem.isdigit() and 1900 <= int(stem) <= 2100


def _noun_after(reading: TokenizedText, number: TextNumber, nouns: frozenset[str]) -> float:
    """The share of the asked noun's words that follow the number closely."""
    last = reading.token_at(number.end - 1)
    first = reading.token_at(number.start) + 1
    following = reading.stems[first : last + 3 + len(nouns)]
    return len(nouns.intersection(following)) / len(nouns) if nouns else 0.0


def _unit_features(
    asked: str, quantity: Quantity, found: PageMatch, index: int
) -> dict[str, float]:
    """Whether the unit is the asked one (1), or one that converts (.8); a table's bare numbers take it from around the table."""
    features = {"unit": 0.0, "wrong_unit": 0.0, "bare": 0.0, "scaled": 0.0}
    if not asked:
        return features
    if quantity.unit:
        fit = _fit(asked, quantity.unit)
        return features | {"unit": fit, "wrong_unit": float(fit == 0.0)}
    measured = _measured(asked)
    scaled = measured and quantity.scale != 1
    if (
        not scaled
        and found.reading.segments[index].row
        and asked in _units_around(found.reading, index)
    ):
        return features | {"unit": 0.8}
    return features | {"bare": float(measured), "scaled": float(scaled)}


@lru_cache(maxsize=4096)
def _fit(asked: str, unit: str) -> float:
    """1 for the same unit, .8 for one that converts, .6 for one that is per something more ("kWh per search" for kWh)."""
    if asked == unit:
        return 1.0
    if compatible(asked, unit) or ("/" in asked and unit.startswith(f"{asked}/")):
        return 0.8
    return (
        0.6
        if "/" in unit and "/" not in asked and compatible(asked, unit.partition("/")[0])
        else 0.0
    )


@lru_cache(maxsize=512)
def _measured(unit: str) -> bool:
    """Whether a unit is written beside its numbers (kWh, %, USD), as counted things often are not."""
    return all(
        part.split(" ")[-1] in units().by_name or part in units().by_name
        for part in unit.split("/")
    )


@kept
def _units_around(reading: TokenizedText, index: int) -> frozenset[str]:
    """The units named in a table's header and caption: in two lines above it, its first and last, and one below."""
    segments = reading.segments
    first = last = index
    while first > 0 and segments[first].row:
        first -= 1
    while last < len(segments) - 1 and segments[last].row:
        last += 1
    near = {max(0, first - 2), max(0, first - 1), first, last, min(last + 1, len(segments) - 1)}
    return frozenset(chain.from_iterable(find_units(reading.quote(at)) for at in near))


def _column(found: PageMatch, terms: Terms, number: TextNumber) -> float:
    """How well the question's words in the line above the table line up with the number, in [0, 1]."""
    segments = found.reading.segments
    header = number.segment
    while header > 0 and segments[header].row:
        header -= 1
    if segments[header].row:
        return 0.0
    part = segments[header]
    best, most = 0.0, 1e-6
    length = max(1, part.last - part.first)
    for places, strength, weight in zip(found.places, found.strength, terms.weights, strict=True):
        for place in between(places, part.first, part.last):
            distance = abs((place - part.first + 0.5) / length - number.along)
            best = max(best, float(strength * weight) * max(0.0, 1.0 - 3.0 * distance))
            most = max(most, float(strength * weight))
    return best / most
