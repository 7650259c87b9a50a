"""Candidates before the judge of evidence: how likely the place of each answers the question.

A quoted value is judged at its place for the question itself. A computed one is judged at its operands, each for what the
question asks of it: the question's subject at the time of the operand. The least likely place decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.answer.candidate import Candidate, Evidence, Passage
from pincite.answer.formulas import is_formula
from pincite.answer.placed import placed
from pincite.answer.question import Ask
from pincite.answer.recompute import PICKS
from pincite.evidence.judge import Judge
from pincite.evidence.place import CellPlace, Place

MOST = 3
"""So many places of a candidate are judged."""


def sort_of(candidate: Candidate) -> str:
    """How a candidate comes by its value, as far as it matters to what its places say."""
    if isinstance(candidate.value, bool):
        return "truth"
    if is_formula(candidate.operation):
        return "formula"
    if candidate.operation in PICKS:
        return "picked"
    return "computed" if candidate.operation else "list" if isinstance(candidate.value, tuple) else "quoted"


def odds(ask: Ask, candidates: Sequence[Candidate], passages: Mapping[str, Passage]) -> list[float | None]:
    """The log-odds that each candidate's places answer the question; `passages` are those shown, by node.

    None for a metric that its formula computes: what it asks of its operands its own words do not say.
    """
    judge = Judge()
    known: dict[tuple[str, Place], float] = {}
    pairs = [pairs_of(ask, candidate, passages) for candidate in candidates]
    places: dict[str, list[Place]] = {}
    for question, place in dict.fromkeys(pair for many in pairs for pair in many):
        places.setdefault(question, []).append(place)
    for question, some in places.items():
        judged = judge.odds(question, some)
        known |= {(question, place): float(value) for place, value in zip(some, judged, strict=True)}
    return [min((known[pair] for pair in many), default=None) for many in pairs]


def pairs_of(ask: Ask, candidate: Candidate, passages: Mapping[str, Passage]) -> list[tuple[str, Place]]:
    """The places of a candidate, each with the question that it is judged for."""
    sort = sort_of(candidate)
    if sort == "formula":
        return []
    made = []
    for evidence in candidate.evidence[:MOST]:
        place = _placed(evidence, passages)
        asked = ask.text
        if sort == "computed" and ask.subject:
            time = " ".join(place.column) if isinstance(place, CellPlace) else candidate.period
            asked = f"{ask.subject} {time}".strip()
        made.append((asked, place))
    return made


def _placed(evidence: Evidence, passages: Mapping[str, Passage]) -> Place:
    return placed(evidence, passages.get(evidence.node.id))
