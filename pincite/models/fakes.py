"""Models for tests: deterministic, instant, and close enough to the real thing to be found with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar
from zlib import crc32

import numpy as np

from pincite.ports import Side

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class HashEncoder:
    """Bags of words hashed into `dims` signed counts, as unit rows: texts that share words are near each other.

    Feature hashing, Weinberger et al. 2009 (arXiv:0902.2206). A text without words gives the first unit vector.
    """

    dims: int = 64
    max_tokens: int = 256
    revision: ClassVar[str] = "1"

    @property
    def name(self) -> str:
        """Tells apart vectors that the parameters make different."""
        return f"hash-{self.dims}-{self.max_tokens}"

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode the first `max_tokens` words of each text as the unit rows of an (n, dims) array."""
        rows = np.zeros((len(texts), self.dims), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower())[: self.max_tokens]:
                bucket = crc32(word.encode())
                row[(bucket >> 1) % self.dims] += 1 if bucket & 1 else -1
            if not row.any():
                row[0] = 1
            row /= np.linalg.norm(row)
        return rows
