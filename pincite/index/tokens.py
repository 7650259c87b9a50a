"""Text to index terms: numbers stay whole, words are stemmed, stop words and table delimiters never become terms.

Used for documents and queries alike. Stems are Snowball's (Porter, "Snowball: a language for stemming algorithms", 2001), those
of the language that a text is written in; stop words of other languages than English are their words of grammar, and their stems
lose accents and rings.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from pincite.language import ENGLISH, languages
from pincite.lexicon import word_set

if TYPE_CHECKING:
    import Stemmer

_TERM = re.compile(
    r"""
      [^\W\d_]{2,}+(?!\d|-\d)                      # most words, at once
    | \d+(?:[.,]\d+)+%?                            # 12.5  1,234.5  85.5%
    | \d+%                                         # 85%
    | (?:[^\W\d_]\.){2,}[^\W\d_]?(?![^\W_])        # u.s.  p.m.
    | [^\W\d_]+-\d+(?:\.\d+)*(?:[^\W\d_]+(?![^\W_]))?   # gpt-3.5  covid-19  falcon-40b
    | \d+-[^\W\d_](?![^\W_])                       # 10-k  10-q  8-k
    | [^\W_]+                                      # words, tco2e, 2019, fy2018
    """,
    re.VERBOSE,
)
_YEAR = re.compile(r"(?:fy|cy|h[12]|q[1-4])?((?:19|20)\d\d)(?:q[1-4])?")

STOP_WORDS = word_set("index", "stop words")


def tokens(text: str, code: str = ENGLISH, asked_in: str = "") -> list[str]:
    """The terms of a text in order: lower-cased, stemmed as the language `code`, without its stop words.

    "85.5%", "12.5", "1,234.5", "tCO2e" and "GPT-3" are one term each; a fiscal year as in "FY2018" or "2023Q2" also
    gives its plain year, right after it. Compatibility characters are folded first (a subscript 2 is a 2, a
    ligature its letters). A question in the language `asked_in` loses the stop words of that one as well.
    """
    made = _terms(code)
    words = _words(text)
    if asked_in and asked_in != code:
        stop = stop_words(asked_in)
        words = [word for word in words if word not in stop]
    return [term for word in words for term in made[word]]


def stop_words(code: str) -> frozenset[str]:
    """The words of a language that are no terms."""
    return STOP_WORDS if code == ENGLISH else languages()[code].words


def _words(text: str) -> list[str]:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _TERM.findall(text.lower())


@cache
def _stemmer(code: str) -> Stemmer.Stemmer:
    import Stemmer

    return Stemmer.Stemmer(languages()[code].stemmer)


class _Cache(dict[str, tuple[str, ...]]):
    """Word -> its terms in one language, computed once; emptied when it has grown past what a vocabulary needs."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self.code = code

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) > 500_000:
            self.clear()
        self[word] = made = _analyse(word, self.code)
        return made


def _analyse(word: str, code: str) -> tuple[str, ...]:
    if word in stop_words(code):
        return ()
    if word.isalpha():
        stem = _stemmer(code).stemWord(word)
        return (stem if code == ENGLISH or stem.isascii() else _unmarked(stem),)
    year = _YEAR.fullmatch(word)
    if year and year[1] != word:
        return word, year[1]
    return (word.rstrip("."),)


def _unmarked(stem: str) -> str:
    """A stem without its accents and rings: a question is often typed without them."""
    apart = unicodedata.normalize("NFKD", stem)
    return "".join(character for character in apart if not unicodedata.combining(character))


@cache
def _terms(code: str) -> _Cache:
    return _Cache(code)
