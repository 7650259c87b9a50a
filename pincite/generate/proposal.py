"""What a filled form comes to before it is checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.evidence.candidate import Candidate
from pincite.generate.locate import CitedHandles

if TYPE_CHECKING:
    from pincite.generate.forms import Source


@dataclass(frozen=True, slots=True)
class Proposal:
    """Candidates, likeliest first; without any the `problem`, which is empty for N/A. `said` is the prose of a text answer.

    `wrong` are claims that a reply makes of places where something else stands: the check says of them what.
    """

    candidates: tuple[Candidate, ...] = ()
    problem: str = ""
    said: str = ""
    wrong: tuple[Candidate, ...] = ()


NOTHING = Proposal()


def cited(sources: Sequence[Source]) -> list[CitedHandles]:
    """The sources of a form in plain terms."""
    return [CitedHandles(source.page, source.cell, source.quote) for source in sources]
