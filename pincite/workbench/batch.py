"""Many questions from a file, answered in order; a killed run resumes where it stopped.

With a model, many are answered at once. A question for which no model could be reached has failed: the file lists it as
unanswered, and the next run asks it again.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, get_args

from pincite.errors import BudgetSpent, ModelError, PinciteError, UsageError
from pincite.formats.spreadsheet import write_records
from pincite.models import loop
from pincite.question.understanding import accepted
from pincite.records.answer_record import record
from pincite.records.runfile import (
    document_name,
    read_lines,
    read_table,
    record_of,
    refuse_repeated,
)
from pincite.search.filters import company_filter
from pincite.storage.disk import whole
from pincite.storage.disk import write as write_file
from pincite.storage.ledger import Spend, about, metered
from pincite.types import Answer, Expects, Query, Where
from pincite.workbench import submissions
from pincite.workbench.library import AT_ONCE, Library, run_name

FORMATS = ("jsonl", "csv", "wattbot", "erc")
_KINDS: tuple[str, ...] = get_args(Expects)
COSTS = ".costs.jsonl"
"""The suffix of the file beside the answers that records what each question took, and which failed and why."""
BEYOND = 4
"""Questions under way beyond the requests that are sent at once: they search and check meanwhile."""
PLACES = 1
"""Questions that are worked on at the same time while the others wait for a model: more would only slow each other down."""
GIVEN_UP = 20
"""Failures in a row after which a run stops: the endpoint is down, or refuses everything."""
_COLUMNS = ("id", "answer_id", "question", "value", "unit", "text", "refused", "confidence", "citations")  # fmt: skip


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """One line of a question file."""

    id: str
    text: str
    documents: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    kind: str = ""
    unit: str = ""
    as_of: str = ""
    where: Where = ()
    corrections: Literal["use", "ignore"] = "use"

    def query(self, library: Library) -> Query:
        """The question as a Query of a corpus: doc_ids and companies become filters honoured inside the index, too."""
        where: Where = ()
        if self.documents:
            where += (("document", self.documents),)
        if self.companies:
            where += company_filter(library.corpus, self.companies)
        where += self.where
        kind = self.kind if self.kind in _KINDS else None
        unit = "" if self.unit == submissions.BLANK else self.unit
        query = library.query(self.text, where, kind, unit, self.as_of)  # type: ignore[arg-type]
        return replace(query, corrections=self.corrections)


def read_questions(path: Path) -> list[QuestionLine]:
    """Questions from CSV (WattBot's columns: id, question, answer_unit) or JSONL (id, question, doc_ids, companies, where, as_of,
    ...). Raises UsageError that names the line when the file is missing, empty or malformed.
    """
    if not path.is_file():
        raise UsageError(f"no file of questions at {path}")
    is_table = path.suffix.lower() == ".csv"
    rows: Sequence[Mapping[str, Any]]
    rows = read_table(path, ("question",)) if is_table else read_lines(path)
    numbered = enumerate(rows, 2 if is_table else 1)
    questions = [_question(row, f"{path}, line {line}", line) for line, row in numbered]
    if not questions:
        raise UsageError(
            f"{path} holds no question: CSV with id and question, or one JSON object a line"
        )
    refuse_repeated((question.id for question in questions), path)
    return questions


def _question(row: Mapping[str, Any], place: str, line: int) -> QuestionLine:
    def text(name: str) -> str:
        return str(row.get(name) or "")

    question = text("question") or text("text")
    accepted(question, f"{place}: ")
    documents, companies = (
        tuple(map(str, row.get(name) or ())) for name in ("doc_ids", "companies")
    )
    where, kind, unit = _where(row.get("where") or {}, place), text("kind"), text("answer_unit")
    corrections: Literal["use", "ignore"] = "ignore" if text("corrections") == "ignore" else "use"
    return QuestionLine(
        text("id") or str(line), question, documents, companies, kind, unit, text("as_of"), where, corrections,
    )  # fmt: skip


def _where(given: Any, place: str) -> Where:
    """A filter as it stands in a line: fields of the metadata, each with the values that it may have."""
    if not isinstance(given, dict):
        raise UsageError(
            f'{place}: where: fields with their values are needed, as in {{"year": ["2023"]}}'
        )
    several = {name: held if isinstance(held, list) else [held] for name, held in given.items()}
    return tuple((str(name), tuple(map(str, values))) for name, values in several.items())


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """What a run made: a record for each question, in order, and why some failed by their ids."""

    records: list[dict[str, Any]]
    failed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Done:
    """A question with its answer, or what failed; and what it took."""

    question: QuestionLine
    query: Query
    answer: Answer | None
    failure: PinciteError | None = None
    spend: Spend = Spend()
    seconds: float = 0.0


def run(
    questions: Sequence[QuestionLine],
    library: Library,
    out: Path,
    form: str,
    tick: Callable[[int, Decimal], None] = lambda done, cost: None,
    answers: Answers | None = None,
) -> BatchSummary:
    """Answer every question and write `out` in one of FORMATS. `tick` is told how many are answered and what that cost;
    `answers` answers them, by default `answer_all`.

    Answers are first kept in `out` + ".partial", from which a run over the same corpus goes on; it stays until no question
    has failed. With a model, `out` + COSTS tells what each question took. Raises BudgetSpent and, when nothing but failures
    comes, ModelError: then `out` is not written, and what was answered is kept.
    """
    if form not in FORMATS:
        raise UsageError(f"--format must be one of {', '.join(FORMATS)}, not {form!r}")
    partial = out.with_name(out.name + ".partial")
    answered, state = _resume(partial, _state(library, run_name(out.name)))
    done = {question.id: made for question in questions if (made := answered.get(_key(question)))}
    asked = [
        (question, question.query(library)) for question in questions if question.id not in done
    ]
    failed: dict[str, str] = {}
    cost = Decimal(0)
    tick(len(done), cost)
    try:
        with (
            partial.open("a", encoding="utf-8") as file,
            _costs(out, library, fresh=not answered) as costs,
        ):
            if not partial.stat().st_size:
                print(json.dumps(state), file=file, flush=True)
            for some in (answers or answer_all)(asked, library, state["run"]):
                identities = iter(library.keep([each.answer for each in some if each.answer]))
                for finished in some:
                    cost += finished.spend.cost
                    question, answer = finished.question, finished.answer
                    if answer is not None:
                        done[question.id] = record(answer, next(identities), question.id)
                        line = {"asked": _key(question), "made": done[question.id]}
                        print(json.dumps(line, ensure_ascii=False), file=file)
                    else:
                        failed[question.id] = str(finished.failure)
                    costs(finished)
                file.flush()
                tick(len(done), cost)
    except ModelError as error:
        raise type(error)(
            f"{error}. {len(done)} of {len(questions)} questions are answered and kept in {partial.name}: the same command "
            "goes on from there"
        ) from error
    for question, query in asked:
        if question.id in failed:
            unanswered = Answer(query, "", None, reason=f"not answered: {failed[question.id]}")
            done[question.id] = record(unanswered, "", question.id)
    records = [done[question.id] for question in questions]
    write(out, form, questions, records, library)
    if not failed:
        partial.unlink()
    return BatchSummary(records, failed)


def answered_before(questions: Sequence[QuestionLine], library: Library, out: Path) -> set[str]:
    """The ids of the questions that a run into `out` need not ask any more."""
    answered, _ = _resume(out.with_name(out.name + ".partial"), _state(library), look=True)
    return {question.id for question in questions if _key(question) in answered}


def _state(library: Library, run: str = "") -> dict[str, str]:
    """What a run depends on, and its name."""
    generation = library.corpus.generation.identity
    return {"generation": generation, "recipe": library.spelling, "run": run}


def _resume(
    partial: Path, state: dict[str, str], look: bool = False
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """The records of a killed run over the same corpus and recipe by what was asked, and its state; a torn last line is dropped.
    A file of another state is removed, unless this is only to `look`.
    """
    try:
        lines = partial.read_text(encoding="utf-8").split("\n")[:-1]
    except FileNotFoundError:
        return {}, state
    before = json.loads(lines[0]) if lines else {}
    if {**before, "run": ""} != {**state, "run": ""}:
        if not look:
            partial.unlink()
        return {}, state
    if not look:
        write_file(partial, "".join(line + "\n" for line in lines))
    rows = [row for row in map(json.loads, lines[1:]) if "asked" in row]
    return {row["asked"]: row["made"] for row in rows}, state | before


def _key(question: QuestionLine) -> str:
    """All that is asked, filters too: an answer kept is that of the same question only."""
    return json.dumps(asdict(question), ensure_ascii=False)


Asked = tuple[QuestionLine, Query]
Answers = Callable[[Sequence[Asked], Library, str], Iterator[Sequence[Done]]]
"""What answers questions of a library under the name of a run, as they are done."""


def answer_all(asked: Sequence[Asked], library: Library, run: str) -> Iterator[Sequence[Done]]:
    """The questions as they are done: without a model in order and in batches, which share their searches."""
    if library.kit.large is not None:
        yield from _at_once(asked, library, run)
        return
    for first in range(0, len(asked), AT_ONCE):
        some = asked[first : first + AT_ONCE]
        yield paired(some, library.answer_many([query for _, query in some]))


def paired(asked: Sequence[Asked], answers: Iterable[Answer]) -> list[Done]:
    """Questions with their answers."""
    return [Done(*each, answer) for each, answer in zip(asked, answers, strict=True)]


def _at_once(asked: Sequence[Asked], library: Library, run: str) -> Iterator[Sequence[Done]]:
    """Answer with a model, many at once, in the order in which they end. When the money is spent no other question begins, those
    under way end as they can, and BudgetSpent is raised.
    """
    spent: BudgetSpent | None = None
    failures = 0
    places = threading.Semaphore(PLACES)
    with ThreadPoolExecutor(library.settings.models.concurrency + BEYOND) as pool:
        futures = [
            pool.submit(copy_context().run, _one, question, query, library, run, places)
            for question, query in asked
        ]
        try:
            for future in as_completed(futures):
                if future.cancelled():
                    continue
                done = future.result()
                if isinstance(done.failure, BudgetSpent):
                    spent = done.failure
                    for waiting in futures:
                        waiting.cancel()
                    continue
                yield [done]
                failures = failures + 1 if done.failure else 0
                if done.failure and failures >= GIVEN_UP:
                    raise type(done.failure)(
                        f"given up after {failures} failures in a row; the last: {done.failure}"
                    )
        except BaseException:  # no question begins, and the requests of those under way are cancelled until they have ended
            for future in futures:
                future.cancel()
            while wait(futures, timeout=0.1).not_done:
                loop.cancel()
            raise
    if spent is not None:
        raise spent


def _one(
    question: QuestionLine, query: Query, library: Library, run: str, places: threading.Semaphore
) -> Done:
    started = time.perf_counter()
    answer, failure = None, None
    with loop.working(places), about(question=question.id, run=run), metered() as meter:
        try:
            answer = library.answer(query)
        except ModelError as error:
            failure = error
    return Done(question, query, answer, failure, meter.total, time.perf_counter() - started)


@contextmanager
def _costs(out: Path, library: Library, fresh: bool) -> Iterator[Callable[[Done], None]]:
    """A recorder of what each question took, in the file beside `out`; it records nothing without a model."""
    if library.kit.large is None:
        yield lambda done: None
        return
    with out.with_name(out.name + COSTS).open("w" if fresh else "a", encoding="utf-8") as file:

        def put(done: Done) -> None:
            spend, usage = done.spend, done.spend.usage
            told: dict[str, Any] = {
                "id": done.question.id, "seconds": round(done.seconds, 3), "requests": spend.requests,
                "input": usage.input, "output": usage.output, "cached": usage.cached, "cost": str(spend.cost),
            }  # fmt: skip
            if done.failure is not None:
                told |= {"failed": True, "reason": str(done.failure)}
            print(json.dumps(told, ensure_ascii=False), file=file, flush=True)

        yield put


def write(
    out: Path,
    form: str,
    questions: Sequence[QuestionLine],
    records: Sequence[dict[str, Any]],
    library: Library,
) -> None:
    """Write records in one of FORMATS."""
    # the published forms hold no tables: those are written in words
    worded = [
        {**made, "value": made["text"]} if isinstance(made["value"], dict) else made
        for made in records
    ]
    asked = zip(questions, map(record_of, worded), strict=True)
    if form == "wattbot":
        documents = library.corpus.documents
        urls = {document_name(each.id): each.meta.get("url", "") for each in documents}
        rows = (
            submissions.wattbot_row(made, each.text, each.unit, urls, each.id)
            for each, made in asked
        )
        submissions.write_wattbot(out, rows)
    elif form == "erc":
        kinds = ((made, each.text, each.kind or _kind(made.value)) for each, made in asked)
        told = submissions.erc_submission(kinds)
        write_file(out, json.dumps(told, ensure_ascii=False, indent=2))
    elif form == "csv":
        with whole(out) as half, half.open("w", encoding="utf-8", newline="") as file:
            write_records(file, _COLUMNS, map(_csv_row, records))
    else:
        write_file(out, "".join(json.dumps(made, ensure_ascii=False) + "\n" for made in records))


def _csv_row(made: Mapping[str, Any]) -> dict[str, Any]:
    """A record with its citations in words, and a value that is several or a table as JSON."""
    value = made["value"]
    if isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False)
    places = (f"{each['document']} {_place(each)}".rstrip() for each in made["citations"])
    return {**made, "citations": "; ".join(places), "value": value}


def _place(citation: Mapping[str, Any]) -> str:
    """Where in its document: the page, of a database the keys of the rows."""
    if citation["page"] or "rows" not in citation:
        return f"p. {citation['page']}"
    keys = [", ".join(map(str, key)) for key in citation["rows"]]
    return f"{'row' if len(keys) == 1 else 'rows'} {' | '.join(keys)}" if keys else ""


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "names" if isinstance(value, list) else "name"
