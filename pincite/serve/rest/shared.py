"""What several parts of the interface share: pages of lists, keys that make a request happen once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from fastapi import Header, Path, Query

from pincite.serve.door.problems import Problem

Item = TypeVar("Item")
Limit = Annotated[
    int, Query(ge=1, le=500, description="The maximum number of items in one reply.")
]
Cursor = Annotated[
    str,
    Query(
        max_length=20,
        pattern="^[0-9]*$",
        description="`next` of the previous reply; leave it out for the first.",
    ),
]
Once = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="Repeating a key returns the same job instead of a new one.",
    ),
]
Key = Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="The `key` of a document.")]
Identity = Annotated[str, Path(pattern="^[0-9a-f]{6,32}$")]


def binary(media: Sequence[str], description: str) -> dict[int | str, dict[str, Any]]:
    """What the description of the interface says of a reply that is a file of one of these types."""
    held = {"schema": {"type": "string", "format": "binary"}}
    return {200: {"content": dict.fromkeys(media, held), "description": description}}


def paged(items: Sequence[Item], cursor: str, limit: int) -> tuple[Sequence[Item], str | None]:
    """The items from a cursor on, and the cursor of those that follow. Problem 422 for a cursor beyond the end."""
    start = int(cursor or 0)
    if start > len(items):
        raise Problem(422, "cursor: it points past the last item; start without it")
    stop = start + limit
    return items[start:stop], str(stop) if stop < len(items) else None
