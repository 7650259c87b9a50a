"""Processes that carry out orders, one at a time, and the nest that forks them.

A nest has loaded what each of them needs, and forks one for every socket that it is given, so that an ended process is replaced
at once. They speak pickles over these sockets, each after its length, with nobody but the process that began them: first their
number, then of each order the pieces that it tells on its way, how far the models are that it waits for, and what it made.
"""

from __future__ import annotations

import gc
import logging
import os
import pickle
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from io import BufferedRWPair
from typing import Any, Protocol

from pincite.document.derived import RARELY
from pincite.errors import PinciteError
from pincite.ports import Progress
from pincite.storage.disk import disk_error
from pincite.storage.ledger import listened

LENGTH = struct.Struct(">Q")
_log = logging.getLogger("pincite.serve")
NICE = 3  # who takes requests goes before who answers questions
ORPHANED_S = 10.0
"""Seconds beyond its limit after which the system ends a process whose parent has not."""

EVERY_S = 0.3  # the shortest time between two words of how far a model is


class Order(Protocol):
    """Something to be done; `held` is what the process keeps from one to the next."""

    def do(self, held: dict[Any, Any]) -> Any:
        """Do it. A generator tells its pieces as they come."""
        ...


@dataclass(frozen=True, slots=True)
class OrderProgress:
    """The progress that is reported."""

    told: Any


@dataclass(frozen=True, slots=True)
class FailedOrder:
    """A failure on its way between processes: the name of its class and what it says."""

    kind: str
    said: str


def done(order: Order, held: dict[Any, Any]) -> Iterator[Any]:
    """The pieces that an order tells, then what it made."""
    made = order.do(held)
    if isinstance(made, Generator):
        for told in made:
            yield OrderProgress(told)
        made = None
    yield made


def nest(longest: float, prepare: str) -> None:
    """Fork a process for each socket that comes in over the standard input, which is a socket itself, until none does any more.

    `prepare` names what is called first, as in "module:function". The system ends a process that is silent for longer than
    `longest` seconds, also when nobody is left to do so: a pattern that never ends lets no other thread have its turn.
    """
    sys.stdout = sys.stderr
    if os.environ.get("PINCITE_OFFLINE"):
        from pincite.processes.offline import forbid

        forbid()
    module, _, name = prepare.partition(":")
    getattr(import_module(module), name)()
    os.nice(NICE)
    signal.signal(signal.SIGCHLD, _reaped)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a server ends them when it ends
    gc.set_threshold(*RARELY)
    gc.freeze()
    given = socket.socket(fileno=0)
    while sockets := socket.recv_fds(given, 1, 1)[1]:
        if os.fork() == 0:
            try:
                given.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _work(socket.socket(fileno=sockets[0]).makefile("rwb"), longest)
            except Exception:
                _log.exception("process %d crashed", os.getpid())
            finally:
                os._exit(0)  # nothing of the nest runs on in it
        os.close(sockets[0])


def _reaped(signum: int, stack: object) -> None:
    """Take leave of the processes that ended, and log what ended them, unless `_Worker.end` did."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            by = os.WTERMSIG(ended[1])
            if by not in (0, signal.SIGTERM):
                _log.error("process %d was ended by %s", ended[0], signal.Signals(by).name)


def _work(tube: BufferedRWPair, longest: float) -> None:
    """Do what comes in until nothing more does."""
    held: dict[Any, Any] = {}
    turn, told_at = threading.Lock(), 0.0

    def tell(made: Any) -> None:
        with turn:
            data = pickle.dumps(made)
            tube.write(LENGTH.pack(len(data)) + data)
            tube.flush()
            _end_in(longest + ORPHANED_S)

    def progress(progress: Progress) -> None:
        """Called from the thread of the models' loop."""
        nonlocal told_at
        if time.monotonic() - told_at >= EVERY_S:
            told_at = time.monotonic()
            with suppress(OSError):  # nobody listens any more: the order's own words find that out
                tell(OrderProgress(progress))

    with suppress(BrokenPipeError, ConnectionResetError):
        tell(os.getpid())
        _end_in(0)
        while len(head := tube.read(LENGTH.size)) == LENGTH.size:
            data = tube.read(LENGTH.unpack(head)[0])
            _end_in(longest + ORPHANED_S)
            try:
                order: Order = pickle.loads(data)
                with listened(progress):
                    for made in done(order, held):
                        tell(made)
            except Exception as error:
                tell(_failure(error))
            _end_in(0)


def _failure(error: Exception) -> FailedOrder:
    known = error if isinstance(error, PinciteError) else disk_error(error)
    if known is not None:
        return FailedOrder(type(known).__name__, str(known))
    _log.error("an order failed", exc_info=error)
    return FailedOrder("", f"{type(error).__name__}: {error}")


def _end_in(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds)  # nothing handles SIGALRM: it ends the process
