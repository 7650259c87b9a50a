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
from pincite.check.owner import owned
from pincite.corpus import Corpus
from pincite.document.address import standing
from pincite.evidence.candidate import Passage
from pincite.evidence.cited_place import CitedPlace, Failed, PlacedQuantity, clipped, holds, places
from pincite.evidence.database_sources import DatabaseSources, sources_of
from pincite.evidence.drafted_answer import nearest, own
from pincite.evidence.gathering import with_tables
from pincite.evidence.glossed_passages import glossed
from pincite.evidence.judge import THRESHOLD, likelihood
from pincite.evidence.judged_evidence import claim_pairs, lowest_odds
from pincite.evidence.scale_note import read_with_notes
from pincite.evidence.stance import read_truth
from pincite.evidence.term_match import match
from pincite.evidence.value_in_words import as_asked
from pincite.quantity import EXACT, UnitError, in_unit, same
from pincite.quantity.arithmetic import OPERATIONS
from pincite.question.ask import Ask
from pincite.question.understanding import understand
from pincite.stage import Stage
from pincite.types import Answer, Check, Citation, Claim, Draft, Node, Possible, Quantity, Value

PRINTED = (
    "Give the number as the cited place prints it, with the sign, the scale and the unit that hold there; or cite the place that "
    "prints the number that you mean; or answer N/A."
)
DOUBTED = (
    "Cite the cell or sentence that states outright what is asked, of just this subject and time, and give its value; answer N/A "
    "when no page does."
)
"""What to write instead of what does not seem to answer the question."""
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
    labelled = {citation.label: citation for citation in draft.citations}
    checks = _checks(draft, ask, labelled, nodes, sources)
    failed = [check for check in checks if not _passed(check)]
    if not failed:
        checks = _judged(draft, checks, labelled, nodes, ask)
    refusal = "" if draft.value is None else _refusal(draft, ask, checks, failed, threshold)
    reason = refusal or draft.reason
    if draft.value is None or reason:
        near = own(draft) if _stands(draft, failed, labelled, nodes, sources) else ()
        return _refused(draft, checks, reason, (*near, *draft.possible))
    return Answer(
        draft.query,
        draft.text,
        draft.value,
        draft.citations,
        checks,
        draft.confidence,
        "",
        nearest(draft.possible, draft.value),
        draft.read,
        draft.reading,
        claims=draft.claims,
        model_explanation=draft.model_explanation,
    )


def _refused(
    draft: Draft, checks: Sequence[Check], reason: str, near: Sequence[Possible]
) -> Answer:
    """The answer to a draft whose value is not shown, with the values that were near."""
    possible = nearest(near)
    return Answer(
        draft.query,
        "",
        None,
        (),
        tuple(checks),
        draft.confidence,
        reason,
        possible,
        draft.read,
        draft.reading,
        model_explanation=draft.model_explanation,
    )


def _checks(
    draft: Draft,
    ask: Ask,
    labelled: Mapping[str, Citation],
    nodes: Mapping[str, Node],
    sources: DatabaseSources | None,
) -> tuple[Check, ...]:
    """The check of each claim; a subject that all claims share tells none of them apart."""
    beside = [node for identity in draft.read if (node := nodes.get(identity))]
    shared = len(draft.claims) > 1 and len({claim.subject for claim in draft.claims}) == 1
    checks = []
    for claim in draft.claims:
        cited = _citations_of(claim, labelled)
        checks.append(
            check(
                replace(claim, subject="") if shared else claim, cited, nodes, ask, beside, sources
            )
        )
    return tuple(checks)


def _refusal(
    draft: Draft, ask: Ask, checks: Sequence[Check], failed: Sequence[Check], threshold: float
) -> str:
    """Why the value of a draft is not shown; "" when it is."""
    if failed:
        return _unsupported(failed[0])
    if not _follows(draft, ask):
        return "the value does not follow from what is cited for it"
    if beside_it := next((check for check in checks if not answering(check)), None):
        return doubt(beside_it)
    return _unsure(draft.confidence, threshold) if draft.confidence < threshold else ""


def doubt(check: Check) -> str:
    """Why a claim is not shown whose place the judge of evidence does not take for one that answers the question."""
    return f"what was found does not seem to answer the question: {check.how}"


