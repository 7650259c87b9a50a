"""The same question asked again: a reviewer's correction answers it, read again at its place and marked as one."""

from __future__ import annotations

from dataclasses import replace

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.evidence.value_in_words import worded
from pincite.quantity import UnitError, in_unit
from pincite.records.review.review_log import Review, about, latest
from pincite.records.review.verdicts import standing_of
from pincite.types import Answer, Check, Claim, Correction, Quantity, Query, Value


def corrected(corpus: Corpus, query: Query) -> Answer | Correction | None:
    """The correction in force of answers to a question (see `review_log.asked_of`) as its answer, as `as_corrected` gives it;
    None where there is none.
    """
    review = latest(about(corpus.folder, query)) if query.corrections == "use" else None
    if review is None or review.action != "correct":
        return None
    return as_corrected(corpus, query, review)


def as_corrected(corpus: Corpus, query: Query, review: Review) -> Answer | Correction:
    """A correction as the answer to a question. One that does not hold any more, or cannot be given as the question asks, is no
    answer: it is returned with the reason why it is not used.
    """
    said = Correction(review.id, review.by, review.at, review.how, review.note)
    if why := stale(corpus, review, query):
        return replace(said, unused=why)
    try:
        value = _as_asked(review, query)
    except UsageError as error:
        return replace(said, unused=str(error))
    if value is None:
        return Answer(query, "", None, reason=said.said, corrected=said)
    made = Answer(query, worded(value), value, confidence=1.0, corrected=said)
    place = review.citation
    if place is None:
        return made
    made = replace(made, citations=(place,))
    if review.standing != "read":
        return made
    claim = Claim(worded(review.value), review.value, (place.label,))
    check = Check(claim.text, "supported", place.label, review.how)
    return replace(made, checks=(check,), claims=(claim,))


def stale(corpus: Corpus, review: Review, query: Query) -> str:
    """Why a correction does not hold for a question any more, in words; "" when it does. What it is about must be there with the
    same bytes and still be asked, and its place must hold what was read there.
    """
    place, sources = review.citation, review.sources
    if not sources and place is not None:
        sources = ((place.document, place.anchor.source),)
    for document, source in sources:
        if why := _unasked(corpus, query, document, source):
            return why
    if place is None:
        return ""
    if not corpus.nodes([place.node]):
        return f"the place in {place.document} no longer exists"
    if review.standing == "read":
        standing, how = standing_of(corpus, review.value, place)
        return "" if standing == "read" else f"its place was read again: {how}"
    return ""


def _unasked(corpus: Corpus, query: Query, document: str, source: str) -> str:
    """Why a document is not asked with the bytes of this source; "" when it is."""
    same = {known.id for known in corpus.documents if known.source == source}
    if not same and any(known.id == document for known in corpus.documents):
        return f"{document} has changed since"
    if not same:
        return f"{document} is no longer in the corpus"
    if query.where and same.isdisjoint(known.id for known in corpus.select(query.where)):
        return f"{document} is not among the documents that are asked now"
    if same <= set(query.without):
        return f"another edition has replaced {document}"
    return ""


def _as_asked(review: Review, query: Query) -> Value:
    """The corrected value as the question asks for it. Raises UsageError when it is of another type or unit."""
    value = review.value
    fits: dict[str, type] = {"number": Quantity, "boolean": bool, "names": tuple}
    if value is None:
        return None
    if query.expects in ("name", "text"):
        return review.text
    if query.expects is not None and not isinstance(value, fits[query.expects]):
        raise UsageError(
            f"it is {review.text!r}, but the question asks for an answer of the type {query.expects}"
        )
    if not isinstance(value, Quantity) or not query.unit:
        return value
    try:
        return in_unit(value, query.unit)
    except UnitError as error:
        raise UsageError(f"it is {review.text} and cannot be given in {query.unit}") from error
