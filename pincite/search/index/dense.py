"""Dense retrieval: the cosine of the query's vector with every row's, exactly, by one matrix product; where there are very many
rows, with those in the lists that are nearest (`vector_lists.py`).

A text that is longer than its encoder reads at once has a row for each of its parts, and is found by the best of them: the mean
of its parts would be near to every question. An entry with children is not encoded: its vector is the mean of theirs, brought to
unit length, as KohakuRAG has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import CorpusError
from pincite.models.text_parts import parts
from pincite.ports import Encoder, Scored, Searcher
from pincite.search.index.row_scores import Last, best
from pincite.search.index.vector_lists import AT_ONCE, VectorLists, open_lists, write_lists
from pincite.types import Entry

FILTERED = 2 / 3
"""The share of the rows that are looked at under a filter: in more lists, they hold as many of the nearest."""


@dataclass(frozen=True, slots=True)
class OfVectors:
    """An index over the vectors of `encoder`; what those have in common that search them each in their way."""

    encoder: Encoder

    def cut(self, entries: Iterable[Entry]) -> list[Entry]:
        """The entries with each that is longer than the encoder reads at once in its parts."""
        made: list[Entry] = []
        for entry in entries:
            pieces = parts(entry.text, self.encoder.spans, self.encoder.window)
            whole = len(pieces) == 1
            made += [entry] if whole else [replace(entry, text=text) for text, _ in pieces]
        return made

    def _vectors(
        self, entries: Sequence[Entry], leaves: NDArray[np.float32] | None
    ) -> NDArray[np.float32]:
        """One unit vector per entry; `leaves` are those of the entries without children already at hand, in their order."""
        texts = [entry.text for entry in entries if not entry.children]
        vectors = self.encoder.encode(texts, side="document") if leaves is None else leaves
        wanted, shape = (len(texts), self.encoder.dims), vectors.shape
        if shape != wanted:
            raise ValueError(f"{len(texts)} entries need vectors of shape {wanted}, got {shape}")
        if len(texts) < len(entries):
            vectors = averaged(entries, vectors)
        return np.ascontiguousarray(vectors, np.float32)

    def _sign(self, folder: Path) -> None:
        (folder / "encoder.json").write_text(json.dumps(self._identity()))

    def _refuse_other(self, folder: Path) -> None:
        wrote, now = json.loads((folder / "encoder.json").read_text()), self._identity()
        if wrote != now:
            raise CorpusError(
                f"The dense index was built with {_in_words(wrote)}, the encoder now is {_in_words(now)}: run `pincite index` on "
                "the corpus again."
            )

    def _identity(self) -> dict[str, str]:
        encoder = self.encoder
        window = str(encoder.window)
        return {"name": encoder.name, "revision": encoder.revision, "window": window}


def _in_words(identity: Mapping[str, str]) -> str:
    """An encoder in words; one that an older version wrote did not say how much it read at once, and cut what was longer."""
    read = identity.get("window")
    window = f"{read} tokens at once" if read else "longer texts cut"
    return f"{identity['name']} ({identity['revision']}, {window})"


@dataclass(frozen=True, slots=True)
class Dense(OfVectors):
    """Nearest neighbours by cosine over the vectors of `encoder`: exactly up to so many rows as `exact` says.

    Beyond, vectors are kept in half precision, and a search looks into the nearest lists until these hold `scored` rows, or
    two thirds as many that its filter admits: a filter that admits no more is exact.
    """

    exact: int = 50_000
    scored: int = 75_000

    def build(
        self, entries: Sequence[Entry], folder: Path, vectors: NDArray[np.float32] | None = None
    ) -> None:
        """Write one unit vector per entry into `folder`; `vectors` are those of entries without children at hand, in order."""
        self._write(self._vectors(entries, vectors), folder)

    def grow(
        self,
        entries: Sequence[Entry],
        folder: Path,
        before: Path,
        rows: NDArray[np.int64],
        vectors: NDArray[np.float32] | None = None,
    ) -> None:
        """Write into `folder` what `build` would, of `entries` and of rows that the index in `before` holds already.

        `rows[i]` is the row there that row i is, or -1 where it is the next of `entries`.
        """
        made = np.empty((len(rows), self.encoder.dims), np.float32)
        made[rows >= 0] = np.load(before / "vectors.npy", mmap_mode="r")[rows[rows >= 0]]
        made[rows < 0] = self._vectors(entries, vectors)
        self._write(made, folder)

    def _write(self, made: NDArray[np.float32], folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if len(made) > self.exact:
            halves = made.astype(np.float16)
            np.save(folder / "vectors.npy", halves)
            write_lists(halves, folder)
        else:
            np.save(folder / "vectors.npy", made)
        self._sign(folder)

    def open(self, folder: Path) -> Searcher:
        """Map the vectors that were written; an index of another encoder is refused."""
        self._refuse_other(folder)
        vectors = np.asarray(np.load(folder / "vectors.npy", mmap_mode="r"))
        return DenseSearcher(vectors, self.encoder, open_lists(folder), self.scored)


def averaged(entries: Sequence[Entry], leaves: NDArray[np.float32]) -> NDArray[np.float32]:
    """A unit vector for every entry: `leaves` for those without children, in their order, for the others the mean of their
    children's vectors.

    A node with several entries counts with each. Children whose mean is nothing give a row of zeros, which is never found.
    """
    made = np.zeros((len(entries), leaves.shape[1]), np.float32)
    rows: dict[str, list[int]] = {}
    for row, entry in enumerate(entries):
        rows.setdefault(entry.node, []).append(row)
    single = [row for row, entry in enumerate(entries) if not entry.children]
    made[single] = leaves
    done = set(single)

    def fill(row: int) -> None:
        done.add(row)
        under = [below for child in entries[row].children for below in rows.get(child, ())]
        for below in under:
            if below not in done:
                fill(below)
        mean = made[under].sum(axis=0)
        made[row] = mean / (np.linalg.norm(mean) or 1.0)

    for row in range(len(entries)):
        if row not in done:
            fill(row)
    return made


@dataclass(frozen=True, slots=True, eq=False)
class DenseSearcher:
    """Open vectors, (rows, dims) of unit length; where they are in `lists`, `scored` rows of the nearest are looked at."""

    vectors: NDArray[np.float32] | NDArray[np.float16]
    encoder: Encoder
    lists: VectorLists | None = None
    scored: int = 0
    encoded: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    last: Last = field(default_factory=Last)

    def search(
        self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None
    ) -> list[list[Scored]]:
        """For each text the `k` rows of highest cosine, best first; without lists all rows are scored that a filter admits."""
        if not texts or not len(self.vectors):
            return [[] for _ in texts]
        if self.lists is not None:
            return [self._listed(self.lists, query, k, only) for query in self.queries(texts)]
        if len(texts) == 1:
            return [best(self.last.of(texts[0], lambda text: self.score_all([text])[0]), k, only)]
        return [best(scores, k, only) for scores in self.score_all(texts)]

    def _listed(
        self,
        lists: VectorLists,
        query: NDArray[np.float32],
        k: int,
        only: NDArray[np.bool_] | None,
    ) -> list[Scored]:
        least = self.scored if only is None else int(FILTERED * self.scored)
        rows, scores = lists.nearest(query, k, least, only)
        return [Scored(int(rows[scored.row]), scored.score) for scored in best(scores, k)]

    def score_all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The cosine of every row with each text, (texts, rows)."""
        queries = self.queries(texts)
        if self.lists is None:
            return np.asarray(queries @ self.vectors.T, np.float32)
        parts = (
            queries @ self.vectors[at : at + AT_ONCE].astype(np.float32).T
            for at in range(0, len(self.vectors), AT_ONCE)
        )
        return np.concatenate(list(parts), axis=1)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of some queries, (queries, dims)."""
        if not texts:
            return np.empty((0, self.vectors.shape[1]), np.float32)
        # The same question is often asked of several filters in a row.
        new = [text for text in dict.fromkeys(texts) if text not in self.encoded]
        if len(self.encoded) + len(new) > 1000:
            self.encoded.clear()
            new = list(dict.fromkeys(texts))
        if new:
            self.encoded.update(zip(new, self.encoder.encode(new, side="query"), strict=True))
        return np.stack([self.encoded[text] for text in texts])
