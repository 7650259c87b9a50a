"""The only way from a draft to an answer: every claim is read again at the place it cites.

A number must appear there with its sign, scale, unit and period, in the row and column that the question means; a computed
number is computed again from its operands. A value that its citations do not support is never presented as an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from pincite.check.computed_claims import computed, picked, worded
from pincite.check.decision import again
from pincite.check.objections import equal, object_to
from pincite.check.owner import owned, unsupported
from pincite.corpus import Corpus
from pincite.document.address import standing
from pincite.evidence.candidate import Passage
from pincite.evidence.cited_place import (
    CitedPlace,
    Failed,
    PlacedQuantity,
    clipped,
    contradicted,
    holds,
    places,
)
from pincite.evidence.database_sources import DatabaseSources, sources_of
from pincite.evidence.drafted_answer import nearest, own
from pincite.evidence.gathering import with_tables
from pincite.evidence.glossed_passages import glossed
from pincite.evidence.judge import THRESHOLD, likelihood
from pincite.evidence.judged_evidence import claim_pairs, lowest_odds
from pincite.evidence.scale_note import read_with_notes
from pincite.evidence.stance import read_truth, said_in
from pincite.evidence.value_in_words import as_asked
from pincite.quantity import EXACT, UnitError, in_unit, same
from pincite.quantity.arithmetic import OPERATIONS
from pincite.question.ask import Ask
from pincite.question.understanding import understand
from pincite.stage import Stage
from pincite.types import Answer, Check, Citation, Claim, Draft, Node, Possible, Quantity, Value

PRINTED = (
    "Copy the number as its line has it, with the sign, the scale and the unit that hold there, or name the line of the number "
    "that you mean; where no line has it, lines is empty."
)
DOUBTED = (
    "Name the line that states outright what is asked, of just this subject and time, and copy its value; where none does, lines "
    "is empty."
)
"""What to write instead of what does not seem to answer the question."""
_UNCITED = "Name the line that states it; where none does, lines is empty."
_COPIED = "Copy it as its line writes it, or name the line that writes it so; where none does, lines is empty."
_OTHERWISE = "Give the answer that this line gives, or name one that says yours; where none does, lines is empty."
_OPPOSED = 0.85
"""How sure the cited statement must be of the other answer to contradict a yes or no."""


@dataclass(frozen=True)
class Verify(Stage[Draft, Answer]):
    """Check every claim against the corpus; refuse what is not supported or not sure enough."""

    corpus: Corpus = field(repr=False, compare=False)
    threshold: float = 0.0

    def run(self, given: Draft) -> Answer:
        """Check one draft."""
        return owned(verified_in(self.corpus, given, self.threshold), self.corpus)


def verified_in(corpus: Corpus, draft: Draft, threshold: float = 0.0) -> Answer:
    """The answer that a draft's claims allow, read again in the corpus, and in the database of what is cited of one."""
    ids = dict.fromkeys((*(citation.node for citation in draft.citations), *draft.read))
    nodes = {node.id: node for node in with_tables(corpus, corpus.nodes(list(ids)))}
    of_rows = any(citation.anchor.sql for citation in draft.citations)
    return verified(draft, nodes, threshold, sources_of(corpus) if of_rows else None)


def verified(
    draft: Draft,
    nodes: Mapping[str, Node],
    threshold: float = 0.0,
    sources: DatabaseSources | None = None,
) -> Answer:
    """The answer that a draft's claims allow, read again at `nodes` (the cited ones, and those that were read beside them).

    What is cited of databases is read again from `sources`.
    """
    if draft.parts:
        return _together(draft, nodes, threshold)
    ask = understand(draft.query)
    cited = _citations(draft)
    beside = [nodes[identity] for identity in draft.read if identity in nodes]
    # a subject that all claims share tells none of them apart
    shared = len(draft.claims) > 1 and len({claim.subject for claim in draft.claims}) == 1
    checks = [
        check(replace(claim, subject="") if shared else claim, at, nodes, ask, beside, sources)
        for claim, at in cited
    ]
    failed = [check for check in checks if not _passed(check)]
    if not failed:
        checks = _judged(checks, cited, nodes, ask)
    reason = _refusal(draft, ask, checks, failed, threshold) or draft.reason
    if draft.value is None or reason:
        follows = draft.value is not None and _follows(draft, ask)
        # whatever the question asks: a value is told as possible only where its claims stand
        alone = (check(claim, at, nodes, sources=sources) for claim, at in cited)
        stands = follows and (not failed or all(map(_passed, alone)))
        near = own(draft) if stands else ()
        return _refused(draft, checks, reason, (*near, *draft.possible))
    return replace(
        _shown(draft, checks),
        possible=nearest(draft.possible, draft.value),
        reading=draft.reading,
        claims=draft.claims,
        model_explanation=draft.model_explanation,
    )


