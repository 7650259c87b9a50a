"""From the scores of an index's rows to the best of them: what every kind of index ends a search with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.ports import Scored


@dataclass(slots=True)
class Last:
    """The scores of the text that was searched for last: the same question is often asked of several filters in a row."""

    held: tuple[str, NDArray[np.float32]] | None = None

    def of(self, text: str, scores: Callable[[str], NDArray[np.float32]]) -> NDArray[np.float32]:
        """The scores of a text, worked out by `scores` where it was not the last; not to be written to."""
        held = self.held
        if held is None or held[0] != text:
            held = self.held = text, scores(text)
        return held[1]


def best(scores: NDArray[Any], k: int, only: NDArray[np.bool_] | None = None) -> list[Scored]:
    """The `k` highest scores that are not 0 among the rows that `only` admits, best first, equal ones in row order."""
    found = np.flatnonzero(scores != 0 if only is None else only & (scores != 0))
    if len(found) > k:
        values = scores[found]
        kth = np.partition(values, -k)[-k] if k else np.inf
        found = found[values >= kth]
    ordered = found[np.argsort(-scores[found], kind="stable")][:k]
    return list(map(Scored, ordered.tolist(), scores[ordered].tolist()))
