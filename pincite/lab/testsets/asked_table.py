"""A table that a model writes questions about: what it is shown of it, and what a statement finds there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pincite.types import Document, Node

Row = dict[str, Any]
SHOWN_ROWS = 100
"""Rows of a table that the model is shown; its query is run on all of them."""


@dataclass(frozen=True, slots=True)
class FoundRows:
    """What a statement found: the nodes that hold the rows and their pages, what tells each row, and the answer where one is
    known, as fields of a gold row; `more` are further fields of it.
    """

    nodes: Sequence[Node]
    pages: Sequence[int]
    rows: Sequence[Row]
    gold: Row
    more: Row = field(default_factory=dict)


class AskedTable(Protocol):
    """A table as statements name it (`name`), and what it is a part of."""

    @property
    def document(self) -> Document:
        """The document that holds the table; a table of a database is one by itself."""
        ...

    @property
    def node(self) -> Node:
        """The node of the table."""
        ...

    @property
    def name(self) -> str:
        """The table's name in SQL, quoted."""
        ...

    @property
    def called(self) -> str:
        """The table's name for people."""
        ...

    @property
    def columns(self) -> Mapping[str, str]:
        """The columns' names in SQL, and what each holds where the name does not say that."""
        ...

    def shown(self) -> Sequence[Sequence[str]]:
        """The first SHOWN_ROWS rows as text."""
        ...

    def find(self, sql: str, column: str) -> FoundRows:
        """What a statement finds, with the value of `column` for its answer, or without one the rows' labels.

        Raises UsageError that says what is wrong with the statement: it is none of those allowed, or finds no row or all.
        """
        ...
