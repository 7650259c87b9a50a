"""Prose of a model as it streams in: cut into sentences, each checked against the pages it cites before anyone sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from pincite.chat.events import Sentence, Withheld
from pincite.check import rival_cells, rival_numbers
from pincite.corpus import Corpus
from pincite.document.address import standing
from pincite.document.cell_values import quantity_of
from pincite.document.deducted_amounts import as_spent
from pincite.document.labelled_cells import Labelled
from pincite.document.sentence_spans import sentences
from pincite.document.times import When, when
from pincite.evidence.candidate import Evidence, Passage
from pincite.evidence.cell_terms import column_terms, row_terms, times_of
from pincite.evidence.cited_place import (
    CitedPlace,
    PlacedQuantity,
    cells_of,
    clipped,
    numbers_in,
    sentence_of,
    table_of,
)
from pincite.evidence.drafted_answer import cited as citation_of
from pincite.evidence.gathering import READ
from pincite.evidence.orders import gives_orders, links, trusted
from pincite.generate.line_prompts import WIDE, may_be_shown, place_of
from pincite.generate.prompts import framed
from pincite.ingest.tree import section_path
from pincite.lines.making import lines_of
from pincite.quantity import EXACT, find, rounded, same
from pincite.quantity.running_text import FoundQuantity as Number
from pincite.quantity.units import is_counted
from pincite.question.ask import Ask
from pincite.text.lexicon import pattern
from pincite.text.words import words
from pincite.types import Anchor, Answer, Node, Quantity
from pincite.untrusted import visible

PAGES = 6
"""Pages that a model is shown to speak from: those the answer cites first, then those that were read, best first."""
PAGE = 24_000
"""Characters of a page that are shown."""
SHARE = 0.5
"""The share of a sentence's content words, but those of the question, that stand on the pages it cites."""
LONGEST = 1200
"""Characters after which text without the end of a sentence is taken for one: no sentence to be read is longer."""
_MARKS = pattern("chat", "marks")
_LATE = pattern("chat", "late marks")
_BULLET = pattern("chat", "bullet")
_OUTGOING = pattern("chat", "outgoing")
_POINTS = pattern("chat", "points")
_NAME = pattern("chat", "name inside")
_REFERENCES = pattern("generate", "references")
"""The header of a column whose numbers only point elsewhere."""


Page = tuple[Passage, ...]


def pages_of(corpus: Corpus, answer: Answer) -> tuple[Page, ...]:
    """What a model may speak from: the pages that a checked answer cites, then those that were read for it."""
    ids = [*(citation.node for citation in answer.citations), *answer.read]
    places = corpus.places(ids)
    cited = dict.fromkeys(places[identity] for identity in ids if identity in places)
    shown: list[Page] = []
    for rank, (version, page) in enumerate(islice(cited, PAGES)):
        if document := corpus.by_version.get(version):
            named = document.id, document.title
            read = [node for node in corpus.page(version, page) if node.kind in READ]
            shown.append(
                tuple(Passage(node, rank, 0.0, section_path(node), *named) for node in read)
            )
    return tuple(filter(None, shown))


def page_texts(pages: Sequence[Page]) -> tuple[tuple[str, ...], str]:
    """The lines of pages, each page below its number between two lines that no document can forge; and what says so."""
    return framed([(f"page {number}", _lines_on(page)) for number, page in enumerate(pages, 1)])


def _lines_on(page: Page) -> str:
    lines = [line for line in lines_of(page) if may_be_shown(line)]
    if not lines:
        return ""
    said = (" ".join(visible(line.written((), WIDE.cells)).split()) for line in lines)
    return "\n".join((f"[{place_of(lines[0], WIDE)}]", *said))[:PAGE]


