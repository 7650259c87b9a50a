"""Read a value from tables with no model: every body cell is a candidate, scored by how its headers answer the question.

A cell answers when its row label, the sections above it, its column header and the text around the table together say what
the question says, and nothing else does. Words weigh by how rare they are among the labels of the table, so "expense" in a
table of expenses says little. The score is a weighted sum of named features (`WEIGHTS`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from operator import mul

from pincite.derived import kept
from pincite.document.deducted import is_deducted
from pincite.document.labelled_cells import LONGEST, Labelled, Labels, is_blank, is_number, labels
from pincite.document.times import When, when
from pincite.document.words import stems, words
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.quantity import declared, exempt, parse
from pincite.quantity.dollars import DOLLAR, in_own_dollars
from pincite.quantity.units import is_currency
from pincite.question.understanding import Ask
from pincite.types import Node, Quantity, Table, Value

WEIGHTS: dict[str, float] = {
    "row": 3.0, "row_precision": 1.5, "row_exact": 1.5, "section": 1.2, "section_precision": 0.3, "column": 1.5,
    "column_precision": 0.8, "around": 0.4, "titled": 0.4, "elsewhere": -1.2, "period": 2.5, "number": 0.6, "total": 0.5,
    "first": 0.2, "date": 0.4,
}  # fmt: skip
_WEIGHTS = [
    WEIGHTS[name]
    for name in (
        "row", "row_precision", "row_exact", "section", "section_precision", "column", "column_precision", "around", "titled",
        "elsewhere", "period", "total", "date", "first", "number",
    )
]  # fmt: skip
"""The same in the order of a match's features."""
KEEP = 12
_TOTAL = frozenset(words("total"))
"""What a row without a label below labelled ones is."""
_MONTHS = frozenset(stems("January February March April May June July August September October November December"))


@dataclass(frozen=True, slots=True)
class TableView:
    """One table of the passages, ready to be read: its labelled cells, what surrounds it, the weight of each word.

    `around` are all stems that surround it, `titled` those of its caption, headings and corner, `named` those of the labels
    of all tables that are read. `found` keeps the cells scored against each phrase, since every way to answer a question
    looks for the same few.
    """

    passage: Passage
    table: Table
    labels: Labels
    around: frozenset[str]
    titled: frozenset[str]
    named: frozenset[str]
    weight: Mapping[str, float]
    rare: float
    found: dict[tuple[object, ...], list[CellMatch]] = field(default_factory=dict, compare=False, repr=False)

    def mass(self, terms: Iterable[str]) -> float:
        """The summed weight of terms."""
        # exact, for terms come as sets: what is summed in another order must not be another number in the next process
        return math.fsum(self.weight.get(t, self.rare) for t in terms)


@dataclass(frozen=True, slots=True)
class CellMatch:
    """A cell that answers a phrase, with the features that say how well."""

    view: TableView
    cell: Labelled
    score: float
    features: dict[str, float]


def read_tables(ask: Ask, tables: Sequence[TableView]) -> list[Candidate]:
    """The cells that answer `ask` as they stand, best first, at most a dozen; nothing is computed here."""
    found = [match for view in tables for match in matches(view, phrase_of(ask), ask)]
    found.sort(key=lambda m: -m.score)
    return [candidate(match) for match in found[:KEEP]]


def phrase_of(ask: Ask) -> tuple[str, ...]:
    """The stems a cell must answer: the subject, and the quarter that a period names."""
    return (
        *ask.terms,
        *(stem for p in ask.periods if p.quarter for stem in words(re.sub(r"(?:FY)?\s?\d{2,4}", " ", p.text))),
    )


def views(passages: Sequence[Passage]) -> list[TableView]:
    """The tables among the passages; what surrounds one is its caption, headings, title and the paragraphs of its page."""
    prose: dict[tuple[str, int], set[str]] = {}
    for passage in passages:
        if passage.node.kind != "table":
            prose.setdefault((passage.document, passage.node.anchor.page), set()).update(_content(passage.node))
    tables = [(p, p.node.table) for p in passages if p.node.kind == "table" and p.node.table is not None]
    named = frozenset().union(*(_weights(table)[0] for _, table in tables))
    return [_view(p, table, prose.get((p.document, p.node.anchor.page), set()), named) for p, table in tables]


@kept
def _content(node: Node) -> frozenset[str]:
    return frozenset(words(node.text))


def _view(passage: Passage, table: Table, prose: set[str], named: frozenset[str]) -> TableView:
    labelled = labels(table)
    weight, rare = _weights(table)
    titled = frozenset(words(" ".join((table.caption, passage.heading, passage.title, labelled.corner))))
    return TableView(passage, table, labelled, titled | prose, titled, named, weight, rare)


@kept
def _weights(table: Table) -> tuple[Mapping[str, float], float]:
    """The weight of each word of a table's labels by how rare it is among them, and that of a word they do not have."""
    cells = labels(table).cells
    texts = {(0, c.row, c.label) for c in cells} | {(1, c.column, c.heading) for c in cells}
    texts |= {(2, 0, section) for c in cells for section in c.sections}
    counts = Counter(term for _, _, text in texts for term in set(words(text)))
    rows = max(1, len({c.row for c in cells}))
    return {term: math.log1p(rows / n) for term, n in counts.items()}, math.log1p(rows)


