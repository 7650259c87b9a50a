"""Questions over a table that is given with the question."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from typing import Any

from pincite.evaluate import run as scoring
from pincite.evaluate import tatqa
from pincite.evaluate.record import Record, read_lines
from pincite.evaluate.run import figure
from pincite.measure import fitting, system
from pincite.measure.work import Line, Work, constant, gold, lines, loaded, pairs


def measure_tatqa(work: Work) -> list[Line]:
    """Questions over a given table with paragraphs."""
    some = loaded(work)
    contexts = {row["context_id"]: row for row in read_lines(work.source / "contexts.jsonl")}
    given = []
    for one in some:
        context = contexts[gold(one)["context_id"]]
        texts = [each["text"] for each in sorted(context["paragraphs"], key=lambda each: int(each["order"]))]
        given.append((one.id, one.query.text, context["table"], texts))
    records = system.given_answers(given, work.out("answers"))
    common = Counter((gold_items(gold(one)), gold(one)["scale"]) for one in some).most_common(1)[0][0]
    same = {one.id: Record(one.id, list(common[0]), scale=common[1]) for one in some}
    made = lines(
        "given tables and paragraphs",
        scoring.tatqa_figures(pairs(records, some)),
        (f'"{", ".join(common[0])}" to all', scoring.tatqa_figures(pairs(same, some))),
    )
    for kind in sorted({gold(one)["answer_type"] for one in some}):
        part = [one for one in some if gold(one)["answer_type"] == kind]
        made += lines(f"given tables and paragraphs, {kind}", scoring.tatqa_figures(pairs(records, part)))
    return made


def gold_items(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The gold answer of a question over a given table as items."""
    answer = row["answer"]
    return tuple(map(str, answer)) if isinstance(answer, list) else (tatqa.gold_text(answer, row["answer_type"]),)


SHIPPED = "shipped weights (learned on the development questions, so no measure of those)"


def measure_wtq(work: Work) -> list[Line]:
    """Compositional questions over a given table, answered under weights learned on other tables, and under the shipped."""
    some, tables = loaded(work), {}
    for name in {str(gold(one)["table_id"]) for one in some}:
        with (work.source / name).open(encoding="utf-8", newline="") as file:
            tables[name] = list(csv.reader(file, escapechar="\\", doublequote=False))
    questions = [(one.id, str(gold(one)["table_id"]), one.query.text, wanted(gold(one))) for one in some]
    learned, names = system.given_learned(questions, tables, work.out("readings"))
    crossed = fitting.cross_fitted(learned, list(names))
    common = Counter(str(gold(one)["answer"]) for one in some).most_common(1)[0][0]
    same = constant(some, lambda one: common)
    made = []
    for label, found in (("weights of other tables", crossed), (SHIPPED, fitting.shipped_best(learned, list(names)))):
        records = {}
        for one, each in zip(some, found, strict=True):
            items = list(each[0].answer) if each else None
            records[one.id] = Record(one.id, items, refused=not items, confidence=each[1] if each else 0.0)
        sure = sorted(some, key=lambda one: -records[one.id].confidence)[: len(some) // 4]
        for of, part in (
            (f"given tables, {label}", some),
            (f"given tables, {label}, the most confident quarter", sure),
        ):
            trivial = (f'"{common}" to all', scoring.wtq_figures(pairs(same, part)))
            made += lines(of, scoring.wtq_figures(pairs(records, part)), trivial)
    among = figure("a right answer is among the readings", [float(one.right.any()) for one in learned])
    return [*made, Line(among, "given tables", "-")]


def wanted(row: Mapping[str, Any]) -> list[str]:
    """The gold items of a question."""
    answer = row["answer"]
    return [str(item) for item in answer] if isinstance(answer, list) else [str(answer)]
