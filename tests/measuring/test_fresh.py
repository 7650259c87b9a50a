"""Totals over documents that nothing was tuned on: what is shown where no answer exists counts as wrong."""

from benchmarks.measuring.fresh_documents import told
from pincite.records.runfile import record_of
from pincite.types import Example, Query


def example(key, answer, kind):
    return Example(
        key,
        Query("?"),
        meta={"gold": {"id": key, "answer": answer, "answer_type": kind, "doc_ids": ["a.pdf"]}},
    )


def record(key, value, confidence, near=None):
    possible = (
        []
        if near is None
        else [{"value": near, "unit": "", "confidence": confidence, "citation": None}]
    )
    checks = [{"verdict": "supported", "how": ""}]
    return record_of(
        {
            "id": key,
            "value": value,
            "confidence": confidence,
            "possible": possible,
            "checks": checks,
        }
    )


def test_the_curve_shows_candidates_that_were_not_sure_enough():
    some = [
        example("1", "5", "number"),
        example("2", "7", "number"),
        example("3", None, "unanswerable"),
    ]
    records = {
        "1": record("1", 5, 0.8),
        "2": record("2", None, 0.3, 7),
        "3": record("3", None, 0.2, 9),
    }
    made = {
        (line.of, line.figure.metric): line.figure.value for line in told("here", records, some)
    }
    assert made["fresh here", "right"] == 0.5 and made["fresh here", "refused"] == 1.0
    assert made["fresh here", "right of answered"] == 1.0
    assert (
        made["fresh here, shown from 0.30", "right"] == 1.0
        and made["fresh here, shown from 0.30", "refused"] == 1.0
    )
    assert made["fresh here, shown from 0.20", "refused"] == 0.0
    assert made["fresh here, shown from 0.20", "right of answered"] == 2 / 3
