"""Who did what and when: one line of JSON for every request that changed something or was refused."""

from __future__ import annotations

import errno
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG

from filelock import FileLock

LARGEST = 16 * 2**20  # bytes from which a log is put aside, and another begun
KEPT = 5  # logs that were put aside and are kept: audit.1.jsonl is the latest


def noted(path: Path, **what: object) -> None:
    """Add a line. What a log cannot hold does not stop the request: it stands in the server's own log."""
    line = json.dumps(
        {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), **what}, ensure_ascii=True
    )
    file = os.open(
        path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600
    )
    try:
        if not S_ISREG(os.fstat(file).st_mode):  # in a folder that was received it may be a pipe
            raise OSError(errno.EINVAL, "the log is not a file", str(path))
        os.write(file, line.encode() + b"\n")  # at once, so that lines of two servers stay whole
        large = os.fstat(file).st_size > LARGEST
    finally:
        os.close(file)
    if large:
        _put_aside(path)


def _put_aside(path: Path) -> None:
    """Begin another log. Who writes to this one at the same time writes on in it, under its new name."""
    with FileLock(path.with_suffix(".lock"), timeout=10):
        if path.stat().st_size <= LARGEST:
            return  # another server was here before
        for number in range(KEPT, 0, -1):
            older = path if number == 1 else path.with_suffix(f".{number - 1}{path.suffix}")
            if older.exists():
                older.replace(path.with_suffix(f".{number}{path.suffix}"))
