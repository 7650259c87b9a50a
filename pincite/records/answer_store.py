"""Answers kept beside the corpus under short ids, so that `show` and a bundle can name them later."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, closing, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pincite.errors import CorpusError, CorpusNotWritable, UsageError
from pincite.formats.encoding import answer_from, answer_to, dumps
from pincite.storage import connect_kept, is_kept, shown
from pincite.types import Answer, Citation
from pincite.untrusted import LONGEST, readable

FILE = "answers.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS workings (id TEXT PRIMARY KEY, content BLOB NOT NULL);
"""
"""Answers, and how they came about."""


def _reading(folder: Path) -> AbstractContextManager[None]:
    return readable(folder / FILE, "move it away, and ask again: a new store is made")


def keep(
    folder: Path, answers: Sequence[Answer], told: Sequence[Mapping[str, Any]] = ()
) -> list[str]:
    """Keep answers and return their ids: the same answer has the same id. `told`, where given, is how each came about. A folder
    that cannot be written still gives ids; they cannot be shown later.
    """
    stored = [dumps(answer_to(answer)) for answer in answers]
    ids = list(map(_hash, stored))
    packed = [zlib.compress(dumps(way).encode(), 1) for way in told]
    # a read-only corpus answers all the same
    with _reading(folder), suppress(sqlite3.OperationalError, CorpusNotWritable):
        with closing(connect_kept(folder, FILE, SCHEMA)) as db, db:
            for table, contents in (("answers", stored), ("workings", packed)):
                if rows := list(zip(ids, contents, strict=False)):
                    added = f"INSERT INTO {table} VALUES (?, ?)"
                    changed = "ON CONFLICT (id) DO UPDATE SET content = excluded.content"
                    db.executemany(f"{added} {changed}", rows)
    return ids


def answer_id(answer: Answer) -> str:
    """The id of an answer: a hash of all of it."""
    return _hash(dumps(answer_to(answer)))


def _hash(stored: str) -> str:
    return blake2b(stored.encode(), digest_size=6).hexdigest()


def answer_stored(stored: str, identity: str) -> Answer:
    """An answer that was kept under its id. Raises CorpusError when it is another one now."""
    if _hash(stored) != identity:
        raise CorpusError(
            f"the answer {identity} was damaged or edited after it was stored. Ask again."
        )
    return answer_from(json.loads(stored))


def citation_id(identity: str, citation: Citation) -> str:
    """The id of one citation of the answer with this id."""
    return f"{identity}.{citation.label}"


def recall_answer(folder: Path, identity: str) -> Answer:
    """The answer that an id names, its own or that of one of its citations. Raises UsageError when there is no such answer."""
    wanted = identity.partition(".")[0]
    rows = _select(folder, "answers", "WHERE id = ?", wanted)
    if not rows:
        raise UsageError(
            f"no answer {wanted!r} is kept in {shown(folder)}. Ids are printed by `pincite ask` and written by "
            "`pincite batch` (answer_id, and id of each citation)."
        )
    with _reading(folder):
        return answer_stored(rows[0][1], wanted)


def kept_answers(folder: Path, most: int) -> list[tuple[str, Answer]]:
    """Answers that are kept, each with its id, at most so many; those that were damaged are left out."""
    found = []
    for identity, stored in _select(folder, "answers", "LIMIT ?", most):
        with suppress(CorpusError):
            found.append((identity, answer_stored(stored, identity)))
    return found


def recall_told(folder: Path, identity: str) -> dict[str, Any] | None:
    """How the answer with this id came about, as it was last kept; None where that was not."""
    rows = _select(folder, "workings", "WHERE id = ?", identity.partition(".")[0])
    if not rows:
        return None
    with _reading(folder):
        unpacking = zlib.decompressobj()
        unpacked = unpacking.decompress(rows[0][1], LONGEST)
        if unpacking.unconsumed_tail:
            raise ValueError(f"it unpacks to more than {LONGEST >> 20} MiB")
        told: dict[str, Any] = json.loads(unpacked)
        return told


def _select(folder: Path, table: str, which: str, value: str | int) -> list[tuple[str, Any]]:
    """The ids and contents of some rows of a table; none where nothing is kept."""
    if not is_kept(folder, FILE, table):
        return []
    with _reading(folder), closing(connect_kept(folder, FILE, SCHEMA, write=False)) as db:
        try:
            return db.execute(f"SELECT id, content FROM {table} {which}", (value,)).fetchall()
        except sqlite3.OperationalError:
            if table != "workings":
                raise
            return []  # no such table: none was ever kept here


def recall(folder: Path, identity: str) -> tuple[Answer, Citation]:
    """The answer and the citation, or the place of a possible answer, that an id names; an answer's id names its first citation.
    Raises UsageError when there is no such answer or it cites nothing.
    """
    own, _, label = identity.partition(".")
    answer = recall_answer(folder, own)
    near = (possible.citation for possible in answer.possible if possible.citation is not None)
    places = (*answer.citations, *near)
    for citation in places if label else answer.citations:
        if label in ("", citation.label):
            return answer, citation
    labels = ", ".join(citation_id(own, citation) for citation in places)
    if answer.citations:
        raise UsageError(f"answer {own} has no citation {label!r}; it has {labels}")
    nearest = f". The places of its possible answers: {labels}" if labels else ""
    why = answer.reason or "it was refused"
    raise UsageError(f"answer {own} cites nothing: {why}{nearest}")
