"""A table of the passages with what surrounds it and the weight of each word of its labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.derived import kept
from pincite.document.labelled_cells import Labels, labels
from pincite.document.words import words
from pincite.evidence.candidate import Passage
from pincite.types import Node, Table


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
    found: dict[tuple[object, ...], list[Any]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def node(self) -> Node:
        """The node of the table."""
        return self.passage.node

    def mass(self, terms: Iterable[str]) -> float:
        """The summed weight of terms."""
        # exact, for terms come as sets: what is summed in another order must not be another number in the next process
        return math.fsum(self.weight.get(t, self.rare) for t in terms)


def views(passages: Sequence[Passage]) -> list[TableView]:
    """The tables among the passages; what surrounds one is its caption, headings, title and the paragraphs of its page."""
    prose: dict[tuple[str, int], set[str]] = {}
    for passage in passages:
        if passage.node.kind != "table":
            prose.setdefault((passage.document, passage.node.anchor.page), set()).update(
                _content(passage.node)
            )
    tables = [
        (p, p.node.table) for p in passages if p.node.kind == "table" and p.node.table is not None
    ]
    named = frozenset().union(*(_weights(table)[0] for _, table in tables))
    return [
        _view(p, table, prose.get((p.document, p.node.anchor.page), set()), named)
        for p, table in tables
    ]


@kept
def _content(node: Node) -> frozenset[str]:
    return frozenset(words(node.text))


def _view(passage: Passage, table: Table, prose: set[str], named: frozenset[str]) -> TableView:
    labelled = labels(table)
    weight, rare = _weights(table)
    titled = frozenset(
        words(" ".join((table.caption, passage.heading, passage.title, labelled.corner)))
    )
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
