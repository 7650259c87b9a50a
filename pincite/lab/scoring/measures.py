"""What a run is measured by: each measure has a name, what it takes from one question, and how questions make a figure.

A question gives a pair. For a mean or a ratio of sums the figure is sum(first) / sum(second); calibration measures take
the pairs (confidence, right) of all questions together. None means that a measure does not apply to a question, which is
not the same as 0.

Names are those of ir_measures for rankings (`nDCG@10`, `R@5`, `Success@1`, `RR`), over pages where the gold has pages and
documents otherwise; `page nDCG@10`, `document nDCG@10` and `node nDCG@10` say over what.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from pincite.errors import UsageError
from pincite.lab.experiments.finished_runs import Row, Run
from pincite.lab.scoring import calibration, wattbot
from pincite.lab.scoring import enterprise_challenge as erc
from pincite.lab.scoring import retrieval_metrics as metrics
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring.calibration import Floats
from pincite.lab.scoring.examples import evidence_of, judgements
from pincite.lab.scoring.gold_chunks import gold_chunks
from pincite.lab.scoring.set_rules import judged, question_blank, rule_of
from pincite.records.runfile import Record, document_name
from pincite.workbench import submissions

Pair = tuple[float, float]
Group = Literal["ranking", "answers", "citations", "judged", "confidence", "spent"]
JUDGED = ("faithfulness", "answer relevance", "correctness")
"""What a model may have judged answers by."""
RANKING = ("Success@1", "Success@5", "Success@10", "R@10", "P@10", "F1@10", "RR", "nDCG@10")
LEVELS = ("page", "document", "node", "chunk")
OWN_LEVEL = "own"
"""The level of runs over sets that are judged at different levels: that of each question, which LEVEL_FIELD of its gold says."""
LEVEL_FIELD = "judged level"
NOTHING = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class RunMeasure:
    """A named measure; `pooled` makes the figure of its rows (n, 2), None standing for the ratio of the two sums.

    `better` says which way is better (none for what only describes a run), `unit` what the figure counts ("" for shares
    in [0, 1]).
    """

    name: str
    group: Group
    of: Callable[[Run, str], Pair | None]
    pooled: Callable[[Floats], float] | None = None
    better: Literal["high", "low", "none"] = "high"
    unit: str = ""

    @property
    def label(self) -> str:
        """The name with what the figure counts."""
        return self.name if self.unit in self.name else f"{self.name}, {self.unit}"

    def figure(self, rows: Floats) -> float:
        """The figure of some questions' pairs; nan when there is nothing to divide by."""
        if self.pooled is not None:
            return self.pooled(rows)
        top, bottom = rows.sum(axis=0) if len(rows) else (0.0, 0.0)
        return float(top / bottom) if bottom else float("nan")


# ---- rankings


def level_of(runs: Sequence[Run], ids: Sequence[str]) -> str:
    """Chunks where any gold is chunks and any run found some, else pages where any gold has pages, else nodes where any has
    nodes, else documents.
    """
    golds = [runs[0].golds[key] for key in ids]
    if any(LEVEL_FIELD in gold for gold in golds):
        return OWN_LEVEL
    if any(run.chunks for run in runs) and any(map(gold_chunks, golds)):
        return "chunk"
    if any(True for gold in golds for _ in evidence_of(gold)):
        return "page"
    return "node" if any(gold.get("nodes") for gold in golds) else "document"


def level_in(gold: Row, level: str) -> str:
    """The level at which a question is judged."""
    return str(gold[LEVEL_FIELD]) if level == OWN_LEVEL else level


def relevance(gold: Row, level: str) -> Mapping[Any, int]:
    """The grade of each judged page, document, node or chunk of a gold row."""
    level = level_in(gold, level)
    if level == "chunk":
        return dict.fromkeys(gold_chunks(gold), 1)
    if level == "node":
        return {str(node): 1 for node in gold.get("nodes") or ()}
    pages, grades = judgements(gold)
    return dict.fromkeys(pages, 1) if level == "page" else grades


