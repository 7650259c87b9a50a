"""A table that a model writes questions about: how much it is shown of it, and what a statement finds there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.types import Node

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
