"""The reader without a model: every value of the best lines that may answer is a candidate, and one fitted order has them all.

The order is a conditional logit (McFadden 1974) over the candidates of a question and "none of them": so the chance of each takes
account of how many compete. Its features have names; `scripts/fit_reading.py` fits their weights by folds of documents.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np

from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.glossed_passages import glossed, restored
from pincite.evidence.judged_evidence import lowest_odds, sort_of
from pincite.evidence.stance import read_truth
from pincite.lines.computing import compute
from pincite.lines.formulas import read_formulas
from pincite.lines.kind_fit import fits
from pincite.lines.making import lines_of, said_by
from pincite.lines.matching import LineMatches
from pincite.lines.quoted import form_of, quote
from pincite.lines.unnamed_document import judged, unnamed
from pincite.quantity import same
from pincite.quantity.units import is_counted, is_time
from pincite.question.ask import Ask
from pincite.text.lexicon import data_table
from pincite.text.words import tokens
from pincite.types import Quantity, Value

WEIGHTS = "reading"
"""The file of the fitted weights: `first` orders what the judge is asked about, `last` all that it was."""
JUDGED = 10
"""Candidates that the judge of evidence is asked about."""
TRUTHS = 4
"""The sentences that may say yes or no."""
SURE = 6.0
"""Log-odds of the judge beyond which it is as sure as can be."""
FAR = 4.0
"""Log-odds by which a candidate stands far before the next."""
OTHER = 4.0
"""Log-odds that a candidate of a document loses which the question does not name beside one that it names for sure; by hand,
since the questions that the weights are fitted on name no documents in degrees.
"""
SHORT = 4
"""A question of fewer words says little."""
NAME = 8
"""The most words of a name."""
SAME = 0.005
"""Relative difference up to which two candidates say the same number."""
Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Entrants:
    """All candidates of a question over some passages, with the features of each, and those of "none of them"."""

    ask: Ask
    passages: Sequence[Passage]
    found: Sequence[Candidate]
    features: Sequence[Features]
    none: Features


@dataclass(frozen=True, slots=True)
class Contest:
    """The likeliest candidates of a question, the log-odds of each, and those of "none of them"."""

    found: Sequence[Candidate] = ()
    odds: Sequence[float] = ()
    none: float = 0.0


def best_of(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """What may answer a question, best first, `score` the chance that it does; each value once."""
    return best(contest(entrants(ask, passages)))


def best(held: Contest) -> list[Candidate]:
    """The candidates of a contest, best first, `score` the chance of each; each value once."""
    return each_once(held.found, chances(held.odds, held.none))


def entrants(ask: Ask, passages: Sequence[Passage]) -> Entrants:
    """All candidates of a question, described."""
    found, lines = candidates(ask, passages)
    rows = described(ask, found)
    return Entrants(ask, passages, found, rows, nothing(ask, rows, lines))


def contest(
    given: Entrants,
    taken: Candidate | None = None,
    says: Callable[[Candidate, Candidate], bool] = operator.eq,
    weights: Mapping[str, Mapping[str, float]] | None = None,
) -> Contest:
    """The likeliest candidates of a question as the judge sees them, among them what somebody else has `taken`.

    That stands for itself only where no candidate `says` the same. The weights are those of the file unless others are given.
    """
    used = weights or data_table(WEIGHTS)
    found, rows = list(given.found), list(given.features)
    kept = first(rows, used["first"])
    none = given.none
    if kept:
        odds = [odds_of(rows[at], used["first"]) for at in kept]
        none = none | lead([found[at] for at in kept], odds)
    if taken is not None and not any(says(taken, found[at]) for at in kept):
        same = [at for at, each in enumerate(found) if says(taken, each)]
        if not same:
            same = [len(found)]
            found, rows = [*found, taken], [*rows, *described(given.ask, [taken])]
        kept.append(max(same, key=lambda at: odds_of(rows[at], used["first"])))
    found, rows = [found[at] for at in kept], [rows[at] for at in kept]
    rows = with_judge(given.ask, given.passages, found, rows) if found else []
    return Contest(
        found, [odds_of(row, used["last"]) for row in rows], weighed(none, used["last"])
    )


def candidates(ask: Ask, passages: Sequence[Passage]) -> tuple[list[Candidate], int]:
    """All candidates of a question, in no order, and how many lines compete."""
    ask, shown = unnamed(ask, passages), glossed(passages)
    if ask.expects == "boolean" or ask.instructs("statement"):
        truths = _truths(ask, shown)
        return restored([each for each in truths if fits(ask, each)], passages), 0
    own = [passage for passage in shown if not passage.apart]
    matches = LineMatches(ask, lines_of(own))
    found = [*compute(matches), *quote(matches), *read_formulas(ask, own)]
    fitting = [each for each in restored(found, passages) if fits(ask, each)]
    several = ask.several and any(isinstance(each.value, tuple) for each in fitting)
    as_many = [
        each
        for each in fitting
        if _are_as_many(ask, each) and not (several and isinstance(each.value, Quantity))
    ]
    return as_many, len(matches.lines)


def _are_as_many(ask: Ask, candidate: Candidate) -> bool:
    """Whether a candidate has as many names as are asked for ("which three ..."), where that is said."""
    said = ask.thing_count if ask.expects == "names" else 0
    return not said or len(candidate.values) == said


def _truths(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """Yes or no, at the sentences that speak most of what is asked."""
    made = []
    for rank, truth in enumerate(read_truth(ask, ask.sought, said_by(passages))[:TRUTHS]):
        told = {name: truth.features[name] for name in ("segment", "context", "pairs", "rank")}
        odds = log(max(truth.score, 0.01) / max(1 - truth.score, 0.01))
        features = told | {"truth": 1.0, "truth odds": odds, "first truth": float(rank == 0)}
        made.append(replace(truth, features=features))
    return made


def described(ask: Ask, found: Sequence[Candidate]) -> list[Features]:
    """The features of candidates: their own, and how their form suits what is asked."""
    complete = sum(each.features.get("complete", 0.0) == 1.0 for each in found)
    return [
        dict(each.features)
        | _formed(ask, each)
        | {"only complete": each.features.get("complete", 0.0) / max(1, complete)}
        for each in found
    ]


def _formed(ask: Ask, candidate: Candidate) -> Features:
    form = _form(candidate)
    how = "computed" if candidate.operation else "quoted"
    if isinstance(candidate.value, tuple):
        how += " list"
    made = {
        f"{ask.expects}: {form}": 1.0,
        f"{ask.kind}: {form}": 1.0,
        f"{ask.operation}: {how}": 1.0,
        "as asked": float(candidate.operation == ask.operation),
    }
    return made | {f"computed: {candidate.operation}": 1.0} if candidate.operation else made


def _form(candidate: Candidate) -> str:
    """What sort of value a candidate has: truth, money, percent, count, measure, year, words, or several of them."""
    value = candidate.first
    if isinstance(value, bool):
        return "truth"
    one = form_of(value) if isinstance(value, Quantity) else "words"
    return f"several {one}" if isinstance(candidate.value, tuple) else one


def nothing(ask: Ask, rows: Sequence[Features], lines: int) -> Features:
    """The features of "none of them": it is likelier where more candidates and lines compete, and where none says all that is
    asked.
    """
    return {
        "none": 1.0,
        f"none: {ask.expects}": 1.0,
        "none, lines": log(1 + lines) / 5,
        "none, candidates": log(1 + len(rows)) / 5,
        "none, though all is said": float(any(row.get("complete") for row in rows)),
        "none, short": float(len(ask.terms) < SHORT),
    }


def first(rows: Sequence[Features], weights: Mapping[str, float]) -> list[int]:
    """The positions of the rows that are likeliest without the judge."""
    odds = [odds_of(row, weights) for row in rows]
    return sorted(range(len(rows)), key=lambda at: -odds[at])[:JUDGED]


def lead(found: Sequence[Candidate], odds: Sequence[float]) -> Features:
    """How far the first candidate stands before the next of another value, without the judge: "none" is less likely then."""
    others = [
        each
        for other, each in zip(found, odds, strict=True)
        if not _alike(other.value, found[0].value)
    ]
    return {"none, lead": min(FAR, odds[0] - max(others, default=odds[0] - FAR))}


def odds_of(row: Features, weights: Mapping[str, float]) -> float:
    """The log-odds of a candidate by its features."""
    return weighed(row, weights) - OTHER * row.get("other document", 0.0)


def weighed(row: Features, weights: Mapping[str, float]) -> float:
    """The weighted sum of a row of features."""
    return sum(weights.get(name, 0.0) * value for name, value in row.items())


def with_judge(
    ask: Ask, passages: Sequence[Passage], found: Sequence[Candidate], rows: Sequence[Features]
) -> list[Features]:
    """The rows with what the judge of evidence says of each candidate's places, and how many say the same."""
    odds = lowest_odds(judged(ask, passages, found))
    return [
        row | _agreed(each, found) | _verdict(each, said, found, odds)
        for row, each, said in zip(rows, found, odds, strict=True)
    ]


