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
from numpy.typing import NDArray

from pincite.database.sources.database_address import redact
from pincite.errors import CorpusError, EngineError, NetworkForbidden, UsageError
from pincite.ports import Scored
from pincite.processes import offline
from pincite.search.index.engines.engine_address import LITE, EngineAddress
from pincite.search.index.engines.engine_rows import EngineRows, Numbers, Placed

T = TypeVar("T")
DEEPEST = 16_384
"""The most rows that Milvus finds in one search."""
AT_ONCE = 1_000
"""Rows that are sent at once."""
_SHIFT = 32
"""A row's key is its document's number above this many bits, and its place in the document below."""
_LOCK = threading.Lock()
_CLIENTS: dict[tuple[int, str], Any] = {}
"""By process, as one that was forked does not use its parent's, and by address."""


def asked(place: EngineAddress, work: Callable[[Any], T]) -> T:
    """What `work` returns of what it does with the client.

    Raises EngineError when Milvus cannot be reached or refuses, CorpusError when it lacks the collection.
    """
    try:
        from pymilvus.exceptions import MilvusException
    except ImportError:
        needs = "searching in Milvus needs pymilvus: pip install 'pincite[milvus]'"
        raise UsageError(needs) from None
    try:
        with _LOCK:
            if (key := (os.getpid(), place.url)) not in _CLIENTS:
                _CLIENTS[key] = _connected(place)
        return work(_CLIENTS[key])
    except MilvusException as error:
        said = redact(" ".join(str(error).split()))[:300]
        if error.code == 100 or "not exist" in str(error) or "not found" in str(error):
            raise CorpusError(
                f"{place.text} lacks an index of the corpus ({said}): run `pincite index` on the corpus again"
            ) from error
        raise EngineError(
            f"{place.text}, where the corpus is searched, failed ({said}): see that Milvus runs and that the user and "
            "password of the setting `search` let you in; to search on this machine instead, unset `search` and run "
            "`pincite index` again"
        ) from error


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


def write_rows(
    place: EngineAddress,
    where: Placed,
    column: Mapping[str, Any],
    index: Mapping[str, Any],
    rows: Sequence[int],
    vector: Callable[[int], Any],
) -> None:
    """Write the vector of each of the new `rows` to its place, in a new collection where that is new.

    `column` describes the field of the vectors, `index` the index over them. Documents that no generation needs go.
    """
    keys = (where.documents << _SHIFT) | where.places
    table, name = where.rows.table, column["field_name"]

    def work(client: Any) -> None:
        if where.before is None:
            _create(client, table, column, index)
        else:
            client.delete(table, filter=f"document > {where.last}")
            if len(where.stale):
                client.delete(table, filter=f"document in {where.stale.tolist()}")
        for start in range(0, len(rows), AT_ONCE):
            data = [
                {"id": int(keys[row]), "document": int(where.documents[row]), name: vector(row)}
                for row in rows[start : start + AT_ONCE]
            ]
            client.insert(table, data)
        client.flush(table)

    asked(place, work)


def _create(client: Any, table: str, column: Mapping[str, Any], index: Mapping[str, Any]) -> None:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False)
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("document", DataType.INT64)
    schema.add_field(**{**column, "datatype": DataType[column["datatype"]]})
    indexes = client.prepare_index_params()
    indexes.add_index(field_name=column["field_name"], metric_type="IP", **index)
    indexes.add_index(field_name="document", index_type="INVERTED")
    client.create_collection(
        table, schema=schema, index_params=indexes, consistency_level="Strong"
    )


def drop(place: EngineAddress, tables: Iterable[str]) -> None:
    """Remove collections, whether they are there or not."""
    for table in tables:
        asked(place, lambda client, name=table: client.drop_collection(name))  # type: ignore[misc]


def searched(
    place: EngineAddress,
    rows: EngineRows,
    field: str,
    vectors: Any,
    k: int,
    admitted: Numbers | None = None,
    effort: Mapping[str, Any] | None = None,
    output: str = "id",
) -> list[tuple[Numbers, list[float], list[Any]]]:
    """For each vector the best `k` rows of the index within the documents that are admitted (None: all), their inner products,
    and the field `output` of each. (Of none Lite would give all, vectors among them.)
    """
    within = f"document <= {rows.top}"
    if admitted is not None:
        within = f"document in {admitted.tolist()}"
    elif len(rows.hidden):
        within += f" and document not in {rows.hidden.tolist()}"
    found = asked(
        place,
        lambda client: client.search(
            rows.table,
            data=list(vectors),
            anns_field=field,
            limit=min(k, DEEPEST),
            filter=within,
            search_params={"metric_type": "IP", "params": dict(effort or {})},
            output_fields=[output],
        ),
    )
    made = []
    for hits in found:
        keys = np.array([hit["id"] for hit in hits], np.int64)
        places = rows.rows(keys >> _SHIFT, keys & (2**_SHIFT - 1))
        scores = [float(hit["distance"]) for hit in hits]
        made.append((places, scores, [hit["entity"].get(output) for hit in hits]))
    return made


def in_order(rows: NDArray[np.int64], scores: Sequence[float]) -> list[Scored]:
    """Rows with their scores, best first, equal ones in row order."""
    made = map(Scored, rows.tolist(), scores)
    return sorted(made, key=lambda scored: (-scored.score, scored.row))
