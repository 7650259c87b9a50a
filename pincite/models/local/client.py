"""The client of a model that runs here: it asks for the engine's address before each request, so that a new engine is found."""

from __future__ import annotations

import asyncio
from typing import Any

from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from pincite.models.local.engine import engine_of
from pincite.models.local.place import LocalPlace


def local_client(base_url: str) -> AsyncOpenAI:
    """The client of the engine of a place such as "local:qwen2.5-coder-1.5b"; nothing is started before the first request."""
    place = LocalPlace.read(base_url)

    async def to_engine(request: Any) -> None:
        engine = await asyncio.to_thread(engine_of, place.weights(), place.context)
        request.url = request.url.copy_with(host="127.0.0.1", port=engine.port)
        request.headers["Host"] = f"127.0.0.1:{engine.port}"
        request.headers["Authorization"] = f"Bearer {engine.key}"

    return AsyncOpenAI(
        base_url="http://127.0.0.1/v1",
        api_key="none",  # the engine's own is put into each request
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(event_hooks={"request": [to_engine]}, trust_env=False),
    )
