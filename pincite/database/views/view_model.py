"""What a clean view is: its columns, what each is made of, and which views its rows lead to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from pincite.database.relations.model import Relation, Type

Kind = Literal["key", "link", "code", "measure", "date", "label", "other"]
"""What a column is for: a `measure` may be summed, the digits of a `code` are no number."""
ROW_ID = "row_id"
"""The column of a view that numbers the rows of a relation without a key."""


@dataclass(frozen=True, slots=True)
class ViewColumn:
    """A column of a view.

    `name` is how statements name it, `source` the column of the relation that it is made of by `expression`, SQL in the
    database's own dialect. `type`, `values`, `low`, `high`, `nulls` and `distinct` are those after cleaning, as in
    `relations.model.Column`. `meaning` is what something other than the name says that it is, "" where nothing does. Numbers are
    in `unit` times `scale`; where `currency` names a column, that says the unit or currency of each row. `note` names the column
    that holds what reading left over ("max" of "210 max"). `done` says what cleaning did, for people.
    """

    name: str
    source: str
    expression: str
    type: Type
    meaning: str = ""
    unit: str = ""
    scale: Decimal = Decimal(1)
    currency: str = ""
    values: tuple[str, ...] = ()
    low: Any = None
    high: Any = None
    nulls: float = 0.0
    distinct: int = 0
    kind: Kind = "other"
    note: str = ""
    done: str = ""


@dataclass(frozen=True, slots=True)
class ViewLink:
    """That `columns` of a view name rows of view `to` by its `to_columns`.

    `many`: several rows of this view may name one row of the other. `to_many`: one row of this view may name several rows of the
    other. Inferred unless `declared`.
    """

    columns: tuple[str, ...]
    to: str
    to_columns: tuple[str, ...]
    many: bool = True
    to_many: bool = False
    declared: bool = True


@dataclass(frozen=True, slots=True)
class CleanView:
    """A relation under readable names with clean values; `totals` is true, in SQL, for rows that are totals of others.

    `total_rows` is their number, 0 where it is not known. `dialect` is the database's, as SQLAlchemy names it.
    """

    name: str
    relation: Relation
    columns: tuple[ViewColumn, ...]
    totals: str = ""
    total_rows: int = 0
    meaning: str = ""
    links: tuple[ViewLink, ...] = ()
    dialect: str = "sqlite"

    def column(self, name: str) -> ViewColumn:
        """The column of that name; KeyError when there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that name a row of the relation, too; none where the relation has neither a key nor numbered rows."""
        own = {column.source: column.name for column in self.columns if column.kind == "key"}
        named = self.relation.key or (self.relation.rowid,)
        return tuple(own[name] for name in named if name in own)

    def select(self, names: Collection[str] | None = None) -> str:
        """The SELECT that makes the view, totals left out; with `names` only these columns and the key."""
        key = self.key
        shown = [c for c in self.columns if names is None or c.name in names or c.name in key]
        listed = ", ".join(
            f"{c.expression} AS {quoted(c.name)}" for c in shown or self.columns[:1]
        )
        where = f" WHERE NOT ({self.totals})" if self.totals else ""
        return f"SELECT {listed} FROM {place(self.relation)}{where}"


def quoted(name: str) -> str:
    """A name as statements write it in every dialect."""
    return '"' + name.replace('"', '""') + '"'


def place(relation: Relation) -> str:
    """A relation with its schema, so that no view of its name is taken for it ("main" in SQLite)."""
    return f"{quoted(relation.schema or 'main')}.{quoted(relation.name)}"
