"""A table in short: what it is called, its columns and a few of its rows, in Markdown.

The form in which EnrichIndex (Chen et al., 2025, appendix D) gives tables to models and retrievers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal

from pincite.database.relations.description import relation_from
from pincite.database.relations.relation_rows import heading_of
from pincite.database.relations.shaped_values import written
from pincite.document.table_text import markdown
from pincite.search.index.document_views import headed, object_kind
from pincite.types import Cell, Document, Entry, Node, Table


@dataclass(frozen=True, slots=True)
class Sampled:
    """Every table of documents and databases as its names, its columns and `rows` of its rows, chosen at random by `seed`.

    Of a table of a database the rows are those that were drawn when it was indexed, five at most. `of` says which tables.
    """

    rows: int = 5
    seed: int = 0
    of: tuple[Literal["table", "relation"], ...] = ("table", "relation")

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every table node."""
        for node in document.nodes:
            if object_kind(node) in self.of:
                yield Entry(node.id, "table", sampled(document, node, self.rows, self.seed))


def sampled(document: Document, node: Node, rows: int = 5, seed: int = 0) -> str:
    """A table node in short; the rows are the same for a node and seed, and in their order."""
    head, body = lines_of(document, node)
    # by a hash, because what `random` draws may change with the version of Python
    draws = [
        blake2b(f"{seed} {node.id} {row}".encode(), digest_size=8) for row in range(len(body))
    ]
    chosen = sorted(sorted(range(len(body)), key=lambda row: draws[row].digest())[:rows])
    return "\n".join((*head, *(body[row] for row in chosen)))


def lines_of(document: Document, node: Node) -> tuple[list[str], list[str]]:
    """What stands over a table (its database or document, its name, its columns), and its rows; of a database those drawn.

    The name of a table of a document is its caption or section. Raises ValueError for a node that is no table.
    """
    if object_kind(node) == "relation":
        database, named, table = node.meta["database"]["name"], *_relation(node)
    elif node.table is not None:
        table = node.table
        named = " ".join(table.caption.split()) or node.anchor.path or f"page {node.anchor.page}"
        database = headed(document)
    else:
        raise ValueError(f"the {node.kind} node {node.id} carries no table")
    cells = tuple(replace(cell, text=" ".join(cell.text.split())) for cell in table.cells)
    header, rule, *body = markdown(replace(table, cells=cells)).split("\n")
    above = [f"Database name: {database}", f"Table name: {named}", "Table content:", header, rule]
    return above, body


def _relation(node: Node) -> tuple[str, Table]:
    """What a table of a database is called, by people too where they call it otherwise, and the rows drawn of it.

    Columns are headed as its rows are indexed; blobs are left out.
    """
    relation = relation_from(node.meta["relation"])
    name = ".".join(filter(None, (relation.schema, relation.name)))
    said = relation.readable
    named = f"{name} ({said})" if said and said.casefold() != relation.name.casefold() else name
    columns = relation.columns
    shown = [place for place, column in enumerate(columns) if column.type != "binary"]
    cells = [Cell(0, at, heading_of(columns[place])) for at, place in enumerate(shown)]
    for number, row in enumerate(relation.sample, 1):
        cells += [Cell(number, at, written(row[place])) for at, place in enumerate(shown)]
    return named, Table(tuple(cells), header_rows=1, header_columns=0)
