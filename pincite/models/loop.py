"""The one event loop on which model calls run: a thread of its own, started by the first call."""

from __future__ import annotations

import threading
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")

_starting = threading.Lock()
_running: list[asyncio.AbstractEventLoop] = []
_place: ContextVar[threading.Semaphore | None] = ContextVar("pincite_place", default=None)


def _loop() -> asyncio.AbstractEventLoop:
    import asyncio  # here, because stages import this module and start-up would pay for it

    with _starting:  # the first calls may come from several threads
        if not _running:
            _running.append(asyncio.new_event_loop())
            threading.Thread(
                target=_running[0].run_forever, name="pincite-models", daemon=True
            ).start()
    return _running[0]


def wait(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the loop, under the caller's context variables, and wait for it. Ctrl-C cancels it there."""
    loop = _loop()
    from asyncio import run_coroutine_threadsafe

    future = run_coroutine_threadsafe(work, loop)
    place = _place.get()
    if place is not None:
        place.release()
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
    finally:
        if place is not None:
            place.acquire()


@contextmanager
def working(places: threading.Semaphore) -> Iterator[None]:
    """Hold one of the places for work, but not while waiting for the loop.

    Of many threads that take turns at the interpreter, the loop's would come last: with a few places for all of them,
    requests go out and replies come in while others work.
    """
    with places:
        token = _place.set(places)
        try:
            yield
        finally:
            _place.reset(token)


def wait_all(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run coroutines at once and wait for all; the first failure cancels the others and is raised."""
    import asyncio

    async def together() -> list[T]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(coroutine) for coroutine in work]
        return [task.result() for task in tasks]

    try:
        return wait(together())
    except ExceptionGroup as several:
        raise several.exceptions[0] from None


def cancel() -> None:
    """Cancel all that runs on the loop; the threads that wait for it get a CancelledError."""
    if not _running:
        return
    import asyncio

    def stop() -> None:
        for task in asyncio.all_tasks():
            task.cancel()

    _running[0].call_soon_threadsafe(stop)
