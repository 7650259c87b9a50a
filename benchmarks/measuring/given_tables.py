"""Questions over a table that is given with the question."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchmarks.measuring import measured_system as system
from benchmarks.measuring import tatqa_score
from benchmarks.measuring.measurement import (
    ReportedFigure,
    Work,
    constant,
    gold,
    lines,
    loaded,
    pairs,
)
from benchmarks.measuring.wtq_score import wtq_figures
from pincite.records.runfile import Record, read_lines


def measure_tatqa(work: Work) -> list[ReportedFigure]:
    """Questions over a given table with paragraphs."""
    some = loaded(work)
    contexts = {row["context_id"]: row for row in read_lines(work.source / "contexts.jsonl")}
    given = []
    for example in some:
        context = contexts[gold(example)["context_id"]]
        texts = [
            each["text"]
            for each in sorted(context["paragraphs"], key=lambda each: int(each["order"]))
        ]
        given.append((example.id, example.query.text, context["table"], texts))
    records = system.given_answers(given, work.out("answers"))
    common = Counter(
        (gold_items(gold(example)), gold(example)["scale"]) for example in some
    ).most_common(1)[0][0]
    same = {example.id: Record(example.id, list(common[0]), scale=common[1]) for example in some}
    made = lines(
        "given tables and paragraphs",
        tatqa_score.tatqa_figures(pairs(records, some)),
        (f'"{", ".join(common[0])}" to all', tatqa_score.tatqa_figures(pairs(same, some))),
    )
    for kind in sorted({gold(example)["answer_type"] for example in some}):
        part = [example for example in some if gold(example)["answer_type"] == kind]
        made += lines(
            f"given tables and paragraphs, {kind}", tatqa_score.tatqa_figures(pairs(records, part))
        )
    return made


def gold_items(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The gold answer of a question over a given table as items."""
    answer = row["answer"]
    return (
        tuple(map(str, answer))
        if isinstance(answer, list)
        else (tatqa_score.gold_text(answer, row["answer_type"]),)
    )


def measure_wtq(work: Work) -> list[ReportedFigure]:
    """Compositional questions over a given table, read by the model of the settings."""
    some, tables = loaded(work), {}
    for name in {str(gold(example)["table_id"]) for example in some}:
        with (work.source / name).open(encoding="utf-8", newline="") as file:
            tables[name] = list(csv.reader(file, escapechar="\\", doublequote=False))
    questions = [
        (example.id, str(gold(example)["table_id"]), example.query.text) for example in some
    ]
    records = system.given_rows(questions, tables, work.out("rows"))
    common = Counter(str(gold(example)["answer"]) for example in some).most_common(1)[0][0]
    same = constant(some, lambda question: common)
    sure = sorted(some, key=lambda question: -records[question.id].confidence)[: len(some) // 4]
    made = []
    for of, part in (("given tables", some), ("given tables, the most confident quarter", sure)):
        trivial = (f'"{common}" to all', wtq_figures(pairs(same, part)))
        made += lines(of, wtq_figures(pairs(records, part)), trivial)
    return made
