"""A place against the question: does its own wording point to another row, column, table, year or number than the cited one?

The rules for rows, columns and clauses are ones of dominance: another place must have all the words of the question that the
cited one has, and more, while it has no more words of its own. Paraphrases therefore pass, and only what the wording itself
exposes is caught. Years are compared with the question only where a header or a sentence binds them to the number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, product, starmap

from pincite.document.address import standing
from pincite.document.cell_values import cell_times, label_terms
from pincite.document.labelled_cells import TIME_WORDS, Labelled, is_blank, is_number
from pincite.document.sentences import Segment, read
from pincite.document.times import When, when, years_of
from pincite.document.words import STOP, stems, words
from pincite.evidence.candidate import Evidence
from pincite.evidence.cited_place import (
    CitedPlace,
    PlacedQuantity,
    clipped,
    numbers_in,
    sentence_of,
)
from pincite.evidence.table_view import TableView
from pincite.lexicon import pattern, word_list
from pincite.quantity.units import is_currency
from pincite.question.cues import says
from pincite.question.understanding import Ask
from pincite.types import Node, Quantity

_OF_OPERATION = frozenset(stems(" ".join(word_list("check", "operations"))))
_VAGUE = frozenset(stems(" ".join(word_list("check", "times"))))
"""What a question says of a time beside naming it; in a label it says nothing of the subject."""


def asked_words(ask: Ask, computed: bool) -> frozenset[str]:
    """The words of a question but its times; for a computed answer without those that only say what to compute."""
    named = {word for phrase in (ask.subject, *ask.operands) for word in words(phrase)}
    times = {word for period in ask.periods for word in words(period.text)}
    return (
        frozenset(stems(ask.text))
        - times
        - _VAGUE
        - (_OF_OPERATION - named if computed else frozenset())
    )


@dataclass(frozen=True, slots=True)
class Bound:
    """The years a sentence binds to a number; `beside` when they stand right by it, not at the opening of the sentence."""

    years: frozenset[int] = frozenset()
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Fit:
    """How a label meets the words asked for: those it shares, and how many it has beyond them."""

    shared: frozenset[str]
    extra: int

    def covers(self, other: Fit) -> bool:
        """Whether this label has all that the other shares, and no more beyond what is asked."""
        return self.shared >= other.shared and self.extra <= other.extra

    def beats(self, other: Fit) -> bool:
        """Whether it covers the other and is strictly nearer to what is asked: by a word more, or by being just that."""
        nearer = self.shared > other.shared or (
            self.extra == 0 < other.extra and bool(self.shared)
        )
        return nearer and self.covers(other)

    def instead(self, other: Fit) -> bool:
        """Whether at least half of this label is asked for, two words or more, and nothing of the other."""
        return not other.shared and len(self.shared) >= max(2, self.extra)


def fit(asked: Iterable[str], label: Iterable[str]) -> Fit:
    """How a label's words meet the words asked for."""
    wanted, own = frozenset(asked), frozenset(label)
    return Fit(wanted & own, len(own - wanted))


def row_terms(cell: Labelled) -> frozenset[str]:
    """The words of a row: its label with the sections above it; a row without a label below labelled ones is a total."""
    return frozenset(label_terms(" ".join((*cell.sections, cell.label or "total")))) - _VAGUE


def own_terms(cell: Labelled) -> frozenset[str]:
    """The words of a row's own label."""
    return frozenset(label_terms(cell.label or "total")) - _VAGUE


def column_terms(cell: Labelled) -> frozenset[str]:
    """The words of a column's header, without its time."""
    return frozenset(label_terms(cell.heading) - TIME_WORDS)


def times_of(place: CitedPlace) -> tuple[When, ...]:
    """The times that a cell holds for: its own, or the one time of its table's caption; none for a quote."""
    if place.cell is None or place.view is None:
        return ()
    own = cell_times(place.cell)
    captioned = when(place.view.table.caption)
    return own or (captioned if len(captioned) == 1 and captioned[0].year else ())


def agrees(own: Sequence[When], asked: Sequence[When], through: bool = False) -> bool:
    """Whether any of a place's times is an asked one but for the day, or lies between the two ends asked for; silence agrees."""
    if not own or not asked:
        return True
    years = years_of(asked)
    if through and years and any(min(years) <= period.year <= max(years) for period in own):
        return True
    dayless = [replace(period, day=0) for period in asked]
    return any(starmap(When.fits, product(own, dayless)))


Prefers = Callable[[Evidence], bool]
"""Whether the judge of evidence finds that a rival of the cited place answers better than that does."""


def by_words(rival: Evidence) -> bool:
    """Where there is no judge, words alone decide."""
    return True


