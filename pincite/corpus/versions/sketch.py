"""How much of two texts is the same, from a small sample of each: the least hashes of their runs of words.

Runs are of three words, numbers all alike, so that what is compared is the wording: a new edition with other values in its
tables stays the same text. A sample of the least hashes of all runs is a random one of them (Broder 1997, "On the
resemblance and containment of documents"), and the same in every process.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

from pincite.text.words import PLAIN_WORD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZE = 256
"""Hashes kept of a text."""
RUN = 3
"""Words of a run."""


@dataclass(frozen=True, eq=False)
class Sketch:
    """The least hashes of a text's runs of words, and how many different runs it has."""

    least: NDArray[np.uint64]
    runs: int


@lru_cache(maxsize=65536)
def _hash(word: str) -> int:
    return crc32(b"0" if word.isdigit() else word.encode())


def sketch(texts: Iterable[str]) -> Sketch:
    """The sketch of a document's pages; runs do not cross from one to the next."""
    import numpy as np

    parts = []
    for text in texts:
        hashes = list(map(_hash, PLAIN_WORD.findall(text.casefold())))
        words = np.array(hashes, dtype=np.uint64)
        if len(words) >= RUN:
            mixed = np.zeros(len(words) - RUN + 1, dtype=np.uint64)
            for at in range(RUN):
                mixed = _mix(mixed + words[at : len(words) - RUN + 1 + at])
            parts.append(mixed)
    runs = np.unique(np.concatenate(parts)) if parts else np.zeros(0, dtype=np.uint64)
    return Sketch(runs[:SIZE], len(runs))


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators": the finalizer of SplitMix64."""
    import numpy as np

    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def alike(a: Sketch, b: Sketch) -> float:
    """The share of the runs of either text that are in both (Jaccard), from 0 to 1."""
    import numpy as np

    if not a.runs or not b.runs:
        return 0.0
    both = np.union1d(a.least, b.least)[:SIZE]
    common = np.intersect1d(np.intersect1d(a.least, b.least), both)
    return len(common) / len(both)


def held(a: Sketch, b: Sketch) -> float:
    """The share of the runs of the shorter text that are in the longer one, from 0 to 1."""
    same = alike(a, b)
    both = same / (1 + same) * (a.runs + b.runs)
    return min(1.0, both / min(a.runs, b.runs)) if both else 0.0


def to_bytes(wording: Sketch) -> bytes:
    """What `from_bytes` reads."""
    return wording.runs.to_bytes(8, "little") + wording.least.astype("<u8").tobytes()


def from_bytes(given: bytes) -> Sketch:
    """What `to_bytes` wrote."""
    import numpy as np

    least = np.frombuffer(given[8:], dtype="<u8").astype(np.uint64)
    return Sketch(least, int.from_bytes(given[:8], "little"))
