"""Text to index terms: numbers stay whole, words are stemmed, stop words and table delimiters never become terms.

Used for documents and queries alike. Stems are Snowball's (Porter, "Snowball: a language for stemming algorithms", 2001), those
of the language that a text is written in; stop words of other languages than English are their words of grammar, and their stems
lose accents and rings.

A compound also gives the parts that stand alone elsewhere, by the vocabulary of the index, so that nothing is split that the
corpus does not say by itself (Braschler and Ripplinger, "How effective is stemming and decompounding for German text retrieval?",
Information Retrieval, 2004).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

from pincite.text.language import ENGLISH, languages
from pincite.text.lexicon import word_set

if TYPE_CHECKING:
    import Stemmer

T = TypeVar("T")
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
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    words = _TERM.findall(text.lower())
    if asked_in and asked_in != code:
        stop = stop_words(asked_in)
        words = [word for word in words if word not in stop]
    return [term for word in words for term in made[word]]


def stop_words(code: str) -> frozenset[str]:
    """The words of a language that are no terms."""
    return STOP_WORDS if code == ENGLISH else languages()[code].words


class Memo(dict[str, T]):
    """What `make` makes of each text, worked out once; emptied when it has grown past what a vocabulary needs."""

    def __init__(self, make: Callable[[str], T], most: int = 500_000) -> None:
        super().__init__()
        self.make, self.most = make, most

    def __missing__(self, text: str) -> T:
        if len(self) > self.most:
            self.clear()
        self[text] = made = self.make(text)
        return made


@cache
def _terms(code: str) -> Memo[tuple[str, ...]]:
    """The terms of each word in one language."""
    import Stemmer

    return Memo(partial(_analyse, code=code, stemmer=Stemmer.Stemmer(languages()[code].stemmer)))


def _analyse(word: str, code: str, stemmer: Stemmer.Stemmer) -> tuple[str, ...]:
    if word in stop_words(code):
        return ()
    if word.isalpha():
        stem = stemmer.stemWord(word)
        if code != ENGLISH and not stem.isascii():
            # without its accents and rings: a question is often typed without them
            apart = unicodedata.normalize("NFKD", stem)
            stem = "".join(letter for letter in apart if not unicodedata.combining(letter))
        return (stem,)
    year = _YEAR.fullmatch(word)
    if year and year[1] != word:
        return word, year[1]
    return (word.rstrip("."),)


PART = 4
"""A part has so many letters."""


def may_split(term: str) -> bool:
    """Whether a term is long enough to be a compound."""
    return len(term) >= 2 * PART and term.isalpha()


def split(term: str, code: str, known: Callable[[str], bool]) -> tuple[str, ...]:
    """The terms that make up a term of the language `code`, the fewest and of several ways the most even; () when none do."""
    joints, best = languages()[code].joints, (0, ("", ""))
    for at in range(PART, len(term) - PART + 1):
        tail = _stem(term[at:], code)
        if known(tail):
            for head in _heads(term[:at], joints):
                if known(first := _stem(head, code)):
                    best = max(best, (min(len(head), len(term) - at), (first, tail)))
    if best[0]:
        return best[1]
    for at in range(len(term) - 2 * PART, PART - 1, -1):
        for head in _heads(term[:at], joints):
            if known(first := _stem(head, code)) and (rest := split(term[at:], code, known)):
                return first, *rest
    return ()


def _heads(text: str, joints: tuple[str, ...]) -> Iterator[str]:
    """What stands before a part, with and without the letters that join the two."""
    yield text
    for joint in joints:
        if text.endswith(joint) and len(text) - len(joint) >= PART:
            yield text[: -len(joint)]


def _stem(word: str, code: str) -> str:
    return " ".join(tokens(word, code))
