"""Which documents a question names: by company, file name, title, author, year, period, form, kind or language; as weights,
never as a filter.

A question that names nothing routes nowhere. A name routes to every document that carries it, and the years, quarters, forms,
dates, kinds and languages of the question then tell those documents apart; where it holds no name, the kind, year or language
that the metadata file gives to documents routes by itself. That file takes precedence over what covers and file names suggest.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from typing import Protocol

from pincite.lexicon import pattern, pattern_table, word_list, word_set
from pincite.search.metadata_match import (
    NamedMetadata,
    Traits,
    aliases_of,
    asked,
    kind_of,
    language_of,
)

LEGAL = pattern("search", "legal form", "names")
_WORD = re.compile(r"[^\W_]+(?:&[^\W_]+)*")
_YEAR = pattern("search", "year", "times")
_QUARTER = pattern("search", "quarter", "times")
_FORM = pattern("search", "form", "names")
_MONTHS = word_list("time", "short months")
_DATES = pattern_table("search", "dates")
# Words of file names and titles that say what kind of paper it is, not which one.
COMMON = word_set("search", "common in names")

LEAST = 3
"""So many words ask something when a name is left out."""


class ListedDocument(Protocol):
    """A document as a catalogue lists it."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def meta(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def declared(self) -> Mapping[str, str]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Routed:
    """A document that a question names: the position in the catalogue, a weight in (0, 1], the name, and why."""

    position: int
    weight: float
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class _Card:
    names: frozenset[str]  # squeezed: lower case, no blanks
    years: tuple[int, ...]  # the most telling first
    quarters: frozenset[str]
    forms: frozenset[str]
    dates: frozenset[date]
    given: frozenset[str] = frozenset()  # of the names those that the metadata file gives
    traits: Traits = Traits()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What the documents of a corpus are called, made once; `by_name` are positions, `names` the names in order, `traits` what
    documents are by the metadata file.
    """

    cards: tuple[_Card, ...]
    by_name: Mapping[str, tuple[int, ...]]
    names: tuple[str, ...]
    traits: frozenset[Traits] = frozenset()

    @staticmethod
    def of(documents: Sequence[ListedDocument]) -> Catalogue:
        """The catalogue of these documents. A name that more than half of them carry tells nothing and is left out; one that the
        metadata file gives, only where all of them carry it.
        """
        cards = tuple(_card(document) for document in documents)
        by_name: dict[str, list[int]] = {}
        for position, card in enumerate(cards):
            for name in card.names:
                by_name.setdefault(name, []).append(position)
        most = max(1, len(cards) // 2)

        def is_given(name: str, positions: Sequence[int]) -> bool:
            return any(name in cards[position].given for position in positions)

        telling = {
            name: tuple(some)
            for name, some in by_name.items()
            if len(some) <= most or (len(some) < len(cards) and is_given(name, some))
        }
        return Catalogue(
            cards, telling, tuple(sorted(telling)), frozenset(card.traits for card in cards)
        )

    def beginning(self, start: str) -> Iterable[str]:
        """The names of six letters or more that begin with `start`."""
        at = bisect_left(self.names, start)
        return (
            name
            for name in takewhile(lambda name: name.startswith(start), self.names[at:])
            if len(name) > 5
        )


def route(question: str, catalogue: Catalogue) -> list[Routed]:
    """The documents that `question` names, the surest first; none when it names none.

    A name in full counts 1 and the beginning of one .8 ("Contoso" of contosofoods), half of that where a
    capital tells nothing (the first word, a question written without any); a document of another year, quarter or
    form than the question's counts less, and one of another kind or language. See `metadata_match.py` for what counts
    where there is no name.
    """
    meant = asked(question, catalogue.traits)
    found = []
    for position, (weight, name) in _named(question, catalogue).items():
        factor, when = _when(question, catalogue.cards[position])
        fits, like = meant.fit(catalogue.cards[position].traits)
        found.append(Routed(position, weight * factor * fits, name, f"names {name!r}{when}{like}"))
    return sorted(
        found or _described(question, meant, catalogue),
        key=lambda routed: (-routed.weight, routed.position),
    )


def _named(question: str, catalogue: Catalogue) -> dict[int, tuple[float, str]]:
    """The positions of the documents that a question names, each with the weight of its surest name and that name."""
    best: dict[int, tuple[float, str]] = {}
    taken: set[int] = set()
    for mention in _mentions(question):
        if taken & set(mention.words):
            continue
        case = 1.0 if mention.capital else 0.5
        named = [(case, position) for position in catalogue.by_name.get(mention.squeezed, ())]
        if mention.capital and len(mention.squeezed) >= 3:
            for name in catalogue.beginning(mention.squeezed):
                named += [(0.8, position) for position in catalogue.by_name[name]]
        for weight, position in named:
            best[position] = max(best.get(position, (0.0, "")), (weight, mention.text))
        if named:
            taken.update(mention.words)
    return best


def _described(question: str, meant: NamedMetadata, catalogue: Catalogue) -> Iterator[Routed]:
    """The documents that a question means by their kind, year or language alone, as the metadata file gives these."""
    # of one year all of them: that tells nothing
    alike = len({trait.years for trait in catalogue.traits}) < 2
    years = set() if alike else years_in(question)
    sure = {trait: said for trait in catalogue.traits if (said := meant.means(trait, years))[0]}
    for position, card in enumerate(catalogue.cards if sure else ()):
        if card.traits in sure:
            weight, words = sure[card.traits]
            factor, when = _when(question, card)
            fits, like = meant.fit(card.traits)
            why = f"{when}{like}".removeprefix(", ")
            yield Routed(position, weight * factor * fits, words, f"{why} by the metadata")


def without_names(question: str, names: Iterable[str]) -> str:
    """A question without the names of documents: among their own pages these tell nothing. Whole where little else is asked."""
    rest = question
    for name in filter(None, names):
        spaced = r"\W*".join(map(re.escape, name.split()))
        rest = re.sub(rf"(?<!\w){spaced}(?:['’]s)?(?!\w)", " ", rest)
    return rest if len(_WORD.findall(rest)) >= LEAST else question


@dataclass(frozen=True, slots=True)
class _Mention:
    squeezed: str
    capital: bool
    text: str
    words: range  # which of the question's words


def _mentions(question: str) -> Iterator[_Mention]:
    """Runs of one to four words of the question that can be a name, the longest first: they hold those within them."""
    plain = re.sub(r"['’]s\b", "", question)
    words = [match[0] for match in _WORD.finditer(plain)]
    careless = plain[1:].islower()
    for size in (4, 3, 2, 1):
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            squeezed = "".join(run).casefold().replace("&", "")
            if size == 1 and _is_generic(squeezed) or len(squeezed) < 2 or squeezed.isdigit():
                continue
            # The first word has a capital anyway: less sure, unless a digit or a second capital makes it a name.
            first = size == 1 and start == 0
            capital = all(map(_is_capital, run)) and not (first and run[0][1:].islower())
            if capital or careless or first:
                yield _Mention(squeezed, capital, " ".join(run), range(start, start + size))


def _is_capital(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def _is_generic(word: str) -> bool:
    """Whether a word says what kind of paper or company something is, and not which one."""
    return word in COMMON or LEGAL.fullmatch(word) is not None


def _when(question: str, card: _Card) -> tuple[float, str]:
    """How well the document's year, quarter, form and date fit those of the question: a factor in (0, 1], in words."""
    dates = _dates(question) & card.dates
    if dates:
        return 1.0, f", dated {min(dates)}"
    factor, why = 1.0, ""
    years = years_in(question)
    if years and card.years:
        factor, why = _year_factor(years, card.years[0]), f", of {card.years[0]}"
    for asked_for, has in ((_quarters(question), card.quarters), (_forms(question), card.forms)):
        if shared := asked_for & has:
            why += f", {'/'.join(sorted(shared))}"
        elif asked_for:
            factor *= 0.5
    return factor, why


