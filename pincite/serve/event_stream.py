"""Work for one who waits, told in pieces or at its end; it ends when they have left, so that no model reads for nobody."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import StreamingResponse

from pincite.errors import GivenUp

T = TypeVar("T")
MEDIA = "text/event-stream"
EVERY_S = 0.3  # seconds between two looks at whether somebody still waits


def wants_events(request: Request) -> bool:
    """Whether a page's script asks, which shows what happens as it happens."""
    return MEDIA in request.headers.get("accept", "")


def event(name: str, told: dict[str, Any]) -> str:
    """An event of a name that tells something as JSON."""
    return f"event: {name}\ndata: {json.dumps(told)}\n\n"


def streamed(events: AsyncIterator[str]) -> StreamingResponse:
    """Events as they come, kept by nobody on their way."""
    return StreamingResponse(events, media_type=MEDIA, headers={"Cache-Control": "no-store"})


async def while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What `work` comes to. It is cancelled once the connection of the request is closed; then GivenUp is raised, for nobody."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=EVERY_S)
            if not task.done() and await request.is_disconnected():
                raise GivenUp("who asked this has left")
        return task.result()
    finally:
        task.cancel()
