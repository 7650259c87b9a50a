"""Fit the weights for turning questions into SQL statements: pincite/data/statement.json.

    python scripts/fit_statement.py DATA

DATA is the folder of all data sets; the questions are those of `make measure SET=sql` and the free-worded ones over the
materials table. A log-linear model over the candidates of a question maximizes the probability of those whose rows are right
(Pasupat and Liang, 2015); weights stay near the hand-set ones of statement_prior.json. Each round makes new candidates and
adds them to the earlier ones. Also prints the share right by cross-validation, each database read with the weights of the others.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from pincite.database.relations.value_index import build
from pincite.database.sources.connection import open_source
from pincite.lab.measuring.database_statements import RELATION, WORDED
from pincite.lab.measuring.own_questions import QUESTIONS
from pincite.lab.measuring.placeholders import read_worded
from pincite.lab.scoring import row_sets as rows
from pincite.lab.scoring.answer_key import right_rows
from pincite.models.encoder import MiniLM
from pincite.ports import Encoder
from pincite.records.runfile import Record, read_lines
from pincite.rows.programs.interpretation import margins, read, tried
from pincite.rows.programs.linking import link
from pincite.rows.programs.meaning import Meaning
from pincite.rows.programs.scheme import scheme

FILE = Path(__file__).resolve().parents[1] / "pincite" / "data" / "statement.json"
PRIOR: dict[str, float] = json.loads(
    Path(__file__).with_name("statement_prior.json").read_text(encoding="utf-8")
)
STEPS, RATE, NEAR = 500, 0.05, 0.002
ROUNDS = 2
UNANSWERABLE = 3.0
"""How much an unanswerable question counts against an answerable one in the confidence."""
SIGNS = (
    "chance", "left over", "left words", "empty", "rows meant", "unmapped name", "unmapped number", "unmapped best",
    "unmapped not", "later cut", "nested", "part of value", "said alike", "loose",
)  # fmt: skip
"""The features that a reading's confidence is made of."""
Candidate = tuple[dict[str, float], bool]
_ENCODER = MiniLM()