def ranked(run: Run, key: str, level: str) -> Sequence[Any]:
    """What a run found for a question, best first, each page, document, node or chunk once."""
    found = run.hits.get(key, ())
    level = level_in(run.golds[key], level)
    if level == "chunk":
        return run.chunks.get(key, ())
    if level == "node":
        return list(dict.fromkeys(hit.node for hit in found if hit.node))
    return metrics.pages(found) if level == "page" else metrics.documents(found)


def ranking_score(metric: str, level: str, run: Run, key: str) -> Pair | None:
    """A ranking metric over pages, documents, nodes or chunks; chunks count where a run found any."""
    own = level_in(run.golds[key], level)
    if not (run.chunks if own == "chunk" else run.hits):
        return None
    value = metrics.score(metric, ranked(run, key, own), relevance(run.golds[key], own))
    return None if value is None else (value, 1.0)


def separation(level: str, run: Run, key: str) -> Pair | None:
    """How far the scores of gold and of other hits are apart: their 1-Wasserstein distance over the range of all scores.

    In [0, 1] and so comparable between searches that score differently. It applies where both sorts were found.
    """
    level = level_in(run.golds[key], level)
    if level == "chunk":  # the scores of windows are not kept
        return None
    wanted = relevance(run.golds[key], level)
    good: list[float] = []
    bad: list[float] = []
    for hit in run.hits.get(key, ()):
        name = document_name(hit.document)
        item = hit.node if level == "node" else (name, hit.page) if level == "page" else name
        (good if wanted.get(item, 0) > 0 else bad).append(hit.score)
    if not good or not bad:
        return None
    span = max(*good, *bad) - min(*good, *bad)
    return (wasserstein(good, bad) / span if span else 0.0), 1.0


def wasserstein(a: Sequence[float], b: Sequence[float]) -> float:
    """The 1-Wasserstein distance of two samples: the area between their distribution functions."""
    values = np.sort(np.concatenate([a, b]))
    below_a, below_b = (
        np.searchsorted(np.sort(each), values[:-1], side="right") / len(each) for each in (a, b)
    )
    return float(np.sum(np.abs(below_a - below_b) * np.diff(values)))


# ---- answers


Judge = Callable[[Record | None, Row], float | None]
"""How right an answer is against its gold row; None where there is nothing to judge by."""


def answer_score(rule: str, judge: Judge, run: Run, key: str) -> Pair | None:
    """A mean over the questions that are judged by one rule; "" for any."""
    gold = run.golds[key]
    if not run.answers or (rule and rule_of(gold) != rule):
        return None
    found = judge(run.answers.get(key), gold)
    return None if found is None else (float(found), 1.0)


def by_rule(name: str, rule: str, judge: Judge, unit: str = "") -> RunMeasure:
    """A measure of the answers that are judged by one rule; "" for any."""
    return RunMeasure(name, "answers", partial(answer_score, rule, judge), unit=unit)


def right_within(tolerance: Decimal, record: Record | None, gold: Row) -> float | None:
    """Whether a typed answer is right, numbers within a relative tolerance."""
    return typed.right(record, gold, tolerance) if typed.applies(gold) else None


def refusal_score(record: Record | None, gold: Row) -> float | None:
    """Whether a question that has no answer was refused."""
    return typed.refused(record) if question_blank(gold) else None


def wattbot_score(year: int, part: str, record: Record | None, gold: Row) -> float:
    """One row of WattBot under the rules of a year."""
    rule = wattbot.score_2025 if year == 2025 else wattbot.score_2026
    asked, unit = str(gold.get("question", "")), str(gold.get("answer_unit", ""))
    row = None if record is None else submissions.wattbot_row(record, asked, unit, {}, "")
    return float(getattr(rule(row, gold), part))


def right_of_answered(run: Run, key: str) -> Pair | None:
    """The share of right answers among the questions that were not refused."""
    pair = confidence(run, key)
    if pair is None:
        return None
    return NOTHING if np.isnan(pair[0]) else (pair[1], 1.0)


