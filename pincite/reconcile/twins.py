"""Where another document states the same fact: the same row and column of a like table, or a sentence that says the same of it.

Two cells are of one fact when their tables have most rows in common, and row, column and time are called the same; two
sentences when they differ in nothing but the value and in words that say nothing. The value there is the same or another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pincite.document.cell_values import cell_times, label_terms, quantity_of
from pincite.document.labelled_cells import Labelled, labels
from pincite.document.sentences import read
from pincite.evidence.candidate import Evidence
from pincite.evidence.cell_terms import captioned, column_terms, own_terms, times_of
from pincite.evidence.cited_place import CitedPlace, Failed, numbers_in, places, table_of
from pincite.evidence.drafted_answer import cited
from pincite.evidence.gathering import READ
from pincite.evidence.value_in_words import as_asked, worded
from pincite.question.ask import Ask
from pincite.reconcile.settlement import agree, comparable
from pincite.text.lexicon import pattern, word_list
from pincite.text.words import STOP, stems
from pincite.types import Answer, Claim, Draft, Node, Quantity, Table, Value

LIKE = 0.5
"""The share of the rows of the shorter of two tables that the other has, where both are the same table."""
EQUAL = 0.4
"""The share of their other cells of one name that then hold the same."""
FEW = 3
"""Cells of one name up to which that says nothing."""
SHARED = 2
"""Words with a meaning that two sentences have in common besides the value."""
LONGEST = 6
"""Words of a value in whose place any others may stand; of a longer one only the numbers may differ."""
QUIET = STOP | frozenset(stems(" ".join(word_list("reconcile", "restating"))))
"""Words in which two statements of one fact may differ."""

_RESTATED = pattern("reconcile", "restated")
Name = tuple[frozenset[str], frozenset[str], frozenset[tuple[int, int]]]
"""What a cell is called: the words of its row and of its column, and its (year, quarter)."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What an answer states at the one place that it cites.

    `years` are those it holds for, as far as the cell or the sentence says. A sentence is its stems in order, of which
    [first, last) are the value.
    """

    place: CitedPlace
    claim: Claim
    years: frozenset[int] = frozenset()
    sentence: tuple[str, ...] = ()
    first: int = 0
    last: int = 0

    @property
    def is_long(self) -> bool:
        """Whether the value has so many words that only its numbers may differ."""
        return self.last - self.first > LONGEST

    @property
    def telling(self) -> frozenset[str]:
        """The words with a meaning that another sentence of the same fact has too."""
        if self.is_long:
            return frozenset(stem for stem in self.sentence if not _is_numeric(stem)) - QUIET
        return frozenset((*self.sentence[: self.first], *self.sentence[self.last :])) - QUIET


@dataclass(frozen=True, slots=True)
class NamedCells:
    """A table with its cells by what they are called."""

    node: Node
    table: Table
    cells: Mapping[Name, Sequence[Labelled]]

    @staticmethod
    def of(node: Node, table: Table) -> NamedCells:
        """The cells by the words of their row, those of their column and their times."""
        found: dict[Name, list[Labelled]] = {}
        for cell in labels(table).cells:
            times = {(time.year, time.quarter) for time in cell_times(cell) or captioned(table)}
            name = own_terms(cell), column_terms(cell) - QUIET, frozenset(times)
            found.setdefault(name, []).append(cell)
        return NamedCells(node, table, found)

    @property
    def rows(self) -> set[frozenset[str]]:
        """What its rows are called."""
        return {own_terms(cell) for cell in labels(self.table).cells if cell.label}

    def alone(self, name: Name) -> Labelled | None:
        """The one cell of a name; None where none or several are called so."""
        cells = self.cells.get(name, ())
        return cells[0] if len(cells) == 1 else None

    def shared(self, other: NamedCells) -> dict[Name, tuple[Labelled, Labelled]]:
        """The names that one cell of each of two tables has, with the two cells."""
        pairs = ((name, self.alone(name), other.alone(name)) for name in self.cells)
        return {name: (mine, theirs) for name, mine, theirs in pairs if mine and theirs}


def fact_of(answer: Answer, node: Node | None) -> Fact | None:
    """The fact of an answer that quotes one place; None for one that is computed, or put together from several places."""
    if len(answer.claims) != 1 or len(answer.citations) != 1 or answer.citations[0].anchor.sql:
        return None
    claim = answer.claims[0]
    if claim.operation or not isinstance(claim.value, Quantity | str):
        return None
    try:
        place, *more = places(answer.citations[0], node)
    except Failed:
        return None
    if more:
        return None
    if place.cell is not None:
        return Fact(place, claim, frozenset(time.year for time in times_of(place) if time.year))
    return _fact_in_sentence(place, claim) if place.table is None else None


def _fact_in_sentence(place: CitedPlace, claim: Claim) -> Fact | None:
    """A fact stated in a sentence."""
    if isinstance(claim.value, Quantity):
        amount = claim.value.amount
        same = (number for number in place.numbers if number.quantity.amount == amount)
        spans = [(number.start, number.end) for number in same]
    else:
        start = place.node.text.find(str(claim.value))
        spans = [(start, start + len(str(claim.value)))] if start >= 0 else []
    reading = read(place.node.text)
    if not spans or not reading.segments:
        return None
    start, end = spans[0]
    first, last = reading.token_at(start), reading.token_at(end - 1) + 1
    first += reading.ends[first] <= start  # a sign or currency before the first token
    segment = reading.segments[reading.segment_at(first)]
    sentence = reading.stems[segment.first : segment.last]
    years = frozenset(int(stem) for stem in sentence if re.fullmatch(r"(?:19|20)\d\d", stem))
    return Fact(place, claim, years, sentence, first - segment.first, last - segment.first)


def twins(fact: Fact, nodes: Iterable[Node], document: str, ask: Ask) -> Iterator[Draft]:
    """What a document's nodes state of the same fact, as drafts with their own claim and citation."""
    find = _same_sentences if fact.place.cell is None else _same_cells
    for node in nodes:
        for value, evidence in find(fact, node, document):
            citation = cited(evidence, "1")
            period = value.period if isinstance(value, Quantity) else fact.claim.period
            claim = Claim(worded(value), value, ("1",), fact.claim.subject, period)
            said = as_asked(ask, value)
            yield Draft(ask.query, worded(said), said, (claim,), (citation,), (node.id,))


