"""The table reader: cells, computations over them and parts of the sentences around them as answers, in one order."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.cell_match import candidate, matches, phrase_of
from pincite.evidence.table_view import TableView, views
from pincite.question.understanding import Ask
from pincite.readers.completion import complete
from pincite.readers.derivation import compute
from pincite.readers.table_ranking import rank

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
    found = [match for view in tables for match in matches(view, phrase_of(ask), ask)]
    found.sort(key=lambda match: -match.score)
    return [candidate(match) for match in found[:_KEPT]]
