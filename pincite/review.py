"""What people say of answers: accepted, corrected with a place of their own, commented; by whom and when.

Reviews stand beside the corpus in a file of their own, which nothing but appending changes: of what was accepted and corrected
the latest is in force. They are kept under a topic, the question itself, so that they outlive the answer that they were made
of. A correction whose place holds its value was read again there; any other is the reviewer's word and marked so.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from pincite.answer.candidate import Evidence
from pincite.answer.say import cited, worded
from pincite.answers import recall_answer
from pincite.corpus import Corpus, connect_reader
from pincite.disk import disk_error
from pincite.encoding import citation_from, citation_to, dumps, query_from, query_to, value_from, value_to
from pincite.errors import CorpusError, UsageError
from pincite.evaluate.record import document_name
from pincite.ingest.address import place_of
from pincite.received import guarded, own, readable
from pincite.record import clean, unit_of
from pincite.types import Answer, Box, Citation, Claim, Example, Node, Quantity, Query, Value

FILE = "reviews.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS reviews (number INTEGER PRIMARY KEY, topic TEXT NOT NULL, answer TEXT NOT NULL, content TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS reviews_by_topic ON reviews (topic);
CREATE TRIGGER IF NOT EXISTS reviews_stay BEFORE DELETE ON reviews BEGIN SELECT RAISE(ABORT, 'reviews are only added'); END;
CREATE TRIGGER IF NOT EXISTS reviews_last BEFORE UPDATE ON reviews BEGIN SELECT RAISE(ABORT, 'reviews are only added'); END;
"""
Action = Literal["accept", "correct", "comment"]
Standing = Literal["", "read", "word"]
LONGEST = 10_000
"""Characters of the longest note."""


@dataclass(frozen=True, slots=True)
class Review:
    """What one person said of one answer at one time (`at`, ISO 8601 in UTC).

    `value` is what was accepted, or is right instead (None: N/A), `text` that in words. `standing` of a correction is "read" when
    its value was read at the place cited, else "word"; `how` says so in words.
    """

    id: str
    topic: str
    answer: str
    action: Action
    by: str
    at: str
    query: Query
    value: Value = None
    text: str = ""
    citation: Citation | None = None
    standing: Standing = ""
    how: str = ""
    note: str = ""


def topic_of(query: Query) -> str:
    """What reviews of the answers to a question are kept under: its words, filter, type, unit and date."""
    where = [[name, list(values)] for name, values in query.where]
    asked = (" ".join(query.text.split()).casefold(), where, query.expects, query.unit, query.as_of)
    return blake2b(dumps(asked).encode(), digest_size=8).hexdigest()


def accept(corpus: Corpus, answer_id: str, by: str, note: str = "", topic: str = "") -> Review:
    """Say that an answer, or N/A, is right. `topic` is that of a grid's cell where it was made for one.

    Raises UsageError when no such answer is kept.
    """
    answer = recall_answer(corpus.folder, answer_id)
    place = answer.citations[0] if answer.citations else None
    made = _made("accept", answer, answer_id, by, note, topic)
    return _put(corpus, replace(made, value=answer.value, text=answer.text, citation=place))


def comment(corpus: Corpus, answer_id: str, by: str, note: str, topic: str = "") -> Review:
    """Say something about an answer. Raises UsageError when there is nothing in it or no such answer."""
    if not note.strip():
        raise UsageError("the comment is empty: say something")
    return _put(corpus, _made("comment", recall_answer(corpus.folder, answer_id), answer_id, by, note, topic))


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
    unit = unit or answer.query.unit
    meant = value_of(value, answer.query, unit)
    if isinstance(meant, Quantity) and not meant.unit and meant.scale == 1:
        there = _there(corpus, meant, place) if place is not None else None
        like = there or (answer.value if isinstance(answer.value, Quantity) else meant)
        meant = replace(meant, unit=like.unit, scale=like.scale)
    standing, how = _standing(corpus, meant, place)
    made = _made("correct", answer, answer_id, by, note, topic)
    said = worded(meant) if isinstance(meant, Quantity) else "N/A" if meant is None else " ".join(value.split())
    return _put(corpus, replace(made, value=meant, text=said, citation=place, standing=standing, how=how))


