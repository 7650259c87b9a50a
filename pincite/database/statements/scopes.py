"""What the names of a statement stand for, and how far it expands.

Databases put the expression of a derived column wherever it is named, and a common table expression wherever it is read: each
has a weight, the number of nodes that it expands to, so that no short statement becomes an endless one. What makes texts longer
weighs as many times more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from pincite.database.database_errors import StatementRefused
from pincite.database.relations.model import Relation

UNFOLDED = 20_000
"""Nodes that a statement may unfold to; those of the gold statements of all sets unfold to fewer than 500."""


@dataclass(slots=True)
class ShownColumn:
    """A column that a query shows; `at` is where it is written without a name of its own, so that it can be given one."""

    name: str
    at: exp.Expr | None = None
    weight: int = 1


@dataclass(frozen=True, slots=True)
class ShownColumns:
    """The columns that a query or a table shows; `weight` is how many nodes of syntax it expands to."""

    columns: Sequence[ShownColumn]
    weight: int = 1


@dataclass(frozen=True, slots=True)
class FromItem:
    """What a FROM clause lists under a name; `hidden` are columns that a star does not show."""

    name: str
    columns: Sequence[ShownColumn]
    weight: int = 1
    relation: Relation | None = None
    hidden: frozenset[str] = frozenset()


@dataclass(slots=True)
class NameScope:
    """The names that an expression can use: those of its own query, then of the queries around it."""

    around: NameScope | None = None
    items: list[FromItem] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)

    def chain(self) -> Iterator[NameScope]:
        """This scope and those around it, the nearest first."""
        scope: NameScope | None = self
        while scope is not None:
            yield scope
            scope = scope.around


def bounded(weight: int) -> int:
    """A weight, refused when it is too great."""
    if weight > UNFOLDED:
        raise StatementRefused(
            f"the statement expands to more than {UNFOLDED:,} parts: ask for less at once"
        )
    return weight


def growth(part: exp.Expression) -> int:
    """How many times as long as it was a text may be after this: what puts long texts for short ones makes it longer."""
    if not isinstance(part, exp.Replace | exp.RegexpReplace):
        return 1
    put = len(part.args["replacement"].name) if part.args.get("replacement") else 0
    sought = (
        len(part.expression.name) if isinstance(part, exp.Replace) else 1
    )  # a pattern may match one character
    return max(1, -(-put // max(1, sought)))
