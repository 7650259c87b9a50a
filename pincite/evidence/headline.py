"""What an answer says first, the same everywhere: its value, the likeliest value that is to be checked, or N/A."""

from __future__ import annotations

from pincite.document.address import place_of
from pincite.evidence.value_in_words import worded
from pincite.types import Answer, Citation, Possible

NEAR = 0.15
"""The chance of being right from which a possible answer is told first."""


def headline(answer: Answer) -> str:
    """The value in words; where there is none, the likeliest value with its place, or N/A."""
    if answer.value is not None:
        return answer.text or worded(answer.value)
    near = likely(answer)
    if near is None:
        return "N/A"
    said = most_likely(near)
    return f"{said}, {place(near.citation)}" if near.citation else said


def with_reason(answer: Answer) -> str:
    """The headline, and of an answer without a value why it has none."""
    said = headline(answer)
    return said if answer.value is not None else f"{said}: {answer.reason}"


def likely(answer: Answer) -> Possible | None:
    """The likeliest of the possible answers of one that has no value, where its chance is at least NEAR and what was read again
    stood its check.
    """
    failed = any(check.verdict not in ("supported", "computed") for check in answer.checks)
    first = max(answer.possible, key=lambda near: near.confidence, default=None)
    if answer.value is not None or failed or first is None or first.confidence < NEAR:
        return None
    return first


def most_likely(near: Possible) -> str:
    """A possible answer that is to be checked, with its chance."""
    return f"most likely {worded(near.value)} ({near.confidence:.0%}): check it"


def place(citation: Citation) -> str:
    """The document of a citation, and where in it."""
    return ", ".join(filter(None, (citation.document, place_of(citation.anchor))))
