"""Dense retrieval: the cosine of the query's vector with every row's, exactly, by one matrix product."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import CorpusError
from pincite.index.lexical import best
from pincite.ports import Encoder, Scored
from pincite.types import Entry


@dataclass(frozen=True, slots=True)
class Dense:
    """Exact nearest neighbours by cosine over the vectors of `encoder`."""

    encoder: Encoder

    def build(self, entries: Sequence[Entry], folder: Path, vectors: NDArray[np.float32] | None = None) -> None:
        """Write one unit vector per entry into `folder`; `vectors` are those already at hand, in the order of
        entries.
        """
        if vectors is None:
            vectors = self.encoder.encode([entry.text for entry in entries], side="document")
        if vectors.shape != (len(entries), self.encoder.dims):
            wanted = len(entries), self.encoder.dims
            raise ValueError(f"{len(entries)} entries need vectors of shape {wanted}, got {vectors.shape}")
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "vectors.npy", np.ascontiguousarray(vectors, np.float32))
        (folder / "encoder.json").write_text(json.dumps(self._identity()))

    def open(self, folder: Path) -> DenseSearcher:
        """Map the vectors that `build` wrote; an index of another encoder is refused."""
        wrote = json.loads((folder / "encoder.json").read_text())
        if wrote != self._identity():
            raise CorpusError(
                f"The dense index was built with {wrote['name']} ({wrote['revision']}), the encoder now is "
                f"{self.encoder.name} ({self.encoder.revision}): run `pincite index` on the corpus again."
            )
        return DenseSearcher(np.load(folder / "vectors.npy", mmap_mode="r"), self.encoder)

    def _identity(self) -> dict[str, str]:
        return {"name": self.encoder.name, "revision": self.encoder.revision}


@dataclass(frozen=True, slots=True, eq=False)
class DenseSearcher:
    """Open vectors, (rows, dims) float32 of unit length."""

    vectors: NDArray[np.float32]
    encoder: Encoder
    encoded: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def search(self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None) -> list[list[Scored]]:
        """For each text the `k` rows of highest cosine, best first; a filter is exact: all rows it admits are
        scored.
        """
        if not texts or not len(self.vectors):
            return [[] for _ in texts]
        # The same question is often asked of several filters in a row.
        new = [text for text in dict.fromkeys(texts) if text not in self.encoded]
        if len(self.encoded) + len(new) > 1000:
            self.encoded.clear()
            new = list(dict.fromkeys(texts))
        if new:
            self.encoded.update(zip(new, self.encoder.encode(new, side="query"), strict=True))
        queries = np.stack([self.encoded[text] for text in texts])
        return [best(scores, k, only) for scores in queries @ self.vectors.T]
