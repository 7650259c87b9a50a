"""The process of one job: an order as JSON on its input, a line of JSON for each report. A separate process does not slow down
other answers, can be stopped at any time, and resumes from what is kept when the same job is started again.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import PinciteError
from pincite.indexing.workforce import IndexingProgress
from pincite.ports import Progress
from pincite.serve.corpora import AnswerSetup
from pincite.storage.disk import disk_error

WAIT_S = 3600.0
"""Seconds for which a job waits for another writer of its corpus, on this server or on another."""
EVERY_S = 0.2  # the shortest time between two reports of progress


@dataclass(frozen=True, slots=True)
class Work:
    """What a job is to do in the corpus of a folder; `out` is the folder for what it makes, `tell` hears how far it is."""

    folder: Path
    order: dict[str, Any]
    out: Path
    tell: IndexingProgress
    setup: AnswerSetup


class QuestionsDone:
    """Tells how many questions of a job are answered, and meanwhile how far a model is with the next."""

    def __init__(self, tell: IndexingProgress, total: int = 0) -> None:
        self._tell, self._done, self._total = tell, 0, total

    def count(self, done: int, total: int, note: str) -> None:
        """So many are answered."""
        self._done, self._total = done, total
        self._tell("answer", done, total, note)

    def hear(self, progress: Progress) -> None:
        """A model is so far."""
        if self._total:
            self._tell("answer", self._done, self._total, str(progress))


def index(work: Work) -> dict[str, Any]:
    """Index files that are there already; `paths` are theirs."""
    from pincite.indexing import Wanted
    from pincite.serve.uploads import DATABASES
    from pincite.workbench.library import index as run

    given, setup = [Path(path) for path in work.order["paths"]], work.setup
    databases = [path for path in given if path.suffix.lower() in DATABASES]
    made = run(
        [path for path in given if path not in databases], work.folder,
        databases=[Wanted(str(path)) for path in databases], progress=work.tell, recipe=setup.recipe,
        stand_ins=setup.stand_ins, row_limit=setup.settings.row_limit, ocr_settings=setup.settings.ocr_settings,
        wait=WAIT_S,
    )  # fmt: skip
    problems = [
        {"document": problem.document, "status": problem.status, "reason": problem.reason}
        for problem in made.problems
    ]
    return {
        "indexed": made.parsed, "unchanged": made.unchanged, "pages": made.pages, "tables": made.tables,
        "rows": sum(relation.rows for relation in made.relations),
        "generation": made.generation, "seconds": round(made.seconds, 2), "problems": problems, "error": made.failure,
    }  # fmt: skip


def remove(work: Work) -> dict[str, Any]:
    """Take documents out of the corpus, and the copies that were uploaded."""
    from pincite.indexing.removing import remove as leave
    from pincite.serve.uploads import forget

    shelves = work.setup.shelves(work.folder)
    left = leave(work.order["documents"], work.folder, shelves, work.tell, WAIT_S)
    forget(work.folder, [Path(file.path) for file in left])
    return {"removed": [file.document for file in left]}


def edit(work: Work) -> dict[str, Any]:
    """Edit what is known of a document."""
    from pincite.indexing.removing import edit as write

    document, changes = work.order["document"], work.order["changes"]
    write(document, changes, work.folder, work.setup.shelves(work.folder), work.tell, WAIT_S)
    return {"edited": document, **changes}


def batch(work: Work) -> dict[str, Any]:
    """Answer many questions into a file of one record a line."""
    from pincite.serve.processes.job_questions import JobQuestions
    from pincite.serve.rest.rest_forms import filters
    from pincite.workbench.batch import QuestionLine, run

    questions = []
    for row in work.order["questions"]:
        lists = {name: tuple(row[name]) for name in ("documents", "companies")}
        questions.append(QuestionLine(**row | lists | {"where": filters(row["where"])}))
    library, said = work.setup.library(work.folder), QuestionsDone(work.tell, len(questions))

    def tick(done: int, cost: Any) -> None:
        said.count(done, len(questions), f"cost {cost:.4f}" if cost else "")

    with JobQuestions(progress=said.hear) as answers:
        made = run(questions, library, work.out / "answers.jsonl", "jsonl", tick, answers)
    refused = sum(record["refused"] for record in made.records) - len(made.failed)
    counts = {"questions": len(made.records), "refused": refused, "failed": dict(made.failed)}
    return {**counts, "file": "answers.jsonl"}


def grid(work: Work) -> dict[str, Any]:
    """Fill a grid, from its spec or from the file that holds it."""
    from pincite.serve.processes.job_questions import JobQuestions
    from pincite.serve.uploads import safe_name
    from pincite.workbench.grid import GridProgress, fill, read_spec, spec_from

    if "content" in work.order:
        path = work.out / safe_name(work.order["name"])
        path.write_bytes(base64.b64decode(work.order["content"]))
        spec = read_spec(path)
    else:
        spec = spec_from(work.order["spec"])
    library, said = work.setup.library(work.folder), QuestionsDone(work.tell)

    def tick(filled: GridProgress) -> None:
        said.count(filled.done, filled.total, f"{filled.row}, {filled.column}")

    with JobQuestions(progress=said.hear) as answers:
        made = fill(spec, library, tick, answers=answers)
    counts: dict[str, int] = {status: count for status, count in made.counts.items()}
    cells = sum(map(len, made.cells))
    return {"grid": made.id, "cells": cells, "answered": made.answered, **counts}


def model(work: Work) -> dict[str, Any]:
    """Bring the file of a model that runs on this machine."""
    from pincite.models.local.getting import get
    from pincite.models.local.weights import weights

    def tell(what: str, done: float, total: float) -> None:
        work.tell(what, done, total, f"{done / 1e6:,.0f} of {total / 1e6:,.0f} MB")

    found = weights(work.order["model"])
    get(found, tell)
    return {"model": found.name}


KINDS: dict[str, Callable[[Work], dict[str, Any]]] = {
    "index": index, "remove": remove, "edit": edit, "batch": batch, "grid": grid, "model": model,
}  # fmt: skip


def main() -> None:
    """Do what the order on standard input says."""
    # whatever else prints must not stand between the lines
    tube, sys.stdout = sys.stdout, sys.stderr
    told = 0.0

    def say(**what: Any) -> None:
        print(json.dumps(what, ensure_ascii=True), file=tube, flush=True)  # noqa: T201

    files: dict[str, dict[str, Any]] = {}

    def tell(what: str, done: float, total: float, note: str = "") -> None:
        nonlocal told
        if what == "page":
            files[note] = {"pages": int(done), "read": done == total}
        elif done >= total or time.monotonic() - told >= EVERY_S:
            told = time.monotonic()
            say(phase=what, done=done, total=total, note=note, files=files)

    given = json.loads(sys.stdin.readline())
    os.nice(5)
    try:
        # of the server that started this process
        setup: AnswerSetup = pickle.loads(base64.b64decode(given["setup"]))
        work = Work(Path(given["folder"]), given["order"], Path(given["out"]), tell, setup)
        made = KINDS[given["kind"]](work)
    except Exception as error:
        failed = error if isinstance(error, PinciteError) else disk_error(error, given["folder"])
        if failed is None:
            raise
        say(error=str(failed))
    else:
        failure = made.pop("error", "")
        say(result=made)
        if failure:
            say(error=failure)


if __name__ == "__main__":
    main()
