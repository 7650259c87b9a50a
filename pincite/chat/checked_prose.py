"""Prose of a model as it streams in: cut into sentences, each checked against the pages it cites before anyone sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from pincite.chat.cited_numbers import FoundNumber, means, numbers_on
from pincite.chat.events import Sentence, Withheld
from pincite.check import rival_cells, rival_numbers
from pincite.corpus import Corpus
from pincite.document.address import standing
from pincite.document.sentence_spans import sentences
from pincite.document.times import When, when
from pincite.document.words import words
from pincite.evidence.candidate import Evidence, Passage
from pincite.evidence.cell_terms import column_terms, row_terms, times_of
from pincite.evidence.cited_place import CitedPlace, PlacedQuantity, cells_of, clipped, sentence_of
from pincite.evidence.drafted_answer import cited as citation_of
from pincite.evidence.gathering import READ
from pincite.generate.line_prompts import WIDE, may_be_shown, place_of
from pincite.generate.orders import gives_orders, links
from pincite.generate.prompts import framed
from pincite.ingest.tree import section_path
from pincite.lexicon import pattern
from pincite.lines.making import lines_of
from pincite.quantity import find, rounded
from pincite.quantity.running_text import FoundQuantity as Number
from pincite.question.ask import Ask
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


Page = tuple[Passage, ...]


def pages_of(corpus: Corpus, answer: Answer) -> tuple[Page, ...]:
    """What a model may speak from: the pages that a checked answer cites, then those that were read for it."""
    ids = [*(citation.node for citation in answer.citations), *answer.read]
    places = corpus.places(ids)
    cited = dict.fromkeys(places[identity] for identity in ids if identity in places)
    shown = []
    for rank, (version, page) in enumerate(islice(cited, PAGES)):
        document = corpus.by_version.get(version)
        if document is not None:
            held = (node for node in corpus.page(version, page) if node.kind in READ)
            shown.append(
                tuple(
                    Passage(node, rank, 0.0, section_path(node), document.id, document.title)
                    for node in held
                )
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
    """The reply of a model, fed piece by piece; `shown` are the pages that its marks [1], [2] ... cite.

    `answer` is the checked answer that the prose explains: its value may be said where one of its pages is cited.
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
        pages = self.shown
        if not numbers:
            return Withheld("it cites no page")
        if any(not 0 < number <= len(pages) for number in numbers):
            return Withheld("it cites a page that was not shown")
        cited = tuple(pages[number - 1] for number in numbers)
        why = self._wrong(" ".join(_MARKS.sub("", said).split()), cited)
        if why:
            return Withheld(why)
        first = [page[0] for page in cited]
        return Sentence(
            said, tuple((passage.document, passage.node.anchor.page) for passage in first)
        )

    def _wrong(self, plain: str, cited: Sequence[Page]) -> str:
        """What is wrong with a sentence, in words; empty when its cited pages carry it."""
        labels = _labels(cited)
        numbers = [
            quantity
            for quantity in find(plain)
            if f" {plain[quantity.start : quantity.end].casefold()} " not in labels
        ]
        rest = _blanked(plain, numbers)
        asked = frozenset(words(self.ask.query.text))
        known = set(asked)
        for passage in chain.from_iterable(cited):
            known.update(words(f"{_whole(passage.node)} {passage.title} {passage.document}"))
        for name in _NAME.findall(rest):
            if not known.issuperset(words(name)):
                return f"'{clipped(name)}' does not appear on the pages it cites"
        plain_rest = " ".join(_blanked(rest, find(rest)).split())
        if unfit := _unfit(plain_rest, asked, cited):
            return unfit
        return self._misplaced(plain, numbers, rest, cited)

    def _own_value(self, cited: Sequence[Page]) -> Quantity | None:
        """The answer's checked number, where a page that it rests on is cited."""
        nodes = {citation.node for citation in self.answer.citations}
        value = self.answer.value
        held = any(passage.node.id in nodes for passage in chain.from_iterable(cited))
        return value if held and isinstance(value, Quantity) else None

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
        known = [quantity.quantity for quantity in find(self.ask.query.text)]
        if (own := self._own_value(cited)) is not None:
            known.append(own)
        if any(means(said, quantity) for quantity in known):
            return True
        return said.unit == "year" and any(
            str(said.value) in _whole(passage.node) for passage in chain.from_iterable(cited)
        )

    def _fits(self, number: FoundNumber, rest: str, times: Sequence[When]) -> bool:
        """Whether a place is of a time and a subject that a sentence, without its numbers, speaks of."""
        place = _place(number)
        spoken = frozenset(words(rest))
        if number.cell is None:
            return _fits_sentence(place, spoken, times)
        row = row_terms(number.cell)
        asked = spoken if spoken & row else spoken | frozenset(self.ask.words)
        column = column_terms(number.cell)
        if not rival_cells.agrees(times_of(place), times) or not asked & (row | column):
            return False
        return not rival_cells.other_row(asked, place) and not rival_cells.other_column(
            asked, place, times
        )


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
        own = [
            each for each in words(prose[start:end]) if not each[0].isdigit() and each not in asked
        ]
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
    return means(bare, there) or rounded(
        bare if bare.unit else replace(bare, unit=there.unit), there
    )


def _blanked(text: str, numbers: Sequence[Number]) -> str:
    """A text with a blank for each of these numbers in it."""
    for number in reversed(numbers):
        text = f"{text[: number.start]} {text[number.end :]}"
    return text


def _labels(cited: Sequence[Page]) -> str:
    """What heads the rows and columns of the cited pages' tables, each between blanks: numbers in it are names ("16 bit")."""
    heads = {
        text
        for passage in chain.from_iterable(cited)
        for cell in cells_of(passage.node)
        for text in (cell.label, cell.heading, *cell.sections)
    }
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
