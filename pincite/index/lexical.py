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

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.index.compounds import may_split, split
from pincite.index.row_scores import Last, best
from pincite.index.tokens import tokens
from pincite.language import ENGLISH, language_of, languages
from pincite.ports import Scored
from pincite.types import Entry

ASKED = 0.5
"""The weight of evidence by which a question tells its language: only its stop words hang on it."""


@dataclass(frozen=True, slots=True)
class Lexical:
    """BM25 with `k1` and `b` over stemmed terms, and over pairs of neighbouring terms too when `bigrams` is on."""

    k1: float = 0.9
    b: float = 0.4
    bigrams: bool = False

    def build(self, entries: Sequence[Entry], folder: Path) -> None:
        """Write the index of `entries` into `folder`: vocabulary, postings by term, their weights."""
        self._write(counted_terms(entries, self.bigrams), folder)

    def grow(
        self, entries: Sequence[Entry], folder: Path, before: Path, rows: NDArray[np.int64]
    ) -> None:
        """Write into `folder` what `build` would, of `entries` and of rows that the index in `before` holds already.

        `rows[i]` is the row there that row i is, or -1 where it is the next of `entries`.
        """
        new = counted_terms(entries, self.bigrams)
        vocabulary, counts, lengths, spoken, long = (
            np.load(before / f"{name}.npy")
            for name in ("vocabulary", "counts", "lengths", "spoken", "long")
        )
        split = (before / "whole_rows.npy").is_file()
        starts, at = (
            np.load(before / f"{'whole_' if split else ''}{name}.npy")
            for name in ("starts", "rows")
        )
        places = np.full(len(lengths), -1, np.int64)
        places[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
        at = places[at]
        kept = at >= 0
        terms = np.repeat(np.arange(len(vocabulary)), np.diff(starts))[kept]
        every, codes = np.unique(np.concatenate((vocabulary, new.vocabulary)), return_inverse=True)
        terms = np.concatenate(
            (codes[: len(vocabulary)][terms], codes[len(vocabulary) :][new.terms])
        )
        at = np.concatenate((at[kept], np.flatnonzero(rows < 0)[new.rows]))
        counts = np.concatenate((counts[kept].astype(np.int64), new.counts))
        ordered = np.argsort(terms * len(rows) + at, kind="stable")
        terms, at, counts = terms[ordered], at[ordered], counts[ordered]
        used, terms = np.unique(terms, return_inverse=True)
        old = rows >= 0
        total, said = (
            np.empty(len(rows), np.int64),
            np.empty(len(rows), np.result_type(spoken, new.spoken)),
        )
        total[old], total[~old] = lengths[rows[old]], new.lengths
        said[old], said[~old] = spoken[rows[old]], new.spoken
        words = np.unique(np.concatenate((long, new.long)))
        self._write(CountedTerms(every[used], terms, at, counts, total, said, words), folder)

    def _write(self, held: CountedTerms, folder: Path) -> None:
        whole = held
        held = with_parts(held)
        found_in = np.bincount(held.terms, minlength=len(held.vocabulary))
        lengths = held.lengths
        idf = rarity(found_in, len(lengths))
        norm = self.norm(lengths, mean_length(lengths))
        weights = idf[held.terms] * held.counts / (held.counts + norm[held.rows])
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "vocabulary.npy", held.vocabulary)
        np.save(folder / "starts.npy", np.concatenate(([0], np.cumsum(found_in))).astype(np.int64))
        np.save(folder / "rows.npy", held.rows.astype(np.int32))
        np.save(folder / "weights.npy", weights.astype(np.float32))
        np.save(folder / "size.npy", np.array(len(lengths)))
        codes = sorted(
            {code for several in np.unique(held.spoken).tolist() for code in several.split()}
        )
        np.save(folder / "languages.npy", np.array(codes or [ENGLISH], dtype=np.str_))
        # what this was worked out from, for the next time that only a part is new
        np.save(folder / "spoken.npy", np.array(held.spoken.tolist(), np.str_))
        np.save(
            folder / "counts.npy",
            whole.counts.astype(np.min_scalar_type(int(whole.counts.max(initial=0)))),
        )
        np.save(folder / "lengths.npy", whole.lengths)
        np.save(folder / "long.npy", np.array(held.long.tolist(), np.str_))
        if held.lengths is not whole.lengths:  # with the parts of compounds
            found_in = np.bincount(whole.terms, minlength=len(whole.vocabulary))
            np.save(
                folder / "whole_starts.npy",
                np.concatenate(([0], np.cumsum(found_in))).astype(np.int64),
            )
            np.save(folder / "whole_rows.npy", whole.rows.astype(np.int32))

    def norm(self, lengths: NDArray[np.int64], mean: float) -> NDArray[np.float64]:
        """What a term's count is weighed against in rows of these lengths; `mean` is that of all rows."""
        return np.asarray(self.k1 * (1 - self.b + self.b * lengths / mean), np.float64)

    def open(self, folder: Path) -> LexicalSearcher:
        """Map the index that `build` wrote."""
        # asarray takes off numpy's memmap class, which makes slices slow; the file stays mapped.
        vocabulary, starts, rows, weights = (
            np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r"))
            for name in ("vocabulary", "starts", "rows", "weights")
        )
        named = folder / "languages.npy"  # folders of older versions are of English
        codes = tuple(map(str, np.load(named))) if named.is_file() else (ENGLISH,)
        if strange := set(codes) - {ENGLISH, *languages()}:
            raise ValueError(f"unknown language {min(strange)[:20]!r}")
        return LexicalSearcher(
            vocabulary,
            starts,
            rows,
            weights,
            int(np.load(folder / "size.npy")),
            self.bigrams,
            codes,
        )


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
        terms = self._asked(text)
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
        digest = term_digest(term, beside)
        place = int(np.searchsorted(self.vocabulary, digest))
        if place == len(self.vocabulary) or self.vocabulary[place] != digest:
            return np.empty(0, np.int32)
        return self.rows[self.starts[place] : self.starts[place + 1]]

    def _asked(self, text: str) -> NDArray[np.uint64]:
        return asked_terms(text, self.bigrams, self.languages, self._known)

    def _known(self, term: str) -> bool:
        place = int(np.searchsorted(self.vocabulary, np.uint64(_digest[term])))
        return place < len(self.vocabulary) and int(self.vocabulary[place]) == _digest[term]


