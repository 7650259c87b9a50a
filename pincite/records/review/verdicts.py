"""What a reviewer says about an answer: accepted, corrected with a place of their own, commented, or withdrawn.

A correction whose place holds its value was read again there; any other is the reviewer's word and marked so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from pincite.corpus import Corpus
from pincite.document.deducted_amounts import as_spent
from pincite.errors import UsageError
from pincite.evidence.value_in_words import worded
from pincite.records.answer_store import recall_answer
from pincite.records.review.review_log import (
    Action,
    Review,
    Standing,
    about,
    in_force,
    latest,
    put,
    topic_of,
)
from pincite.types import Answer, Citation, Claim, Node, Quantity, Query, Value

LONGEST = 10_000
"""Characters of the longest note."""
_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}


def accept(corpus: Corpus, answer_id: str, by: str, note: str = "", topic: str = "") -> Review:
    """Say that an answer, or N/A, is right. `topic` is that of a grid's cell where it was made for one. Raises UsageError when no
    such answer is kept.
    """
    answer = recall_answer(corpus.folder, answer_id)
    place = answer.citations[0] if answer.citations else None
    made = _new_review("accept", answer, answer_id, by, note, topic)
    return put(corpus, replace(made, value=answer.value, text=answer.text, citation=place))


def comment(corpus: Corpus, answer_id: str, by: str, note: str, topic: str = "") -> Review:
    """Say something about an answer. Raises UsageError when there is nothing in it or no such answer."""
    if not note.strip():
        raise UsageError("the comment is empty: write something")
    answer = recall_answer(corpus.folder, answer_id)
    return put(corpus, _new_review("comment", answer, answer_id, by, note, topic))


def withdraw(corpus: Corpus, answer_id: str, by: str, note: str = "", topic: str = "") -> Review:
    """Take back what was accepted or corrected of the question of an answer. Raises UsageError when nothing is in force."""
    answer = recall_answer(corpus.folder, answer_id)
    made = _new_review("withdraw", answer, answer_id, by, note, topic)
    said = latest(about(corpus.folder, answer.query))
    if said is None and not in_force(corpus.folder, (made.topic,)):
        raise UsageError(
            "nothing is accepted or corrected for this question, so there is nothing to withdraw"
        )
    return put(corpus, made)


def correct(
    corpus: Corpus,
    answer_id: str,
    by: str,
    value: str,
    *,
    place: Citation | None = None,
    unit: str = "",
    note: str = "",
    topic: str = "",
) -> Review:
    """Say what is right instead of an answer, as it would be written: "1,234.5 million USD", "yes", "a; b", "N/A".

    `place` is where it stands, of `place_cell` or `place_box`. Digits alone are in `unit`, else in the unit asked for, else in
    the unit and scale of the same digits at that place, else in those of the answer. Raises UsageError when the value is not of
    the type that the question asks for.
    """
    answer = recall_answer(corpus.folder, answer_id)
    meant = value_of(value, answer.query, unit or answer.query.unit)
    if isinstance(meant, Quantity) and not meant.unit and meant.scale == 1:
        meant = _measured(corpus, meant, answer, place)
    standing, how = standing_of(corpus, meant, place)
    said = "N/A" if meant is None else " ".join(value.split())
    if isinstance(meant, Quantity):
        said = worded(meant)
    # the documents that are cited, of those that are files, each with the hash of its file
    held = {(each.id, each.source) for each in corpus.documents if not each.relation}
    cited = (place,) if place is not None else answer.citations
    sources = tuple(sorted({(each.document, each.anchor.source) for each in cited} & held))
    made = _new_review("correct", answer, answer_id, by, note, topic)
    made = replace(made, value=meant, text=said, citation=place, sources=sources)
    return put(corpus, replace(made, standing=standing, how=how))


def _measured(corpus: Corpus, bare: Quantity, answer: Answer, place: Citation | None) -> Quantity:
    """Digits alone in the unit and scale of the same digits at a place, else of the answer."""
    if place is not None and (there := _there(corpus, bare, place)) is not None:
        return replace(as_spent(bare, there), unit=there.unit, scale=there.scale)
    like = answer.value if isinstance(answer.value, Quantity) else bare
    return replace(bare, unit=like.unit, scale=like.scale)


def value_of(text: str, query: Query, unit: str = "") -> Value:
    """A value as a reviewer types it, of the type that a question asks for (any, where it asks for none)."""
    written = " ".join(text.split())
    if not written:
        raise UsageError('the value is empty: type it as it is written in the source, or "N/A"')
    if written.casefold() in ("n/a", "na", "none"):
        return None
    if query.expects in ("boolean", None) and written.casefold() in _BOOLEANS:
        return _BOOLEANS[written.casefold()]
    if query.expects == "boolean":
        raise UsageError(f"the question asks for yes or no, not {written!r}")
    if query.expects == "names":
        return tuple(part.strip() for part in written.split(";") if part.strip())
    if query.expects in ("text", "name"):
        return written  # a year, say, is no number of things
    quantity = _number(written, unit)
    if quantity is not None:
        return quantity
    if query.expects == "number":
        raise UsageError(
            f"the question asks for a number, not {written!r}: type one as in 1,234.5 million USD"
        )
    return written


def _number(written: str, unit: str) -> Quantity | None:
    """The one number that a text is, in `unit` where it names none; None when it says anything else."""
    from pincite.quantity import UnitError, in_unit, parse

    bare = parse(written)
    if bare is None:
        return None
    bare = replace(bare, unit="") if bare.unit == "year" else bare
    if not unit:
        return bare
    named = parse(f"{written} {unit}") if not bare.unit and bare.scale == 1 else bare
    try:
        return in_unit(named or bare, unit)
    except UnitError:
        return named or bare


def standing_of(corpus: Corpus, value: Value, place: Citation | None) -> tuple[Standing, str]:
    """Whether a value stands at a place, read again there as every answer is; and that in words."""
    from pincite.check.claims import check

    if place is None:
        return "word", "the reviewer's word; no place is cited"
    if value is None:
        return "word", "the reviewer's word: a missing value has no place to cite"
    if not place.quote:
        why = f"no text was read in the box on page {place.anchor.page}"
        return "word", f"the reviewer's word: {why}"
    nodes = _nodes(corpus, place)
    found = check(Claim("", value, (place.label,)), [place], nodes)
    if found.verdict == "supported":
        return "read", f"read again: {found.how}"
    return "word", f"the reviewer's word: {found.how}"


def _nodes(corpus: Corpus, place: Citation) -> Mapping[str, Node]:
    from pincite.evidence.gathering import with_tables

    return {node.id: node for node in with_tables(corpus, corpus.nodes([place.node]))}


def _there(corpus: Corpus, value: Quantity, place: Citation) -> Quantity | None:
    """The number at a place that is written so; an expense in parentheses is what was spent."""
    from pincite.evidence.cited_place import Failed, places

    try:
        found = places(place, _nodes(corpus, place).get(place.node))
    except Failed:
        return None
    numbers = (number.quantity for at in found for number in at.numbers)
    return next((there for there in numbers if there.value == as_spent(value, there).value), None)


def _new_review(
    action: Action, answer: Answer, answer_id: str, by: str, note: str, topic: str
) -> Review:
    who = " ".join(by.split())
    if not who:
        raise UsageError("a review needs the name of who makes it")
    if len(note) > LONGEST:
        raise UsageError(f"the note has {len(note):,} characters; at most {LONGEST:,} are allowed")
    at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    topic, kept = topic or topic_of(answer.query), answer_id.partition(".")[0]
    return Review("", topic, kept, action, who, at, answer.query, note=note.strip())
