"""Which documents a question names: by company, file name, title, author, year, period, form, kind or language; as weights,
never as a filter.

A question that names nothing routes nowhere. A name routes to every document that carries it, and the years, quarters, forms,
dates, kinds and languages of the question then tell those documents apart; where it holds no name, the kind, year or language
that the metadata file gives to documents routes by itself. That file takes precedence over what covers and file names suggest.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import takewhile

from pincite.corpus import Entryless
from pincite.text.language import languages
from pincite.text.lexicon import pattern, pattern_table, word_list, word_set
from pincite.text.words import PLAIN_WORD, plain_words

KIND = 0.7
"""How surely a question means the documents of a kind that it names: not as surely as those that it names themselves."""
HINT = 0.4
"""The same for a year, a language, or a kind in one word ("paper"): others may answer as well, so these are preferred alone."""
OTHER = 0.5
"""What a document counts that is of another kind or language than the question names."""
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits of a document that the user declares: kind and language as their words, and years; empty where unsaid."""

    kind: Words = ()
    language: Words = ()
    years: tuple[int, ...] = ()


def traits_of(declared: Mapping[str, str], years: tuple[int, ...]) -> Traits:
    """The traits by the columns of the metadata file; a language that is known by its name or code is its code."""
    language = plain_words(declared.get("language", ""))
    if len(language) == 1:
        language = (_codes().get(language[0], language[0]),)
    return Traits(plain_words(declared.get("kind", "")), language, years)


def aliases_of(declared: Mapping[str, str]) -> list[str]:
    """The other names of a document's company: the columns `alias` and `aliases`, several apart by semicolons."""
    written = ";".join((declared.get("alias", ""), declared.get("aliases", "")))
    return [name.strip() for name in written.split(";") if name.strip()]


@dataclass(frozen=True, slots=True)
class NamedMetadata:
    """Which of the kinds and languages of a corpus a question names, and its words for them."""

    kinds: Mapping[Words, str]
    languages: Mapping[Words, str]

    def fit(self, traits: Traits) -> tuple[float, str]:
        """How well a document's kind and language fit those that are named: a factor in (0, 1], in words."""
        factor, why = 1.0, ""
        for own, named in ((traits.kind, self.kinds), (traits.language, self.languages)):
            if own and named:
                factor *= 1.0 if own in named else OTHER
                why += f", {named[own]}" if own in named else ""
        return factor, why

    def means(self, traits: Traits, years: set[int]) -> tuple[float, str]:
        """How surely a document is meant by what it is alone, and the words that say so; 0 when it is not."""
        kind, language = self.kinds.get(traits.kind, ""), self.languages.get(traits.language, "")
        sure = KIND if kind and (len(traits.kind) > 1 or not kind.isalpha()) else HINT
        year = max(years) if years else 0
        if not (kind or language or year in traits.years):
            return 0.0, ""
        return sure, kind