def mean_length(lengths: NDArray[np.int64]) -> float:
    """The mean length of rows, which is never 0."""
    return max(float(lengths.mean()) if len(lengths) else 0.0, 1e-9)


def rarity(found_in: NDArray[Any], size: int) -> NDArray[np.float64]:
    """The idf of terms that stand in so many rows of `size`."""
    made: NDArray[np.float64] = np.log1p((size - found_in + 0.5) / (found_in + 0.5))
    return made


def term_digest(term: str, beside: str = "") -> np.uint64:
    """The digest of a term, or of it and `beside` right after it."""
    digest = np.uint64(_digest[term])
    return np.uint64(_paired(digest, np.uint64(_digest[beside]))) if beside else digest


def asked_terms(
    text: str, bigrams: bool, codes: Sequence[str], known: Callable[[str], bool]
) -> NDArray[np.uint64]:
    """The digests of a question's terms in every language of an index, and of the parts of its compounds that this knows."""
    if tuple(codes) == (ENGLISH,):
        return _digests(text, bigrams, codes)
    asked_in = language_of(text, among=(*codes, ENGLISH), enough=ASKED) or ENGLISH
    terms = _digests(text, bigrams, codes, asked_in)
    compound = [code for code in codes if languages()[code].compounds]
    long = [
        (term, code)
        for code in compound
        for term in tokens(text, code, asked_in)
        if may_split(term)
    ]
    return np.concatenate((terms, *(_hashed(split(term, code, known)) for term, code in long)))


@dataclass(frozen=True, slots=True, eq=False)
class CountedTerms:
    """How often each term stands in each row: (term, row, count) by term and row; of every row its terms and languages.

    `long` are the terms that may be compounds, in the rows whose language writes words together, each once in order.
    """

    vocabulary: NDArray[np.uint64]
    terms: NDArray[np.int64]
    rows: NDArray[np.int64]
    counts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    spoken: NDArray[np.str_]
    long: NDArray[np.str_]


