"""When two names are the same, and how similar they are otherwise: case, accents, punctuation, plurals, typing slips."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer

from pincite.text.words import PLAIN_WORD

CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""Where a word begins in a name in camelCase."""
RUN = re.compile(r"\d+|[^\W\d_]+")
"""Digits in a row, or letters."""
_STEMMER = Stemmer.Stemmer("english")
_DIGITS_APART = re.compile(r"(?<=\d) (?=\d)")


def fold(text: str) -> str:
    """Words in lower case without accents, one blank between them; a text of signs alone stays as it is.

    "SAE-301, Annealed" gives "sae 301 annealed".
    """
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text)
        text = "".join(letter for letter in apart if not unicodedata.combining(letter))
    words = PLAIN_WORD.findall(text.casefold())
    return " ".join(words) or " ".join(text.split())


def stems(text: str) -> str:
    """`fold` with every word stemmed (Snowball's English), so that a plural and its singular are the same."""
    return " ".join(map(_stem, fold(text).split()))


def key(text: str) -> str:
    """What two names share that are the same: their stems without blanks, save between digits.

    "SAE 301", "sae-301" and "SAE301" have one key; "1 23" and "12 3" have not.
    """
    return joined(stems(text))


def joined(stemmed: str) -> str:
    """The `key` of a text whose `stems` these are."""
    return _DIGITS_APART.sub("_", stemmed).replace(" ", "")


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return _STEMMER.stemWord(word) if word.isalpha() else word


def similarity(first: str, other: str) -> float:
    """1 less the share of letters to change, in [0, 1]; letters swapped are one change.

    The distance is optimal string alignment (Damerau, 1964) over the longer of the two lengths.
    """
    longer = max(len(first), len(other))
    return 1 - distance(first, other) / longer if longer else 1.0


def distance(first: str, other: str) -> int:
    """How many letters are inserted, deleted, replaced or swapped with the next to make `other` of `one`."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(first, 1):
        last, before, row = before, row, [i]
        for j, facing in enumerate(other, 1):
            cost = min(row[j - 1] + 1, before[j] + 1, before[j - 1] + (letter != facing))
            if i > 1 and j > 1 and letter == other[j - 2] and first[i - 2] == facing:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
