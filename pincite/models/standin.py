"""What takes the place of a cross-encoder where none is at hand, and says so in its spelling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.ports import Encoder


@dataclass(frozen=True, slots=True)
class StandInScorer:
    """A PairScorer of an encoder: (1 + cosine of query and text) / 2. It knows no more than a dense search does."""

    encoder: Encoder

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score in [0, 1] per text."""
        if not texts:
            return []
        asked = self.encoder.encode([query], side="query")[0]
        cosines = self.encoder.encode(texts, side="document") @ asked
        return [min(max((1 + float(cosine)) / 2, 0.0), 1.0) for cosine in cosines]
