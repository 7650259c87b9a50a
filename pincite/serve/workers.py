"""Processes that do one thing at a time each, shared out fairly: whoever asks much waits for themselves only."""

from __future__ import annotations

import asyncio
import os
import pickle
from asyncio.subprocess import Process
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from pincite import errors
from pincite.errors import GivenUp
from pincite.processes import python
from pincite.serve.child import LENGTH, Failed, Order, Piece, done

MAIN = "from pincite.serve.child import main; main({longest})"
"""What a process runs."""
WAIT_S = 120.0
"""Who waits longer for a process is told to come back."""
SLOW_S = 10.0
"""What takes longer goes on behind all others, so that one that never ends does not take a core from them."""
BEHIND = 15
"""How nice it then is."""
AGAIN_S = 1.0
"""Seconds until a process is begun again that ended before it could do anything."""
_Lost = (asyncio.IncompleteReadError, ConnectionError)
"""What is raised when a process has ended."""


class Workers:
    """At most `count` processes, begun as they are needed, and again when they end. With none of them a thread does all.

    What tells nothing for `longest` seconds is given up and its process ended.
    """

    def __init__(self, count: int, longest: float) -> None:
        self._count = count
        self._longest = longest
        self._first: Sequence[Order] = ()
        self._wanted = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._idle: list[Process] = []
        self._waiting: OrderedDict[str, deque[asyncio.Future[Process]]] = OrderedDict()
        self._thread = None if count else ThreadPoolExecutor(1, "pincite-worker")
        self._held: dict[Any, Any] = {}

    async def do(self, person: str, order: Order, tell: Callable[[Any], None] = lambda told: None) -> Any:
        """Have an order done in the turn of who gives it; `tell` hears its pieces. Raises what it raised, GivenUp when it took
        too long, or when its process ended, which is tried once more where nothing was told yet.
        """
        if self._thread is not None:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._here, order, _from_thread(tell))
        told = 0

        def heard(piece: Any) -> None:
            nonlocal told
            told += 1
            tell(piece)

        try:
            return await self._once(person, order, heard)
        except _Lost as error:
            if told:
                raise _ended() from error
        try:
            return await self._once(person, order, heard)
        except _Lost as error:
            raise _ended() from error

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
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def _once(self, person: str, order: Order, tell: Callable[[Any], None]) -> Any:
        worker = await self._taken(person)
        loop = asyncio.get_running_loop()
        slow = loop.call_later(SLOW_S, _put_behind, worker)
        try:
            made = await self._sent(worker, order, tell, self._longest)
        except BaseException as error:  # who asked may be gone as well: what is half said must not be read by the next
            if not isinstance(error, _Lost):
                _kill(worker)
            if isinstance(error, TimeoutError):
                raise GivenUp(
                    f"this took more than {self._longest:g} s and was given up: ask for less at once, such as one value of one "
                    "document and year"
                ) from error
            raise
        finally:
            slow.cancel()
        if slow.when() < loop.time():
            _kill(worker)  # nobody but a superuser could put it before others again
        else:
            self._free(worker)
        if isinstance(made, Failed):
            raise _error(made)
        return made

    async def _sent(self, worker: Process, order: Order, tell: Callable[[Any], None], longest: float) -> Any:
        """What a process makes of an order. Raises TimeoutError when it is silent for longer, one of _Lost when it ends."""
        assert worker.stdin is not None
        data = pickle.dumps(order)
        worker.stdin.write(LENGTH.pack(len(data)) + data)  # read at once, since it waits for nothing else
        while isinstance(made := await _read(worker, longest), Piece):
            tell(made.told)
        return made

    async def _taken(self, person: str) -> Process:
        """A process for who asks, when it is their turn."""
        if self._idle:
            return self._idle.pop()
        if len(self._tasks) < self._count:
            self._begin()
        turn: asyncio.Future[Process] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(person, deque()).append(turn)
        try:
            async with asyncio.timeout(WAIT_S):
                return await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self._free(turn.result())
            if isinstance(error, TimeoutError):
                raise GivenUp(f"all processes were busy for {WAIT_S:g} s: ask again later") from error
            raise

    def _free(self, worker: Process) -> None:
        """Hand a process to the next in turn."""
        if worker.returncode is not None:
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
        self._tasks.append(asyncio.create_task(self._kept()))

    async def _kept(self) -> None:
        """Keep a process: begun, handed out, and begun again when it has ended."""
        while True:
            worker = await self._begun()
            try:
                if opened := await self._opened(worker):
                    self._free(worker)
                    if len(self._tasks) < self._wanted:
                        self._begin()
                await worker.wait()
            finally:
                if worker.returncode is None:
                    _kill(worker)
                if worker in self._idle:
                    self._idle.remove(worker)
                await asyncio.shield(worker.wait())
            if not opened:
                await asyncio.sleep(AGAIN_S)

    async def _begun(self) -> Process:
        pipe, environment = asyncio.subprocess.PIPE, {**os.environ, "OMP_NUM_THREADS": "1"}
        command = python("-c", MAIN.format(longest=self._longest))
        return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, env=environment)

    async def _opened(self, worker: Process) -> bool:
        """Whether a process has done what is to be done first; what fails then fails again when it is asked for."""
        try:
            await _read(worker, WAIT_S)  # it is there
            for order in self._first:
                await self._sent(worker, order, lambda told: None, WAIT_S)
        except TimeoutError:
            _kill(worker)
        except _Lost:
            pass
        else:
            return True
        return False

    def _here(self, order: Order, tell: Callable[[Any], None]) -> Any:
        for made in done(order, self._held):
            if not isinstance(made, Piece):
                return made
            tell(made.told)
        return None


async def _read(worker: Process, longest: float) -> Any:
    assert worker.stdout is not None
    async with asyncio.timeout(longest):
        size = LENGTH.unpack(await worker.stdout.readexactly(LENGTH.size))[0]
        return pickle.loads(await worker.stdout.readexactly(size))


def _put_behind(worker: Process) -> None:
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, worker.pid, BEHIND)


def _kill(worker: Process) -> None:
    with suppress(ProcessLookupError):
        worker.kill()


def _from_thread(tell: Callable[[Any], None]) -> Callable[[Any], None]:
    loop = asyncio.get_running_loop()

    def told(piece: Any) -> None:
        loop.call_soon_threadsafe(tell, piece)

    return told


def _ended() -> GivenUp:
    return GivenUp("the process that was at work on this ended unexpectedly: ask again")


def _error(failed: Failed) -> Exception:
    """The failure of another process as it was there."""
    kind = getattr(errors, failed.kind, None)
    if not isinstance(kind, type) or not issubclass(kind, errors.PinciteError):
        return RuntimeError(failed.said)
    made = kind.__new__(kind)
    Exception.__init__(made, failed.said)
    return made
