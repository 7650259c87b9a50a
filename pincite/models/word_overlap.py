"""A scorer that only counts words: the stand-in for a cross-encoder named `overlap`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OverlapScorer:
    """A PairScorer that counts: the share of the query's different words that a text holds; 0 for a query without words."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score in [0, 1] per text."""
        words = set(re.findall(r"\w+", query.lower()))
        return [
            len(words & set(re.findall(r"\w+", text.lower()))) / max(1, len(words))
            for text in texts
        ]
