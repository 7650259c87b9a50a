"""What a database holds, as questions see it: relations, their columns, and how they are linked."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import sqlalchemy as sa

Type = Literal[
    "integer", "number", "boolean", "text", "date", "time", "datetime", "json", "array", "binary", "other",
]  # fmt: skip
NUMERIC: frozenset[Type] = frozenset(("integer", "number"))
TEMPORAL: frozenset[Type] = frozenset(("date", "time", "datetime"))
INCOMPARABLE: frozenset[Type] = frozenset(("json", "array", "binary", "other"))


@dataclass(frozen=True, slots=True)
class Column:
    """A column and its profile.

    `name` is as the database spells it; `readable` what people call it (of a dictionary of names, else guessed from `name`,
    which `guessed` says), `also` other names for it. Numbers are in `unit` ("" when none is known) times `scale`. `nulls` is
    the share of rows without a value, `distinct` how many values there are; `low` and `high` are the ends of numbers and
    dates. `values` are all values of a text column that has few, most frequent first. `described` is what the database or
    the dictionary says about it at length. `written` names the column beside that keeps the cells as they were written,
    where reading them lost anything ("1,234 (est.)"); it is not among the relation's columns. "" when there is none.
    """

    name: str
    type: Type = "text"
    readable: str = ""
    guessed: bool = True
    also: tuple[str, ...] = ()
    unit: str = ""
    scale: Decimal = Decimal(1)
    nulls: float = 0.0
    distinct: int = 0
    low: Any = None
    high: Any = None
    values: tuple[str, ...] = ()
    described: str = ""
    written: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """That `columns` of a relation name rows of relation `to` by its `to_columns`; inferred unless `declared`."""

    columns: tuple[str, ...]
    to: str
    to_columns: tuple[str, ...]
    declared: bool = True


@dataclass(frozen=True, slots=True)
class Relation:
    """A table or view: its columns, its key (empty when it has none), its links to others, its number of rows, some of them.

    `rowid` names the hidden column that numbers the rows ("rowid" in tables of SQLite and DuckDB), "" where there is none.
    """

    name: str
    columns: tuple[Column, ...]
    readable: str = ""
    schema: str = ""
    key: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    rows: int = 0
    sample: tuple[tuple[Any, ...], ...] = ()
    also: tuple[str, ...] = ()
    described: str = ""
    rowid: str = ""

    def column(self, name: str) -> Column:
        """The column of that name; KeyError when there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def is_unique(self, columns: Collection[str]) -> bool:
        """Whether no two rows have the same values in some columns, as the key or the profile says."""
        if self.key and set(columns) >= set(self.key):
            return True
        named = (column for column in self.columns if column.name in columns)
        return any(own.distinct >= round(self.rows * (1 - own.nulls)) > 0 for own in named)

    def table(self, names: Iterable[str] | None = None) -> sa.TableClause:
        """The relation in SQLAlchemy's words, with the columns of these names, else all that it lists."""
        import sqlalchemy as sa

        own = [column.name for column in self.columns] if names is None else dict.fromkeys(names)
        return sa.table(self.name, *map(sa.column, own), schema=self.schema or None)


@dataclass(frozen=True, slots=True)
class Database:
    """A source of relations under a name; `dialect` is SQLAlchemy's ("sqlite", "postgresql", "duckdb").

    `address` is where it is, without user or password.
    """

    name: str
    relations: tuple[Relation, ...] = ()
    dialect: str = "sqlite"
    address: str = ""
    meta: dict[str, str] = field(default_factory=dict, compare=False)

    def relation(self, name: str) -> Relation:
        """The relation of that name; KeyError when there is none."""
        for relation in self.relations:
            if relation.name == name:
                return relation
        raise KeyError(name)
