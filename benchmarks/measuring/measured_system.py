"""The system under measurement, through the same public functions that the command line calls.

What it says is kept under a hash of its code, so that nothing is asked twice and a killed run goes on.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, TypeVar

from benchmarks.measuring import bare_table
from pincite.check import absence
from pincite.check.claims import verified
from pincite.check.standing_draft import standing
from pincite.corpus import Corpus
from pincite.database.relations.shaped_values import written
from pincite.database.relations.value_index import build
from pincite.database.views.grid_views import views_of_grid
from pincite.errors import UsageError
from pincite.evidence.candidate import Candidate
from pincite.indexing import Wanted
from pincite.lab.experiments.environment import fingerprint
from pincite.lab.scoring.scored_runs import read_hits
from pincite.models.encoder import MiniLM
from pincite.models.kit import kit_of
from pincite.recipes.default import Default
from pincite.recipes.quote import read, record_tables
from pincite.reconcile.settlement import settled
from pincite.records.answer_record import record
from pincite.records.runfile import (
    FoundPage,
    Record,
    document_name,
    read_lines,
    read_run,
    write_lines,
)
from pincite.rows.clean_source import CleanSource
from pincite.rows.drafting.schema_routing import relations
from pincite.rows.reading_rows import interpreted
from pincite.rows.record_answers import with_records
from pincite.rows.row_answers import document_tables
from pincite.settings import Settings, load
from pincite.types import Answer, Query, Table
from pincite.workbench import library as pincite_library
from pincite.workbench.batch import read_questions, run
from pincite.workbench.library import Library

Derived = Literal["allow", "forbid"]
DEPTH = 100
"""Pages searched for a question: enough that the first ten documents are among them."""
Row = dict[str, Any]
Item = TypeVar("Item")


def index(
    files: Path | tuple[Path, ...],
    folder: Path,
    metadata: Path | None = None,
    database: Path | None = None,
    settings: Settings | None = None,
) -> None:
    """Index a folder of files, or a database; what is unchanged is skipped. A file that gives no answers is named on stderr.

    `settings` say which pages are read by OCR. Raises UsageError when no file can be read: figures of an empty corpus would
    say nothing.
    """
    wanted = [Wanted(database)] if database else []
    ocr_settings = (settings or load()).ocr_settings
    summary = pincite_library.index(
        files, folder, metadata=metadata, databases=wanted, ocr_settings=ocr_settings
    )
    for problem in summary.problems:
        sys.stderr.write(f"{problem.path}: {problem.status}, {problem.reason}\n")
    if summary.files and len(summary.problems) == len(summary.files):
        raise UsageError(
            f"no file of {files} could be indexed; the first: {summary.problems[0].reason}"
        )


def statuses(files: Path, folder: Path) -> dict[str, str]:
    """Index a folder of files and return the status of each by file name."""
    summary = pincite_library.index([files], folder)
    return {Path(file.path).name: file.status for file in summary.files}


def page_counts(folder: Path) -> dict[str, int]:
    """The number of pages of each document of a corpus."""
    return {document.id: document.pages for document in Corpus(folder).documents}


def tables(folder: Path) -> dict[str, list[Table]]:
    """The tables of each document of a corpus, by the document's name."""
    corpus = Corpus(folder)
    trees = {document_name(each.id): corpus.document(each.version) for each in corpus.documents}
    return {
        name: [node.table for node in tree.nodes if node.table is not None]
        for name, tree in trees.items()
    }


def answers(
    folder: Path, questions: Path, out: Path, settings: Settings | None = None
) -> dict[str, Record]:
    """The records of a question file by id; without settings no model reads, whatever this machine has."""
    out = _kept_for(out, questions)
    if not out.exists():
        run(read_questions(questions), Library(folder, settings or Settings()), out, "jsonl")
    return read_run(out)


def hits(folder: Path, questions: Path, out: Path) -> dict[str, list[FoundPage]]:
    """The pages found for a question file by id, at most `DEPTH`, best first."""
    out = _kept_for(out, questions)
    if not out.exists():
        library, asked = Library(folder), read_questions(questions)
        found = library.search_many([question.query(library) for question in asked], DEPTH)
        rows = [
            {"id": put.id, "hits": [asdict(hit) for hit in each]}
            for put, each in zip(asked, found, strict=True)
        ]
        write_lines(out, rows)
    return read_hits(out)