def _year_factor(years: set[int], own: int) -> float:
    """How well a document of a year fits a question of these: its report may be of the year after the last, or compare."""
    latest = max(years)
    if own == latest:
        return 1.0
    return 0.6 if own == latest + 1 or own in years else 0.3


def _card(document: ListedDocument) -> _Card:
    given = document.declared
    held = _held(document)
    stem = re.sub(r"\.\w{1,5}$", "", document.id.rsplit("/", 1)[-1])
    spaced = stem.replace("_", " ")
    called = set(_aliases(given.get("company", ""))).union(*map(_aliases, aliases_of(given)))
    names = {
        *_file_names(stem, held.get("file_words", "").split()), *_aliases(held.get("company", "")),
        *called, *_authors(held.get("authors", "") or held.get("author", "")),
        *_short_titles(document.title),
    }  # fmt: skip
    years = [
        int(year)
        for year in re.findall(r"\d{4}", f"{held.get('year', '')} {held.get('years', '')}")
    ]
    declared = tuple(
        sorted(years_in(f"{given.get('year', '')} {given.get('period', '')}"), reverse=True)
    )
    return _Card(
        frozenset(names - {""}),
        tuple(years or sorted(years_in(given.get("period", "")), reverse=True) or years_in(stem)),
        frozenset(_quarters(f"{spaced} {given.get('period', '')}")),
        frozenset(_forms(spaced) | _forms(held.get("kind", ""))),
        frozenset(_dates(" ".join((stem, held.get("date", ""), held.get("period", ""))))),
        frozenset(called),
        Traits(kind_of(given), language_of(given), declared),
    )


