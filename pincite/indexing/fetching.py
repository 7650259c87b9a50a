"""Files looked into, and fetched where they are elsewhere, a few ahead of those who parse them."""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from pincite.indexing.found_file import FoundFile

FETCHED = "fetched"
"""The folder of a corpus for files that are fetched and not stored yet."""
AT_ONCE = 4
"""Files that are hashed or fetched at the same time."""
AHEAD = 8
"""Files that are ready before they are asked for."""

T = TypeVar("T")


def ahead(
    files: Iterable[FoundFile], look: Callable[[FoundFile], T]
) -> Iterator[tuple[FoundFile, Callable[[], T]]]:
    """The files in order, each with what gives, or raises, what `look` made of it; a few are looked into in advance."""
    waiting: deque[tuple[FoundFile, Callable[[], T]]] = deque()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for file in files:
            waiting.append((file, pool.submit(look, file).result))
            if len(waiting) > AHEAD:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()


@contextmanager
def fetching(folder: Path) -> Iterator[Path]:
    """An empty folder for what is fetched, gone in the end."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def drop(file: FoundFile) -> None:
    """Remove a file that was fetched."""
    if file.address and file.path.is_absolute():
        with suppress(OSError):
            file.path.unlink()
            file.path.parent.rmdir()
