"""Places in a database: cells of a relation by row key and column, with the statement that found them, and read again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.database.relations.description import value_from, value_to
from pincite.database.relations.model import INCOMPARABLE, Relation

if TYPE_CHECKING:
    from pincite.database.sources.connection import OpenDatabase

AT_ONCE = 200
"""Rows read by their keys in one statement."""
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Pin:
    """Cells of `relation`: those of `columns` in the rows whose `key` columns hold `rows`.

    `statement` finds them again: it can be run as it stands. As the `sql` of an anchor it is written as JSON (`written`).
    """

    database: str
    relation: str
    key: tuple[str, ...] = ()
    rows: tuple[Key, ...] = ()
    columns: tuple[str, ...] = ()
    statement: str = ""

    def written(self) -> str:
        """The pin as text that `read_pin` reads."""
        held = {
            "database": self.database,
            "table": self.relation,
            "key": list(self.key),
            "rows": [list(map(value_to, row)) for row in self.rows],
            "columns": list(self.columns),
            "statement": self.statement,
        }
        return json.dumps(held, ensure_ascii=False, separators=(",", ":"))


def read_pin(text: str) -> Pin | None:
    """What `Pin.written` wrote; None for any other text."""
    try:
        held = json.loads(text)
        return Pin(
            held["database"],
            held["table"],
            tuple(held["key"]),
            tuple(tuple(map(value_from, row)) for row in held["rows"]),
            tuple(held["columns"]),
            held["statement"],
        )
    except (ValueError, KeyError, TypeError):
        return None


def key_of(relation: Relation) -> tuple[str, ...]:
    """The columns that name a row: the relation's key, the hidden number of its rows, else all columns that can be compared."""
    if relation.key:
        return relation.key
    if relation.rowid:
        return (relation.rowid,)
    return tuple(column.name for column in relation.columns if column.type not in INCOMPARABLE)


def by_key(
    source: OpenDatabase, relation: Relation, rows: Sequence[Key], columns: Sequence[str]
) -> dict[Key, tuple[Any, ...]]:
    """What stands in these columns of the rows with these keys, read now; rows that are gone are left out."""
    import sqlalchemy as sa

    keys = key_of(relation)
    table = relation.table((*keys, *columns))
    own = [table.c[name] for name in keys]
    found: dict[Key, tuple[Any, ...]] = {}
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        wanted: sa.ColumnElement[bool] = own[0].in_([row[0] for row in some])
        if len(own) > 1:
            wanted = sa.or_(*(sa.and_(*map(_is, own, row)) for row in some))
        asked = sa.select(*own, *(table.c[name] for name in columns)).where(wanted)
        for row in source.run(asked, rows=len(some) * 100).rows:
            found[tuple(row[: len(keys)])] = tuple(row[len(keys) :])
    return found


def _is(column: Any, value: Any) -> Any:
    return column.is_(None) if value is None else column == value
