"""The table reader: cells, computations over them and parts of the sentences around them as answers, in one order."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from pincite.document.cell_values import cell_times
from pincite.document.labelled_cells import timeless
from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.cell_match import CellMatch, candidate, matches, phrase_of
from pincite.evidence.table_view import TableView, views
from pincite.question.ask import Ask
from pincite.readers.completion import complete
from pincite.readers.derivation import compute
from pincite.readers.table_ranking import rank
from pincite.readers.table_series import time_of

_KEPT = 12
"""Cells that are proposed as they stand."""


def answers(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """Every answer that the tables and the paragraphs give, best first."""
    return rank(ask, candidates(ask, passages))


def candidates(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """What could answer, unranked: computations over cells, cells as they stand, spans of text."""
    tables = views(passages)
    cells = [*compute(ask, tables), *read_tables(ask, tables)]
    return [*cells, *complete(ask, passages)]


def read_tables(ask: Ask, tables: Sequence[TableView]) -> list[Candidate]:
    """The cells that answer `ask` as they stand, best first, at most a dozen; nothing is computed here."""
    found = [
        match for view in tables for match in _told_apart(ask, matches(view, phrase_of(ask), ask))
    ]
    found.sort(key=lambda match: -match.score)
    return [candidate(match) for match in found[:_KEPT]]


def _told_apart(ask: Ask, found: Sequence[CellMatch]) -> list[CellMatch]:
    """The cells of a table that the question tells from the others: with no time named, of a row the latest alone.

    An earlier cell that matches better, as the question names something of its column, stays. Of cells in several rows that
    differ in nothing but their number, as parts of a whole may be called the same, none answers.
    """
    if ask.operation != "lookup":
        return list(found)
    alike: dict[Hashable, set[str]] = {}
    for match in found:
        alike.setdefault(_labels(match), set()).add(match.cell.text)
    told = [m for m in found if len(alike[_labels(m)]) == 1 or not m.cell.label]
    return told if ask.periods else _latest(told)


def _latest(found: Sequence[CellMatch]) -> list[CellMatch]:
    """The cells without those of an earlier time than another of their row that matches as well."""
    latest: dict[Hashable, CellMatch] = {}
    for match in filter(_is_timed, found):
        held = latest.setdefault(_series(match), match)
        if time_of(match.cell) > time_of(held.cell):
            latest[_series(match)] = match
    return [
        match
        for match in found
        if not _is_timed(match) or not _is_earlier(match, latest[_series(match)])
    ]


def _is_timed(match: CellMatch) -> bool:
    return bool(cell_times(match.cell))


def _series(match: CellMatch) -> Hashable:
    """What the cells of a row share that differ in their time alone."""
    return match.cell.row, timeless(match.cell)


def _labels(match: CellMatch) -> Hashable:
    """All that is said of a cell."""
    return match.cell.label, match.cell.sections, match.cell.header, match.cell.measure


def _is_earlier(match: CellMatch, latest: CellMatch) -> bool:
    """Whether a cell is of an earlier time than the latest of its row and matches no better."""
    return time_of(match.cell) < time_of(latest.cell) and match.score <= latest.score
