"""What a clean view is: its columns, what each is made of, and which views its rows lead to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from pincite.database.relations.model import Column, Link, Relation
from pincite.database.sources.typed_columns import quoted

Kind = Literal["key", "link", "code", "measure", "date", "label", "other"]
"""What a column is for: a `measure` may be summed, the digits of a `code` are no number."""
ROW_ID = "row_id"
"""The column of a view that numbers the rows of a relation without a key."""


@dataclass(frozen=True, slots=True)
class ViewColumn(Column):
    """A column of a view: `name` is how statements name it, its type and profile are those after cleaning.

    It is made of the column `source` of the relation by `expression`, SQL in the database's own dialect. Where `currency` names a
    column, that says the unit or currency of each row. `note` names the column that holds what reading left over ("max" of "210
    max"). `done` says what cleaning did, for people.
    """

    source: str = ""
    expression: str = ""
    currency: str = ""
    kind: Kind = "other"
    note: str = ""
    done: str = ""

    @property
    def meaning(self) -> str:
        """What something other than the name says that it is; "" where nothing does."""
        return "" if self.guessed else self.readable


@dataclass(frozen=True, slots=True)
class ViewLink(Link):
    """A link between views.

    `many`: several rows of this view may name one row of the other. `to_many`: one row of this view may name several rows of the
    other.
    """

    many: bool = True
    to_many: bool = False


@dataclass(frozen=True, slots=True)
class CleanView(Relation):
    """A relation under readable names with clean values, itself a relation as statements see it.

    `relation` is the one that it is made of. `totals` is true, in SQL, for rows that are totals of others and left out,
    `total_rows` their number, 0 where it is not known. `dialect` is the database's, as SQLAlchemy names it.
    """

    columns: tuple[ViewColumn, ...] = ()
    links: tuple[ViewLink, ...] = ()
    relation: Relation = Relation("", ())
    totals: str = ""
    total_rows: int = 0
    dialect: str = "sqlite"

    def select(self, names: Collection[str] | None = None) -> str:
        """The SELECT that makes the view, totals left out; with `names` only these columns and the key."""
        kept = None if names is None else {*names, *self.key}
        shown = [c for c in self.columns if kept is None or c.name in kept] or self.columns[:1]
        listed = ", ".join(f"{c.expression} AS {quoted(c.name)}" for c in shown)
        where = f" WHERE NOT ({self.totals})" if self.totals else ""
        # with its schema, so that no view of its name is taken for the relation ("main" in SQLite)
        place = f"{quoted(self.relation.schema or 'main')}.{quoted(self.relation.name)}"
        return f"SELECT {listed} FROM {place}{where}"
