"""The log of reviews: a file of its own beside the corpus that is only appended to. The latest acceptance or correction is in
force until it is withdrawn. Reviews are kept under a topic, the question itself, so that they outlive the answer that they were
made of.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from pincite.corpus import Corpus
from pincite.document.address import place_of
from pincite.errors import CorpusError
from pincite.formats.encoding import (
    citation_from,
    citation_to,
    dumps,
    query_from,
    query_to,
    value_from,
    value_to,
)
from pincite.records.answer_record import clean, unit_of
from pincite.storage import KeptTables, address_of, connect_kept, exclusively, is_kept
from pincite.storage.disk import disk_error
from pincite.types import Citation, Query, Value
from pincite.untrusted import readable

FILE = "reviews.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS reviews (number INTEGER PRIMARY KEY, topic TEXT NOT NULL, answer TEXT NOT NULL, content TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS reviews_by_topic ON reviews (topic);
CREATE TABLE IF NOT EXISTS asked (number INTEGER PRIMARY KEY, question TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS reviews_by_question ON asked (question);
CREATE TRIGGER IF NOT EXISTS reviews_stay BEFORE DELETE ON reviews BEGIN SELECT RAISE(ABORT, 'reviews are only added'); END;
CREATE TRIGGER IF NOT EXISTS reviews_last BEFORE UPDATE ON reviews BEGIN SELECT RAISE(ABORT, 'reviews are only added'); END;
"""
Action = Literal["accept", "correct", "comment", "withdraw"]
Standing = Literal["", "read", "word"]


