"""Names and years in a question that none of its documents contains: a firm, person, place or product, or a year.

Such a question is refused with that reason, whatever else a page would answer. A word is a name if it has a capital where a
capital marks a name. A name or year that the documents only mention in passing counts as present, and the judge of evidence
weighs it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise

from pincite.corpus import Corpus, Entryless
from pincite.database.relations.name_folding import fold, similarity, stems
from pincite.document.gloss import TELLING, concept, glosses
from pincite.document.times import MONTHS, when, years_of
from pincite.errors import SourceError
from pincite.evidence.database_sources import sources_of
from pincite.index.shelf import Shelf
from pincite.index.tokens import STOP_WORDS
from pincite.language import ENGLISH, language_of
from pincite.lexicon import word_set
from pincite.quantity.units import match_unit
from pincite.question.understanding import Ask, understand
from pincite.search.company_scope import companies
from pincite.search.document_routing import LEGAL, Catalogue, route, years_in
from pincite.search.expansion import Abbreviations, Written
from pincite.search.named_documents import catalogue
from pincite.search.presence import LONGEST, NONE, HeldWords, held_words
from pincite.stage import Stage
from pincite.types import Answer, Plan, Query, Ranking, Where

TOLD = 3
"""Documents that a reason names."""
SHORT = 40
"""Letters of the longest title or company that a reason calls a document by."""
ACRONYM = 5
"""Letters of the longest acronym: one can stand for a metric as well as for a firm."""
COMMON = 9_000
"""Places of the encoder's vocabulary that hold common words; names stand among them, but mostly behind."""
ALIKE = 0.75
"""The least likeness of a name and one of the catalogue that are taken for the same, spelled wrongly."""
NAMED = 0.8
"""How surely a document is named whose years a question is held against: by the beginning of its name."""
STEM = 5
"""Letters of the shortest stem that a derived word is known by."""
LONG = 6
"""Letters of the shortest part of a hyphened name that stands for the whole."""
TOGETHER = 1 / 2
"""The least share of a question's subject, by how rare its words are, that a page of an asked year holds when it speaks of it."""
USUAL = 0.05
"""The share of pages from which on a word is a usual one, and not a name's by itself."""
OFTEN = 64
"""Pages of a year from which on the documents speak of it."""
_WORD = re.compile(r"[^\W_]+(?:[.&'’-][^\W_]+)*")
_OWNER = re.compile(r"['’](?:s|\d\d)?$")
"""What stands behind a name: the s of an owner, or a year of two digits."""
_OF_NAMES = word_set("check", "beside names")
"""What stands before an acronym that is somebody's: metrics stand before "of", whoever they are of behind it."""


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of a question without its possessive, at its characters [start, end) with it."""

    text: str
    start: int
    end: int
    owns: bool


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
    known, strictly = Known(query, corpus, held), not _named(query, corpus)
    for run in names(query.text):
        around = ["", *(word.text for word in run), ""]
        for word, before, after in zip(run, around, around[2:], strict=False):
            if not (known.has(word.text, before, after) or _is_no_name(word, query.text)):
                return _said(run, query.text)
        if not known.together(run, strictly):
            return _said(run, query.text)
    return ""


def _said(run: Sequence[QuestionWord], text: str) -> str:
    return _OWNER.sub("", text[run[0].start : run[-1].end])


def names(text: str) -> list[tuple[QuestionWord, ...]]:
    """The names of a question, each as its words; none where capitals tell nothing (all or no words have one)."""
    words = [_word(match) for match in _WORD.finditer(text)]
    if text.isupper() or _is_titled(words):
        return []
    german = language_of(text, among=(ENGLISH, *glosses()), enough=TELLING) == "de"
    runs: list[list[QuestionWord]] = []
    before = None
    for word in words:
        goes_on = (
            bool(runs)
            and before is runs[-1][-1]
            and not before.owns
            and text[before.end : word.start] == " "
        )
        if _may_name(word, before, words, text, german and not goes_on):
            if not goes_on:
                runs.append([])
            runs[-1].append(word)
        before = word
    return [tuple(run) for run in runs]


def _is_titled(words: Sequence[QuestionWord]) -> bool:
    """Whether all longer words after the first have a capital, as in a title."""
    telling = [
        word for word in words[1:] if len(word.text) > 3 and word.text.casefold() not in STOP_WORDS
    ]
    return len(telling) > 2 and all(map(_is_capital, telling))


def _word(match: re.Match[str]) -> QuestionWord:
    text = _OWNER.sub("", match[0])
    after = match.string[match.end() : match.end() + 1]
    return QuestionWord(
        text, *match.span(), text != match[0] or (text.endswith("s") and after in ("'", "’"))
    )


def _is_capital(word: QuestionWord) -> bool:
    return any(letter.isupper() for letter in word.text)


def _may_name(
    word: QuestionWord,
    before: QuestionWord | None,
    words: Sequence[QuestionWord],
    text: str,
    german: bool,
) -> bool:
    """Whether a word has a capital that can be a name's."""
    if not _is_capital(word) or _says_nothing(word):
        return False
    inside = any(map(str.isupper, word.text[1:]))
    if not (inside or word.owns) and _opens(word, before, text):
        return before is None and not german and _alone_in_front(word, words, text)
    if german and not inside:
        return (
            before is not None and before.text in _OF_NAMES and not concept(word.text.casefold())
        )
    return True


