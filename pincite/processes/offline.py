"""The guarantee behind --offline: an audit hook that lets no socket be opened in this process or those that it starts.
One may be: to the engine of a model that runs here, on the loopback address and at its port.

Libraries that open sockets where the hook cannot see them are restricted separately: PostgreSQL's may connect only to a Unix
socket (`pincite.database.sources.postgres`), and DuckDB is opened without network access and downloads.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from pincite.errors import NetworkForbidden
from pincite.text.lexicon import word_set

VARIABLE = "PINCITE_OFFLINE"


_UNIX = 1
"""The family of sockets that stay on this machine (AF_UNIX): `socket` is not imported for its name alone."""
_INTERNET, _LOOPBACK = 2, "127.0.0.1"
_engines: set[int] = set()
"""The ports on which the engine of a model listens that runs here, as this user's own notes say."""
_EVENTS = word_set("offline", "events")
"""What Python reports before a socket is made, leads anywhere or sends to an address, and before a name is looked up."""


def forbid() -> None:
    """Forbid sockets from now on, for good: an audit hook cannot be removed.

    Child processes inherit it by a variable, which the package heeds when it is imported.
    """
    os.environ[VARIABLE] = "1"
    sys.addaudithook(_refuse)


def forbidden() -> bool:
    """Whether this process, or the one that started it, was forbidden to open sockets."""
    return bool(os.environ.get(VARIABLE))


def allow_engine(port: int) -> None:
    """Let this process connect to the engine of a model on this machine's loopback address, and to nothing else."""
    _engines.add(port)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _EVENTS and not _is_allowed(event, arguments):
        raise NetworkForbidden(
            f"--offline is set, and something tried to use the network ({event})"
        )


def _is_allowed(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether a socket is only made, of a family that leaves no machine (event loops wake themselves by such a pair; to bind or
    to connect one stays forbidden), or made for, or connected to, an engine: one that is only made leads nowhere.
    """
    match event:
        case "socket.__new__":
            return arguments[1] == _UNIX or bool(_engines) and arguments[1] == _INTERNET
        case "socket.connect":
            where = arguments[1]
        case "socket.getaddrinfo":
            where = arguments[:2]
        case _:
            return False
    return isinstance(where, tuple) and where[0] == _LOOPBACK and where[1] in _engines
