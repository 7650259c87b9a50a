"""A cited cell against the question: do the table's own words point to another row, column or table?

A rival must have all the words of the question that the cited place has, and more, while it has no more words of its own.
Paraphrases therefore pass, and only what the wording itself exposes is caught.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product, starmap

from pincite.document.address import standing
from pincite.document.asked_labels import as_asked
from pincite.document.cell_text import is_blank, is_number
from pincite.document.cell_values import cell_times
from pincite.document.labelled_cells import TIME_WORDS, Labelled
from pincite.document.times import When, years_of
from pincite.evidence.candidate import Evidence
from pincite.evidence.cell_terms import VAGUE, column_terms, own_terms, row_terms
from pincite.evidence.cited_place import CitedPlace, cells_of, clipped
from pincite.question.ask import Ask
from pincite.text.lexicon import word_list
from pincite.text.words import stems, words
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
        just = self.extra == 0 < other.extra and bool(self.shared)
        return self.covers(other) and (just or self.shared > other.shared)

    def instead(self, other: Fit) -> bool:
        """Whether at least half of this label is asked for, two words or more, and nothing of the other."""
        return not other.shared and len(self.shared) >= max(2, self.extra)


def fit(asked: frozenset[str], label: Iterable[str]) -> Fit:
    """How a label's words meet the words asked for."""
    own = frozenset(label)
    return Fit(asked & own, len(own - asked))


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


def other_row(
    asked: frozenset[str],
    place: CitedPlace,
    cited: Sequence[CitedPlace] = (),
    prefers: Prefers | None = None,
) -> str:
    """The row of the same table that the asked words name better than the cited one; empty when there is none.

    Rows of the other `cited` places are no rivals: the words may be meant for them. Where these stand in one column, what its
    heading says names no row. Words alone decide nothing where there is a judge that `prefers` one place to another.
    """
    own = place.cell
    assert own is not None
    wanted = asked - VAGUE
    beside = _cells_beside(place, cited)
    taken = {cell.row for cell in beside}
    if len(taken) > 1 and len({cell.column for cell in beside}) == 1:
        wanted -= column_terms(own)
    mine = _row_fits(wanted, own)
    for cell in cells_of(place.node):
        if (
            cell.column == own.column
            and cell.row not in taken
            and _names_better(_row_fits(wanted, cell), mine)
            and _is_rival(place.node, cell, own, prefers)
        ):
            return clipped(" ".join((*cell.sections, cell.label)))
    return ""


def _row_fits(wanted: frozenset[str], cell: Labelled) -> tuple[Fit, Fit]:
    """How a row's own label meets the words asked for, and how it does with its sections."""
    cell = replace(cell, label=as_asked(cell.label, wanted))
    return fit(wanted, own_terms(cell)), fit(wanted, row_terms(cell))


def _names_better(theirs: tuple[Fit, Fit], mine: tuple[Fit, Fit]) -> bool:
    """Whether the words name one row rather than another, by their own labels and by those with their sections."""
    (own, full), (alone, whole) = theirs, mine
    if own.covers(alone) and full.covers(whole) and (own.beats(alone) or full.beats(whole)):
        return True
    just = full.beats(whole) and not full.extra and len(full.shared) > len(whole.shared) + 1
    return just or own.instead(whole)


def _cells_beside(place: CitedPlace, cited: Sequence[CitedPlace]) -> list[Labelled]:
    """The cell of a place and the other cited cells of its table."""
    return [each.cell for each in (place, *cited) if each.cell and each.node.id == place.node.id]


def other_column(
    asked: frozenset[str],
    place: CitedPlace,
    periods: Sequence[When],
    cited: Sequence[CitedPlace] = (),
    prefers: Prefers | None = None,
) -> str:
    """The column that the asked words name better than the cited one, among those of an asked time; empty when none."""
    own = place.cell
    assert own is not None
    wanted = asked - row_terms(own)
    mine = fit(wanted, column_terms(own))
    taken = {cell.column for cell in _cells_beside(place, cited)}
    for cell in cells_of(place.node):
        theirs = fit(wanted, column_terms(cell))
        if (
            cell.row == own.row
            and cell.column not in taken
            and theirs.shared > mine.shared
            and theirs.covers(mine)
            and _is_rival(place.node, cell, own, prefers, periods)
        ):
            return clipped(cell.heading)
    return ""


def other_table(
    asked: frozenset[str],
    place: CitedPlace,
    periods: Sequence[When],
    beside: Iterable[Node],
    prefers: Prefers,
) -> str:
    """A cell of another table that was read and whose row is wholly asked for, while nothing around the cited cell says more."""
    own, source = place.cell, place.node.anchor.source
    assert own is not None
    wanted = asked - VAGUE
    mine = wanted & _said(place.node, own)
    others = (
        (node, cell)
        for node in beside
        if node.id != place.node.id and node.anchor.source == source
        for cell in cells_of(node)
    )
    for node, cell in others:
        if (
            wanted & _said(node, cell) > mine
            and _is_nearer(wanted, node, cell, place.node, own)
            and _is_rival(node, cell, own, prefers, periods)
        ):
            return f"{clipped(cell.label)}' {standing(node.anchor)}".rstrip()
    return ""


def _said(node: Node, cell: Labelled) -> frozenset[str]:
    """All the words of a cell's row and column, and of what stands around its table."""
    return row_terms(cell) | column_terms(cell) | _around(node)


def _is_nearer(
    wanted: frozenset[str], node: Node, cell: Labelled, other: Node, own: Labelled
) -> bool:
    """Whether a cell of another table is nearer to the words asked for than the cited one: by its row, or, where the rows are
    called the same, by its column or by less that is said around its table.
    """
    theirs, mine = fit(wanted, row_terms(cell)), fit(wanted, row_terms(own))
    if theirs.beats(mine) or theirs.instead(mine):
        return True
    if not theirs.extra and theirs.shared > mine.shared:
        return True
    headed, own_headed = fit(wanted, column_terms(cell)), fit(wanted, column_terms(own))
    if own_terms(cell) != own_terms(own) or not headed.covers(own_headed):
        return False
    return headed != own_headed or len(_around(node) - wanted) <= len(_around(other) - wanted)


def _around(node: Node) -> frozenset[str]:
    caption = node.table.caption if node.table else ""
    return frozenset(words(f"{caption} {node.anchor.path}")) - TIME_WORDS


def _is_rival(
    node: Node,
    cell: Labelled,
    own: Labelled,
    prefers: Prefers | None,
    periods: Sequence[When] = (),
) -> bool:
    """Whether a cell holds a number of an asked time that is not the cited one, and the judge, where there is one, prefers it."""
    number = is_number(cell.text) or (bool(cell.text) and is_blank(cell.text))
    if (
        not number
        or cell.text.strip() == own.text.strip()
        or not agrees(cell_times(cell), periods)
    ):
        return False
    return prefers is None or prefers(Evidence(node, ((cell.row, cell.column),)))
