"""The order of the table reader's candidates: one linear score over cells, computations and spans.

The weights were fitted so that right candidates rank before wrong ones of the same question; `scripts/fit_tableread.py` repeats
it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from pincite.evidence.candidate import Candidate
from pincite.question.ask import Ask
from pincite.types import Quantity, Value

WAYS = frozenset("amount0 amount1 amount2 time reason cause rest lead part prefix whole".split())
"""What the features of a span say of the way in which its sentence answers."""
_METRIC = 6.0
"""What speaks for a metric that the question names and whose line items were all found, before the cells it is made of."""
_GROUPS = {
    "lookup": "lookup", "difference": "pair", "percentage_change": "pair", "ratio": "pair", "proportion": "pair", "sum": "many",
    "average": "many", "count": "count", "max": "extreme", "min": "extreme", "argmax": "extreme", "argmin": "extreme",
    "filter": "extreme", "compare": "compare",
}  # fmt: skip


def rank(ask: Ask, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates by how likely each is right, best first; `score` becomes that likelihood among them."""
    if not candidates:
        return []
    weights = load_weights()
    scores = []
    for candidate, row in zip(candidates, described(ask, candidates), strict=True):
        score = sum(weights.get(name, 0.0) * value for name, value in row.items())
        scores.append(score + _METRIC * candidate.features.get("metric", 0.0))
    top = max(scores)
    total = sum(math.exp(score - top) for score in scores)
    ranked = [
        replace(c, score=math.exp(s - top) / total)
        for c, s in zip(candidates, scores, strict=True)
    ]
    return sorted(ranked, key=lambda c: -c.score)


@lru_cache(maxsize=1)
def load_weights() -> Mapping[str, float]:
    """The fitted weight of each feature."""
    text = files("pincite").joinpath("data/tableread.json").read_text("utf-8")
    weights: Mapping[str, float] = json.loads(text)["weights"]
    return weights


def described(ask: Ask, candidates: Sequence[Candidate]) -> list[dict[str, float]]:
    """Named features of each candidate beside the others: its kind, what the question asks, how well its places match."""
    kinds = [kind_of(candidate) for candidate in candidates]
    best: dict[str, float] = {}
    for candidate, kind in zip(candidates, kinds, strict=True):
        best[kind] = max(candidate.score, best.get(kind, candidate.score))
    asking = _Asking.of(ask)
    return [
        _described(asking, candidate, kind, best[kind])
        for candidate, kind in zip(candidates, kinds, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Asking:
    """What the features of every candidate say of the question."""

    wording: str
    expects: str
    operation: str
    group: str
    percent: bool
    marks: Mapping[str, float]
    """What is paired with the sort of a candidate."""

    @staticmethod
    def of(ask: Ask) -> _Asking:
        """How the question is put, what it expects, the group of its operation, and whether it asks for a percentage."""
        wording, group = ask.form, _GROUPS[ask.operation]
        marks = {
            group: 1.0,
            wording: 1.0,
            ask.expects: 1.0,
            f"period{min(len(ask.periods), 2)}": 1.0,
            "several": float(ask.several),
            "through": float(ask.through),
            "operands": float(len(ask.operands) > 1),
        }
        return _Asking(wording, ask.expects, ask.operation, group, ask.says("percent"), marks)


def _described(asking: _Asking, candidate: Candidate, kind: str, best: float) -> dict[str, float]:
    features, first = candidate.features, candidate.first
    family = "text" if kind in ("span", "amount") else "table"
    row = {kind: 1.0}
    row |= {f"{kind}&{mark}": value for mark, value in asking.marks.items()}
    row |= {f"{family}:{name}": value for name, value in features.items()}
    for way in WAYS & features.keys():
        row |= {
            way: 1.0,
            f"{way}&{asking.wording}": 1.0,
            f"{way}&{asking.expects}": 1.0,
            f"{way}&{asking.group}": 1.0,
        }
    if family == "table":
        row |= _labelled(kind, features)
    row |= _percentage(asking, kind, family, first)
    row[f"{kind}:behind"] = min(5.0, best - candidate.score)
    row[f"{kind}:not_best"] = float(candidate.score < best)
    row[f"{family}:zero"] = float(isinstance(first, Quantity) and first.value == 0)
    if candidate.operation == asking.operation:
        row["as_asked"] = 1.0
    return row


def _labelled(kind: str, features: Mapping[str, float]) -> dict[str, float]:
    """How well the labels of a cell match, for its kind, and how much of the question they leave out."""
    labelled = sum(features.get(name, 0.0) for name in ("row", "section", "column"))
    return {
        f"{kind}:row": features.get("row", 0.0),
        f"{kind}:row_precision": features.get("row_precision", 0.0),
        f"{kind}:left": 1.0 - min(1.0, labelled),
    }


def _percentage(asking: _Asking, kind: str, family: str, value: Value) -> dict[str, float]:
    """Whether a percentage stands where none is asked for, and where one is asked for none."""
    percent = isinstance(value, Quantity) and value.unit == "%"
    return {
        f"{family}:percent_unasked": float(percent and not asking.percent),
        f"{family}:percent_missing": float(
            asking.percent and not percent and kind not in ("name", "span")
        ),
    }


def kind_of(candidate: Candidate) -> str:
    """What sort of answer a candidate is: cell, words, list, computed, name, count, amount (in text), span or formula."""
    if "formula" in candidate.features:
        return "formula"
    if candidate.evidence and not candidate.in_cells:
        return "amount" if isinstance(candidate.first, Quantity) else "span"
    if candidate.operation:
        return _OF_OPERATION.get(candidate.operation, "computed")
    if isinstance(candidate.value, tuple):
        return "list"
    return "cell" if isinstance(candidate.value, Quantity) else "words"


_OF_OPERATION = {"argmax": "name", "argmin": "name", "filter": "name", "count": "count"}
"""The sort of answer that an operation makes; every other makes what is computed."""
