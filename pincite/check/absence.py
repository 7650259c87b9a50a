"""Names and years in a question that none of its documents contains: a firm, person, place or product, or a year.

Such a question is refused with that reason, whatever else a page would answer. A name or year that the documents only mention
in passing counts as present, and the judge of evidence weighs it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from pincite.corpus import Corpus, Entryless
from pincite.database.relations.name_folding import fold
from pincite.document.times import years_of
from pincite.evidence.known_names import KnownNames, document_names
from pincite.question.ask import Ask
from pincite.question.understanding import understand
from pincite.search.company_scope import companies
from pincite.search.document_routing import route, years_in
from pincite.search.index.shelf import Shelf
from pincite.search.named_documents import catalogue
from pincite.search.presence import NONE, HeldWords, held_words
from pincite.search.question_names import OWNER, WORD, as_written, is_no_name, names
from pincite.stage import Stage
from pincite.types import Answer, Plan, Query, Ranking, Where

TOLD = 3
"""Documents that a reason names."""
SHORT = 40
"""Letters of the longest title or company that a reason calls a document by."""
NAMED = 0.8
"""How surely a document is named whose years a question is held against: by the beginning of its name."""
TOGETHER = 1 / 2
"""The least share of a question's subject, by how rare its words are, that a page of an asked year holds when it speaks of it."""
ALONE = 1 / 10
"""The same where a question is put to one document: it is likely to be about what that says."""
OFTEN = 64
"""Pages of a year from which on the documents speak of it."""


@dataclass(frozen=True)
class Absent(Stage[Ranking | Plan, Answer]):
    """Refuse a question that names what none of its documents holds; an answer without a reason says that nothing is missing.

    `pages` is the index of whole pages, with pairs of neighbouring words.
    """

    corpus: Corpus = field(repr=False, compare=False)
    pages: Shelf = field(repr=False, compare=False)

    def run(self, given: Ranking | Plan) -> Answer:
        """Look at one question."""
        query = given.query if isinstance(given, Ranking) else given.question
        return Answer(query, "", None, reason=missing(query, self.corpus, self.pages))


def is_refusal(answer: Answer) -> bool:
    """Whether an answer says why there is none."""
    return bool(answer.reason)


def missing(query: Query, corpus: Corpus, pages: Shelf) -> str:
    """What a question names that is in none of the documents it is put to, and what there is; "" when nothing is missing."""
    held = held_words(corpus, pages, query.where, query.without)
    if held is None:
        return ""
    if name := _unknown_name(query, corpus, held):
        return f"no document names {name!r}; {_documents(_asked_of(query, corpus))}"
    return _unknown_years(query, corpus, pages)


def _unknown_name(query: Query, corpus: Corpus, held: HeldWords) -> str:
    """The first name of a question that is nowhere; "" when there is none."""
    known, strictly = KnownNames(query, corpus, held), not _named(query, corpus)
    for run in names(query.text):
        around = ["", *(word.text for word in run), ""]
        there = all(
            known.has(word.text, before, after) or is_no_name(word, query.text)
            for word, before, after in zip(run, around, around[2:], strict=False)
        )
        if not there or not known.together(run, strictly):
            return as_written(run, query.text)
    return ""


def _unknown_years(query: Query, corpus: Corpus, pages: Shelf) -> str:
    """Why no year of a question is one of its documents' periods; "" when one is, or it names none."""
    ask = understand(query)
    years = sorted(set(years_of(ask.periods)))
    asked = _asked_of(query, corpus)
    if not years or any(document.relation for document in asked):
        return ""
    own = _named(query, corpus)
    where: Where = (("document", own),) if own else ()
    held = held_words(corpus, pages, (*query.where, *where), query.without)
    documents = corpus.select(where) if own else asked
    periods = sorted(set(chain.from_iterable(map(_periods, documents))))
    ends = " to ".join(map(str, dict.fromkeys((*periods[:1], *periods[-1:]))))
    subject = _subject(ask, documents if own else ())
    least = ALONE if len(documents) == 1 else TOGETHER
    if held is None or any(
        year in periods or _speaks(held, year, subject, least) for year in years
    ):
        return ""
    said = " or ".join(map(str, years))
    there = f"the periods are {ends}" if ends else _documents(documents)
    return f"no document covers {said} for this question; {there}"


def _subject(ask: Ask, documents: Iterable[Entryless]) -> list[str]:
    """The words of a question's subject that are no names of documents."""
    names = set(chain.from_iterable(map(document_names, documents)))
    return [word for word in WORD.findall(ask.subject) if fold(OWNER.sub("", word)) not in names]


def _periods(document: Entryless) -> set[int]:
    """The years that a document is of, by its metadata."""
    told = (document.date, *(document.meta.get(name, "") for name in ("year", "date", "period")))
    return {year for text in told for year in years_in(text)}


@lru_cache(maxsize=16)
def _named(query: Query, corpus: Corpus) -> tuple[str, ...]:
    """The documents that a question names, its years left aside: they would name others."""
    text = query.text
    for time in understand(query).periods:
        text = text.replace(time.text, " ") if time.text else text
    documents = list(chain.from_iterable(named.documents for named in companies(query, corpus)))
    routed = [found for found in route(text, catalogue(corpus)) if found.weight >= NAMED]
    documents += [corpus.documents[found.position].id for found in routed]
    asked = {document.id for document in _asked_of(query, corpus)}
    return tuple(document for document in dict.fromkeys(documents) if document in asked)


def _speaks(held: HeldWords, year: int, subject: Sequence[str], least: float) -> bool:
    """Whether documents speak of a year, and where they seldom do, on a page that speaks of the question's subject."""
    here = _pages_of(held, year)
    if not here or len(here) > OFTEN:
        return bool(here)
    total = 0.0
    said = dict.fromkeys(here, 0.0)
    for word in dict.fromkeys(subject):
        found = NONE if held.says_nothing(word) else held.pages(word)
        if found.size:
            weight = math.log(1 + held.size / found.size)
            total += weight
            for page in here.intersection(found.tolist()):
                said[page] += weight
    return max(said.values()) >= least * total


def _pages_of(held: HeldWords, year: int) -> set[int]:
    """The pages that write a year: "2024", "FY24", "F24", "Q4 24", "2023/24"."""
    short = f"{year % 100:02}"
    before = ("fy", "f", "q1", "q2", "q3", "q4", "1h", "2h", "h1", "h2")
    forms = (str(year), *(f"{part}{short}" for part in before))
    found = [*(held.pages(form) for form in forms), held.beside(str(year - 1), short)]
    return {row for rows in found for row in rows.tolist()}


def _asked_of(query: Query, corpus: Corpus) -> list[Entryless]:
    """The documents that a question is put to."""
    known = corpus.select(query.where)
    return [document for document in known if document.id not in query.without]


def _called_shortly(document: Entryless) -> str:
    names = (document.meta.get("company", ""), document.title)
    return next((name for name in names if 0 < len(name) <= SHORT), document.id)


def _documents(documents: Sequence[Entryless]) -> str:
    """What documents there are, the first few by company, title or file."""
    called = list(dict.fromkeys(map(_called_shortly, documents)))
    if not called:
        return "there are no documents"
    return f"the documents are: {', '.join(called[:TOLD])}{', …' if len(called) > TOLD else ''}"
