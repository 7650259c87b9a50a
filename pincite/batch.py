"""Many questions from a file, answered in order; a killed run goes on where it was."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.evaluate import erc, wattbot
from pincite.evaluate.record import document_name, read_lines, record_of
from pincite.library import AT_ONCE, Library
from pincite.record import record
from pincite.types import Query, Where

FORMATS = ("jsonl", "csv", "wattbot", "erc")
_KINDS = {"number", "boolean", "name", "names", "text"}
_COLUMNS = ("id", "answer_id", "question", "value", "unit", "text", "refused", "confidence", "citations")


@dataclass(frozen=True, slots=True)
class Question:
    """One line of a question file."""

    id: str
    text: str
    documents: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    kind: str = ""
    unit: str = ""

    def query(self, library: Library) -> Query:
        """The question as a Query of a corpus: doc_ids and companies become filters honoured inside the index."""
        where: Where = ()
        if self.documents:
            where += (("document", self.documents),)
        if self.companies:
            where += library.company_filter(self.companies)
        kind = self.kind if self.kind in _KINDS else None
        return library.query(self.text, where, kind, "" if self.unit == wattbot.BLANK else self.unit)  # type: ignore[arg-type]


def read_questions(path: Path) -> list[Question]:
    """Questions from CSV (WattBot's columns: id, question, answer_unit) or JSONL (id, question, doc_ids, companies, ...).

    Raises UsageError that names the line when the file is missing, empty or malformed.
    """
    if not path.is_file():
        raise UsageError(f"no file of questions at {path}")
    rows = _csv_rows(path) if path.suffix.lower() == ".csv" else list(enumerate(read_lines(path), 1))
    questions = [_question(row, f"{path}, line {line}", line) for line, row in rows]
    if not questions:
        raise UsageError(f"{path} holds no question: CSV with id and question, or one JSON object a line")
    twice = {one.id for one in questions if sum(other.id == one.id for other in questions) > 1}
    if twice:
        raise UsageError(f"{path}: these ids stand on several lines: {', '.join(sorted(twice)[:5])}; ids must differ")
    return questions


def _csv_rows(path: Path) -> list[tuple[int, Mapping[str, Any]]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        if "question" not in (reader.fieldnames or ()):
            raise UsageError(f"{path} has no column `question`; its columns are {', '.join(reader.fieldnames or ())}")
        return list(enumerate(reader, 2))


def _question(row: Mapping[str, Any], place: str, line: int) -> Question:
    text = row.get("question") or row.get("text") or ""
    if not str(text).strip():
        raise UsageError(f"{place}: the question is empty")
    return Question(
        str(row.get("id") or line),
        str(text),
        tuple(map(str, row.get("doc_ids") or ())),
        tuple(map(str, row.get("companies") or ())),
        str(row.get("kind") or ""),
        str(row.get("answer_unit") or ""),
    )


def run(
    questions: Sequence[Question],
    library: Library,
    out: Path,
    form: str,
    tick: Callable[[int], None] = lambda done: None,
) -> list[dict[str, Any]]:
    """Answer every question and write `out` in one of FORMATS; returns the records.

    Answers are first kept in `out` + ".partial", from which a run over the same corpus goes on.
    """
    if form not in FORMATS:
        raise UsageError(f"--format must be one of {', '.join(FORMATS)}, not {form!r}")
    partial = out.with_name(out.name + ".partial")
    state = {"generation": library.corpus.generation.published, "recipe": library.spelling}
    done = _resume(partial, state)
    todo = iter([one for one in questions if one.id not in done])
    with partial.open("a", encoding="utf-8") as file:
        if not partial.stat().st_size:
            print(json.dumps(state), file=file, flush=True)
        tick(len(done))
        while some := list(islice(todo, AT_ONCE)):
            for made in _answered(some, library):
                done[made["id"]] = made
                print(json.dumps(made, ensure_ascii=False), file=file)
            file.flush()
            tick(len(done))
    records = [done[one.id] for one in questions]
    write(out, form, questions, records, library)
    partial.unlink()
    return records


def _resume(partial: Path, state: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The records of a killed run over the same corpus and recipe; a torn last line is dropped."""
    try:
        lines = partial.read_text(encoding="utf-8").split("\n")[:-1]
    except FileNotFoundError:
        return {}
    if not lines or json.loads(lines[0]) != state:
        partial.unlink()
        return {}
    partial.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return {made["id"]: made for made in map(json.loads, lines[1:])}


def _answered(some: Sequence[Question], library: Library) -> Iterator[dict[str, Any]]:
    answers = list(library.answer_many([one.query(library) for one in some]))
    for one, answer, identity in zip(some, answers, library.keep(answers), strict=True):
        yield record(answer, identity, one.id)


def write(
    out: Path, form: str, questions: Sequence[Question], records: Sequence[dict[str, Any]], library: Library
) -> None:
    """Write records in one of FORMATS."""
    pairs = list(zip(questions, records, strict=True))
    if form == "wattbot":
        urls = {document_name(one.id): one.meta.get("url", "") for one in library.corpus.documents}
        rows = [wattbot.submission_row(record_of(made), one.text, one.unit, urls, one.id) for one, made in pairs]
        wattbot.write_submission(out, rows)
    elif form == "erc":
        kinds = [(record_of(made), one.text, one.kind or _kind(made["value"])) for one, made in pairs]
        out.write_text(json.dumps(erc.submission(kinds), ensure_ascii=False, indent=2), encoding="utf-8")
    elif form == "csv":
        with out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, _COLUMNS, extrasaction="ignore")
            writer.writeheader()
            writer.writerows({**made, "citations": _places(made), "value": _plain(made["value"])} for made in records)
    else:
        out.write_text("".join(json.dumps(made, ensure_ascii=False) + "\n" for made in records), encoding="utf-8")


def _places(made: Mapping[str, Any]) -> str:
    return "; ".join(f"{one['document']} p. {one['page']}" for one in made["citations"])


def _plain(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "names" if isinstance(value, list) else "name"