@dataclass(frozen=True, slots=True)
class Review:
    """What one person said of one answer at one time (`at`, ISO 8601 in UTC).

    `value` is what was accepted, or is right instead (None: N/A), `text` that in words. `standing` of a correction is "read" when
    its value was read at the place cited, else "word"; `how` says so in words. `sources` are the documents that it is about,
    each with the hash of its file: that of its place, else those that the answer cited.
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
    sources: tuple[tuple[str, str], ...] = ()


def topic_of(query: Query) -> str:
    """What reviews of the answers to a question are kept under: its words, filter, type, unit and date."""
    text = " ".join(query.text.split()).casefold()
    return _hash((text, query.where, query.expects, query.unit, query.as_of), 8)


def asked_of(query: Query) -> str:
    """What a question is known again by: its words without regard to case, spaces and the marks that end it, what it refines,
    its filter and its date. Unit and type are not part of it: the same value may be given in another unit.
    """
    folded = [" ".join(text.split()).casefold() for text in (query.text, *query.refines)]
    texts = [text.rstrip(" ?!.,;:…") for text in folded]
    where = sorted(
        [name.casefold(), sorted(map(str.casefold, values))] for name, values in query.where
    )
    return _hash((texts, where, query.as_of), 8)


def _hash(content: Any, size: int) -> str:
    return blake2b(dumps(content).encode(), digest_size=size).hexdigest()


def put(corpus: Corpus, review: Review) -> Review:
    """Keep a review, and give it its id. CorpusError when nothing can be written beside the corpus."""
    content = _content(review)
    kept = replace(review, id=_hash(content, 6))
    row = (kept.topic, kept.answer, dumps({"id": kept.id, **content}))
    unindexed = (
        "SELECT number, content FROM reviews WHERE number NOT IN (SELECT number FROM asked)"
    )
    try:
        with closing(connect_kept(corpus.folder, FILE, SCHEMA)) as made, exclusively(made) as db:
            db.execute("INSERT INTO reviews (topic, answer, content) VALUES (?, ?, ?)", row)
            found = db.execute(unindexed).fetchall()
            new = [(number, asked_of(_review(said).query)) for number, said in found]
            db.executemany("INSERT INTO asked VALUES (?, ?)", new)
    except sqlite3.OperationalError as error:
        raise disk_error(error, corpus.folder) or CorpusError(
            f"{corpus.folder / FILE} cannot be written: {error}"
        ) from error
    return kept


def _content(review: Review) -> dict[str, Any]:
    return {
        "topic": review.topic, "answer": review.answer, "action": review.action, "by": review.by, "at": review.at,
        "query": query_to(review.query), "value": value_to(review.value), "text": review.text,
        "citation": citation_to(review.citation) if review.citation else None, "standing": review.standing,
        "how": review.how, "note": review.note, "sources": list(map(list, review.sources)),
    }  # fmt: skip


def _review(text: str) -> Review:
    content = json.loads(text)
    content |= {
        "query": query_from(content["query"]), "value": value_from(content["value"]),
        "citation": citation_from(content["citation"]) if content["citation"] else None,
        "sources": tuple(map(tuple, content.get("sources", ()))),
    }  # fmt: skip
    return Review(**content)


@contextmanager
def _reading(folder: Path) -> Iterator[KeptTables]:
    with (
        readable(folder / FILE, "put back a copy of it; nothing else holds the reviews"),
        closing(connect_kept(folder, FILE, SCHEMA, write=False)) as db,
    ):
        yield db


def stamp(folder: Path) -> tuple[int, int]:
    """What changes whenever something is said: when the file of reviews was written, and its bytes, or in PostgreSQL the number
    of the last review; zeros where there is none.
    """
    if address_of(folder):
        if not is_kept(folder, FILE, "reviews"):
            return 0, 0
        with _reading(folder) as db:
            return int(db.execute("SELECT coalesce(max(number), 0) FROM reviews").fetchone()[0]), 0
    try:
        held = (folder / FILE).stat()
    except FileNotFoundError:
        return 0, 0
    return held.st_mtime_ns, held.st_size


def reviews(folder: Path, topic: str = "", answer: str = "") -> tuple[Review, ...]:
    """The reviews that are kept beside a corpus, of one topic or of one answer where that is given, oldest first."""
    if not is_kept(folder, FILE, "reviews"):
        return ()
    wanted = [(name, value) for name, value in (("topic", topic), ("answer", answer)) if value]
    where = " AND ".join(f"{name} = ?" for name, _ in wanted) or "1 = 1"
    query = f"SELECT content FROM reviews WHERE {where} ORDER BY number"
    with _reading(folder) as db:
        rows = db.execute(query, [value for _, value in wanted])
        return tuple(_review(content) for (content,) in rows)


def about(folder: Path, query: Query) -> tuple[Review, ...]:
    """What was said of answers to the same question (see `asked_of`), oldest first."""
    question = asked_of(query)
    if not is_kept(folder, FILE, "reviews"):
        return ()
    with _reading(folder) as db:
        indexed = "SELECT 1 FROM sqlite_master WHERE name = 'asked'"
        if address_of(folder) or db.execute(indexed).fetchone():
            by_question = "SELECT content FROM asked JOIN reviews USING (number) WHERE question = ? ORDER BY number"
            rows = db.execute(by_question, (question,)).fetchall()
            return tuple(_review(content) for (content,) in rows)
    # written before questions had an index, and not since
    return tuple(review for review in reviews(folder) if asked_of(review.query) == question)


def latest(said: Iterable[Review]) -> Review | None:
    """What is in force of what was said of one question, oldest first: the last acceptance or correction, until it is withdrawn.
    Whoever accepts the very value of a correction confirms it, and it stays in force.
    """
    found: Review | None = None
    for review in said:
        if review.action == "withdraw":
            found = None
        elif review.action == "correct":
            found = review
        elif review.action == "accept":
            corrected = found is not None and found.action == "correct"
            if not (corrected and found and found.value == review.value):
                found = review
    return found


def in_force(folder: Path, topics: Iterable[str] | None = None) -> dict[str, Review]:
    """What is in force of each topic, or of those given."""
    wanted = None if topics is None else set(topics)
    said: dict[str, list[Review]] = {}
    for review in reviews(folder):
        if wanted is None or review.topic in wanted:
            said.setdefault(review.topic, []).append(review)
    return {topic: found for topic, some in said.items() if (found := latest(some)) is not None}


def review_to(review: Review) -> dict[str, Any]:
    """A review as JSON."""
    made: dict[str, Any] = {
        "id": review.id, "topic": review.topic, "answer_id": review.answer, "action": review.action, "by": review.by,
        "at": review.at, "question": review.query.text, "note": review.note,
    }  # fmt: skip
    if review.action in ("accept", "correct"):
        made |= {"value": clean(review.value), "unit": unit_of(review.value), "text": review.text}
    if review.action == "correct":
        made |= {"standing": review.standing, "how": review.how}
    if (place := review.citation) is not None:
        made["citation"] = {
            "document": place.document, "page": place.anchor.page, "place": place_of(place.anchor), "quote": place.quote,
            "cells": [list(cell) for cell in place.anchor.cells],
            "boxes": [[page, list(box)] for page, box in place.anchor.spots if box],
        }  # fmt: skip
    return made
