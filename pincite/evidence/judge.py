"""The judge of evidence: how likely a place answers a question, by a small cross-encoder that reads both together.

`scripts/judge/` trains it from the weights of the built-in encoder; pincite/data/judge/SOURCE.md says on what. It reads the
place and the question, and does not know who proposed the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import exp
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pincite.evidence.judge_input import Place, pair
from pincite.models import shipped
from pincite.models.encoder import tokenizer

# sha256 of the file in pincite/data/judge, as scripts/judge/export.py prints it
MODEL = "c61bfb41b0d7a28d9b7c0c61a085658156208f1bb6b0a3d795ce6a452c5984d7"
THRESHOLD = -4.5
"""The log-odds from which a place counts as one that answers: below lie 1% of the right places of near misses, and 2% of those
in other words.
"""
KNOWN = 16_384
"""So many verdicts are kept: a place is judged when candidates are ordered, and again when the answer is checked."""


@dataclass(frozen=True, slots=True)
class Judge:
    """The shipped judge. What it says of a place depends on question and place alone, never on the others of the same call.

    `threads` pairs are read at a time; 0 takes the environment's PINCITE_THREADS, or else every core.
    """

    threshold: ClassVar[float] = THRESHOLD
    threads: int = field(default=0, compare=False, repr=False)

    def odds(self, question: str, places: Sequence[Place]) -> NDArray[np.float32]:
        """The log-odds that each place answers `question`; PinciteError when the installed model is damaged."""
        pairs = [pair(question, place) for place in places]
        if len(pairs) < 2:
            return np.array([_odds(*each) for each in pairs], np.float32)
        # a pool per call keeps no thread alive, so the process can fork between calls
        with ThreadPoolExecutor(self.threads or shipped.threads()) as pool:
            return np.array(list(pool.map(_odds, *zip(*pairs, strict=True))), np.float32)


def likelihood(odds: float) -> float:
    """The logistic function: the chance that log-odds mean."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, odds))))


@lru_cache(maxsize=KNOWN)
def _odds(asked: str, there: str) -> float:
    read = tokenizer().encode(_whole(asked), _whole(there))
    given = {"ids": np.array([read.ids], np.int64), "types": np.array([read.type_ids], np.int64)}
    return float(_load().run(None, given)[0][0, 0])


def _whole(text: str) -> str:
    """`text` without halves of surrogate pairs, which a damaged document may hold and the tokenizer does not take."""
    return text.encode(errors="replace").decode()


@cache
def _load() -> Any:
    """The session, made once in a process."""
    return shipped.session(shipped.content("judge", "model.onnx", MODEL))
