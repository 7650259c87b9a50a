"""Processes that do one thing at a time each, shared out fairly: whoever asks much waits for themselves only."""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from collections import OrderedDict, deque
from contextlib import suppress
from typing import Any

from pincite import errors
from pincite.serve.child import LENGTH, Failed, Order
from pincite.serve.problems import Problem


class Workers:
    """`count` processes, started when first asked. What takes longer than `longest` seconds is given up, its process ended."""

    def __init__(self, count: int, longest: float) -> None:
        self._count = count
        self._longest = longest
        self._started = 0
        self._all: set[asyncio.subprocess.Process] = set()
        self._idle: list[asyncio.subprocess.Process] = []
        self._waiting: OrderedDict[str, deque[asyncio.Future[asyncio.subprocess.Process]]] = OrderedDict()

    async def do(self, person: str, order: Order) -> Any:
        """Have an order done in the turn of who gives it. Raises what it raised, Problem 503 when it took too long."""
        worker = await self._taken(person)
        try:
            async with asyncio.timeout(self._longest):
                made = await _sent(worker, order)
        except BaseException as error:  # who asked may be gone as well: what is half said must not be read by the next
            await self._replaced(worker)
            if isinstance(error, TimeoutError):
                raise Problem(503, f"this took more than {self._longest:.0f} s and was given up") from error
            if isinstance(error, (asyncio.IncompleteReadError, ConnectionError)):
                raise Problem(503, "the process that was at work on this ended unexpectedly: ask again") from error
            raise
        self._free(worker)
        if isinstance(made, Failed):
            raise _error(made)
        return made

    async def open(self, order: Order) -> None:
        """Start all processes and let each do an order that opens what is needed first, one after the other."""
        opened: list[asyncio.subprocess.Process] = []
        try:
            for _ in range(self._count):
                worker = await self._taken("")
                opened.append(worker)
                await _sent(worker, order)
        except BaseException:
            await self._replaced(opened.pop())
            raise
        finally:
            for worker in opened:
                self._free(worker)

    async def close(self) -> None:
        """End all processes."""
        self._count = 0
        for worker in list(self._all):
            await self._ended(worker)

    async def _taken(self, person: str) -> asyncio.subprocess.Process:
        """A process for who asks, when it is their turn."""
        if self._idle:
            return self._idle.pop()
        if self._started < self._count:
            self._started += 1
            try:
                return await self._begun()
            except BaseException:
                self._started -= 1
                raise
        turn: asyncio.Future[asyncio.subprocess.Process] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(person, deque()).append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._free(turn.result())
            raise

    def _free(self, worker: asyncio.subprocess.Process) -> None:
        """Hand a process to the next in turn."""
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

    async def _replaced(self, worker: asyncio.subprocess.Process) -> None:
        """Another process in the place of one that can no longer be used."""
        await asyncio.shield(self._ended(worker))
        if not self._count:
            return
        try:
            self._free(await asyncio.shield(self._begun()))
        except BaseException:
            self._started -= 1
            raise

    async def _begun(self) -> asyncio.subprocess.Process:
        pipe, environment = asyncio.subprocess.PIPE, {**os.environ, "OMP_NUM_THREADS": "1"}
        command = sys.executable, "-c", "from pincite.serve.child import main; main()"
        worker = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, env=environment)
        self._all.add(worker)
        return worker

    async def _ended(self, worker: asyncio.subprocess.Process) -> None:
        self._all.discard(worker)
        with suppress(ProcessLookupError):
            worker.kill()
        await worker.wait()


async def _sent(worker: asyncio.subprocess.Process, order: Order) -> Any:
    assert worker.stdin is not None and worker.stdout is not None
    data = pickle.dumps(order)
    worker.stdin.write(LENGTH.pack(len(data)) + data)
    await worker.stdin.drain()
    size = LENGTH.unpack(await worker.stdout.readexactly(LENGTH.size))[0]
    return pickle.loads(await worker.stdout.readexactly(size))


def _error(failed: Failed) -> Exception:
    """The failure of another process as it was there."""
    kind = getattr(errors, failed.kind, None)
    if not isinstance(kind, type) or not issubclass(kind, errors.PinciteError):
        return RuntimeError(failed.said)
    made = kind.__new__(kind)
    Exception.__init__(made, failed.said)
    return made
