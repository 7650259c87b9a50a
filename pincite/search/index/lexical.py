"""BM25 over precomputed scores: every (term, row) weight is worked out when the index is built, a search only adds
them up.

The scoring is Lucene's exact variant (Kamphuis et al., "Which BM25 do you mean?", ECIR 2020):
idf(t) = ln(1 + (N - df + .5) / (df + .5)), weight = idf * tf / (tf + k1 * (1 - b + b * length / mean length)); that
it can be stored per posting is the idea of bm25s (Lu, 2024, arXiv:2407.03618). The vocabulary is kept as sorted
64-bit digests, so that opening an index reads nothing and a bigram costs no string.

A row is stemmed in its own language and a question in every language that the index holds; what both stems of a word find counts
once. An index of English alone is what it would be without any of this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.ports import Scored
from pincite.search.index.row_scores import Last, best, joined_rows, mapped_columns, save_columns
from pincite.search.index.term_counts import (
    CountedTerms,
    Postings,
    counted_terms,
    digest,
    digests,
    hashed,
    merged,
    paired,
    with_parts,
)
from pincite.search.index.tokens import may_split, split, tokens
from pincite.text.language import ENGLISH, language_of, languages
from pincite.types import Entry

ASKED = 0.5
"""The weight of evidence by which a question tells its language: only its stop words hang on it."""
AT_ONCE = 4_000_000
"""Postings whose weights are worked out at a time."""


@dataclass(frozen=True, slots=True)
class Lexical:
    """BM25 with `k1` and `b` over stemmed terms, and over pairs of neighbouring terms too when `bigrams` is on."""

    k1: float = 0.9
    b: float = 0.4
    bigrams: bool = False

    def build(self, entries: Sequence[Entry], folder: Path) -> None:
        """Write the index of `entries` into `folder`: vocabulary, postings by term, their weights."""
        self.write(counted_terms(entries, self.bigrams), folder)

    def grow(
        self, entries: Sequence[Entry], folder: Path, before: Path, rows: NDArray[np.int64]
    ) -> None:
        """Write into `folder` what `build` would, of `entries` and of rows that the index in `before` holds already.

        `rows[i]` is the row there that row i is, or -1 where it is the next of `entries`.
        """
        new, old = counted_terms(entries, self.bigrams), rows >= 0
        lengths, spoken, long = (
            np.load(before / f"{name}.npy") for name in ("lengths", "spoken", "long")
        )
        places = np.full(len(lengths), -1, np.int64)
        places[rows[old]] = np.flatnonzero(old)
        postings = merged(
            [_read(before).moved(places), new.postings.moved(np.flatnonzero(~old))]
        ).sorted(len(rows))
        lengths = joined_rows(lengths, new.lengths, rows)
        spoken = joined_rows(spoken, new.spoken, rows)
        long = np.unique(np.concatenate((long, new.long)))
        self.write(CountedTerms(postings, lengths, spoken, long), folder)

    def write(self, whole: CountedTerms, folder: Path) -> None:
        """Write the index of rows whose terms are counted."""
        held = with_parts(whole)
        postings, lengths, counts = held.postings, held.lengths, whole.postings.counts
        codes = {code for several in np.unique(held.spoken).tolist() for code in several.split()}
        columns: dict[str, NDArray[Any]] = {
            "vocabulary": postings.vocabulary,
            "starts": postings.starts,
            "rows": postings.rows,
            "weights": self._weights(postings, lengths),
            "size": np.array(len(lengths)),
            "languages": np.array(sorted(codes) or [ENGLISH], np.str_),
            # what this was worked out from, for the next time that only a part is new
            "spoken": np.array(held.spoken.tolist(), np.str_),
            "counts": counts.astype(np.min_scalar_type(int(counts.max(initial=0)))),
            "lengths": whole.lengths,
            "long": np.array(held.long.tolist(), np.str_),
        }
        if held.lengths is not whole.lengths:  # with the parts of compounds
            columns["whole_starts"] = whole.postings.starts
            columns["whole_rows"] = whole.postings.rows
        folder.mkdir(parents=True, exist_ok=True)
        save_columns(folder, **columns)

    def _weights(self, postings: Postings, lengths: NDArray[np.int64]) -> NDArray[np.float32]:
        """The weight of every posting, worked out for some terms at a time."""
        found_in, starts = postings.found_in, postings.starts
        idf, norm = rarity(found_in, len(lengths)), self.norm(lengths, mean_length(lengths))
        weights = np.empty(len(postings.rows), np.float32)
        edges = np.searchsorted(starts, np.arange(0, len(weights), AT_ONCE)).tolist()
        for first, last in pairwise((*edges, len(found_in))):
            here = slice(starts[first], starts[last])
            counts, rows = postings.counts[here], postings.rows[here]
            weights[here] = (
                np.repeat(idf[first:last], found_in[first:last]) * counts / (counts + norm[rows])
            )
        return weights

    def norm(self, lengths: NDArray[np.int64], mean: float) -> NDArray[np.float64]:
        """What a term's count is weighed against in rows of these lengths; `mean` is that of all rows."""
        return np.asarray(self.k1 * (1 - self.b + self.b * lengths / mean), np.float64)

    def open(self, folder: Path) -> LexicalSearcher:
        """Map the index that `build` wrote."""
        names = ("vocabulary", "starts", "rows", "weights")
        vocabulary, starts, rows, weights = mapped_columns(folder, *names)
        named = folder / "languages.npy"  # folders of older versions are of English
        codes = tuple(map(str, np.load(named))) if named.is_file() else (ENGLISH,)
        if strange := set(codes) - {ENGLISH, *languages()}:
            raise ValueError(f"unknown language {min(strange)[:20]!r}")
        size = int(np.load(folder / "size.npy"))
        return LexicalSearcher(vocabulary, starts, rows, weights, size, self.bigrams, codes)


