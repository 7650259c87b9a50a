"""Read a value from tables with no model: every body cell is a candidate, scored by how its headers answer the question.

A cell answers when its row label, the sections above it, its column header and the text around the table together say what
the question says, and nothing else does. Words weigh by how rare they are among the labels of the table, so "expense" in a
table of expenses says little. The score is a weighted sum of named features (`WEIGHTS`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from pincite.answer.candidate import Candidate, Evidence, Passage
from pincite.answer.labels import Labelled, Labels, is_blank, is_number, labels
from pincite.answer.question import Ask
from pincite.answer.times import When, when
from pincite.answer.words import stems, words
from pincite.quantity import declared, exempt, parse
from pincite.types import Node, Quantity, Table, Value

WEIGHTS: dict[str, float] = {
    "row": 3.0, "row_precision": 1.5, "row_exact": 1.5, "section": 1.2, "section_precision": 0.3, "column": 1.5,
    "column_precision": 0.8, "around": 0.4, "period": 2.5, "number": 0.6, "total": 0.5, "first": 0.2, "date": 0.4,
}  # fmt: skip
KEEP = 12
_TOTAL = frozenset(words("total"))
"""What a row without a label below labelled ones is."""
_MONTHS = frozenset(stems("January February March April May June July August September October November December"))


@dataclass(frozen=True, slots=True)
class View:
    """One table of the passages, ready to be read: its labelled cells, what surrounds it, the weight of each word."""

    passage: Passage
    table: Table
    labels: Labels
    around: frozenset[str]
    weight: dict[str, float]
    rare: float

    def mass(self, terms: Iterable[str]) -> float:
        """The summed weight of terms."""
        # exact, for terms come as sets: what is summed in another order must not be another number in the next process
        return math.fsum(self.weight.get(t, self.rare) for t in terms)


@dataclass(frozen=True, slots=True)
class Match:
    """A cell that answers a phrase, with the features that say how well."""

    view: View
    cell: Labelled
    score: float
    features: dict[str, float]


def read_tables(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """The cells that answer `ask` as they stand, best first, at most a dozen; nothing is computed here."""
    found = [match for view in views(passages) for match in matches(view, phrase_of(ask), ask)]
    found.sort(key=lambda m: -m.score)
    return [candidate(match) for match in found[:KEEP]]


def phrase_of(ask: Ask) -> tuple[str, ...]:
    """The stems a cell must answer: the subject, and the quarter that a period names."""
    return (
        *ask.terms,
        *(stem for p in ask.periods if p.quarter for stem in words(re.sub(r"(?:FY)?\s?\d{2,4}", " ", p.text))),
    )


def views(passages: Sequence[Passage]) -> list[View]:
    """The tables among the passages; what surrounds one is its caption, headings, title and the paragraphs of its page."""
    prose: dict[tuple[str, int], set[str]] = {}
    for passage in passages:
        if passage.node.kind != "table":
            prose.setdefault((passage.document, passage.node.anchor.page), set()).update(words(passage.node.text))
    return [
        _view(p, p.node.table, prose.get((p.document, p.node.anchor.page), set()))
        for p in passages
        if p.node.kind == "table" and p.node.table is not None
    ]


def _view(passage: Passage, table: Table, prose: set[str]) -> View:
    labelled = labels(table)
    texts = {(0, c.row, c.label) for c in labelled.cells} | {(1, c.column, c.heading) for c in labelled.cells}
    texts |= {(2, 0, section) for c in labelled.cells for section in c.sections}
    counts = Counter(term for _, _, text in texts for term in set(words(text)))
    rows = max(1, len({c.row for c in labelled.cells}))
    weight = {term: math.log1p(rows / n) for term, n in counts.items()}
    around = prose | set(words(" ".join((table.caption, passage.heading, passage.title, labelled.corner))))
    return View(passage, table, labelled, frozenset(around), weight, math.log1p(rows))


def matches(view: View, phrase: Sequence[str], ask: Ask, periods: Sequence[When] | None = None) -> list[Match]:
    """Every body cell of `view` scored against the stems of `phrase` and the asked periods, best first."""
    wanted = ask.periods if periods is None else periods
    months = [stem for stem in words(ask.text) if stem in _MONTHS]
    columns = sorted({c.column for c in view.labels.cells})
    found = []
    for cell in view.labels.cells:
        features = _features(view, cell, tuple(phrase), tuple(wanted), months)
        features["first"] = 1.0 if columns and cell.column == columns[0] else 0.0
        features["number"] = 1.0 if is_number(cell.text) or (is_blank(cell.text) and cell.text) else 0.0
        score = sum(WEIGHTS[name] * value for name, value in features.items())
        found.append(Match(view, cell, score, features))
    return sorted(found, key=lambda m: -m.score)


def _features(
    view: View, cell: Labelled, phrase: tuple[str, ...], periods: tuple[When, ...], months: Sequence[str]
) -> dict[str, float]:
    asked = set(phrase)
    total = view.mass(asked) or 1.0
    section = label_terms(" ".join(cell.sections))
    row, column = label_terms(cell.label) or section | _TOTAL, label_terms(cell.heading)
    by_row = asked & row
    by_section = (asked - row) & section
    by_column = (asked - row - section) & column
    rest = asked - row - section - column
    return {
        "row": view.mass(by_row) / total,
        "row_precision": view.mass(by_row) / (view.mass(row) or 1.0),
        "row_exact": _exact(words(cell.label) or stems(cell.label), phrase),
        "section": view.mass(by_section) / total,
        "section_precision": view.mass(asked & section) / (view.mass(section) or 1.0),
        "column": view.mass(by_column) / total,
        "column_precision": view.mass(asked & column) / (view.mass(column) or 1.0) if column else 0.5,
        "around": view.mass(rest & view.around) / total,
        "period": _period(cell, periods),
        "total": float(("total" in asked) == ("total" in row or not cell.label)),
        "date": sum(m in words(cell.heading + " " + cell.label + " ".join(cell.sections)) for m in months)
        / (len(months) or 1),
    }


@lru_cache(maxsize=65536)
def label_terms(text: str) -> frozenset[str]:
    """The stems of a label without years and footnote marks; all of its words where none has content ("Other")."""
    plain = _NOTE.sub("", text)
    return frozenset(t for t in words(plain) or stems(plain) if not re.fullmatch(r"(?:19|20)\d\d", t))


def _exact(label: list[str], phrase: tuple[str, ...]) -> float:
    """1 when the whole label stands in the phrase in order, or the phrase in the label as a part of it."""
    if not label or not phrase:
        return 0.0
    if _inside(label, phrase):
        return 1.0
    return len(phrase) / len(label) if _inside(phrase, label) else 0.0


def _inside(short: Sequence[str], long: Sequence[str]) -> bool:
    n = len(short)
    return any(tuple(long[i : i + n]) == tuple(short) for i in range(len(long) - n + 1))


@lru_cache(maxsize=65536)
def cell_times(cell: Labelled) -> tuple[When, ...]:
    """The times a cell holds for: those of its column, else of its row, else of its sections, each completed by the others."""
    texts = (cell.heading, cell.label, *reversed(cell.sections))
    named = [_merged(times) for text in texts if (times := when(text))]
    if not named:
        return ()
    others = [times[0] for times in named[1:] if len(times) == 1]
    year = next((t.year for t in others if t.year), 0)
    quarter = next((t.quarter for t in others if t.quarter), 0)
    return tuple(replace(t, year=t.year or year, quarter=t.quarter or quarter) for t in named[0])


def _merged(times: tuple[When, ...]) -> tuple[When, ...]:
    """A year and a quarter (or a day) named apart in one header are one time."""
    if len(times) != 2:
        return times
    first, second = times
    if bool(first.year) == bool(second.year):
        return times
    merged = When(
        first.year or second.year, first.quarter or second.quarter, first.month or second.month, first.day or second.day,
        f"{first.text} {second.text}",
    )  # fmt: skip
    return (merged,)


def _period(cell: Labelled, periods: tuple[When, ...]) -> float:
    """1 when the cell is of an asked time, 0 when it is of another, in between when one of them names none."""
    own = cell_times(cell)
    if not periods or not own:
        return 0.5 if not periods else 0.3
    return 1.0 if any(mine.fits(asked) for mine in own for asked in periods) else 0.0


def candidate(match: Match) -> Candidate:
    """A cell as an answer: its quantity with the scale and unit bound to it, or its words."""
    cell = match.cell
    times = cell_times(cell)
    return Candidate(
        value=value_of(match.view, cell),
        evidence=(evidence(match),),
        subject=" ".join((*cell.sections, cell.label)).strip() or cell.heading,
        period=times[0].text if times else "",
        score=match.score,
        features=match.features,
    )


def evidence(match: Match) -> Evidence:
    """The place of a cell."""
    node: Node = match.view.passage.node
    cell = match.cell
    return Evidence(node, ((cell.row, cell.column),), quote=cell.text, document=match.view.passage.document)


def value_of(view: View, cell: Labelled) -> Value:
    """The quantity in a cell, or its text when it holds words."""
    if not is_number(cell.text) and not is_blank(cell.text):
        return cell.text
    quantity = quantity_of(view, cell)
    return cell.text if quantity is None else quantity


def quantity_of(view: View, cell: Labelled) -> Quantity | None:
    """The number in a cell; scale and unit come from the cell, its column, its row, its sections, then the whole table.

    A dash for nil is zero. None when the cell holds no number.
    """
    scale, unit = binding(view.table, cell)
    times = cell_times(cell)
    if cell.text and is_blank(cell.text):
        return Quantity(Decimal(0), unit, scale, period=times[0].text if times else "", text=cell.text)
    quantity = parse(cell.text, scale=scale, unit=unit, comma=view.table.comma)
    return replace(quantity, period=times[0].text, text=cell.text) if quantity and times else quantity


_NOTE = re.compile(r"\(\d{1,2}\)|(?<=[a-z)])\d{1,2}(?=\s|$)|[*†‡¹²³]+$")
"""A footnote mark on a label."""
_PERCENT = re.compile(r"%|\bper\s?cent(?:age)?s?\b", re.I)
_CURRENCY = re.compile(r"[$€£¥₹]")
_MONEY = re.compile(r"[A-Z]{3}")
_PLAIN = re.compile(
    r"\bper\s+(?:\w+\s+){0,2}(?:share|unit|common)|\bratio\b|\b(?:in|of)\s+(?:years|days|months)\b", re.I
)


def binding(table: Table, cell: Labelled) -> tuple[Decimal, str]:
    """The scale and unit that hold for a cell that names none itself: its column's, its row's, its sections', its table's."""
    unit = ""
    for text in (cell.heading, cell.measure, cell.label, " ".join(cell.sections)):
        if not text:
            continue
        stated = declared(text)
        if stated.scale != 1:
            return stated.scale, stated.unit or unit or table.unit
        if _PERCENT.search(text) and not _CURRENCY.search(cell.text):
            return Decimal(1), "%"
        if _PLAIN.search(text) or exempt(table.unscaled, text) or (stated.unit and not _MONEY.fullmatch(stated.unit)):
            return Decimal(1), stated.unit
        unit = unit or stated.unit
    return table.scale, unit or table.unit