def counted_terms(entries: Sequence[Entry], bigrams: bool) -> CountedTerms:
    """The terms of entries, each row in its own languages, without the parts of compounds."""
    analysed = [_digests(entry.text, bigrams, entry.languages or (ENGLISH,)) for entry in entries]
    lengths = np.array([len(terms) for terms in analysed], np.int64)
    flat = np.concatenate(analysed) if analysed else np.empty(0, np.uint64)
    del analysed
    vocabulary, codes = np.unique(flat, return_inverse=True)
    count = max(len(entries), 1)
    pairs, counts = np.unique(
        codes * count + np.repeat(np.arange(len(entries)), lengths), return_counts=True
    )
    terms, rows = np.divmod(pairs, count)
    spoken = np.array([" ".join(entry.languages or (ENGLISH,)) for entry in entries], np.str_)
    long = np.array(sorted(_long_terms(entries)), np.str_)
    return CountedTerms(vocabulary, terms, rows, counts, lengths, spoken, long)


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
    places = dict(zip(held.vocabulary.tolist(), range(len(held.vocabulary)), strict=True))
    starts = np.searchsorted(held.terms, np.arange(len(held.vocabulary) + 1))
    more: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]] = []
    used = []
    for long in held.long.tolist():
        code, term = long.split()
        at = places.get(_digest[term])
        if at is None:
            continue
        rows, counts = (
            held.rows[starts[at] : starts[at + 1]],
            held.counts[starts[at] : starts[at + 1]],
        )
        spoken = np.array([code in said.split() for said in held.spoken[rows].tolist()], np.bool_)
        if not spoken.any():
            continue
        used.append(long)
        for part in split(term, code, lambda part: _digest[part] in places):
            more.append(
                (np.full(int(spoken.sum()), places[_digest[part]]), rows[spoken], counts[spoken])
            )
    held = replace(held, long=np.array(used, np.str_))
    if not more:
        return held
    terms, rows, counts = (
        np.concatenate((first, *rest))
        for first, rest in zip(
            (held.terms, held.rows, held.counts), zip(*more, strict=True), strict=True
        )
    )
    size = len(held.lengths)
    pairs, codes = np.unique(terms * size + rows, return_inverse=True)
    lengths = held.lengths.copy()
    np.add.at(lengths, rows[len(held.rows) :], counts[len(held.rows) :])
    summed = np.bincount(codes, weights=counts).astype(np.int64)
    return replace(held, terms=pairs // size, rows=pairs % size, counts=summed, lengths=lengths)


class _Digests(dict[str, int]):
    """Term -> 64-bit digest, computed once; emptied when it has grown past what a language's vocabulary needs."""

    def __missing__(self, term: str) -> int:
        if len(self) > 1_000_000:
            self.clear()
        self[term] = made = int.from_bytes(
            hashlib.blake2b(term.encode(), digest_size=8).digest(), "little"
        )
        return made


_digest = _Digests()


def _digests(
    text: str, bigrams: bool, codes: Sequence[str], asked_in: str = ""
) -> NDArray[np.uint64]:
    """A 64-bit digest per term of `text`, followed by one per pair of neighbours; of several languages all of theirs, once."""
    if len(codes) > 1:
        return _joined([_digests(text, bigrams, (code,), asked_in) for code in codes])
    single = _hashed(tokens(text, codes[0], asked_in))
    if not bigrams or len(single) < 2:
        return single
    return np.concatenate((single, _paired(single[:-1], single[1:])))


def _paired(first: Any, second: Any) -> Any:
    """The digests of pairs of neighbours: an odd multiplier keeps them in order, so that "cash flow" is not "flow cash"."""
    with np.errstate(over="ignore"):
        return first * np.uint64(0x9E3779B97F4A7C15) ^ second


def _hashed(terms: Sequence[str]) -> NDArray[np.uint64]:
    return np.array([_digest[term] for term in terms], np.uint64)


def _joined(several: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Every digest as often as in the one of `several` that has it most often."""
    counts: Counter[int] = Counter()
    for digests in several:
        counts |= Counter(digests.tolist())
    return np.array(list(counts.elements()), np.uint64)