def _held(document: ListedDocument) -> Mapping[str, str]:
    """What is known of a document: where people say its time, its cover is not asked for that."""
    given = document.declared
    untold = {"year": "", "years": "", "date": "", "period": "", **given}
    return {**document.meta, **(untold if given.get("year") or given.get("period") else {})}


def _file_names(stem: str, words: Iterable[str]) -> Iterator[str]:
    """What a file is called by: its name in full, and those of its words that tell it from others ("contoso", "3m")."""
    yield stem.casefold()
    yield re.sub(r"[\W_]", "", stem.casefold())
    for word in words or [word.casefold() for word in _WORD.findall(stem)]:
        if (
            len(word) > 2
            and word.isalpha()
            and not _is_generic(word)
            or re.fullmatch(r"\d[a-z]|[a-z]\d", word)
        ):
            yield word


def _aliases(company: str) -> Iterable[str]:
    """A company's name squeezed, with and without its legal form, and its first word when that is long enough."""
    plain = re.sub(r"[^\w&\s]", "", company.casefold().replace("_", " "))
    bare = " ".join(LEGAL.sub(" ", plain).split())
    for alias in {plain, bare}:
        if alias and not alias.isdigit():
            yield re.sub(r"[\s&]", "", alias)
    first = bare.split()[0] if bare else ""
    if len(first) >= 4 and first not in COMMON and not first.isdigit():
        yield first


def _short_titles(title: str) -> Iterable[str]:
    """What a title is called by, squeezed: all of it, and the part before its colon or dash ("BLOOM: a 176B model")."""
    for part in (title, re.split(r"[:–—]| - ", title)[0]):
        words = [word.casefold() for word in _WORD.findall(part)]
        if 0 < len(words) <= 4 and not set(words) <= COMMON:
            yield "".join(words).replace("&", "")


def _authors(authors: str) -> Iterable[str]:
    """The surnames of "Ada Lovelace, Charles Babbage" or "Lovelace, A.; Babbage, C."."""
    for author in re.split(r"[;,]| and ", authors):
        parts = [part for part in author.split() if len(part.strip(".")) > 2]
        if parts:
            yield parts[-1].casefold()


def years_in(text: str) -> set[int]:
    """The years that a text names: "2021", "FY21", "fiscal year '21"."""
    return {2000 + int(short) if short else int(full) for short, full in _YEAR.findall(text)}


def _quarters(text: str) -> set[str]:
    ordinals = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
    # one of the four is not empty
    written = ("".join(parts).lower() for parts in _QUARTER.findall(text))
    return {f"Q{ordinals.get(quarter, quarter)}" for quarter in written}


def _forms(text: str) -> set[str]:
    return {f"{number}-{letter.upper()}" for number, letter in _FORM.findall(text)}


def _dates(text: str) -> set[date]:
    found = set()
    for _, written in _DATES:
        for match in written.finditer(text):
            month = match["m"].lower()
            try:
                number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
                found.add(date(int(match["y"]), number, int(match["d"])))
            except ValueError:
                continue
    return found
