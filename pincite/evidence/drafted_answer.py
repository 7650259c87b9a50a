"""From the best candidate to a draft of the answer: its citations, its claims, and what else was possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pincite.document.address import own_place
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.evidence.cited_place import spots_of
from pincite.evidence.value_in_words import as_asked, worded
from pincite.ingest.tree import anchor_of
from pincite.question.ask import Ask
from pincite.types import Answer, Citation, Claim, Draft, Node, Possible, Value

TRIED = 3
"""Candidates of which one may take the place of another that the check rejects."""
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
    others = []
    for other in best[1:]:
        first = cited(other.evidence[0], "") if other.evidence else None
        others.append(Possible(as_asked(ask, other.value), first, other.score))
    near = nearest(others, value)
    return Draft(ask.query, worded(value), value, claims, citations, seen, confidence, "", near)


def draft_of(ask: Ask, best: Sequence[Candidate], passages: Sequence[Passage]) -> Draft:
    """The draft of the best of some candidates, the next ones as its alternatives; a refusal where there is none."""
    seen = tuple(dict.fromkeys(passage.node.id for passage in passages))
    if not best:
        return refused(ask, passages, seen)
    first, *others = (
        drafted(ask, best[at:], best[at].score, seen) for at in range(min(TRIED, len(best)))
    )
    return replace(first, alternatives=tuple(others))


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
        replace(each, citation=each.citation and replace(each.citation, label=f"p{number}"))
        for number, each in enumerate(first.values(), 1)
    )


def with_earlier(first: Draft, second: Draft) -> Draft:
    """A second draft; where it has no value, with the possible answers of the first, and why these are no more than possible."""
    if second.value is not None or not first.possible:
        return second
    reason = second.reason if second.possible else first.reason or second.reason
    return replace(second, possible=nearest((*second.possible, *first.possible)), reason=reason)


_WANTED = {
    "number": "number",
    "boolean": "statement for or against",
    "name": "name",
    "names": "names",
}


def refused(ask: Ask, passages: Sequence[Passage], seen: tuple[str, ...]) -> Draft:
    """The draft that says nothing was found, and where it was looked for."""
    wanted = _WANTED.get(ask.expects, "passage" if ask.query.expects else "answer")
    where = [f"{passage.document} {_place(passage.node)}".rstrip() for passage in passages]
    looked = ", ".join(list(dict.fromkeys(where))[:5]) or "no page matched the question"
    reason = f"no {wanted} for this question was found in what was read: {looked}"
    return Draft(ask.query, "", None, read=seen, reason=reason)


def _place(node: Node) -> str:
    """The page of a node, or what its page is in the terms of its format."""
    page = node.anchor.page
    return own_place(node.anchor.path) or f"p. {page}" if page else node.anchor.path


def cited(evidence: Evidence, label: str) -> Citation:
    """A citation of one place: the boxes of its cells, or of the lines that its characters stand on."""
    node = evidence.node
    if evidence.cells and node.table is not None:
        spots = spots_of(node, evidence.cells)
        anchor = replace(node.anchor, spots=spots, cells=evidence.cells)
    else:
        anchor = anchor_of(node, evidence.start, evidence.end)
    quote = evidence.quote or node.text[evidence.start : evidence.end]
    return Citation(label, node.id, anchor, quote, evidence.document)


def _claims(chosen: Candidate, citations: Sequence[Citation]) -> tuple[Claim, ...]:
    """One claim for each item of a list that has a citation of its own, else one for the whole value."""
    value, labels = chosen.value, tuple(citation.label for citation in citations)
    whole = Claim(worded(value), value, labels, chosen.subject, chosen.period, chosen.operation)
    if not isinstance(value, tuple) or len(value) != len(labels) or chosen.operation:
        return (whole,)
    return tuple(
        replace(whole, text=worded(item), value=item, citations=(label,))
        for item, label in zip(value, labels, strict=True)
    )
