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
NAME = re.compile(r"(Success|R|P|F1|RR|nDCG|AP)(?:@(\d+))?")


def score(name: str, ranked: Sequence[Item], relevant: Mapping[Item, int]) -> float | None:
    """One metric for one question, in [0, 1]; None when nothing is relevant, for then it does not apply.

    `name` is `Success@k` (hit rate), `R@k`, `P@k`, `F1@k`, `RR[@k]`, `nDCG[@k]` or `AP[@k]`; `ranked` what was
    found, best first, each item once; `relevant` the grade of each judged item, above 0 being relevant.

    Raises UsageError when the name is no metric.
    """
    match = NAME.fullmatch(name)
    if (
        match is None
        or (match[2] is None and match[1] in ("Success", "R", "P", "F1"))
        or match[2] == "0"
    ):
        raise UsageError(
            f"no metric is named {name!r}; known: Success@k R@k P@k F1@k RR RR@k nDCG nDCG@k AP AP@k"
        )
    wanted = {item for item, grade in relevant.items() if grade > 0}
    if not wanted:
        return None
    k = int(match[2]) if match[2] else len(ranked)
    top = ranked[:k]
    hits = [item in wanted for item in top]
    match match[1]:
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
            return sum(
                sum(hits[: rank + 1]) / (rank + 1) for rank, hit in enumerate(hits) if hit
            ) / len(wanted)
        case _:
            ideal = sorted((grade for grade in relevant.values() if grade > 0), reverse=True)[
                : k if match[2] else None
            ]
            return gain(max(relevant.get(item, 0), 0) for item in top) / gain(ideal)


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


def spots(evidence: Iterable[tuple[str, int]]) -> frozenset[Spot]:
    """Evidence as comparable pages."""
    return frozenset((document_name(document), page) for document, page in evidence)
