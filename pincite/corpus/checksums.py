"""Checksums of what is stored: damaged or edited bytes are found when they are read. They do not protect against an editor who
also updates the checksums; `pincite doctor --verify`, which reads every source again, does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from zlib import crc32

_WHOLE = 0xFFFFFFFF
_SIGN = 1 << 63  # SQLite's integers have one


def row_sum(*values: Any) -> int:
    """The checksum of a row."""
    return crc32("\0".join(map(str, values)).encode())


def vector_sum(text_hash: str, encoder: str, vector: bytes) -> int:
    """The checksum of a vector."""
    return crc32(vector, row_sum(text_hash, encoder))


def node_sum(
    version: str,
    identity: str,
    kind: str,
    page: int,
    place: int,
    parent: str,
    text: str,
    anchor: str,
    grid: str,
    meta: str,
) -> int:
    """The checksum of a node: of what it is and where in its upper half, of all of it in its lower one."""
    whole = _whole(version, identity, kind, page, place, parent, text, anchor, grid, meta)
    return (_where(version, identity, kind, page) << 32 | whole) - _SIGN


def is_there(version: str, identity: str, kind: str, page: int, given: int) -> bool:
    """Whether a node with the checksum `given` is what and where it is said to be; its content is not looked at."""
    return (given + _SIGN) >> 32 == _where(version, identity, kind, page)


def is_whole(row: Any) -> bool:
    """Whether a node is what was stored: its columns with its checksum as the last of them."""
    version, identity, kind, page, place, parent, text, anchor, grid, meta, given = row
    whole: int = given & _WHOLE  # _SIGN leaves the lower half as it is
    return _whole(version, identity, kind, page, place, parent, text, anchor, grid, meta) == whole


def _where(version: str, identity: str, kind: str, page: int) -> int:
    return crc32(f"{version}\0{identity}\0{kind}\0{page}".encode())


def _whole(
    version: str,
    identity: str,
    kind: str,
    page: int,
    place: int,
    parent: str,
    text: str,
    anchor: str,
    grid: str,
    meta: str,
) -> int:
    # in one piece, because every page that is read pays for it
    return crc32(
        f"{version}\0{identity}\0{kind}\0{page}\0{place}\0{parent}\0{text}\0{anchor}\0{grid}\0{meta}".encode()
    )


def page_sums(nodes: Iterable[tuple[str, int]]) -> tuple[int, int, int]:
    """Of the nodes of a page, by their kinds and checksums: how many are no sentences, how many are, and the sum of the former.

    A page is read without its sentences, which repeat its other texts.
    """
    count = sentences = total = 0
    for kind, given in nodes:
        if kind == "sentence":
            sentences += 1
        else:
            count, total = count + 1, total + (given & _WHOLE)
    return count, sentences, total
