"""Answers computed from two quantities that stand apart: how many times A is B, the difference of A and B.

The question names both sides; each is read on its own, its words weighing more and the other side's nothing. Two
quantities go together when they measure the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext

import numpy as np

from pincite.answer.candidate import Candidate
from pincite.answer.derive import OPERATIONS
from pincite.answer.match import Match, Terms
from pincite.answer.question import Ask
from pincite.answer.sentences import read
from pincite.answer.words import STOP
from pincite.ingest.sentences import sentences
from pincite.quantity import convert
from pincite.quantity.dimensions import measure
from pincite.types import Quantity

Reader = Callable[[Ask, Terms, Sequence[Match]], list[Candidate]]

_HIGHER = "more|greater|larger|higher|bigger|longer|faster"
_LOWER = "less|fewer|lower|smaller|shorter|slower"
_MORE = rf"(?:(?:{_HIGHER}|{_LOWER}|as\s++(?:much|many|large|high)|the)\s++)?"
_BE = r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would)"
_VERB = (
    r"(?:(?:is|are|was|were|has|have|had|consumes?d?|uses?d?|emits?|emitted|costs?|takes?|took|requires?d?|produces?d?"
    r"|generates?d?)\s++)?"
)
_ABOUT = r"(?:(?:roughly|approximately|about|around)\s++)?"
_TIMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"how\s++many\s++times\s++{_MORE}(?>(?P<what>.*?)\s*+\b{_BE}\s++)(?P<a>.+?)\s++than\s++(?P<b>.+)",
        rf"how\s++many\s++times\s++(?:the|as\s++much|as\s++many)\s++(?>(?P<what>.*?)\s*+\b(?:of|as)\s++)"
        rf"(?P<b>.+?)\s++{_BE}\s++(?P<a>.+)",
        rf"^(?P<a>.+?)(?<!\s)\s++{_VERB}{_ABOUT}how\s++many\s++times\s++{_MORE}(?>(?P<what>.*?)\s*+\b(?:of|than|as|that)\s++)(?P<b>.+)",
        r"(?:ratio|factor)\s++(?P<what>)(?:of|between)\s++(?P<a>.+?)\s++(?:to|and)\s++(?P<b>.+)",
    )
)
_DIFFERENCE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<what>)(?:difference|gap)\s++(?>(?:between|in\s++.*?between)\s++)(?P<a>.+?)\s++and\s++(?P<b>.+)",
        rf"how\s++(?:much|many)\s++(?:{_HIGHER}|{_LOWER})\s++(?>(?P<what>.*?)\s*+\b{_BE}\s++)(?P<a>.+?)\s++than\s++(?P<b>.+)",
    )
)
_EXCEEDS = re.compile(rf"how\s+many\s+times\s+(?:{_HIGHER}|{_LOWER})\b", re.IGNORECASE)
_LESS = re.compile(rf"how\s+many\s+times\s+(?:{_LOWER})\b", re.IGNORECASE)
_MEASURES = (
    (re.compile(r"\b(?:energy|electricity|power)\b", re.IGNORECASE), "energy"),
    (re.compile(r"\b(?:emissions?|carbon|CO2\w*|weigh\w*|mass)\b", re.IGNORECASE), "mass"),
    (re.compile(r"\bwater\b", re.IGNORECASE), "volume"),
    (re.compile(r"\b(?:time|long|duration|hours?|days?)\b", re.IGNORECASE), "time"),
    (re.compile(r"\b(?:percent\w*|share|proportion|fraction)\b|%", re.IGNORECASE), "proportion"),
)  # fmt: skip
"""What a question's words say of the dimension of what it compares."""
_OWN = 4.0
"""How much more a side's own words weigh than what it shares with the question."""
_DEEP = 8
_LONGEST = 400
"""Characters of the longest question sentence that is taken apart."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The two phrases an operation works on, in the order of its formula, and what of them is measured."""

    operation: str
    first: str
    second: str
    what: str = ""


def sides(text: str) -> Sides | None:
    """The sides of a question that asks how one thing compares with another; None when it names no two."""
    start, end = sentences(text)[-1] if text.strip() else (0, 0)
    sentence = text[start:end].rstrip("? ")
    if len(sentence) > _LONGEST:
        return None
    for operation, patterns in (("ratio", _TIMES), ("difference", _DIFFERENCE)):
        for pattern in patterns:
            if match := pattern.search(sentence):
                first, second = match["a"].strip(" ,"), match["b"].strip(" ,")
                if operation == "ratio" and _LESS.search(sentence):
                    first, second = second, first
                return Sides(operation, first, second, match["what"].strip())
    return None


