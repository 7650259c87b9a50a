"""The cells that rows of a result were made of, as citations: table, row key, column, and the statement that found them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pincite.database.relations.model import Relation
from pincite.database.relations.shaped_values import quoted
from pincite.database.sources.connection import OpenDatabase
from pincite.database.statements.pins import Pin, by_key, key_of
from pincite.database.statements.result_lines import Origin, Replayed, ResultLine, equal_rows
from pincite.database.statements.row_keys import keyed
from pincite.database.statements.scalars import Unreplayable
from pincite.document.headed_table import body_rows
from pincite.evidence.candidate import Evidence
from pincite.evidence.drafted_answer import cited
from pincite.evidence.inside_tables import place_of
from pincite.types import Anchor, Cell, Citation, Node

APART = 12
"""Rows of a result up to which each is cited by itself."""
KEYS = 200
"""Row keys that a citation holds; where there are more, the statement alone tells which rows."""
COLUMNS = 8
"""Columns of a row that a citation quotes."""


def citations(
    made: Replayed | Unreplayable,
    rows: Sequence[Sequence[Any]],
    statement: str,
    source: OpenDatabase,
    node: Node | None = None,
    document: str = "",
) -> tuple[Citation, ...]:
    """The cells that a result rests on, as citations numbered from 1; the statement alone where rows cannot be told.

    For a table inside a document, `node` is the table and `document` its document's id.
    """
    cite = _Citing(source, statement, node, document)
    if isinstance(made, Unreplayable):
        return cite.asked() or cite.whole()
    lines = list(_matched(made, rows))
    if len(lines) != len(rows):
        return cite.whole()
    found = dict.fromkeys(
        citation for group in _groups(lines) for citation in cite.lines(made, group)
    )
    return _labelled(found) or cite.whole()


def _groups(rows: list[Any]) -> list[list[Any]]:
    """Rows as they are cited: each by itself, or where they are many all together."""
    return [[row] for row in rows] if len(rows) <= APART else [rows]


def _labelled(found: Iterable[Citation]) -> tuple[Citation, ...]:
    """Citations numbered from 1."""
    return tuple(replace(citation, label=str(at)) for at, citation in enumerate(found, 1))


def _matched(made: Replayed, rows: Sequence[Sequence[Any]]) -> Iterator[ResultLine]:
    """The line of a replay that equals each row of the result, up to a row that none equals."""
    left = list(made.total or made.rows)
    for row in rows:
        at = next((at for at, line in enumerate(left) if equal_rows(line.values, row)), None)
        if at is None:
            return
        yield left.pop(at)


@dataclass(frozen=True, slots=True)
class _Citing:
    source: OpenDatabase
    statement: str
    node: Node | None
    document: str

    def whole(self) -> tuple[Citation, ...]:
        """The statement alone, with the relations that it looks at."""
        return (self._citation(self._pin("", (), ()), "what the statement finds"),)

    def asked(self) -> tuple[Citation, ...]:
        """The rows that the database itself says it shows; none where that is not one row of one relation each."""
        found = keyed(self.statement, self.source.database) if self.node is None else None
        if found is None:
            return ()
        relation, columns, statement = found
        rows = self.source.run(statement, rows=KEYS)
        keys = list(dict.fromkeys(rows.rows))
        if rows.truncated or not keys or not columns:
            return ()
        made = [
            citation
            for group in _groups(keys)
            for citation in self._rows(relation, columns[:COLUMNS], group)
        ]
        return _labelled(made)

    def lines(self, made: Replayed, lines: Sequence[ResultLine]) -> Iterator[Citation]:
        """One citation for each relation that some rows of a result were made of."""
        held: dict[str, list[Origin]] = {}
        for line in lines:
            for origin in line.origins:
                held.setdefault(origin.role, []).append(origin)
        # where some rows are used, others were only there to be counted or to hang nested queries on
        told = [role for role in held if made.used.get(role)] or list(held)
        for role in told:
            relation = self.source.database.relation(held[role][0].relation)
            keys = tuple(dict.fromkeys(origin.key for origin in held[role]))
            yield from self._rows(
                relation, _looked_at(made, role)[:COLUMNS] or _naming(relation), keys
            )

    def _rows(
        self, relation: Relation, columns: tuple[str, ...], keys: Sequence[Any]
    ) -> Iterator[Citation]:
        if len(keys) > KEYS:
            pin = self._pin(relation.name, columns, ())
            yield self._citation(pin, f"{len(keys):,} rows of {relation.name}")
            return
        found = by_key(self.source, relation, keys, columns)
        if not all(key in found for key in keys):
            return
        pin = self._pin(relation.name, columns, tuple(keys))
        if self.node is not None:
            yield self._cells(self.node, pin, relation)
            return
        yield self._citation(pin, quoted(relation, columns, [found[key] for key in keys]))

    def _pin(self, relation: str, columns: tuple[str, ...], keys: tuple[Any, ...]) -> Pin:
        database = self.source.database
        key = key_of(database.relation(relation)) if relation else ()
        return Pin(database.name, relation, key, keys, columns, self.statement)

    def _citation(self, pin: Pin, quote: str) -> Citation:
        anchor = Anchor("", path=pin.relation, sql=pin.written())
        node = self.node.id if self.node is not None else ""
        if self.node is not None:
            anchor = replace(self.node.anchor, sql=pin.written())
        named = self.document or ("/".join(part for part in (pin.database, pin.relation) if part))
        return Citation("1", node, anchor, quote, named)

    def _cells(self, node: Node, pin: Pin, relation: Relation) -> Citation:
        """The cells of a document's table, where they stand on the page."""
        assert node.table is not None
        body = body_rows(node)
        rows = {body[int(key[0]) - 1] for key in pin.rows}
        columns = {
            at for name in pin.columns if (at := place_of(relation, name, node)) is not None
        } or {0}
        there = [cell for cell in node.table.cells if _covers(cell, rows, columns)]
        cells = tuple((cell.row, cell.column) for cell in there)
        quote = " ".join(cell.text for cell in there)
        made = cited(Evidence(node, cells, quote=quote, document=self.document), "1")
        return replace(made, anchor=replace(made.anchor, sql=pin.written()))


def _covers(cell: Cell, rows: set[int], columns: set[int]) -> bool:
    """Whether a cell stands in one of some rows and one of some columns of its table."""
    across = range(cell.column, cell.column + cell.column_span)
    return not rows.isdisjoint(
        range(cell.row, cell.row + cell.row_span)
    ) and not columns.isdisjoint(across)


def _looked_at(made: Replayed, role: str) -> tuple[str, ...]:
    """The columns of a relation's role that a statement shows or tests, those shown first."""
    shown = [column for columns in made.sources for own, column in columns if own == role]
    return tuple(dict.fromkeys((*shown, *made.used.get(role, ()))))


def _naming(relation: Relation) -> tuple[str, ...]:
    """Columns that tell what a row is, where the statement looks at none."""
    texts = [column.name for column in relation.columns if column.type == "text"]
    return tuple(texts[:1] or [column.name for column in relation.columns[:1]])
