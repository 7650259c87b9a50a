"""The cells that rows of a result were made of, as citations: table, row key, column, and the statement that found them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pincite.check.inside_tables import grid_rows, place_of
from pincite.database.relations.model import Relation
from pincite.database.relations.shaped_values import quoted
from pincite.database.sources.connection import OpenDatabase
from pincite.database.statements.pins import Pin, by_key, key_of
from pincite.database.statements.result_lines import Origin, Replayed, ResultLine, equal_rows
from pincite.database.statements.row_keys import keyed
from pincite.database.statements.scalars import Unreplayable
from pincite.evidence.candidate import Evidence
from pincite.evidence.saying import cited
from pincite.types import Anchor, Citation, Node

APART = 12
"""Rows of a result up to which each is cited by itself."""
KEYS = 200
"""Row keys that a citation holds; where there are more it is the statement alone that tells which rows."""
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
    groups = [[line] for line in lines] if len(lines) <= APART else [lines]
    found = [citation for group in groups for citation in cite.lines(made, group)]
    return (
        tuple(replace(citation, label=str(at)) for at, citation in enumerate(dict.fromkeys(found), 1)) or cite.whole()
    )


def _matched(made: Replayed, rows: Sequence[Sequence[Any]]) -> Iterator[ResultLine]:
    """The line of a replay that each row of the result is."""
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
        groups = [(key,) for key in keys] if len(keys) <= APART else [tuple(keys)]
        made = [citation for group in groups for citation in self._rows(relation, columns[:COLUMNS], group)]
        return tuple(replace(citation, label=str(at)) for at, citation in enumerate(made, 1))

    def lines(self, made: Replayed, lines: Sequence[ResultLine]) -> Iterator[Citation]:
        """One citation for each relation that some rows of a result were made of."""
        held: dict[str, list[Origin]] = {}
        for line in lines:
            for origin in line.origins:
                held.setdefault(origin.role, []).append(origin)
        asked = [pair for columns in made.sources for pair in columns]
        told = [role for role in held if made.used.get(role)]
        for role, origins in held.items():
            if told and role not in told:  # a row that was only there to be counted or to hang nested queries on
                continue
            relation = next(
                relation for relation in self.source.database.relations if relation.name == origins[0].relation
            )
            shown = [column for own, column in asked if own == role]
            columns = tuple(dict.fromkeys((*shown, *made.used.get(role, ()))))[:COLUMNS] or self._naming(relation)
            keys = tuple(dict.fromkeys(origin.key for origin in origins))
            yield from self._rows(relation, columns, keys)

    def _naming(self, relation: Relation) -> tuple[str, ...]:
        """Columns that tell what a row is, where the statement looks at none."""
        texts = [column.name for column in relation.columns if column.type == "text"]
        return tuple(texts[:1] or [column.name for column in relation.columns[:1]])

    def _rows(self, relation: Relation, columns: tuple[str, ...], keys: Sequence[Any]) -> Iterator[Citation]:
        if len(keys) > KEYS:
            pin = self._pin(relation.name, columns, ())
            yield self._citation(pin, f"{len(keys):,} rows of {relation.name}")
            return
        found = by_key(self.source, relation, keys, columns)
        if not all(key in found for key in keys):
            return
        pin = self._pin(relation.name, columns, tuple(keys))
        if self.node is not None:
            yield self._cells(pin, relation)
            return
        yield self._citation(pin, quoted(relation, columns, [found[key] for key in keys]))

    def _pin(self, relation: str, columns: tuple[str, ...], keys: tuple[Any, ...]) -> Pin:
        held = next(
            (held_relation for held_relation in self.source.database.relations if held_relation.name == relation), None
        )
        key = key_of(held) if held is not None else ()
        return Pin(self.source.database.name, relation, key, keys, columns, self.statement)

    def _citation(self, pin: Pin, quote: str) -> Citation:
        anchor = Anchor("", path=pin.relation, sql=pin.written())
        node = self.node.id if self.node is not None else ""
        if self.node is not None:
            anchor = replace(self.node.anchor, sql=pin.written())
        named = self.document or ("/".join(part for part in (pin.database, pin.relation) if part))
        return Citation("1", node, anchor, quote, named)

    def _cells(self, pin: Pin, relation: Relation) -> Citation:
        """The cells of a document's table, where they stand on the page."""
        node = self.node
        assert node is not None and node.table is not None
        body = grid_rows(node)
        columns = [at for name in pin.columns if (at := place_of(relation, name, node)) is not None] or [0]
        wanted = [(body[int(key[0]) - 1], column) for key in pin.rows for column in columns]
        there = [
            cell for cell in node.table.cells
            if any(
                cell.row <= row < cell.row + cell.row_span and cell.column <= column < cell.column + cell.column_span
                for row, column in wanted
            )
        ]  # fmt: skip
        cells = tuple((cell.row, cell.column) for cell in there)
        quote = " ".join(cell.text for cell in there)
        made = cited(Evidence(node, cells, quote=quote, document=self.document), "1")
        return replace(made, anchor=replace(made.anchor, sql=pin.written()))
