"""Fit the weights by which questions become statements: pincite/data/statement.json.

    python scripts/fit_statement.py DATA

DATA is the folder of all data sets; the questions are those of `make measure SET=sql` and the free-worded ones over the
materials table. A log-linear model over the candidates of a question maximizes the chance of those whose rows are right
(Pasupat and Liang, 2015); weights stay near the hand-set ones under "prior". Candidates are made anew in each round and
added to those before. Printed beside: right by cross-validation, each database read with weights of the others.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pincite.database.connect import open_source
from pincite.database.values import build
from pincite.evaluate import rows
from pincite.evaluate.record import read_lines
from pincite.measure.statements import RELATION, WORDED
from pincite.measure.worded import read_worded
from pincite.sql import rank
from pincite.sql.candidates import candidates
from pincite.sql.interpret import margins, tried
from pincite.sql.link import link
from pincite.sql.scheme import scheme

FILE = Path(__file__).resolve().parents[1] / "pincite" / "data" / "statement.json"
STEPS, RATE, NEAR = 500, 0.05, 0.002
ROUNDS = 2
UNANSWERABLE = 3.0
"""How much an unanswerable question counts against an answerable one in the confidence."""
SIGNS = (
    "chance", "left over", "left words", "empty", "rows meant", "unmapped name", "unmapped number", "unmapped best",
    "unmapped not", "later cut", "nested", "part of value",
)  # fmt: skip
"""The features that a reading's confidence is made of."""
Candidate = tuple[dict[str, float], bool]


def main(data: Path) -> None:
    held = json.loads(FILE.read_text(encoding="utf-8"))
    asked = list(questions(data / "sql"))
    weights, every = held["weights"], []
    for _ in range(ROUNDS):
        read = readings(data / "sql", asked, weights)
        every += [(name, cands) for name, cands, _ in read]
        weights = fit([cands for _, cands in every], held["prior"])
        print(f"{sum(cands[0][1] for _, cands, _ in read)} of {len(read)} right before this round")
    right = 0
    for group in sorted({name for name, _ in every}):
        others = fit([cands for name, cands in every if name != group], held["prior"])
        own = [cands for name, cands, _ in read if name == group]
        found = sum(max(cands, key=lambda one: rank.score(one[0], others))[1] for cands in own)
        right += found
        print(f"{group}: {found} of {len(own)} with the weights of the others")
    print(f"{right} right by cross-validation over the last candidates")
    final = readings(data / "sql", asked, weights)
    signs = [(features, cands[0][1], bool(gold)) for _, cands, (features, gold) in final]
    print(
        f"{sum(cands[0][1] for _, cands, _ in final)} right with the weights written, which have seen these questions"
    )
    held |= {"weights": dict(sorted(weights.items())), "confidence": logistic(signs)}
    FILE.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")


def questions(folder: Path) -> Iterator[dict[str, Any]]:
    """Every question with its database and its gold rows, executed in full; none for those that cannot be answered."""
    for row in read_lines(folder / "questions.jsonl"):
        connection = sqlite3.connect(folder / "databases" / f"{row['db']}.sqlite")
        golds = [{"rows": connection.execute(one["sql"]).fetchall()} for one in row["gold"]]
        yield {"group": row["db"], **row, "gold": golds}
    for row in read_lines(folder / "unanswerable.jsonl"):
        yield {"group": row["db"], "ordered": False, **row, "gold": []}
    for row in read_worded(WORDED, folder / "databases" / f"{RELATION}.sqlite", RELATION):
        yield {"group": "free-worded", "db": RELATION, **row}


def readings(
    folder: Path, asked: list[dict[str, Any]], weights: dict[str, float]
) -> list[tuple[str, list[Candidate], Any]]:
    """(group, candidates run, (signs of the best, gold)) of each question, the best candidate first."""
    made = []
    for name in sorted({row["db"] for row in asked}):
        with open_source(folder / "databases" / f"{name}.sqlite") as source:
            values, prepared = build(source), scheme(source.database)
            for row in (row for row in asked if row["db"] == name):
                question = link(" ".join(row["question"].split()), prepared, values)
                found = candidates(question, prepared, lambda features: rank.score(features, weights))
                run = sorted(tried(found, source, 2000, 5.0, weights), key=lambda one: -one[0])
                if not run:
                    continue
                cands = [
                    (one[4], one[3] is not None and rows.right(one[3].rows, row["gold"], bool(row["ordered"])))
                    for one in run
                ]
                features = {**run[0][4], **margins([one[0] for one in run], question, run[0][1])}
                made.append((row["group"], cands, (features, row["gold"])))
    return made


def fit(read: list[list[Candidate]], prior: dict[str, float]) -> dict[str, float]:
    """Weights that make right candidates likely, by gradient steps (Adam) from `prior` and held near it."""
    names = sorted({name for cands in read for features, _ in cands for name in features} | set(prior))
    at = {name: i for i, name in enumerate(names)}
    center = np.array([prior.get(name, 0.0) for name in names])
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
        weights = weights - RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return {name: round(float(value), 3) for name, value in zip(names, weights, strict=True)}


def logistic(read: list[tuple[dict[str, float], bool, bool]]) -> dict[str, float]:
    """The confidence that a reading is right, from its signs; what cannot be answered is never right."""
    matrix = np.array([[1.0, *(features.get(name, 0.0) for name in SIGNS)] for features, _, _ in read])
    right = np.array([float(ok) for _, ok, _ in read])
    counted = np.where([gold for _, _, gold in read], 1.0, UNANSWERABLE)
    weights = np.zeros(matrix.shape[1])
    for _ in range(8000):
        chances = 1 / (1 + np.exp(-matrix @ weights))
        weights -= 0.3 * (matrix.T @ ((chances - right) * counted) / counted.sum() + 0.004 * np.r_[0, weights[1:]])
    return {name: round(float(value), 3) for name, value in zip(("bias", *SIGNS), weights, strict=True)}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
