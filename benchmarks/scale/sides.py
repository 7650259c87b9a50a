"""The engines that are compared, each over the same windows: ours, bm25s for words, faiss for meaning."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.index.dense import Dense
from pincite.index.ivfpq import IVFPQ
from pincite.index.lexical import Lexical
from pincite.index.term_counts import BLOCK, CountedTerms, block, counted_terms, joined
from pincite.index.term_digests import digests
from pincite.models.encoder import MiniLM
from pincite.types import Entry

PROBES = 40
"""Lists that faiss looks into: as many rows as our search does."""


ALONE, PROCESSES = 100_000, 6
"""More rows than this are counted by so many processes: `build` itself counts the same blocks one after the other."""


def _counted(entries: Sequence[Entry], first: int) -> CountedTerms:
    return block(entries[first : first + BLOCK], first, False)


class Side:
    """An engine in a folder. What it does not do gives False when it is built and None when it is asked."""

    name = ""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.only: NDArray[np.bool_] | None = None

    def build_words(self, entries: Sequence[Entry]) -> bool:
        return False

    def build_meaning(self, vectors: NDArray[np.float32]) -> bool:
        return False

    def open(self) -> None: ...

    def admit(self, only: NDArray[np.bool_] | None) -> None:
        self.only = only

    def words(self, text: str, k: int) -> list[int] | None:
        return None

    def meaning(self, text: str, vector: NDArray[np.float32], k: int) -> list[int] | None:
        return None


class Ours(Side):
    name = "ours"

    def build_words(self, entries: Sequence[Entry]) -> bool:
        if len(entries) <= ALONE:
            Lexical().build(entries, self.folder / "words")
            return True
        with ProcessPoolExecutor(PROCESSES) as pool:
            blocks = pool.map(partial(_counted, entries), range(0, len(entries), BLOCK))
            Lexical().write(joined(list(blocks)), self.folder / "words")
        return True

    def build_meaning(self, vectors: NDArray[np.float32]) -> bool:
        Dense(MiniLM()).build(Blank(len(vectors)), self.folder / "meaning", vectors)
        return True

    def open(self) -> None:
        if (self.folder / "words").is_dir():
            self.searched = Lexical().open(self.folder / "words")
        self.near: Any = self._dense().open(self.folder / "meaning")

    def _dense(self) -> Any:
        return Dense(MiniLM())

    def words(self, text: str, k: int) -> list[int] | None:
        self.searched.last.held = None  # or the second turn would be none
        return [hit.row for hit in self.searched.search([text], k, self.only)[0]]

    def meaning(self, text: str, vector: NDArray[np.float32], k: int) -> list[int] | None:
        self.near.encoded[text], self.near.last.held = vector, None
        return [hit.row for hit in self.near.search([text], k, self.only)[0]]


class OursPQ(Ours):
    name = "ivfpq"

    def build_words(self, entries: Sequence[Entry]) -> bool:
        return False

    def build_meaning(self, vectors: NDArray[np.float32]) -> bool:
        IVFPQ(MiniLM()).build(Blank(len(vectors)), self.folder / "meaning", vectors)
        return True

    def _dense(self) -> Any:
        return IVFPQ(MiniLM(), probes=PROBES)

    def words(self, text: str, k: int) -> list[int] | None:
        return None

    def meaning(self, text: str, vector: NDArray[np.float32], k: int) -> list[int] | None:
        self.near.centroids.encoded[text] = vector
        return [hit.row for hit in self.near.search([text], k, self.only)[0]]


class Blank(Sequence[Entry]):
    """Entries whose texts nobody reads, since their vectors are at hand."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, at: Any) -> Any:
        if at >= self.count:
            raise IndexError
        return Entry("", "window", "")


