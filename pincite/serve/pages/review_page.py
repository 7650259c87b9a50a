"""Review: what people said of answers, and the questions with known answers that result."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import RedirectResponse, Response

from pincite.records.answer_store import kept_answers
from pincite.review import reviews
from pincite.review.review_log import Action
from pincite.review.reviewed_questions import question_rows
from pincite.serve import templating as views
from pincite.serve.bench import Reading, Reviewing
from pincite.serve.door.caller_limits import NOTE
from pincite.serve.door.problems import Problem
from pincite.serve.pages.files_page import saved
from pincite.serve.rest.rest_forms import FeedbackIn, PlaceIn
from pincite.serve.rest.shared import Identity
from pincite.serve.review_requests import reviewed
from pincite.types import Answer

router = APIRouter(include_in_schema=False)
LOOKED_AT = 2_000
"""Answers that are looked at for those that nobody has reviewed."""
WAITING = 60
"""Answers that nobody has reviewed that are listed, the least certain first."""
LATEST = 300
"""Reviews that are listed."""


@router.get("/c/{corpus}/review")
async def listed(visit: Reading) -> Response:
    """All of it, the latest first, and answers that nobody has reviewed, the least certain first."""
    said = await asyncio.to_thread(reviews, visit.served.folder)
    seen = {review.answer for review in said if review.action != "comment"}
    kept = await asyncio.to_thread(kept_answers, visit.served.folder, LOOKED_AT)
    waiting = [(identity, answer) for identity, answer in kept if identity not in seen]
    waiting.sort(key=_doubt)
    return views.corpus_page(
        visit, "review.html", reviews=said[::-1][:LATEST], whole=len(said), waiting=waiting[:WAITING], unseen=len(waiting),
    )  # fmt: skip


@router.get("/c/{corpus}/review/questions.jsonl")
async def questions(visit: Reading) -> Response:
    """What was accepted and corrected, as questions with their answers: `pincite batch` and `pincite eval` take it."""
    rows = await asyncio.to_thread(question_rows, visit.served.folder)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return saved(text, "questions.jsonl", "application/x-ndjson")


def _doubt(waiting: tuple[str, Answer]) -> tuple[bool, float]:
    """The least certain values first, after all values what has none."""
    return waiting[1].value is None, waiting[1].confidence


@router.post("/c/{corpus}/review/accept")
async def accept_all(
    visit: Reviewing, answer: Annotated[list[str], Form(max_length=WAITING)]
) -> Response:
    """Accept several answers at once."""
    for identity in answer:
        if not re.fullmatch("[0-9a-f]{6,32}", identity):
            raise Problem(422, "answer: must be the ids of answers")
    for identity in answer:
        await reviewed(visit, FeedbackIn(answer_id=identity, action="accept"))
    return RedirectResponse(f"/c/{visit.served.name}/review", 303)


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
        answer_id=answer_id,
        action=action,
        value=value,
        unit=unit,
        note=note,
        topic=topic,
        place=_place(place),
    )
    await reviewed(visit, given)
    base = f"/c/{visit.served.name}"
    if grid:
        return RedirectResponse(f"{base}/grids/{views.segment(grid)}", 303)
    return RedirectResponse(f"{base}/answers/{views.segment(answer_id)}#reviews", 303)


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