@dataclass
class Prose:
    """The reply of a model, fed piece by piece; `shown` are the pages that its marks [1], [2] ... cite. `answer` is the checked
    answer that the prose explains: its value may be said where one of its pages is cited.
    """

    shown: tuple[Page, ...]
    answer: Answer
    ask: Ask
    _held: str = field(default="", init=False)

    def feed(self, piece: str) -> Iterator[Sentence | Withheld]:
        """Take a piece in; yield what has become whole, once it is checked."""
        self._held += piece
        yield from self._released(last=False)

    def end(self) -> Iterator[Sentence | Withheld]:
        """The reply is complete: what is left."""
        yield from self._released(last=True)

    def _released(self, last: bool) -> Iterator[Sentence | Withheld]:
        text = _LATE.sub(r"\2\1", self._held)
        spans = sentences(text)
        whole = len(spans)
        if not last:
            # a sentence is whole when the next has begun, and not with what may become a mark of this one
            whole = next(
                (at for at in range(len(spans) - 1) if text[spans[at + 1][0]] == "["),
                len(spans) - 1,
            )
            if spans and spans[-1][1] - spans[-1][0] > LONGEST:
                whole = len(spans)
        for start, end in spans[: max(0, whole)]:
            said = _BULLET.sub("", text[start:end].replace("**", "")).strip()
            if any(map(str.isalpha, said)):
                yield self._checked(said)
        self._held = text[spans[whole - 1][1] :] if whole > 0 else text

    def _checked(self, said: str) -> Sentence | Withheld:
        numbers = dict.fromkeys(map(int, re.findall(r"\d+", ",".join(_MARKS.findall(said)))))
        if not numbers:
            return Withheld("it cites no page")
        if any(not 0 < number <= len(self.shown) for number in numbers):
            return Withheld("it cites a page that was not shown")
        cited = tuple(self.shown[number - 1] for number in numbers)
        if why := self._wrong(" ".join(_MARKS.sub("", said).split()), cited):
            return Withheld(why)
        return Sentence(
            said, tuple((page[0].document, page[0].node.anchor.page) for page in cited)
        )

    def _wrong(self, plain: str, cited: Sequence[Page]) -> str:
        """What is wrong with a sentence, in words; empty when its cited pages carry it."""
        labels = _labels(cited)
        spoken = ((each, plain[each.start : each.end].casefold()) for each in find(plain))
        numbers = [number for number, written in spoken if f" {written} " not in labels]
        rest = _blanked(plain, numbers)
        asked = frozenset(words(self.ask.query.text))
        known = set(asked)
        for passage in chain.from_iterable(cited):
            known.update(words(f"{_whole(passage.node)} {passage.title} {passage.document}"))
        for name in _NAME.findall(rest):
            if not known.issuperset(words(name)):
                return f"'{clipped(name)}' does not appear on the pages it cites"
        wordy = " ".join(_blanked(rest, find(rest)).split())
        return _unfit(wordy, asked, cited) or self._misplaced(plain, numbers, rest, cited)

    def _misplaced(
        self, plain: str, numbers: Sequence[Number], rest: str, cited: Sequence[Page]
    ) -> str:
        """A number that does not stand on the cited pages, or in another row or for another time than the sentence says."""
        there = list(numbers_on(cited))
        about = f"{plain} {self.ask.query.text}" if _POINTS.search(plain) else plain
        for number in numbers:
            said, written = number.quantity, clipped(plain[number.start : number.end])
            if self._is_given(said, cited):
                continue
            found = [number for number in there if _stands(said, number.quantity, about)]
            if not found:
                return f"{written} does not appear on the pages it cites"
            times = _times(plain, number.start, number.end, said) or self.ask.periods
            if not any(self._fits(number, rest, times) for number in found):
                where = standing(found[0].evidence.node.anchor)
                return f"{written} appears {where}, but not for what the sentence says"
        return ""

    def _is_given(self, said: Quantity, cited: Sequence[Page]) -> bool:
        """Whether a number needs no place: it is the question's or the checked answer's, or a year that the pages name."""
        nodes = [passage.node for passage in chain.from_iterable(cited)]
        known, value = [each.quantity for each in find(self.ask.query.text)], self.answer.value
        own = {citation.node for citation in self.answer.citations}
        if isinstance(value, Quantity) and not own.isdisjoint(node.id for node in nodes):
            known.append(value)
        if any(means(said, quantity) for quantity in known):
            return True
        return said.unit == "year" and any(str(said.value) in _whole(node) for node in nodes)

    def _fits(self, number: FoundNumber, rest: str, times: Sequence[When]) -> bool:
        """Whether a place is of a time and a subject that a sentence, without its numbers, speaks of."""
        place = _place(number)
        spoken = frozenset(words(rest))
        if number.cell is None:
            return _fits_sentence(place, spoken, times)
        row, column = row_terms(number.cell), column_terms(number.cell)
        asked = spoken if spoken & row else spoken | frozenset(self.ask.words)
        if not rival_cells.agrees(times_of(place), times) or not asked & (row | column):
            return False
        elsewhere = rival_cells.other_row(asked, place)
        return not elsewhere and not rival_cells.other_column(asked, place, times)


def _unfit(prose: str, asked: frozenset[str], cited: Sequence[Page]) -> str:
    """Why words of a model, without their numbers, are not shown: they lead elsewhere, give orders, or are not those of the pages
    or of the question. "" when nothing is found wanting.
    """
    if links(prose) or visible(prose) != prose:
        return "it holds a link, markup or characters that cannot be seen"
    if gives_orders(prose):
        return "it gives orders instead of an answer"
    there: set[str] = set()
    for passage in chain.from_iterable(cited):
        there.update(words(f"{_whole(passage.node)} {passage.node.anchor.path}"))
    for start, end in sentences(prose) or [(0, len(prose))]:
        spoken = (each for each in words(prose[start:end]) if not each[0].isdigit())
        own = [each for each in spoken if each not in asked]
        if sum(each in there for each in own) < SHARE * len(own):
            return f"'{clipped(prose[start:end])}' is not what the cited places say"
    return ""


