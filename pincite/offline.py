"""The guarantee behind --offline: an audit hook that lets no socket be opened in this process or those that it starts.

Libraries that open sockets where the hook cannot see them are restricted separately: PostgreSQL's may connect only to a Unix
socket (`pincite.database.sources.postgres`), and DuckDB is opened without network access and downloads.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from pincite.errors import NetworkForbidden
from pincite.lexicon import word_set

VARIABLE = "PINCITE_OFFLINE"


_UNIX = 1
"""The family of sockets that stay on this machine (AF_UNIX): `socket` is not imported for its name alone."""
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


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _EVENTS and not _is_pair(event, arguments):
        raise NetworkForbidden(
            f"--offline is set, and something tried to use the network ({event})"
        )


def _is_pair(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether a socket is only made, of a family that leaves no machine: event loops wake themselves by such a pair.

    To bind or to connect one stays forbidden.
    """
    return event == "socket.__new__" and arguments[1] == _UNIX
