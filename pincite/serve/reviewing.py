"""What a reviewer says of an answer, from a page's form or a program: accept, correct with a place, comment."""

from __future__ import annotations

import asyncio

from pincite.answers import recall_answer
from pincite.errors import UsageError
from pincite.review import Review, accept, comment, correct, place_box, place_cell
from pincite.serve.bench import Visit
from pincite.serve.forms import FeedbackIn, PlaceIn
from pincite.serve.problems import missing
from pincite.types import Citation


async def reviewed(visit: Visit, given: FeedbackIn) -> Review:
    """Keep a review under the name of who makes it. Problem 404 for no such answer; UsageError for what cannot be."""
    visit.request.state.on = f"answer {given.answer_id}"
    return await asyncio.to_thread(_reviewed, visit, given)


def _reviewed(visit: Visit, given: FeedbackIn) -> Review:
    corpus, by = visit.edition.corpus, visit.person.name
    try:
        recall_answer(visit.served.folder, given.answer_id)
    except UsageError as error:
        raise missing(f"answer {given.answer_id!r}") from error
    if given.action == "accept":
        return accept(corpus, given.answer_id, by, given.note, given.topic)
    if given.action == "comment":
        return comment(corpus, given.answer_id, by, given.note, given.topic)
    place = _place(visit, given.place) if given.place else None
    return correct(
        corpus, given.answer_id, by, given.value, place=place, unit=given.unit, note=given.note, topic=given.topic
    )


def _place(visit: Visit, given: PlaceIn) -> Citation:
    corpus = visit.edition.corpus
    if given.node:
        return place_cell(corpus, given.node, given.row, given.column)
    if given.box is None:
        raise UsageError("place: give node, row and column of a cell, or key, page and box of a region")
    document = visit.edition.by_key.get(given.key)
    if document is None:
        raise missing(f"document {given.key!r}")
    x0, top, x1, bottom = given.box
    return place_box(corpus, document.id, given.page, (x0, top, x1, bottom))
