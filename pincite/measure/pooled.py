"""Whether confidences are worth their name, pooled over sets of different kinds."""

from __future__ import annotations

from pincite.errors import UsageError
from pincite.evaluate import calibration, typed, wattbot
from pincite.evaluate import run as scoring
from pincite.evaluate.record import Record
from pincite.evaluate.run import Figure
from pincite.measure import system
from pincite.measure.given import measure_tatqa
from pincite.measure.work import Line, Work, answered, gold, judged, loaded
from pincite.types import Example


def measure_calibration(work: Work) -> list[Line]:
    """Confidences pooled over the sets that were answered, as given and calibrated across documents."""
    pool = []
    for name in ("wattbot", "mmlongbench", "tatqa"):
        pool += judgements(Work(name, work.data, work.folder.parent / name, work.limit))
    answered_ones = [each for each in pool if each[3]]
    if not answered_ones:
        raise UsageError("nothing was answered, so there is no confidence to judge")
    confidence = [each[0] for each in answered_ones]
    right = [each[1] for each in answered_ones]
    groups = [each[2] for each in answered_ones]
    wrong = 1 - sum(right) / len(right)
    made = []
    isotonic = calibration.cross_fitted(confidence, right, groups, calibration.fit_isotonic)
    logistic = calibration.cross_fitted(confidence, right, groups, calibration.fit_platt)
    for label, values in (
        ("as given", confidence),
        ("isotonic, cross-validated", isotonic.tolist()),
        ("logistic, cross-validated", logistic.tolist()),
    ):
        of = f"confidence over wattbot, mmlongbench and tatqa, {label}"
        by_mass = calibration.calibration_error(values, right, by="mass")
        by_width = calibration.calibration_error(values, right, by="width")
        made.append(Line(plain("ECE, 10 bins of equal mass", by_mass, len(right)), of, "-"))
        made.append(Line(plain("ECE, 10 bins of equal width", by_width, len(right)), of, "-"))
        area = calibration.area_under_risk(values, right)
        made.append(Line(plain("area under risk-coverage", area, len(right)), of, f"no order {wrong:.3f}"))
        for coverage in (0.2, 0.5, 0.8):
            share = calibration.accuracy_at(values, right, coverage)
            at = plain(f"accuracy at {coverage:.0%} coverage", share, len(right))
            made.append(Line(at, of, f"no order {1 - wrong:.3f}"))
    return made


def plain(metric: str, value: float, n: int) -> Figure:
    """A figure that is no mean over questions and so has no interval here."""
    return Figure(metric, value, n, float("nan"), float("nan"))


def judgements(work: Work) -> list[tuple[float, float, str, bool]]:
    """(confidence, right, document, answered) of every question of a set."""
    if work.name == "tatqa":
        measure_tatqa(work)
    some = loaded(work)
    if work.name == "tatqa":
        records = system.given_answers([], work.out("answers"))
    else:
        records = answered(work, some, own=work.name == "mmlongbench")
    made = []
    for one in judged(some):
        record = records.get(one.id)
        if record is not None:
            right, group = judged_right(work.name, one, record)
            made.append((record.confidence, float(right), f"{work.name} {group}", record.value is not None))
    return made


def judged_right(name: str, one: Example, record: Record) -> tuple[bool, str]:
    """Whether a record is right under its set's rule, and the document that its question is about."""
    row = gold(one)
    if name == "tatqa":
        return scoring.tatqa_score(record, row)[0] == 1, str(row["context_id"])
    if name == "wattbot":
        blank = wattbot.is_blank(row["answer_value"])
        given = wattbot.value_text(record.value)
        right = wattbot.is_blank(given) if blank else wattbot.value_2025(given, row["answer_value"])
        return right, one.id if blank else min(wattbot.gold_references(row["ref_id"]))
    return typed.applies(row) and typed.right(record, row), str(row["doc_ids"][0])
