"""The project's own questions over documents that lie beside it: of what is shown how much is right, and what is refused.

All documents of a half are one corpus, and no question names its file. The halves share no document: rules are made by looking
at the first; the second is counted only, and each look at it is a row of benchmarks/looks.csv.
"""

from __future__ import annotations

import csv
import datetime
import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.measuring import answer_key as answerkey
from benchmarks.measuring import measured_system as system
from benchmarks.measuring.checkout import ROOT, commit
from benchmarks.measuring.drawn_figures import calibration_figures
from benchmarks.measuring.measurement import ReportedFigure, Work, lines
from pincite.formats.spreadsheet import write_records
from pincite.lab.scoring.evaluation import figure
from pincite.records.runfile import Record, read_lines, write_lines
from pincite.settings import Settings, load

BENCHMARKS = ROOT / "benchmarks"
QUESTIONS = BENCHMARKS / "questions"
LOOKS = BENCHMARKS / "looks.csv"
UNSEEN = "reports-unseen"


def measure_reports(work: Work) -> list[ReportedFigure]:
    """A half's questions over its documents, and questions about other things over the same."""
    half = work.name.rpartition("-")[2]
    system.index(documents(work, half), work.corpus)
    rows = read_lines(QUESTIONS / f"reports_{half}.jsonl")[: work.limit]
    records = answers(work, rows, "answers")
    judged = {str(row["id"]): answerkey.right(records.get(str(row["id"])), row) for row in rows}
    made = shown_lines("questions of our own", records, rows, judged)
    best = candidates(records)
    guessed = {str(row["id"]): answerkey.right(best.get(str(row["id"])), row) for row in rows}
    made += calibration_lines("questions of our own", best, guessed)
    others = [
        {**row, "answer": None, "kind": "other"}
        for row in read_lines(QUESTIONS / "other_things.jsonl")
    ]
    strange = answers(work, others[: work.limit], "other")
    shown = [record.value is not None for record in strange.values()]
    made += lines(
        "questions about other things",
        [figure("shown as answers", shown)],
        ("N/A to all", [figure("shown as answers", [0.0])]),
    )
    if work.name == UNSEEN and work.limit is None:
        looked(work.name, made)
    return made


def measure_databases(work: Work) -> list[ReportedFigure]:
    """Free-worded questions over three invented databases, each a corpus of its own, by the value that is shown.

    Rules may be made by looking at the seen ones; a look at the others is noted.
    """
    rows = read_lines(QUESTIONS / f"{work.name.replace('-', '_')}.jsonl")[: work.limit]
    golds: dict[str, list[answerkey.Rows]] = {}
    records: dict[str, Record] = {}
    for name in dict.fromkeys(row["database"] for row in rows):
        own = [row for row in rows if row["database"] == name]
        made = replace(work, folder=work.folder / name)
        database = _database(name, made.folder)
        with closing(sqlite3.connect(database)) as connection:
            for row in own:
                golds[row["id"]] = [
                    connection.execute(text).fetchall() for text in row["gold"] or ()
                ]
        system.index((), made.corpus, database=database)
        records |= answers(made, own, "answers", load())
    right = {
        key: answerkey.right_rows(records.get(key), accepted) for key, accepted in golds.items()
    }
    made_lines = shown_lines("free words over databases", records, rows, right)
    best = candidates(records)
    guessed = {
        key: answerkey.right_rows(best.get(key), accepted) for key, accepted in golds.items()
    }
    made_lines += calibration_lines("free words over databases", best, guessed)
    if work.name == "databases" and work.limit is None:
        looked(work.name, made_lines)
    return made_lines


def _database(name: str, folder: Path) -> Path:
    """The invented database of a name as a file, written anew."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.sqlite"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            (QUESTIONS / "databases" / f"{name}.sql").read_text(encoding="utf-8")
        )
    return path


def documents(work: Work, half: str) -> tuple[Path, ...]:
    """The documents of a half, as they are listed in benchmarks/questions/documents.json."""
    patterns = json.loads((QUESTIONS / "documents.json").read_text(encoding="utf-8"))[half]
    return tuple(path for pattern in patterns for path in sorted(work.data.glob(pattern)))


def answers(
    work: Work, rows: Sequence[Mapping[str, Any]], name: str, settings: Settings | None = None
) -> dict[str, Record]:
    """The answers to rows by id; of each only its number and the question are given."""
    path = work.out(f"questions-{name}").with_suffix(".jsonl")
    write_lines(path, [{"id": str(row["id"]), "question": row["question"]} for row in rows])
    return system.answers(work.corpus, path, work.out(name), settings or work.settings())


def shown_lines(
    of: str,
    records: Mapping[str, Record],
    rows: Sequence[Mapping[str, Any]],
    right: Mapping[str, bool],
) -> list[ReportedFigure]:
    """Right of the shown, right of the answerable, refused of the unanswerable; and right by kind."""
    judged = [(row, records[str(row["id"])]) for row in rows if str(row["id"]) in records]
    answerable = [(row, record) for row, record in judged if _has_answer(row)]
    shown = [right[str(row["id"])] for row, record in judged if record.value is not None]
    silent = [record for row, record in judged if not _has_answer(row)]
    ours = [
        figure("right of the shown", shown),
        figure("right", [right[str(row["id"])] for row, _ in answerable]),
        figure("refused", [record.value is None for record in silent]),
    ]
    made = lines(of, ours, ("N/A to all", [figure("right", [0.0]), figure("refused", [1.0])]))
    for kind in dict.fromkeys(row["kind"] for row, _ in answerable):
        own = [right[str(row["id"])] for row, _ in answerable if row["kind"] == kind]
        made += lines(f"{of}, {kind}", [figure("right", own)])
    return made


def candidates(records: Mapping[str, Record]) -> dict[str, Record]:
    """Of the records that have one, the best candidate as if it were shown."""
    return {
        key: replace(record, value=record.candidate)
        for key, record in records.items()
        if record.candidate is not None
    }


def calibration_lines(
    of: str, best: Mapping[str, Record], right: Mapping[str, bool]
) -> list[ReportedFigure]:
    """Whether confidences are worth their name, over the best candidate of every question that has one, shown or not.

    Where documents or rows hold no answer, no candidate is right.
    """
    ours = calibration_figures(
        [best[key].confidence for key in best], [right[key] for key in best]
    )
    return lines(f"{of}, best candidates, shown or not", ours)


def _has_answer(row: Mapping[str, Any]) -> bool:
    """Whether the documents, or the database, of a row hold an answer."""
    return row.get("answer", row.get("gold")) is not None


def looked(name: str, made: Sequence[ReportedFigure]) -> None:
    """Note that questions were looked at that only count: the date, the commit and the totals."""
    totals = "; ".join(
        f"{each.of}: {each.figure.metric} {each.figure.value:.3f} of {each.figure.n}"
        for each in made
        if ", " not in each.of
    )
    before: list[dict[str, str]] = []
    if LOOKS.exists():
        with LOOKS.open(encoding="utf-8", newline="") as file:
            before = list(csv.DictReader(file))
    look = {
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
        "set": name,
        "totals": totals,
    }
    with LOOKS.open("w", encoding="utf-8", newline="") as file:
        write_records(file, list(look), [*before, look])