def _says_nothing(word: QuestionWord) -> bool:
    """Whether a word is of the grammar or a time, or an abbreviation with points."""
    return word.text.casefold() in STOP_WORDS or _is_time(word.text) or "." in word.text


def _opens(word: QuestionWord, before: QuestionWord | None, text: str) -> bool:
    """Whether a word is the first of a sentence."""
    return before is None or text[before.end : word.start].strip() in (".", "?", "!")


def _is_time(word: str) -> bool:
    """Whether a word is a time, a month, or belongs to a year behind it ("FY 2022")."""
    month = len(word) > 2 and any(name.startswith(word.casefold()) for name in MONTHS)
    return (
        month
        or bool(when(word))
        or any(time.text.startswith(word) for time in when(f"{word} 2000"))
    )


def _alone_in_front(word: QuestionWord, words: Sequence[QuestionWord], text: str) -> bool:
    """Whether a first word is a name's: a colon follows, or a note without any other name that does not go on with grammar."""
    after = words[words.index(word) + 1 :]
    if not after or text[word.end : word.end + 1] == ":":
        return bool(after)
    if after[0].text[0].isdigit() or after[0].text.casefold() in STOP_WORDS:
        return False
    rest = [other for other in after[1:] if _is_capital(other) and not when(other.text)]
    return not rest and not text.rstrip().endswith("?")


def _is_no_name(word: QuestionWord, text: str) -> bool:
    """Whether a word that is nowhere stands with its capital for what is asked and not for who is asked about.

    Acronyms can be metrics and common words can be stressed, unless they stand where an owner does. At the beginning of a
    question every word has a capital.
    """
    acronym = all(map(_is_acronym, word.text.removesuffix("s").split("-")))
    before = text[: word.start].split()
    owns = word.owns or (before and before[-1].casefold() in _OF_NAMES)
    opens = not before and _is_derived(word.text)
    return not owns and (acronym or opens or _is_common(word.text))


def _is_acronym(part: str) -> bool:
    """Whether a part of a word is a few capitals ("EBIT", "R&D"); so are both of "USD-EUR"."""
    return part.isupper() and part.replace("&", "").isalpha() and len(part) <= ACRONYM


def _is_common(word: str) -> bool:
    """Whether a word is among the most frequent of English, by its place in the encoder's vocabulary, which is in that order."""
    place = _place(word)
    return place is not None and place < COMMON


def _is_derived(word: str) -> bool:
    """Whether a word has an ending that English derives words with ("hazardous", "decarbonisation"), as names seldom have.

    An ending of two letters, which names have too, tells only where the encoder's vocabulary holds the word.
    """
    stem = stems(word)
    shorter = len(word) - len(stem)
    return len(stem) >= STEM and (shorter >= 3 or (shorter == 2 and _place(word) is not None))


def _place(word: str) -> int | None:
    """Where a word stands in the encoder's vocabulary."""
    from pincite.models.encoder import tokenizer

    place: int | None = tokenizer().token_to_id(word.casefold())
    return place


