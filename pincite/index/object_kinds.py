"""What a corpus holds that is found and described as a whole: pages, tables of documents, tables of databases (relations)."""

from __future__ import annotations

from typing import Literal, get_args

from pincite.types import Node

ObjectKind = Literal["page", "table", "relation"]
ALL: tuple[ObjectKind, ...] = get_args(ObjectKind)


def object_kind(node: Node) -> ObjectKind | None:
    """The kind of object that a node is; None for a part of one."""
    if node.kind == "page":
        return "page"
    if node.kind != "table":
        return None
    return "relation" if "relation" in node.meta else "table" if node.table is not None else None
