"""Fit the weights with which `pincite.readers.table_ranking` orders candidates: right before wrong in the same question.

    python scripts/fit_tableread.py DATA [--write]

DATA holds `contexts.jsonl` (context_id, table, paragraphs) and `questions.jsonl` (context_id, question, answer, answer_type,
scale). Prints how often the best candidate is right by cross-validation in five folds of tables; `--write` fits on everything
and writes `pincite/data/tableread.json`. The loss is the listwise softmax: -log of the probability that falls on right
candidates.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import pincite
from benchmarks.measuring import bare_table
from pincite.lab.scoring.tatqa import score
from pincite.question.understanding import understand
from pincite.readers.table_answers import candidates
from pincite.readers.table_ranking import described
from pincite.types import Query

RARE = 10
PENALTY = 1.0
FOLDS = 5
Row = tuple[str, str, list[dict[str, float]], np.ndarray]
"""Context, kind of answer, the features of each candidate, whether each is right."""


def load(folder: Path) -> list[Row]:
    """The candidates of every question with their features and whether they match the gold answer."""
    lines = [json.loads(line) for line in (folder / "contexts.jsonl").open(encoding="utf-8")]
    documents = {
        c["context_id"]: bare_table.document_of(c["table"], [p["text"] for p in c["paragraphs"]])
        for c in lines
    }
    rows: list[Row] = []
    for line in (folder / "questions.jsonl").open(encoding="utf-8"):
        one = json.loads(line)
        ask = understand(Query(one["question"]))
        found = candidates(ask, documents[one["context_id"]])
        right = [
            score(*bare_table.items_and_scale(c), one["answer"], one["scale"], one["answer_type"])[
                0
            ]
            for c in found
        ]
        kind = f"{one['answer_type']}, {one.get('answer_from', '')}"
        rows.append((one["context_id"], kind, described(ask, found), np.array(right)))
    return rows


def fit(rows: list[Row], names: list[str]) -> dict[str, float]:
    """The weights that give right candidates the most probability, with an L2 penalty."""
    index = {name: at for at, name in enumerate(names)}
    usable = [(features, right) for _, _, features, right in rows if right.any()]
    entries = [
        (number, index[name], value)
        for number, features in enumerate(f for many, _ in usable for f in many)
        for name, value in features.items()
        if value and name in index
    ]
    at, column, value = zip(*entries, strict=True)
    right = np.concatenate([r for _, r in usable]) > 0
    matrix = csr_matrix((value, (at, column)), shape=(len(right), len(names)))
    sizes = np.array([len(r) for _, r in usable])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])

    def softmax(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        top = np.maximum.reduceat(scores, starts)
        raised = np.exp(scores - np.repeat(top, sizes))
        total = np.add.reduceat(raised, starts)
        return top + np.log(total), raised / np.repeat(total, sizes)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = matrix @ weights
        every, p_every = softmax(scores)
        good, p_good = softmax(np.where(right, scores, -1e9))
        return (every - good).sum() + PENALTY * weights @ weights, matrix.T @ (
            p_every - p_good
        ) + 2 * PENALTY * weights

    found = minimize(
        loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 300}
    )
    return dict(zip(names, map(float, found.x), strict=True))


def matched(rows: list[Row], weights: dict[str, float]) -> dict[str, list[float]]:
    """Exact match of the best candidate of each question, by kind."""
    out: dict[str, list[float]] = defaultdict(list)
    for _, kind, features, right in rows:
        scores = [
            sum(weights.get(name, 0.0) * value for name, value in f.items()) for f in features
        ]
        hit = float(right[int(np.argmax(scores))]) if scores else 0.0
        out["all"].append(hit)
        out[kind].append(hit)
    return out


def main() -> None:
    """Cross-validate, and write the weights of all when asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = load(options.data)
    counts = Counter(
        name for _, _, features, _ in rows for f in features for name, value in f.items() if value
    )
    names = sorted(name for name, n in counts.items() if n >= RARE)
    contexts = sorted({context for context, *_ in rows})
    random.Random(0).shuffle(contexts)
    part = {context: at % FOLDS for at, context in enumerate(contexts)}
    hits: dict[str, list[float]] = defaultdict(list)
    for fold in range(FOLDS):
        weights = fit([row for row in rows if part[row[0]] != fold], names)
        for kind, values in matched(
            [row for row in rows if part[row[0]] == fold], weights
        ).items():
            hits[kind] += values
    for kind in sorted(hits):
        print(f"{kind:24} n {len(hits[kind]):5}  exact match {np.mean(hits[kind]):.3f}")
    print(
        f"at best {np.mean([right.any() for *_, right in rows]):.3f}: questions with a right candidate"
    )
    if options.write:
        weights = {
            name: round(value, 4) for name, value in fit(rows, names).items() if abs(value) > 1e-3
        }
        target = Path(pincite.__file__).parent / "data" / "tableread.json"
        target.write_text(
            json.dumps({"weights": weights}, indent=0, sort_keys=True) + "\n", encoding="utf-8"
        )
        print(f"wrote {target.name}: {len(weights)} weights")


if __name__ == "__main__":
    main()
