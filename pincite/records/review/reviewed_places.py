"""Where a reviewer points: a cell of a table, or a box drawn on a page."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.evidence.candidate import Evidence
from pincite.evidence.drafted_answer import cited
from pincite.types import Box, Cell, Citation, Node


def place_cell(corpus: Corpus, node: str, row: int, column: int) -> Citation:
    """The citation of a cell of a table, by its node and 0-based place. Raises UsageError when there is none."""
    found = corpus.nodes([node])
    table = found[0].table if found else None
    if table is None:
        raise UsageError(f"the corpus has no table {node!r}: give the id of a table's node")
    document = corpus.by_version[corpus.places([node])[node][0]].id
    for cell in table.cells:
        if (cell.row, cell.column) == (row, column):
            place = ((row, column),)
            return cited(Evidence(found[0], place, quote=cell.text, document=document), "1")
    raise UsageError(f"the table has no cell at row {row}, column {column} (both from 0)")


def place_box(corpus: Corpus, document: str, page: int, box: Box) -> Citation:
    """The citation of what stands in a box drawn on a page, in points from its top left corner.

    Cells whose middle the box holds, else the lines that it holds; where it holds neither, such as a part of a picture, the
    box itself with no quote. Raises UsageError when there is no such document or page, or the box is empty.
    """
    known = next(iter(corpus.select((("document", (document,)),))), None)
    if known is None:
        raise UsageError(
            f"there is no document {document!r} in the corpus; `pincite list` prints them"
        )
    x0, top, x1, bottom = box
    if not (all(map(isfinite, box)) and x0 < x1 and top < bottom):
        raise UsageError(
            f"the box {box} is empty: it is left, top, right, bottom in points from the top left"
        )
    nodes = corpus.page(known.version, page) if 0 <= page <= known.pages else []
    if not nodes:
        raise UsageError(f"{known.id} has no page {page}; it has {known.pages}")
    # a table may go on
    before = [node for node in corpus.page(known.version, page - 1) if node.table is not None]
    for node in (*nodes, *before):
        if cells := _cells_in(node, page, box):
            places = tuple((cell.row, cell.column) for cell in cells)
            quote = " ".join(cell.text for cell in cells)
            return cited(Evidence(node, places, quote=quote, document=known.id), "1")
    for node in nodes:
        if lines := _lines_in(node, page, box):
            return cited(Evidence(node, (), *lines, document=known.id), "1")
    anchor = replace(nodes[0].anchor, spots=((page, box),), cells=(), path="")
    return Citation("1", nodes[0].id, anchor, "", known.id)


def _cells_in(node: Node, page: int, box: Box) -> list[Cell]:
    """The cells of a table, on this page, whose middle a box holds."""
    if node.table is None:
        return []
    first = node.table.page or node.anchor.page
    here = [cell for cell in node.table.cells if (cell.page or first) == page]
    return [cell for cell in here if _holds(box, cell.box)]


def _lines_in(node: Node, page: int, box: Box) -> tuple[int, int] | None:
    """The characters [start, end) of the lines of a text, on this page, that a box crosses; None where it crosses none."""
    starts, spots = node.meta.get("starts"), node.anchor.spots
    if node.table is not None or not starts or len(starts) != len(spots):
        return None
    lines = [at for at, (on, spot) in enumerate(spots) if on == page and _crosses(box, spot)]
    return (starts[lines[0]], (*starts[1:], len(node.text))[lines[-1]]) if lines else None


def _holds(box: Box, inner: Box | None) -> bool:
    """Whether the middle of a box lies in another."""
    if inner is None:
        return False
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _crosses(box: Box, line: Box | None) -> bool:
    """Whether a line of text lies at the height of a box and reaches into it."""
    if line is None:
        return False
    at_height = box[1] <= (line[1] + line[3]) / 2 <= box[3]
    return at_height and line[0] < box[2] and box[0] < line[2]