def coverage(run: Run, key: str) -> Pair | None:
    """The share of questions that were answered."""
    if not run.answers or not rule_of(run.golds[key]):
        return None
    record = run.answers.get(key)
    return float(record is not None and record.value is not None), 1.0


def cited(level: str, of_cited: bool, run: Run, key: str) -> Pair | None:
    """Right citations over citations (`of_cited`), or over the evidence, of the questions that were answered."""
    gold = run.golds[key]
    wanted = {item for item, grade in relevance(gold, level).items() if grade > 0}
    if not run.answers or not wanted or question_blank(gold):
        return None
    record = run.answers.get(key)
    if record is None or record.value is None:
        return NOTHING
    named = {document_name(each.document) for each in record.citations}
    given = record.pages if level == "page" else named
    return float(len(given & wanted)), float(len(given if of_cited else wanted))


def confidence(run: Run, key: str) -> Pair | None:
    """(confidence, right) of a question, (nan, right) when it was refused."""
    record = run.answers.get(key)
    value = judged(record, run.golds[key]) if run.answers else None
    if value is None:
        return None
    if record is None or record.value is None:
        return float("nan"), value
    return record.confidence, 0.0 if question_blank(run.golds[key]) else value


def expected_calibration_error(rows: Floats) -> float:
    """ECE over ten bins of equal mass of the questions that were answered; nan when none was."""
    given = rows[~np.isnan(rows[:, 0])]
    return calibration.calibration_error(given[:, 0], given[:, 1]) if len(given) else float("nan")


def area_under_risk(rows: Floats) -> float:
    """Mean risk over all coverages, refusals last: one that should have been an answer counts as wrong there."""
    sure = np.nan_to_num(rows[:, 0], nan=-1.0)
    return calibration.area_under_risk(sure, rows[:, 1]) if len(rows) else float("nan")


def spent(fields: Sequence[str], run: Run, key: str) -> Pair | None:
    """What a question took, the sum of these fields."""
    row = run.times.get(key, {})
    values = [float(row[name]) for name in fields if row.get(name) is not None]
    return (sum(values), 1.0) if values else None


ANSWERS: dict[str, RunMeasure] = {
    each.name: each
    for each in (
        by_rule("accuracy", "", judged),
        by_rule("right", "typed", partial(right_within, typed.TOLERANCE)),
        by_rule("refused unanswerable", "", refusal_score),
        RunMeasure("right of answered", "answers", right_of_answered),
        RunMeasure("coverage", "answers", coverage, better="none"),
        *(
            by_rule(f"WattBot{year} {name}", "wattbot", partial(wattbot_score, year, part))
            for year in (2025, 2026)
            for name, part in wattbot.PARTS.items()
        ),
        by_rule("ERC points", "erc", lambda r, g: erc.score(r, g).points, "points"),
        by_rule("ERC answer", "erc", lambda r, g: erc.score(r, g).answer),
        by_rule("ERC references", "erc", lambda r, g: erc.score(r, g).references),
        *(
            RunMeasure(f"cited {level} {name}", "citations", partial(cited, level, of_cited))
            for level in ("page", "document")
            for name, of_cited in (("precision", True), ("recall", False))
        ),
        RunMeasure("ECE", "confidence", confidence, expected_calibration_error, "low"),
        RunMeasure("AURC", "confidence", confidence, area_under_risk, "low"),
        *(
            RunMeasure(name, "spent", partial(spent, fields), better="low", unit=name)
            for name, fields in (
                ("seconds", ("search_s", "answer_s")),
                ("tokens", ("tokens_in", "tokens_out")),
                ("cost", ("cost",)),
            )
        ),
    )
}


# ---- by name


