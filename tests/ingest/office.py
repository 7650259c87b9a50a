"""What the tests of formats share: a file read to a document, and cells found by their labels."""

from pathlib import Path

from pincite.document.address import own_place, place_of
from pincite.document.table_text import body
from pincite.ingest.document_parser import parse
from pincite.types import Anchor, Document, Node


def read(path: Path, data: bytes | None = None) -> Document:
    if data is not None:
        path.write_bytes(data)
    return parse(path, path.name, "ab" * 32)


def texts(document: Document, kind: str) -> list[str]:
    return [node.text for node in document.nodes if node.kind == kind]


def tables(document: Document) -> list[Node]:
    return [node for node in document.nodes if node.kind == "table"]


def found(table: Node, label: str, header: str) -> tuple[str, str]:
    """The text of a cell by its row label and column header, and where a citation of it says it stands."""
    assert table.table is not None
    for row, name, cells in body(table.table):
        for top, cell in cells:
            if cell is not None and (name, top) == (label, header):
                cited = Anchor(
                    table.anchor.source,
                    table.anchor.spots,
                    ((row, cell.column),),
                    table.anchor.path,
                )
                return cell.text, place_of(cited)
    raise AssertionError((label, header, body(table.table)))


def whole(document: Document) -> str:
    return "\n".join(texts(document, "page"))


def lost(document: Document) -> dict[str, str]:
    """What of each page was not read, by its place."""
    pages = (node for node in document.nodes if node.kind == "page")
    return {own_place(one.anchor.path): one.meta["lost"] for one in pages if "lost" in one.meta}
