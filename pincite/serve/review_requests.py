"""What a reviewer says of an answer, from a page's form or a program: accept, correct with a place, comment."""

from __future__ import annotations

from pincite.errors import UsageError
from pincite.library import Library
from pincite.records.answer_store import recall_answer
from pincite.review import Review, accept, comment, correct, place_box, place_cell, withdraw
from pincite.serve.bench import Visit
from pincite.serve.rest.rest_forms import FeedbackIn
from pincite.types import Citation


async def reviewed(visit: Visit, given: FeedbackIn) -> Review:
    """Keep a review under the name of who makes it. Problem 404 for no such answer; UsageError for what cannot be."""
    visit.request.state.on = f"answer {given.answer_id}"
    await visit.answer(given.answer_id)
    key = given.place.key if given.place else ""
    document = visit.document(key).id if key else ""
    made: Review = await visit.asked(_reviewed, given, visit.person.name, document)
    return made


def _reviewed(library: Library, given: FeedbackIn, by: str, document: str) -> Review:
    corpus = library.corpus
    if given.action == "correct":
        place = _place(library, given, document)
        more = {"unit": given.unit, "note": given.note, "topic": given.topic}
        return correct(corpus, given.answer_id, by, given.value, place=place, **more)
    does = {"accept": accept, "comment": comment, "withdraw": withdraw}[given.action]
    return does(corpus, given.answer_id, by, given.note, given.topic)


def _place(library: Library, given: FeedbackIn, document: str) -> Citation | None:
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
