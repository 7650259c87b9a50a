"""An ordinary grid over a corpus made for it: firms by questions as an analyst would put them, by name and type alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.measuring import answer_key as answerkey
from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measurement import ReportedFigure, Work, lines
from benchmarks.measuring.own_questions import QUESTIONS
from benchmarks.measuring.wordings import documents
from pincite.lab.experiments.environment import fingerprint
from pincite.lab.scoring.evaluation import figure
from pincite.records.runfile import Record, read_lines, record_of
from pincite.settings import Settings
from pincite.workbench.grid import Grid, Spec, fill, grid_to, spec_from
from pincite.workbench.library import Library


def measure_grid(work: Work) -> list[ReportedFigure]:
    """Cells shown, and right of the shown, of the grid whose true values stand in benchmarks/questions/grid.jsonl."""
    rows = read_lines(QUESTIONS / "grid.jsonl")[: work.limit]
    system.index(documents(work.data, rows), work.corpus)
    return grid_lines(rows, fill(spec(rows), Library(work.corpus, Settings())))


def spec(rows: Sequence[Mapping[str, Any]]) -> Spec:
    """The grid that a user would write: a firm a row, a question a column. Cells of other code are not taken for its own."""
    columns = {row["column"]: {"name": row["column"], "type": row["type"]} for row in rows}
    firms = list(dict.fromkeys(row["firm"] for row in rows))
    title = f"Firms {fingerprint()}"
    return spec_from(
        {"title": title, "entity": "company", "rows": firms, "columns": list(columns.values())}
    )


def grid_lines(rows: Sequence[Mapping[str, Any]], made: Grid) -> list[ReportedFigure]:
    """The figures of a filled grid."""
    cells = [cell for line in grid_to(made)["cells"] for cell in line]
    records = {
        (cell["row"], cell["column"]): record_of({"id": cell["topic"], **cell}) for cell in cells
    }
    judged = [(row, records[row["firm"], row["column"]]) for row in rows]
    shown = [(row, record) for row, record in judged if record.value is not None]
    ours = [
        figure("cells shown", [record.value is not None for _, record in judged]),
        figure("right of the shown", _right(shown)),
        figure("right", _right(judged)),
    ]
    made_lines = lines(
        "an ordinary grid",
        ours,
        ("N/A to all", [figure("cells shown", [0.0]), figure("right", [0.0])]),
    )
    for column in dict.fromkeys(row["column"] for row in rows):
        own = [(row, record) for row, record in shown if row["column"] == column]
        made_lines += lines(
            f"an ordinary grid, {column}", [figure("right of the shown", _right(own))]
        )
    return made_lines


def _right(judged: Sequence[tuple[Mapping[str, Any], Record]]) -> list[float]:
    return [answerkey.right(record, row) for row, record in judged]
