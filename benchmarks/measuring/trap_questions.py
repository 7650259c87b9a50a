"""Trap questions over small databases and sheets: how often an answer falls in, and how often it is right."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measurement import ReportedFigure, Work, lines
from benchmarks.measuring.own_questions import QUESTIONS
from benchmarks.questions.traps.build import build
from benchmarks.questions.traps.score import outcome
from pincite.lab.scoring.evaluation import figure
from pincite.records.runfile import read_lines

TRAPS = QUESTIONS / "traps"
DATABASES = (".sqlite", ".db", ".duckdb")


def measure_traps(work: Work) -> list[ReportedFigure]:
    """Every question put to its own source alone: right, fallen into and shown, wrong otherwise, or refused."""
    sources = work.folder / "sources"
    if not sources.is_dir():
        build(sources)
    asked = read_lines(TRAPS / "questions.jsonl")[: work.limit]
    came: list[tuple[dict[str, Any], str]] = []
    for name in dict.fromkeys(row["source"] for row in asked):
        own = [row for row in asked if row["source"] == name]
        part = replace(work, folder=work.folder / name)
        path = sources / name
        is_database = path.suffix in DATABASES
        system.index(
            () if is_database else path, part.corpus, database=path if is_database else None
        )
        told = system.records([row["question"] for row in own], part.corpus, part.out("records"))
        came += [
            (row, outcome(row["gold"], shown, row["trap"]))
            for row, shown in zip(own, told, strict=True)
        ]
    made = []
    for label, control in (("traps", False), ("controls", True)):
        some = [said for row, said in came if bool(row.get("control")) is control]
        ours = [
            figure(said, [each == said for each in some])
            for said in ("right", "trap", "wrong", "refused")
        ]
        made += lines(label, ours, ("N/A to all", [figure("refused", [1.0])]))
    return made
