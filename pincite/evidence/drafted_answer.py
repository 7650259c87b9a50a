"""From the best candidate to a draft of the answer: its citations, its claims, and what else was possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pincite.document.address import own_place
from pincite.document.table import spot
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.evidence.value_in_words import as_asked, worded
from pincite.ingest.tree import anchor_of
from pincite.question.ask import Ask
from pincite.types import Anchor, Answer, Citation, Claim, Draft, Node, Possible, Value

POSSIBLE = 3
"""Possible answers that an answer lists."""


def drafted(
    ask: Ask, best: Sequence[Candidate], confidence: float, seen: tuple[str, ...]
) -> Draft:
    """The draft of the best candidate; the next ones are its possible answers."""
    chosen = best[0]
    citations = tuple(cited(place, str(number)) for number, place in enumerate(chosen.evidence, 1))
    value = as_asked(ask, chosen.value)
    claims = _claims(chosen, citations)
    others = (
        Possible(as_asked(ask, candidate.value), _first(candidate), candidate.score)
        for candidate in best[1:]
    )
    text = worded(value)
    return Draft(
        ask.query, text, value, claims, citations, seen, confidence, "", nearest(others, value)
    )


def _first(candidate: Candidate) -> Citation | None:
    """The first place of a candidate; None for one that rests on none."""
    return cited(candidate.evidence[0], "") if candidate.evidence else None


def own(draft: Draft | Answer) -> tuple[Possible, ...]:
    """What a draft or answer says, as a possible answer at its first place; nothing when it says nothing."""
    if draft.value is None:
        return ()
    return (Possible(draft.value, next(iter(draft.citations), None), draft.confidence),)


def nearest(answers: Iterable[Possible], value: Value = None) -> tuple[Possible, ...]:
    """The first few possible answers, each value once and none of them `value`; their citations are labelled p1, p2, p3."""
    first: dict[Value, Possible] = {}
    for possible in answers:
        if possible.value is not None and possible.value != value:
            first.setdefault(possible.value, possible)
        if len(first) == POSSIBLE:
            break
    return tuple(
        _labelled(possible, f"p{number}") for number, possible in enumerate(first.values(), 1)
    )


def with_earlier(first: Draft, second: Draft) -> Draft:
    """A second draft; where it has no value, with the possible answers of the first, and why these are no more than possible."""
    if second.value is not None or not first.possible:
        return second
    reason = second.reason if second.possible else first.reason or second.reason
    return replace(second, possible=nearest((*second.possible, *first.possible)), reason=reason)


def _labelled(possible: Possible, label: str) -> Possible:
    """A possible answer with this label on its citation, where it has one."""
    return (
        replace(possible, citation=replace(possible.citation, label=label))
        if possible.citation
        else possible
    )


def refused(ask: Ask, passages: Sequence[Passage], seen: tuple[str, ...]) -> Draft:
    """The draft that says nothing was found, and where it was looked for."""
    kinds = {
        "number": "number",
        "boolean": "statement for or against",
        "name": "name",
        "names": "names",
    }
    wanted = kinds.get(ask.expects, "passage" if ask.query.expects else "answer")
    where = dict.fromkeys(
        f"{passage.document} {_place(passage.node)}".rstrip() for passage in passages
    )
    looked = ", ".join(list(where)[:5]) if where else "no page matched the question"
    return Draft(
        ask.query,
        "",
        None,
        read=seen,
        reason=f"no {wanted} for this question was found in what was read: {looked}",
    )


def _place(node: Node) -> str:
    """The page of a node, or what its page is in the terms of its format."""
    return (
        own_place(node.anchor.path) or f"p. {node.anchor.page}"
        if node.anchor.page
        else node.anchor.path
    )


def cited(evidence: Evidence, label: str) -> Citation:
    """A citation of one place: the boxes of its cells, or of the lines that its characters stand on."""
    node = evidence.node
    if evidence.cells and node.table is not None:
        wanted = {
            at: cell
            for cell in node.table.cells
            if (at := (cell.row, cell.column)) in evidence.cells
        }
        places = {at: spot(node, cell) for at, cell in wanted.items()}
        spots = tuple(places.get(cell, (node.anchor.page, None)) for cell in evidence.cells)
        anchor = Anchor(
            node.anchor.source, spots, evidence.cells, node.anchor.path, node.anchor.sql
        )
    else:
        anchor = anchor_of(node, evidence.start, evidence.end)
    quote = evidence.quote or node.text[evidence.start : evidence.end]
    return Citation(label, node.id, anchor, quote, evidence.document)


def _claims(chosen: Candidate, citations: Sequence[Citation]) -> tuple[Claim, ...]:
    """One claim for each item of a list that has a citation of its own, else one for the whole value."""
    labels = tuple(citation.label for citation in citations)
    whole = Claim(
        worded(chosen.value), chosen.value, labels, chosen.subject, chosen.period, chosen.operation
    )
    if (
        isinstance(chosen.value, tuple)
        and len(chosen.value) == len(labels)
        and not chosen.operation
    ):
        return tuple(
            replace(whole, text=worded(item), value=item, citations=(label,))
            for item, label in zip(chosen.value, labels, strict=True)
        )
    return (whole,)
