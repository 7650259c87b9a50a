"""One order over candidates of every kind, and one confidence in [0, 1] for the best."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.answer.candidate import Candidate
from pincite.answer.question import Ask


def ranked(ask: Ask, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates, best first."""
    return sorted(candidates, key=lambda one: -one.score)


def confidence(ask: Ask, best: Sequence[Candidate]) -> float:
    """How often an answer like the first one is right."""
    return min(1.0, max(0.0, best[0].score))
