"""Questions that name what no document contains, or only seem to: by an alias, a slip, a language, a short year."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measurement import ReportedFigure, Work, lines
from benchmarks.measuring.own_questions import QUESTIONS, answers, documents
from pincite.lab.scoring.evaluation import figure
from pincite.records.runfile import Record, read_lines


def measure_absent(work: Work) -> list[ReportedFigure]:
    """What is refused over two corpora, reports and papers, because the documents hold no such name or year."""
    rows = read_lines(QUESTIONS / "absent.jsonl")[: work.limit]
    papers = work.data / "wattbot"
    reasons: dict[str, str] = {}
    records: dict[str, Record] = {}
    for over in dict.fromkeys(row["over"] for row in rows):
        own = [row for row in rows if row["over"] == over]
        made = replace(work, folder=work.folder / over)
        made.folder.mkdir(parents=True, exist_ok=True)
        if over == "reports":
            system.index(documents(work, "seen"), made.corpus)
        else:
            system.index(papers / "docs", made.corpus, papers / "metadata.csv")
        missing = system.missing(made.corpus, [row["question"] for row in own])
        reasons |= {row["id"]: reason for row, reason in zip(own, missing, strict=True)}
        records |= answers(made, own, "answers")
    made_lines = absent_lines("names and years", rows, reasons, records)
    for what in dict.fromkeys(row["what"] for row in rows):
        some = [row for row in rows if row["what"] == what]
        made_lines += absent_lines(f"names and years, {what}", some, reasons, records)
    return made_lines


def absent_lines(
    of: str,
    rows: Sequence[Mapping[str, Any]],
    reasons: Mapping[str, str],
    records: Mapping[str, Record],
) -> list[ReportedFigure]:
    """What is refused for being absent, of what is absent and of what is there; and what of the absent is answered."""
    absent = [row["id"] for row in rows if row["absent"]]
    there = [row["id"] for row in rows if not row["absent"]]
    refused, wrongly = "absent, refused with that reason", "there, refused with that reason"
    ours = [
        figure(refused, [bool(reasons[key]) for key in absent]),
        figure("absent, shown as answers", [records[key].value is not None for key in absent]),
    ] * bool(absent) + [figure(wrongly, [bool(reasons[key]) for key in there])] * bool(there)
    return lines(of, ours, ("all refused so", [figure(refused, [1.0]), figure(wrongly, [1.0])]))
