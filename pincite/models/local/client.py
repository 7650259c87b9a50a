"""The client of a model that runs here: it asks for the engine's address before each request, so that a new engine is found.

A form is sent with bounds on its texts and lists: a small model that repeats itself fills in the rest all the same.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

from pincite.models.local.choice import LocalPlace
from pincite.models.local.engine import Engine, engine_of
from pincite.models.local.slots import prepare

T = TypeVar("T")


def local_client(base_url: str) -> AsyncOpenAI:
    """The client of the engine of a place such as "local:qwen2.5-coder-1.5b"; nothing is started before the first request."""
    place = LocalPlace.read(base_url)

    async def to_engine(request: Any) -> None:
        engine = await _in_thread(lambda: _ready(place, request.content))
        request.url = request.url.copy_with(host="127.0.0.1", port=engine.port)
        request.headers["Host"] = f"127.0.0.1:{engine.port}"
        request.headers["Authorization"] = f"Bearer {engine.key}"

    return AsyncOpenAI(
        base_url="http://127.0.0.1/v1",
        api_key="none",  # the engine's own is put into each request
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(event_hooks={"request": [to_engine]}, trust_env=False),
    )


def _ready(place: LocalPlace, body: bytes) -> Engine:
    """The engine, with the beginning of the prompt that it is about to be asked."""
    weights = place.weights()
    engine = engine_of(weights, place.context)
    with suppress(ValueError, LookupError, TypeError):
        first = json.loads(body)["messages"][0]
        if first["role"] == "system":
            prepare(engine, weights.sha256, str(first["content"]))
    return engine


async def _in_thread(work: Callable[[], T]) -> T:
    """The result of blocking work. Nobody waits for its thread: neither who cancels, nor the end of the process."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def put(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        try:
            result, error = work(), None
        except BaseException as failure:
            result, error = None, failure
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(put, result, error)

    threading.Thread(target=run, name="pincite-engine", daemon=True).start()
    return await done


TEXT, ITEM, ITEMS = 800, 160, 16
"""Characters of a text and of one in a list, and items of a list, at most, where the form says nothing."""


class BoundedSchema(OpenAIJsonSchemaTransformer):
    """The schema as the engine is sent it: strict, and no text or list without an end."""

    def transform(self, schema: dict[str, Any]) -> dict[str, Any]:
        """One part of the schema, after those within it."""
        own = schema.pop("maxLength", TEXT)  # strict schemas elsewhere may not have it
        schema = super().transform(schema)
        match schema.get("type"):
            case "string" if "enum" not in schema and "const" not in schema:
                schema["maxLength"] = own
            case "array":
                schema.setdefault("maxItems", ITEMS)
                items = schema.get("items")
                if isinstance(items, dict) and items.get("maxLength") == TEXT:
                    items["maxLength"] = ITEM
        return schema
