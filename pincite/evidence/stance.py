"""Yes or no, from a statement that supports or contradicts what is asked.

The statement is compared with the segments that hold its words: a negation on one side only, a word whose opposite stands
in the evidence, a number that differs, and a claim of everything ("only", "always", "guarantees") that the evidence does
not make, all speak against it; a segment that holds nearly all of its words speaks for it. Silence is no answer unless
the question says that it means no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from pincite.document.sentences import TokenizedText, read
from pincite.document.words import STOP, stems
from pincite.evidence.candidate import Candidate
from pincite.evidence.term_match import PageMatch, Terms, top_segments
from pincite.question.cues import says
from pincite.question.understanding import Ask

_HALF = 0.5
"""The share of a statement that a segment says at least, where one word in the place of another denies it."""
_DEPTH = 6
"""How many segments are compared with the statement."""

_NEGATIVE = re.compile(
    r"\b(?:not(?!\s+(?:only|just|merely|solely|least|limited))|no|never|neither|nor|none|cannot|without|lack(?:s|ed|ing)?|fail(?:s|ed|ing)?|hardly|"
    r"unable|absent|absence|insufficient|inadequate|rather\s+than|instead\s+of|far\s+from|unlikely|exclud(?:e|es|ed|ing)|leaves?\s+out|"
    r"ignor(?:e|es|ed|ing)|overlook(?:s|ed|ing)?|omit(?:s|ted|ting)?|neglect(?:s|ed|ing)?|incomplete|fewer|myth|misleading)\b|n[’']t\b",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(
    r"\b(?:only|all|always|never|every|entire(?:ly)?|fully|complete(?:ly)?|full|alone|by\s+itself|on\s+(?:its|their)\s+own|sufficient|enough|"
    r"guarantee[sd]?|negligible|exclusively|solely|impossible|universally|wholly)\b",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(r"\bnot\s+(?:only|just|merely|solely)\b.*?\bbut\b(?:\s+\w+){0,3}", re.IGNORECASE)
_HEDGED = re.compile(
    r"\b(?:can|could|may|might|some|often|sometimes|many|several|reported|proposed|propose|important|help|at\s+least|potentially)\b",
    re.I,
)

_OPPOSITES = tuple(
    tuple(frozenset(stems(side)) for side in pair.split("/"))
    for pair in (
        "more greater higher larger bigger exceed exceeded above over/less lower smaller fewer below under",
        "increase increased rise rose risen grow grew gain/decrease decreased decline fall fell fallen drop reduce reduction",
        "most highest largest maximum best/least lowest smallest minimum worst",
        "long longer longest/short shorter shortest",
        "include included including cover/exclude excluded excluding omit",
        "mandatory required require obligatory compulsory/voluntary optional",
        "public publicly open available/private restricted confidential closed inaccessible unavailable",
        "outperform better improve superior/underperform worse degrade inferior",
        "fast faster quick/slow slower",
        "direct directly/indirect indirectly",
        "before prior earlier/after following later",
        "strong stronger/weak weaker",
        "success successful succeed/failure fail unsuccessful",
        "high/low",
        "first/last",
        "positive/negative",
        "simple/complex",
        "expensive costly/cheap cheaper",
        "efficient/inefficient",
        "sufficient adequate enough/insufficient inadequate",
        "same identical equal/different differ",
        "true correct accurate/false wrong incorrect inaccurate",
        "profit/loss",
        "support encourage allow permit/oppose discourage prohibit forbid ban",
        "new/old",
        "upper/lower",
        "internal/external",
        "minimum/maximum",
    )
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
    silence = ask.query.silence == "no" or says(ask.query.text, "silence means no")
    statement = ask.statement or ask.text
    weighed = []
    for at, index, features in top_segments(terms, matches, _DEPTH):
        weighed.append((_stance(statement, terms, matches[at], index), features, at, index))
    if not weighed:
        return []
    strongest = max(features["segment"] for _, features, _, _ in weighed)
    votes = sum(_trust(features) * stance["total"] for stance, features, _, _ in weighed)
    trust = sum(_trust(features) for _, features, _, _ in weighed)
    shared = votes / max(1e-6, trust) + _prior(statement)
    made = []
    for stance, features, at, index in sorted(weighed, key=lambda one: -_trust(one[1])):
        leaning = 3.0 * (strongest - 0.45) if silence else (shared + stance["total"]) / 2
        yes = 1.0 / (1.0 + float(np.exp(-2.0 * leaning)))
        if yes < 0.5 and not silence and not _denies(stance, features["segment"]):
            continue  # it only says little of what is asked, which is no answer
        part = matches[at].reading.segments[index]
        where = matches[at].evidence(part.start, part.end)
        seen = {**features, **{f"truth_{name}": value for name, value in stance.items()}, "silence": float(silence)}
        made.append(Candidate(yes >= 0.5, (where,), score=max(yes, 1.0 - yes), features=seen))
    if not made:
        return []
    first, *others = made
    return [first, *sorted(others, key=lambda candidate: -candidate.score)]


def _denies(stance: dict[str, float], said: float) -> bool:
    """Whether a segment says otherwise, rather than nothing: a negation, an opposite, another order or number, or, where it says
    half of the statement, another word in the place of one.
    """
    otherwise = any(stance[name] for name in ("negative", "opposite", "reversed")) or stance["number"] < 0.5
    return otherwise or bool(stance["swapped"]) and said >= _HALF


def _trust(features: dict[str, float]) -> float:
    return float((features["segment"] + 0.5 * features["context"] + 0.5 * features["pairs"]) ** 3)


def _prior(statement: str) -> float:
    """Claims of everything are seldom made by a source, hedged ones often."""
    absolute = len(_ABSOLUTE.findall(_NOT_ONLY.sub(" ", statement)))
    return -0.25 * min(absolute, 2) + 0.15 * bool(_HEDGED.search(statement))


def _stance(statement: str, terms: Terms, found: PageMatch, index: int) -> dict[str, float]:
    """How a segment speaks of the statement; `total` is positive where it supports it."""
    reading = found.reading
    part = reading.segments[index]
    evidence = reading.text[part.start : part.end]
    cover = float(found.cover[index] @ terms.weights)
    seen = {
        "negative": float(bool(_NEGATIVE.search(statement)) != _near_negative(reading, found, index)),
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
    reading, part = found.reading, found.reading.segments[index]
    key = terms.key
    most = 0.0
    for a, b in terms.pairs:
        if found.cover[index, a] or not found.cover[index, b]:
            continue
        others = [
            reading.stems[place - 1]
            for place in found.places[b]
            if part.first < place < part.last and reading.starts[place] - reading.ends[place - 1] == 1
        ]
        if others and all(other.isalpha() and other not in key and other not in _STOP_STEMS for other in others):
            most = max(most, float(terms.weights[a]))
    return min(1.0, most / max(1e-6, float(terms.weights.max(initial=0.0))))


_THAN = re.compile(r"\bthan\b|\boutperform\w*\b|\bexceed\w*\b|\bsurpass\w*\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:–—]|,\s+(?:but|however|while|whereas|and)\b|\bhowever,")


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
    places = {int(place) for at in found.places for place in at if part.first <= place < part.last}
    for match in _NEGATIVE.finditer(reading.text, part.start, part.end):
        token = reading.token_at(match.start())
        if any(abs(token - place) <= 8 for place in places):
            return True
    return False


def _opposed(statement: str, reading: TokenizedText, index: int) -> bool:
    part = reading.segments[index]
    said = frozenset(read(statement).stems)
    seen = frozenset(reading.stems[part.first : part.last])
    for left, right in _OPPOSITES:
        for mine, other in ((left, right), (right, left)):
            if said & mine and not seen & mine and seen & other and not said & other:
                return True
    return False


def _numbers(statement: str, evidence: str) -> float:
    """How the evidence has the statement's numbers, in [-1, 1]: 1 has them all, -1 has others of the same unit in their stead."""
    said, seen = _values(statement), _values(evidence)
    marks = []
    for number, unit in said:
        if (number, unit) in seen:
            marks.append(1.0)
        elif unit and any(other == unit for _, other in seen):
            marks.append(-1.0)
        elif _is_year(number, unit) and any(_is_year(*number_seen) for number_seen in seen):
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
