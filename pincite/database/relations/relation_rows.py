"""A relation as a document: its card, and its rows, each a place that can be cited by its key.

The id of a row is made of the database, the relation and the row's key, or of its content where there is no key: it does not
depend on what else the row holds, on its place, or on how a view writes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from pincite.database.holdings import RELATION, card_id
from pincite.database.relations.column_heading import Heading, readable
from pincite.database.relations.description import plain, relation_to
from pincite.database.relations.model import Column, Database, Relation
from pincite.database.sources.typed_columns import quoted
from pincite.database.statements.pins import Pin, key_of
from pincite.formats.encoding import dumps
from pincite.types import Anchor, Document, Node

if TYPE_CHECKING:
    from pincite.database.sources.connection import OpenDatabase

FORM = "2"
"""Raise it when the same rows make other nodes: relations are then stored again."""
_SHOWN = 2_000
"""Letters of a cell that a row's text and values keep."""


@dataclass(frozen=True, slots=True)
class IndexedRow:
    """A row as it is indexed: the id of its node, what holds its cells for reading, and the key that finds it again."""

    id: str
    values: tuple[str | int | float | None, ...]
    key: tuple[Any, ...]


def heading_of(column: Column) -> str:
    """A column's name for people with the unit and scale of its numbers: "yield strength (MPa)"."""
    return Heading(readable(column), column.unit, column.scale).titled


def shown(relation: Relation) -> tuple[Column, ...]:
    """The columns that a row is written with: all but blobs."""
    return tuple(column for column in relation.columns if column.type != "binary")


def rows_of(source: OpenDatabase, relation: Relation) -> Iterator[IndexedRow]:
    """All rows in the order of their key, streamed."""
    import sqlalchemy as sa

    columns, keys = shown(relation), key_of(relation)
    written = filter(None, (column.written for column in columns))
    names = list(dict.fromkeys((*keys, *(column.name for column in columns), *written)))
    table = relation.table(names)
    at = {name: place for place, name in enumerate(names)}
    statement = sa.select(*table.columns)
    if relation.key:
        statement = statement.order_by(*(table.c[name] for name in relation.key))
    seen: Counter[str] = Counter()
    streamed = {"stream_results": True, "yield_per": 5_000}
    with source.engine.connect().execution_options(**streamed) as connection:
        for row in connection.execute(statement):
            values = tuple(_cell(row, at, column) for column in columns)
            key = tuple(row[at[name]] for name in keys)
            named = dumps([str(part) for part in key] if relation.key else list(values))
            seen[named] += 1
            again = "" if seen[named] == 1 else f" {seen[named]}"
            about = f"row\n{source.database.name}\n{relation.name}\n{named}{again}"
            yield IndexedRow(_digest(about, 8), values, key)


def _cell(row: Any, at: dict[str, int], column: Column) -> str | int | float | None:
    value = row[at[column.name]]
    if value is None and column.written:
        value = row[at[column.written]]
    made = plain(value)
    return made[:_SHOWN] + "…" if isinstance(made, str) and len(made) > _SHOWN else made


def document_of(
    database: Database, relation: Relation, card: str, rows: tuple[IndexedRow, ...]
) -> Document:
    """A relation as a document under "database/relation": a root, the card, the rows below it.

    The card is a node of kind "table" with `headings` and the whole profile in its meta, a row one of kind "row" with its
    `values` under these headings; its anchor is a pin of its key. The version changes with anything that is in it.
    """
    source = _digest(f"{database.address}\n{relation.schema}", 16)
    headings = [heading_of(column) for column in shown(relation)]
    facts = {"name": database.name, "dialect": database.dialect, "address": database.address}
    about = {
        "database": {**facts, **database.meta},
        "relation": relation_to(relation),
        "headings": headings,
    }
    name = f"{database.name}/{relation.name}"
    title = relation.readable or relation.name
    digest = blake2b(dumps([FORM, name, card, about]).encode(), digest_size=16)
    for row in rows:
        digest.update(dumps([row.id, row.values]).encode())
    place = Anchor(source, path=relation.name)
    root = Node(_digest(f"document\n{name}", 8), "document", title, place)
    head = Node(card_id(name), "table", card, place, root.id, 1, meta=about)
    nodes = []
    for order, row in enumerate(rows, 2):
        cells = zip(headings, row.values, strict=True)
        text = "; ".join(f"{heading}: {value}" for heading, value in cells if value is not None)
        anchor = _row_anchor(database, relation, source, row)
        values = {"values": list(row.values)}
        nodes.append(Node(row.id, "row", text, anchor, head.id, order, meta=values))
    meta = {"database": database.name, "table": relation.name}
    version = RELATION + digest.hexdigest()
    return Document(name, version, title, meta=meta, nodes=(root, head, *nodes))


def _row_anchor(database: Database, relation: Relation, source: str, row: IndexedRow) -> Anchor:
    keys = key_of(relation)
    statement = _statement(relation, keys, row.key)
    pin = Pin(database.name, relation.name, keys, (row.key,), (), statement)
    named = bool(relation.key or relation.rowid)
    said = ", ".join(str(plain(part)) for part in row.key) if named else row.id
    return Anchor(source, path=f"{relation.name}!{said[:200]}", sql=pin.written())


def _statement(relation: Relation, keys: tuple[str, ...], key: tuple[Any, ...]) -> str:
    """The statement that finds a row again; it can be run as it stands."""
    tests = [f"{quoted(name)} {_is(value)}" for name, value in zip(keys, key, strict=True)]
    place = f"{quoted(relation.schema)}." if relation.schema else ""
    return f"SELECT * FROM {place}{quoted(relation.name)} WHERE {' AND '.join(tests)}"


def _is(value: Any) -> str:
    if value is None:
        return "IS NULL"
    if isinstance(value, bool):
        return f"= {str(value).upper()}"
    if isinstance(value, int | float) or type(value).__name__ == "Decimal":
        return f"= {value}"
    return "= '" + str(value).replace("'", "''") + "'"


def _digest(text: str, size: int) -> str:
    return blake2b(text.encode(), digest_size=size).hexdigest()
