"""What the shipped encoder alone can tell: the cosine of a question and a place, on held-out pairs.

python scripts/judge/baseline.py [--pairs .judge/pairs.jsonl] [--fold 0] [--sample 2000] [--seed 14]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from example import read
from folds import parted, sample
from report import report

from pincite.evidence.place import pair
from pincite.models.encoder import MiniLM


def main() -> None:
    """Print the figures of the encoder's cosine."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pairs", type=Path, default=Path(".judge/pairs.jsonl"))
    arguments.add_argument("--fold", type=int, default=0)
    arguments.add_argument("--sample", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=14)
    given = arguments.parse_args()
    held = sample(parted(list(read(given.pairs)), given.fold)[1], given.sample, given.seed)
    texts = [pair(example.question, example.place) for example in held]
    encoder = MiniLM(threads=1)
    questions, places = (encoder.encode([text[side] for text in texts]) for side in (0, 1))
    print(report(held, np.einsum("ij,ij->i", questions, places)))


if __name__ == "__main__":
    main()
