"""Review: what people said of answers, and the questions with known answers that result."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from pincite.errors import UsageError
from pincite.records.answer_store import kept_answers, recall_answer
from pincite.records.review import (
    Review,
    accept,
    comment,
    correct,
    place_box,
    place_cell,
    reviews,
    withdraw,
)
from pincite.records.review.review_log import Action
from pincite.records.review.reviewed_questions import question_rows
from pincite.serve import templating as views
from pincite.serve.bench import Reading, Reviewing, Visit
from pincite.serve.door.caller_limits import NOTE
from pincite.serve.door.problems import Problem
from pincite.serve.pages.files_page import text_file
from pincite.serve.rest.rest_forms import FeedbackIn, Identity, PlaceIn
from pincite.types import Citation
from pincite.workbench.library import Library

router = APIRouter(include_in_schema=False)
LOOKED_AT = 2_000  # answers that are looked at for those that nobody has reviewed
WAITING = 60  # answers that nobody has reviewed that are listed, the least certain first
LATEST = 300  # reviews that are listed


@router.get("/c/{corpus}/review")
async def listed(visit: Reading) -> Response:
    """All of it, the latest first, and answers that nobody has reviewed, the least certain first."""
    said = await asyncio.to_thread(reviews, visit.served.folder)
    seen = {review.answer for review in said if review.action != "comment"}
    kept = await asyncio.to_thread(kept_answers, visit.served.folder, LOOKED_AT)
    waiting = [(identity, answer) for identity, answer in kept if identity not in seen]
    # the least certain values first, after all values what has none
    waiting.sort(key=lambda each: (each[1].value is None, each[1].confidence))
    return views.corpus_page(
        visit, "review.html", reviews=said[::-1][:LATEST], whole=len(said), waiting=waiting[:WAITING], unseen=len(waiting),
    )  # fmt: skip


@router.get("/c/{corpus}/review/questions.jsonl")
async def questions(visit: Reading) -> Response:
    """What was accepted and corrected, as questions with their answers: `pincite batch` and `pincite eval` take it."""
    rows = await asyncio.to_thread(question_rows, visit.served.folder)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return text_file(text, "questions.jsonl", "application/x-ndjson")


@router.post("/c/{corpus}/review/accept")
async def accept_all(
    visit: Reviewing, answer: Annotated[list[str], Form(max_length=WAITING)]
) -> Response:
    """Accept several answers at once."""
    try:
        given = [FeedbackIn(answer_id=identity, action="accept") for identity in answer]
    except ValueError as error:
        raise Problem(422, "answer: must be the ids of answers") from error
    for each in given:
        await keep_review(visit, each)
    return visit.go("review")


@router.post("/c/{corpus}/answers/{answer_id}/review")
async def review(
    visit: Reviewing,
    answer_id: Identity,
    action: Annotated[Action, Form()],
    value: Annotated[str, Form(max_length=NOTE)] = "",
    unit: Annotated[str, Form(max_length=60)] = "",
    note: Annotated[str, Form(max_length=NOTE)] = "",
    topic: Annotated[str, Form(max_length=16, pattern="^[0-9a-f]*$")] = "",
    place: Annotated[str, Form(max_length=200)] = "",
    grid: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Keep a review. `place` is "cell NODE ROW COLUMN" or "box KEY PAGE X0 TOP X1 BOTTOM", as the script writes it, or
    "cite LABEL" for a place that the answer names.
    """
    given = FeedbackIn(
        answer_id=answer_id, action=action, value=value, unit=unit, note=note, topic=topic, place=_place(place),
    )  # fmt: skip
    await keep_review(visit, given)
    return visit.go(f"grids/{views.segment(grid)}" if grid else f"answers/{answer_id}#reviews")


def _place(written: str) -> PlaceIn | None:
    if not written:
        return None
    try:
        match written.split():
            case ["cell", node, row, column]:
                return PlaceIn(node=node, row=int(row), column=int(column))
            case ["cite", label]:
                return PlaceIn(label=label)
            case ["box", key, page, *edges]:
                return PlaceIn(key=key, page=int(page), box=[float(edge) for edge in edges])
    except ValueError:
        pass
    raise Problem(422, "place: must be a cell or a box, in the form that marking one produces")


async def keep_review(visit: Visit, given: FeedbackIn) -> Review:
    """Keep a review under the name of who makes it. Problem 404 for no such answer; UsageError for what cannot be."""
    visit.request.state.on = f"answer {given.answer_id}"
    await visit.answer(given.answer_id)
    key = given.place.key if given.place else ""
    document = visit.document(key).id if key else ""
    made: Review = await visit.asked(_review, given, visit.person.name, document)
    return made


def _review(library: Library, given: FeedbackIn, by: str, document: str) -> Review:
    corpus = library.corpus
    if given.action == "correct":
        place = _place_of(library, given, document)
        more = {"unit": given.unit, "note": given.note, "topic": given.topic}
        return correct(corpus, given.answer_id, by, given.value, place=place, **more)
    does = {"accept": accept, "comment": comment, "withdraw": withdraw}[given.action]
    return does(corpus, given.answer_id, by, given.note, given.topic)


def _place_of(library: Library, given: FeedbackIn, document: str) -> Citation | None:
    place = given.place
    if place is None:
        return None
    if place.label:
        return _cited(library, given.answer_id, place.label)
    if place.node:
        return place_cell(library.corpus, place.node, place.row, place.column)
    if place.box is None or not document:
        raise UsageError(
            "place: give node, row and column of a cell, key, page and box of a region, or the label of a citation"
        )
    x0, top, x1, bottom = place.box
    return place_box(library.corpus, document, place.page, (x0, top, x1, bottom))


def _cited(library: Library, answer_id: str, label: str) -> Citation:
    """The place of this label among those that an answer and its possible answers cite."""
    answer = recall_answer(library.corpus.folder, answer_id)
    near = (possible.citation for possible in answer.possible if possible.citation)
    found = {citation.label: citation for citation in (*near, *answer.citations)}
    if label not in found:
        raise UsageError(f"place: the answer cites no place with the label {label!r}")
    return found[label]