def value_of(text: str, query: Query, unit: str = "") -> Value:
    """A value as a reviewer types it, of the type that a question asks for (any, where it asks for none)."""
    written = " ".join(text.split())
    if not written:
        raise UsageError('the value is empty: type it as it is written in the source, or "N/A"')
    if written.casefold() in ("n/a", "na", "none"):
        return None
    if query.expects == "boolean" or query.expects is None and written.casefold() in ("yes", "no", "true", "false"):
        if written.casefold() not in ("yes", "no", "true", "false"):
            raise UsageError(f"the question asks for yes or no, not {written!r}")
        return written.casefold() in ("yes", "true")
    if query.expects == "names":
        return tuple(one.strip() for one in written.split(";") if one.strip())
    quantity = _number(written, unit)
    if quantity is not None:
        return quantity
    if query.expects == "number":
        raise UsageError(f"the question asks for a number and {written!r} is none: type one as in 1,234.5 million USD")
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


def place_cell(corpus: Corpus, node: str, row: int, column: int) -> Citation:
    """The citation of a cell of a table, by its node and 0-based place. Raises UsageError when there is none."""
    found = corpus.nodes([node])
    table = found[0].table if found else None
    if table is None:
        raise UsageError(f"no table {node!r} stands in the corpus: take the id of a table's node")
    cell = next((one for one in table.cells if (one.row, one.column) == (row, column)), None)
    if cell is None:
        raise UsageError(f"the table has no cell at row {row}, column {column} (both from 0)")
    document = _document(corpus, node)
    return cited(Evidence(found[0], ((row, column),), quote=cell.text, document=document), "1")


def place_box(corpus: Corpus, document: str, page: int, box: Box) -> Citation:
    """The citation of what stands in a box drawn on a page, in points from its top left corner.

    Cells whose middle the box holds, else the lines that it holds; where it holds neither, such as a part of a picture, the
    box itself with no quote. Raises UsageError when there is no such document or page, or the box is empty.
    """
    one = next((one for one in corpus.select((("document", (document,)),))), None)
    if one is None:
        raise UsageError(f"there is no document {document!r} in the corpus; `pincite list` prints them")
    x0, top, x1, bottom = box
    if not (all(map(isfinite, box)) and x0 < x1 and top < bottom):
        raise UsageError(f"the box {box} is empty: it is left, top, right, bottom in points from the top left")
    nodes = corpus.page(one.version, page) if 0 <= page <= one.pages else []
    if not nodes:
        raise UsageError(f"{one.id} has no page {page}; it has {one.pages}")
    before = [node for node in corpus.page(one.version, page - 1) if node.table is not None]  # a table may go on
    for node in (*nodes, *before):
        cells = node.table.cells if node.table is not None else ()
        at = (node.table.page if node.table is not None else 0) or node.anchor.page
        inside = tuple((c.row, c.column) for c in cells if (c.page or at) == page and _holds(box, c.box))
        if inside and node.table is not None:
            texts = {(c.row, c.column): c.text for c in node.table.cells}
            quote = " ".join(texts[at] for at in inside)
            return cited(Evidence(node, inside, quote=quote, document=one.id), "1")
    for node in nodes:
        starts = node.meta.get("starts")
        if node.table is not None or not starts or len(starts) != len(node.anchor.spots):
            continue
        lines = [at for at, (on, spot) in enumerate(node.anchor.spots) if on == page and _crosses(box, spot)]
        if lines:
            ends = (*starts[1:], len(node.text))
            return cited(Evidence(node, (), starts[lines[0]], ends[lines[-1]], document=one.id), "1")
    root = nodes[0]
    anchor = replace(root.anchor, spots=((page, box),), cells=(), path="")
    return Citation("1", root.id, anchor, "", one.id)


