"""The disk of the database full: how much of a run of writing gets through, what it says, and what is stored afterwards.

unshare --mount sh -c 'mount -t tmpfs -o size=200m tmpfs DISK && python benchmarks/faults/full_database.py DISK'

The files of the server are on DISK, all else is elsewhere; documents are those of `kills.py`. An edition is stored. Then, for
each of ROOM, DISK is filled until so many KiB are left, the next edition is written and a reader opens what is there; room is
made again, the server started where it has ended, and the edition written to its end.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from kills import Run, counted, seen, write

from pincite.errors import PinciteError

ROOM = (0, 64, 512, 2048, 8192)
"""KiB that are left."""


def fill(disk: Path, left: int) -> Path:
    """A file that takes all of a disk but `left` KiB."""
    filler = disk / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            status = os.statvfs(disk)
            spare = status.f_bavail * status.f_frsize - left * 1024
            if spare < 4096:
                break
            file.write(bytes(min(spare, 1 << 20)))
    return filler


def told(work: Any) -> str:
    """What a piece of work ends with: its result, or the kind and the beginning of its error."""
    try:
        return str(work())
    except PinciteError as error:
        return f"{type(error).__name__}: {str(error)[:120]}"


def main() -> None:
    """Fill, write, read, and write again."""
    given = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    given.add_argument("disk", type=Path)
    disk = given.parse_args().disk
    os.environ["PYTHONHASHSEED"] = "0"
    work = Path(tempfile.mkdtemp(prefix="full"))
    tempfile.tempdir = str(disk)
    run = Run(work)
    tempfile.tempdir = None
    os.environ["XDG_CACHE_HOME"] = str(work / "cache")
    write(run.address, run.edition)
    wrong = Counter[str]()
    for room in ROOM:
        filler = fill(disk, room)
        run.edition += 1
        print(json.dumps({
            "KiB left": room,
            "writer": told(lambda: write(run.address, run.edition)),
            "reader": told(lambda: seen(run.address)),
        }), flush=True)  # fmt: skip
        filler.unlink()
        run.start_server()
        write(run.address, run.edition)
        found = counted(run)
        wrong.update(
            {name: abs(found[name]) for name in found if name not in ("generation", "edition")}
        )
    print(json.dumps({"after each, in sum": dict(wrong)}))


if __name__ == "__main__":
    main()
