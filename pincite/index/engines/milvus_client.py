"""The client of Milvus, one for each process, and what its errors mean to a user.

A cluster and Milvus Lite have the same client. Lite is a file that one process has open at a time.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np

from pincite import offline
from pincite.database.sources.database_address import redact
from pincite.errors import CorpusError, EngineError, NetworkForbidden, UsageError
from pincite.index.engines.engine_address import LITE, EngineAddress
from pincite.index.engines.engine_rows import EngineRows, Numbers, Placed

T = TypeVar("T")
DEEPEST = 16_384
"""The most rows that Milvus finds in one search."""
AT_ONCE = 1_000
"""Rows that are sent at once."""
_SHIFT = 32
"""A row's key is its document's number above this many bits, and its place in the document below."""
_LOCK = threading.Lock()
_CLIENTS: dict[tuple[int, str], Any] = {}


def asked(place: EngineAddress, work: Callable[[Any], T]) -> T:
    """What `work` returns of what it does with the client.

    Raises EngineError when Milvus cannot be reached or refuses, CorpusError when it lacks the collection.
    """
    try:
        from pymilvus.exceptions import MilvusException
    except ImportError:
        raise UsageError(
            "searching in Milvus needs pymilvus: pip install 'pincite[milvus]'"
        ) from None
    try:
        return work(_client(place))
    except MilvusException as error:
        if error.code == 100 or "not exist" in str(error) or "not found" in str(error):
            raise CorpusError(
                f"{place.text} lacks an index of the corpus ({_said(error)}): run `pincite index` on the corpus again"
            ) from error
        raise EngineError(
            f"{place.text}, where the corpus is searched, failed ({_said(error)}): see that Milvus runs and that the user and "
            "password of the setting `search` let you in; to search on this machine instead, unset `search` and run "
            "`pincite index` again"
        ) from error


def _said(error: Exception) -> str:
    return redact(" ".join(str(error).split()))[:300]


def _client(place: EngineAddress) -> Any:
    key = os.getpid(), place.url  # a process that was forked does not use its parent's
    with _LOCK:
        if key not in _CLIENTS:
            _CLIENTS[key] = _connected(place)
        return _CLIENTS[key]


def _connected(place: EngineAddress) -> Any:
    from pymilvus import MilvusClient

    if place.url.endswith(LITE):
        # Lite lacks a call that the client can do without, and its server logs that with a traceback
        logging.getLogger("grpc._server").setLevel(logging.CRITICAL)
        return MilvusClient(place.url)
    if offline.forbidden():
        raise NetworkForbidden(f"--offline is set, and {place.text} is reached over a network")
    parts = urlsplit(place.url)
    secure = "https" if parts.query == "secure" else "http"
    return MilvusClient(
        uri=f"{secure}://{parts.hostname}:{parts.port or 19530}",
        user=parts.username or "",
        password=os.environ.get("MILVUS_PASSWORD", ""),
        db_name=parts.path.strip("/"),
        timeout=30,
    )


def create(place: EngineAddress, table: str, field: str, kind: str, **more: Any) -> None:
    """Make an empty collection whose rows have a document and a vector of a kind, with the index that `more` describes."""

    def work(client: Any) -> None:
        from pymilvus import DataType

        dims = {"dim": more.pop("dim")} if "dim" in more else {}
        schema = client.create_schema(auto_id=False)
        schema.add_field("id", DataType.INT64, is_primary=True)
        schema.add_field("document", DataType.INT64)
        schema.add_field(field, DataType[kind], **dims)
        indexes = client.prepare_index_params()
        indexes.add_index(field_name=field, metric_type="IP", **more)
        indexes.add_index(field_name="document", index_type="INVERTED")
        client.create_collection(
            table, schema=schema, index_params=indexes, consistency_level="Strong"
        )

    asked(place, work)


def insert(
    place: EngineAddress,
    where: Placed,
    field: str,
    vectors: Callable[[int], Any],
    rows: Sequence[int],
) -> None:
    """Write the new rows with these numbers, and the vector that each has."""
    keys = (where.documents << _SHIFT) | where.places

    def work(client: Any) -> None:
        for start in range(0, len(rows), AT_ONCE):
            data = [
                {"id": int(keys[row]), "document": int(where.documents[row]), field: vectors(row)}
                for row in rows[start : start + AT_ONCE]
            ]
            client.insert(where.rows.table, data)
        client.flush(where.rows.table)

    asked(place, work)


def forget(place: EngineAddress, where: Placed, last: int) -> None:
    """Remove the documents that no generation needs, and those above the number `last`, of a run that was killed."""

    def work(client: Any) -> None:
        client.delete(where.rows.table, filter=f"document > {last}")
        if len(where.stale):
            client.delete(where.rows.table, filter=f"document in {where.stale.tolist()}")

    asked(place, work)


def drop(place: EngineAddress, tables: Iterable[str]) -> None:
    """Remove collections, whether they are there or not."""
    for table in tables:
        asked(place, lambda client, name=table: client.drop_collection(name))  # type: ignore[misc]


def searched(
    place: EngineAddress,
    rows: EngineRows,
    field: str,
    vectors: Sequence[Any],
    k: int,
    admitted: Numbers | None = None,
    more: Mapping[str, Any] | None = None,
) -> list[tuple[Numbers, list[float], list[Any]]]:
    """For each vector the best `k` rows of the index within the documents that are admitted (None: all), their inner products,
    and what `more` asks for of each.
    """
    options = dict(more or {})
    # of an empty list Lite makes all fields, vectors among them
    outputs = options.pop("output_fields", ["id"])
    found = asked(
        place,
        lambda client: client.search(
            rows.table,
            data=list(vectors),
            anns_field=field,
            limit=min(k, DEEPEST),
            filter=within(rows, admitted),
            search_params={"metric_type": "IP", "params": options},
            output_fields=outputs,
        ),
    )
    made = []
    for hits in found:
        identities = [hit["id"] for hit in hits]
        distances = [float(hit["distance"]) for hit in hits]
        made.append((at(rows, identities), distances, [hit["entity"] for hit in hits]))
    return made


def within(rows: EngineRows, admitted: Numbers | None) -> str:
    """The filter that lets the rows of an index through, or those of the documents that are admitted."""
    if admitted is not None:
        return f"document in {admitted.tolist()}"
    own = f"document <= {rows.top}"
    return f"{own} and document not in {rows.hidden.tolist()}" if len(rows.hidden) else own


def at(rows: EngineRows, keys: Sequence[int]) -> Numbers:
    """The rows of an index with these keys."""
    held = np.array(keys, np.int64)
    return rows.rows(held >> _SHIFT, held & (2**_SHIFT - 1))