def _holds(box: Box, inner: Box | None) -> bool:
    """Whether the middle of a box lies in another."""
    if inner is None:
        return False
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _crosses(box: Box, line: Box | None) -> bool:
    """Whether a line of text lies at the height of a box and reaches into it."""
    return line is not None and box[1] <= (line[1] + line[3]) / 2 <= box[3] and line[0] < box[2] and box[0] < line[2]


def _document(corpus: Corpus, node: str) -> str:
    return corpus.by_version[corpus.places([node])[node][0]].id


def _standing(corpus: Corpus, value: Value, place: Citation | None) -> tuple[Standing, str]:
    """Whether a value stands at a place, read again there as every answer is; and that in words."""
    from pincite.answer.check import check

    if place is None:
        return "word", "the reviewer's word; no place is cited"
    if value is None:
        return "word", "the reviewer's word: that something is missing stands nowhere"
    if not place.quote:
        return "word", f"the reviewer's word: no text was read in the box on page {place.anchor.page}"
    nodes = _nodes(corpus, place)
    found = check(Claim("", value, (place.label,)), [place], nodes)
    if found.verdict == "supported":
        return "read", f"read again: {found.how}"
    return "word", f"the reviewer's word: {found.how}"


def _nodes(corpus: Corpus, place: Citation) -> Mapping[str, Node]:
    from pincite.answer.gather import with_tables

    return {node.id: node for node in with_tables(corpus, corpus.nodes([place.node]))}


def _there(corpus: Corpus, value: Quantity, place: Citation) -> Quantity | None:
    """The number at a place that has these digits."""
    from pincite.answer.place import Failed, places

    try:
        found = places(place, _nodes(corpus, place).get(place.node))
    except Failed:
        return None
    return next((one.quantity for at in found for one in at.numbers if one.quantity.value == value.value), None)


def _made(action: Action, answer: Answer, answer_id: str, by: str, note: str, topic: str) -> Review:
    who = " ".join(by.split())
    if not who:
        raise UsageError("a review needs the name of who makes it")
    if len(note) > LONGEST:
        raise UsageError(f"the note has {len(note):,} characters; {LONGEST:,} are the most")
    at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    query = answer.query
    return Review("", topic or topic_of(query), answer_id.partition(".")[0], action, who, at, query, note=note.strip())


def _put(corpus: Corpus, review: Review) -> Review:
    content = dumps(_content(review))
    kept = replace(review, id=blake2b(content.encode(), digest_size=6).hexdigest())
    try:
        with closing(guarded(sqlite3.connect(own(corpus.folder / FILE), timeout=60), _SCHEMA)) as db, db:
            db.executescript(_SCHEMA)
            db.execute(
                "INSERT INTO reviews (topic, answer, content) VALUES (?, ?, ?)",
                (kept.topic, kept.answer, dumps({"id": kept.id, **_content(kept)})),
            )
    except sqlite3.OperationalError as error:
        raise disk_error(error, corpus.folder) or CorpusError(f"{corpus.folder / FILE} cannot be written: {error}") from error
    return kept


def _content(one: Review) -> dict[str, Any]:
    return {
        "topic": one.topic, "answer": one.answer, "action": one.action, "by": one.by, "at": one.at,
        "query": query_to(one.query), "value": value_to(one.value), "text": one.text,
        "citation": citation_to(one.citation) if one.citation else None, "standing": one.standing, "how": one.how,
        "note": one.note,
    }  # fmt: skip


def _review(text: str) -> Review:
    one = json.loads(text)
    place = citation_from(one["citation"]) if one["citation"] else None
    return Review(
        one["id"], one["topic"], one["answer"], one["action"], one["by"], one["at"], query_from(one["query"]),
        value_from(one["value"]), one["text"], place, one["standing"], one["how"], one["note"],
    )  # fmt: skip