def _fits_sentence(place: CitedPlace, spoken: frozenset[str], times: Sequence[When]) -> bool:
    """Whether the sentence of a number shares a word with what is said of it, and its year where both give one."""
    start, end = sentence_of(place.node, place.numbers[0])
    near = {word for word in words(place.node.text[start:end]) if not word[0].isdigit()}
    if near.isdisjoint(spoken):
        return False
    years = rival_numbers.bound_years(place, place.numbers[0]).years
    named = {time.year for time in times if time.year}
    return not (years and named) or not named.isdisjoint(years)


def _times(plain: str, start: int, end: int, said: Quantity) -> tuple[When, ...]:
    """The times that a sentence gives for one of its numbers: those bound to it, else all it names."""
    node = Node("", "paragraph", plain, Anchor(""))
    place = CitedPlace(
        citation_of(Evidence(node, (), start, end, plain[start:end]), ""), node, plain, ()
    )
    bound = rival_numbers.bound_years(place, PlacedQuantity(said, start, end))
    every = tuple(time for time in when(plain) if time.year)
    return tuple(time for time in every if time.year in bound.years) if bound.beside else every


def _stands(said: Quantity, there: Quantity, about: str) -> bool:
    """Whether a number said is the one at a place, or that one rounded; an expense or a fall may be said without its minus."""
    if there.value < 0 < said.value and _OUTGOING.search(about):
        there = replace(there, value=-there.value)
    bare = replace(said, unit="") if said.unit and not there.unit else said
    like = bare if bare.unit else replace(bare, unit=there.unit)
    return means(bare, there) or rounded(like, there)


def _blanked(text: str, numbers: Sequence[Number]) -> str:
    """A text with a blank for each of these numbers in it."""
    for number in reversed(numbers):
        text = f"{text[: number.start]} {text[number.end :]}"
    return text


def _labels(cited: Sequence[Page]) -> str:
    """What heads the rows and columns of the cited pages' tables, each between blanks: numbers in it are names ("16 bit")."""
    heads: set[str] = set()
    for passage in chain.from_iterable(cited):
        for cell in cells_of(passage.node):
            heads.update((cell.label, cell.heading, *cell.sections))
    return f" {' '.join(' '.join(text.split()) for text in heads)} ".casefold()


def _whole(node: Node) -> str:
    """All that stands in a node: its text, or that of its table's cells."""
    return node.text if node.table is None else " ".join(cell.text for cell in node.table.cells)


def _place(found: FoundNumber) -> CitedPlace:
    """A found number as the check reads it."""
    where = found.evidence
    number = PlacedQuantity(found.quantity, where.start, where.end)
    if found.cell is None:
        for at in find(where.node.text):
            if where.start <= at.start < where.end and at.quantity == found.quantity:
                number = PlacedQuantity(at.quantity, at.start, at.end)
                break
    return CitedPlace(citation_of(where, ""), where.node, where.quote, (number,), found.cell)


@dataclass(frozen=True, slots=True)
class FoundNumber:
    """A number where it stands, with the place; for a cell with its labels."""

    quantity: Quantity
    evidence: Evidence
    cell: Labelled | None = None


def means(said: Quantity, there: Quantity) -> bool:
    """Whether a number said is the one that stands at a place.

    A number said without a unit takes the place's, and so does one said without the rate ("kWh" of "kWh per query"); things that
    are counted (employees) need no unit there. An expense in parentheses may be said with the sign it has there.
    """
    said = as_spent(said, there)
    if said.unit in ("", "year", there.unit.partition("/")[0]):
        return same(replace(said, unit=there.unit), there, rel=EXACT)
    if not there.unit:
        return is_counted(said.unit) and same(replace(said, unit=""), there, rel=EXACT)
    return same(said, there, rel=EXACT)


def numbers_on(pages: Sequence[Sequence[Passage]]) -> Iterator[FoundNumber]:
    """Every number of these pages that stands at a place to be trusted."""
    for page in pages:
        for passage in page:
            found = _numbers_of(passage.node, passage.document)
            yield from (number for number in found if trusted(number.evidence, page))


def _numbers_of(node: Node, document: str) -> Iterator[FoundNumber]:
    """The numbers of a table's cells, or of running text, each quoted with its sentence."""
    if not table_of(node):
        for number in numbers_in(node, 0, len(node.text)):
            start, end = sentence_of(node, number)
            sentence = " ".join(node.text[start:end].split())
            where = Evidence(node, (), number.start, number.end, sentence, document)
            yield FoundNumber(number.quantity, where)
        return
    for cell in cells_of(node):
        quantity = quantity_of(node, cell)
        if quantity is not None and not _REFERENCES.fullmatch(cell.heading):
            where = Evidence(node, ((cell.row, cell.column),), quote=cell.text, document=document)
            yield FoundNumber(quantity, where, cell)
