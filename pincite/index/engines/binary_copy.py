"""Rows as PostgreSQL's COPY takes them in binary form: whole arrays at a time instead of value by value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
END = b"\xff\xff"
AT_ONCE = 10_000
"""Rows in a piece that is sent."""


def records(columns: int, **values: tuple[str, NDArray[np.generic]]) -> NDArray[np.void]:
    """A record for each row of `columns` columns: how many these are, then for each of `values` its length and itself.

    A value is given with its type there (">i8"), which is of one length for all rows.
    """
    kinds: list[tuple[str, str]] = [("columns", ">i2")]
    for name, (kind, _) in values.items():
        kinds += [(f"{name} length", ">i4"), (name, kind)]
    count = len(next(iter(values.values()))[1])
    made = np.empty(count, np.dtype(kinds))
    made["columns"] = columns
    for name, (kind, given) in values.items():
        made[f"{name} length"] = np.dtype(kind).itemsize
        made[name] = given
    return made


def pieces(heads: NDArray[np.void], bodies: bytes, ends: Sequence[int]) -> Iterator[bytes]:
    """The rows whose first columns are `heads`; the last one is of bytes, `bodies` up to each of `ends`."""
    yield HEAD
    size, lengths = heads.dtype.itemsize, np.diff(ends, prepend=0).astype(">i4").tobytes()
    first = heads.tobytes()
    made: list[bytes] = []
    for at, (start, end) in enumerate(pairwise((0, *ends))):
        made += (
            first[at * size : (at + 1) * size],
            lengths[4 * at : 4 * at + 4],
            bodies[start:end],
        )
        if len(made) >= 3 * AT_ONCE:
            yield b"".join(made)
            made.clear()
    yield b"".join(made)
    yield END
