"""Whether the text layer of a page says what the page shows, judged by the letters alone.

A font without a map from glyphs to characters, or with a wrong one, gives a text that looks right on paper and is noise to a
search: unknown or private characters, the names of glyphs, letters exchanged for others, words written backwards, or no
spaces. In a language written in Latin letters, letters follow each other by habit; a mean cost per pair that no written
language has gives the noise away.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

SHORTEST = 3  # shorter words say little: abbreviations and symbols
ENOUGH = 60  # pairs of letters below which nothing is told
NOISE = 3.5
"""A mean cost above this is no language: English lies near 2.4, Finnish and Polish near 3.2, exchanged letters above 3.7."""
UNKNOWN_SHARE = 0.2  # share of unknown or private characters that makes a text noise

NOISY_SHARE = 0.3  # share of noise that makes a page illegible whose other fonts are in order
PART = 240  # pairs of letters that are judged together to find the noise of one font among others
BACKWARDS = 0.25  # words written backwards cost so much less from their ends; in any language more
LONG = 20  # letters of a word that hardly any language has but in compounds
TOGETHER = 0.4  # so large a share of letters in long words is a text without its spaces
APART = 0.7  # so large a share of words of one letter is a text with spaces between its letters

_WORD = re.compile(rf"[^\W\d_]{{{SHORTEST},}}")
_LETTERS = re.compile(r"[^\W\d_]+")
_PRIVATE = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")
_GLYPH = re.compile(r"\(cid:\d{1,5}\)|/(?:[a-zA-Z]{1,3}\d{1,5}|uni[0-9A-F]{4,6})(?![\w/.-]*[.]\w)")


def coded(word: str) -> NDArray[np.int64]:
    """A word of the letters a to z as numbers from 1, with 0 at both ends."""
    return np.frombuffer(f"`{word}`".encode("ascii"), dtype=np.uint8).astype(np.int64) - 96


def illegible(text: str) -> str:
    """Why a page's text is noise, in words; empty when it is not, or when there is too little to tell."""
    shown = sum(not character.isspace() for character in text)
    private, glyphs = len(_PRIVATE.findall(text)), _GLYPH.findall(text)
    if private >= ENOUGH // 4 and private / shown > UNKNOWN_SHARE:
        return "characters that the font does not name"
    if len(glyphs) >= ENOUGH // 4 and sum(map(len, glyphs)) > NOISY_SHARE * shown:
        return "names of glyphs instead of letters"
    return _spacing(text) or _letters(text)


def _letters(text: str) -> str:
    """Says that letters follow each other as in no language, or as in one read backwards."""
    codes = _codes(text)
    costs = _table()[codes[:-1], codes[1:]]
    if len(costs) < ENOUGH:
        return ""
    parts = [float(part.mean()) for part in np.array_split(costs, max(1, len(costs) // PART))]
    noisy = sum(cost > NOISE for cost in parts)
    if costs.mean() > NOISE or noisy > max(1, NOISY_SHARE * len(parts)):
        return "letters exchanged for others"
    backwards = _table()[codes[1:], codes[:-1]]
    return "words written backwards" if costs.mean() > backwards.mean() + BACKWARDS else ""


def _spacing(text: str) -> str:
    """What is wrong with the spaces between words in Latin letters, in words; empty when nothing is."""
    lengths = np.array([len(word) for word in _LETTERS.findall(text) if word[0] < "\u0250"])
    if lengths.sum() < 2 * ENOUGH:
        return ""
    if lengths[lengths >= LONG].sum() > TOGETHER * lengths.sum():
        return "no spaces between words"
    apart = (lengths == 1).sum() > max(ENOUGH, APART * len(lengths))
    return "spaces between the letters of words" if apart else ""


def _codes(text: str) -> NDArray[np.int64]:
    """A text's words in Latin letters, accents off, one after the other as numbers, with 0 at the ends of each."""
    plain = text
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text)
        plain = "".join(character for character in apart if not unicodedata.combining(character))
    return coded("`".join(word for word in _WORD.findall(plain.lower()) if word.isascii()))


@lru_cache(maxsize=1)
def _table() -> NDArray[np.float64]:
    data = json.loads((files("pincite") / "data" / "bigrams.json").read_text(encoding="utf-8"))
    return np.array(data, dtype=np.float64) / 100
