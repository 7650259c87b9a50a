"""Which of the candidates from a table and the text around it answers: one linear score over cells, computations and spans.

The weights were fitted so that right candidates stand before wrong ones of the same question; `scripts/fit_tableread.py`
repeats it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from pincite.evidence.candidate import Candidate
from pincite.question.cues import says
from pincite.question.understanding import Ask
from pincite.question.wording import form_of
from pincite.types import Quantity

WAYS = frozenset("amount0 amount1 amount2 time reason cause rest lead part prefix whole".split())
_METRIC = 6.0
"""How much surer a metric is that the question names and whose line items were all found than the cells it is made of."""
_GROUPS = {
    "lookup": "lookup", "difference": "pair", "percentage_change": "pair", "ratio": "pair", "proportion": "pair", "sum": "many",
    "average": "many", "count": "count", "max": "extreme", "min": "extreme", "argmax": "extreme", "argmin": "extreme",
    "filter": "extreme", "compare": "compare",
}  # fmt: skip


def choose(ask: Ask, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates by how likely each is right, best first; `score` becomes that likelihood among them."""
    if not candidates:
        return []
    weights = load_weights()
    scores = [sum(weights.get(name, 0.0) * value for name, value in row.items()) for row in described(ask, candidates)]
    scores = [s + _METRIC * c.features.get("metric", 0.0) for s, c in zip(scores, candidates, strict=True)]
    top = max(scores)
    total = sum(math.exp(score - top) for score in scores)
    ranked = [replace(c, score=math.exp(s - top) / total) for c, s in zip(candidates, scores, strict=True)]
    return sorted(ranked, key=lambda c: -c.score)


@lru_cache(maxsize=1)
def load_weights() -> Mapping[str, float]:
    """The fitted weight of each feature."""
    text = files("pincite").joinpath("data/tableread.json").read_text("utf-8")
    return {name: float(value) for name, value in json.loads(text)["weights"].items()}


def described(ask: Ask, candidates: Sequence[Candidate]) -> list[dict[str, float]]:
    """Named features of each candidate beside the others: its kind, what the question asks, how well its places match."""
    kinds = [kind_of(candidate) for candidate in candidates]
    best: dict[str, float] = {}
    for candidate, kind in zip(candidates, kinds, strict=True):
        best[kind] = max(candidate.score, best.get(kind, candidate.score))
    asking = _Asking.of(ask)
    return [_described(asking, candidate, kind, best[kind]) for candidate, kind in zip(candidates, kinds, strict=True)]


@dataclass(frozen=True, slots=True)
class _Asking:
    """What the features of every candidate say of the question."""

    ask: Ask
    wording: str
    operation: str
    percent: bool

    @staticmethod
    def of(ask: Ask) -> _Asking:
        """How the question is put, the group of its operation, and whether it asks for a percentage."""
        wording = form_of(ask.text)
        return _Asking(ask, wording, _GROUPS[ask.operation], says(ask.text, "percent"))


def _described(asking: _Asking, candidate: Candidate, kind: str, best: float) -> dict[str, float]:
    ask, wording, operation, features = asking.ask, asking.wording, asking.operation, candidate.features
    family = "text" if kind in ("span", "amount") else "table"
    row = {
        kind: 1.0,
        f"{kind}&{operation}": 1.0,
        f"{kind}&{wording}": 1.0,
        f"{kind}&{ask.expects}": 1.0,
        f"{kind}&period{min(len(ask.periods), 2)}": 1.0,
        f"{kind}&several": float(ask.several),
        f"{kind}&through": float(ask.through),
        f"{kind}&operands": float(len(ask.operands) > 1),
        **{f"{family}:{name}": value for name, value in features.items()},
    }
    for way in WAYS & features.keys():
        row |= {way: 1.0, f"{way}&{wording}": 1.0, f"{way}&{ask.expects}": 1.0, f"{way}&{operation}": 1.0}
    if family == "table":
        row[f"{kind}:row"] = features.get("row", 0.0)
        row[f"{kind}:row_precision"] = features.get("row_precision", 0.0)
        labelled = sum(features.get(name, 0.0) for name in ("row", "section", "column"))
        row[f"{kind}:left"] = 1.0 - min(1.0, labelled)
    first = candidate.first
    percent = isinstance(first, Quantity) and first.unit == "%"
    row[f"{family}:percent_unasked"] = float(percent and not asking.percent)
    row[f"{family}:percent_missing"] = float(asking.percent and not percent and kind not in ("name", "span"))
    row[f"{kind}:behind"] = min(5.0, best - candidate.score)
    row[f"{kind}:not_best"] = float(candidate.score < best)
    row[f"{family}:zero"] = float(isinstance(first, Quantity) and first.value == 0)
    if candidate.operation and candidate.operation == ask.operation:
        row["as_asked"] = 1.0
    return row


def kind_of(candidate: Candidate) -> str:
    """What sort of answer a candidate is: cell, words, list, computed, name, count, amount (in text), span or formula."""
    if "formula" in candidate.features:
        return "formula"
    if candidate.evidence and not candidate.evidence[0].cells:
        return "amount" if isinstance(candidate.first, Quantity) else "span"
    if candidate.operation:
        return _OF_OPERATION.get(candidate.operation, "computed")
    if isinstance(candidate.value, tuple):
        return "list"
    return "cell" if isinstance(candidate.value, Quantity) else "words"


_OF_OPERATION = {"argmax": "name", "argmin": "name", "filter": "name", "count": "count"}
"""The sort of answer that an operation makes; every other makes what is computed."""
