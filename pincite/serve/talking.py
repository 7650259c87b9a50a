"""A turn of a conversation, from the thread it runs in to the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import closing

from pincite.chat import Conversation, Event
from pincite.ledger import about
from pincite.library import run_name


async def events(talk: Conversation, asked: str) -> AsyncIterator[Event]:
    """What happens in a turn, as it happens. Leaving off stops the turn."""
    loop, heard, stop = asyncio.get_running_loop(), asyncio.Queue[Event | Exception | None](), threading.Event()

    def run() -> None:
        try:
            with about(run=run_name("chat")), closing(talk.turn(asked)) as told:
                for event in told:
                    loop.call_soon_threadsafe(heard.put_nowait, event)
                    if stop.is_set():
                        return
            loop.call_soon_threadsafe(heard.put_nowait, None)
        except Exception as error:
            loop.call_soon_threadsafe(heard.put_nowait, error)

    threading.Thread(target=run, name="pincite-chat", daemon=True).start()
    try:
        while (event := await heard.get()) is not None:
            if isinstance(event, Exception):
                raise event
            yield event
    finally:
        stop.set()
