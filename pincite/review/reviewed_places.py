"""Where a reviewer points: a cell of a table, or a box drawn on a page."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.evidence.candidate import Evidence
from pincite.evidence.saying import cited
from pincite.types import Box, Citation


def place_cell(corpus: Corpus, node: str, row: int, column: int) -> Citation:
    """The citation of a cell of a table, by its node and 0-based place. Raises UsageError when there is none."""
    found = corpus.nodes([node])
    table = found[0].table if found else None
    if table is None:
        raise UsageError(f"no table {node!r} stands in the corpus: take the id of a table's node")
    cell = next((known for known in table.cells if (known.row, known.column) == (row, column)), None)
    if cell is None:
        raise UsageError(f"the table has no cell at row {row}, column {column} (both from 0)")
    document = _document(corpus, node)
    return cited(Evidence(found[0], ((row, column),), quote=cell.text, document=document), "1")


def place_box(corpus: Corpus, document: str, page: int, box: Box) -> Citation:
    """The citation of what stands in a box drawn on a page, in points from its top left corner.

    Cells whose middle the box holds, else the lines that it holds; where it holds neither, such as a part of a picture, the
    box itself with no quote. Raises UsageError when there is no such document or page, or the box is empty.
    """
    one = next((known for known in corpus.select((("document", (document,)),))), None)
    if one is None:
        raise UsageError(f"there is no document {document!r} in the corpus; `pincite list` prints them")
    x0, top, x1, bottom = box
    if not (all(map(isfinite, box)) and x0 < x1 and top < bottom):
        raise UsageError(f"the box {box} is empty: it is left, top, right, bottom in points from the top left")
    nodes = corpus.page(one.version, page) if 0 <= page <= one.pages else []
    if not nodes:
        raise UsageError(f"{one.id} has no page {page}; it has {one.pages}")
    before = [node for node in corpus.page(one.version, page - 1) if node.table is not None]  # a table may go on
    for node in (*nodes, *before):
        cells = node.table.cells if node.table is not None else ()
        at = (node.table.page if node.table is not None else 0) or node.anchor.page
        inside = tuple((c.row, c.column) for c in cells if (c.page or at) == page and _holds(box, c.box))
        if inside and node.table is not None:
            texts = {(c.row, c.column): c.text for c in node.table.cells}
            quote = " ".join(texts[at] for at in inside)
            return cited(Evidence(node, inside, quote=quote, document=one.id), "1")
    for node in nodes:
        starts = node.meta.get("starts")
        if node.table is not None or not starts or len(starts) != len(node.anchor.spots):
            continue
        lines = [at for at, (on, spot) in enumerate(node.anchor.spots) if on == page and _crosses(box, spot)]
        if lines:
            ends = (*starts[1:], len(node.text))
            return cited(Evidence(node, (), starts[lines[0]], ends[lines[-1]], document=one.id), "1")
    root = nodes[0]
    anchor = replace(root.anchor, spots=((page, box),), cells=(), path="")
    return Citation("1", root.id, anchor, "", one.id)


def _holds(box: Box, inner: Box | None) -> bool:
    """Whether the middle of a box lies in another."""
    if inner is None:
        return False
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _crosses(box: Box, line: Box | None) -> bool:
    """Whether a line of text lies at the height of a box and reaches into it."""
    return line is not None and box[1] <= (line[1] + line[3]) / 2 <= box[3] and line[0] < box[2] and box[0] < line[2]


def _document(corpus: Corpus, node: str) -> str:
    return corpus.by_version[corpus.places([node])[node][0]].id