def compose(ask: Ask, terms: Terms, matches: Sequence[Match], reader: Reader) -> list[Candidate]:
    """Ratios and differences of two quantities that `reader` finds for the sides of `ask`, best first."""
    both = sides(ask.text)
    if both is None:
        return []
    plain = replace(ask, unit="", wants=both.what)
    exceeds = _EXCEEDS.search(ask.text)
    asked = f"{both.what} {both.first} {both.second}"
    wanted = {dimension for pattern, dimension in _MEASURES if pattern.search(asked)}
    left, right = (
        [one for one in reader(plain, _weighted(terms, side, other), matches) if _fits(one, wanted)][:_DEEP]
        for side, other in ((both.first, both.second), (both.second, both.first))
    )
    out = []
    for a in left:
        for b in right:
            value = _compute(both.operation, a, b)
            if value is None or (exceeds and value.value < 1):
                continue
            features = {
                "near": min(a.features["near"], b.features["near"]),
                "computed": 1.0,
                "same_unit": float(_unit(a) == _unit(b)),
                "same_page": float(a.evidence[0].node.id == b.evidence[0].node.id),
                "order": _order(a, b, terms, both),
                "row": min(a.features["row"], b.features["row"]),
            }
            score = (
                0.5 * (a.score + b.score)
                + 0.3 * features["same_unit"]
                + 0.2 * features["same_page"]
                + 0.4 * features["order"]
                + _BASE
            )
            out.append(
                Candidate(
                    value,
                    a.evidence + b.evidence,
                    subject=both.first,
                    operation=both.operation,
                    score=score,
                    features=features,
                )
            )
    return sorted(out, key=lambda one: -one.score)[:5]


_BASE = 0.4


def _weighted(terms: Terms, side: str, other: str) -> Terms:
    """The question's terms with a side's own words foremost and the other side's own words left out."""
    mine = {stem for stem in read(side).stems if stem not in STOP}
    theirs = {stem for stem in read(other).stems if stem not in STOP}
    factors = [(_OWN if stem in mine - theirs else 0.0 if stem in theirs - mine else 1.0) for stem in terms.stems]
    weights = terms.weights * np.array(factors, np.float32)
    return replace(terms, weights=weights / max(1e-6, float(weights.sum())))


def _order(a: Candidate, b: Candidate, terms: Terms, both: Sides) -> float:
    """1 when two numbers of one sentence stand in the order in which it names their sides, 0 when in the other, else .5."""
    one, two = a.evidence[0], b.evidence[0]
    if one.quote != two.quote or one.node.id != two.node.id:
        return 0.5
    places = read(one.quote).places
    mine = {stem for stem in read(both.first).stems if stem in terms.stems}
    theirs = {stem for stem in read(both.second).stems if stem in terms.stems}
    left = [at for stem in mine - theirs for at in places.get(stem, ())]
    right = [at for stem in theirs - mine for at in places.get(stem, ())]
    if not left or not right or min(left) == min(right):
        return 0.5
    return float((min(left) < min(right)) == (one.start < two.start))


def _fits(candidate: Candidate, wanted: set[str]) -> bool:
    """Whether a quantity measures what is wanted; a bare number of a table line may."""
    unit = _unit(candidate)
    if not unit:
        return bool(candidate.features["row"])
    dimensions = {name for name, _ in measure(unit)[1]}
    return bool(wanted & dimensions) if wanted else unit not in ("x", "year")


def _behind(candidate: Candidate) -> int:
    """How many numbers follow on the line: which column of a flattened table a number stands in, from the right."""
    where = candidate.evidence[0]
    rest = where.node.text[where.end :].partition("\n")[0]
    return len(_A_NUMBER.findall(rest))


_A_NUMBER = re.compile(r"\d[\d.,]*")


def _unit(candidate: Candidate) -> str:
    return candidate.value.unit if isinstance(candidate.value, Quantity) else ""


def _compute(operation: str, a: Candidate, b: Candidate) -> Quantity | None:
    x, y = a.value, b.value
    if not isinstance(x, Quantity) or not isinstance(y, Quantity) or a.evidence == b.evidence:
        return None
    if x.unit == "year" or y.unit == "year" or measure(x.unit)[1] != measure(y.unit)[1]:
        return None
    if not x.unit and (a.evidence[0].node.id != b.evidence[0].node.id or _behind(a) != _behind(b)):
        return None  # two bare numbers measure the same only in one column of one table
    amounts = [x.amount, convert(y, x.unit).amount if x.unit and x.unit != y.unit else y.amount]
    if not amounts[1] or amounts[0] == amounts[1] or (operation == "ratio" and min(amounts) <= 0):
        return None
    with localcontext(prec=28):
        value = OPERATIONS[operation].run(amounts)
    if operation == "ratio" and abs(value - 1) < Decimal("0.02"):
        return None  # two spellings of one number
    return Quantity(value, "x") if operation == "ratio" else Quantity(value, x.unit)
