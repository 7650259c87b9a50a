"""Rows of tables, each an entry of its own, in one of nine serializations."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pincite.document.table_headers import STEP, column_header
from pincite.document.table_text import body
from pincite.errors import UsageError
from pincite.index.row_serializers import SERIALIZERS, Pairs, Serializer
from pincite.types import Document, Entry, Kind, Node, Table

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_SCALES = {3: "thousands", 6: "millions", 9: "billions", 12: "trillions"}


@dataclass(frozen=True, slots=True)
class Rows:
    """Every row of a table's body, as `serializer` (a name of `SERIALIZERS`) writes it under the table's name.

    `of` says of which tables: those inside documents, relations of databases, or both. The entry of a document's row is about
    the table's node and `at` is the row's number in its grid, whatever the serializer. A row of a relation is a node of its own.
    """

    serializer: str = "full-semantic"
    of: tuple[Kind, ...] = ("table", "row")

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every row that holds a value; UsageError when there is no such serializer."""
        if self.serializer not in SERIALIZERS:
            raise UsageError(f"no serializer {self.serializer!r}; known: {', '.join(SERIALIZERS)}")
        write = SERIALIZERS[self.serializer]
        if "table" in self.of:
            yield from _table_rows(document, write)
        if "row" in self.of:
            yield from _relation_rows(document, write)


def _table_rows(document: Document, write: Serializer) -> Iterator[Entry]:
    """The rows of the tables inside a document."""
    for node in document.nodes:
        if node.kind == "table" and node.table is not None:
            name = table_name(node, document)
            for at, pairs in row_pairs(node.table):
                yield Entry(node.id, "row", write(name, pairs), at)


def _relation_rows(document: Document, write: Serializer) -> Iterator[Entry]:
    """The rows of a relation."""
    headings: list[str] = []
    for node in document.nodes:
        if node.kind == "table":
            headings = apart(node.meta.get("headings", ()))
        if node.kind == "row":
            pairs = tuple(zip(headings, node.meta["values"], strict=True))
            yield Entry(node.id, "row", write(document.title, pairs))


@dataclass(frozen=True, slots=True)
class Cards:
    """What every relation of a database is: its card, whole."""

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every relation."""
        for node in document.nodes:
            if node.kind == "table" and "relation" in node.meta:
                yield Entry(node.id, "card", node.text)


def apart(headings: Sequence[str]) -> list[str]:
    """Headings with a number behind those that came before."""
    made: list[str] = []
    for at, heading in enumerate(headings, 1):
        made.append(_free(heading, at, made))
    return made


def row_pairs(table: Table) -> list[tuple[int, Pairs]]:
    """The rows of the body that hold a value: the number in the grid and (column, value) pairs, an empty cell as None.

    The row's label, with the sections above it, comes first, under the header of its column or as "Item". A heading that
    comes twice is numbered.
    """
    tops = (column_header(table, column) for column in range(table.header_columns))
    side = STEP.join(dict.fromkeys(filter(None, tops))) or "Item"
    made: list[tuple[int, Pairs]] = []
    for row, label, cells in body(table):
        pairs: dict[str, str | int | float | None] = {side: label} if label else {}
        for at, (top, cell) in enumerate(cells, table.header_columns + 1):
            text = cell.text.strip() if cell is not None else ""
            pairs[_free(top, at, pairs)] = _typed(text) if text else None
        made.append((row, tuple(pairs.items())))
    return made


def _free(heading: str, at: int, taken: Container[str]) -> str:
    """A heading, with the number of its column behind it while it is taken."""
    name = heading or f"Column {at}"
    while name in taken:
        name += f" ({at})"
    return name


def table_name(node: Node, document: Document) -> str:
    """What a table is called, and what its numbers are in where that does not say so.

    Its caption, else the heading above it, else the document's title or id.
    """
    table = node.table or Table(())
    heading = node.anchor.path.rsplit(STEP, 1)[-1]
    name = " ".join((table.caption or heading or document.title or document.id).split()).rstrip(
        " :"
    )
    stated = _stated(table, name.casefold())
    return f"{name} ({', '.join(stated)})" if stated else name


def _stated(table: Table, said: str) -> list[str]:
    """What the numbers of a table are in, where that is not said."""
    scale = (
        f"in {_SCALES.get(table.scale.adjusted(), f'{table.scale:,f}')}"
        if table.scale != 1
        else ""
    )
    stated = [unit for unit in (table.unit, scale) if unit and _singular(unit) not in said]
    if scale and table.unscaled and table.unscaled.casefold() not in said:
        stated.append(f"except {table.unscaled}")
    return stated


def _singular(unit: str) -> str:
    """The last word of a unit, folded, without the s of the plural."""
    return unit.split()[-1].rstrip("s").casefold()


def _typed(text: str) -> str | int | float:
    """A plain number as one, where writing it gives the same text again."""
    if not _NUMBER.fullmatch(text):
        return text
    number = float(text) if "." in text else int(text)
    return number if str(number) == text else text
