"""Work for one who waits: it ends when they have left, so that no model reads for nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

from pincite.errors import GivenUp

T = TypeVar("T")

EVERY_S = 0.3
"""Seconds between two looks at whether somebody still waits."""


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
