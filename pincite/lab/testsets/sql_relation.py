"""A table of a database, of which a model may ask with its own SQL; the database itself finds the rows.

Tran and Larsson (2026), section 4.3.2 and figures D.2 and D.3: `SELECT * FROM "schema"."table" WHERE ...` in PostgreSQL's
dialect, checked, written in the database's own and run there, for reading only. The rows found are the gold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from pincite.corpus import Corpus
from pincite.database.database_errors import StatementFailed, StatementRefused
from pincite.database.holdings import Held
from pincite.database.relations.column_heading import Heading, readable
from pincite.database.relations.description import plain
from pincite.database.relations.model import Column, Relation
from pincite.database.relations.relation_rows import heading_of, shown
from pincite.database.relations.shaped_values import of_cell, written
from pincite.database.sources.typed_columns import quoted
from pincite.database.statements.pins import key_of, read_pin
from pincite.database.statements.statement_guard import DIALECTS
from pincite.errors import SourceError, UsageError
from pincite.lab.testsets.gold_rows import Row, number_gold
from pincite.lab.testsets.sql_table import SHOWN_ROWS, FoundRows, where_of
from pincite.records.runfile import document_name
from pincite.types import Document, Node, Quantity

MOST = 10_000
"""Rows that one statement may find."""


@dataclass(frozen=True)
class RelationTable:
    """The relation of `document`, whose card is `node`, in the database `held`."""

    corpus: Corpus
    held: Held
    document: Document
    node: Node

    @cached_property
    def relation(self) -> Relation:
        """The relation as it was indexed."""
        return self.held.database.relation(self.document.meta["table"])

    @property
    def name(self) -> str:
        """Schema and name, quoted."""
        return ".".join(map(quoted, filter(None, (self.relation.schema, self.relation.name))))

    @property
    def called(self) -> str:
        """What people call it."""
        return self.relation.readable or self.relation.name

    @cached_property
    def columns(self) -> Mapping[str, str]:
        """The columns but for blobs, and what people call them."""
        return {column.name: heading_of(column) for column in shown(self.relation)}

    def shown(self) -> Sequence[Sequence[str]]:
        """The first rows, as the database has them."""
        return [[written(plain(value)) for value in row] for row in self._run("", rows=SHOWN_ROWS)]

    def find(self, sql: str, column: str) -> FoundRows:
        """The rows that the database finds by the statement's condition."""
        where = where_of(sql, self.relation).sql(dialect=DIALECTS[self.held.database.dialect])
        try:
            found = self._run(where, rows=MOST + 1, keyed=True)
        except (StatementFailed, StatementRefused) as error:
            raise UsageError(f"the database does not take the query: {error}") from None
        if not found:
            raise UsageError("the query finds no row")
        if len(found) > MOST or len(found) == self.relation.rows:
            raise UsageError(
                f"the query finds {'too many rows' if len(found) > MOST else 'every row'}"
            )
        width = len(key_of(self.relation))
        keys = [row[:width] for row in found]
        nodes = [node for key in keys if (node := self._nodes.get(_said(key))) is not None]
        rows = [
            {"id": str(uuid5(NAMESPACE_DNS, f"{self.node.id} {key}")), "key": list(key)}
            for key in map(_said, keys)
        ]
        return FoundRows(
            nodes or [self.node],
            [0],
            rows,
            self._gold([row[width:] for row in found], column),
            {"qrels": {document_name(self.document.id): 1}},
        )

    @cached_property
    def _nodes(self) -> dict[tuple[str, ...], Node]:
        """The nodes of the rows by their keys; none for a table of which only the card is indexed."""
        made = {}
        for node in self.corpus.document(self.document.version).nodes:
            pin = read_pin(node.anchor.sql) if node.kind == "row" else None
            if pin is not None:
                made[_said(pin.rows[0])] = node
        return made

    def _run(self, where: str, rows: int, keyed: bool = False) -> Sequence[tuple[Any, ...]]:
        """The columns, behind the key where that is wanted, of the rows that a condition finds."""
        keys = key_of(self.relation) if keyed else ()
        selected = ", ".join(map(quoted, (*keys, *self.columns)))
        try:
            with self.held.open() as source:
                statement = f"SELECT {selected} FROM {self.name} {where}".rstrip()
                return source.run(statement, rows=rows).rows
        except SourceError as error:
            raise UsageError(f"the database {self.held.name} cannot be asked: {error}") from None

    def _gold(self, found: Sequence[Sequence[Any]], column: str) -> Row:
        """The value of one row's column, or the labels of the rows: the first texts that tell them apart; else nothing."""
        columns = shown(self.relation)
        named = {column.name: at for at, column in enumerate(columns)}
        if column in named:
            return (
                _value_gold(columns[named[column]], found[0][named[column]])
                if len(found) == 1
                else {}
            )
        for at, label in enumerate(columns):
            labels = [str(row[at]) for row in found if row[at] is not None]
            if label.type == "text" and len(set(labels)) == len(found):
                return {"kind": "names", "answer": labels, "answer_type": "list"}
        return {}


def _value_gold(column: Column, value: Any) -> Row:
    """The fields of a cell as an answer, with the unit of its column."""
    heading = Heading(readable(column), column.unit, column.scale, type=column.type)
    said = of_cell(value, heading)
    if said is None:
        return {}
    if isinstance(said, bool):
        return {"kind": "boolean", "answer": "yes" if said else "no", "answer_type": "boolean"}
    if isinstance(said, Quantity):
        return number_gold(said, said.text or str(said.value))
    return {"answer": str(said), "answer_type": "text"}


def _said(key: Sequence[Any]) -> tuple[str, ...]:
    """A key as text, in which what JSON and the database return for it is the same."""
    return tuple(str(plain(part)) for part in key)
