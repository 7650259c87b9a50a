"""A model's value beside the one that was found without a model: how likely it is right, from what is known of both.

The chance is a logistic regression of few, named features, fitted by folds of documents (`scripts/fit_lines.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from pincite.check.claims import verified_in
from pincite.corpus import Corpus
from pincite.generate.line_reading import ReadLines, TakenLine
from pincite.lexicon import data_table
from pincite.reconcile.vote import alike
from pincite.stage import Stage
from pincite.types import Answer, Draft, Quantity, Ranking

WEIGHTS = "lines"
"""The file of the weights."""


@dataclass(frozen=True)
class BesideQuote(Stage[Ranking, Draft]):
    """Answer with the line that a model takes, as sure as that and what `quote` finds on the same pages make it."""

    corpus: Corpus = field(repr=False, compare=False)
    read: ReadLines
    quote: Stage[Ranking, Draft]

    def run(self, given: Ranking) -> Draft:
        """Read one ranking both ways."""
        taken = self.read.take(given)
        if taken.candidate is None:
            return taken.draft
        return replace(taken.draft, confidence=confidence(self.known(taken, self.quote(given))))

    def known(self, taken: TakenLine, other: Draft) -> dict[str, float]:
        """What speaks for a value that a model took."""
        checked = verified_in(self.corpus, taken.draft)
        return features(taken, checked, other, verified_in(self.corpus, other))


def features(
    known: TakenLine, checked: Answer, other: Draft, other_checked: Answer
) -> dict[str, float]:
    """What speaks for a value: the reply, its line, the check, and what the reader without a model found, checked."""
    assert known.candidate is not None and known.ranked is not None
    value = known.candidate.value
    chances = [max(each.logprobs.get(each.token, 0.0), -10.0) for each in known.tokens] or [0.0]
    agrees = other.value is not None and alike(value, other.value)
    near = any(alike(value, each.value) for each in other.possible)
    judged = [each.answers for each in checked.checks if each.answers is not None]
    return {
        "whole": max(sum(chances), -20.0) / 10,
        "weakest": max(min(chances), -5.0),
        "agrees": float(agrees),
        "agrees with the next": float(near and not agrees),
        "other's chance, agreed": other.confidence if agrees else 0.0,
        "other's chance, differs": other.confidence if not agrees else 0.0,
        "other stands, differs": float(not agrees and other_checked.value is not None),
        "first": float(known.place == 0),
        "among three": float(known.place < 3),
        "words": known.ranked.words,
        "meaning": known.ranked.meaning,
        "judge of the line": max(known.ranked.odds, -9.0),
        "judge of the value": min(judged, default=0.0),
        "time": known.ranked.time,
        "stands": float(not checked.reason),
        "asked again": float(known.again),
        "number": float(isinstance(value, Quantity)),
        "truth": float(isinstance(value, bool)),
        "list": float(isinstance(value, tuple)),
        "computed": float(bool(known.candidate.operation)),
    }


def confidence(known: dict[str, float]) -> float:
    """The chance that a value is right."""
    weights = data_table(WEIGHTS)
    sum_ = weights["constant"] + sum(
        weights["weights"].get(name, 0.0) * value for name, value in known.items()
    )
    return 1 / (1 + math.exp(-sum_))
