"""Processes that do one thing at a time each, shared fairly: whoever asks a lot delays only themselves."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import socket
import subprocess
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from pincite import errors
from pincite.errors import Crashed, GivenUp
from pincite.ports import Progress
from pincite.processes.worker import python
from pincite.serve.processes.child import LENGTH, FailedOrder, Order, OrderProgress, done
from pincite.storage.ledger import listened

MAIN = "from pincite.serve.processes.child import nest; nest({longest}, {prepare!r})"
"""What the nest of the processes runs."""
WAIT_S = 120.0  # who waits longer for a process is told to come back
SLOW_S = 10.0
"""What takes longer goes on behind all others, so that one that never ends does not take a core from them."""
BEHIND = 15  # how nice it then is
AGAIN_S = 1.0  # seconds until a process is begun again that ended before it could do anything


async def pieces(
    work: Callable[[Callable[[Any], None]], Coroutine[Any, Any, object]],
) -> AsyncGenerator[Any, None]:
    """What work tells on its way, as it tells it; then raises what it raised. Leaving off stops it."""
    heard = asyncio.Queue[Any]()
    task = asyncio.create_task(work(heard.put_nowait))
    task.add_done_callback(lambda _: heard.put_nowait(None))
    try:
        while (piece := await heard.get()) is not None:
            yield piece
        await task
    finally:
        task.cancel()
        with suppress(Exception, asyncio.CancelledError):
            await task


class _Lost(Exception):
    """Raised when a process has ended."""


class _Worker(asyncio.Protocol):
    """The end of a process's socket that is here: what it says, and whether it has ended."""

    def __init__(self) -> None:
        self.process = 0
        self.gone = asyncio.Event()
        self._told = asyncio.Queue[Any]()
        self._part = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport

    def data_received(self, data: bytes) -> None:
        self._part += data
        while len(self._part) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self._part)[0]
            if len(self._part) < end:
                return
            self._told.put_nowait(pickle.loads(bytes(self._part[LENGTH.size : end])))
            del self._part[:end]

    def connection_lost(self, error: Exception | None) -> None:
        self.gone.set()
        self._told.put_nowait(_Lost())

    async def do(self, order: Order, tell: Callable[[Any], None], longest: float) -> Any:
        """What it makes of an order. Raises what `hear` raises."""
        data = pickle.dumps(order)
        self._transport.write(LENGTH.pack(len(data)) + data)
        while isinstance(made := await self.hear(longest), OrderProgress):
            tell(made.told)
        return made

    async def hear(self, longest: float) -> Any:
        """The next that it says. Raises _Lost, and TimeoutError when it says nothing for so long."""
        async with asyncio.timeout(longest):
            told = await self._told.get()
        if isinstance(told, _Lost):
            self._told.put_nowait(told)
            raise told
        return told

    def put_behind(self) -> None:
        """Let all others go before it."""
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self.process, BEHIND)

    def end(self) -> None:
        """End it, whatever it is at."""
        if not self.gone.is_set():
            if self.process:
                with suppress(ProcessLookupError):
                    os.kill(self.process, signal.SIGTERM)
            self._transport.abort()


