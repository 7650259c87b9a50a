"""Server-sent events: one as text, and a reply of several."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import StreamingResponse

MEDIA = "text/event-stream"


def event(name: str, told: dict[str, Any]) -> str:
    """An event of a name that tells something as JSON."""
    return f"event: {name}\ndata: {json.dumps(told)}\n\n"


def streamed(events: AsyncIterator[str]) -> StreamingResponse:
    """Events as they come, kept by nobody on their way."""
    return StreamingResponse(events, media_type=MEDIA, headers={"Cache-Control": "no-store"})
