"""Which pairs are held out: whole documents and tables, by a hash of their names."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from example import Pair

FOLDS = 5


def fold_of(group: str) -> int:
    """The fold of a document or table, the same in every run."""
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:4]) % FOLDS


def parted(pairs: Sequence[Pair], fold: int) -> tuple[list[Pair], list[Pair]]:
    """The pairs to learn from and those held out; with no fold (-1) all are learned from and none is held out."""
    return [p for p in pairs if fold_of(p.group) != fold], [
        p for p in pairs if fold_of(p.group) == fold
    ]


def sample(pairs: Sequence[Pair], most: int, seed: int) -> list[Pair]:
    """At most `most` of the pairs, drawn by `seed`."""
    return list(pairs) if len(pairs) <= most else random.Random(seed).sample(list(pairs), most)
