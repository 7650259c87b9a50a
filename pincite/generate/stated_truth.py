"""Whether the sentence that a model cites for a yes or a no says so.

A sentence that speaks of what is asked says yes unless it denies it. A no needs a sentence that denies, but where the question
compares or claims everything: what is said of something else may deny that without a negation.
"""

from __future__ import annotations

from decimal import Decimal

from pincite.evidence.candidate import Evidence, Passage
from pincite.evidence.cited_place import PlacedQuantity, clipped, sentence_of
from pincite.evidence.glossed_passages import glossed
from pincite.evidence.stance import claims_much, read_truth
from pincite.evidence.term_match import match
from pincite.generate.problem import ReplyProblem
from pincite.question.ask import Ask
from pincite.types import Anchor, Node, Quantity

_PLAINLY = 0.5
"""From here on so much speaks for what is asked that a negation beside it is of something else."""


def objection(ask: Ask, place: Evidence, value: bool, silent_no: bool) -> ReplyProblem | None:
    """Why a place does not carry a yes or a no; None where it does, or is a cell, which code does not read for it.

    With `silent_no` a no needs no denial.
    """
    if place.cells or place.node.table is not None:
        return None
    said = stated(ask, place)
    if said is not None and said is not value:
        given, other = ("yes", "no") if value else ("no", "yes")
        how = "denies it" if value else "says so"
        return ReplyProblem(
            f"'{clipped(place.quote)}' is cited for a {given} and {how}",
            f"Answer {other} with this sentence, cite one that says {given}, or answer N/A.",
        )
    if said is None and not value and not silent_no and not claims_much(ask.statement or ask.text):
        return ReplyProblem(
            f"'{clipped(place.quote)}' is cited for a no and denies nothing that is asked",
            "Cite the sentence that says no, answer yes with one that says so, or answer N/A.",
        )
    return None


def stated(ask: Ask, place: Evidence) -> bool | None:
    """What the sentences of a place say to the question; None where they say neither, or silence alone would."""
    alone = Passage(Node("", "paragraph", _sentences(place), Anchor("")))
    stances = read_truth(ask, *match(ask.text, glossed([alone])))
    if not stances or stances[0].features["silence"]:
        return None
    seen = stances[0].features
    if seen["truth_negative"] and seen["truth_total"] < _PLAINLY:
        return False
    return stances[0].value is True


def _sentences(place: Evidence) -> str:
    """The text of a place, as far as the sentences reach that it begins and ends in."""
    zero = Quantity(Decimal(0))
    last = max(place.start, place.end - 1)
    start, _ = sentence_of(place.node, PlacedQuantity(zero, place.start, place.end))
    _, end = sentence_of(place.node, PlacedQuantity(zero, last, place.end))
    return place.node.text[start:end]
