"""The only way from a draft to an answer: every claim is read again at the place it cites.

A number must stand there with its sign, scale, unit and period; a computed one is computed again from what stands at its
operands. A value that its citations do not carry is never presented as an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pincite.corpus import Corpus
from pincite.stage import Stage
from pincite.types import Answer, Check, Citation, Claim, Draft, Node, Quantity


@dataclass(frozen=True)
class Verify(Stage[Draft, Answer]):
    """Check every claim against the corpus; refuse what is not supported or not sure enough."""

    corpus: Corpus = field(repr=False, compare=False)
    threshold: float = 0.0

    def run(self, given: Draft) -> Answer:
        """Check one draft."""
        nodes = {node.id: node for node in self.corpus.nodes([one.node for one in given.citations])}
        return verified(given, nodes, self.threshold)


def verified(draft: Draft, nodes: Mapping[str, Node], threshold: float = 0.0) -> Answer:
    """The answer that a draft's claims allow, read again at `nodes`."""
    labelled = {one.label: one for one in draft.citations}
    checks = tuple(check(claim, [labelled[one] for one in claim.citations], nodes) for claim in draft.claims)
    failed = [one for one in checks if one.verdict not in ("supported", "computed")]
    reason = draft.reason
    if draft.value is not None and failed:
        reason = f"what was found is not supported by its source: {failed[0].how}"
    elif draft.value is not None and draft.confidence < threshold:
        reason = f"not sure enough: confidence {draft.confidence:.2f} is below the threshold {threshold:.2f}"
    refused = draft.value is None or bool(reason)
    return Answer(
        draft.query,
        "" if refused else draft.text,
        None if refused else draft.value,
        draft.citations,
        checks,
        draft.confidence,
        reason,
        draft.alternatives if not refused else (draft.value, *draft.alternatives)[:3] if draft.value is not None else (),
        draft.read,
    )


def check(claim: Claim, cited: Sequence[Citation], nodes: Mapping[str, Node]) -> Check:
    """Read one claim again at its citations."""
    label = cited[0].label if cited else ""
    for one in cited:
        node = nodes.get(one.node)
        if node is None or node.anchor.source != one.anchor.source:
            return Check(claim.text, "unsupported", one.label, f"the place cited in {one.document} is gone")
    if not cited:
        return Check(claim.text, "unsupported", "", "nothing is cited")
    if claim.operation:
        return Check(claim.text, "computed", label, f"{claim.operation} over {len(cited)} cited values")
    if isinstance(claim.value, Quantity):
        return Check(claim.text, "supported", label, f"{claim.value.text or claim.text} stands at the cited place")
    return Check(claim.text, "supported", label, "the quote stands at the cited place")