@dataclass(frozen=True, slots=True)
class Known:
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
        joined = (both for both in (before + word, word + after) if both != word)
        if any(
            self.held.pages(spelling).size for spelling in chain((word,), _folded(word), joined)
        ):
            return True
        return (
            _of_reports(word)
            or self._is_called(word)
            or self.held.spells(word, before, after)
            or self._in_rows(word)
        )

    def together(self, run: Sequence[QuestionWord], strictly: bool) -> bool:
        """Whether neighbours in a name stand on one page, where the pages hold each of them at all.

        `strictly` they must be neighbours there too where one of them is a usual word ("General", "Electronic").
        """
        return all(
            self._joined(first.text, second.text, strictly) for first, second in pairwise(run)
        )

    def _joined(self, first: str, second: str, strictly: bool) -> bool:
        here, there = self.held.pages(first), self.held.pages(second)
        if not (_is_plain(first) and _is_plain(second) and here.size and there.size):
            return True
        if self.held.beside(first, second).size or self._in_rows(f"{first} {second}"):
            return True
        usual = max(here.size, there.size) > USUAL * self.held.size
        if strictly and usual and not {fold(first), fold(second)} & self._called:
            return self.held.between(first, second)
        return bool(set(here.tolist()).intersection(there.tolist()))

    def _is_called(self, word: str) -> bool:
        """Whether file names, titles or metadata hold a word, or one of a few other letters."""
        plain = fold(word).replace(" ", "")
        if plain in self._called:
            return True
        near = [name for name in self._called if name[:2] == plain[:2]]
        return 3 < len(plain) <= LONGEST and any(similarity(plain, name) >= ALIKE for name in near)

    @property
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


def _is_plain(word: str) -> bool:
    """Whether a word is neither an acronym nor a label with digits or signs, which stand beside any name."""
    return word.isalpha() and not word.isupper()


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
    return frozenset(
        (
            *(word for document in asked for word in _names(document)),
            *(name for card in known for name in card.names),
        )
    )


def _names(document: Entryless) -> list[str]:
    return fold(" ".join((document.id, document.title, *document.meta.values()))).split()


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
    subject = _subject(ask, documents if own else ())
    if held is None or any(year in periods or _speaks(held, year, subject) for year in years):
        return ""
    said = " or ".join(map(str, years))
    return (
        f"no document covers {said} for this question; {_span(periods) or _documents(documents)}"
    )


def _subject(ask: Ask, documents: Iterable[Entryless]) -> list[str]:
    """The words of a question's subject that are no names of documents."""
    names = set(chain.from_iterable(map(_names, documents)))
    return [word for word in _WORD.findall(ask.subject) if fold(_OWNER.sub("", word)) not in names]


def _span(periods: Sequence[int]) -> str:
    """The first and the last of the periods there are, in words; "" where none is known."""
    ends = " to ".join(map(str, dict.fromkeys((*periods[:1], *periods[-1:]))))
    return f"the periods are {ends}" if ends else ""


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


def _speaks(held: HeldWords, year: int, subject: Sequence[str]) -> bool:
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
    return max(said.values()) >= TOGETHER * total


def _pages_of(held: HeldWords, year: int) -> set[int]:
    """The pages that write a year: "2024", "FY24", "Q4 24", "2023/24"."""
    short = f"{year % 100:02}"
    forms = [
        str(year),
        f"fy{short}",
        *(f"{part}{short}" for part in ("q1", "q2", "q3", "q4", "1h", "2h", "h1", "h2")),
    ]
    found = [*(held.pages(form) for form in forms), held.beside(str(year - 1), short)]
    return {row for rows in found for row in rows.tolist()}


def _asked_of(query: Query, corpus: Corpus) -> list[Entryless]:
    """The documents that a question is put to."""
    return [
        document for document in corpus.select(query.where) if document.id not in query.without
    ]


def _called_shortly(document: Entryless) -> str:
    names = (
        document.meta.get("company", ""),
        document.title,
        document.meta.get("company_guess", ""),
    )
    return next((name for name in names if 0 < len(name) <= SHORT), document.id)


def _documents(documents: Sequence[Entryless]) -> str:
    """What documents there are, the first few by company, title or file."""
    called = list(dict.fromkeys(_called_shortly(document) for document in documents))
    more = ", …" if len(called) > TOLD else ""
    return (
        f"the documents are: {', '.join(called[:TOLD])}{more}"
        if called
        else "there are no documents"
    )
