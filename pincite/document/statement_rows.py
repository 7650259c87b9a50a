"""Line items and the primary statements that contain them: the balance sheet, the income statement, the cash flow statement.

`data/formulas.toml` holds the metrics, how statements write each line item and what the statements are called. A line item
also turns up in notes, summaries and tables of a parent company; the primary statement has the consolidated figure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pincite.document.labelled_cells import Labelled
from pincite.text.lexicon import data_table, pattern, word_list
from pincite.text.words import words
from pincite.types import Table

_PARTIAL = pattern("document", "part of a statement")
"""Titles of tables that hold a part of the company's figures, or all of them in short."""
_BEHIND = pattern("document", "behind a label")
_AND = pattern("document", "several items")
_DETAILING = word_list("document", "detailing")
_PLAIN = str.maketrans("’`-,.", "''   ")
PRIMARY = 0.9
"""From which likeness on a table is a primary statement."""
_ENOUGH = 4
"""Line items of one kind that make a table look like that statement in full."""


@dataclass(frozen=True, slots=True)
class LineItem:
    """A line item: how statements write it, in which statement, whether as an outflow, and of what it is made otherwise.

    `statement` is "" for one that only notes have.
    """

    labels: tuple[str, ...]
    outflow: bool = False
    statement: str = ""
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """Metrics by name, line items by name, and the titles of each statement."""

    metrics: Mapping[str, str]
    lines: Mapping[str, LineItem]
    titles: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def book() -> Book:
    """The formulas, line items and statements that ship with the package."""
    data = data_table("formulas")
    lines: dict[str, LineItem] = {}
    for given in data["line"]:
        line = LineItem(
            tuple(given["labels"]),
            bool(given.get("outflow")),
            given["statement"],
            given.get("otherwise", ""),
        )
        lines |= {plain(name): line for name in given["names"]}
    metrics = {plain(name): text for name, text in data["metric"].items()}
    return Book(
        metrics, lines, {kind: tuple(titles) for kind, titles in data["statement"].items()}
    )


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """A name or label for comparison: lower case, without hyphens, commas, articles."""
    return " ".join(re.sub(r"\bthe\b", " ", text.lower().translate(_PLAIN)).split())


@lru_cache(maxsize=8192)
def bare_label(text: str) -> str:
    """A row label without brackets and what stands behind: "Receivables, net of allowances of 12" is "Receivables"."""
    return _BEHIND.sub("", text).strip() or text


def row_name(cell: Labelled) -> str:
    """What a cell's row is called: its label, or for a row without one the total of the section above it."""
    return cell.label or " ".join(("total", *cell.sections[-1:]))


def names_item(label: str, line: LineItem) -> bool:
    """Whether a row's label is the line item: nothing else beside it ("Cash and investments"), no other line item's label."""
    row = plain(bare_label(label))
    own = [plain(bare_label(written)) for written in line.labels]
    if not {row, plain(label)}.isdisjoint(own):
        return True
    if row in _labels() or not any(_shared(name, row) >= 0.6 for name in own):
        return False
    detailed = row.startswith(tuple(f"{name} {word} " for name in own for word in _DETAILING))
    return detailed or not _AND.search(row) or any(map(_AND.search, own))


def _shared(label: str, row: str) -> float:
    terms = set(words(label))
    return len(terms & set(words(row))) / max(1, len(terms))


@lru_cache(maxsize=1)
def _labels() -> frozenset[str]:
    return frozenset(
        plain(bare_label(label)) for line in book().lines.values() for label in line.labels
    )


def likeness(table: Table, title: str, statement: str) -> float:
    """How much a table looks like the primary statement of a kind, in [0, 1]: half by its title, half by its line items.

    `title` is what stands above the table. One that holds only a part (a segment, the parent company, a summary) counts
    by a quarter of its line items.
    """
    known = [line for line in dict.fromkeys(book().lines.values()) if line.statement == statement]
    rows = {
        plain(bare_label(cell.text)) for cell in table.cells if cell.column < table.header_columns
    }
    share = min(1.0, sum(not rows.isdisjoint(map(plain, line.labels)) for line in known) / _ENOUGH)
    whole = f"{title} {table.caption}"
    if _PARTIAL.search(whole):
        return share / 4
    return 0.5 * share + 0.5 * bool(_titles(statement).search(whole))


@lru_cache(maxsize=8)
def _titles(statement: str) -> re.Pattern[str]:
    names = "|".join(
        re.escape(title).replace("statement", "statements?") for title in book().titles[statement]
    )
    return re.compile(rf"\b(?:{names})s?\b", re.IGNORECASE)
