"""From an index to the same one in an engine."""

from __future__ import annotations

from pincite.index.dense import Dense
from pincite.index.engines.engine_address import EngineAddress, engine_address
from pincite.index.lexical import Lexical
from pincite.ports import Index


def in_engine(index: Index, address: str) -> Index:
    """The index as the engine at an address holds it; an index that engines do not know stays as it is.

    Raises UsageError for an address of an unknown kind.
    """
    place = engine_address(address)
    if isinstance(index, Lexical):
        return _words(index, place)
    return _vectors(index, place) if isinstance(index, Dense) else index


def _words(words: Lexical, place: EngineAddress) -> Index:
    if place.kind == "milvus":
        from pincite.index.engines.milvus_words import MilvusWords

        return MilvusWords(words, place)
    from pincite.index.engines.postgres_words import PostgresWords

    return PostgresWords(words, place)


def _vectors(dense: Dense, place: EngineAddress) -> Index:
    if place.kind == "milvus":
        from pincite.index.engines.milvus_vectors import MilvusVectors

        return MilvusVectors(dense.encoder, place)
    from pincite.index.engines.postgres_vectors import PostgresVectors

    return PostgresVectors(dense.encoder, place)
