"""What somebody may try after an answer of N/A, as far as the answer itself shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from itertools import islice

from pincite.document.address import place_of
from pincite.evidence.value_in_words import worded
from pincite.quantity import compatible
from pincite.records.answer_store import citation_id
from pincite.types import Answer, Quantity

STEPS = 3
"""Next steps that are named at most."""
SLIGHT = 0.15
"""The chance below which no value is worth a lower threshold."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """Something to try, in words that follow "try"; `command` does it on a terminal, as far as a command does."""

    text: str
    command: str = ""


def next_steps(answer: Answer, threshold: float, answer_id: str = "") -> tuple[NextStep, ...]:
    """What to try after a refusal, the likeliest to help first; nothing after an answer. `threshold` is the confidence that was
    asked for; with `answer_id` the commands name the answer's places.
    """
    if answer.value is not None:
        return ()
    steps = (*_narrowed(answer), *_nearest(answer, answer_id), *_unsure(answer, threshold))
    return tuple(islice(steps or _pages(answer), STEPS))


def _narrowed(answer: Answer) -> Iterator[NextStep]:
    """What the call asked for beside the question, each of which may have left the answer out."""
    query = answer.query
    near = next((possible.value for possible in answer.possible), None)
    if query.unit and near is None:
        yield NextStep(f"the question without the unit {query.unit}")
    elif query.unit and isinstance(near, Quantity) and not compatible(near.unit, query.unit):
        of = f"is in {near.unit}" if near.unit else "has no unit"
        yield NextStep(f"another unit than {query.unit}: the nearest value {of}")
    for name, values in query.where:
        yield NextStep(f"the question without the filter {name}={' or '.join(values)}")
    if query.as_of:
        without = f"the question without the date {query.as_of}"
        yield NextStep(f"{without}: newer editions are then asked")


def _nearest(answer: Answer, answer_id: str) -> Iterator[NextStep]:
    """To read the nearest place that was found."""
    for near in answer.possible[:1]:
        if (place := near.citation) is not None:
            where = ", ".join(filter(None, (place.document, place_of(place.anchor))))
            told = worded(near.value)
            told = f"{told[:60]}{'…' * (len(told) > 60)}"
            command = f"pincite show {citation_id(answer_id, place)}" if answer_id else ""
            yield NextStep(f"to read {where}, the nearest place found ({told})", command)


def _unsure(answer: Answer, threshold: float) -> Iterator[NextStep]:
    """To accept a value that stood its checks and was not sure enough."""
    verdicts = {check.verdict for check in answer.checks}
    passed = verdicts and verdicts <= {"supported", "computed"}
    if passed and SLIGHT <= answer.confidence < threshold:
        floor = Decimal(answer.confidence).quantize(Decimal("0.01"), ROUND_FLOOR)
        text = f"a threshold of {floor} or less, to see what is less sure"
        yield NextStep(text, f"PINCITE_THRESHOLD={floor} pincite ask ...")


def _pages(answer: Answer) -> Iterator[NextStep]:
    """To look at the pages nearest to the question."""
    yield NextStep("to look through the pages nearest to the question", "pincite search ...")
    if answer.query.expects:
        yield NextStep(f"the question without the type {answer.query.expects}")
