"""A model's answer beside the one that was found without a model: the confidence of the two together.

Both are readers of the same pages that fail in different ways. The reader without a model gives a likelihood that was fitted on
questions; how often a checked answer of some model is right is not known; SURE is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pincite.check.claims import verified_in
from pincite.corpus import Corpus
from pincite.reconcile.vote import alike
from pincite.stage import Stage
from pincite.types import Answer, Draft, Quantity, Ranking, Value

SURE = 0.9
"""The likelihood that an answer of a model which passed the check at once is right: assumed, not measured."""


@dataclass(frozen=True)
class Agree(Stage[Ranking, Draft]):
    """Answer with `read`, and set its confidence by what `quote` finds on the same pages; N/A stays as it is.

    With m = SURE x the reader's confidence and p the other's likelihood, taken for independent, the confidence is
    1 - (1 - m)(1 - p) when the two agree, m(1 - p) / (1 - mp) when they give another number or the other of yes and no, and
    m when they cannot be held against each other, as a change in dollars and the same change in per cent.
    """

    corpus: Corpus = field(repr=False, compare=False)
    read: Stage[Ranking, Draft]
    quote: Stage[Ranking, Draft]

    def run(self, given: Ranking) -> Draft:
        """Read one ranking both ways."""
        draft = self.read(given)
        if draft.value is None:
            return draft
        other = self.quote(given)
        checked = verified_in(self.corpus, other)
        value = None if _is_told_otherwise(draft, checked) else checked.value
        return replace(
            draft, confidence=confidence(draft.value, draft.confidence, value, other.confidence)
        )


def _is_told_otherwise(draft: Draft, other: Answer) -> bool:
    """Whether two readers computed with the same places, one an amount and one a percentage: each may be what is meant."""
    if not (isinstance(draft.value, Quantity) and isinstance(other.value, Quantity)):
        return False
    places = [
        {(citation.node, citation.anchor.cells) for citation in some.citations}
        for some in (draft, other)
    ]
    computed = all(claim.operation for claim in (*draft.claims, *other.claims))
    return (
        computed
        and places[0] == places[1]
        and (draft.value.unit == "%") != (other.value.unit == "%")
    )


def confidence(value: Value, sure: float, other: Value, likely: float) -> float:
    """How sure a model's value is, with the `sure` of its reader, beside another reader's value (None: it found none)."""
    model = SURE * sure
    if other is not None and alike(value, other):
        return 1.0 - (1.0 - model) * (1.0 - likely)
    if _exclude(value, other):
        return model * (1.0 - likely) / (1.0 - model * likely)
    return model


def _exclude(value: Value, other: Value) -> bool:
    """Whether two values cannot both be right: names and texts may say the same in other words."""
    return any(isinstance(value, kind) and isinstance(other, kind) for kind in (Quantity, bool))
