"""The judge of evidence: how likely a place answers a question, by a small cross-encoder that reads both together.

`scripts/judge/` trains it from the weights of the built-in encoder; pincite/data/judge/SOURCE.md says on what. It reads
what stands there and what is asked, never who proposed the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.evidence.place import Place, pair
from pincite.models import shipped
from pincite.models.encoder import tokenizer

# sha256 of the file in pincite/data/judge, as scripts/judge/export.py prints it
MODEL = "1e5eacd8ef65e053bb5b4d6a5a0a9c6fff52d0a55e9c0d80a8be9b3d739b1b69"


@dataclass(frozen=True, slots=True)
class Judge:
    """The shipped judge. What it says of a place depends on question and place alone, never on the others of the same call.

    `threads` pairs are read at a time; 0 takes the environment's PINCITE_THREADS, or else every core.
    """

    threads: int = field(default=0, compare=False, repr=False)

    def odds(self, question: str, places: Sequence[Place]) -> NDArray[np.float32]:
        """The log-odds that each place answers `question`; PinciteError when the installed model is damaged."""
        made = np.empty(len(places), np.float32)
        session = _load()

        def fill(i: int) -> None:
            asked, there = (text.encode(errors="replace").decode() for text in pair(question, places[i]))
            read = tokenizer().encode(asked, there)
            given = {"ids": np.array([read.ids], np.int64), "types": np.array([read.type_ids], np.int64)}
            made[i] = session.run(None, given)[0][0, 0]

        if len(places) < 2:
            for i in range(len(places)):
                fill(i)
            return made
        # a pool per call keeps no thread alive, so the process can fork between calls
        with ThreadPoolExecutor(self.threads or shipped.threads()) as pool:
            for _ in pool.map(fill, range(len(places))):
                pass
        return made


@cache
def _load() -> Any:
    """The session, made once in a process."""
    return shipped.session(shipped.content("judge", "model.onnx", MODEL))