def matches(view: TableView, phrase: Sequence[str], ask: Ask, periods: Sequence[When] | None = None) -> list[CellMatch]:
    """Every body cell of `view` scored against the stems of `phrase` and the asked periods, best first."""
    wanted = tuple(ask.periods if periods is None else periods)
    months = tuple(stem for stem in words(ask.text) if stem in _MONTHS)
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
    first = min((c.column for c in view.labels.cells), default=0)
    rows: dict[tuple[str, tuple[str, ...]], _Row] = {}
    columns: dict[tuple[str, ...], tuple[frozenset[str], float]] = {}
    found = []
    for cell in view.labels.cells:
        if (row := rows.get((cell.label, cell.sections))) is None:
            row = rows[cell.label, cell.sections] = _row(view, cell, phrase, asked, total)
        if cell.header not in columns:
            terms = label_terms(cell.heading)
            precision = view.mass(asked & terms) / (view.mass(terms) or 1.0) if terms else 0.5
            columns[cell.header] = asked & terms, precision
        shared, precision = columns[cell.header]
        by_column = shared & row.open if shared else shared
        around, titled, elsewhere = _beside(view, row.open - by_column, total) if by_column else row.beside
        features = {
            "row": row.row,
            "row_precision": row.precision,
            "row_exact": row.exact,
            "section": row.section,
            "section_precision": row.section_precision,
            "column": view.mass(by_column) / total if by_column else 0.0,
            "column_precision": precision,
            "around": around,
            "titled": titled,
            "elsewhere": elsewhere,
            "period": _period(cell, periods),
            "total": row.total,
            "date": _dated(cell, months),
            "first": 1.0 if cell.column == first else 0.0,
            "number": 1.0 if is_number(cell.text) or (is_blank(cell.text) and cell.text) else 0.0,
        }
        found.append(CellMatch(view, cell, sum(map(mul, _WEIGHTS, features.values())), features))
    return sorted(found, key=lambda m: -m.score)


def _row(view: TableView, cell: Labelled, phrase: tuple[str, ...], asked: frozenset[str], total: float) -> _Row:
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


def cell_times(cell: Labelled) -> tuple[When, ...]:
    """The times a cell holds for: those of its column, else of its row, else of its sections, each completed by the others."""
    return _times(cell.header, cell.label, cell.sections)


@lru_cache(maxsize=65536)
def _times(header: tuple[str, ...], label: str, sections: tuple[str, ...]) -> tuple[When, ...]:
    texts = (" ".join(header), label, *reversed(sections))
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


def candidate(match: CellMatch) -> Candidate:
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


def evidence(match: CellMatch) -> Evidence:
    """The place of a cell."""
    node: Node = match.view.passage.node
    cell = match.cell
    return Evidence(node, ((cell.row, cell.column),), quote=cell.text, document=match.view.passage.document)


def value_of(view: TableView, cell: Labelled) -> Value:
    """The quantity in a cell, or its text when it holds words."""
    if not is_number(cell.text) and not is_blank(cell.text):
        return cell.text
    quantity = quantity_of(view, cell)
    return cell.text if quantity is None else quantity


def quantity_of(view: TableView, cell: Labelled) -> Quantity | None:
    """The number in a cell; scale and unit come from the cell, its column, its row, its sections, then the whole table.

    A dash for nil is zero. None when the cell holds no number. What a statement prints in parentheses because it is deducted
    there is the amount that was spent.
    """
    quantity = _quantity(view.table, cell)
    if quantity is not None and quantity.value < 0 and is_deducted(view.labels, cell):
        quantity = replace(quantity, value=-quantity.value)
    if quantity is None or DOLLAR not in view.passage.node.meta:
        return quantity
    said = " ".join((view.table.caption, *cell.header, *cell.sections, cell.label, cell.text))
    return in_own_dollars(quantity, view.passage.node.meta[DOLLAR], said)


@kept
def _quantity(table: Table, cell: Labelled) -> Quantity | None:
    scale, unit = binding(table, cell)
    times = cell_times(cell)
    if cell.text and is_blank(cell.text):
        return Quantity(Decimal(0), unit, scale, period=times[0].text if times else "", text=cell.text)
    if len(cell.text) > LONGEST:
        return None
    quantity = parse(cell.text, scale=scale, unit=unit, comma=table.comma)
    return replace(quantity, period=times[0].text, text=cell.text) if quantity and times else quantity


_NOTE = re.compile(r"\(\d{1,2}\)|(?<=[a-z)])\d{1,2}(?=\s|$)|[*†‡¹²³]+$")
"""A footnote mark on a label."""
_PERCENT = re.compile(r"%|\bper\s?cent(?:age)?s?\b", re.I)
_CURRENCY = re.compile(r"[$€£¥₹]")
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
        percent = bool(_PERCENT.search(text))
        if percent and _CURRENCY.search(cell.text):
            continue
        if percent:
            return Decimal(1), "%"
        if _PLAIN.search(text) or exempt(table.unscaled, text) or (stated.unit and not is_currency(stated.unit)):
            return Decimal(1), stated.unit
        unit = unit or stated.unit
    if cell.column in _shares(labels(table)) and not _CURRENCY.search(cell.text):
        return Decimal(1), "%"
    return table.scale, unit or table.unit


@kept
def _shares(seen: Labels) -> frozenset[int]:
    """The columns of shares of their first number, the whole, which is the one that stands as 100%."""
    first = {cell.column: parse(cell.text) for cell in reversed(seen.cells) if is_number(cell.text)}
    return frozenset(column for column, one in first.items() if one and one.unit == "%" and one.value == 100)
