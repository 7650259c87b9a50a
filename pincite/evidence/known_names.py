"""Whether the documents and databases that a question is put to hold a name, in any spelling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from pincite.corpus import Corpus, Entryless
from pincite.database.relations.name_folding import fold, similarity
from pincite.errors import SourceError
from pincite.evidence.database_sources import sources_of
from pincite.quantity.units import match_unit
from pincite.search.document_routing import LEGAL, Catalogue
from pincite.search.expansion import Abbreviations, Written
from pincite.search.named_documents import catalogue
from pincite.search.presence import LONGEST, HeldWords
from pincite.search.question_names import QuestionWord
from pincite.types import Query, Where

ALIKE = 0.75
"""The least likeness of a name and one of the catalogue that are taken for the same, spelled wrongly."""
LONG = 6
"""Letters of the shortest part of a hyphened name that stands for the whole."""
USUAL = 0.05
"""The share of pages from which on a word is a usual one, and not a name's by itself."""


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What the documents of a question hold of names."""

    query: Query
    corpus: Corpus
    held: HeldWords

    def has(self, word: str, before: str = "", after: str = "") -> bool:
        """Whether a word is there, in any spelling, or is one that reports write otherwise.

        `before` and `after` are the words of the same name beside it.
        """
        if self.held.says_nothing(word):
            return True
        beside = (both for both in (before + word, word + after) if both != word)
        if any(self.held.pages(form).size for form in chain((word,), _folded(word), beside)):
            return True
        known = _of_reports(word) or self._is_called(word)
        return known or self.held.spells(word, before, after) or self._in_rows(word)

    def together(self, run: Sequence[QuestionWord], strictly: bool) -> bool:
        """Whether neighbours in a name stand on one page, where the pages hold each of them at all.

        `strictly` they must be neighbours there too where one of them is a usual word ("General", "Electronic").
        """
        pairs = pairwise(word.text for word in run)
        return all(self._joined(first, second, strictly) for first, second in pairs)

    def _joined(self, first: str, second: str, strictly: bool) -> bool:
        here, there = self.held.pages(first), self.held.pages(second)
        # an acronym, or a label with digits or signs, stands beside any name
        plain = all(word.isalpha() and not word.isupper() for word in (first, second))
        if not (plain and here.size and there.size):
            return True
        if self.held.beside(first, second).size or self._in_rows(f"{first} {second}"):
            return True
        usual = max(here.size, there.size) > USUAL * self.held.size
        if strictly and usual and not {fold(first), fold(second)} & self._called():
            return self.held.between(first, second)
        return bool(set(here.tolist()).intersection(there.tolist()))

    def _is_called(self, word: str) -> bool:
        """Whether file names, titles or metadata hold a word, or one of a few other letters."""
        plain, called = fold(word).replace(" ", ""), self._called()
        near = [name for name in called if name[:2] == plain[:2]]
        return plain in called or (
            3 < len(plain) <= LONGEST and any(similarity(plain, name) >= ALIKE for name in near)
        )

    def _called(self) -> frozenset[str]:
        return _called(self.corpus, self.query.where, self.query.without)

    def _in_rows(self, word: str) -> bool:
        """Whether a database of the corpus holds a value of that name, or cannot be asked."""
        sources = sources_of(self.corpus) if self.corpus.relations else None
        if not sources:
            return False
        try:
            return any(sources.values(name).near(word, 1) for name in sources.names)
        except SourceError:
            return True


def _folded(word: str) -> Iterator[str]:
    """A word without its accents and hyphens, its long parts, and the word without an s that may be an owner's."""
    plain = fold(word)
    yield plain
    yield plain.replace(" ", "")
    yield from (part for part in plain.split() if LONG <= len(part) < len(plain))
    if word.endswith("s"):
        yield plain[:-1]


def _of_reports(word: str) -> bool:
    """Whether reports have a word that people write otherwise: an entry of the lexicon, a unit, a legal form."""
    query, unit = Query(word), match_unit(word, 0)
    written = bool(Written()(query)) or Abbreviations()(query) != word
    return written or bool(unit and unit[1] == len(word)) or bool(LEGAL.fullmatch(word.casefold()))


@lru_cache(maxsize=16)
def _called(corpus: Corpus, where: Where, without: tuple[str, ...]) -> frozenset[str]:
    """The words of file names, titles and metadata, folded, and of names in several words those in one."""
    asked = [document for document in corpus.select(where) if document.id not in without]
    known = catalogue(corpus).cards if not (where or without) else Catalogue.of(asked).cards
    names = chain.from_iterable(card.names for card in known)
    return frozenset((*chain.from_iterable(map(document_names, asked)), *names))


def document_names(document: Entryless) -> list[str]:
    """The words of a document's file name, title and metadata, folded."""
    return fold(" ".join((document.id, document.title, *document.meta.values()))).split()
