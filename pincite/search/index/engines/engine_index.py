"""From an index to the same one in an engine; and which tables of the engine the generations of a corpus still need."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pincite.ports import Index, InEngine
from pincite.search.index.dense import Dense
from pincite.search.index.engines.engine_address import engine_address
from pincite.search.index.engines.engine_rows import FILE, read_rows
from pincite.search.index.lexical import Lexical


def in_engine(index: Index, address: str) -> Index:
    """The index as the engine at an address holds it; an index that engines do not know stays as it is.

    Raises UsageError for an address of an unknown kind.
    """
    place = engine_address(address)
    if not isinstance(index, Lexical | Dense):
        return index
    if place.kind == "milvus":
        from pincite.search.index.engines.milvus_vectors import MilvusVectors
        from pincite.search.index.engines.milvus_words import MilvusWords

        if isinstance(index, Lexical):
            return MilvusWords(index, place)
        return MilvusVectors(index.encoder, place)
    from pincite.search.index.engines.postgres_vectors import PostgresVectors
    from pincite.search.index.engines.postgres_words import PostgresWords

    if isinstance(index, Lexical):
        return PostgresWords(index, place)
    return PostgresVectors(index.encoder, place)


def tables_of(shelves: Path) -> set[str]:
    """The tables that the indexes among these shelves are in."""
    found: set[str] = set()
    for file in shelves.glob(f"*/index/{FILE}"):
        with suppress(OSError, ValueError, KeyError):  # what is damaged is in no table
            found.add(read_rows(file.parent).table)
    return found


def sweep_tables(index: InEngine, shelves: Path, sweep: Callable[[], None]) -> None:
    """Run `sweep`, which removes folders of shelves, and then the tables that only those were in. Raises EngineError."""
    before = tables_of(shelves)
    sweep()
    if left := before - tables_of(shelves):
        index.drop(sorted(left))
