"""A process that does what it is ordered to, one thing at a time: `python -c "from pincite.serve.child import main; main(120)"`.

It speaks pickles over its pipes, each after its length, with nobody but the process that started it: of each order the
pieces that it tells on its way, then what it made. The first is its word that it is there.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import struct
import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import IO, Any, Protocol

from pincite.disk import disk_error
from pincite.errors import PinciteError
from pincite.kept import RARELY

LENGTH = struct.Struct(">Q")
NICE = 3
"""Who takes requests goes before who answers questions."""
ORPHANED_S = 10.0
"""Seconds beyond its limit after which the system ends a process whose parent has not."""


class Order(Protocol):
    """Something to be done; `held` is what the process keeps from one to the next."""

    def do(self, held: dict[Any, Any]) -> Any:
        """Do it. A generator tells its pieces as they come."""
        ...


@dataclass(frozen=True, slots=True)
class Piece:
    """What is told on the way."""

    told: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure on its way between processes: the name of its class and what it says."""

    kind: str
    said: str


def done(order: Order, held: dict[Any, Any]) -> Iterator[Any]:
    """The pieces that an order tells, then what it made."""
    made = order.do(held)
    if isinstance(made, Generator):
        for told in made:
            yield Piece(told)
        made = None
    yield made


def main(longest: float) -> None:
    """Do what comes in until nothing more does. The system ends what is silent for longer than `longest` seconds, also when
    nobody is left to do so: a pattern that never ends lets no other thread have its turn.
    """
    if os.environ.get("PINCITE_OFFLINE"):
        from pincite.offline import forbid

        forbid()
    gc.set_threshold(*RARELY)
    os.nice(NICE)
    tube, sys.stdout = sys.stdout.buffer, sys.stderr
    held: dict[Any, Any] = {}
    _write(tube, None)  # it is there
    while (order := _read(sys.stdin.buffer)) is not None:
        _ended_in(longest + ORPHANED_S)
        try:
            for made in done(order, held):
                _write(tube, made)
                _ended_in(longest + ORPHANED_S)
        except Exception as error:
            told = error if isinstance(error, PinciteError) else disk_error(error)
            _write(tube, Failed(type(told).__name__, str(told)) if told else Failed("", f"{type(error).__name__}: {error}"))
        _ended_in(0)


def _ended_in(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds)  # nothing handles SIGALRM: it ends the process


def _read(tube: IO[bytes]) -> Order | None:
    head = tube.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    found: Order = pickle.loads(tube.read(LENGTH.unpack(head)[0]))
    return found


def _write(tube: IO[bytes], made: Any) -> None:
    data = pickle.dumps(made)
    tube.write(LENGTH.pack(len(data)) + data)
    tube.flush()
