"""A cited cell against the question: do the table's own words point to another row, column or table?

A rival must have all the words of the question that the cited place has, and more, while it has no more words of its own.
Paraphrases therefore pass, and only what the wording itself exposes is caught.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product, starmap

from pincite.document.address import standing
from pincite.document.cell_text import is_blank, is_number
from pincite.document.cell_values import cell_times
from pincite.document.labelled_cells import TIME_WORDS, Labelled
from pincite.document.times import When, years_of
from pincite.document.words import stems, words
from pincite.evidence.candidate import Evidence
from pincite.evidence.cell_terms import VAGUE, column_terms, own_terms, row_terms
from pincite.evidence.cited_place import (
    CitedPlace,
    clipped,
)
from pincite.evidence.table_view import TableView
from pincite.lexicon import word_list
from pincite.question.ask import Ask
from pincite.types import Node

_OF_OPERATION = frozenset(stems(" ".join(word_list("check", "operations"))))


def asked_words(ask: Ask, computed: bool) -> frozenset[str]:
    """The words of a question but its times; for a computed answer without those that only say what to compute."""
    named = {word for phrase in (ask.subject, *ask.operands) for word in words(phrase)}
    times = {word for period in ask.periods for word in words(period.text)}
    return ask.stems - times - VAGUE - (_OF_OPERATION - named if computed else frozenset())


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

    Rows of the other `cited` places are no rivals: the words may be meant for them. Where these stand in one column, what its
    heading says names no row. Words alone decide nothing where there is a judge that `prefers` one place to another.
    """
    assert place.cell is not None and place.view is not None
    wanted = frozenset(asked) - VAGUE
    beside = _cells_beside(place, cited)
    taken = {cell.row for cell in beside}
    if len(taken) > 1 and len({cell.column for cell in beside}) == 1:
        wanted -= column_terms(place.cell)
    mine = _row_fits(wanted, place.cell)
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
    wanted = frozenset(asked) - VAGUE
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
