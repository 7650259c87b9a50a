"""The cells that rows of a result rest on, as citations: table, row key, column, and the statement that found them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from pincite.database.relations.model import Relation
from pincite.database.relations.shaped_values import quoted
from pincite.database.statements.pins import Pin, by_key, key_of
from pincite.database.statements.row_keys import KeyedRows, keyed
from pincite.document.headed_table import body_rows
from pincite.evidence.candidate import Evidence
from pincite.evidence.drafted_answer import cited
from pincite.evidence.row_values import place_of
from pincite.rows.clean_source import CleanSource
from pincite.types import Anchor, Cell, Citation, Node

APART = 12
"""Rows of a result up to which each is cited by itself."""
KEYS = 200
"""Row keys that a citation holds; where there are more, the statement alone tells which rows."""
COLUMNS = 8
"""Columns of a row that a citation quotes."""


def citations(
    asked: str, statement: str, source: CleanSource, node: Node | None, document: str
) -> tuple[Citation, ...]:
    """The cells that the result of a statement rests on, as citations numbered from 1; the statement alone where rows cannot be
    told. `asked` is the statement over views that `statement` is made of.

    For a table inside a document, `node` is the table and `document` its document's id.
    """
    cite = _Citing(source, statement, node, document)
    rests = keyed(asked, source.database)
    if rests is None:
        return cite.whole()
    found = source.run(rests.statement, rows=KEYS)
    if found.truncated or not found.rows:
        return cite.whole()
    apart = rests.single and len(found.rows) <= APART
    groups = [[row] for row in found.rows] if apart else [list(found.rows)]
    made = dict.fromkeys(citation for rows in groups for citation in cite.rows(rests, rows))
    labelled = (replace(citation, label=str(at)) for at, citation in enumerate(made, 1))
    return tuple(labelled) or cite.whole()


@dataclass(frozen=True, slots=True)
class _Citing:
    source: CleanSource
    statement: str
    node: Node | None
    document: str

    def whole(self) -> tuple[Citation, ...]:
        """The statement alone, with the relations that it looks at."""
        return (self._citation(self._pin("", (), ()), "what the statement finds"),)

    def rows(self, rests: KeyedRows, rows: Sequence[Sequence[Any]]) -> Iterator[Citation]:
        """One citation for each relation that some rows of a result rest on; their keys stand side by side."""
        start = 0
        for seen, columns in rests.relations:
            width = len(key_of(seen))
            keys = dict.fromkeys(tuple(row[start : start + width]) for row in rows)
            start += width
            view = self.source.view(seen.name)
            made_of = {column.name: column.source for column in view.columns}
            named = [made_of[name] for name in columns if name not in view.key]
            told = tuple(dict.fromkeys(named))[:COLUMNS] or _naming_columns(view.relation)
            yield from self._rows(view.relation, told, [key for key in keys if None not in key])

    def _rows(
        self, relation: Relation, columns: tuple[str, ...], keys: Sequence[Any]
    ) -> Iterator[Citation]:
        if len(keys) > KEYS:
            pin = self._pin(relation.name, columns, ())
            yield self._citation(pin, f"{len(keys):,} rows of {relation.name}")
            return
        found = by_key(self.source.source, relation, keys, columns)
        if not all(key in found for key in keys):
            return
        pin = self._pin(relation.name, columns, tuple(keys))
        if self.node is not None:
            yield self._cells(self.node, pin, relation)
            return
        yield self._citation(pin, quoted(relation, columns, [found[key] for key in keys]))

    def _pin(self, relation: str, columns: tuple[str, ...], keys: tuple[Any, ...]) -> Pin:
        database = self.source.source.database
        key = key_of(database.relation(relation)) if relation else ()
        return Pin(database.name, relation, key, keys, columns, self.statement)

    def _citation(self, pin: Pin, quote: str) -> Citation:
        anchor = Anchor("", path=pin.relation, sql=pin.written())
        if self.node is not None:
            anchor = replace(self.node.anchor, sql=pin.written())
        named = self.document or "/".join(filter(None, (pin.database, pin.relation)))
        return Citation("1", self.node.id if self.node is not None else "", anchor, quote, named)

    def _cells(self, node: Node, pin: Pin, relation: Relation) -> Citation:
        """The cells of a document's table, where they stand on the page."""
        assert node.table is not None
        body = body_rows(node)
        rows = {body[int(key[0]) - 1] for key in pin.rows}
        places = {place_of(relation, name, node) for name in pin.columns} - {None}
        there = [cell for cell in node.table.cells if _covers(cell, rows, places or {0})]
        cells = tuple((cell.row, cell.column) for cell in there)
        quote = " ".join(cell.text for cell in there)
        made = cited(Evidence(node, cells, quote=quote, document=self.document), "1")
        return replace(made, anchor=replace(made.anchor, sql=pin.written()))


def _covers(cell: Cell, rows: set[int], columns: Set[int | None]) -> bool:
    """Whether a cell stands in one of some rows and one of some columns of its table."""
    across = range(cell.column, cell.column + cell.column_span)
    down = range(cell.row, cell.row + cell.row_span)
    return not rows.isdisjoint(down) and not columns.isdisjoint(across)


def _naming_columns(relation: Relation) -> tuple[str, ...]:
    """Columns that tell what a row is, where the statement looks at none."""
    texts = [column.name for column in relation.columns if column.type == "text"]
    return tuple(texts[:1] or [column.name for column in relation.columns[:1]])