class Workers:
    """At most `count` processes, begun as they are needed, and again when they end. With none of them a thread does all.

    What tells nothing for `longest` seconds, not even that a model is at work, is given up and its process ended. `prepare` is
    what they have in common (see `child.nest`).
    """

    def __init__(self, count: int, longest: float, prepare: str) -> None:
        self._count = count
        self._longest = longest
        self._main = MAIN.format(longest=longest, prepare=prepare)
        self._nest: tuple[subprocess.Popen[bytes], socket.socket] | None = None
        self._first: Sequence[Order] = ()
        self._wanted = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._idle: list[_Worker] = []
        self._waiting: OrderedDict[str, deque[asyncio.Future[_Worker]]] = OrderedDict()
        self._thread = None if count else ThreadPoolExecutor(1, "pincite-worker")
        self._held: dict[Any, Any] = {}

    async def do(
        self, person: str, order: Order, tell: Callable[[Any], None] = lambda told: None
    ) -> Any:
        """Have an order done in the turn of who gives it; `tell` hears its pieces, and each Progress of a model. Raises what it
        raised, GivenUp when it was silent for too long, Crashed when its process ended, which is tried once more where nothing
        was told yet.
        """
        if self._thread is not None:
            loop = asyncio.get_running_loop()

            def tell_here(piece: Any) -> None:
                loop.call_soon_threadsafe(tell, piece)

            return await loop.run_in_executor(self._thread, self._do_here, order, tell_here)
        told = 0

        def heard(piece: Any) -> None:
            nonlocal told
            told += not isinstance(piece, Progress)
            tell(piece)

        for last in (False, True):
            try:
                return await self._do_once(person, order, heard)
            except _Lost as error:
                if told or last:
                    raise Crashed(
                        "the process that was at work on this ended unexpectedly: the server's log says what ended it"
                    ) from error

    def open(self, orders: Sequence[Order], count: int) -> None:
        """Begin `count` processes, one after the other. Every process does these orders before it is given any other."""
        self._first, self._wanted = orders, min(count, self._count)
        if self._wanted and not self._tasks:
            self._begin()

    async def close(self) -> None:
        """End all processes."""
        self._count = 0
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._end_nest()
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def _do_once(self, person: str, order: Order, tell: Callable[[Any], None]) -> Any:
        worker = await self._take(person)
        loop = asyncio.get_running_loop()
        slow = loop.call_later(SLOW_S, worker.put_behind)

        def heard(piece: Any) -> None:
            nonlocal slow
            if isinstance(piece, Progress) and slow.when() > loop.time():
                slow.cancel()  # who waits for a model takes no core from others
                slow = loop.call_later(SLOW_S, worker.put_behind)
            tell(piece)

        try:
            made = await worker.do(order, heard, self._longest)
        except BaseException as error:  # who asked may be gone as well: what is half said must not be read by the next
            worker.end()
            if isinstance(error, TimeoutError):
                raise GivenUp(
                    f"this took more than {self._longest:g} s and was given up: ask for less at once, such as one value of one "
                    "document and year"
                ) from error
            raise
        finally:
            slow.cancel()
        if slow.when() < loop.time():
            worker.end()  # nobody but a superuser could put it before others again
        else:
            self._free(worker)
        if isinstance(made, FailedOrder):
            raise _error_of(made)
        return made

    async def _take(self, person: str) -> _Worker:
        """A process for who asks, when it is their turn."""
        if self._idle:
            return self._idle.pop()
        if len(self._tasks) < self._count:
            self._begin()
        turn: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(person, deque()).append(turn)
        try:
            async with asyncio.timeout(WAIT_S):
                return await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self._free(turn.result())
            if isinstance(error, TimeoutError):
                raise GivenUp(
                    f"all processes were busy for {WAIT_S:g} s: ask again later"
                ) from error
            raise

    def _free(self, worker: _Worker) -> None:
        """Hand a process to the next in turn."""
        if worker.gone.is_set():
            return
        while self._waiting:
            person, turns = next(iter(self._waiting.items()))
            turn = turns.popleft()
            if turns:
                self._waiting.move_to_end(person)
            else:
                del self._waiting[person]
            if not turn.done():
                turn.set_result(worker)
                return
        self._idle.append(worker)

    def _begin(self) -> None:
        self._tasks.append(asyncio.create_task(self._keep()))

    async def _keep(self) -> None:
        """Keep a process: begun, handed out, and begun again when it has ended."""
        while True:
            worker = await self._fork()
            try:
                if opened := await self._open(worker):
                    self._free(worker)
                    if len(self._tasks) < self._wanted:
                        self._begin()
                    await worker.gone.wait()
            finally:
                worker.end()
                if worker in self._idle:
                    self._idle.remove(worker)
            if not opened:
                await asyncio.sleep(AGAIN_S)

    async def _fork(self) -> _Worker:
        if self._nest is None or self._nest[0].poll() is not None:
            self._nest = self._new_nest()
        ours, theirs = socket.socketpair()
        with theirs, suppress(OSError):  # where the nest is gone the process is lost at once
            socket.send_fds(self._nest[1], [b"1"], [theirs.fileno()])
        _, worker = await asyncio.get_running_loop().create_unix_connection(_Worker, sock=ours)
        return worker

    def _new_nest(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        self._end_nest()
        ours, theirs = socket.socketpair()
        command, environment = python("-c", self._main), {**os.environ, "OMP_NUM_THREADS": "1"}
        with theirs:
            return subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env=environment
            ), ours

    def _end_nest(self) -> None:
        if self._nest is not None:
            nest, tube = self._nest
            tube.close()  # at which it ends
            nest.kill()
            nest.wait()

    async def _open(self, worker: _Worker) -> bool:
        """Whether a process is there and has done what is to be done first; what fails then fails again when it is asked for."""
        try:
            worker.process = await worker.hear(WAIT_S)
            for order in self._first:
                await worker.do(order, lambda told: None, WAIT_S)
        except (TimeoutError, _Lost):
            return False
        return True

    def _do_here(self, order: Order, tell: Callable[[Any], None]) -> Any:
        with listened(tell):
            for made in done(order, self._held):
                if not isinstance(made, OrderProgress):
                    return made
                tell(made.told)
        return None


def _error_of(failed: FailedOrder) -> Exception:
    """The failure of another process as it was there."""
    kind = getattr(errors, failed.kind, None)
    if not isinstance(kind, type) or not issubclass(kind, errors.PinciteError):
        return RuntimeError(failed.said)
    made = kind.__new__(kind)
    Exception.__init__(made, failed.said)
    return made
