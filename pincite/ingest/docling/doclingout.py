"""A stored document as DoclingDocument JSON (docling-core, schema version 1): what docling's own tools read.

Sections nest as their headings do; every line of a text has its page, box and range of characters. What the schema has no
field for (a place in the format's own terms, the scale and unit of a table) stands under `meta` in names that begin with
`pincite__`, as the schema allows.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from pincite.document.address import own_place, tells_itself
from pincite.formats.encoding import table_to
from pincite.ingest.docling.doclingfile import OURS, SCHEMA
from pincite.types import Box, Cell, Document, Node, Table

VERSION = "1.0.0"
"""The oldest version of the schema that has everything which is written: newer readers bring it to theirs."""
_LABELS = {"caption": "caption", "footnote": "footnote", "equation": "formula"}
_MARK = re.compile(
    r"([\u2022\u25cf\u25aa\u25e6\u2023\u2043\u00b7*\u2013-]|\(?(?:\d{1,3}|[ivxlc]{1,5}|[A-Za-z])[.)]) (?=\S)"
)
_LISTS = ("groups", "texts", "pictures", "tables", "key_value_items", "form_items")
_FLOATING = ("prov", "captions", "references", "footnotes", "annotations")
Json = dict[str, Any]


def to_docling(document: Document, sizes: Mapping[int, tuple[float, float]]) -> Json:
    """The document as the JSON of a DoclingDocument; `sizes` are width and height of the pages that have any, in points.

    A page of unknown size reaches as far as its boxes do: docling-core cuts off what lies beyond.
    """
    writer = _Writer(document)
    writer.below(document.nodes[0], writer.body)
    sizes = {**_page_reaches(document), **sizes}
    told: Json = {}
    for node in (node for node in document.nodes if node.kind == "page"):
        number, place = str(node.anchor.page), own_place(node.anchor.path)
        size = dict(zip(("width", "height"), sizes.get(node.anchor.page, (0.0, 0.0)), strict=True))
        writer.made["pages"][number] = {"size": size, "page_no": node.anchor.page}
        if page := {**({"place": place} if place else {}), **node.meta}:
            told[number] = page
    writer.body["meta"] = {f"{OURS}title": document.title, f"{OURS}pages": told}
    return writer.made


def _page_reaches(document: Document) -> dict[int, tuple[float, float]]:
    """How far the boxes of each page reach."""
    reaches: dict[int, tuple[float, float]] = {}
    for node in document.nodes:
        cells = node.table.cells if node.table else ()
        spots = ((cell.page or node.anchor.page, cell.box) for cell in cells)
        for page, box in (*node.anchor.spots, *spots):
            if box is not None:
                right, bottom = reaches.get(page, (0.0, 0.0))
                reaches[page] = max(right, box[2]), max(bottom, box[3])
    return reaches


class _Writer:
    """Items in their lists, numbered as they come."""

    def __init__(self, document: Document) -> None:
        self.children: dict[str, list[Node]] = {}
        for node in document.nodes:
            self.children.setdefault(node.parent, []).append(node)
        kind = mimetypes.guess_type(document.id)[0] or "application/octet-stream"
        digest = int(document.nodes[0].anchor.source or "0", 16) & 0xFFFFFFFFFFFFFFFF
        origin = {"mimetype": kind, "binary_hash": digest, "filename": document.id}
        roots: list[Json] = [
            {"self_ref": f"#/{name}", "children": [], "content_layer": name, "name": "_root_", "label": "unspecified"}
            for name in ("furniture", "body")
        ]  # fmt: skip
        furniture, self.body = roots
        self.made: Json = {
            "schema_name": SCHEMA, "version": VERSION, "origin": origin, "name": PurePosixPath(document.id).stem,
            "furniture": furniture, "body": self.body, **{name: [] for name in _LISTS}, "pages": {},
        }  # fmt: skip

    def below(self, node: Node, parent: Json) -> None:
        """Write what stands below a node into its item."""
        for child in self.children.get(node.id, ()):
            if child.kind in ("section", "list"):
                (self.section if child.kind == "section" else self.list)(child, parent)
            elif child.kind in ("table", "figure"):
                self.floating(child, parent)
            elif child.kind not in ("page", "sentence"):
                self.text(child, parent)

    def section(self, node: Node, parent: Json) -> None:
        """A section as its heading, with what is in it below."""
        first, *rest = self.children[node.id]
        item = self.text(first, parent, "section_header")
        item["level"] = int(node.meta["level"])
        self.children[node.id] = rest
        self.below(node, item)

    def text(self, node: Node, parent: Json, label: str = "") -> Json:
        """A text; of what is in no paragraph of its own, what it says is all there is."""
        item = self.item("texts", label or _LABELS.get(node.kind, "text"), parent, node)
        starts = node.meta.get("starts") or ()
        item["prov"] = _prov(node.anchor.spots, starts, len(node.text))
        item["orig"] = item["text"] = node.text
        return item

    def list(self, node: Node, parent: Json) -> None:
        """A list as a group of its items; each begins a line."""
        group = self.item("groups", "list", parent, node)
        group["name"] = "list"
        starts: Sequence[int] = node.meta.get("starts") or (0,) * len(node.anchor.spots)
        placed = list(zip(node.anchor.spots, starts, strict=False))
        at = 0
        for line in node.text.split("\n"):
            found = _MARK.match(line)
            mark, begin = (found[1], found.end()) if found else ("", 0)
            inside = [(spot, start) for spot, start in placed if at <= start < at + len(line) + 1]
            begins = [max(start - at - begin, 0) for _, start in inside]
            prov = _prov([spot for spot, _ in inside], begins, len(line) - begin)
            item = self.item("texts", "list_item", group)
            item |= {"prov": prov, "orig": line, "text": line[begin:]}
            item |= {"enumerated": any(map(str.isalnum, mark)), "marker": mark}
            at += len(line) + 1

    def floating(self, node: Node, parent: Json) -> None:
        """A table with its cells and what its numbers mean, or a figure; then its captions and what is in it."""
        if (table := node.table) is not None:
            item = self.item("tables", "table", parent, node)
            goes_on = {f"{OURS}continues": True} if "continues" in node.meta else {}
            item["meta"] = {
                **item.get("meta", {}),
                f"{OURS}table": _table_fields(table),
                **goes_on,
            }
            high = max((cell.row + cell.row_span for cell in table.cells), default=0)
            wide = max((cell.column + cell.column_span for cell in table.cells), default=0)
            cells = [_cell(cell, table) for cell in table.cells]
            item["data"] = {"table_cells": cells, "num_rows": high, "num_cols": wide}
        else:
            item = self.item("pictures", "picture", parent, node)
            said = {"kind": "description", "text": node.text, "provenance": "pincite"}
            item["annotations"] = [said] if node.text else []
        item["prov"] = _prov(node.anchor.spots, (), 0)
        for child in self.children.get(node.id, ()):
            below = self.text(child, item)
            if child.kind == "caption":
                item["captions"].append({"$ref": below["self_ref"]})

    def item(self, name: str, label: str, parent: Json, node: Node | None = None) -> Json:
        """A new item, the last child of another, with its place where that is in the terms of its format."""
        held: list[Json] = self.made[name]
        ref = f"#/{name}/{len(held)}"
        made: Json = {
            "self_ref": ref, "parent": {"$ref": parent["self_ref"]}, "children": [], "content_layer": "body", "label": label,
        }  # fmt: skip
        if name in ("tables", "pictures"):
            made |= {name: [] for name in _FLOATING}
        if node is not None and tells_itself(node.anchor.path):
            made["meta"] = {f"{OURS}path": node.anchor.path}
        parent["children"].append({"$ref": ref})
        held.append(made)
        return made


def _table_fields(table: Table) -> Json:
    """What the schema has no field for; of cells, what is beyond their place, text and box."""
    told = table_to(table)
    rest = [[row, column, *more] for row, column, _, _, _, _, *more in told.pop("cells") if more]
    return told | ({"cells": rest} if rest else {})


def _cell(cell: Cell, table: Table) -> Json:
    made: Json = {"bbox": _box(cell.box)} if cell.box else {}
    return made | {
        "row_span": cell.row_span, "col_span": cell.column_span,
        "start_row_offset_idx": cell.row, "end_row_offset_idx": cell.row + cell.row_span,
        "start_col_offset_idx": cell.column, "end_col_offset_idx": cell.column + cell.column_span,
        "text": cell.text, "column_header": cell.row < table.header_rows,
        "row_header": cell.column < table.header_columns and cell.row >= table.header_rows, "row_section": False,
    }  # fmt: skip


def _prov(
    spots: Iterable[tuple[int, Box | None]], starts: Sequence[int], length: int
) -> list[Json]:
    """Where the lines of a text stand; each ends where the next begins."""
    held = list(spots)
    begins = [*starts] if len(starts) == len(held) else [0] * len(held)
    ends = [*begins[1:], length]
    return [
        {"page_no": page, "bbox": _box(box), "charspan": [begin, max(begin, end)]}
        for (page, box), begin, end in zip(held, begins, ends, strict=True)
    ]


def _box(box: Box | None) -> Json:
    """A box from the top left; one without an area where only the page is known."""
    left, top, right, bottom = box or (0.0, 0.0, 0.0, 0.0)
    return {"l": left, "t": top, "r": right, "b": bottom, "coord_origin": "TOPLEFT"}