def _citations(draft: Draft) -> list[tuple[Claim, list[Citation]]]:
    """The claims of a draft, each with those of its citations that there are."""
    labelled = {citation.label: citation for citation in draft.citations}
    return [
        (claim, [labelled[label] for label in claim.citations if label in labelled])
        for claim in draft.claims
    ]


def _shown(draft: Draft, checks: Sequence[Check]) -> Answer:
    """The answer that a draft is once its claims are checked."""
    value, cited = draft.value, draft.citations
    return Answer(
        draft.query, draft.text, value, cited, tuple(checks), draft.confidence, read=draft.read
    )


def _refused(
    draft: Draft, checks: Sequence[Check], reason: str, near: Sequence[Possible] = ()
) -> Answer:
    """The answer to a draft whose value is not shown, with the values that were near."""
    return replace(
        _shown(draft, checks),
        text="",
        value=None,
        citations=(),
        reason=reason,
        possible=nearest(near),
        reading=draft.reading,
        model_explanation=draft.model_explanation,
    )


def _refusal(
    draft: Draft, ask: Ask, checks: Sequence[Check], failed: Sequence[Check], threshold: float
) -> str:
    """Why the value of a draft is not shown; "" when it is, or there is none."""
    if draft.value is None:
        return ""
    if failed:
        return unsupported(failed[0])
    if not _follows(draft, ask):
        return "the value does not follow from what is cited for it"
    if beside_it := next((check for check in checks if not answering(check)), None):
        return f"what was found does not seem to answer the question: {beside_it.how}"
    return _unsure(draft.confidence, threshold) if draft.confidence < threshold else ""


def _unsure(confidence: float, threshold: float) -> str:
    """Why an answer is not shown; the confidence is rounded as everywhere, and never reads as the threshold itself."""
    told = min(round(confidence, 2), round(threshold, 2) - 0.01)
    return f"not sure enough: {max(0.0, told):.0%} is below the threshold of {threshold:.0%}"


def _judged(
    checks: Sequence[Check],
    cited: Sequence[tuple[Claim, Sequence[Citation]]],
    nodes: Mapping[str, Node],
    ask: Ask,
) -> list[Check]:
    """The checks with the chance that what each claim rests on answers the question, and what to do where it is too small."""
    pairs = [claim_pairs(ask, claim, at, nodes, len(cited) > 1) for claim, at in cited]
    judged = [
        check if odds is None else replace(check, answers=round(likelihood(odds), 4))
        for check, odds in zip(checks, lowest_odds(pairs), strict=True)
    ]
    return [check if answering(check) else replace(check, remedy=DOUBTED) for check in judged]


def answering(check: Check) -> bool:
    """Whether the place of a claim counts as one that answers the question; so does one that was not judged."""
    return check.answers is None or check.answers >= round(likelihood(THRESHOLD), 4)


def _together(draft: Draft, nodes: Mapping[str, Node], threshold: float) -> Answer:
    """The answer that a draft's parts allow: each is checked for its own question, and code decides again between them."""
    answers = [verified(part, nodes) for _, part in draft.parts]
    pairs = list(zip(draft.parts, answers, strict=True))
    checks = list(chain.from_iterable(answer.checks for answer in answers))
    if draft.value is None:
        return _refused(draft, checks, draft.reason)
    checks.append(again(draft, [(name, answer.value) for (name, _), answer in pairs]))
    lost = (
        f"{name}: {answer.reason}"
        for (name, part), answer in pairs
        if part.value is not None and answer.value is None
    )
    wrong = "" if _passed(checks[-1]) else unsupported(checks[-1])
    if refusal := next(lost, wrong):
        return _refused(draft, checks, refusal)
    if draft.confidence < threshold:
        return _refused(draft, checks, _unsure(draft.confidence, threshold), own(draft))
    return _refused(draft, checks, draft.reason) if draft.reason else _shown(draft, checks)


def _passed(check: Check) -> bool:
    return check.verdict in ("supported", "computed")


def check(
    claim: Claim,
    cited: Sequence[Citation],
    nodes: Mapping[str, Node],
    ask: Ask | None = None,
    beside: Sequence[Node] = (),
    sources: DatabaseSources | None = None,
) -> Check:
    """Read one claim again at its citations, and hold it against the question and what was read `beside` the cited places.

    What a statement found is held against the rows of its database instead.
    """
    label = cited[0].label if cited else ""
    try:
        if not cited or len(cited) < len(claim.citations):
            raise Failed("unsupported", "nothing is cited for it", remedy=_UNCITED)
        how = _from_database(claim, cited, nodes, sources)
        if not how:
            found = [placed for each in cited for placed in places(each, nodes.get(each.node))]
            found = read_with_notes(found)
            how = _checked(claim, found, ask)
            if ask is not None:
                object_to(claim, found, ask, beside)
    except Failed as failed:
        at = failed.label or label
        return Check(claim.text, failed.verdict, at, failed.how, remedy=failed.remedy)
    return Check(claim.text, "computed" if claim.operation else "supported", label, how)