def measure(name: str, level: str) -> RunMeasure:
    """The measure of a name; a ranking metric that does not say over what is over `level`.

    `right(tolerance=0.05)` declares the relative tolerance of numbers. Raises UsageError that lists the names.
    """
    name = " ".join(name.split())
    if name in ANSWERS:
        return ANSWERS[name]
    declared = re.fullmatch(r"right\(tolerance=(\d*\.?\d+)\)", name)
    if declared:
        return by_rule(name, "typed", partial(right_within, Decimal(declared[1])))
    first, _, rest = name.partition(" ")
    over, metric = (first, rest) if first in LEVELS and rest else (level, name)
    named = metric if over == OWN_LEVEL else f"{over} {metric}"
    if metric == "separation":
        return RunMeasure(named, "ranking", partial(separation, over))
    if not metrics.is_metric(metric):
        raise UsageError(
            f"no measure is named {name!r}; known: {metrics.KNOWN} separation (each also "
            f"behind page, document or node), right(tolerance=0.01), {', '.join(ANSWERS)}"
        )
    return RunMeasure(named, "ranking", partial(ranking_score, metric, over))


Stamp = tuple[str, str, str]
"""The judge, the version of its prompt, and the kind of cited text by which an answer was judged."""


def judged_score(criterion: str, stamp: Stamp, run: Run, key: str) -> Pair | None:
    """What a model made of one answer, where it was judged under this stamp."""
    row = run.judged.get(key, {}).get(criterion)
    if row is None or row["score"] is None or stamp_of(row) != stamp:
        return None
    return float(row["score"]), 1.0


def stamp_of(row: Row) -> Stamp:
    """The stamp of one judgement."""
    return str(row["judge"]), str(row["version"]), str(row["over"])


def judged_measures(runs: Sequence[Run]) -> list[RunMeasure]:
    """A measure for each criterion and stamp by which answers were judged.

    What another judge, prompt or text made is another measure, so that no two are compared as if they were one.
    """
    rows = (
        row for run in runs for by_criterion in run.judged.values() for row in by_criterion.items()
    )
    stamps = {(criterion, stamp_of(row)) for criterion, row in rows}
    return [
        RunMeasure(
            f"{criterion} by {judge} over {over}, prompt {version}",
            "judged",
            partial(judged_score, criterion, (judge, version, over)),
        )
        for criterion, (judge, version, over) in sorted(
            stamps, key=lambda made: (JUDGED.index(made[0]), made[1])
        )
    ]


def measures_named(names: Sequence[str], level: str, runs: Sequence[Run]) -> list[RunMeasure]:
    """The measures of some names; "faithfulness" and the like are what a model judged.

    Raises UsageError where no run was judged, or runs were judged by different models or prompts.
    """
    return [
        _judged_named(name, runs) if name in JUDGED else measure(name, level) for name in names
    ]


def _judged_named(name: str, runs: Sequence[Run]) -> RunMeasure:
    made = [each for each in judged_measures(runs) if each.name.startswith(f"{name} by ")]
    if not made:
        raise UsageError(
            f"no model judged the answers for {name}: set `judge` in [models] or in the experiment's file, and run it again"
        )
    if len(made) > 1:
        told = "; ".join(each.name for each in made)
        raise UsageError(
            f"{name} was judged in different ways, which cannot be compared ({told}): run the experiments again with one judge"
        )
    return made[0]


def standard(runs: Sequence[Run], ids: Sequence[str]) -> list[RunMeasure]:
    """Every measure that applies to some question of some run; what was spent only where something was."""
    level = level_of(runs, ids)
    rankings = [measure(name, level) for name in (*RANKING, "separation")]
    wider = {"chunk": "page", "page": "document"}.get(level)
    around = [measure(f"{wider} {name}", level) for name in ("Success@1", "RR")] if wider else []
    every = (*rankings, *around, *ANSWERS.values(), *judged_measures(runs))
    order = get_args(Group)
    applying = (each for each in every if _applies(each, runs, ids))
    return sorted(applying, key=lambda each: order.index(each.group))


def _applies(by: RunMeasure, runs: Sequence[Run], ids: Sequence[str]) -> bool:
    pairs = [pair for run in runs for key in ids if (pair := by.of(run, key)) is not None]
    return any(top for top, _ in pairs) if by.group == "spent" else bool(pairs)
