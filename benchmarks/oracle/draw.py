"""Choices that a seed and a question decide, so that a run can be made again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draw:
    """Chances of one question under one seed; each is named, and the same name draws the same."""

    seed: int
    question: str

    def share(self, what: str) -> float:
        """A number from 0 to 1."""
        said = f"{self.seed}\0{self.question}\0{what}".encode()
        return int.from_bytes(blake2b(said, digest_size=6).digest(), "big") / 2**48

    def one(self, what: str, of: Sequence[T]) -> T:
        """One of several."""
        return of[int(self.share(what) * len(of))]