def _same_cells(fact: Fact, node: Node, document: str) -> Iterator[tuple[Value, Evidence]]:
    """The cells of a table that hold the same fact."""
    mine, own, table = fact.place.table, fact.place.cell, table_of(node)
    if mine is None or own is None or table is None or not label_terms(own.label):
        return
    if not any(label_terms(own.label) <= label_terms(cell.text) for cell in table.cells):
        return  # a cheap look before the table is labelled
    cell = _same_cell(NamedCells.of(fact.place.node, mine), own, NamedCells.of(node, table))
    if cell is None:
        return
    value = _cell_value(node, cell) if isinstance(fact.claim.value, Quantity) else cell.text
    if comparable(fact.claim.value, value) and not _is_rescaled(fact.claim.value, value):
        yield value, Evidence(node, ((cell.row, cell.column),), quote=cell.text, document=document)


def _same_cell(here: NamedCells, own: Labelled, there: NamedCells) -> Labelled | None:
    """The cell of another view of the same table that is called as a cell is there, with the same section above it."""
    shared = here.shared(there)
    name = next((name for name, (cell, _) in shared.items() if cell == own), None)
    if name is None:
        return None
    _, cell = shared.pop(name)
    if not _same_table(here, there, list(shared.values())):
        return None
    sections = [label_terms(each.sections[-1]) for each in (cell, own) if each.sections]
    return None if len(sections) == 2 and sections[0] != sections[1] else cell