def _kept_for(out: Path, questions: Path) -> Path:
    """Where what this code says to these questions is kept."""
    asked = blake2b(questions.read_bytes(), digest_size=4).hexdigest()
    return out.with_suffix(f".{fingerprint()}.{asked}.jsonl")


def resumed(
    out: Path, items: Iterable[Item], key: Callable[[Item], str], make: Callable[[Item], Row]
) -> dict[str, Row]:
    """What is made of each item, by its key: once for this code, a line at a time."""
    out = out.with_suffix(f".{fingerprint()}.jsonl")
    out.parent.mkdir(parents=True, exist_ok=True)
    done = {str(row["id"]): row for row in finished(out)}
    with out.open("a", encoding="utf-8") as file:
        for item in items:
            if key(item) not in done:
                row = {**make(item), "id": key(item)}
                done[key(item)] = row
                file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
                file.flush()
    return done


def finished(out: Path) -> Iterator[Row]:
    """The lines of a run so far; a line torn by a kill is cut off."""
    if not out.exists():
        return
    text = out.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        out.write_text(whole, encoding="utf-8")
    yield from read_lines(out)


def records(questions: Sequence[str], folder: Path, out: Path) -> list[Row]:
    """What `ask --json` says to questions, by the model of the settings."""
    library = Library(folder, load())
    made = resumed(out, questions, str, lambda question: record(library.ask(question), ""))
    return [made[question] for question in questions]


def missing(folder: Path, questions: Sequence[str]) -> list[str]:
    """Why each question is refused for a name or a year that is in no document; "" where it is not."""
    library = Library(folder)
    pages = Default().whole_pages(library.kit)
    asked = map(library.query, questions)
    return [absence.missing(query, library.corpus, pages) for query in asked]


# ---- a table that is given with the question


Given = tuple[str, str, list[list[str]], list[str]]
"""A question over a given table: id, question, rows of the table, paragraphs."""


def given_answers(questions: Sequence[Given], out: Path) -> dict[str, Record]:
    """The records of questions over given tables by id."""
    resumed(out, questions, lambda given: given[0], lambda given: given_answer(*given[1:]))
    return read_run(out.with_suffix(f".{fingerprint()}.jsonl"))


def given_answer(question: str, table: list[list[str]], paragraphs: list[str]) -> Row:
    """One question over a given table and paragraphs, as a run line with items and a scale word.

    Of a refusal the first possible answer is told: this measure pays for a guess.
    """
    query, passages = Query(question), bare_table.document_of(table, paragraphs)
    nodes = {passage.node.id: passage.node for passage in passages}
    sources = document_tables()
    check = partial(verified, nodes=nodes, sources=sources)
    quoted = read(query, passages)
    told = standing(with_records(query, record_tables(passages), quoted, sources, MiniLM()), check)
    answer = check(told)
    said = answer.value
    if said is None:
        said = next((possible.value for possible in answer.possible), None)
    operation = told.claims[0].operation if told.claims and said == told.value else ""
    items: list[str] = []
    scale = ""
    if said is not None:
        items, scale = bare_table.items_and_scale(Candidate(said, (), operation=operation))
    return {
        "question": question,
        "value": items or None,
        "scale": scale,
        "refused": not items,
        "confidence": answer.confidence,
    }


def given_rows(
    questions: Sequence[tuple[str, str, str]],
    given: Mapping[str, list[list[str]]],
    out: Path,
) -> dict[str, Record]:
    """What the model of the settings finds for questions (id, table, question) over given tables, by id."""
    kit = kit_of(load().models, out.parent)

    def found(asked: tuple[str, str, str]) -> Row:
        opened, _ = views_of_grid(given[asked[1]])
        with opened:
            source = CleanSource(opened, build(opened))
            made = interpreted(asked[2], source, kit.encoder, kit.large)
        rows = made.result.rows if made.result else ()
        return {"items": [written(row[0]) for row in rows], "confidence": made.confidence}

    return {
        key: Record(
            key, row["items"] or None, refused=not row["items"], confidence=row["confidence"]
        )
        for key, row in resumed(out, questions, lambda asked: asked[0], found).items()
    }


