"""Fingerprints of the rows of a large relation: what is new, changed or deleted since, without the rows themselves.

A row has 64-bit digests: of its key, of all that it holds, and of every name in it (a text value; 0 for none). PostgreSQL
makes them itself and sends nothing else; rows of other databases are streamed through here. Memory is 8 bytes a digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pincite.database.relations.model import Column, Relation
from pincite.database.relations.value_index import digest, digested, named

if TYPE_CHECKING:
    import sqlalchemy as sa

Digests = NDArray[np.int64]
_AT_ONCE = 50_000
_HEAD = 19  # bytes before the first record of PostgreSQL's binary copy format
_AGAIN = np.int64(-7046029254386353131)  # odd, so that copies of a row stay apart


@dataclass(frozen=True, slots=True, eq=False)
class Prints:
    """The digests of the rows of a relation, in the order of `keys`, which are unique: `rows` of all that a row holds,
    `names` of the values of a column of names.
    """

    keys: Digests
    rows: Digests
    names: Mapping[str, Digests]

    def save(self, path: Path) -> None:
        """Write them to a file."""
        held: dict[str, Any] = {f"names{at}": each for at, each in enumerate(self.names.values())}
        columns = np.array(list(self.names))
        with path.open("wb") as file:
            np.savez(file, keys=self.keys, rows=self.rows, columns=columns, **held)


def load(path: Path) -> Prints:
    """What `save` wrote."""
    with np.load(path) as held:
        names = {name: held[f"names{at}"] for at, name in enumerate(held["columns"].tolist())}
        return Prints(held["keys"], held["rows"], names)


@dataclass(frozen=True, slots=True)
class RowChanges:
    """How many rows are new, changed and deleted, and by column how many rows more or less have a value, by its digest."""

    new: int
    changed: int
    deleted: int
    names: Mapping[str, Mapping[int, int]]


def difference(old: Prints | None, now: Prints) -> RowChanges:
    """What has changed from `old` to `now`; without an old one every row is new. Columns that only one has are left out."""
    if old is None:
        return RowChanges(len(now.keys), 0, 0, {})
    _, before, after = np.intersect1d(old.keys, now.keys, assume_unique=True, return_indices=True)
    other = old.rows[before] != now.rows[after]
    gone = np.ones(len(old.keys), np.bool_)
    gone[before[~other]] = False
    come = np.ones(len(now.keys), np.bool_)
    come[after[~other]] = False
    names = {
        name: _value_shifts(old.names[name][gone], now.names[name][come]) for name in now.names if name in old.names
    }  # fmt: skip
    new, deleted = len(now.keys) - len(after), len(old.keys) - len(before)
    return RowChanges(new, int(other.sum()), deleted, names)


def _value_shifts(gone: Digests, come: Digests) -> dict[int, int]:
    digests, at = np.unique(np.concatenate((gone, come)), return_inverse=True)
    shift = np.bincount(at[len(gone) :], minlength=len(digests))
    shift = shift - np.bincount(at[: len(gone)], minlength=len(digests))
    moved = (shift != 0) & (digests != 0)
    return dict(zip(digests[moved].tolist(), shift[moved].tolist(), strict=True))


def prints(engine: sa.Engine, relation: Relation) -> Prints:
    """The fingerprints of the rows as they are now."""
    columns = named(relation)
    blocks = _server_blocks if engine.dialect.name == "postgresql" else _streamed_blocks
    held = list(blocks(engine, relation, columns))
    made = np.concatenate(held) if held else np.zeros((0, len(columns) + 2), np.int64)
    held.clear()
    keys = made[:, 0]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    copies = np.flatnonzero(keys[1:] == keys[:-1])
    if len(copies):  # rows without a key that are the same
        order = order[np.lexsort((made[order, 1], keys))]
        keys = made[order, 0]
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        number = np.arange(len(keys)) - np.repeat(starts, np.diff(np.append(starts, len(keys))))
        keys = keys + number * _AGAIN
        again = np.argsort(keys, kind="stable")
        keys, order = keys[again], order[again]
    names = {column.name: made[order, at].copy() for at, column in enumerate(columns, 2)}
    return Prints(keys, made[order, 1].copy(), names)


def _server_blocks(
    engine: sa.Engine, relation: Relation, columns: Sequence[Column]
) -> Iterator[Digests]:
    """Blocks of (key, row, names) made by PostgreSQL and read in its binary copy format: 12 bytes a digest."""
    width = len(columns) + 2
    parts = [((f"length{at}", ">i4"), (f"{at}", ">i8")) for at in range(width)]
    record = np.dtype([("columns", ">i2"), *chain.from_iterable(parts)])
    with engine.connect() as connection:
        raw: Any = connection.connection.driver_connection
        statement = f"COPY ({_digest_query(relation, columns)}) TO STDOUT (FORMAT BINARY)"
        with raw.cursor() as cursor, cursor.copy(statement) as copy:
            held, start = bytearray(), _HEAD
            for piece in copy:
                held += piece
                if len(held) > record.itemsize * _AT_ONCE:
                    count = (len(held) - start) // record.itemsize
                    yield _block(np.frombuffer(bytes(held), record, count, start), width)
                    del held[: start + count * record.itemsize]
                    start = 0
            count = (len(held) - start) // record.itemsize
            yield _block(np.frombuffer(bytes(held), record, count, start), width)


def _digest_query(relation: Relation, columns: Sequence[Column]) -> str:
    import sqlalchemy as sa
    from sqlalchemy.dialects import postgresql

    rows = relation.table().alias("pincite_row")
    whole = digested(sa.literal_column("pincite_row"))
    key = [sa.func.coalesce(sa.cast(rows.c[name], sa.Text), "") for name in relation.key]
    names = [sa.func.coalesce(digested(rows.c[column.name]), 0) for column in columns]
    keyed = digested(sa.func.concat_ws("\x1f", *key)) if key else whole
    wanted = sa.select(keyed, whole, *names).select_from(rows)
    make: Any = postgresql.dialect
    dialect = make(paramstyle="named")  # of which no sign is doubled: it is sent as it is
    return str(wanted.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))


def _block(records: NDArray[np.void], columns: int) -> Digests:
    return np.stack([records[f"{at}"].astype(np.int64) for at in range(columns)], axis=1)


def _streamed_blocks(
    engine: sa.Engine, relation: Relation, columns: Sequence[Column]
) -> Iterator[Digests]:
    """Blocks of (key, row, names) of rows that are streamed."""
    import sqlalchemy as sa

    names = [column.name for column in relation.columns]
    table = relation.table()
    keys = [names.index(name) for name in relation.key]
    named = [names.index(column.name) for column in columns]
    with engine.connect().execution_options(stream_results=True, yield_per=_AT_ONCE) as connection:
        for rows in connection.execute(sa.select(*table.columns)).partitions():
            made = np.empty((len(rows), len(columns) + 2), np.int64)
            for at, row in enumerate(rows):
                whole = digest(repr(tuple(row)))
                own = digest(repr(tuple(row[key] for key in keys))) if keys else whole
                made[at, :2] = own, whole
                texts = map(row.__getitem__, named)
                made[at, 2:] = [_digest_of(t) if isinstance(t, str) else 0 for t in texts]
            yield made


@lru_cache(maxsize=100_000)
def _digest_of(value: str) -> int:
    return digest(value)
