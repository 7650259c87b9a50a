"""Stand-ins for a cross-encoder where none is available; their spelling says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from pincite.models.text_parts import parts
from pincite.ports import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT = 50_000
"""Vectors that are kept for texts that other questions bring up again: 77 MB of them at 384 dimensions."""


@dataclass(frozen=True, slots=True)
class StandInScorer:
    """A PairScorer of an encoder: (1 + cosine of query and text) / 2. It knows no more than a dense search does.

    A text that is longer than the encoder reads at once counts as the best of its parts.
    """

    encoder: Encoder

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score in [0, 1] per text."""
        if not texts:
            return []
        asked = self.encoder.encode([query], side="query")[0]
        cut = [
            [part for part, _ in parts(text, self.encoder.spans, self.encoder.window)]
            for text in texts
        ]
        known, wanted = _vectors(self.encoder), dict.fromkeys(chain.from_iterable(cut))
        missing = [part for part in wanted if part not in known]
        if len(known) + len(missing) > KEPT:
            known.clear()
            missing = list(wanted)
        if missing:
            known.update(zip(missing, self.encoder.encode(missing, side="document"), strict=True))
        best = [max(float(known[part] @ asked) for part in pieces) for pieces in cut]
        return [min(max((1 + cosine) / 2, 0.0), 1.0) for cosine in best]


@lru_cache(maxsize=2)
def _vectors(encoder: Encoder) -> dict[str, NDArray[np.float32]]:
    """The vectors of an encoder's texts so far: a question's candidates are often another's too."""
    return {}


@dataclass(frozen=True, slots=True)
class OverlapScorer:
    """A PairScorer that counts: the share of the query's different words that a text holds; 0 for a query without words."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score in [0, 1] per text."""
        words = set(re.findall(r"\w+", query.lower()))
        held = [set(re.findall(r"\w+", text.lower())) for text in texts]
        return [len(words & found) / max(1, len(words)) for found in held]
