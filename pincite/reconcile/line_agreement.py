"""A model's value beside the one that was found without a model: how likely it is right, from what is known of both.

The chance is a logistic regression of few, named features, fitted by folds of documents (`scripts/fit_lines.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from pincite.check.claims import verified_in
from pincite.corpus import Corpus
from pincite.document.words import runs_in
from pincite.evidence.drafted_answer import nearest, own
from pincite.generate.line_reading import ReadLines, TakenLine
from pincite.lexicon import data_table
from pincite.reconcile.vote import alike
from pincite.stage import Stage
from pincite.types import Answer, Draft, Quantity, Ranking, Value

WEIGHTS = "lines"
"""The file of the weights, and of the least chance at which a value is an answer."""
UNSURE = "the line that the model named is not certain enough to answer"


@dataclass(frozen=True)
class BesideQuote(Stage[Ranking, Draft]):
    """Answer with the line that a model takes, as sure as that and what `quote` finds on the same pages make it; what is less
    likely than the least of the fitted file is a possible answer only.
    """

    corpus: Corpus = field(repr=False, compare=False)
    read: ReadLines
    quote: Stage[Ranking, Draft]

    def run(self, given: Ranking) -> Draft:
        """Read one ranking both ways."""
        taken = self.read.take(given)
        if taken.candidate is None:
            return taken.draft
        chance = confidence(self.known(taken, self.quote(given)))
        draft = replace(taken.draft, confidence=chance)
        if chance >= data_table(WEIGHTS)["threshold"]:
            return draft
        near = nearest((*own(draft), *draft.possible))
        return replace(
            draft, text="", value=None, claims=(), citations=(), reason=UNSURE, possible=near
        )

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
    agrees = other.value is not None and _agree(value, other.value)
    judged = [each.answers for each in checked.checks if each.answers is not None]
    return {
        "whole reply": max(sum(chances), -20.0) / 10,
        "agrees": float(agrees),
        "other's chance, agreed": other.confidence if agrees else 0.0,
        "other's chance, differs": other.confidence if not agrees else 0.0,
        "other stands, differs": float(not agrees and other_checked.value is not None),
        "judge of the value": min(judged, default=0.0),
        "first line": float(known.place == 0),
        "meaning of the line": known.ranked.meaning,
        "time of the line": known.ranked.time,
        "asked again": float(known.again),
        "number": float(isinstance(value, Quantity)),
        "truth": float(isinstance(value, bool)),
        "list": float(isinstance(value, tuple)),
        "computed": float(bool(known.candidate.operation)),
    }


def _agree(value: Value, other: Value) -> bool:
    """Whether two readers say the same: names and sentences also where one holds the other."""
    if isinstance(value, str) and isinstance(other, str):
        return runs_in(value, other) or runs_in(other, value)
    return alike(value, other)


def confidence(known: dict[str, float]) -> float:
    """The chance that a value is right."""
    weights = data_table(WEIGHTS)
    sum_ = weights["constant"] + sum(
        weights["weights"].get(name, 0.0) * value for name, value in known.items()
    )
    return 1 / (1 + math.exp(-sum_))
