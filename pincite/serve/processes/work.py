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
from pathlib import Path
from typing import Any

from pincite.disk import disk_error
from pincite.errors import PinciteError
from pincite.indexing.progress import IndexingProgress
from pincite.ports import Progress
from pincite.serve.corpora import AnswerSetup

WAIT_S = 3600.0
"""Seconds for which a job waits for another writer of its corpus, on this server or on another."""
EVERY_S = 0.2
"""The shortest time between two reports of progress."""


def index(
    folder: Path, order: dict[str, Any], out: Path, tell: IndexingProgress, setup: AnswerSetup
) -> dict[str, Any]:
    """Index files that are there already; `paths` are theirs."""
    from pincite.indexing import Wanted
    from pincite.library import index as run
    from pincite.serve.uploads import DATABASES

    given = [Path(path) for path in order["paths"]]
    databases = [path for path in given if path.suffix.lower() in DATABASES]
    made = run(
        [path for path in given if path not in databases],
        folder,
        databases=[Wanted(str(path)) for path in databases],
        progress=tell,
        recipe=setup.recipe,
        stand_ins=setup.stand_ins,
        row_limit=setup.settings.row_limit,
        ocr_settings=setup.settings.ocr_settings,
        wait=WAIT_S,
    )
    problems = [
        {"document": problem.document, "status": problem.status, "reason": problem.reason}
        for problem in made.problems
    ]
    return {
        "indexed": made.parsed, "unchanged": made.unchanged, "pages": made.pages, "tables": made.tables,
        "rows": sum(relation.rows for relation in made.relations),
        "generation": made.generation, "seconds": round(made.seconds, 2), "problems": problems, "error": made.failure,
    }  # fmt: skip


def remove(
    folder: Path, order: dict[str, Any], out: Path, tell: IndexingProgress, setup: AnswerSetup
) -> dict[str, Any]:
    """Take documents out of the corpus, and the copies that were uploaded."""
    from pincite.indexing.removing import remove as leave
    from pincite.serve.uploads import forget

    left = leave(order["documents"], folder, setup.shelves(folder), tell, WAIT_S)
    forget(folder, [Path(file.path) for file in left])
    return {"removed": [file.document for file in left]}


def edit(
    folder: Path, order: dict[str, Any], out: Path, tell: IndexingProgress, setup: AnswerSetup
) -> dict[str, Any]:
    """Edit what is known of a document."""
    from pincite.indexing.editing import edit as write

    write(order["document"], order["changes"], folder, setup.shelves(folder), tell, WAIT_S)
    return {"edited": order["document"], **order["changes"]}


def batch(
    folder: Path, order: dict[str, Any], out: Path, tell: IndexingProgress, setup: AnswerSetup
) -> dict[str, Any]:
    """Answer many questions into a file of one record a line."""
    from pincite.serve.processes.job_questions import JobQuestions
    from pincite.serve.rest.rest_forms import filters
    from pincite.workbench.batch import QuestionLine, run

    lists = "documents", "companies"
    questions = [
        QuestionLine(
            **row | {name: tuple(row[name]) for name in lists} | {"where": filters(row["where"])}
        )
        for row in order["questions"]
    ]
    library = setup.library(folder)

    so_far = 0

    def tick(done: int, cost: Any) -> None:
        nonlocal so_far
        so_far = done
        tell("answer", done, len(questions), f"cost {cost:.4f}" if cost else "")

    def reading(progress: Progress) -> None:
        tell("answer", so_far, len(questions), str(progress))

    with JobQuestions(progress=reading) as answers:
        made = run(questions, library, out / "answers.jsonl", "jsonl", tick, answers)
    refused = sum(record["refused"] for record in made.records) - len(made.failed)
    return {
        "questions": len(made.records),
        "refused": refused,
        "failed": dict(made.failed),
        "file": "answers.jsonl",
    }


def grid(
    folder: Path, order: dict[str, Any], out: Path, tell: IndexingProgress, setup: AnswerSetup
) -> dict[str, Any]:
    """Fill a grid, from its spec or from the file that holds it."""
    from pincite.serve.processes.job_questions import JobQuestions
    from pincite.serve.uploads import safe_name
    from pincite.workbench.grid import GridProgress, fill, read_spec, spec_from

    if "content" in order:
        path = out / safe_name(order["name"])
        path.write_bytes(base64.b64decode(order["content"]))
        spec = read_spec(path)
    else:
        spec = spec_from(order["spec"])
    library = setup.library(folder)
    so_far = 0, 0

    def tick(filled: GridProgress) -> None:
        nonlocal so_far
        so_far = filled.done, filled.total
        tell("answer", *so_far, f"{filled.row}, {filled.column}")

    def reading(progress: Progress) -> None:
        if so_far[1]:
            tell("answer", *so_far, str(progress))

    with JobQuestions(progress=reading) as answers:
        made = fill(spec, library, tick, answers=answers)
    counts: dict[str, int] = {status: made.counts[status] for status in made.counts}
    return {
        "grid": made.id,
        "cells": sum(map(len, made.cells)),
        "answered": made.answered,
        **counts,
    }


def model(
    folder: Path, order: dict[str, Any], out: Path, tell: IndexingProgress, setup: AnswerSetup
) -> dict[str, Any]:
    """Bring the file of a model that runs on this machine."""
    from pincite.models.local.getting import get
    from pincite.models.local.weights import weights

    found = weights(order["model"])
    get(found, lambda what, done, total: tell(what, done, total, f"{done / 1e6:,.0f} of {total / 1e6:,.0f} MB"))  # fmt: skip
    return {"model": found.name}


KINDS: dict[str, Callable[[Path, dict[str, Any], Path, IndexingProgress, AnswerSetup], dict[str, Any]]] = {
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

    order = json.loads(sys.stdin.readline())
    os.nice(5)
    try:
        # of the server that started this process
        setup: AnswerSetup = pickle.loads(base64.b64decode(order["setup"]))
        made = KINDS[order["kind"]](
            Path(order["folder"]), order["order"], Path(order["out"]), tell, setup
        )
    except Exception as error:
        told_of = error if isinstance(error, PinciteError) else disk_error(error, order["folder"])
        if told_of is None:
            raise
        say(error=str(told_of))
    else:
        failure = made.pop("error", "")
        say(result=made)
        if failure:
            say(error=failure)


if __name__ == "__main__":
    main()
