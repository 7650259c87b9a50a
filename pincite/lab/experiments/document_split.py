"""Questions in two parts, so that no document is asked about on both sides."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import ceil

from pincite.errors import UsageError
from pincite.lab.scoring.examples import judgements
from pincite.types import Example


def groups(examples: Sequence[Example]) -> list[list[Example]]:
    """Examples that share a gold document, directly or through others, together; one without documents is alone."""
    above: dict[str, str] = {}

    def root(name: str) -> str:
        while above.setdefault(name, name) != name:
            name = above[name]
        return name

    firsts = []
    for number, example in enumerate(examples):
        grades = judgements(example.meta["gold"])[1]
        documents = sorted(f"document {name}" for name, grade in grades.items() if grade > 0)
        names = documents or [f"question {number}"]
        for name in names[1:]:
            above[root(name)] = root(names[0])
        firsts.append(names[0])
    made: dict[str, list[Example]] = {}
    for example, first in zip(examples, firsts, strict=True):
        made.setdefault(root(first), []).append(example)
    return list(made.values())


def split(
    examples: Sequence[Example], share: float, seed: int
) -> tuple[list[Example], list[Example], bool]:
    """About `share` of the examples, the rest, and whether they are split by document; each in their order.

    Where documents hang together so that too few groups fit into the share, questions are split one by one.
    """
    if len(examples) < 2:
        raise UsageError(
            "one question cannot be split: tuning needs some to tune on and others to report on"
        )
    target = min(max(ceil(share * len(examples)), 1), len(examples) - 1)
    pieces = groups(examples)
    random.Random(seed).shuffle(pieces)
    chosen: set[str] = set()
    for piece in pieces:
        if len(chosen) + len(piece) <= target:
            chosen |= {example.id for example in piece}
    by_document = 2 * len(chosen) >= target
    if not by_document:
        chosen = {example.id for example in random.Random(seed).sample(list(examples), target)}
    return (
        [example for example in examples if example.id in chosen],
        [example for example in examples if example.id not in chosen],
        by_document,
    )
