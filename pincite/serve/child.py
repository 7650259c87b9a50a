"""A process that does what it is ordered to, one thing at a time: `python -c "from pincite.serve.child import main; main()"`.

It speaks pickles over its pipes, each after its length, with nobody but the server that started it.
"""

from __future__ import annotations

import gc
import pickle
import struct
import sys
from dataclasses import dataclass
from typing import IO, Any, Protocol

from pincite.errors import PinciteError
from pincite.kept import RARELY

LENGTH = struct.Struct(">Q")


class Order(Protocol):
    """Something to be done; `held` is what the process keeps from one to the next."""

    def do(self, held: dict[Any, Any]) -> Any:
        """Do it."""
        ...


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure on its way between processes: the name of its class and what it says."""

    kind: str
    said: str


def main() -> None:
    """Do what comes in until nothing more does."""
    gc.set_threshold(*RARELY)
    tube, sys.stdout = sys.stdout.buffer, sys.stderr
    held: dict[Any, Any] = {}
    while (order := _read(sys.stdin.buffer)) is not None:
        try:
            made = order.do(held)
        except PinciteError as error:
            made = Failed(type(error).__name__, str(error))
        except Exception as error:
            made = Failed("", f"{type(error).__name__}: {error}")
        data = pickle.dumps(made)
        tube.write(LENGTH.pack(len(data)) + data)
        tube.flush()


def _read(tube: IO[bytes]) -> Order | None:
    head = tube.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    found: Order = pickle.loads(tube.read(LENGTH.unpack(head)[0]))
    return found