def other_row(
    asked: Iterable[str],
    place: CitedPlace,
    cited: Sequence[CitedPlace] = (),
    prefers: Prefers = by_words,
) -> str:
    """The row of the same table that the asked words name better than the cited one; empty when there is none.

    Rows of the other `cited` places are no rivals: the words may be meant for them. Words alone decide nothing where there is
    a judge that `prefers` one place to another.
    """
    assert place.cell is not None and place.view is not None
    wanted = frozenset(asked) - _VAGUE
    mine = _row_fits(wanted, place.cell)
    taken = {cell.row for cell in _cells_beside(place, cited)}
    for cell in place.view.labels.column(place.cell.column):
        if (
            cell.row in taken
            or not _rivals(cell, place)
            or not _names_better(_row_fits(wanted, cell), mine)
        ):
            continue
        if prefers(_cell(place.view, cell)):
            return clipped(" ".join((*cell.sections, cell.label)))
    return ""


def _row_fits(wanted: frozenset[str], cell: Labelled) -> tuple[Fit, Fit]:
    """How a row's own label meets the words asked for, and how it does with its sections."""
    return fit(wanted, own_terms(cell)), fit(wanted, row_terms(cell))


def _names_better(theirs: tuple[Fit, Fit], mine: tuple[Fit, Fit]) -> bool:
    """Whether the words name one row rather than another, by their own labels and by those with their sections."""
    (own, full), (alone, whole) = theirs, mine
    if own.covers(alone) and full.covers(whole) and (own.beats(alone) or full.beats(whole)):
        return True
    if own.instead(whole):
        return True
    return full.beats(whole) and not full.extra and len(full.shared) > len(whole.shared) + 1


def _cells_beside(place: CitedPlace, cited: Sequence[CitedPlace]) -> list[Labelled]:
    """The cell of a place and the other cited cells of its table."""
    return [each.cell for each in (place, *cited) if each.cell and each.node.id == place.node.id]


def other_column(
    asked: Iterable[str],
    place: CitedPlace,
    periods: Sequence[When],
    cited: Sequence[CitedPlace] = (),
    prefers: Prefers = by_words,
) -> str:
    """The column that the asked words name better than the cited one, among those of an asked time; empty when none."""
    assert place.cell is not None and place.view is not None
    wanted = frozenset(asked) - row_terms(place.cell)
    mine = fit(wanted, column_terms(place.cell))
    taken = {cell.column for cell in _cells_beside(place, cited)}
    for cell in place.view.labels.row(place.cell.row):
        theirs = fit(wanted, column_terms(cell))
        if cell.column in taken or not theirs.shared > mine.shared or not theirs.covers(mine):
            continue
        if _rivals(cell, place, periods) and prefers(_cell(place.view, cell)):
            return clipped(cell.heading)
    return ""


def other_table(
    asked: Iterable[str],
    place: CitedPlace,
    periods: Sequence[When],
    views: Sequence[TableView],
    prefers: Prefers,
) -> str:
    """A cell of another table that was read and whose row is wholly asked for, while nothing around the cited cell says more."""
    assert place.cell is not None and place.view is not None
    wanted = frozenset(asked) - _VAGUE
    all_mine = wanted & (row_terms(place.cell) | column_terms(place.cell) | _around(place.view))
    for view, cell in _cells_of_others(place.node, views):
        all_theirs = wanted & (row_terms(cell) | column_terms(cell) | _around(view))
        if not all_theirs > all_mine or not _is_nearer(wanted, view, cell, place.view, place.cell):
            continue
        if _rivals(cell, place, periods) and prefers(_cell(view, cell)):
            return f"{clipped(cell.label)}' {standing(view.passage.node.anchor)}".rstrip()
    return ""


def _cells_of_others(
    own: Node, views: Iterable[TableView]
) -> Iterator[tuple[TableView, Labelled]]:
    """The cells of the other tables of a node's document."""
    for view in views:
        node = view.passage.node
        if node.id != own.id and node.anchor.source == own.anchor.source:
            yield from ((view, cell) for cell in view.labels.cells)


def _is_nearer(
    wanted: frozenset[str], view: TableView, cell: Labelled, own_view: TableView, own: Labelled
) -> bool:
    """Whether a cell of another table is nearer to the words asked for than the cited one: by its row, or, where the rows are
    called the same, by its column or by less that is said around its table.
    """
    theirs, mine = fit(wanted, row_terms(cell)), fit(wanted, row_terms(own))
    if (
        theirs.beats(mine)
        or theirs.instead(mine)
        or (not theirs.extra and theirs.shared > mine.shared)
    ):
        return True
    headed, own_headed = fit(wanted, column_terms(cell)), fit(wanted, column_terms(own))
    if own_terms(cell) != own_terms(own) or not headed.covers(own_headed):
        return False
    return headed != own_headed or len(_around(view) - wanted) <= len(_around(own_view) - wanted)


