"""The companies that a question names, and the documents that are theirs.

A company is known by the `company` of its documents' metadata (what the cover suggests where there is none), by that name
without its legal form, by its first word, and by the `alias` of the metadata; the longest name that the question holds is
taken, and a name that two companies share says nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from operator import attrgetter

from pincite.corpus import Corpus
from pincite.search.document_routing import COMMON, LEGAL, aliases_of
from pincite.stage import Stage
from pincite.text.words import PLAIN_WORD, plain_words
from pincite.types import Query, Where

_QUOTED = re.compile(r"[\"“]([^\"“”]{2,80})[\"”]")
Key = tuple[str, ...]
"""A name as its words without case and marks."""
Characters = tuple[int, int]
"""A stretch of a text, as (start, end)."""


@dataclass(frozen=True, slots=True)
class NamedCompany:
    """A company as the question first writes it, with its documents (none when the corpus has none).

    `spans` are the places in the question that name it.
    """

    name: str
    spans: tuple[Characters, ...]
    documents: tuple[str, ...]

    @property
    def where(self) -> Where:
        """The filter that leaves its documents alone."""
        return (("document", self.documents),) if self.documents else (("company", (self.name,)),)


@dataclass(frozen=True)
class Scope(Stage[Query, Query]):
    """Ask the documents of the one company that the question names; any other question passes unchanged."""

    corpus: Corpus = field(repr=False, compare=False)

    def run(self, given: Query) -> Query:
        """Scope one query."""
        named = companies(given, self.corpus)
        return replace(given, where=(*given.where, *named[0].where)) if len(named) == 1 else given


def companies(query: Query, corpus: Corpus) -> tuple[NamedCompany, ...]:
    """The companies that a question names, in the order of their first mention, among the documents it is asked of.

    A name in quotation marks beside a known company is a company too, one without documents when it is not known.
    """
    known = _aliases(corpus, query.where)
    text = query.text
    quoted = [match.span(1) for match in _QUOTED.finditer(text)]
    spans: dict[tuple[str, ...], list[Characters]] = {}
    for start, end, key in _mentions(text, known):
        spans.setdefault(known[key], []).append(_whole_name(text, start, end, quoted))
    found = [_company(text, some, documents) for documents, some in spans.items()]
    taken = [span for some in spans.values() for span in some]
    for start, end in quoted if found else ():
        free = all(last <= start or end <= first for first, last in taken)
        if free and not text[start].islower():
            found.append(_company(text, [(start, end)], ()))
    return tuple(sorted(found, key=attrgetter("spans")))


def _company(text: str, spans: list[Characters], documents: tuple[str, ...]) -> NamedCompany:
    ordered = tuple(sorted(set(spans)))
    return NamedCompany(text[slice(*ordered[0])], ordered, documents)


def _whole_name(text: str, start: int, end: int, quoted: list[Characters]) -> Characters:
    """All of a name: what stands in the same quotation marks, and the point after its legal form."""
    around = next((span for span in quoted if span[0] <= start and end <= span[1]), None)
    if around:
        return around
    form = LEGAL.search(text[start:end].casefold() + text[end : end + 1])
    return (start, end + 1) if form and form[0].endswith(".") else (start, end)


def _mentions(text: str, known: Mapping[Key, tuple[str, ...]]) -> Iterator[tuple[int, int, Key]]:
    """Where a known name stands, the longest names first; what lies in a longer one is not meant."""
    words = list(PLAIN_WORD.finditer(text))
    careless = text[1:].islower()
    taken: set[int] = set()
    folded = [word[0].casefold() for word in words]
    for size in sorted({len(key) for key in known} - {0}, reverse=True):
        for at in range(len(words) - size + 1):
            run, key = words[at : at + size], tuple(folded[at : at + size])
            plain = all(word[0].islower() for word in run) and not (careless and size > 1)
            if key in known and not plain and taken.isdisjoint(range(at, at + size)):
                taken.update(range(at, at + size))
                yield run[0].start(), run[-1].end(), key


@lru_cache(maxsize=16)
def _aliases(corpus: Corpus, where: Where) -> Mapping[Key, tuple[str, ...]]:
    """The documents that each name stands for; a name of two companies is left out, unless both declare it (a renamed one)."""
    documents: defaultdict[Key, list[str]] = defaultdict(list)
    declared: defaultdict[Key, set[Key]] = defaultdict(set)
    for document in corpus.select(where):
        company = plain_words(document.meta.get("company", ""))
        if company:
            documents[company].append(document.id)
            declared[company].update(filter(None, map(plain_words, aliases_of(document.declared))))
    owners: defaultdict[Key, set[Key]] = defaultdict(set)
    for company in documents:
        for alias in (*_name_forms(company), *declared[company]):
            owners[alias].add(company)
    owners.update({company: {company} for company in documents})
    found: dict[Key, tuple[str, ...]] = {}
    for alias, own in owners.items():
        if len(own) == 1 or all(alias in declared[company] for company in own):
            theirs = (documents[company] for company in documents if company in own)
            found[alias] = tuple(chain.from_iterable(theirs))
    return found


def _name_forms(company: Key) -> Iterator[Key]:
    bare = plain_words(LEGAL.sub(" ", " ".join(company)))
    yield company
    telling = bool(bare) and bare[0] not in COMMON and not bare[0].isdigit()
    if bare and (telling or len(bare) > 1):
        yield bare
    if telling and len(bare[0]) >= 4:
        yield bare[:1]
