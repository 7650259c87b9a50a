"""How well the cells of a table match a phrase: every body cell is scored by what its headers say.

A cell matches when its row label, the sections above it, its column header and the text around the table together say what
the question says, and nothing else does. Words weigh by how rare they are among the labels of the table, so "expense" in a
table of expenses says little. The score is a weighted sum of named features (`WEIGHTS`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from pincite.document.cell_text import is_blank, is_number
from pincite.document.cell_values import cell_times, label_terms, value_of
from pincite.document.labelled_cells import Labelled
from pincite.document.times import MONTHS, When
from pincite.document.words import stems, words
from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.table_view import TableView
from pincite.question.ask import Ask

WEIGHTS: dict[str, float] = {
    "row": 3.0, "row_precision": 1.5, "row_exact": 1.5, "section": 1.2, "section_precision": 0.3, "column": 1.5,
    "column_precision": 0.8, "around": 0.4, "titled": 0.4, "elsewhere": -1.2, "period": 2.5, "total": 0.5, "date": 0.4,
    "first": 0.2, "number": 0.6,
}  # fmt: skip
"""The weight of each feature of a match, in the order in which it has them."""
_YEAR = re.compile(r"(?:FY)?\s?\d{2,4}")
_TOTAL = frozenset(words("total"))
"""What a row without a label below labelled ones is."""
_MONTHS = frozenset(stems(" ".join(MONTHS)))


@dataclass(frozen=True, slots=True)
class CellMatch:
    """A cell that answers a phrase, with the features that say how well."""

    view: TableView
    cell: Labelled
    score: float
    features: dict[str, float]


def phrase_of(ask: Ask) -> tuple[str, ...]:
    """The stems a cell must answer: the subject, and the quarter that a period names."""
    quarters = " ".join(_YEAR.sub(" ", period.text) for period in ask.periods if period.quarter)
    return (*ask.terms, *words(quarters))


def matches(
    view: TableView, phrase: Sequence[str], ask: Ask, periods: Sequence[When] | None = None
) -> list[CellMatch]:
    """Every body cell of `view` scored against the stems of `phrase` and the asked periods, best first."""
    wanted = tuple(ask.periods if periods is None else periods)
    months = tuple(stem for stem in ask.words if stem in _MONTHS)
    key = (tuple(phrase), wanted, months)
    if key not in view.found:
        view.found[key] = _scored(view, tuple(phrase), wanted, months)
    return list(view.found[key])


@dataclass(frozen=True, slots=True)
class _Row:
    """What the cells of a row have in common against a phrase: features, and the words that its headers leave open."""

    row: float
    precision: float
    exact: float
    section: float
    section_precision: float
    total: float
    open: frozenset[str]
    beside: tuple[float, float, float]


def _scored(
    view: TableView, phrase: tuple[str, ...], periods: tuple[When, ...], months: tuple[str, ...]
) -> list[CellMatch]:
    asked = frozenset(phrase)
    total = view.mass(asked) or 1.0
    first = min((cell.column for cell in view.labels.cells), default=0)
    rows: dict[tuple[str, tuple[str, ...]], _Row] = {}
    columns: dict[tuple[str, ...], tuple[frozenset[str], float]] = {}
    found = []
    for cell in view.labels.cells:
        if (cell.label, cell.sections) not in rows:
            rows[cell.label, cell.sections] = _row(view, cell, phrase, asked, total)
        if cell.header not in columns:
            columns[cell.header] = _column(view, cell, asked)
        row, (shared, precision) = rows[cell.label, cell.sections], columns[cell.header]
        by_column = shared & row.open
        around, titled, elsewhere = (
            _beside(view, row.open - by_column, total) if by_column else row.beside
        )
        features = {
            "row": row.row,
            "row_precision": row.precision,
            "row_exact": row.exact,
            "section": row.section,
            "section_precision": row.section_precision,
            "column": view.mass(by_column) / total,
            "column_precision": precision,
            "around": around,
            "titled": titled,
            "elsewhere": elsewhere,
            "period": _period(cell, periods),
            "total": row.total,
            "date": _dated(cell, months),
            "first": float(cell.column == first),
            "number": float(is_number(cell.text) or (is_blank(cell.text) and cell.text != "")),
        }
        found.append(
            CellMatch(view, cell, sum(map(mul, WEIGHTS.values(), features.values())), features)
        )
    return sorted(found, key=lambda match: -match.score)


def _column(
    view: TableView, cell: Labelled, asked: frozenset[str]
) -> tuple[frozenset[str], float]:
    """The asked words in the headers of a column, and their share of the words there."""
    terms = label_terms(cell.heading)
    return asked & terms, view.mass(asked & terms) / (view.mass(terms) or 1.0) if terms else 0.5


def _row(
    view: TableView, cell: Labelled, phrase: tuple[str, ...], asked: frozenset[str], total: float
) -> _Row:
    section = label_terms(" ".join(cell.sections))
    row = label_terms(cell.label) or section | _TOTAL
    left = asked - row - section
    return _Row(
        view.mass(asked & row) / total,
        view.mass(asked & row) / (view.mass(row) or 1.0),
        _exact(words(cell.label) or stems(cell.label), phrase),
        view.mass((asked - row) & section) / total,
        view.mass(asked & section) / (view.mass(section) or 1.0),
        float(("total" in asked) == ("total" in row or not cell.label)),
        left,
        _beside(view, left, total),
    )


def _beside(view: TableView, left: frozenset[str], total: float) -> tuple[float, float, float]:
    """How much of what the headers of a cell leave open stands around the table, in its titles, only in other labels."""
    return (
        view.mass(left & view.around) / total,
        view.mass(left & view.titled) / total,
        view.mass((left - view.titled) & view.named) / total,
    )


def _dated(cell: Labelled, months: tuple[str, ...]) -> float:
    """The share of the months asked for that the headers of a cell name."""
    if not months:
        return 0.0
    named = words(cell.heading + " " + cell.label + " ".join(cell.sections))
    return sum(m in named for m in months) / len(months)


def _exact(label: list[str], phrase: tuple[str, ...]) -> float:
    """1 when the whole label stands in the phrase in order, or the phrase in the label as a part of it."""
    if not label or not phrase:
        return 0.0
    if _inside(label, phrase):
        return 1.0
    return len(phrase) / len(label) if _inside(phrase, label) else 0.0


def _inside(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether words stand in others side by side."""
    return f" {' '.join(short)} " in f" {' '.join(long)} "


def _period(cell: Labelled, periods: tuple[When, ...]) -> float:
    """1 when the cell is of an asked time, 0 when it is of another, in between when one of them names none."""
    own = cell_times(cell)
    if not periods:
        return 0.5
    if not own:
        return 0.3
    return float(any(mine.fits(asked) for mine in own for asked in periods))


def candidate(match: CellMatch) -> Candidate:
    """A cell as an answer: its quantity with the scale and unit bound to it, or its words."""
    cell = match.cell
    times = cell_times(cell)
    return Candidate(
        value=value_of(match.view.node, cell),
        evidence=(evidence(match),),
        subject=" ".join((*cell.sections, cell.label)).strip() or cell.heading,
        period=times[0].text if times else "",
        score=match.score,
        features=match.features,
    )


def evidence(match: CellMatch) -> Evidence:
    """The place of a cell."""
    cell = match.cell
    return Evidence(
        match.view.node,
        ((cell.row, cell.column),),
        quote=cell.text,
        document=match.view.passage.document,
    )
