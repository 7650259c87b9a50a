"""Content words of a question or a label, as stems that can be compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from pincite.text.gloss import concept, stemmed_as
from pincite.text.language import languages
from pincite.text.lexicon import word_set

STOP = word_set("document", "stop words")
"""Words that say nothing of the subject. Reading keeps them where a label is compared as a phrase."""

PLAIN_WORD = re.compile(r"[^\W_]+")
"""Letters and digits in a row."""
DOTTED = r"(?<![\w.])(?:[^\W\d_]{1,2}\.){2,}"
"""Letters with a point behind each ("U.S.", "Ph.D."), which are one word."""
_WORD = re.compile(rf"{DOTTED}|\d+(?:[.,]\d+)*%?|[^\W\d_]+(?:\d+)?(?:['’](?!s\b)[^\W\d_]+)?|%")


@lru_cache(maxsize=4)
def _stemmer(name: str) -> Any:
    from Stemmer import Stemmer

    return Stemmer(name)


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    if word[0].isdigit():
        return word.replace(",", "")
    if english := concept(word):
        word = english
    elif code := stemmed_as(word):
        return str(_stemmer(languages()[code].stemmer).stemWord(word))
    return str(_stemmer("english").stemWord(word))


def tokens(text: str) -> list[str]:
    """Every word of `text`, lower-cased, in order, without possessives; numbers stay whole ("1,234.5%"), and "U.S." is "us"."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("’s ", " ").replace("'s ", " ")
    found = _WORD.findall(plain)
    return [word.replace(".", "") if word[-1] == "." else word for word in found]


def stems(text: str) -> list[str]:
    """The stems of every word of `text`, stop words included: what two phrases share in order."""
    return [_stem(word) for word in tokens(text)]


def words(text: str) -> list[str]:
    """The stems of the content words of `text`, in order; numbers lose their thousands separators."""
    return list(_words(text))


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    # readers compare the same few headers and labels with each other thousands of times
    return tuple(_stem(word) for word in tokens(text) if word not in STOP)


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a name in lower case, as `PLAIN_WORD` cuts them."""
    return tuple(PLAIN_WORD.findall(text.casefold()))


def runs_in(part: str, text: str) -> bool:
    """Whether the words of a part stand in a text one after another; a part without words stands in none."""
    wanted, there = tokens(part), tokens(text)
    starts = range(len(there) - len(wanted) + 1) if wanted else ()
    return any(there[at : at + len(wanted)] == wanted for at in starts)
