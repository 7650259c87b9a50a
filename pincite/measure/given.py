"""Questions over a table that is given with the question."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from typing import Any

from pincite.evaluate import run as scoring
from pincite.evaluate import tatqa
from pincite.evaluate.record import Record, read_lines
from pincite.measure import system
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


def measure_wtq(work: Work) -> list[Line]:
    """Compositional questions over a given table."""
    some, tables = loaded(work), {}
    for name in {str(gold(one)["table_id"]) for one in some}:
        with (work.source / name).open(encoding="utf-8", newline="") as file:
            tables[name] = list(csv.reader(file, escapechar="\\", doublequote=False))
    records = system.given_answers(
        [(one.id, one.query.text, tables[gold(one)["table_id"]], []) for one in some], work.out("answers")
    )
    common = Counter(str(gold(one)["answer"]) for one in some).most_common(1)[0][0]
    same = constant(some, lambda one: common)
    return lines(
        "given tables",
        scoring.wtq_figures(pairs(records, some)),
        (f'"{common}" to all', scoring.wtq_figures(pairs(same, some))),
    )