def _cell(view: TableView, cell: Labelled) -> Evidence:
    return Evidence(view.passage.node, ((cell.row, cell.column),))


def _around(view: TableView) -> frozenset[str]:
    return frozenset(words(f"{view.table.caption} {view.passage.node.anchor.path}")) - TIME_WORDS


def _rivals(cell: Labelled, place: CitedPlace, periods: Sequence[When] = ()) -> bool:
    """Whether a cell holds a number of an asked time that is not the cited one."""
    assert place.cell is not None
    number = is_number(cell.text) or (bool(cell.text) and is_blank(cell.text))
    return (
        number
        and cell.text.strip() != place.cell.text.strip()
        and agrees(cell_times(cell), periods)
    )


_BEFORE = pattern("check", "year before")
_AFTER = pattern("check", "year behind")
_OPENING = pattern("check", "year of a clause")
_COMPARED = pattern("check", "compared year")
_VERB = pattern("check", "verb of amounts")
_ITEMS = pattern("check", "between subjects")
_EARLIER = pattern("check", "earlier")
_CLAUSE = pattern("check", "clause")


def bound_years(place: CitedPlace, cited: PlacedQuantity) -> Bound:
    """The years that a sentence binds to a number of it.

    "(2022: 93.4)", "93.4 in 2022", "93.4 and 91.0 in 2022 and 2021, respectively", and "In 2022, ... 93.4".
    """
    start, end = sentence_of(place.node, cited)
    text = place.node.text[:end]
    if "respectively" in text[start:]:
        years = years_of(when(text[start:]))
        numbers = [number.start for number in amounts_of(place.node, start, end)]
        return Bound(_in_turn(cited.start, numbers, years), True)
    if match := _BEFORE.search(text, max(start, cited.start - 12), cited.start):
        return Bound(_years(match["year"]), True)
    if match := _AFTER.match(text, cited.end):
        return Bound(_years(match["year"] or match["plain"]), True)
    opening = list(_OPENING.finditer(text[start : cited.start]))
    return Bound(_years(opening[-1]["year"]) if opening else frozenset())


def _in_turn(cited: int, numbers: Sequence[int], years: Sequence[int]) -> frozenset[int]:
    """The year of one of several numbers that are followed by as many years."""
    if not 1 < len(years) <= len(numbers):
        return frozenset()
    return frozenset(
        year for year, start in zip(years, numbers[-len(years) :], strict=True) if start == cited
    )


def _years(text: str) -> frozenset[int]:
    return frozenset(period.year for period in when(text))


def asks_time(ask: Ask) -> bool:
    """Whether a year may be what is asked for."""
    return says(ask.wants or ask.text, "time as an answer") and not says(
        ask.text, "how many or much"
    )


def elsewhere(ask: Ask, place: CitedPlace, cited: PlacedQuantity) -> bool:
    """Whether the sentence itself sets another number against the cited one for what is asked.

    "93.4 (2022: 91.0)" when 2022 is asked, "91.0 a year earlier" when the year of the other is, and "X and Y were 93.4 and
    91.0, respectively" when Y is.
    """
    text = place.node.text
    compared = _COMPARED.match(text, cited.end)
    if compared and len(ask.periods) == 1 and ask.periods[0].year in _years(compared["year"]):
        return True
    first, last = sentence_of(place.node, cited)
    amounts = amounts_of(place.node, first, last)
    others = [number for number in amounts if number.start != cited.start]
    if (
        ask.periods
        and _EARLIER.match(text, cited.end)
        and _is_beside(ask.periods[0].year, place, others)
    ):
        return True
    return _of_other_item(
        text[first:last],
        [number.start for number in amounts],
        cited.start,
        asked_words(ask, False),
    )


def _is_beside(year: int, place: CitedPlace, numbers: Iterable[PlacedQuantity]) -> bool:
    """Whether a year stands beside one of the numbers."""
    bounds = (bound_years(place, number) for number in numbers)
    return any(bound.beside and year in bound.years for bound in bounds)


def _of_other_item(sentence: str, starts: list[int], cited: int, asked: frozenset[str]) -> bool:
    """Whether "X and Y were 93.4 and 91.0, respectively" gives the cited number for another item than the one asked for."""
    verb = _VERB.search(sentence)
    if "respectively" not in sentence or verb is None:
        return False
    items = [frozenset(words(part)) for part in _ITEMS.split(sentence[: verb.start()])]
    numbers = starts[-len(items) :]
    if not 2 <= len(items) <= len(starts) or cited not in numbers:
        return False
    counts = Counter(chain.from_iterable(items))
    named = [
        at for at, item in enumerate(items) if any(counts[word] == 1 for word in item & asked)
    ]
    return len(named) == 1 and named[0] != numbers.index(cited)


