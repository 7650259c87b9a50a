"""Weights of readings over given tables learned from answers alone: which reading was meant is not known, only what is right.

The chance of a right answer, summed over the readings that give it, is made as large as can be (Clark et al. 2010; Liang,
Jordan and Klein 2011), with a penalty on squared weights. Folds are by table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.rows.onetable.reading_weights import confidence, likeliest, shipped, surety

FOLDS = 5
PENALTY = 1.5
OFTEN = 5
"""A feature is learned when readings of at least so many questions have it."""
SURE_PENALTY = 100.0
HARD = 60
"""Of a question's wrong readings those that a first, coarse model ranks best are learned from."""


@dataclass(frozen=True, slots=True)
class LearnedQuestion:
    """A question to learn from: its table, its readings' features as (rows, names, values), answers, and which are right."""

    table: str
    starts: NDArray[np.int64]
    names: NDArray[np.int32]
    values: NDArray[np.float32]
    answers: list[tuple[str, ...]]
    right: NDArray[np.bool_]


def packed(
    table: str,
    rows: Sequence[dict[str, float]],
    answers: list[tuple[str, ...]],
    right: Sequence[bool],
    names: dict[str, int],
) -> LearnedQuestion:
    """The readings of a question as arrays; `names` numbers the features and grows."""
    starts, found, values = [0], [], []
    for row in rows:
        for name, value in row.items():
            if value:
                found.append(names.setdefault(name, len(names)))
                values.append(value)
        starts.append(len(found))
    return LearnedQuestion(
        table,
        np.array(starts),
        np.array(found, np.int32),
        np.array(values, np.float32),
        answers,
        np.array(right, bool),
    )


def fold_of(table: str) -> int:
    """The fold that a table is in."""
    return int(hashlib.sha1(table.encode()).hexdigest(), 16) % FOLDS


def often(questions: Iterable[LearnedQuestion], size: int) -> NDArray[np.bool_]:
    """Which of `size` features enough questions have."""
    counted = np.zeros(size)
    for question in questions:
        counted[np.unique(question.names)] += 1
    return np.asarray(counted >= OFTEN)


def fit(
    questions: Sequence[LearnedQuestion], size: int, penalty: float = PENALTY
) -> NDArray[np.float64]:
    """The weight of each of `size` features."""
    kept = often(questions, size)
    useful = [
        question for question in questions if question.right.any() and not question.right.all()
    ]
    coarse = _maximised(
        [_matrix(learned, size, kept) for learned in useful[::4]],
        [learned.right for learned in useful[::4]],
        size,
        4 * penalty,
        25,
    )
    matrices, rights = [], []
    for learned in useful:
        matrix = _matrix(learned, size, kept)
        scores = matrix @ coarse
        order = np.argsort(-scores)
        chosen = np.union1d(order[:HARD], order[learned.right[order]][:15])
        matrices.append(matrix[chosen])
        rights.append(learned.right[chosen])
    return _maximised(matrices, rights, size, penalty, 80)


def _matrix(question: LearnedQuestion, size: int, kept: NDArray[np.bool_]) -> Any:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

    return csr_matrix(
        (question.values * kept[question.names], question.names, question.starts),
        shape=(len(question.right), size),
        dtype=np.float64,
    )


def _maximised(
    matrices: Sequence[Any],
    rights: Sequence[NDArray[np.bool_]],
    size: int,
    penalty: float,
    steps: int,
) -> NDArray[np.float64]:
    from scipy.optimize import minimize  # type: ignore[import-untyped]
    from scipy.sparse import vstack

    rows = vstack(matrices).tocsr()
    columns = rows.T.tocsr()
    right = np.concatenate(rights)
    lengths = np.array([len(each) for each in rights])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    group = np.repeat(np.arange(len(lengths)), lengths)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = rows @ weights
        shares = np.exp(scores - np.maximum.reduceat(scores, starts)[group])
        total, good = np.add.reduceat(shares, starts), np.add.reduceat(shares * right, starts)
        slope = (
            columns @ (shares / total[group] - shares * right / good[group]) + penalty * weights
        )
        return float(np.log(total / good).sum() + penalty / 2 * weights @ weights), slope

    found = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": steps})
    return np.asarray(found.x)


