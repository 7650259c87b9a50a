"""Questions over databases: rows found by statements, and questions refused.

Right is what is answered and right; one run, at one threshold, gives what is right, wrong and refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.measuring import measured_system as system
from benchmarks.measuring import row_sets
from benchmarks.measuring.measurement import ReportedFigure, Work, lines
from pincite.lab.scoring.evaluation import Figure, figure
from pincite.records.runfile import read_lines

REFUSED = 0.15
"""The share of answerable questions that may be refused."""

Row = dict[str, Any]


def measure_sql(work: Work) -> list[ReportedFigure]:
    """All questions with gold rows, by kind of database, and those that their database cannot answer."""
    asked = read_lines(work.source / "questions.jsonl")[: work.limit]
    unanswerable = read_lines(work.source / "unanswerable.jsonl")[: work.limit]
    questions = [
        (str(row["id"]), str(row["db"]), " ".join(str(row["question"]).split()))
        for row in (*asked, *unanswerable)
    ]
    made = system.statements(questions, work.source / "databases", work.out("statements"))
    names = sorted({str(row["db"]) for row in asked})
    defog = [name for name in names if name.startswith("defog")]
    found = []
    for label, databases in (
        ("all", names),
        ("defog", defog),
        *((name, [name]) for name in names),
    ):
        part = [row for row in asked if row["db"] in databases]
        if part:
            common = ("the commonest rows to all", right_figures(commonest(part), part))
            found += lines(f"statements, {label}", right_figures(made, part), common)
    beside = [row for row in asked if row["db"] in {row["db"] for row in unanswerable}]
    found += caught(made, unanswerable, beside, "the databases of the unanswerable")
    return found + caught(made, unanswerable, asked, "all databases")


def right_figures(made: Mapping[str, Row], asked: Sequence[Row]) -> list[Figure]:
    """Right of all asked; answered of all; wrong of answered; and right were none refused."""
    rights = [
        row_sets.right(made.get(row["id"], {}).get("rows"), row["gold"], bool(row["ordered"]))
        for row in asked
    ]
    given = [not refused(made.get(row["id"])) for row in asked]
    wrong = [not right for right, answered in zip(rights, given, strict=True) if answered]
    return [
        figure("rows right", [a and b for a, b in zip(rights, given, strict=True)]),
        figure("answered", given),
        *([figure("wrong of answered", wrong)] if wrong else []),
        figure("rows right, none refused", rights),
    ]


def refused(record: Row | None) -> bool:
    """Whether a record refuses; one that is missing does."""
    return record is None or bool(record["refused"])


def commonest(asked: Sequence[Row]) -> dict[str, Row]:
    """The rows that are gold most often, given to all."""
    counted = Counter(tuple(map(tuple, gold["rows"])) for row in asked for gold in row["gold"][:1])
    common = [list(row) for row in counted.most_common(1)[0][0]]
    return {row["id"]: {"rows": common, "refused": False} for row in asked}


def caught(
    made: Mapping[str, Row], unanswerable: Sequence[Row], asked: Sequence[Row], of: str
) -> list[ReportedFigure]:
    """Refusals of both kinds of questions at the system's own threshold, at the best one, and the area under all."""
    low, high = (
        [float(made.get(row["id"], {}).get("confidence", 0)) for row in rows]
        for rows in (unanswerable, asked)
    )
    if not low or not high:
        return []
    cut = sorted(high)[int(REFUSED * len(high))]
    wins = [
        sum((each < other) + (each == other) / 2 for other in high) / len(high) for each in low
    ]
    below = f"unanswerable below the {REFUSED:.0%} least sure answerable"
    area = "area under the curve of confidence"
    ours = [
        figure("unanswerable refused", [refused(made.get(row["id"])) for row in unanswerable]),
        figure("answerable refused", [refused(made.get(row["id"])) for row in asked]),
        figure(below, [each < cut for each in low]),
        figure(area, wins),
    ]
    chance = [Figure(below, REFUSED, 0, REFUSED, REFUSED), Figure(area, 0.5, 0, 0.5, 0.5)]
    return lines(f"unanswerable against {of}", ours, ("chance", chance))