def _agreed(candidate: Candidate, found: Sequence[Candidate]) -> Features:
    return {"agreed": log(sum(_say_the_same(candidate, other) for other in found))}


def _verdict(
    candidate: Candidate,
    said: float | None,
    found: Sequence[Candidate],
    odds: Sequence[float | None],
) -> Features:
    """What the judge says of one candidate, and of those of other values."""
    if said is None:
        return {}
    known = [
        (each, each_said)
        for each, each_said in zip(found, odds, strict=True)
        if each_said is not None
    ]
    best = max(each for _, each in known)
    rivals = [each for other, each in known if not _alike(other.value, candidate.value)]
    return {
        f"judge, {sort_of(candidate.value, candidate.operation)}": max(-SURE, min(SURE, said)),
        "judge, where all is said": candidate.features.get("complete", 0.0)
        * max(0.0, min(SURE, said)),
        "judge behind": min(best - said, SURE),
        "judge leads": max(0.0, min(said - max(rivals, default=-SURE), SURE)),
        "judge first": float(said == best),
    }


def chances(odds: Sequence[float], none: float) -> list[float]:
    """How likely each of some log-odds is the right one, "none" among them."""
    every = np.array([*odds, none])
    likely = np.exp(every - every.max())
    return [float(each) for each in likely[:-1] / likely.sum()]