def _same_table(a: NamedCells, b: NamedCells, shared: Sequence[tuple[Labelled, Labelled]]) -> bool:
    """Whether two tables are the same one: most rows are, and of the other cells of one name enough hold the same.

    Tables with hardly another cell in common must say so: by one caption, or by calling themselves restated.
    """
    mine, theirs = a.rows, b.rows
    if mine.isdisjoint(theirs) or len(mine & theirs) < LIKE * min(len(mine), len(theirs)):
        return False
    same = sum(
        agree(_cell_value(a.node, cell), _cell_value(b.node, other)) for cell, other in shared
    )
    if same >= max(EQUAL * len(shared), 1) and len(shared) > 1:
        return True
    if _RESTATED.search(f"{_headings(a.table)} {_headings(b.table)}"):
        return True
    caption = label_terms(a.table.caption)
    return len(shared) < FEW and bool(caption) and caption == label_terms(b.table.caption)


def _headings(table: Table) -> str:
    """What stands above a table's body, and its caption."""
    headers = (cell.text for cell in table.cells if cell.row < table.header_rows)
    return " ".join((*headers, table.caption))


def _cell_value(node: Node, cell: Labelled) -> Value:
    """What a cell holds: a number with the scale and unit bound to it, or its words."""
    return quantity_of(node, cell) or cell.text


def _is_rescaled(a: Value, b: Value) -> bool:
    """Whether two numbers have the same digits and another scale: one was read wrongly, nothing was restated."""
    return (
        isinstance(a, Quantity)
        and isinstance(b, Quantity)
        and a.value == b.value
        and a.scale != b.scale
    )


def _same_sentences(fact: Fact, node: Node, document: str) -> Iterator[tuple[Value, Evidence]]:
    """The first sentence of a node that states the same fact."""
    telling = fact.telling
    if node.table is not None or node.kind not in READ or len(telling) < SHARED:
        return
    reading = read(node.text)
    for index, segment in enumerate(reading.segments):
        own = reading.stems[segment.first : segment.last]
        span = _aligned_span(fact, own) if telling <= set(own) else None
        if span is None:
            continue
        first, last = segment.first + span[0], segment.first + span[1] - 1
        value = _value_between(fact, node, reading.starts[first], reading.ends[last])
        if value is not None:
            quote = reading.quote(index)
            yield value, Evidence(node, (), segment.start, segment.end, quote, document)
            return


def _value_between(fact: Fact, node: Node, start: int, end: int) -> Value:
    """What stands at characters [start, end) in the place of the fact's value; None for no number that can be one of the same."""
    held = fact.claim.value
    if not isinstance(held, Quantity):
        return " ".join(node.text[start:end].split()).rstrip(".,;")
    found = [number.quantity for number in numbers_in(node, start, end)]
    alike = [quantity for quantity in found if quantity.unit == held.unit] or found
    return alike[0] if alike and comparable(held, alike[0]) else None


def _aligned_span(fact: Fact, own: Sequence[str]) -> tuple[int, int] | None:
    """The words [start, end) of a sentence that stand where the fact's value does in its own; None when it states another."""
    first, last = fact.first, fact.last
    start = end = -1
    matcher = SequenceMatcher(None, fact.sentence, own, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            low, high = j1 + max(0, first - i1), j2 - max(0, i2 - last)
        elif _says_else(fact, i1, i2, own[j1:j2]):
            return None
        else:
            low, high = j1, j2
        if (i1 < last and i2 > first) or (tag == "insert" and first <= i1 <= last):
            start, end = (low if start < 0 else start), max(end, high)
    return (start, end) if 0 <= start < end <= start + max(LONGEST, last - first + 2) else None


def _says_else(fact: Fact, start: int, end: int, there: Sequence[str]) -> bool:
    """Whether words that stand in the place of others of a fact's sentence make another fact of it.

    They do outside its value, and in the place of a long one where they are not numbers.
    """
    told = [stem for stem in (*fact.sentence[start:end], *there) if stem not in QUIET]
    if fact.is_long and not all(map(_is_numeric, told)):
        return True
    return bool(told) and not fact.first <= start <= end <= fact.last


def _is_numeric(stem: str) -> bool:
    return any(character.isdigit() for character in stem)