def _citations_of(claim: Claim, cited: Mapping[str, Citation]) -> list[Citation]:
    """The citations of a claim that there are."""
    return [cited[label] for label in claim.citations if label in cited]


def _stands(
    draft: Draft,
    failed: Sequence[Check],
    cited: Mapping[str, Citation],
    nodes: Mapping[str, Node],
    sources: DatabaseSources | None,
) -> bool:
    """Whether a refused value stands where it is cited, whatever the question asks: only then is it told as possible."""
    if draft.value is None or not _follows(draft, understand(draft.query)):
        return False
    places = [_citations_of(claim, cited) for claim in draft.claims]
    alone = (
        check(claim, at, nodes, None, (), sources)
        for claim, at in zip(draft.claims, places, strict=True)
    )
    return not failed or all(map(_passed, alone))


def _unsure(confidence: float, threshold: float) -> str:
    """Why an answer is not shown; the confidence is rounded as everywhere, and never reads as the threshold itself."""
    told = min(round(confidence, 2), round(threshold, 2) - 0.01)
    return (
        f"not sure enough: confidence {max(0.0, told):.2f} is below the threshold {threshold:.2f}"
    )


def _judged(
    draft: Draft,
    checks: Sequence[Check],
    cited: Mapping[str, Citation],
    nodes: Mapping[str, Node],
    ask: Ask,
) -> tuple[Check, ...]:
    """The checks with the chance that what each claim rests on answers the question."""
    several = len(draft.claims) > 1
    pairs = [
        claim_pairs(ask, claim, _citations_of(claim, cited), nodes, several)
        for claim in draft.claims
    ]
    return tuple(
        check if odds is None else _with_chance(check, round(likelihood(odds), 4))
        for check, odds in zip(checks, lowest_odds(pairs), strict=True)
    )


def _with_chance(check: Check, answers: float) -> Check:
    """A check with the chance that its place answers the question, and what to do where that is too small."""
    judged = replace(check, answers=answers)
    return judged if answering(judged) else replace(judged, remedy=DOUBTED)


def answering(check: Check) -> bool:
    """Whether the place of a claim counts as one that answers the question; so does one that was not judged."""
    return check.answers is None or check.answers >= round(likelihood(THRESHOLD), 4)


def _together(draft: Draft, nodes: Mapping[str, Node], threshold: float) -> Answer:
    """The answer that a draft's parts allow: each is checked for its own question, and code decides again between them."""
    answers = [verified(part, nodes) for _, part in draft.parts]
    names = [name for name, _ in draft.parts]
    checks = list(chain.from_iterable(answer.checks for answer in answers))
    if draft.value is None:
        return _refused(draft, checks, draft.reason, ())
    checks.append(
        again(draft, [(name, answer.value) for name, answer in zip(names, answers, strict=True)])
    )
    if refusal := _lost(draft, answers) or _unsupported(checks[-1]):
        return _refused(draft, checks, refusal, ())
    if draft.confidence < threshold:
        return _refused(draft, checks, _unsure(draft.confidence, threshold), own(draft))
    if draft.reason:
        return _refused(draft, checks, draft.reason, ())
    return Answer(
        draft.query,
        draft.text,
        draft.value,
        draft.citations,
        tuple(checks),
        draft.confidence,
        read=draft.read,
    )


def _lost(draft: Draft, answers: Sequence[Answer]) -> str:
    """Which part of a draft has a value that its check refuses, and why; "" when none has."""
    for (name, part), answer in zip(draft.parts, answers, strict=True):
        if part.value is not None and answer.value is None:
            return f"{name}: {answer.reason}"
    return ""


def _unsupported(check: Check) -> str:
    """Why a claim that failed its check is not shown; "" for one that passed."""
    return "" if _passed(check) else f"what was found is not supported by its source: {check.how}"


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
            remedy = "Cite the cell or the sentence that states it, or answer N/A."
            raise Failed("unsupported", "nothing is cited for it", remedy=remedy)
        how = _from_database(claim, cited, nodes, sources) or _from_documents(
            claim, cited, nodes, ask, beside
        )
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
    from pincite.check.database_claims import (  # here, because only this asks databases
        reread,
        unchanged,
    )

    return "" if unchanged(stored, nodes, sources) else reread(claim, cited, nodes, sources)


