"""What a filled form comes to before it is checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from pincite.evidence.candidate import Candidate, Evidence
from pincite.generate.problem import ReplyProblem
from pincite.generate.shown_pages import ShownPieces
from pincite.generate.source_places import CitedHandles, located

if TYPE_CHECKING:
    from pincite.generate.forms import Source


@dataclass(frozen=True, slots=True)
class Proposal:
    """Candidates, likeliest first; without any the `problem`, which N/A has not. `said` is the prose of a text answer.

    `doubted` candidates are at places that the judge of evidence does not take for ones that answer: they can be possible
    answers, not the answer. `wrong` are claims that a reply makes of places where something else stands: the check says what.
    """

    candidates: tuple[Candidate, ...] = ()
    problem: ReplyProblem | None = None
    said: str = ""
    wrong: tuple[Candidate, ...] = ()
    doubted: bool = False


NOTHING = Proposal()


def cited(sources: Sequence[Source]) -> list[CitedHandles]:
    """The sources of a form in plain terms."""
    return [CitedHandles(source.page, source.cell, source.quote) for source in sources]


def cited_places(sources: Sequence[Source], shown: ShownPieces) -> list[Evidence]:
    """The places that the sources of a form mean, likeliest first for each."""
    return list(chain.from_iterable(located(source, shown) for source in cited(sources)))
