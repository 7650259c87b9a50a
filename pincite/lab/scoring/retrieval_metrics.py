"""Ranking metrics by their ir_measures names, and the rules for pages.

Formulas: Manning, Raghavan and Schuetze, Introduction to Information Retrieval, chapter 8; nDCG after Jarvelin and
Kekalainen (2002) with linear gain and log2(rank + 1) discount, as trec_eval computes it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from pincite.errors import UsageError
from pincite.records.runfile import FoundPage, Spot, document_name

Item = TypeVar("Item", bound=Hashable)
NAME = re.compile(r"(?:(Success|R|P|F1)(?=@)|RR|nDCG|AP)(?:@[1-9]\d*)?")
KNOWN = "Success@k R@k P@k F1@k RR RR@k nDCG nDCG@k AP AP@k"


def is_metric(name: str) -> bool:
    """Whether a name is one of those that are KNOWN."""
    return NAME.fullmatch(name) is not None


def score(name: str, ranked: Sequence[Item], relevant: Mapping[Item, int]) -> float | None:
    """One metric for one question, in [0, 1]; None when nothing is relevant, for then it does not apply.

    `name` is `Success@k` (hit rate), `R@k`, `P@k`, `F1@k`, `RR[@k]`, `nDCG[@k]` or `AP[@k]`; `ranked` what was
    found, best first, each item once; `relevant` the grade of each judged item, above 0 being relevant.

    Raises UsageError when the name is no metric.
    """
    if not is_metric(name):
        raise UsageError(f"no metric is named {name!r}; known: {KNOWN}")
    metric, _, cutoff = name.partition("@")
    wanted = {item for item, grade in relevant.items() if grade > 0}
    if not wanted:
        return None
    k = int(cutoff) if cutoff else len(ranked)
    top = ranked[:k]
    hits = [item in wanted for item in top]
    match metric:
        case "Success":
            return float(any(hits))
        case "R":
            return sum(hits) / len(wanted)
        case "P":
            return sum(hits) / k
        case "F1":
            return 2 * sum(hits) / (k + len(wanted))
        case "RR":
            return 1 / (hits.index(True) + 1) if any(hits) else 0.0
        case "AP":
            precisions = (sum(hits[:rank]) / rank for rank, hit in enumerate(hits, 1) if hit)
            return sum(precisions) / len(wanted)
    ideal = sorted((grade for grade in relevant.values() if grade > 0), reverse=True)
    best = ideal[:k] if cutoff else ideal
    return gain(max(relevant.get(item, 0), 0) for item in top) / gain(best)


def gain(grades: Iterable[int]) -> float:
    """Discounted cumulated gain of grades in rank order."""
    return sum(grade / math.log2(rank + 2) for rank, grade in enumerate(grades))


def pages(found: Iterable[FoundPage]) -> list[Spot]:
    """The distinct (document, page) pairs of hits in the order in which they appear; hits without a page left out."""
    return list(
        dict.fromkeys((document_name(hit.document), hit.page) for hit in found if hit.page)
    )


def documents(found: Iterable[FoundPage]) -> list[str]:
    """The distinct documents of hits in the order in which they first appear."""
    return list(dict.fromkeys(document_name(hit.document) for hit in found))
