"""Whether the sentence that a model cites for a yes or a no says so.

A sentence that speaks of what is asked says yes unless it denies it. A no needs a sentence that denies, but where the question
compares or claims everything: what is said of something else may deny that without a negation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.evidence.cited_place import PlacedQuantity, clipped, sentence_of
from pincite.evidence.glossed_passages import glossed
from pincite.evidence.stance import asked_stems, claims_much, read_truth, said_in
from pincite.generate.problem import ReplyProblem
from pincite.lines.line import Line
from pincite.lines.making import said_by
from pincite.question.ask import Ask
from pincite.text.lexicon import pattern
from pincite.text.words import stems
from pincite.types import Anchor, Node, Quantity

_SAYS = pattern("evidence", "yes or no")
_OPPOSED = 0.85
"""How sure the reader without a model must be that a page speaks of what a model finds nowhere."""
_PLAINLY = 0.5
"""From here on so much speaks for what is asked that a negation beside it is of something else."""


def objection(ask: Ask, place: Evidence, value: bool, silent_no: bool) -> str:
    """Why a place does not carry a yes or a no; "" where it does, or is a cell, which code does not read for it.

    With `silent_no` a no needs no denial.
    """
    if place.cells or place.node.table is not None:
        return ""
    said = stated(ask, place)
    if said is not None and said is not value:
        given = "yes" if value else "no"
        return f"'{clipped(place.quote)}' is cited for a {given} and {'denies it' if value else 'says so'}"
    if said is None and not value and not silent_no and not claims_much(ask.statement or ask.text):
        return f"'{clipped(place.quote)}' is cited for a no and denies nothing that is asked"
    return ""


def silent_row(ask: Ask, line: Line) -> str:
    """Why a row of a table carries neither a yes nor a no: it says neither, and names nothing of what is asked but names of its
    document; "" where it does, and for a sentence.
    """
    if line.row is None or _SAYS.search(line.text):
        return ""
    titled = stems(f"{line.passage.title} {line.passage.document}")
    telling = {stem for stem in asked_stems(ask.text)[0] if not stem.isdigit()}.difference(titled)
    if not telling.isdisjoint(stems(line.text)):
        return ""
    return f"'{clipped(line.text)}' names nothing of what is asked"


def silence(ask: Ask, passages: Sequence[Passage]) -> Candidate | ReplyProblem:
    """A no that rests on silence, where code as well finds nothing in the passages that speaks of it; else the problem."""
    told = replace(ask, query=replace(ask.query, silence="no"))
    stances = read_truth(told, ask.text, said_by(passages))
    remedy = "Name the line that says yes or no; where none does, lines and value are empty."
    if stances and stances[0].value is True and stances[0].score >= _OPPOSED:
        spoken = clipped(stances[0].evidence[0].quote)
        return ReplyProblem(f"the reply says no, and a line speaks of it: '{spoken}'", remedy)
    no = next((stance for stance in stances if stance.value is False), None)
    return no or ReplyProblem("nothing was read that could be silent on it", remedy)


def stated(ask: Ask, place: Evidence) -> bool | None:
    """What the sentences of a place say to the question; None where they say neither, or silence alone would."""
    alone = Passage(Node("", "paragraph", _sentences(place), Anchor("")))
    (glossed_alone,) = glossed([alone])
    stances = read_truth(ask, ask.text, said_in(glossed_alone))
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