def each_once(found: Sequence[Candidate], likely: Sequence[float]) -> list[Candidate]:
    """Each value once, at its likeliest place, with the chance of all its places together; best first. Of parts of a text that
    overlap the likeliest stands for the others, and a number with its unit for a text that begins with it.
    """
    measured = filter(_is_measured, found)
    numbers = {place: each for each in measured if (place := _beginning(each))}
    made: list[Candidate] = []
    for at in sorted(range(len(found)), key=lambda at: -likely[at]):
        own = found[at]
        if isinstance(own.value, str):
            own = numbers.get(_beginning(own) or (0, 0), own)
        if not any(_alike(own.value, other.value) or _are_one(own, other) for other in made):
            places = zip(found, likely, strict=True)
            chance = sum(each for other, each in places if _counts_for(other, own))
            made.append(replace(own, score=chance))
    return sorted(made, key=lambda each: -each.score)


def _counts_for(one: Candidate, other: Candidate) -> bool:
    """Whether one candidate is right where another is: it says the same, or most of the same words of the same place."""
    return _say_the_same(one, other) or _are_one(one, other)


def _are_one(one: Candidate, other: Candidate) -> bool:
    """Whether two texts are one: a name with and without a title or a form, or most of the same words of the same place."""
    if isinstance(one.value, str) and isinstance(other.value, str):
        few, many = sorted((tokens(one.value), tokens(other.value)), key=len)
        if 2 <= len(few) <= len(many) <= NAME and len(many) - len(few) <= 2:
            if " ".join(few) in " ".join(many):
                return True
    return _overlap(one, other) or _opens(one, other) or _opens(other, one)


def _is_measured(one: Candidate) -> bool:
    """Whether a candidate is a number with a unit that needs nothing behind it, as a time or what is counted may."""
    value = one.value
    if not isinstance(value, Quantity) or not value.unit or not one.evidence:
        return False
    return not is_counted(value.unit) and not is_time(value.unit)


def _beginning(one: Candidate) -> tuple[int, int] | None:
    """Where the text of a candidate begins: its node and character; None for cells and what is computed."""
    if one.operation or len(one.evidence) != 1 or one.evidence[0].cells:
        return None
    return id(one.evidence[0].node), one.evidence[0].start


def _opens(number: Candidate, text: Candidate) -> bool:
    """Whether a text begins with a number and its unit, as in "12 mg/l as a monthly mean"."""
    if not isinstance(text.value, str) or not _is_measured(number):
        return False
    return (place := _beginning(text)) is not None and place == _beginning(number)


def _overlap(one: Candidate, other: Candidate) -> bool:
    if not isinstance(one.value, str) or not isinstance(other.value, str):
        return False
    mine, theirs = one.evidence[0], other.evidence[0]
    if mine.node is not theirs.node or mine.cells or theirs.cells:
        return False
    shared = min(mine.end, theirs.end) - max(mine.start, theirs.start)
    return 2 * shared > max(mine.end - mine.start, theirs.end - theirs.start)


def _say_the_same(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates have the same value in the same way: what is quoted says nothing of what is computed."""
    return one.operation == other.operation and _alike(one.value, other.value)


def _alike(a: Value, b: Value) -> bool:
    """Whether two values say the same."""
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        if (
            a.unit
            and b.unit
            and a.unit != b.unit
            and not (is_counted(a.unit) and is_counted(b.unit))
        ):
            return same(a, b)
        low, high = sorted((abs(a.amount), abs(b.amount)))
        return a.value * b.value >= 0 and float(high - low) <= SAME * float(high)
    if isinstance(a, str) and isinstance(b, str):
        return a.casefold().strip() == b.casefold().strip()
    return a == b