def reviews(folder: Path, topic: str = "", answer: str = "") -> tuple[Review, ...]:
    """The reviews that are kept beside a corpus, of one topic or of one answer where that is given, oldest first."""
    path = folder / FILE
    if not path.is_file():
        return ()
    wanted = [(name, value) for name, value in (("topic", topic), ("answer", answer)) if value]
    where = " AND ".join(f"{name} = ?" for name, _ in wanted) or "1"
    with (
        readable(path, "put back a copy of it; nothing else holds the reviews"),
        closing(connect_reader(path, _SCHEMA)) as db,
    ):
        rows = db.execute(f"SELECT content FROM reviews WHERE {where} ORDER BY number", [value for _, value in wanted])
        return tuple(_review(content) for (content,) in rows)


def in_force(folder: Path, topics: Iterable[str] | None = None) -> dict[str, Review]:
    """The latest acceptance or correction of each topic, or of those given."""
    wanted = None if topics is None else set(topics)
    return {
        one.topic: one for one in reviews(folder) if one.action != "comment" and (wanted is None or one.topic in wanted)
    }


def review_to(one: Review) -> dict[str, Any]:
    """A review as JSON."""
    made: dict[str, Any] = {
        "id": one.id, "topic": one.topic, "answer_id": one.answer, "action": one.action, "by": one.by, "at": one.at,
        "question": one.query.text, "note": one.note,
    }  # fmt: skip
    if one.action != "comment":
        made |= {"value": clean(one.value), "unit": unit_of(one.value), "text": one.text}
    if one.action == "correct":
        made |= {"standing": one.standing, "how": one.how}
    if one.citation is not None:
        place = one.citation
        made["citation"] = {
            "document": place.document, "page": place.anchor.page, "place": place_of(place.anchor), "quote": place.quote,
            "cells": [list(cell) for cell in place.anchor.cells],
            "boxes": [[page, list(box)] for page, box in place.anchor.spots if box],
        }  # fmt: skip
    return made


def examples(folder: Path) -> list[Example]:
    """What is accepted and corrected now, as questions with their gold: the corpus's own test set."""
    made = []
    for topic, one in in_force(folder).items():
        row = _gold(topic, one)
        made.append(Example(topic, one.query, row["answer"], tuple(_evidence(one)), {"gold": row}))
    return made


def question_rows(folder: Path) -> list[dict[str, Any]]:
    """The same as lines of a question file: `pincite batch` answers them, `pincite eval --rules typed` scores that."""
    return [_gold(topic, one) for topic, one in in_force(folder).items()]


def _evidence(one: Review) -> Iterator[tuple[str, int]]:
    if one.citation is not None and one.citation.anchor.page:
        yield document_name(one.citation.document), one.citation.anchor.page


def _gold(topic: str, one: Review) -> dict[str, Any]:
    """A review as a gold row: the question with what it was asked of, the right answer, where it stands, and who says so."""
    row: dict[str, Any] = {"id": topic, "question": one.query.text}
    if documents := dict(one.query.where).get("document"):
        row["doc_ids"] = list(documents)
    if fields := {name: list(values) for name, values in one.query.where if name != "document"}:
        row["where"] = fields
    if one.query.as_of:
        row["as_of"] = one.query.as_of
    if one.query.expects:
        row["kind"] = one.query.expects
    if one.query.unit:
        row["answer_unit"] = one.query.unit
    row |= _answer(one.value, one.text)
    place = one.citation
    if place is not None and place.anchor.page:
        row["evidence"] = [{"doc_id": place.document, "page": place.anchor.page}]
    said = {"accept": "accepted", "correct": "corrected"}[one.action]
    return row | {"source": {"made": said, "by": one.by, "at": one.at, "standing": one.standing, "note": one.note}}


def _answer(value: Value, text: str) -> dict[str, Any]:
    if value is None:
        return {"answer": None, "answer_type": "unanswerable"}
    if isinstance(value, bool):
        return {"answer": "yes" if value else "no", "answer_type": "yes_no"}
    if isinstance(value, Quantity):
        amount = clean(value)
        return {"answer": str(amount), "answer_num": str(amount), "answer_type": "number", "unit": value.unit}
    if isinstance(value, tuple):
        return {"answer": clean(value), "answer_type": "list"}
    return {"answer": text, "answer_type": "text"}
