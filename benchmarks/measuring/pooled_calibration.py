"""Whether confidences are calibrated: of each set by itself, over sets of different kinds, and over all their questions.

A large set dominates the pooled figure, so the mean over sets is given beside it. Judged is the best candidate of every
question that has one, shown or not; where there is no answer, none is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.measuring import confidence_maps as maps
from benchmarks.measuring import measured_system as system
from benchmarks.measuring.drawn_figures import BINS, accuracy_at, calibration_figures, drawn
from benchmarks.measuring.given_tables import measure_tatqa
from benchmarks.measuring.measurement import (
    ReportedFigure,
    Work,
    answered,
    gold,
    judged,
    lines,
    loaded,
)
from pincite.errors import UsageError
from pincite.lab.scoring import calibration, wattbot
from pincite.lab.scoring import evaluation as scoring
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring.evaluation import Figure
from pincite.records.runfile import Record
from pincite.types import Example
from pincite.workbench import submissions

SETS = ("wattbot", "mmlongbench", "tatqa")


class JudgedCandidate(NamedTuple):
    """A question's best candidate: its set, how sure it is, whether it is right, and the document that it is about."""

    set: str
    confidence: float
    right: float
    document: str


def measure_calibration(work: Work) -> list[ReportedFigure]:
    """Confidences as given, and calibrated on the questions of other documents."""
    pool = [
        each
        for name in SETS
        for each in judgements(Work(name, work.data, work.folder.parent / name, work.limit))
    ]
    if not pool:
        raise UsageError("nothing was found to any question, so there is no confidence to judge")
    return calibrated_lines(pool)


def calibrated_lines(pool: Sequence[JudgedCandidate]) -> list[ReportedFigure]:
    """The figures of a pool, as given and by two maps that are fitted on folds of documents."""
    raw = np.array([each.confidence for each in pool])
    right = [each.right for each in pool]
    documents = [f"{each.set} {each.document}" for each in pool]
    made = []
    for label, values in (
        ("as given", raw),
        (
            "isotonic, fitted on other documents",
            maps.cross_fitted(raw, right, documents, maps.fit_isotonic),
        ),
        (
            "logistic, fitted on other documents",
            maps.cross_fitted(raw, right, documents, maps.fit_platt),
        ),
    ):
        part = [
            each._replace(confidence=value)
            for each, value in zip(pool, values.tolist(), strict=True)
        ]
        made += figures_of(label, part)
    return made


def figures_of(label: str, pool: Sequence[JudgedCandidate]) -> list[ReportedFigure]:
    """The figures of one way to be sure: each set, the mean over sets, and all questions together."""
    made = []
    sets = {
        name: [each for each in pool if each.set == name]
        for name in dict.fromkeys(each.set for each in pool)
    }
    for name, own in sets.items():
        ours = calibration_figures([each.confidence for each in own], [each.right for each in own])
        made += lines(f"confidence, {label}: {name}", ours)
    made.append(ReportedFigure(macro_error(pool), f"confidence, {label}: mean over sets", "-"))
    confidence, right = [each.confidence for each in pool], [each.right for each in pool]
    of, wrong = f"confidence, {label}: all questions of all sets", 1 - sum(right) / len(right)
    made += lines(of, calibration_figures(confidence, right))
    area = plain(
        "area under risk-coverage", calibration.area_under_risk(confidence, right), len(right)
    )
    made.append(ReportedFigure(area, of, f"no order {wrong:.3f}"))
    for coverage in (0.2, 0.5, 0.8):
        share = accuracy_at(confidence, right, coverage)
        made.append(
            ReportedFigure(
                plain(f"accuracy at {coverage:.0%} coverage", share, len(right)),
                of,
                f"no order {1 - wrong:.3f}",
            )
        )
    return made


def macro_error(pool: Sequence[JudgedCandidate]) -> Figure:
    """The mean of the sets' calibration errors, each set weighing the same; for the interval all questions are drawn together."""
    sets = np.array([each.set for each in pool])
    confidence, right = (
        np.array([each.confidence for each in pool]),
        np.array([each.right for each in pool]),
    )

    def mean(at: NDArray[np.int64]) -> float:
        own = [at[sets[at] == name] for name in np.unique(sets)]
        return float(
            np.mean(
                [
                    calibration.calibration_error(confidence[each], right[each], BINS)
                    for each in own
                    if len(each)
                ]
            )
        )

    return drawn("ECE, 5 bins of equal size", mean, len(pool))


def plain(metric: str, value: float, n: int) -> Figure:
    """A figure that is no mean over questions and so has no interval here."""
    return Figure(metric, value, n, float("nan"), float("nan"))


def judgements(work: Work) -> list[JudgedCandidate]:
    """The best candidate of every question of a set that has one."""
    if work.name == "tatqa":
        measure_tatqa(work)
    some = loaded(work)
    if work.name == "tatqa":
        records = system.given_answers([], work.out("answers"))
    else:
        records = answered(work, some, own=work.name == "mmlongbench")
    made = []
    for example in judged(some):
        record = records.get(example.id)
        if record is not None and record.candidate is not None:
            shown = record.text if record.value is not None else ""
            found = replace(record, value=record.candidate, text=shown)
            right, document = judged_right(work.name, example, found)
            made.append(JudgedCandidate(work.name, record.confidence, float(right), document))
    return made


def judged_right(name: str, example: Example, record: Record) -> tuple[bool, str]:
    """Whether a record is right under its set's rule, and the document that its question is about."""
    row = gold(example)
    if name == "tatqa":
        return scoring.tatqa_score(record, row)[0] == 1, str(row["context_id"])
    if name == "wattbot":
        blank = wattbot.is_blank(row["answer_value"])
        given = submissions.value_text(record.value)
        right = (
            wattbot.is_blank(given) if blank else wattbot.value_2025(given, row["answer_value"])
        )
        return right, example.id if blank else min(wattbot.gold_references(row["ref_id"]))
    return typed.applies(row) and typed.right(record, row), str(row["doc_ids"][0])