def _from_documents(
    claim: Claim,
    cited: Sequence[Citation],
    nodes: Mapping[str, Node],
    ask: Ask | None,
    beside: Sequence[Node],
) -> str:
    """How the cited places carry a claim; raises Failed when they do not."""
    found = read_with_notes(
        list(chain.from_iterable(places(citation, nodes.get(citation.node)) for citation in cited))
    )
    how = _checked(claim, found, ask)
    if ask is not None:
        object_to(claim, found, ask, beside)
    return how


def _follows(draft: Draft, ask: Ask) -> bool:
    """Whether the draft's value is what its claims say, in the unit asked for."""
    values = [as_asked(ask, claim.value) for claim in draft.claims]
    if not values:
        return False
    if (
        isinstance(draft.value, tuple)
        and len(values) == len(draft.value)
        and not _alike(draft.value, values[0])
    ):
        return all(_alike(a, b) for a, b in zip(draft.value, values, strict=True))
    return len(values) == 1 and _alike(draft.value, values[0])


def _alike(a: Value, b: Value) -> bool:
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return same(a, b, rel=EXACT) or same(a, _in_unit_of(a, b), rel=EXACT)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(_alike(x, y) for x, y in zip(a, b, strict=True))
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
        return (
            first.described
            if first.view
            else f"{clipped(at.quantity.text)} in {first.sentence(at)}"
        )
    if isinstance(value, bool):
        return _stated(value, first, ask)
    if isinstance(value, tuple):
        for item in value:
            _item(item, found, ask)
        return f"all of it appears in {first.described}"
    if isinstance(value, str):
        _item(value, found, ask)
        return f"it appears in {first.described}"
    return f"the table is {standing(first.citation.anchor) or 'there'}"


def _item(value: Value, found: Sequence[CitedPlace], ask: Ask | None) -> None:
    if isinstance(value, Quantity):
        _standing(value, found, ask)
    elif not any(holds(place, str(value)) for place in found):
        raise Failed(
            "unsupported",
            f"'{clipped(str(value))}' does not appear in {found[0].described}",
            remedy="Copy it as the cited place writes it, cite the place that writes it so, or answer N/A.",
        )


def _standing(value: Quantity, found: Sequence[CitedPlace], ask: Ask | None) -> PlacedQuantity:
    """The number at the first place that is the value; Failed says what stands there instead."""
    place = found[0]
    for number in place.numbers:
        if equal(value, number.quantity, place, ask):
            return number
    label = place.citation.label
    if not place.numbers:
        how = f"{clipped(worded(value))} is claimed, and there is no number in {place.described}"
        raise Failed("unsupported", how, label, PRINTED)
    raise Failed(
        "contradicted",
        f"{clipped(worded(value))} is claimed, but the place says {_instead(value, place)}",
        label,
        PRINTED,
    )


def _instead(value: Quantity, place: CitedPlace) -> str:
    """What stands at a place instead of a value, and in what the two differ."""
    near = next(
        (number for number in place.numbers if number.quantity.value == value.value),
        place.numbers[0],
    )
    there = near.quantity
    if value.amount == -there.amount and value.amount:
        differs = "the sign differs"
    elif value.value == there.value and value.scale != there.scale:
        differs = "the scale differs"
    elif value.amount == there.amount:
        differs = "the unit differs"
    else:
        differs = "the digits differ"
    where = place.described if place.view else f"{clipped(there.text)} in {place.sentence(near)}"
    return f"{where}: {differs}"


def _stated(value: bool, place: CitedPlace, ask: Ask | None) -> str:
    """A yes or no: its statement stands there; one that says the opposite plainly contradicts it."""
    if ask is not None:
        alone = replace(place.node, kind="paragraph", text=place.text, table=None, meta={})
        stances = read_truth(ask, *match(ask.text, glossed([Passage(alone)])))
        opposed = [
            best for best in stances[:1] if best.value is not value and best.score >= _OPPOSED
        ]
        if opposed and not opposed[0].features["silence"]:
            how = f"{'yes' if value else 'no'} is claimed, but {place.described} says otherwise"
            remedy = "Give the answer that this sentence gives, cite one that says what you claim, or answer N/A."
            raise Failed("contradicted", how, place.citation.label, remedy)
    return f"stated in {place.described}"
