"""Questions over a table that is given with the question."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from typing import Any

from pincite.lab.measuring import fitting
from pincite.lab.measuring import measured_system as system
from pincite.lab.measuring.measurement import (
    ReportedFigure,
    Work,
    constant,
    gold,
    lines,
    loaded,
    pairs,
)
from pincite.lab.scoring import evaluation as scoring
from pincite.lab.scoring import tatqa
from pincite.lab.scoring.evaluation import figure
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
        scoring.tatqa_figures(pairs(records, some)),
        (f'"{", ".join(common[0])}" to all', scoring.tatqa_figures(pairs(same, some))),
    )
    for kind in sorted({gold(example)["answer_type"] for example in some}):
        part = [example for example in some if gold(example)["answer_type"] == kind]
        made += lines(
            f"given tables and paragraphs, {kind}", scoring.tatqa_figures(pairs(records, part))
        )
    return made


def gold_items(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The gold answer of a question over a given table as items."""
    answer = row["answer"]
    return (
        tuple(map(str, answer))
        if isinstance(answer, list)
        else (tatqa.gold_text(answer, row["answer_type"]),)
    )


SHIPPED = "shipped weights (learned on the development questions, so no measure of those)"


def measure_wtq(work: Work) -> list[ReportedFigure]:
    """Compositional questions over a given table, answered under weights learned on other tables, and under the shipped."""
    some, tables = loaded(work), {}
    for name in {str(gold(example)["table_id"]) for example in some}:
        with (work.source / name).open(encoding="utf-8", newline="") as file:
            tables[name] = list(csv.reader(file, escapechar="\\", doublequote=False))
    questions = [
        (example.id, str(gold(example)["table_id"]), example.query.text, wanted(gold(example)))
        for example in some
    ]
    learned, names = system.given_learned(questions, tables, work.out("readings"))
    crossed = fitting.cross_fitted(learned, list(names))
    common = Counter(str(gold(example)["answer"]) for example in some).most_common(1)[0][0]
    same = constant(some, lambda question: common)
    made = []
    for label, found in (
        ("weights of other tables", crossed),
        (SHIPPED, fitting.shipped_best(learned, list(names))),
    ):
        records = {}
        for question, each in zip(some, found, strict=True):
            items = list(each[0].answer) if each else None
            records[question.id] = Record(
                question.id, items, refused=not items, confidence=each[1] if each else 0.0
            )
        sure = sorted(some, key=lambda question: -records[question.id].confidence)[
            : len(some) // 4
        ]
        for of, part in (
            (f"given tables, {label}", some),
            (f"given tables, {label}, the most confident quarter", sure),
        ):
            trivial = (f'"{common}" to all', scoring.wtq_figures(pairs(same, part)))
            made += lines(of, scoring.wtq_figures(pairs(records, part)), trivial)
    among = figure(
        "a right answer is among the readings",
        [float(question.right.any()) for question in learned],
    )
    return [*made, ReportedFigure(among, "given tables", "-")]


def wanted(row: Mapping[str, Any]) -> list[str]:
    """The gold items of a question."""
    answer = row["answer"]
    return [str(item) for item in answer] if isinstance(answer, list) else [str(answer)]
