"""Whether a word, a name or a year stands anywhere in the documents that a question is put to.

The index of whole pages knows every term of every page and every pair of neighbouring terms, so that no page is read. A
word counts as there in any spelling that a person would take for it: without accents, in one word or two, with one letter
wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import pairwise
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from pincite.corpus import Corpus
from pincite.database.relations.name_folding import fold
from pincite.ports import HoldsTerms
from pincite.search.expansion import Written
from pincite.search.index.shelf import Shelf, allowed, open_shelf
from pincite.search.index.tokens import tokens
from pincite.text.language import ENGLISH
from pincite.types import Query, Where

SLIP = 7
"""Letters of the shortest word in which one may be wrong: below, another word is too often one letter away."""
LONGEST = 40
"""Letters of the longest word whose other spellings are looked for: they are as many as its letters."""
CUT = 1
"""Letters that a stemmer may take off a word that is compared with another: what is left of more is a word of its own."""
Rows = NDArray[np.int32]
NONE: Rows = np.empty(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class HeldWords:
    """The words of some documents: an index of their pages, and which of its rows are theirs (all where None)."""

    searcher: HoldsTerms
    own: NDArray[np.bool_] | None

    def pages(self, word: str) -> Rows:
        """The pages that hold a word; of one that the index takes for several terms those that hold them in order."""
        return self._joined([self._in_order(terms) for terms in self._terms(word)])

    @property
    def size(self) -> int:
        """How many pages there are."""
        return self.searcher.size if self.own is None else int(self.own.sum())

    def says_nothing(self, word: str) -> bool:
        """Whether a word is none that an index holds: a word of grammar in one of its languages."""
        return any(not tokens(word, code) for code in self.searcher.languages)

    def beside(self, first: str, second: str) -> Rows:
        """The pages on which `second` stands right after `first`."""
        pairs = [terms for terms in self._terms(f"{first} {second}") if len(terms) == 2]
        return self._joined([self.searcher.holding(*pair) for pair in pairs])

    def between(self, first: str, second: str) -> bool:
        """Whether `first` and `second` stand on one page with an initial between them."""
        return any(
            np.intersect1d(self.beside(first, letter), self.beside(letter, second)).size
            for letter in ascii_lowercase
        )

    def spells(self, word: str, before: str = "", after: str = "") -> bool:
        """Whether a word stands there in another spelling: in two words, or with one letter wrong.

        A short word may be wrong only between the words that stand beside it in the question and there.
        """
        plain = fold(word).replace(" ", "")
        if len(plain) > LONGEST:
            return False
        if any(self.beside(plain[:at], plain[at:]).size for at in range(2, len(plain) - 1)):
            return True
        stems = {other: "".join(tokens(other)) for other in _slips(plain) if plain.isalpha()}
        others = [other for other, stem in stems.items() if len(stem) >= len(other) - CUT]
        alone = [stems[other] for other in others if len(plain) >= SLIP]
        pairs = [(before, other) for other in others if before]
        pairs += [(other, after) for other in others if after]
        return any(self._joined([self.searcher.holding(stem)]).size for stem in alone) or any(
            self.beside(*pair).size for pair in pairs
        )

    def _terms(self, text: str) -> list[list[str]]:
        """The terms of a text in every language of the index, where a foreign stemmer leaves most of its letters."""
        own = tokens(text)
        made = [tokens(text, code) for code in self.searcher.languages if code != ENGLISH]
        return [own, *(terms for terms in made if len("".join(terms)) >= len("".join(own)) - CUT)]

    def _joined(self, found: list[Rows]) -> Rows:
        rows = np.unique(np.concatenate((NONE, *found)))
        return rows if self.own is None else rows[self.own[rows]]

    def _in_order(self, terms: list[str]) -> Rows:
        if len(terms) == 1:
            return self.searcher.holding(terms[0])
        found = [self.searcher.holding(*pair) for pair in pairwise(terms)]
        return reduce(np.intersect1d, found, found[0]) if found else NONE


@lru_cache(maxsize=16)
def held_words(
    corpus: Corpus, shelf: Shelf, where: Where, without: tuple[str, ...]
) -> HeldWords | None:
    """The words of the documents that a question is put to; None where the index holds no page."""
    opened = open_shelf(corpus, shelf)
    if not isinstance(opened.searcher, HoldsTerms):
        return None
    versions = allowed(corpus, where, without)
    return HeldWords(opened.searcher, None if versions is None else opened.of(versions))


def mentioned(corpus: Corpus, shelf: Shelf, text: str) -> bool:
    """Whether the words of a text stand one after the other on a page, or name what reports are known to write otherwise.

    True too where no index can tell.
    """
    held = held_words(corpus, shelf, (), ())
    if held is None or corpus.relations or Written()(Query(text)):
        return True
    return bool(tokens(text)) and bool(held.pages(text).size)


def _slips(word: str) -> Iterator[str]:
    """The words that are one letter away from a word, its first letter the same."""
    for at in range(1, len(word) + 1):
        before, after = word[:at], word[at:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in ascii_lowercase:
            yield before + letter + after
            if after and letter != after[0]:
                yield before + letter + after[1:]
