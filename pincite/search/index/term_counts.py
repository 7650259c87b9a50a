"""How often each term stands in each row: what an index by words is worked out from.

Terms are kept as 64-bit digests, and so are pairs of neighbouring terms: no string is kept or compared. Rows are counted in
blocks, so that a corpus of any size takes no more memory than its postings do.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.search.index.tokens import Memo, may_split, split, tokens
from pincite.text.language import ENGLISH, languages
from pincite.types import Entry

BLOCK = 20_000
"""Rows that are counted at a time."""


digest = Memo(
    lambda term: int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "little"),
    1_000_000,
)
"""The 64-bit digest of a term."""


@cache
def _runs(code: str) -> Memo[tuple[int, ...]]:
    """The digests of the terms of each run between blanks in one language; no term reaches across blanks."""
    return Memo(lambda run: tuple(digest[term] for term in tokens(run, code)))


def digests(
    text: str, bigrams: bool, codes: Sequence[str], asked_in: str = ""
) -> NDArray[np.uint64]:
    """A 64-bit digest per term of `text`, followed by one per pair of neighbours; of several languages all of theirs, once."""
    if len(codes) > 1:
        # each digest as often as in the language that has it most often
        counts: Counter[int] = Counter()
        for code in codes:
            counts |= Counter(digests(text, bigrams, (code,), asked_in).tolist())
        return np.array(list(counts.elements()), np.uint64)
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


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The rows that hold each term and how often: those of the t-th term of `vocabulary` are at `starts[t]` to `starts[t + 1]`,
    in order.
    """

    vocabulary: NDArray[np.uint64]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    counts: NDArray[Any]

    @property
    def found_in(self) -> NDArray[np.int64]:
        """How many rows hold each term."""
        return np.diff(self.starts)

    def pairs(self, size: int) -> NDArray[np.int64]:
        """A number for the term and the row of every posting, of `size` rows: in order of the terms, then of the rows."""
        terms = np.repeat(np.arange(len(self.vocabulary)), self.found_in)
        return terms * size + self.rows

    def sorted(self, size: int) -> Postings:
        """The same with the rows of each term in order, and without terms that no row holds."""
        order = np.argsort(self.pairs(size), kind="stable")
        used = self.found_in > 0
        starts = _edges(self.found_in[used])
        return Postings(self.vocabulary[used], starts, self.rows[order], self.counts[order])

    def moved(self, places: NDArray[np.int64]) -> Postings:
        """The same where row i is `places[i]` now, or gone where that is negative."""
        rows = places[self.rows]
        kept = rows >= 0
        starts = _edges(kept)[self.starts]
        return Postings(self.vocabulary, starts, rows[kept].astype(np.int32), self.counts[kept])


@dataclass(frozen=True, slots=True, eq=False)
class CountedTerms:
    """The postings of some rows; of every row how many terms it has and its languages.

    `long` are the terms that may be compounds, in the rows whose language writes words together, each once in order.
    """

    postings: Postings
    lengths: NDArray[np.int64]
    spoken: NDArray[np.str_]
    long: NDArray[np.str_]

    @property
    def vocabulary(self) -> NDArray[np.uint64]:
        """The terms, in order."""
        return self.postings.vocabulary

    @property
    def terms(self) -> NDArray[np.int64]:
        """The place of each posting's term in the vocabulary."""
        return np.repeat(np.arange(len(self.vocabulary)), self.postings.found_in)

    @property
    def rows(self) -> NDArray[np.int32]:
        """The row of each posting."""
        return self.postings.rows

    @property
    def counts(self) -> NDArray[Any]:
        """How often the term of each posting stands in its row."""
        return self.postings.counts


def counted_terms(entries: Sequence[Entry], bigrams: bool) -> CountedTerms:
    """Count the terms of entries, and of pairs of neighbours too with `bigrams`."""
    starts = range(0, max(len(entries), 1), BLOCK)
    return joined([block(entries[start : start + BLOCK], start, bigrams) for start in starts])


def joined(blocks: Sequence[CountedTerms]) -> CountedTerms:
    """The counts of blocks of rows that follow each other."""
    postings = merged([block.postings for block in blocks])
    lengths, spoken = (
        np.concatenate([getattr(block, name) for block in blocks])
        for name in ("lengths", "spoken")
    )
    long = np.unique(np.concatenate([block.long for block in blocks]))
    return CountedTerms(postings, lengths, spoken, long)


