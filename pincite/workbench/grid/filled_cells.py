"""A filled grid: every cell's value, its confidence, its evidence, and whether it moved since last time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any, Literal

from pincite.errors import UsageError
from pincite.evidence.headline import headline, likely
from pincite.formats.frames import data_frame
from pincite.quantity import parse
from pincite.records.answer_record import clean, record, unit_of
from pincite.records.review import Review, latest, review_to
from pincite.types import Answer, Citation, Possible, Quantity, Query, Value
from pincite.workbench.grid.spec import GridColumn, Spec, spec_to

Status = Literal[
    "supported", "computed", "na", "contradicted", "corrected", "given", "failed", "open"
]
STATUSES: dict[Status, str] = {
    "supported": "appears at the cited place, and was read there again",
    "computed": "computed by code from cited places, computed again",
    "na": "no answer; the note says why",
    "contradicted": "its sources say different things",
    "corrected": "a reviewer's value",
    "given": "was given in the spec and not asked",
    "failed": "a model could not be reached; the next run asks again",
    "open": "not asked yet",
}


@dataclass(frozen=True, slots=True)
class Moved:
    """What stood in a cell before the last run changed it: in words, since when, and what changed about its documents."""

    text: str
    status: Status
    at: str
    why: str


@dataclass(frozen=True, slots=True)
class Filled:
    """One cell. `value` is what it shows: the reviewer's where one corrected it, else the answer's. `topic` is what its reviews
    are kept under, `review` the one in force, `note` what a reader must know of the cell in words.
    """

    row: str
    column: str
    topic: str
    query: Query
    status: Status
    value: Value = None
    text: str = ""
    unit: str = ""
    period: str = ""
    confidence: float = 0.0
    reason: str = ""
    answer_id: str = ""
    answer: Answer | None = None
    moved: Moved | None = None
    review: Review | None = None
    comments: tuple[Review, ...] = ()
    note: str = ""

    @property
    def possible(self) -> Possible | None:
        """The likeliest of the possible answers of a cell that has no value."""
        return likely(self.answer) if self.status == "na" and self.answer is not None else None


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid as it was last filled: cells row by row.

    Run number `run` was the last that had anything to answer, and began `at`; what moved then is marked. Where it was not
    `finished`, cells may be of an earlier state of the corpus. `answered` cells were answered just now.
    """

    id: str
    spec: Spec
    cells: tuple[tuple[Filled, ...], ...]
    at: str = ""
    run: int = 0
    finished: bool = True
    answered: int = 0

    def cell(self, row: str, column: str) -> Filled:
        """The cell of a row and a column by their names; raises UsageError when there is none."""
        for cell in chain.from_iterable(self.cells):
            if (cell.row, cell.column) == (row, column):
                return cell
        raise UsageError(f"the grid {self.id} has no cell {row!r}, {column!r}")

    @property
    def counts(self) -> dict[Status, int]:
        """How many cells have each status, of those that there are."""
        counts = Counter(cell.status for cell in chain.from_iterable(self.cells))
        return {status: counts[status] for status in STATUSES if status in counts}

    def to_frame(self) -> Any:
        """The values as a `pandas.DataFrame`: a row for each entity, a column for each question, None where there is no answer.
        Raises PinciteError where pandas is missing.
        """
        rows = []
        for row, line in zip(self.spec.rows, self.cells, strict=True):
            rows.append({"entity": row.name, **{cell.column: clean(cell.value) for cell in line}})
        columns = ("entity", *(column.name for column in self.spec.columns))
        return data_frame(rows, columns, "entity")


def status_of(answer: Answer) -> Status:
    """The status of an answer: contradicted where another source says something else, and does not just say it of another
    time. What its own place contradicts is no answer.
    """
    from pincite.reconcile.settlement import agree

    if answer.value is None:
        return "na"
    for other in answer.others:
        of_now = other.value is not None and other.stands not in ("superseded", "newer")
        if of_now and not agree(answer.value, other.value):
            return "contradicted"
    computed = any(check.verdict == "computed" for check in answer.checks)
    return "computed" if computed else "supported"


def reviewed(cell: Filled, reviews: Sequence[Review], unused: str) -> Filled:
    """An open cell with what reviewers said, oldest first; `unused` says why the correction does not hold."""
    review, note = latest(reviews), ""
    if review is not None and unused:
        note = f"a correction by {review.by} on {review.at[:10]} is not used: {unused}"
        review = None
    comments = tuple(each for each in reviews if each.action == "comment")
    return replace(cell, review=review, comments=comments, note=note)


