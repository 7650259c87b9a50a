"""Seconds of processors that processes and servers on this machine have used."""

from __future__ import annotations

from pathlib import Path

import psutil


def worked(*roots: int) -> float:
    """Seconds of processors of processes and of those that they have started, ended ones among them."""
    total = 0.0
    for root in map(psutil.Process, roots):
        for process in (root, *root.children(recursive=True)):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def postmaster(address: str) -> tuple[int, ...]:
    """The first process of the PostgreSQL server at an address; none where it is no such address, or on another machine."""
    if not address.startswith("postgres"):
        return ()
    import psycopg

    with psycopg.connect(address) as connection:
        (folder,) = connection.execute("SHOW data_directory").fetchone() or ("",)
    place = Path(folder, "postmaster.pid")
    return (int(place.read_text().split()[0]),) if place.is_file() else ()