def main(data: Path) -> None:
    held = json.loads(FILE.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as made:
        _fitted(held, list(questions(data / "sql", Path(made))))
    FILE.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")


def _fitted(held: dict[str, Any], asked: list[dict[str, Any]]) -> None:
    """Fit weights and confidence again, in place."""
    weights, every = held["weights"], []
    for _ in range(ROUNDS):
        taken = readings(asked, weights)
        every += [(name, cands) for name, cands, _ in (*taken, *readings(asked, weights, None))]
        weights = fit([cands for _, cands in every])
        print(
            f"{sum(cands[0][1] for _, cands, _ in taken)} of {len(taken)} right before this round"
        )
    apart = []
    for group in sorted({row["group"] for row in asked}):
        others = fit([cands for name, cands in every if name != group])
        own = readings([row for row in asked if row["group"] == group], others)
        apart += own
        print(
            f"{group}: {sum(cands[0][1] for _, cands, _ in own)} of {len(own)} with the weights of the others"
        )
    print(
        f"{sum(cands[0][1] for _, cands, _ in apart)} right with weights that have not seen the database"
    )
    signs = [(name, features, cands[0][1], bool(gold)) for name, cands, (features, gold) in apart]
    held |= {"weights": dict(sorted(weights.items())), "confidence": logistic(signs)}


def questions(folder: Path, made: Path) -> Iterator[dict[str, Any]]:
    """Every question with its database's file and the rule for right rows; `gold` is empty if no rows can be right.

    The invented databases are written into `made`.
    """
    for row in read_lines(folder / "questions.jsonl"):
        file = folder / "databases" / f"{row['db']}.sqlite"
        connection = sqlite3.connect(file)
        golds = [{"rows": connection.execute(one["sql"]).fetchall()} for one in row["gold"]]
        yield {"group": row["db"], **row, "file": file, "gold": golds}
    for row in read_lines(folder / "unanswerable.jsonl"):
        file = folder / "databases" / f"{row['db']}.sqlite"
        yield {"group": row["db"], "ordered": False, **row, "file": file, "gold": []}
    file = folder / "databases" / f"{RELATION}.sqlite"
    for row in read_worded(WORDED, file, RELATION):
        yield {"group": "free-worded", **row, "file": file}
    for row in read_lines(QUESTIONS / "databases_seen.jsonl"):
        file = made / f"{row['database']}.sqlite"
        if not file.exists():
            with closing(sqlite3.connect(file)) as connection:
                connection.executescript(
                    (QUESTIONS / "databases" / file.with_suffix(".sql").name).read_text("utf-8")
                )
        with closing(sqlite3.connect(file)) as connection:
            shown = [connection.execute(text).fetchall() for text in row["gold"] or ()]
        yield {
            "group": row["database"],
            "ordered": False,
            **row,
            "file": file,
            "gold": row["gold"] or [],
            "shown": shown,
        }


def right(row: dict[str, Any], found: Sequence[Sequence[Any]]) -> bool:
    """Whether the rows found answer a question: as a whole, or by one of their columns where golds are values to show."""
    if "shown" not in row:
        return rows.right(found, row["gold"], bool(row["ordered"]))
    columns = [[_plain(cell) for cell in column] for column in zip(*found, strict=True)]
    return any(
        right_rows(Record("", value=column if len(column) > 1 else column[0]), row["shown"])
        for column in columns
    )


def _plain(cell: Any) -> Any:
    return cell if cell is None or isinstance(cell, str | int | float | bool) else str(cell)


def readings(
    asked: list[dict[str, Any]], weights: dict[str, float], encoder: Encoder | None = _ENCODER
) -> list[tuple[str, list[Candidate], Any]]:
    """(group, candidates run, (signs of the best, gold)) of each question, the best candidate first."""
    made = []
    for file in sorted({row["file"] for row in asked}):
        with open_source(file) as source:
            values, prepared = build(source), scheme(source.database)
            meaning = Meaning(prepared, encoder) if encoder else None
            for row in (row for row in asked if row["file"] == file):
                question = link(" ".join(row["question"].split()), prepared, values, meaning)
                found = read(question, prepared, meaning, weights)
                run = sorted(tried(found, source, 2000, 5.0, weights), key=lambda one: -one[0])
                if not run:
                    continue
                cands = [(one[4], one[3] is not None and right(row, one[3].rows)) for one in run]
                features = {**run[0][4], **margins([one[0] for one in run], question, run[0][1])}
                made.append((row["group"], cands, (features, row["gold"])))
    return made


def fit(read: list[list[Candidate]]) -> dict[str, float]:
    """Weights that make right candidates likely, by gradient steps (Adam) from PRIOR and held near it."""
    names = sorted(
        {name for cands in read for features, _ in cands for name in features} | set(PRIOR)
    )
    at = {name: i for i, name in enumerate(names)}
    center = np.array([PRIOR.get(name, 0.0) for name in names])
    telling = []
    for cands in read:
        right = np.array([ok for _, ok in cands])
        if right.any() and not right.all():
            matrix = np.zeros((len(cands), len(names)))
            for i, (features, _) in enumerate(cands):
                for name, value in features.items():
                    matrix[i, at[name]] = value
            telling.append((matrix, right))
    weights, first, second = center.copy(), np.zeros_like(center), np.zeros_like(center)
    for step in range(1, STEPS + 1):
        gradient = np.zeros_like(center)
        for matrix, right in telling:
            scores = matrix @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            gradient += matrix.T @ (chances - chances * right / (chances[right].sum() + 1e-12))
        gradient = gradient / len(telling) + 2 * NEAR * (weights - center)
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        weights = weights - RATE * (first / (1 - 0.9**step)) / (
            np.sqrt(second / (1 - 0.999**step)) + 1e-8
        )
    return {name: round(float(value), 3) for name, value in zip(names, weights, strict=True)}


def logistic(taken: list[tuple[str, dict[str, float], bool, bool]]) -> dict[str, float]:
    """The confidence that a reading is right, from its signs; what cannot be answered is never right."""
    matrix = np.array(
        [[1.0, *(features.get(name, 0.0) for name in SIGNS)] for _, features, _, _ in taken]
    )
    right = np.array([float(ok) for _, _, ok, _ in taken])
    counted = np.where([gold for _, _, _, gold in taken], 1.0, UNANSWERABLE)
    weights = np.zeros(matrix.shape[1])
    for _ in range(8000):
        chances = 1 / (1 + np.exp(-matrix @ weights))
        weights -= 0.3 * (
            matrix.T @ ((chances - right) * counted) / counted.sum()
            + 0.004 * np.r_[0, weights[1:]]
        )
    return {
        name: round(float(value), 3) for name, value in zip(("bias", *SIGNS), weights, strict=True)
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