@dataclass(frozen=True, slots=True)
class LikeliestAnswer:
    """The likeliest answer to a question under some weights, whether it is right, and what tells how sure that is."""

    answer: tuple[str, ...]
    right: bool
    surety: dict[str, float]


def best(
    question: LearnedQuestion, weights: NDArray[np.float64], names: Sequence[str]
) -> LikeliestAnswer | None:
    """The likeliest answer under some weights; None without a reading."""
    if not len(question.right):
        return None
    ends = np.concatenate([[0.0], np.cumsum(question.values * weights[question.names])])
    scores = ends[question.starts[1:]] - ends[question.starts[:-1]]
    shares = np.exp(scores - scores.max())
    chance: list[float] = (shares / shares.sum()).tolist()
    ranked = likeliest(question.answers, chance)
    at = ranked[0][0]
    row = slice(question.starts[at], question.starts[at + 1])
    said = {
        names[name]: float(value)
        for name, value in zip(question.names[row], question.values[row], strict=True)
    }
    return LikeliestAnswer(
        question.answers[at],
        bool(question.right[at]),
        surety(said, chance[at], [each for _, each in ranked]),
    )


def cross_fitted(
    questions: Sequence[LearnedQuestion], names: Sequence[str]
) -> list[tuple[LikeliestAnswer, float] | None]:
    """For each question the likeliest answer and the confidence in it, both under weights learned on other tables."""
    made: list[LikeliestAnswer | None] = [None] * len(questions)
    folds = [fold_of(question.table) for question in questions]
    for fold in range(FOLDS):
        weights = fit(
            [learned for learned, each in zip(questions, folds, strict=True) if each != fold],
            len(names),
        )
        for at, learned in enumerate(questions):
            if folds[at] == fold:
                made[at] = best(learned, weights, names)
    sure: list[tuple[LikeliestAnswer, float] | None] = [None] * len(questions)
    for fold in range(FOLDS):
        by = fit_confidence(
            [
                learned
                for learned, each in zip(made, folds, strict=True)
                if learned and each != fold
            ]
        )
        for at, found in enumerate(made):
            if found and folds[at] == fold:
                sure[at] = found, confidence(found.surety, by)
    return sure


def shipped_best(
    questions: Sequence[LearnedQuestion], names: Sequence[str]
) -> list[tuple[LikeliestAnswer, float] | None]:
    """For each question the likeliest answer and the confidence in it, both under the shipped weights."""
    held = shipped()["weights"]
    weights = np.array([held.get(name, 0.0) for name in names])
    found = [best(question, weights, names) for question in questions]
    return [(each, confidence(each.surety)) if each else None for each in found]


def fit_confidence(
    found: Sequence[LikeliestAnswer], penalty: float = SURE_PENALTY
) -> dict[str, float]:
    """The weights of a logistic model of whether the likeliest answers are right; the penalty is on standardised features."""
    from scipy.optimize import minimize

    names = sorted({name for best in found for name in best.surety} - {"bias"})
    rows = np.array([[best.surety.get(name, 0.0) for name in names] for best in found])
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    rows = (rows - mean) / spread
    right = np.array([best.right for best in found], float)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = rows @ weights[1:] + weights[0]
        wrong = 1 / (1 + np.exp(-scores)) - right
        value = (
            np.logaddexp(0, scores).sum()
            - right @ scores
            + penalty / 2 * weights[1:] @ weights[1:]
        )
        return float(value), np.concatenate(
            [[wrong.sum()], rows.T @ wrong + penalty * weights[1:]]
        )

    weights = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B").x
    plain = weights[1:] / spread
    return {
        "bias": float(weights[0] - plain @ mean),
        **dict(zip(names, plain.tolist(), strict=True)),
    }
