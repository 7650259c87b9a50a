"""Which tables of a large schema a question needs, found from the names of tables and columns alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measurement import ReportedFigure, Work, lines
from pincite.database.relations.model import Column, Database, Relation
from pincite.lab.scoring import retrieval_metrics as metrics
from pincite.lab.scoring.evaluation import Figure, figure
from pincite.records.runfile import read_lines

NAMES = ("R@5", "R@10", "R@20", "Success@1")


def measure_beaver(work: Work) -> list[ReportedFigure]:
    """Recall of the needed tables, with the built-in encoder and without one, beside chance."""
    asked = read_lines(work.source / "questions.jsonl")[: work.limit]
    tables = json.loads((work.source / "tables.json").read_text(encoding="utf-8"))
    database = Database(
        "schema", tuple(relation_of(name, table) for name, table in tables.items())
    )
    gold = [dict.fromkeys(row["gold_tables"], 1) for row in asked]
    questions = [" ".join(str(row["question"]).split()) for row in asked]
    chance = [
        Figure(name, share(name, len(tables)), 0, 0, 0) for name in NAMES if name.startswith("R@")
    ]
    found = []
    for label, encoded in (("words, phrases and links", True), ("words and links", False)):
        ranked = system.relations_found(questions, database, encoded=encoded)
        found += lines(
            f"tables a question needs, {label}", scored(ranked, gold), ("chance", chance)
        )
    return found


def relation_of(name: str, table: Mapping[str, Any]) -> Relation:
    """A table as the schema file lists it: names of columns, no rows, no links."""
    return Relation(name.rsplit("#", 1)[-1], tuple(map(Column, table["column_names_original"])))


def scored(ranked: Sequence[Sequence[str]], gold: Sequence[Mapping[str, int]]) -> list[Figure]:
    """The metrics of `NAMES` over questions."""
    wanted = [
        {name.rsplit("#", 1)[-1]: grade for name, grade in grades.items()} for grades in gold
    ]
    return [
        figure(
            name, [metrics.score(name, r, g) or 0.0 for r, g in zip(ranked, wanted, strict=True)]
        )
        for name in NAMES
    ]


def share(name: str, size: int) -> float:
    """What recall at k is by chance."""
    return min(1.0, int(name.split("@")[1]) / size)