class BM25s(Side):
    """bm25s over our terms: it is given numbers for them, and its own arithmetic and search are measured."""

    name = "bm25s"

    def build_words(self, entries: Sequence[Entry]) -> bool:
        import bm25s

        postings = counted_terms(entries, False).postings  # not part of it, but what it needs
        terms = {digest: at for at, digest in enumerate(postings.vocabulary.tolist())}
        lists = [
            [terms[digest] for digest in digests(entry.text, False, ("en",)).tolist()]
            for entry in entries
        ]
        index = bm25s.BM25(k1=0.9, b=0.4, method="lucene")
        named = {str(digest): at for digest, at in terms.items()}
        index.index((lists, named), show_progress=False)
        index.save(self.folder / "words", show_progress=False)
        np.save(self.folder / "words" / "digests.npy", postings.vocabulary)
        return True

    def open(self) -> None:
        import bm25s

        self.index = bm25s.BM25.load(self.folder / "words", mmap=True, show_progress=False)
        self.digests = np.load(self.folder / "words" / "digests.npy")

    def words(self, text: str, k: int) -> list[int] | None:
        asked = digests(text, False, ("en",))
        at = np.searchsorted(self.digests, asked).clip(0, len(self.digests) - 1)
        known = at[self.digests[at] == asked]
        mask = None if self.only is None else self.only.astype(np.float32)
        scores = self.index.get_scores_from_ids(known.tolist(), weight_mask=mask)
        import bm25s.selection

        _, rows = bm25s.selection.topk(scores, k=min(k, len(scores)), backend="numpy", sorted=True)
        return rows.tolist()


class Faiss(Side):
    """Lists of int8 vectors, as ours are."""

    name = "faiss"

    def build_meaning(self, vectors: NDArray[np.float32]) -> bool:
        import faiss

        count, dims = vectors.shape
        lists = 2 * math.isqrt(count)
        index = self._index(faiss, faiss.IndexFlatIP(dims), dims, lists)
        index.cp.niter, index.cp.max_points_per_centroid, index.cp.min_points_per_centroid = (
            10,
            32,
            1,
        )
        index.train(vectors)
        index.add(vectors)
        (self.folder / "meaning").mkdir(exist_ok=True)
        faiss.write_index(index, str(self.folder / "meaning" / "index.faiss"))
        return True

    def _index(self, faiss: Any, coarse: Any, dims: int, lists: int) -> Any:
        kind = faiss.ScalarQuantizer.QT_8bit
        return faiss.IndexIVFScalarQuantizer(coarse, dims, lists, kind, faiss.METRIC_INNER_PRODUCT)

    def open(self) -> None:
        import faiss

        faiss.omp_set_num_threads(1)
        self.index = faiss.read_index(str(self.folder / "meaning" / "index.faiss"))

    def meaning(self, text: str, vector: NDArray[np.float32], k: int) -> list[int] | None:
        import faiss

        wanted: dict[str, Any] = {"nprobe": PROBES}
        if self.only is not None:
            bits = np.packbits(self.only, bitorder="little")
            chosen = faiss.IDSelectorBitmap(len(self.only), faiss.swig_ptr(bits))
            share = max(self.only.mean(), 1e-6)
            wanted = {"nprobe": min(int(PROBES / share), self.index.nlist), "sel": chosen}
        asked = np.ascontiguousarray(vector[None])
        _, rows = self.index.search(asked, k, params=faiss.SearchParametersIVF(**wanted))
        return [row for row in rows[0].tolist() if row >= 0]


class FaissPQ(Faiss):
    """Lists of product-quantised vectors, 48 bytes each, as IVFPQ has them."""

    name = "faisspq"

    def _index(self, faiss: Any, coarse: Any, dims: int, lists: int) -> Any:
        return faiss.IndexIVFPQ(coarse, dims, 2 * lists, dims // 8, 8, faiss.METRIC_INNER_PRODUCT)


class FaissFlat(Faiss):
    """All vectors, exactly."""

    name = "faissflat"

    def build_meaning(self, vectors: NDArray[np.float32]) -> bool:
        import faiss

        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(vectors)
        (self.folder / "meaning").mkdir(exist_ok=True)
        faiss.write_index(index, str(self.folder / "meaning" / "index.faiss"))
        return True

    def meaning(self, text: str, vector: NDArray[np.float32], k: int) -> list[int] | None:
        import faiss

        more: dict[str, Any] = {}
        if self.only is not None:
            bits = np.packbits(self.only, bitorder="little")
            chosen = faiss.IDSelectorBitmap(len(self.only), faiss.swig_ptr(bits))
            more["params"] = faiss.SearchParameters(sel=chosen)
        _, rows = self.index.search(np.ascontiguousarray(vector[None]), k, **more)
        return [row for row in rows[0].tolist() if row >= 0]


SIDES: dict[str, Callable[[Path], Side]] = {
    side.name: side for side in (Ours, OursPQ, BM25s, Faiss, FaissPQ, FaissFlat)
}
