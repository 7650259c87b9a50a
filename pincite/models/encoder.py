"""The built-in text encoder: all-MiniLM-L6-v2, read from the package's own data, on onnxruntime and no network."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pincite.models import shipped
from pincite.models.text_parts import encodable, read_whole
from pincite.ports import Side

if TYPE_CHECKING:
    from numpy.typing import NDArray

# sha256 of the two files in pincite/data/minilm, as scripts/build_encoder.py prints them
MODEL = "3366a329af4da398be6d5ecce5080fc58400b8e0b282a5530f784ba564846fcd"
TOKENIZER = "5fd1c882abbd30517dced455a2c9768945ec726b96727927e4959348d9de550b"


@dataclass(frozen=True, slots=True)
class MiniLM:
    """all-MiniLM-L6-v2 with int8 weights: 384 dimensions, mean pooling, no prompt for either side.

    It reads 254 tokens at once, between two marks (about 190 words of English prose, fewer of tables), and a longer text in
    parts. The vector of a text depends on that text alone, never on the others of the same call. `threads` texts are encoded
    at a time; 0 takes the environment's PINCITE_THREADS, or else every core.
    """

    name: ClassVar[str] = "all-MiniLM-L6-v2"
    revision: ClassVar[str] = f"int8-{MODEL[:8]}-{TOKENIZER[:8]}"
    dims: ClassVar[int] = 384
    window: ClassVar[int] = 254
    languages: ClassVar[tuple[str, ...]] = ("en",)

    threads: int = field(default=0, compare=False, repr=False)

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode `texts` as the unit rows of an (n, 384) array; PinciteError when the installed model is damaged."""
        rows = np.empty((len(texts), self.dims), np.float32)
        if not texts:
            return rows
        _load(), tokenizer()  # once, and not by several threads

        def fill(i: int) -> None:
            ids = _ids(texts[i])
            if len(ids) <= self.window + 2:
                rows[i] = _row(ids)
            else:
                rows[i] = read_whole(texts[i : i + 1], self.spans, self.window, _rows)[0]

        if len(texts) == 1:
            fill(0)
            return rows
        # a pool per call keeps no thread alive, so the process can fork between calls
        with ThreadPoolExecutor(self.threads or shipped.threads()) as pool:
            list(pool.map(fill, range(len(texts))))
        return rows

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The [start, end) of every token of `text`, of which 254 are read at once."""
        made = tokenizer().encode(encodable(text), add_special_tokens=False)
        return [(start, end) for start, end in made.offsets]


def _ids(text: str) -> list[int]:
    """All tokens of a text, between two marks."""
    ids: list[int] = tokenizer().encode(encodable(text)).ids
    return ids


def _row(ids: Sequence[int]) -> NDArray[np.float32]:
    """The vector of the text with these tokens."""
    row: NDArray[np.float32] = _load().run(None, {"ids": np.array([ids], np.int64)})[0][0]
    return row


def _rows(texts: Sequence[str]) -> NDArray[np.float32]:
    """The vectors of the parts of a text. Of a part that is one word, and still too long, the beginning is read."""
    most = MiniLM.window + 2
    several = map(_ids, texts)
    cut = (ids if len(ids) <= most else [*ids[: most - 1], ids[-1]] for ids in several)
    return np.stack(list(map(_row, cut)))


@cache
def tokenizer() -> Any:
    """The tokenizer, which cuts nothing off."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(shipped.content("minilm", "tokenizer.json", TOKENIZER).decode())
    tokenizer.no_truncation()
    return tokenizer


@cache
def _load() -> Any:
    """The session, made once in a process.

    One text is one run on one thread: as fast as batches are on a CPU, without padding, and an int8 layer scales its
    input by the largest value of its whole batch, so that in a batch the neighbours of a text would change its vector.
    """
    return shipped.session(shipped.content("minilm", "model.onnx", MODEL))
