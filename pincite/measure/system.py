"""The system under measurement, through the same public functions that the command line calls."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from pincite.errors import UsageError
from pincite.evaluate.machine import fingerprint
from pincite.evaluate.record import Found as FoundPage
from pincite.evaluate.record import Record, document_name, read_hits, read_lines, read_run, write_lines
from pincite.types import Query, Table

Derived = Literal["allow", "forbid"]
DEPTH = 100
"""Pages searched for a question: enough that the first ten documents are among them."""


def index(files: Path, folder: Path, metadata: Path | None = None) -> None:
    """Index a folder of files; what is unchanged is skipped. A file that gives no answers is named on stderr.

    Raises UsageError when no file can be read: figures of an empty corpus would say nothing.
    """
    from pincite.library import index as index_files

    summary = index_files([files], folder, metadata=metadata)
    for one in summary.problems:
        sys.stderr.write(f"{one.path}: {one.status}, {one.reason}\n")
    if len(summary.problems) == len(summary.files):
        raise UsageError(f"no file of {files} could be indexed; the first: {summary.problems[0].reason}")


def statuses(files: Path, folder: Path) -> dict[str, str]:
    """Index a folder of files and return the status of each by file name."""
    from pincite.library import index as index_files

    return {Path(one.path).name: one.status for one in index_files([files], folder).files}


def page_counts(folder: Path) -> dict[str, int]:
    """The number of pages of each document of a corpus."""
    from pincite.corpus import Corpus

    return {one.id: one.pages for one in Corpus(folder).documents}


def tables(folder: Path) -> dict[str, list[Table]]:
    """The tables of each document of a corpus, by the document's name."""
    from pincite.corpus import Corpus

    corpus = Corpus(folder)
    return {
        document_name(one.id): [node.table for node in corpus.document(one.version).nodes if node.table is not None]
        for one in corpus.documents
    }


def answers(folder: Path, questions: Path, out: Path, derived: Derived = "allow") -> dict[str, Record]:
    """The records of a question file by id: answered once for this code, a killed run going on where it was."""
    from pincite.batch import read_questions, run
    from pincite.library import Library
    from pincite.settings import Settings

    out = out.with_suffix(f".{fingerprint()}.jsonl")
    if not out.exists():
        run(read_questions(questions), Library(folder, Settings(derived=derived)), out, "jsonl")
    return read_run(out)


def hits(folder: Path, questions: Path, out: Path) -> dict[str, list[FoundPage]]:
    """The pages found for a question file by id, at most `DEPTH`, best first: searched once for this code."""
    from pincite.batch import read_questions
    from pincite.library import Library

    out = out.with_suffix(f".{fingerprint()}.jsonl")
    if not out.exists():
        library, asked = Library(folder), read_questions(questions)
        found = library.search_many([one.query(library) for one in asked], DEPTH)
        rows = [{"id": one.id, "hits": [asdict(hit) for hit in each]} for one, each in zip(asked, found, strict=True)]
        write_lines(out, rows)
    return read_hits(out)


Given = tuple[str, str, list[list[str]], list[str]]
"""A question over a given table: id, question, rows of the table, paragraphs."""


def given_answers(questions: Sequence[Given], out: Path) -> dict[str, Record]:
    """The records of questions over given tables by id: answered once for this code, resumed when killed."""
    out = out.with_suffix(f".{fingerprint()}.jsonl")
    out.parent.mkdir(parents=True, exist_ok=True)
    done = {str(row["id"]) for row in finished(out)}
    with out.open("a", encoding="utf-8") as file:
        for one in questions:
            if one[0] not in done:
                file.write(json.dumps(given_answer(*one), ensure_ascii=False) + "\n")
                file.flush()
    return read_run(out)


def finished(out: Path) -> Iterator[dict[str, Any]]:
    """The lines of a run so far; a line torn by a kill is cut off."""
    if not out.exists():
        return
    text = out.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        out.write_text(whole, encoding="utf-8")
    yield from read_lines(out)


def given_answer(identifier: str, question: str, table: list[list[str]], paragraphs: list[str]) -> dict[str, Any]:
    """One question over a given table and paragraphs, as a run line with items and a scale word."""
    from pincite.answer import given
    from pincite.answer.question import understand
    from pincite.answer.quote import best_of

    ask = understand(Query(question))
    best = best_of(ask, given.document_of(table, paragraphs))
    items, scale = given.items_and_scale(best[0]) if best else ([], "")
    return {
        "id": identifier,
        "question": question,
        "value": items or None,
        "scale": scale,
        "refused": not items,
        "confidence": best[0].score if best else 0.0,
    }
