"""What the shipped encoder achieves without a cross-encoder: figures on held-out pairs for three ways to use its vectors.

    python scripts/judge/baseline.py [--pairs .judge/pairs.jsonl] [--fold 0] [--sample 2000] [--learned 4000] [--seed 14]

The cosine of question and place; a logistic regression on the product and the distance of both, dimension by dimension; and
one on the place alone, without the question. Whatever the last one can tell is a bias of the pairs; its AUC should be near
.5.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from example import Pair, read
from folds import parted, sample
from numpy.typing import NDArray
from report import report
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from pincite.evidence.judge_input import pair
from pincite.models.encoder import MiniLM

Rows = NDArray[np.float32]


def vectors(pairs: Sequence[Pair]) -> tuple[Rows, Rows]:
    """The encoder's rows of the questions and of the places, each text encoded once."""
    texts = [pair(example.question, example.place) for example in pairs]
    known = list(dict.fromkeys(text for both in texts for text in both))
    place = {text: i for i, text in enumerate(known)}
    rows = MiniLM(threads=1).encode(known)
    return rows[[place[asked] for asked, _ in texts]], rows[[place[said] for _, said in texts]]


def fitted(rows: Rows, labels: Sequence[int], held: Rows) -> NDArray[np.float64]:
    """The scores of `held` by a logistic regression on `rows`."""
    scale = StandardScaler().fit(rows)
    model = LogisticRegression(C=0.01, max_iter=500).fit(scale.transform(rows), labels)
    scores: NDArray[np.float64] = model.decision_function(scale.transform(held))
    return scores


def main() -> None:
    """Print the figures of each way."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--pairs", type=Path, default=Path(".judge/pairs.jsonl"))
    arguments.add_argument("--fold", type=int, default=0)
    arguments.add_argument("--sample", type=int, default=2000)
    arguments.add_argument("--learned", type=int, default=4000)
    arguments.add_argument("--seed", type=int, default=14)
    given = arguments.parse_args()
    learned, held = (
        sample(pairs, most, given.seed)
        for pairs, most in zip(
            parted(list(read(given.pairs)), given.fold), (given.learned, given.sample), strict=True
        )
    )
    asked, said = vectors(held)
    print("cosine\n" + report(held, np.einsum("ij,ij->i", asked, said)), flush=True)
    questions, places = vectors(learned)
    labels = [example.label for example in learned]
    both = np.hstack([questions * places, np.abs(questions - places)])
    scores = fitted(both, labels, np.hstack([asked * said, np.abs(asked - said)]))
    print("\nproduct and distance\n" + report(held, scores))
    print("\nplace alone\n" + report(held, fitted(places, labels, said)))


if __name__ == "__main__":
    main()
