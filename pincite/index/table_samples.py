"""A table in short: what it is called, its columns and a few of its rows, in Markdown.

The form in which EnrichIndex (Chen et al., 2025, appendix D) gives tables to models and retrievers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b

from pincite.document.table import markdown
from pincite.index.document_views import headed
from pincite.types import Document, Entry, Node


@dataclass(frozen=True, slots=True)
class Sampled:
    """Every table as its names, its columns and `rows` of its rows, chosen at random by `seed`."""

    rows: int = 5
    seed: int = 0

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every table node that carries a table."""
        for node in document.nodes:
            if node.kind == "table" and node.table is not None:
                yield Entry(node.id, "table", sampled(document, node, self.rows, self.seed))


def sampled(document: Document, node: Node, rows: int = 5, seed: int = 0) -> str:
    """A table node in short; the rows are the same for a node and seed, and in their order."""
    head, body = lines_of(document, node)
    chosen = sorted(sorted(range(len(body)), key=lambda row: _draw(seed, node.id, row))[:rows])
    return "\n".join((*head, *(body[row] for row in chosen)))


def lines_of(document: Document, node: Node) -> tuple[list[str], list[str]]:
    """What stands over a table (its document for a database, its caption or section for a name, its columns), and its rows."""
    if node.table is None:
        raise ValueError(f"the {node.kind} node {node.id} carries no table")
    cells = tuple(replace(cell, text=" ".join(cell.text.split())) for cell in node.table.cells)
    header, rule, *body = markdown(replace(node.table, cells=cells)).split("\n")
    named = " ".join(node.table.caption.split()) or node.anchor.path or f"page {node.anchor.page}"
    return [
        f"Database name: {headed(document)}",
        f"Table name: {named}",
        "Table content:",
        header,
        rule,
    ], body


def _draw(seed: int, node: str, row: int) -> bytes:
    # a hash, because what `random` draws may change with the version of Python
    return blake2b(f"{seed} {node} {row}".encode(), digest_size=8).digest()