def asked(question: str, every: Collection[Traits]) -> NamedMetadata:
    """What a question names of the traits of documents. What all of them have tells nothing."""
    words = list(PLAIN_WORD.finditer(question))
    folded = tuple(match[0].casefold() for match in words)

    def named(held: set[Words]) -> dict[Words, str]:
        found: dict[Words, str] = {}
        for trait in held - {()} if len(held) > 1 else ():
            known = languages().get(trait[0]) if len(trait) == 1 else None
            for called in [trait] if known is None else [(name,) for name in known.names]:
                size, written = len(called), (called, (*called[:-1], called[-1] + "s"))
                starts = (at for at in range(len(words)) if folded[at : at + size] in written)
                if (at := next(starts, None)) is not None:
                    found[trait] = question[words[at].start() : words[at + size - 1].end()]
        return found

    kinds = named({traits.kind for traits in every})
    return NamedMetadata(kinds, named({traits.language for traits in every}))


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """The codes of languages by each name, and by themselves."""
    return {
        name: code for code, language in languages().items() for name in (code, *language.names)
    }


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
    """What the documents of a corpus are called: `by_name` positions, `names` in order; `traits` by the metadata file."""

    cards: tuple[_Card, ...]
    by_name: Mapping[str, tuple[int, ...]]
    names: tuple[str, ...]
    traits: frozenset[Traits] = frozenset()

    @staticmethod
    def of(documents: Sequence[Entryless]) -> Catalogue:
        """The catalogue of these documents. A name that more than half of them carry tells nothing and is left out; one that the
        metadata file gives, only where all of them carry it.
        """
        cards = tuple(map(_card, documents))
        by_name: dict[str, list[int]] = {}
        for position, card in enumerate(cards):
            for name in card.names:
                by_name.setdefault(name, []).append(position)
        given = frozenset[str]().union(*(card.given for card in cards))
        half = max(1, len(cards) // 2)
        telling = {
            name: tuple(positions)
            for name, positions in by_name.items()
            if len(positions) <= (max(half, len(cards) - 1) if name in given else half)
        }
        traits = frozenset(card.traits for card in cards)
        return Catalogue(cards, telling, tuple(sorted(telling)), traits)

    def beginning(self, start: str) -> Iterable[str]:
        """The names of six letters or more that begin with `start`."""
        names = self.names[bisect_left(self.names, start) :]
        return (
            name for name in takewhile(lambda name: name.startswith(start), names) if len(name) > 5
        )


def route(question: str, catalogue: Catalogue) -> list[Routed]:
    """The documents that `question` names, the surest first; none when it names none.

    A name in full counts 1 and the beginning of one .8 ("Contoso" of contosofoods), half of that where a
    capital tells nothing (the first word, a question written without any); a document of another year, quarter or
    form than the question's counts less, and one of another kind or language; KIND and HINT say what counts where there
    is no name.
    """
    meant = asked(question, catalogue.traits)
    found = []
    for position, (weight, name) in _named_positions(question, catalogue).items():
        factor, when = _time_fit(question, catalogue.cards[position])
        fits, like = meant.fit(catalogue.cards[position].traits)
        found.append(Routed(position, weight * factor * fits, name, f"names {name!r}{when}{like}"))
    return sorted(
        found or _routed_by_traits(question, meant, catalogue),
        key=lambda routed: (-routed.weight, routed.position),
    )


def _named_positions(question: str, catalogue: Catalogue) -> dict[int, tuple[float, str]]:
    """The positions of the documents that a question names, each with the weight of its surest name and that name."""
    best: dict[int, tuple[float, str]] = {}
    taken: set[int] = set()
    for mention in _possible_names(question):
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


def _routed_by_traits(
    question: str, meant: NamedMetadata, catalogue: Catalogue
) -> Iterator[Routed]:
    """The documents that a question means by their kind, year or language alone, as the metadata file gives these."""
    # of one year all of them: that tells nothing
    alike = len({trait.years for trait in catalogue.traits}) < 2
    years = set() if alike else years_in(question)
    sure = {trait: meant.means(trait, years) for trait in catalogue.traits}
    for position, card in enumerate(catalogue.cards):
        weight, words = sure[card.traits]
        if weight:
            factor, when = _time_fit(question, card)
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


def _possible_names(question: str) -> Iterator[_Mention]:
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
            named = all(word[0].isupper() or word[0].isdigit() for word in run)
            capital = named and not (first and run[0][1:].islower())
            if capital or careless or first:
                yield _Mention(squeezed, capital, " ".join(run), range(start, start + size))


def _is_generic(word: str) -> bool:
    """Whether a word says what kind of paper or company something is, and not which one."""
    return word in COMMON or LEGAL.fullmatch(word) is not None


def _time_fit(question: str, card: _Card) -> tuple[float, str]:
    """How well the document's year, quarter, form and date fit those of the question: a factor in (0, 1], in words."""
    dates = _dates(question) & card.dates
    if dates:
        return 1.0, f", dated {min(dates)}"
    factor, why = 1.0, ""
    years = years_in(question)
    if years and card.years:
        own, latest = card.years[0], max(years)
        # its report may be of the year after the last, or compare
        near = 0.6 if own == latest + 1 or own in years else 0.3
        factor, why = 1.0 if own == latest else near, f", of {own}"
    for asked_for, has in ((_quarters(question), card.quarters), (_forms(question), card.forms)):
        if shared := asked_for & has:
            why += f", {'/'.join(sorted(shared))}"
        elif asked_for:
            factor *= 0.5
    return factor, why


def _card(document: Entryless) -> _Card:
    given, meta = document.declared, document.meta
    if given.get("year") or given.get("period"):  # people say its time: its cover is not asked
        meta = {**meta, "year": "", "years": "", "date": "", "period": "", **given}
    stem = re.sub(r"\.\w{1,5}$", "", document.id.rsplit("/", 1)[-1])
    spaced, period = stem.replace("_", " "), given.get("period", "")
    called = set(_aliases(given.get("company", ""))).union(*map(_aliases, aliases_of(given)))
    names = {
        *_file_names(stem, meta.get("file_words", "").split()), *_aliases(meta.get("company", "")),
        *called, *_authors(meta.get("authors", "") or meta.get("author", "")),
        *_short_titles(document.title),
    }  # fmt: skip
    years = map(int, re.findall(r"\d{4}", f"{meta.get('year', '')} {meta.get('years', '')}"))
    declared = tuple(sorted(years_in(f"{given.get('year', '')} {period}"), reverse=True))
    return _Card(
        frozenset(names - {""}),
        tuple(years) or tuple(sorted(years_in(period), reverse=True) or years_in(stem)),
        frozenset(_quarters(f"{spaced} {period}")),
        frozenset(_forms(spaced) | _forms(meta.get("kind", ""))),
        frozenset(_dates(" ".join((stem, meta.get("date", ""), meta.get("period", ""))))),
        frozenset(called),
        traits_of(given, declared),
    )


def _file_names(stem: str, words: Iterable[str]) -> Iterator[str]:
    """What a file is called by: its name in full, and those of its words that tell it from others ("contoso", "3m")."""
    yield stem.casefold()
    yield re.sub(r"[\W_]", "", stem.casefold())
    for word in words or [word.casefold() for word in _WORD.findall(stem)]:
        telling = len(word) > 2 and word.isalpha() and not _is_generic(word)
        if telling or re.fullmatch(r"\d[a-z]|[a-z]\d", word):
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
