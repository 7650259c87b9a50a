"""Whether the text layer of a page says what the page shows, told from the letters alone.

A font without a map from glyphs to characters, or with a wrong one, gives a text that looks right on paper and is noise to a
search: unknown or private characters, or letters exchanged for others. In a language written in Latin letters, letters
follow each other by habit; a mean cost per pair that no written language has gives the noise away.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

SHORTEST = 3
"""Shorter words say little: abbreviations and symbols."""
ENOUGH = 60
"""Pairs of letters below which nothing is told."""
NOISE = 3.5
"""A mean cost above this is no language: English lies near 2.4, Finnish and Polish near 3.2, exchanged letters above 3.7."""
UNKNOWN_SHARE = 0.2
"""So large a share of characters that are unknown or of private use makes a text noise."""

_WORD = re.compile(rf"[^\W\d_]{{{SHORTEST},}}")
_PRIVATE = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")


def coded(word: str) -> NDArray[np.int64]:
    """A word of the letters a to z as numbers from 1, with 0 at both ends."""
    return np.frombuffer(f"`{word}`".encode("ascii"), dtype=np.uint8).astype(np.int64) - 96


def illegible(text: str) -> str:
    """Why a page's text is noise, in words; empty when it is not, or when there is too little to tell."""
    shown = sum(not one.isspace() for one in text)
    private = len(_PRIVATE.findall(text))
    if shown and private >= ENOUGH // 4 and private / shown > UNKNOWN_SHARE:
        return "characters that the font does not name"
    cost, pairs = _cost(text)
    return "letters exchanged for others" if pairs >= ENOUGH and cost > NOISE else ""


def _cost(text: str) -> tuple[float, int]:
    """The mean cost of the pairs of letters of a text's words in Latin letters, accents off, and how many pairs there are."""
    apart = unicodedata.normalize("NFKD", text)
    plain = "".join(one for one in apart if not unicodedata.combining(one)).lower()
    words = [word for word in _WORD.findall(plain) if word.isascii()]
    if not words:
        return 0.0, 0
    codes = coded("`".join(words))
    pairs = len(codes) - 1
    return float(_table()[codes[:-1], codes[1:]].sum()) / pairs, pairs


@lru_cache(maxsize=1)
def _table() -> NDArray[np.float64]:
    data = json.loads((files("pincite") / "data" / "bigrams.json").read_text(encoding="utf-8"))
    return np.array(data, dtype=np.float64) / 100
