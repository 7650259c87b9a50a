"""Which language a text is written in, judged by its function words and, where these are too few, by the endings of its words.

Eleven languages written in Latin letters, in `data/languages.toml`. A dense page takes half a millisecond, nothing is loaded but
that table, and a text that says too little has no language: what was found for its neighbours then holds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.text.lexicon import data_table

ENGLISH = "en"
ENOUGH = 4.0
"""The weight of evidence from which on a text has a language."""
OFTEN = 3
"""Times that one word counts at most."""
CLEAR = 1.3
"""The least ratio of the first language's weight to the second's."""
SHORTEST = 6
"""Letters of the shortest word whose ending tells a language."""
SHARE = 0.25
"""The share of a page, by its blocks whose language is told, from which on a language is one of its two."""
LOOKED_AT = 400
"""Characters at the beginning of a block that are read for its language."""

_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its ISO 639-1 code: its name in English and its own, its words of grammar, frequent endings, and how numbers
    and compounds are written.
    """

    code: str
    names: tuple[str, ...]
    stemmer: str
    words: frozenset[str]
    endings: tuple[str, ...]
    comma: bool = False
    compounds: bool = False
    joints: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def languages() -> dict[str, Language]:
    """The languages that are told apart, by code."""
    made = {}
    for code, given in data_table("languages").items():
        several = {name: tuple(given.get(name, ())) for name in ("endings", "joints")}
        words = {
            "names": tuple(given["names"].split()),
            "words": frozenset(given["words"].split()),
        }
        made[code] = Language(code, **{**given, **several, **words})
    return made


def language_of(text: str, among: Iterable[str] = (), enough: float = ENOUGH) -> str:
    """The code of the language of a text; "" when it says too little, or two languages say the same.

    `among` are the only codes to choose from, by default all; `enough` is the weight of evidence that a text must bring.
    """
    told = evidence(text)
    return _chosen({code: told[code] for code in among if code in told} if among else told, enough)


def evidence(text: str) -> Mapping[str, float]:
    """By code, how much speaks for each language that any word of a text belongs to."""
    return _told(_WORD.findall(text.lower()))


def languages_of(blocks: Iterable[str]) -> tuple[str, ...]:
    """The languages of a page of blocks, that of most of it first: one, or two that stand beside each other; () for none.

    A second language is one that whole blocks are written in, a quarter of the page or more.
    """
    spoken: Counter[str] = Counter()
    whole: dict[str, float] = {}
    for block in blocks:
        told = _told(_WORD.findall(block[:LOOKED_AT].lower()))
        for code, weight in told.items():
            whole[code] = whole.get(code, 0.0) + weight
        if code := _chosen(told, ENOUGH):
            spoken[code] += len(block)
    common = [code for code, length in spoken.most_common(2) if length >= SHARE * spoken.total()]
    if len(common) == 2:
        return tuple(common)
    most = _chosen(whole, ENOUGH)
    return (most,) if most else tuple(common)


def _chosen(told: Mapping[str, float], enough: float) -> str:
    if not told:
        return ""
    weights = sorted(told.values(), reverse=True)
    if weights[0] < enough or (len(weights) > 1 and weights[0] < CLEAR * weights[1]):
        return ""
    return max(told, key=lambda code: told[code])


def _told(words: Sequence[str]) -> dict[str, float]:
    """The weight of evidence for every language: a word counts for less the more languages have it, and three times at most."""
    known: Mapping[str, tuple[tuple[str, float], ...]] = _evidence()
    told: dict[str, float] = {}
    for word, times in Counter(words).items():
        for code, weight in known[word]:
            told[code] = told.get(code, 0.0) + weight * min(times, OFTEN)
    return told


class _Known(dict[str, tuple[tuple[str, float], ...]]):
    """Word -> (language, weight) pairs, worked out once; emptied when it has grown large."""

    def __init__(self) -> None:
        super().__init__()
        self.grammar: dict[str, list[str]] = {}
        self.endings: dict[str, list[str]] = {}
        for code, language in languages().items():
            for word in language.words:
                self.grammar.setdefault(word, []).append(code)
            for ending in language.endings:
                self.endings.setdefault(ending, []).append(code)

    def __missing__(self, word: str) -> tuple[tuple[str, float], ...]:
        if len(self) > 200_000:
            self.clear()
        self[word] = made = self._weighed(word)
        return made

    def _weighed(self, word: str) -> tuple[tuple[str, float], ...]:
        if held := self.grammar.get(word):
            return tuple((code, 1 / len(held)) for code in held)
        if len(word) >= SHORTEST:
            for length in range(min(12, len(word) - 2), 1, -1):
                if held := self.endings.get(word[-length:]):
                    return tuple((code, 0.5 / len(held)) for code in held)
        return ()


@lru_cache(maxsize=1)
def _evidence() -> _Known:
    return _Known()