def amounts_of(node: Node, start: int, end: int) -> list[PlacedQuantity]:
    """The quantities of [start, end) of a node's text that are no years."""
    return [number for number in numbers_in(node, start, end) if number.quantity.unit != "year"]


def other_number(ask: Ask, place: CitedPlace, cited: PlacedQuantity, prefers: Prefers) -> str:
    """A number of another clause of the sentence that the question's words name better than the cited one's clause."""
    counted = words(ask.wants)[-1:] if says(ask.text, "count of things") else []
    return _other_count(counted, place, cited, prefers) or _other_clause(
        ask, place, cited, prefers
    )


def _other_count(
    counted: Sequence[str], place: CitedPlace, cited: PlacedQuantity, prefers: Prefers
) -> str:
    """A number of the sentence that what is counted stands behind, where it does not stand behind the cited one."""
    node = place.node
    if not counted or counted[0] in _after(node, cited):
        return ""
    for number in amounts_of(node, *sentence_of(node, cited)):
        if counted[0] in _after(node, number) and prefers(_number(node, number)):
            return clipped(number.quantity.text)
    return ""


def _other_clause(ask: Ask, place: CitedPlace, cited: PlacedQuantity, prefers: Prefers) -> str:
    """The first number of a clause that has more of the question's words than the cited one's."""
    node = place.node
    low, high = sentence_of(node, cited)
    cuts = [low, *(low + at.end() for at in _CLAUSE.finditer(node.text[low:high])), high]
    asked = asked_words(ask, False)
    mine = next(
        (clause for clause in pairwise(cuts) if clause[0] <= cited.start < clause[1]), (low, high)
    )
    own = fit(asked, words(node.text[slice(*mine)]))
    for clause in pairwise(cuts):
        amounts = [] if clause == mine else amounts_of(node, *clause)
        theirs = fit(asked, words(node.text[slice(*clause)]))
        if amounts and _names_clause(theirs, own) and prefers(_number(node, amounts[0])):
            return clipped(amounts[0].quantity.text)
    return ""


def _names_clause(theirs: Fit, own: Fit) -> bool:
    """Whether the words name one clause rather than another: by a word more, or by two where it says more besides."""
    return theirs.shared > own.shared and (
        theirs.covers(own) or len(theirs.shared) > len(own.shared) + 1
    )


def other_sentence(ask: Ask, place: CitedPlace, beside: Iterable[Node], prefers: Prefers) -> str:
    """A sentence with a number in another paragraph that holds three words of the question or more, and all those that stand
    anywhere in the cited paragraph or above it, where these are one at most.
    """
    asked = asked_words(ask, False) - STOP
    mine = asked & (frozenset(words(f"{place.node.text} {place.node.anchor.path}")))
    if len(mine) > 1:
        return ""
    paragraphs = (node for node in beside if node.id != place.node.id and node.table is None)
    for node, segment, said in chain.from_iterable(map(_sentences, paragraphs)):
        theirs = asked & said
        amounts = (
            amounts_of(node, segment.start, segment.end)
            if theirs >= mine and len(theirs) > 2
            else ()
        )
        if amounts and prefers(_number(node, amounts[0])):
            return clipped(node.text[segment.start : segment.end])
    return ""


def _sentences(node: Node) -> Iterator[tuple[Node, Segment, frozenset[str]]]:
    """The sentences of a paragraph that has a number in digits, each with its stems."""
    if any(map(str.isdigit, node.text)):
        reading = read(node.text)
        for segment in reading.segments:
            yield node, segment, frozenset(reading.stems[segment.first : segment.last])


def _number(node: Node, number: PlacedQuantity) -> Evidence:
    return Evidence(node, (), number.start, number.end)


def _after(node: Node, number: PlacedQuantity) -> list[str]:
    """The words of a number itself and the two after it."""
    return (
        words(node.text[number.start : number.end])
        + words(node.text[number.end : number.end + 40])[:2]
    )


def fits_kind(ask: Ask, quantity: Quantity) -> bool:
    """Whether a number can answer at all: not a yes or no, not who, where or why, and no money where things are counted."""
    if ask.expects == "boolean" or ask.wants in ("person", "place", "reason"):
        return False
    return not (says(ask.text, "count of things") and is_currency(quantity.unit))


def fits_unit(ask: Ask, quantity: Quantity) -> bool:
    """Whether a quantity can be said in the unit that the caller asks for; a percentage asked for in words is one too."""
    from pincite.quantity import UnitError, in_unit

    if not ask.query.unit:
        bare = not quantity.unit and quantity.scale == 1
        return ask.unit != "%" or bare or quantity.unit in ("%", "x", "pp", "bp")
    try:
        in_unit(quantity, ask.query.unit)
    except UnitError:
        return False
    return True
