"""Where a cluster is: workers of this machine, or a scheduler elsewhere, which must prove who it is."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from pincite.errors import UsageError

FORMS = "local:WORKERS, dask://HOST:PORT or tls://HOST:PORT"
"""How an address of a cluster is written."""
PORT = 8786
"""Where a scheduler listens unless it is told otherwise."""
MOST_LOCAL = 256
"""The most workers of one machine."""
_LOCAL = re.compile(r"local:(\d{1,3})")


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """`workers` processes of this machine, or where that is 0 the scheduler at `host` and `port`, by TLS where it is `secure`."""

    workers: int = 0
    host: str = ""
    port: int = PORT
    secure: bool = False

    def __str__(self) -> str:
        if self.workers:
            return f"local:{self.workers}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'tls' if self.secure else 'tcp'}://{host}:{self.port}"


def parse_cluster(given: str) -> ClusterAddress:
    """Read an address of a cluster.

    Raises UsageError for one that is written otherwise, that holds a password, or that would send documents to another machine
    in the clear.
    """
    if match := _LOCAL.fullmatch(given):
        if not 1 <= int(match[1]) <= MOST_LOCAL:
            raise UsageError(f"--on {given}: between 1 and {MOST_LOCAL} workers are possible")
        return ClusterAddress(int(match[1]))
    try:
        parts = urlsplit(given)
        port = parts.port or PORT
    except ValueError:
        raise UsageError(f"--on: the address of a cluster is written {FORMS}") from None
    if parts.username or parts.password:
        raise UsageError(
            "--on takes no user and no password: a scheduler knows its clients by their certificates"
        )
    if parts.scheme not in ("dask", "tcp", "tls") or not parts.hostname:
        raise UsageError(f"--on: {given!r} is no address of a cluster; it is written {FORMS}")
    secure = parts.scheme == "tls"
    if not secure and not is_loopback(parts.hostname):
        raise UsageError(
            f"--on: {parts.hostname} is another machine, and documents are sent there only by TLS with certificates on both "
            f"sides: start scheduler and workers with them, and give tls://{parts.hostname}:{port} (docs/scale/cluster.md)"
        )
    return ClusterAddress(0, parts.hostname, port, secure)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by an address that no other can reach."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
