"""A filled grid: every cell's value, its confidence, its evidence, and whether it moved since last time."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from pincite.encoding import value_to
from pincite.errors import UsageError
from pincite.evidence.headline import headline, likely
from pincite.formats.frames import data_frame
from pincite.quantity import parse
from pincite.records.answer_record import clean, record, unit_of
from pincite.review import Review, latest, review_to
from pincite.types import Answer, Citation, Possible, Quantity, Query, Value
from pincite.workbench.grid.spec import GridColumn, GridRow, Spec, spec_to

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
    """One cell. `value` is what it shows: the reviewer's where one corrected it, else the answer's.

    `topic` is what its reviews are kept under, `review` the one in force, `note` what a reader must know of the cell in words.
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
        for line in self.cells:
            for cell in line:
                if (cell.row, cell.column) == (row, column):
                    return cell
        raise UsageError(f"the grid {self.id} has no cell {row!r}, {column!r}")

    @property
    def counts(self) -> dict[Status, int]:
        """How many cells have each status, of those that there are."""
        flat = [cell.status for line in self.cells for cell in line]
        return {status: flat.count(status) for status in STATUSES if status in flat}

    def to_frame(self) -> Any:
        """The values as a `pandas.DataFrame`: a row for each entity, a column for each question, None where there is no answer.

        Raises PinciteError where pandas is missing.
        """
        rows = (
            {"entity": row.name, **{cell.column: clean(cell.value) for cell in line}}
            for row, line in zip(self.spec.rows, self.cells, strict=True)
        )
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
    return (
        "computed" if any(check.verdict == "computed" for check in answer.checks) else "supported"
    )


def filled(
    row: GridRow,
    column: GridColumn,
    topic: str,
    query: Query,
    answer: Answer | None,
    answer_id: str = "",
    moved: Moved | None = None,
    reviews: tuple[Review, ...] = (),
    unused: str = "",
    failure: str = "",
) -> Filled:
    """A cell of what was answered and what reviewers said, oldest first; `unused` says why the correction does not hold."""
    comments = tuple(review for review in reviews if review.action == "comment")
    review = latest(reviews)
    common = (row.name, column.name, topic, query)
    notes = []
    if review is not None and unused:
        notes.append(f"a correction by {review.by} on {review.at[:10]} is not used: {unused}")
        review = None
    if review is not None and review.action == "correct":
        note = (
            f"corrected by {review.by} on {review.at[:10]} ({review.how}); found: {_found(answer)}"
        )
        return Filled(
            *common, "corrected", review.value, review.text, unit_of(review.value), _period(review.value, column), 1.0, "",
            answer_id, answer, moved, review, comments, note,
        )  # fmt: skip
    if answer is None:
        note = "; ".join(filter(None, (*notes, failure)))
        return Filled(
            *common,
            "failed" if failure else "open",
            reason=failure,
            review=review,
            comments=comments,
            note=note,
        )
    if answer.value is None:
        notes += [headline(answer), answer.reason] if likely(answer) else [answer.reason]
    own = _period(answer.value, column)
    if column.period and own != column.period:
        notes.append(f"the value is of {own}")
    if review is not None:
        notes.append(_acceptance(review, answer_id))
    notes += [_beside(other) for other in answer.others if other.value is not None]
    return Filled(
        *common, status_of(answer), answer.value, answer.text, unit_of(answer.value), own, answer.confidence,
        answer.reason, answer_id, answer, moved, review, comments, "; ".join(notes),
    )  # fmt: skip


def _found(answer: Answer | None) -> str:
    return "nothing yet" if answer is None else headline(answer)


def _acceptance(review: Review, answer_id: str) -> str:
    """Who accepted a cell and when, and what, where it shows another answer now."""
    if review.answer in ("", answer_id):
        return f"accepted by {review.by} on {review.at[:10]}"
    return f"{review.by} accepted {review.text or 'N/A'} on {review.at[:10]}; it has moved since"


def _beside(other: Answer) -> str:
    """What another source or edition says."""
    return f"{other.stands or 'other source'}: {other.text}" + (
        f" ({other.reason})" if other.reason else ""
    )


def _period(value: Value, column: GridColumn) -> str:
    """What the source says the value holds for, else what was asked."""
    return value.period if isinstance(value, Quantity) and value.period else column.period


def given(row: GridRow, column: GridColumn, topic: str, query: Query, text: str) -> Filled:
    """A cell that stood in the spec: a number where one is asked for and it is one."""
    number = parse(text) if column.expects in (None, "number") else None
    value: Value = replace(number, unit=number.unit or column.unit) if number is not None else text
    return Filled(
        row.name, column.name, topic, query, "given", value, text, unit_of(value), column.period
    )


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


def said(answer: Answer) -> tuple[Any, str]:
    """What of an answer is compared to say whether a cell moved: its value and its status."""
    return value_to(answer.value), status_of(answer)


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
