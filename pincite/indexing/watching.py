"""A folder kept indexed: scanned repeatedly, and indexed once changed files have stopped changing. A scan asks the file system
for names, sizes and times: it works on every kind of disk and network share, and takes at most a small share of one core
however many files there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import CorpusBusy, PinciteError, SourceError
from pincite.indexing import Summary
from pincite.indexing.changed_files import discover

EVERY_S = 2.0
"""How often to look, in seconds: what has not changed between two looks has come to rest."""
AGAIN_S = 60.0
"""After how many seconds to try again what failed, if nothing changes."""
SHARE = 0.05
"""The most of its time that looking may take."""

Seen = Mapping[str, tuple[int, int]]
"""The size and time of change of every file."""


def watch(
    paths: Sequence[Path],
    run: Callable[[], Summary],
    *,
    metadata: Path | None = None,
    every_s: float = EVERY_S,
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[Summary | PinciteError]:
    """Call `run`, which indexes `paths`, at once and whenever their files have changed and rested; without end.

    Yields what each run did, or why it or a look failed: a folder that is away takes nothing out of the corpus. While another
    process writes the corpus it waits. `wait` sleeps for some seconds.
    """
    done: Seen | None = None  # what the last run was for
    before: Seen | None = None  # what was seen last
    again, away, failure = 0.0, _LastError(), _LastError()
    while True:
        started = time.monotonic()
        seen, error = _look_for_files(paths, metadata)
        wanted = max(every_s, (time.monotonic() - started) / SHARE)
        if told := away.unless_again(error):
            yield told
        rested = seen is not None and before in (None, seen)
        before = seen or before
        if rested and (seen != done or 0 < again <= started):
            done, again = seen, 0.0
            try:
                yield run()
                failure.unless_again(None)
            except CorpusBusy:
                done = None
            except PinciteError as stopped:
                again = time.monotonic() + AGAIN_S
                if told := failure.unless_again(stopped):
                    yield told
        wait(wanted)


@dataclass(slots=True)
class _LastError:
    """The error that was told last, so that it is not told again and again."""

    said: str = ""

    def unless_again(self, error: PinciteError | None) -> PinciteError | None:
        """An error, unless it is the last one again."""
        before, self.said = self.said, str(error or "")
        return None if self.said == before else error


def _look_for_files(
    paths: Sequence[Path], metadata: Path | None
) -> tuple[Seen, None] | tuple[None, PinciteError]:
    """The files that indexing would meet, as they are now, and the metadata file; or why that cannot be told."""
    try:
        seen = {file.place: (file.size, file.changed) for file in discover(paths, metadata)}
        if metadata is not None:
            stat = metadata.stat()
            seen[str(metadata)] = stat.st_size, stat.st_mtime_ns
    except PinciteError as error:
        return None, error
    except OSError as error:
        return None, SourceError(f"cannot look for files: {error}")
    return seen, None