# ---- databases


Worded = tuple[str, str, str]
"""A question over a database: id, the database's name, question."""


def statements(questions: Sequence[Worded], folder: Path, out: Path) -> dict[str, Row]:
    """What is answered to questions from the rows of the SQLite files of `folder`, by id.

    Each file is a corpus of its own, kept beside `out`; its questions are asked together, so that an engine knows its tables.
    A refused question keeps the rows that it would have been answered with.
    """
    ready: dict[str, Library] = {}

    def found(asked: Worded) -> Row:
        _, name, question = asked
        if name not in ready:
            corpus = out.parent / "corpora" / name
            index((), corpus, database=folder / f"{name}.sqlite")
            ready[name] = Library(corpus, load())
        return {"db": name, "question": question, **statement(question, ready[name])}

    asked = sorted(questions, key=lambda asked: asked[1])
    return resumed(out, asked, lambda question: question[0], found)


def statement(question: str, library: Library) -> Row:
    """What one question finds in a corpus that is one database: statement, rows, confidence, whether it is refused and which
    words mapped to nothing. Refused is what `ask` refuses, with the checks of the answer and no document to go before it.

    A failure is a wrong answer and no end of the measurement; it is said.
    """
    try:
        told, checked = library.rows(question)
    except Exception as error:
        sys.stderr.write(f"{question}: {type(error).__name__}: {error}\n")
        reason = f"failed: {error}"
        return {"statement": "", "rows": [], "confidence": 0.0, "refused": True, "reason": reason}
    nothing = Answer(checked.query, "", None)
    answer, found = settled(checked, nothing, library.corpus), told.interpretation
    result = found.result
    return {
        "statement": result.statement if result is not None else "",
        "rows": [list(row) for row in result.rows] if result is not None else [],
        "confidence": found.confidence,
        "refused": answer.value is None,
        "reason": answer.reason,
        "unmapped": list(found.unmapped),
        "asked": found.asked,
        "notes": list(found.notes),
    }


def rows_searched(
    questions: Sequence[tuple[str, str]],
    connection: sqlite3.Connection,
    relation: str,
    serializer: str,
    folder: Path,
) -> dict[str, list[int]]:
    """The row ids of a relation by question id, nearest first: every row embedded as `serializer` writes it.

    The first column is no less a name than the others: headings are the readable names of the table `column_meaning`.
    """
    import numpy as np

    from pincite.models.encoder import MiniLM
    from pincite.search.index.table_rows import SERIALIZERS

    encoder = MiniLM()
    meant = connection.execute("SELECT column_name, meaning, unit FROM column_meaning")
    readable = {name: f"{meaning} ({unit})" if unit else meaning for name, meaning, unit in meant}
    cursor = connection.execute(f'SELECT rowid, * FROM "{relation}"')
    names = [readable.get(each[0], each[0]) for each in cursor.description[1:]]
    rows = cursor.fetchall()
    kept = folder / f"rows-{relation}-{serializer}-{encoder.revision}.npy"
    if not kept.exists():
        texts = [
            SERIALIZERS[serializer](relation, list(zip(names, row[1:], strict=True)))
            for row in rows
        ]
        np.save(kept, encoder.encode(texts, side="document"))
    vectors = np.load(kept)
    asked = encoder.encode([question for _, question in questions], side="query")
    orders = np.argsort(-(asked @ vectors.T), axis=1, kind="stable")
    return {
        identifier: [int(rows[at][0]) for at in order]
        for (identifier, _), order in zip(questions, orders.tolist(), strict=True)
    }


def relations_found(questions: Sequence[str], database: Any, *, encoded: bool) -> list[list[str]]:
    """The names of the relations that each question needs, best first; `encoded`: with the built-in encoder."""
    encoder = MiniLM() if encoded else None
    return [
        [name for name, _ in relations(question, database, 20, encoder)] for question in questions
    ]
