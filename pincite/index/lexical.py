"""BM25 over precomputed scores: every (term, row) weight is worked out when the index is built, a search only adds
them up.

The scoring is Lucene's exact variant (Kamphuis et al., "Which BM25 do you mean?", ECIR 2020):
idf(t) = ln(1 + (N - df + .5) / (df + .5)), weight = idf * tf / (tf + k1 * (1 - b + b * length / mean length)); that
it can be stored per posting is the idea of bm25s (Lu, 2024, arXiv:2407.03618). The vocabulary is kept as sorted
64-bit digests, so that opening an index reads nothing and a bigram costs no string.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.index.tokens import tokens
from pincite.ports import Scored
from pincite.types import Entry


@dataclass(frozen=True, slots=True)
class Lexical:
    """BM25 with `k1` and `b` over stemmed terms, and over pairs of neighbouring terms too when `bigrams` is on."""

    k1: float = 0.9
    b: float = 0.4
    bigrams: bool = False

    def build(self, entries: Sequence[Entry], folder: Path) -> None:
        """Write the index of `entries` into `folder`: vocabulary, postings by term, their weights."""
        analysed = [_digests(entry.text, self.bigrams) for entry in entries]
        lengths = np.array([len(terms) for terms in analysed], np.int64)
        flat = np.concatenate(analysed) if analysed else np.empty(0, np.uint64)
        vocabulary, codes = np.unique(flat, return_inverse=True)
        pairs, frequencies = np.unique(codes * max(len(entries), 1) + np.repeat(np.arange(len(entries)), lengths),
                                       return_counts=True)  # fmt: skip
        terms, rows = np.divmod(pairs, max(len(entries), 1))
        found_in = np.bincount(terms, minlength=len(vocabulary))
        idf = np.log1p((len(entries) - found_in + 0.5) / (found_in + 0.5))
        norm = self.k1 * (1 - self.b + self.b * lengths / max(lengths.mean() if len(lengths) else 0.0, 1e-9))
        weights = idf[terms] * frequencies / (frequencies + norm[rows])
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "vocabulary.npy", vocabulary)
        np.save(folder / "starts.npy", np.concatenate(([0], np.cumsum(found_in))).astype(np.int64))
        np.save(folder / "rows.npy", rows.astype(np.int32))
        np.save(folder / "weights.npy", weights.astype(np.float32))
        np.save(folder / "size.npy", np.array(len(entries)))

    def open(self, folder: Path) -> LexicalSearcher:
        """Map the index that `build` wrote."""
        # asarray takes off numpy's memmap class, which makes slices slow; the file stays mapped.
        vocabulary, starts, rows, weights = (
            np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r"))
            for name in ("vocabulary", "starts", "rows", "weights")
        )
        return LexicalSearcher(vocabulary, starts, rows, weights, int(np.load(folder / "size.npy")), self.bigrams)


@dataclass(frozen=True, slots=True, eq=False)
class LexicalSearcher:
    """An open BM25 index of `size` rows: `rows[starts[t]:starts[t + 1]]` hold the t-th term of `vocabulary`."""

    vocabulary: NDArray[np.uint64]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    size: int
    bigrams: bool

    def search(self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None) -> list[list[Scored]]:
        """For each text the best `k` rows that share a term with it, best first; equal scores in row order."""
        return [best(self.scores(text), k, only) for text in texts]

    def scores(self, text: str) -> NDArray[np.float32]:
        """The BM25 score of every row; a term that the text repeats counts as often."""
        terms = _digests(text, self.bigrams)
        places = np.searchsorted(self.vocabulary, terms)
        known = places < len(self.vocabulary)
        known[known] = self.vocabulary[places[known]] == terms[known]
        found = np.zeros(self.size, np.float32)
        for place in places[known]:
            postings = slice(self.starts[place], self.starts[place + 1])
            np.add.at(found, self.rows[postings], self.weights[postings])
        return found


def best(scores: NDArray[Any], k: int, only: NDArray[np.bool_] | None = None) -> list[Scored]:
    """The `k` highest scores that are not 0 among the rows that `only` admits, best first, equal ones in row
    order.
    """
    found = np.flatnonzero(scores if only is None else np.where(only, scores, 0))
    if len(found) > k:
        kth = np.partition(scores[found], -k)[-k] if k else np.inf
        found = found[scores[found] >= kth]
    ordered = found[np.argsort(-scores[found], kind="stable")][:k]
    return [Scored(int(row), float(scores[row])) for row in ordered]


class _Digests(dict[str, int]):
    """Term -> 64-bit digest, computed once; emptied when it has grown past what a language's vocabulary needs."""

    def __missing__(self, term: str) -> int:
        if len(self) > 1_000_000:
            self.clear()
        self[term] = made = int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "little")
        return made


_digest = _Digests()


def _digests(text: str, bigrams: bool) -> NDArray[np.uint64]:
    """A 64-bit digest per term of `text`, followed by one per pair of neighbours."""
    single = np.array([_digest[term] for term in tokens(text)], np.uint64)
    if not bigrams or len(single) < 2:
        return single
    # An odd multiplier keeps the first term's digest apart from the second's: "cash flow" is not "flow cash".
    return np.concatenate((single, single[:-1] * np.uint64(0x9E3779B97F4A7C15) ^ single[1:]))
