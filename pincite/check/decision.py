"""The check of an answer that compares several things: it is decided once more, from the checked answers about each.

What is compared, and how, is read from the question again. The comparison itself is the one that made the answer
(`evidence/contest_outcome.py`): what this finds is an answer that does not follow from values that stand.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.evidence.contest_outcome import CHOICE, Pair, decide
from pincite.evidence.value_in_words import worded
from pincite.question.contest import beside, contest
from pincite.types import Check, Draft


def again(draft: Draft, values: Sequence[Pair]) -> Check:
    """The check of what a draft makes of its parts, once more from their checked values."""
    claim = draft.claims[-1]
    label = claim.citations[0] if claim.citations else ""
    if claim.operation == CHOICE:
        known = [name for name, value in values if value is not None]
        if draft.value in known and len(known) > 1:
            how = f"a model chose it from the checked answers for {', '.join(known)}"
            return Check(claim.text, "supported", label, how)
        how = f"{worded(draft.value)} is not one of {', '.join(known)}"
        return Check(claim.text, "unsupported", label, how)
    names = [name for name, _ in values]
    made = decide(contest(draft.query, names) if claim.operation else beside(draft.query), values)
    if made.value is not None and made.value == draft.value:
        way = claim.operation or "side by side"
        how = f"{way} over the checked answers for {', '.join(made.names)}"
        return Check(claim.text, "computed", label, how)
    said = worded(made.value) if made.value is not None else made.reason
    how = f"the checked answers for {', '.join(names)} give: {said}"
    return Check(claim.text, "contradicted", label, how)
