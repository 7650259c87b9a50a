"""Rows of a database as they are now, for people to see: those that an answer cites, and the first ones of a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from pincite.corpus import Corpus, Entryless
from pincite.database.holdings import Held
from pincite.database.relations.description import plain
from pincite.database.relations.model import Relation
from pincite.database.relations.relation_rows import shown
from pincite.database.statements.pins import Pin, by_key
from pincite.serve.table_view import GridCell, ShownTable, aligned


def cited_rows(corpus: Corpus, pin: Pin, most: int) -> ShownTable | None:
    """The first `most` rows of a pin: their key and the cited cells; None where it names no row. DatabaseError when the
    database cannot be read.
    """
    found = _relation(corpus, pin.database, pin.relation)
    if found is None or not pin.rows:
        return None
    held, relation = found
    rows = pin.rows[:most]
    names = pin.columns or [column.name for column in shown(relation)]
    columns = [name for name in names if name not in pin.key]
    with held.open() as source:
        there = by_key(source, relation, rows, columns)
    lines = [(*row, *there[row]) for row in rows if row in there]
    keys = ("row" if name == relation.rowid else name for name in pin.key)
    return _grid((*keys, *columns), lines, set(pin.columns), len(pin.rows) - len(rows))


def first_rows(corpus: Corpus, document: Entryless, most: int) -> ShownTable | None:
    """The first `most` rows of the table that a document is the card of. DatabaseError when the database cannot be read."""
    import sqlalchemy as sa

    found = _relation(corpus, document.meta.get("database", ""), document.meta.get("table", ""))
    if found is None:
        return None
    held, relation = found
    names = [column.name for column in shown(relation)]
    table = sa.table(relation.name, *map(sa.column, names), schema=relation.schema or None)
    with held.open() as source:
        result = source.run(sa.select(*(table.c[name] for name in names)), rows=most)
    return _grid(names, result.rows, (), max(0, relation.rows - len(result.rows)))


def _relation(corpus: Corpus, database: str, name: str) -> tuple[Held, Relation] | None:
    held = next((known for known in corpus.databases if known.name == database), None)
    relation = (
        next((known for known in held.database.relations if known.name == name), None)
        if held
        else None
    )
    return (held, relation) if held and relation else None


def _grid(
    names: Sequence[str], rows: Iterable[Sequence[Any]], cited: Collection[str], more: int
) -> ShownTable:
    head = [GridCell(name, 0, at, 1, 1, "col", False) for at, name in enumerate(names)]
    body = []
    for row, values in enumerate(rows, 1):
        cells = enumerate(map(_text, values))
        body.append([GridCell(text, row, at, 1, 1, "", names[at] in cited) for at, text in cells])
    return ShownTable(aligned([head, *body]), "", "", "", more)


def _text(value: Any) -> str:
    written = plain(value)
    return "" if written is None else str(written)
