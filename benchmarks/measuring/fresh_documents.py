"""Documents and questions that nothing was tuned on, each question held to its own document: totals only.

They are read by their text layers alone. Each look is a row of benchmarks/looks.csv.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measurement import (
    ReportedFigure,
    Work,
    answered,
    gold,
    judged,
    lines,
    loaded,
)
from benchmarks.measuring.own_questions import calibration_lines, candidates, looked
from pincite.lab.scoring import evaluation as scoring
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring.evaluation import Figure
from pincite.records.runfile import Record
from pincite.settings import Settings
from pincite.types import Example

THRESHOLDS = (0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7)
"""The confidences at which the curve is told."""


def measure_fresh(work: Work) -> list[ReportedFigure]:
    """What is shown is right, what is asked is answered, what has no answer is refused."""
    some = loaded(work)
    system.index(work.source / "pdfs", work.corpus, settings=Settings(ocr="off"))
    made = told("text layers alone", answered(work, some, own=True), judged(some))
    if work.limit is None:
        looked(work.name, made)
    return made


def told(
    label: str, records: Mapping[str, Record], some: Sequence[Example]
) -> list[ReportedFigure]:
    """The totals of one way to read the documents, the curve over thresholds, and whether confidences are worth their name."""
    rows = {example.id: gold(example) for example in some}
    own = {key: records[key] for key in rows if key in records}
    made, best = lines(f"fresh {label}", figures(own, rows)), candidates(own)
    for threshold in THRESHOLDS:
        sure = {key: record for key, record in best.items() if record.confidence >= threshold}
        shown = {key: sure.get(key, replace(record, value=None)) for key, record in own.items()}
        made += lines(f"fresh {label}, shown from {threshold:.2f}", figures(shown, rows))
    right = {
        key: typed.applies(rows[key]) and typed.right(record, rows[key])
        for key, record in best.items()
    }
    return made + calibration_lines(f"fresh {label}", best, right)


def figures(records: Mapping[str, Record], rows: Mapping[str, scoring.Row]) -> list[Figure]:
    """Right over all that is shown, where no answer exists too; right over what has one; refused of what has none."""
    return [
        each
        for each in scoring.typed_figures([(records.get(key), row) for key, row in rows.items()])
        if each.metric in ("right", "refused", "right of answered")
    ]
