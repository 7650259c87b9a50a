"""Rows of tables, each an entry of its own, as text in one of nine forms: which an encoder reads best is to be measured.

The forms are those of a study of retrieval over tables and documents (multi-domain RAG, appendix C.1, whose outputs on its
example are this module's golden files). Each takes the table's name and the row's (column, value) pairs and ends with one
newline; a value that is missing is written "Null".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from pincite.document.table_headers import STEP, column_header
from pincite.document.table_text import body
from pincite.errors import UsageError
from pincite.types import Document, Entry, Kind, Node, Table

Pairs = Sequence[tuple[str, str | int | float | None]]
Serializer = Callable[[str, Pairs], str]


def _json(table: str, row: Pairs) -> str:
    return json.dumps({table: _values(row)}, indent=2, ensure_ascii=False) + "\n"


def _yaml(table: str, row: Pairs) -> str:
    import yaml  # here, because start-up would pay for it

    made: str = yaml.safe_dump(
        {table: _values(row)}, sort_keys=False, allow_unicode=True, width=float("inf")
    )
    return made


def _html(table: str, row: Pairs) -> str:
    texts = [(_escaped(name), _escaped(value)) for name, value in _texts(row)]
    items = "\n".join(f"<li>{name}: {value}</li>" for name, value in texts)
    return f"<header>{_escaped(table)}</header>\n<ul>{items}</ul>\n"


def _xml(table: str, row: Pairs) -> str:
    tags = [(_tag(name), _escaped(value)) for name, value in _texts(row)]
    lines = "".join(f"    <{name}>{value}</{name}>\n" for name, value in tags)
    outer = _tag(table)
    inner = f"  <{outer}>\n{lines}  </{outer}>\n"
    return f'<?xml version="1.0" ?>\n<root>\n{inner}</root>\n'


def _markdown(table: str, row: Pairs) -> str:
    cells = _cells(row)
    left, right = (max(len(cell[side]) for cell in cells) for side in (0, 1))
    lines = (f"| {name:{left}}| {value:{right}} |\n" for name, value in cells)
    return f"## {table}\n|:-----|:-----|\n{''.join(lines)}"


def _transposed(table: str, row: Pairs) -> str:
    columns = [(name, value, max(len(name), len(value))) for name, value in _cells(row)]
    names = " | ".join(f"{name:{width}}" for name, _, width in columns)
    values = " | ".join(f"{value:{width}}" for _, value, width in columns)
    return f"## {table}\n| {names} |\n|{':-----|' * len(columns)}\n| {values} |\n"


def _key_values(table: str, row: Pairs) -> str:
    pairs = "\n\n".join(f"{name}: {value}\n..." for name, value in _texts(row))
    return f"## {table}\n{pairs}\n"


def _semantic(table: str, row: Pairs) -> str:
    return ", ".join((f"Item in {table}:", *_sentences(row))) + ".\n"


def _full_semantic(table: str, row: Pairs) -> str:
    return f"Item in {table} where {' and '.join(_sentences(row))}.\n"


SERIALIZERS: Mapping[str, Serializer] = {
    "json": _json,
    "yaml": _yaml,
    "html": _html,
    "xml": _xml,
    "markdown": _markdown,
    "transposed": _transposed,
    "key-values": _key_values,
    "semantic": _semantic,
    "full-semantic": _full_semantic,
}


def _values(row: Pairs) -> dict[str, Any]:
    return {name: "Null" if value is None else value for name, value in row}


def _texts(row: Pairs) -> list[tuple[str, str]]:
    return [(name, "Null" if value is None else str(value)) for name, value in row]


def _cells(row: Pairs) -> list[tuple[str, str]]:
    return [(name.replace("|", "\\|"), value.replace("|", "\\|")) for name, value in _texts(row)]


def _sentences(row: Pairs) -> list[str]:
    return [f"{name} is {value}" for name, value in _texts(row)]


def _escaped(text: str) -> str:
    return escape(text, quote=False)


def _tag(name: str) -> str:
    """A name that XML allows: "Melting point" is Melting_point."""
    tag = re.sub(r"[^\w.-]", "_", name)
    return tag if re.match(r"[^\W\d]", tag) else f"_{tag}"


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
    called = table.caption or heading or document.title or document.id
    name = " ".join(called.split()).rstrip(" :")
    said = name.casefold()
    factor = _SCALES.get(table.scale.adjusted(), f"{table.scale:,f}")
    scale = f"in {factor}" if table.scale != 1 else ""
    units = [unit for unit in (table.unit, scale) if unit]
    # the last word without the s of the plural
    stated = [unit for unit in units if unit.split()[-1].rstrip("s").casefold() not in said]
    if scale and table.unscaled and table.unscaled.casefold() not in said:
        stated.append(f"except {table.unscaled}")
    return f"{name} ({', '.join(stated)})" if stated else name


def _typed(text: str) -> str | int | float:
    """A plain number as one, where writing it gives the same text again."""
    if not _NUMBER.fullmatch(text):
        return text
    number = float(text) if "." in text else int(text)
    return number if str(number) == text else text
