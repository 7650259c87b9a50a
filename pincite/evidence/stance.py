"""Yes or no, from a statement that supports or contradicts what is asked.

The statement is compared with the segments that hold its words: a negation on one side only, a word whose opposite stands
in the evidence, a number that differs, and a claim of everything ("only", "always", "guarantees") that the evidence does
not make, all speak against it; a segment that holds nearly all of its words speaks for it. Silence is no answer unless
the question says that it means no.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain

import numpy as np

from pincite.document.sentences import TokenizedText, read
from pincite.document.words import STOP, stems
from pincite.evidence.candidate import Candidate
from pincite.evidence.term_match import PageMatch, Terms, between, top_segments
from pincite.lexicon import pattern, word_list
from pincite.question.ask import Ask

_HALF = 0.5
"""The share of a statement that a segment says at least, where one word in the place of another denies it."""
_DEPTH = 6
"""How many segments are compared with the statement."""

_NEGATIVE = pattern("evidence", "negative")
_ABSOLUTE = pattern("evidence", "absolute")
_NOT_ONLY = pattern("evidence", "not only")
_EXTREME = pattern("evidence", "extreme")

_OPPOSITES = tuple(
    (frozenset(stems(left)), frozenset(stems(right)))
    for left, _, right in (pair.partition("/") for pair in word_list("evidence", "opposites"))
)
_STOP_STEMS = frozenset(stem for word in STOP for stem in stems(word))
_NUMBER = re.compile(
    r"(?<![\w.,-])[$€£]?(\d+(?:,\d{3})*(?:\.\d+)?)(?![\w.,]*\d)(?:\s*(%|percent|million|billion|thousand))?"
)


def read_truth(ask: Ask, terms: Terms, matches: Sequence[PageMatch]) -> list[Candidate]:
    """What each of the segments that speak most of `ask` says to it, True or False, the likelier first.

    None when nothing in the passages speaks of it. A candidate's score is in [0, 1]: .5 is a toss-up. It weighs what its own
    segment says and what all of them say.
    """
    silence = ask.query.silence == "no" or ask.instructs("silence means no")
    statement = ask.statement or ask.text
    weighed = []
    for at, index, features in top_segments(terms, matches, _DEPTH):
        weighed.append(
            _Weighed(matches[at], index, features, _stance(statement, terms, matches[at], index))
        )
    if not weighed:
        return []
    strongest = max(segment.features["segment"] for segment in weighed)
    shared = _together(weighed)
    made = []
    for segment in sorted(weighed, key=lambda segment: -segment.trust):
        leaning = 3.0 * (strongest - 0.45) if silence else (shared + segment.stance["total"]) / 2
        yes = 1.0 / (1.0 + float(np.exp(-2.0 * leaning)))
        if (
            yes >= 0.5 or silence or segment.denies
        ):  # else it only says little of what is asked, which is no answer
            made.append(segment.candidate(yes, silence))
    return [*made[:1], *sorted(made[1:], key=lambda candidate: -candidate.score)]


def _together(weighed: Sequence[_Weighed]) -> float:
    """What segments say together, each as far as it is trusted."""
    votes = sum(segment.trust * segment.stance["total"] for segment in weighed)
    return votes / max(1e-6, sum(segment.trust for segment in weighed))


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A segment of a page with how it matches the statement and how it speaks of it."""

    match: PageMatch
    index: int
    features: Mapping[str, float]
    stance: Mapping[str, float]

    @property
    def trust(self) -> float:
        """What the segment counts beside others: more where it speaks more of what is asked."""
        features = self.features
        return float(
            (features["segment"] + 0.5 * features["context"] + 0.5 * features["pairs"]) ** 3
        )

    @property
    def denies(self) -> bool:
        """Whether the segment says otherwise, rather than nothing: a negation, an opposite, another order or number, or, where it
        says half of the statement, another word in the place of one.
        """
        if (
            any(self.stance[name] for name in ("negative", "opposite", "reversed"))
            or self.stance["number"] < 0.5
        ):
            return True
        return bool(self.stance["swapped"]) and self.features["segment"] >= _HALF

    def candidate(self, yes: float, silence: bool) -> Candidate:
        """True or False by how likely the answer is yes."""
        part = self.match.reading.segments[self.index]
        seen = {**self.features, **{f"truth_{name}": value for name, value in self.stance.items()}}
        where = self.match.evidence(part.start, part.end)
        return Candidate(
            yes >= 0.5,
            (where,),
            score=max(yes, 1.0 - yes),
            features={**seen, "silence": float(silence)},
        )


def claims_much(statement: str) -> bool:
    """Whether a statement compares, names an extreme, or claims everything."""
    absolute = _ABSOLUTE.search(_NOT_ONLY.sub(" ", statement))
    return bool(absolute or _THAN.search(statement) or _EXTREME.search(statement))


