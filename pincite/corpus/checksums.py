"""Checksums of what is stored: damaged or edited bytes are found when they are read. They do not protect against an editor who
also updates the checksums; `pincite doctor --verify`, which reads every source again, does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from zlib import crc32

_LOWER = 0xFFFFFFFF
_SIGN = 1 << 63  # SQLite's integers have one


def row_sum(*values: Any) -> int:
    """The checksum of a row."""
    return crc32("\0".join(map(str, values)).encode())


def vector_sum(text_hash: str, encoder: str, vector: bytes) -> int:
    """The checksum of a vector."""
    return crc32(vector, row_sum(text_hash, encoder))


def node_sum(version: str, identity: str, kind: str, page: int, *content: Any) -> int:
    """The checksum of a node: of what it is and where in its upper half, of all of it in its lower one."""
    place = version, identity, kind, page
    return (row_sum(*place) << 32 | row_sum(*place, *content)) - _SIGN


def is_there(version: str, identity: str, kind: str, page: int, given: int) -> bool:
    """Whether a node with the checksum `given` is what and where it is said to be; its content is not looked at."""
    return (given + _SIGN) >> 32 == row_sum(version, identity, kind, page)


def is_whole(row: Any) -> bool:
    """Whether a node is what was stored: its columns with its checksum as the last of them."""
    stored: int = row[-1] & _LOWER  # _SIGN leaves the lower half as it is
    return row_sum(*row[:-1]) == stored


def page_sums(nodes: Iterable[tuple[str, int]]) -> tuple[int, int, int]:
    """Of the nodes of a page, by their kinds and checksums: how many are no sentences, how many are, and the sum of the former.

    A page is read without its sentences, which repeat its other texts.
    """
    count = sentences = total = 0
    for kind, given in nodes:
        if kind == "sentence":
            sentences += 1
        else:
            count, total = count + 1, total + (given & _LOWER)
    return count, sentences, total
