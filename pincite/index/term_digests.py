"""Texts as 64-bit digests of their terms, and of pairs of neighbouring terms too: no string is kept or compared."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.index.tokens import tokens


class _Digests(dict[str, int]):
    """Term -> 64-bit digest, computed once; emptied when it has grown past what a language's vocabulary needs."""

    def __missing__(self, term: str) -> int:
        if len(self) > 1_000_000:
            self.clear()
        self[term] = made = int.from_bytes(
            hashlib.blake2b(term.encode(), digest_size=8).digest(), "little"
        )
        return made


digest = _Digests()
"""The digest of a term."""


class _Runs(dict[str, tuple[int, ...]]):
    """A run between blanks -> the digests of its terms in one language; no term reaches across blanks."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self.code = code

    def __missing__(self, run: str) -> tuple[int, ...]:
        if len(self) > 500_000:
            self.clear()
        self[run] = made = tuple(digest[term] for term in tokens(run, self.code))
        return made


@cache
def _runs(code: str) -> _Runs:
    return _Runs(code)


def digests(
    text: str, bigrams: bool, codes: Sequence[str], asked_in: str = ""
) -> NDArray[np.uint64]:
    """A 64-bit digest per term of `text`, followed by one per pair of neighbours; of several languages all of theirs, once."""
    if len(codes) > 1:
        return _joined([digests(text, bigrams, (code,), asked_in) for code in codes])
    if asked_in:
        single = hashed(tokens(text, codes[0], asked_in))
    else:
        runs = map(_runs(codes[0]).__getitem__, text.split())
        single = np.fromiter(chain.from_iterable(runs), np.uint64)
    if not bigrams or len(single) < 2:
        return single
    return np.concatenate((single, paired(single[:-1], single[1:])))


def paired(first: Any, second: Any) -> Any:
    """The digests of pairs of neighbours: an odd multiplier keeps them in order, so that "cash flow" is not "flow cash"."""
    with np.errstate(over="ignore"):
        return first * np.uint64(0x9E3779B97F4A7C15) ^ second


def hashed(terms: Sequence[str]) -> NDArray[np.uint64]:
    """A 64-bit digest per term."""
    return np.array([digest[term] for term in terms], np.uint64)


def _joined(several: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Every digest as often as in the one of `several` that has it most often."""
    counts: Counter[int] = Counter()
    for digests in several:
        counts |= Counter(digests.tolist())
    return np.array(list(counts.elements()), np.uint64)
