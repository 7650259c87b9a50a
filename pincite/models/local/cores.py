"""How many cores this process may use: two threads of one core share what an engine needs."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_QUOTA = Path("/sys/fs/cgroup/cpu.max")
_TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/{}"


def physical_cores() -> int:
    """The physical cores that this process may run on, within the quota of its container; at least 1."""
    try:
        threads = os.sched_getaffinity(0)
    except AttributeError:  # no such call on this system
        return max((os.cpu_count() or 2) // 2, 1)
    cores = {_core(thread) for thread in threads}
    return max(min(len(cores), _quota(len(cores))), 1)


def _core(thread: int) -> tuple[str, ...]:
    """What tells the core of a thread of the processor from others; the thread itself where nothing says so."""
    try:
        return tuple(
            Path(_TOPOLOGY.format(thread, part)).read_text("ascii").strip()
            for part in ("physical_package_id", "core_id")
        )
    except OSError:
        return (str(thread),)


def _quota(cores: int) -> int:
    """The cores that a container may use of so many."""
    with suppress(OSError, ValueError):
        most, period = _QUOTA.read_text("ascii").split()
        return round(int(most) / int(period))
    return cores