def _from_database(
    claim: Claim,
    cited: Sequence[Citation],
    nodes: Mapping[str, Node],
    sources: DatabaseSources | None,
) -> str:
    """How databases carry a claim; "" where they are cited for nothing, or for rows that stand as they were indexed."""
    stored = [citation for citation in cited if citation.anchor.sql]
    if not stored:
        return ""
    # here, because only this asks databases
    from pincite.check.database_claims import reread, unchanged

    return "" if unchanged(stored, nodes, sources) else reread(claim, cited, nodes, sources)


def _follows(draft: Draft, ask: Ask) -> bool:
    """Whether the draft's value is what its claims say, in the unit asked for."""
    values = tuple(as_asked(ask, claim.value) for claim in draft.claims)
    if len(values) == 1 and _alike(draft.value, values[0]):
        return True
    return bool(values) and _alike(draft.value, values)


def _alike(a: Value, b: Value) -> bool:
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return same(a, b, rel=EXACT) or same(a, _in_unit_of(a, b), rel=EXACT)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_alike, a, b))
    return type(a) is type(b) and a == b


def _in_unit_of(a: Quantity, b: Quantity) -> Quantity:
    """The second quantity in the unit of the first, where both have one that measures the same."""
    try:
        return in_unit(b, a.unit) if a.unit and b.unit else b
    except UnitError:
        return b


def _checked(claim: Claim, found: Sequence[CitedPlace], ask: Ask | None) -> str:
    """How the places carry a claim, in words; Failed when they do not."""
    value, first = claim.value, found[0]
    if claim.operation:
        return computed(claim, found) if claim.operation in OPERATIONS else picked(claim, found)
    if isinstance(value, Quantity):
        at = _standing(value, found, ask)
        if first.table:
            return first.described
        return f"{clipped(at.quantity.text)} in {first.sentence(at)}"
    if isinstance(value, bool):
        return _stated(value, first, ask)
    if isinstance(value, tuple | str):
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Quantity):
                _standing(item, found, ask)
            elif not any(holds(place, str(item)) for place in found):
                how = f"'{clipped(str(item))}' does not appear in {first.described}"
                raise Failed("unsupported", how, remedy=_COPIED)
        said = "all of it appears" if isinstance(value, tuple) else "it appears"
        return f"{said} in {first.described}"
    return f"the table is {standing(first.citation.anchor) or 'there'}"


def _standing(value: Quantity, found: Sequence[CitedPlace], ask: Ask | None) -> PlacedQuantity:
    """The number at the first place that is the value; Failed says what stands there instead."""
    place = found[0]
    for number in place.numbers:
        if equal(value, number.quantity, place, ask):
            return number
    if not place.numbers:
        how = f"{clipped(worded(value))} is claimed, and there is no number in {place.described}"
        raise Failed("unsupported", how, place.citation.label, PRINTED)
    there = _instead(value, place)
    how = f"{clipped(worded(value))} is claimed, but the place says {there}"
    raise contradicted(how, place, PRINTED)


def _instead(value: Quantity, place: CitedPlace) -> str:
    """What stands at a place instead of a value, and in what the two differ."""
    alike = (number for number in place.numbers if number.quantity.value == value.value)
    near = next(alike, place.numbers[0])
    there = near.quantity
    differs = "the digits differ"
    if value.amount == -there.amount and value.amount:
        differs = "the sign differs"
    elif value.value == there.value and value.scale != there.scale:
        differs = "the scale differs"
    elif value.amount == there.amount:
        differs = "the unit differs"
    where = place.described if place.table else f"{clipped(there.text)} in {place.sentence(near)}"
    return f"{where}: {differs}"


def _stated(value: bool, place: CitedPlace, ask: Ask | None) -> str:
    """A yes or no: its statement stands there; one that says the opposite plainly contradicts it."""
    if ask is not None:
        alone = replace(place.node, kind="paragraph", text=place.text, table=None, meta={})
        (passage,) = glossed([Passage(alone)])
        stances = read_truth(ask, ask.text, said_in(passage))
        first = next(iter(stances), None)
        opposed = first and first.value is not value and first.score >= _OPPOSED
        if first and opposed and not first.features["silence"]:
            how = f"{'yes' if value else 'no'} is claimed, but {place.described} says otherwise"
            raise contradicted(how, place, _OTHERWISE)
    return f"stated in {place.described}"