def filled(cell: Filled, asked_period: str, failure: str = "") -> Filled:
    """A cell that has its answer and reviews, if there are any, with what it shows; `failure` says why it has no answer."""
    answer, review = cell.answer, cell.review
    if review is not None and review.action == "correct":
        found = "nothing yet" if answer is None else headline(answer)
        note = f"corrected by {review.by} on {review.at[:10]} ({review.how}); found: {found}"
        shown = _shown_value(review.value, review.text, asked_period)
        return replace(cell, status="corrected", confidence=1.0, note=note, **shown)
    if answer is None:
        note = "; ".join(filter(None, (cell.note, failure)))
        status: Status = "failed" if failure else "open"
        return replace(cell, status=status, reason=failure, note=note)
    shown = _shown_value(answer.value, answer.text, asked_period)
    notes = [cell.note] if cell.note else []
    if answer.value is None:
        notes += [headline(answer), answer.reason] if likely(answer) else [answer.reason]
    if asked_period and shown["period"] != asked_period:
        notes.append(f"the value is of {shown['period']}")
    if review is not None and review.answer in ("", cell.answer_id):
        notes.append(f"accepted by {review.by} on {review.at[:10]}")
    elif review is not None:
        accepted = f"{review.by} accepted {review.text or 'N/A'} on {review.at[:10]}"
        notes.append(f"{accepted}; it has moved since")
    for other in answer.others:
        if other.value is not None:
            why = f" ({other.reason})" if other.reason else ""
            notes.append(f"{other.stands or 'other source'}: {other.text}{why}")
    shown |= {"confidence": answer.confidence, "reason": answer.reason}
    return replace(cell, status=status_of(answer), note="; ".join(notes), **shown)


def _shown_value(value: Value, text: str, asked_period: str) -> dict[str, Any]:
    """A value as a cell shows it, for the period that its source says, else that was asked for."""
    own = value.period if isinstance(value, Quantity) else ""
    period = own or asked_period
    return {"value": value, "text": text, "unit": unit_of(value), "period": period}


def given(cell: Filled, column: GridColumn, text: str) -> Filled:
    """A cell that stood in the spec: a number where one is asked for and it is one."""
    number = parse(text) if column.expects in (None, "number") else None
    value: Value = replace(number, unit=number.unit or column.unit) if number is not None else text
    unit, period = unit_of(value), column.period
    return replace(cell, status="given", value=value, text=text, unit=unit, period=period)


def cell_to(cell: Filled) -> dict[str, Any]:
    """A cell as JSON."""
    made: dict[str, Any] = {
        "row": cell.row, "column": cell.column, "topic": cell.topic, "status": cell.status, "value": clean(cell.value),
        "text": cell.text, "unit": cell.unit, "period": cell.period, "confidence": round(cell.confidence, 4),
        "reason": cell.reason, "note": cell.note, "answer_id": cell.answer_id, "question": cell.query.text,
    }  # fmt: skip
    if cell.answer is not None:
        told = record(cell.answer, cell.answer_id)
        made |= {"citations": told["citations"], "possible": told["possible"]}
    if cell.moved is not None:
        made["moved"] = asdict(cell.moved)
    if cell.review is not None:
        made["review"] = review_to(cell.review)
    if cell.comments:
        made["comments"] = list(map(review_to, cell.comments))
    return made


def grid_to(grid: Grid) -> dict[str, Any]:
    """A grid as JSON: its spec, and its cells row by row."""
    return {
        "id": grid.id, "title": grid.spec.title, "at": grid.at, "run": grid.run, "finished": grid.finished,
        "answered": grid.answered, "counts": grid.counts, "spec": spec_to(grid.spec),
        "cells": [list(map(cell_to, line)) for line in grid.cells],
    }  # fmt: skip


def found(cell: Filled) -> str:
    """What the last answer to a cell says in words, also where a reviewer's value is shown instead."""
    return headline(cell.answer) if cell.answer is not None else cell.text or "N/A"


def citations_of(cell: Filled) -> tuple[Citation, ...]:
    """What a cell rests on: the reviewer's place where it was corrected, else the answer's citations."""
    if cell.status == "corrected":
        place = cell.review.citation if cell.review is not None else None
        return () if place is None else (place,)
    return cell.answer.citations if cell.answer is not None else ()


def place_of_cell(cell: Filled) -> Citation | None:
    """The first place that a cell rests on."""
    return next(iter(citations_of(cell)), None)


def is_number(value: Any) -> bool:
    """Whether a value is a number that the formats of tables hold: theirs end at 1.8E308."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