def _stance(statement: str, terms: Terms, found: PageMatch, index: int) -> dict[str, float]:
    """How a segment speaks of the statement; `total` is positive where it supports it."""
    reading = found.reading
    part = reading.segments[index]
    evidence = reading.text[part.start : part.end]
    cover = float(found.cover[index] @ terms.weights)
    seen = {
        "negative": float(
            bool(_NEGATIVE.search(statement)) != _near_negative(reading, found, index)
        ),
        "opposite": float(_opposed(statement, reading, index)),
        "swapped": cover * _swapped(terms, found, index),
        "reversed": float(_reversed(statement, evidence)),
        "number": _numbers(statement, evidence),
    }
    total = 0.8 * (cover - 0.4) + sum(_WEIGHTS[name] * value for name, value in seen.items())
    return {"total": total, **seen, "number": (seen["number"] + 1) / 2}


_WEIGHTS = {"negative": -0.9, "opposite": -1.1, "swapped": -0.6, "reversed": -1.6, "number": 0.6}


def _swapped(terms: Terms, found: PageMatch, index: int) -> float:
    """How much it says that a word of the statement is another one here: "liquid cooling" where it has "air cooling"."""
    most, said = 0.0, _STOP_STEMS.union(terms.stems)
    for a, b in terms.pairs:
        if not found.cover[index, a] and found.cover[index, b]:
            others = _before(found, b, index)
            if others and all(other.isalpha() and other not in said for other in others):
                most = max(most, float(terms.weights[a]))
    return min(1.0, most / max(1e-6, float(terms.weights.max(initial=0.0))))


def _before(found: PageMatch, term: int, index: int) -> list[str]:
    """The words right before the places of a term in a segment."""
    reading, part = found.reading, found.reading.segments[index]
    places = [place for place in found.places[term] if part.first < place < part.last]
    return [
        reading.stems[at - 1] for at in places if reading.starts[at] - reading.ends[at - 1] == 1
    ]


_THAN = pattern("evidence", "than")
_CLAUSE = pattern("evidence", "clause")


def _reversed(statement: str, evidence: str) -> bool:
    """Whether both compare the same two things, each the other way round."""
    said, seen = _compared(statement), _compared(evidence)
    if not said or not seen:
        return False
    first, second = seen[0] - seen[1], seen[1] - seen[0]
    return bool((said[0] - said[1]) & second) and bool((said[1] - said[0]) & first)


def _compared(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The stems before and after "than", within its clause."""
    than = _THAN.search(text)
    if not than:
        return None
    before = _CLAUSE.split(text[: than.start()])[-1]
    after = _CLAUSE.split(text[than.end() :])[0]
    return frozenset(read(before).stems) - _STOP_STEMS, frozenset(read(after).stems) - _STOP_STEMS


def _near_negative(reading: TokenizedText, found: PageMatch, index: int) -> bool:
    """Whether a negation stands in the segment within a few words of words of the statement."""
    part = reading.segments[index]
    places = list(chain.from_iterable(between(at, part.first, part.last) for at in found.places))
    for match in _NEGATIVE.finditer(reading.text, part.start, part.end):
        token = reading.token_at(match.start())
        if any(abs(token - place) <= 8 for place in places):
            return True
    return False


def _opposed(statement: str, reading: TokenizedText, index: int) -> bool:
    """Whether the statement has a word whose opposite a segment has in its stead."""
    part = reading.segments[index]
    said = frozenset(read(statement).stems)
    seen = frozenset(reading.stems[part.first : part.last])
    for left, right in _OPPOSITES:
        mine, theirs = (
            [bool(side & said) for side in (left, right)],
            [bool(side & seen) for side in (left, right)],
        )
        if sum(mine) == sum(theirs) == 1 and mine != theirs:
            return True
    return False


def _numbers(statement: str, evidence: str) -> float:
    """How the evidence has the statement's numbers, in [-1, 1]: 1 has them all, -1 has others of the same unit in their stead."""
    said, seen = _values(statement), _values(evidence)
    units = {unit for _, unit in seen}
    years = any(_is_year(*number) for number in seen)
    marks = []
    for number, unit in said:
        if (number, unit) in seen:
            marks.append(1.0)
        elif unit and unit in units:
            marks.append(-1.0)
        elif years and _is_year(number, unit):
            marks.append(-0.5)
    return sum(marks) / len(marks) if marks else 0.0


def _is_year(number: Decimal, unit: str) -> bool:
    return not unit and 1900 <= number <= 2100


def _values(text: str) -> set[tuple[Decimal, str]]:
    found = set()
    for m in _NUMBER.finditer(text):
        unit = (m[2] or "").lower()
        found.add((Decimal(m[1].replace(",", "")), "%" if unit == "percent" else unit))
    return found