def block(entries: Sequence[Entry], first: int, bigrams: bool) -> CountedTerms:
    """Count the terms of rows from the row `first` on."""
    analysed = [digests(entry.text, bigrams, entry.languages or (ENGLISH,)) for entry in entries]
    lengths = np.array([len(terms) for terms in analysed], np.int64)
    flat = np.concatenate(analysed) if analysed else np.empty(0, np.uint64)
    vocabulary, codes = np.unique(flat, return_inverse=True)
    count, places = max(len(entries), 1), np.repeat(np.arange(len(entries)), lengths)
    pairs, counts = np.unique(codes * count + places, return_counts=True)
    terms, rows = np.divmod(pairs, count)
    starts = np.searchsorted(terms, np.arange(len(vocabulary) + 1))
    rows, counts = (rows + first).astype(np.int32), counts.astype(np.int32)
    postings = Postings(vocabulary, starts, rows, counts)
    spoken = np.array([" ".join(entry.languages or (ENGLISH,)) for entry in entries], np.str_)
    return CountedTerms(postings, lengths, spoken, np.array(sorted(_long_terms(entries)), np.str_))


def merged(several: Sequence[Postings]) -> Postings:
    """All postings under one vocabulary; of a term those of the first come before those of the second."""
    if len(several) == 1:
        return several[0]
    vocabulary = np.unique(np.concatenate([postings.vocabulary for postings in several]))
    terms = [np.searchsorted(vocabulary, postings.vocabulary) for postings in several]
    found_in = np.zeros(len(vocabulary), np.int64)
    for mine, postings in zip(terms, several, strict=True):
        found_in[mine] += postings.found_in
    starts = _edges(found_in)
    rows = np.empty(starts[-1], np.int32)
    counts = np.empty(starts[-1], np.result_type(*(postings.counts for postings in several)))
    free = starts[:-1].copy()
    for mine, postings in zip(terms, several, strict=True):
        ahead = np.repeat(free[mine] - postings.starts[:-1], postings.found_in)
        places = np.arange(len(postings.rows)) + ahead
        rows[places], counts[places] = postings.rows, postings.counts
        free[mine] += postings.found_in
    return Postings(vocabulary, starts, rows, counts)


def _edges(sizes: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


def _long_terms(entries: Sequence[Entry]) -> set[str]:
    """The terms that may be compounds, each behind its language."""
    compound = {code for code, language in languages().items() if language.compounds}
    long: set[str] = set()
    for entry in entries:
        for code in compound.intersection(entry.languages):
            long.update(f"{code} {term}" for term in tokens(entry.text, code) if may_split(term))
    return long


def with_parts(held: CountedTerms) -> CountedTerms:
    """The same with what compounds are made of counted in their rows as well; the very same where there are none."""
    if not len(held.long):
        return held
    postings, size = held.postings, len(held.lengths)
    places = dict(zip(postings.vocabulary.tolist(), range(len(postings.vocabulary)), strict=True))
    pairs, counts, used = [postings.pairs(size)], [postings.counts], []
    lengths = held.lengths.copy()
    for long in held.long.tolist():
        code, term = long.split()
        at = places.get(digest[term])
        if at is None:
            continue
        here = slice(postings.starts[at], postings.starts[at + 1])
        rows, often = postings.rows[here], postings.counts[here]
        spoken = np.array([code in said.split() for said in held.spoken[rows].tolist()], np.bool_)
        if not spoken.any():
            continue
        used.append(long)
        for part in split(term, code, lambda part: digest[part] in places):
            pairs.append(places[digest[part]] * size + rows[spoken].astype(np.int64))
            counts.append(often[spoken])
            lengths[rows[spoken]] += often[spoken]
    held = replace(held, long=np.array(used, np.str_))
    if len(pairs) == 1:
        return held
    whole, codes = np.unique(np.concatenate(pairs), return_inverse=True)
    summed = np.bincount(codes, weights=np.concatenate(counts)).astype(np.int64)
    terms, at_rows = np.divmod(whole, size)
    starts = np.searchsorted(terms, np.arange(len(postings.vocabulary) + 1))
    made = Postings(postings.vocabulary, starts, at_rows.astype(np.int32), summed)
    return replace(held, postings=made, lengths=lengths)
