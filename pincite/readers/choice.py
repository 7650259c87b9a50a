"""Which of the candidates from a table and the text around it answers: one linear score over cells, computations and spans.

The weights were fitted so that right candidates stand before wrong ones of the same question; `scripts/fit_tableread.py`
repeats it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

from pincite.evidence.candidate import Candidate
from pincite.question.cues import says
from pincite.question.understanding import Ask
from pincite.question.wording import WORDING
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
    kinds = [kind_of(c) for c in candidates]
    best = {kind: max(c.score for c, k in zip(candidates, kinds, strict=True) if k == kind) for kind in set(kinds)}
    wording = next((name for name, pattern in WORDING if pattern.search(ask.text)), "other")
    operation = _GROUPS[ask.operation]
    asks_percent = says(ask.text, "percent")
    out = []
    for candidate, kind in zip(candidates, kinds, strict=True):
        row = {f"{kind}": 1.0, f"{kind}&{operation}": 1.0, f"{kind}&{wording}": 1.0, f"{kind}&{ask.expects}": 1.0}
        row[f"{kind}&period{min(len(ask.periods), 2)}"] = 1.0
        row[f"{kind}&several"] = float(ask.several)
        row[f"{kind}&through"] = float(ask.through)
        row[f"{kind}&operands"] = float(len(ask.operands) > 1)
        family = "text" if kind in ("span", "amount") else "table"
        row |= {f"{family}:{name}": value for name, value in candidate.features.items()}
        for way in WAYS & candidate.features.keys():
            row |= {f"{way}": 1.0, f"{way}&{wording}": 1.0, f"{way}&{ask.expects}": 1.0, f"{way}&{operation}": 1.0}
        if family == "table":
            row[f"{kind}:row"] = candidate.features.get("row", 0.0)
            row[f"{kind}:row_precision"] = candidate.features.get("row_precision", 0.0)
            row[f"{kind}:left"] = 1.0 - min(
                1.0, sum(candidate.features.get(n, 0.0) for n in ("row", "section", "column"))
            )
        first = candidate.value[0] if isinstance(candidate.value, tuple) and candidate.value else candidate.value
        percent = isinstance(first, Quantity) and first.unit == "%"
        row[f"{family}:percent_unasked"] = float(percent and not asks_percent)
        row[f"{family}:percent_missing"] = float(asks_percent and not percent and kind not in ("name", "span"))
        row[f"{kind}:behind"] = min(5.0, best[kind] - candidate.score)
        row[f"{kind}:not_best"] = float(candidate.score < best[kind])
        row[f"{family}:zero"] = float(isinstance(first, Quantity) and first.value == 0)
        if candidate.operation and candidate.operation == ask.operation:
            row["as_asked"] = 1.0
        out.append(row)
    return out


def kind_of(candidate: Candidate) -> str:
    """What sort of answer a candidate is: cell, words, list, computed, name, count, amount (in text), span or formula."""
    if "formula" in candidate.features:
        return "formula"
    where = candidate.evidence[0] if candidate.evidence else None
    if where is not None and not where.cells:
        values = candidate.value if isinstance(candidate.value, tuple) else (candidate.value,)
        return "amount" if isinstance(values[0], Quantity) else "span"
    if candidate.operation in ("argmax", "argmin", "filter"):
        return "name"
    if candidate.operation == "count":
        return "count"
    if candidate.operation:
        return "computed"
    if isinstance(candidate.value, tuple):
        return "list"
    return "cell" if isinstance(candidate.value, Quantity) else "words"