@dataclass(frozen=True, slots=True, eq=False)
class LexicalSearcher:
    """An open BM25 index of `size` rows: `rows[starts[t]:starts[t + 1]]` hold the t-th term of `vocabulary`.

    `languages` are the codes of those that its rows are written in.
    """

    vocabulary: NDArray[np.uint64]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    size: int
    bigrams: bool
    languages: tuple[str, ...] = (ENGLISH,)
    last: Last = field(default_factory=Last)

    def search(
        self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None
    ) -> list[list[Scored]]:
        """For each text the best `k` rows that share a term with it, best first; equal scores in row order."""
        return [best(self.last.of(text, self.scores), k, only) for text in texts]

    def score_all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The BM25 score of every row for each text, (texts, rows)."""
        return np.stack([self.last.of(text, self.scores) for text in texts])

    def scores(self, text: str) -> NDArray[np.float32]:
        """The BM25 score of every row; a term that the text repeats counts as often."""
        terms = asked_terms(text, self.bigrams, self.languages, self._is_known)
        places = np.searchsorted(self.vocabulary, terms)
        known = places < len(self.vocabulary)
        known[known] = self.vocabulary[places[known]] == terms[known]
        found = np.zeros(self.size, np.float32)
        for place in places[known]:
            postings = slice(self.starts[place], self.starts[place + 1])
            np.add.at(found, self.rows[postings], self.weights[postings])
        return found

    def holding(self, term: str, beside: str = "") -> NDArray[np.int32]:
        """The rows that hold a term, or that hold it and `beside` right after it where the index has pairs of neighbours."""
        wanted = term_digest(term, beside)
        place = int(np.searchsorted(self.vocabulary, wanted))
        if place == len(self.vocabulary) or self.vocabulary[place] != wanted:
            return np.empty(0, np.int32)
        return self.rows[self.starts[place] : self.starts[place + 1]]

    def _is_known(self, term: str) -> bool:
        return len(self.holding(term)) > 0


def mean_length(lengths: NDArray[np.int64]) -> float:
    """The mean length of rows, which is never 0."""
    return max(float(lengths.mean()) if len(lengths) else 0.0, 1e-9)


def rarity(found_in: NDArray[Any], size: int) -> NDArray[np.float64]:
    """The idf of terms that stand in so many rows of `size`."""
    made: NDArray[np.float64] = np.log1p((size - found_in + 0.5) / (found_in + 0.5))
    return made


def term_digest(term: str, beside: str = "") -> np.uint64:
    """The digest of a term, or of it and `beside` right after it."""
    single = np.uint64(digest[term])
    return np.uint64(paired(single, np.uint64(digest[beside]))) if beside else single


def asked_terms(
    text: str, bigrams: bool, codes: Sequence[str], known: Callable[[str], bool]
) -> NDArray[np.uint64]:
    """The digests of a question's terms in every language of an index, and of the parts of its compounds that this knows."""
    if tuple(codes) == (ENGLISH,):
        return digests(text, bigrams, codes)
    asked_in = language_of(text, among=(*codes, ENGLISH), enough=ASKED) or ENGLISH
    terms = digests(text, bigrams, codes, asked_in)
    for code in (code for code in codes if languages()[code].compounds):
        long = filter(may_split, tokens(text, code, asked_in))
        terms = np.concatenate((terms, *(hashed(split(term, code, known)) for term in long)))
    return terms


def _read(folder: Path) -> Postings:
    """The postings that an index was worked out from."""
    whole = "whole_" if (folder / "whole_rows.npy").is_file() else ""
    names = ("vocabulary", f"{whole}starts", f"{whole}rows", "counts")
    return Postings(*(np.load(folder / f"{name}.npy") for name in names))
