"""Files parsed in processes of their own: over all cores, and none that hangs or crashes takes the run with it.

Workers are `python -m pincite.ingest.workers`, speaking pickles over their pipes, so that a caller's script needs no
guard around its main code and a crash inside a parser ends one worker only.
"""

from __future__ import annotations

import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pincite.errors import PinciteError, SourceError
from pincite.types import Document

SILENCE_S = 60.0
"""A worker that gives no sign of life (a page done) for this long is ended."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to parse."""

    path: Path
    name: str
    source: str
    password: str | None = None


def parse_all(
    jobs: Sequence[Job], workers: int, tick: Callable[[Job, int], None], silence_s: float = SILENCE_S
) -> Iterator[tuple[Job, Document | PinciteError]]:
    """Parse `jobs`, yielding each with its Document or the reason why there is none, in the order they finish.

    `tick(job, page)` is called from the thread of the caller as pages are done.
    """
    waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
    events: queue.SimpleQueue[tuple[str, Job, Any]] = queue.SimpleQueue()
    # the largest files first, so that no core idles at the end
    for job in sorted(jobs, key=lambda one: -one.path.stat().st_size):
        waiting.put(job)
    stop = threading.Event()
    count = max(1, min(workers, len(jobs)))
    for _ in range(count):
        waiting.put(None)
        threading.Thread(target=_serve, args=(waiting, events, silence_s, stop), daemon=True).start()
    try:
        for _ in jobs:
            while True:
                what, job, made = events.get()
                if what == "page":
                    tick(job, made)
                    continue
                yield job, made
                break
    finally:
        stop.set()


def _serve(
    waiting: queue.SimpleQueue[Job | None],
    events: queue.SimpleQueue[tuple[str, Job, Any]],
    silence_s: float,
    stop: threading.Event,
) -> None:
    worker: _Worker | None = None
    while (job := waiting.get()) is not None and not stop.is_set():
        worker = worker or _Worker()
        made = worker.run(job, silence_s, lambda page, job=job: events.put(("page", job, page)), stop)  # type: ignore[misc]
        if not worker.alive:
            worker = None
        events.put(("done", job, made))
    if worker is not None:
        worker.end()


class _Worker:
    """One worker process and the thread that reads its replies."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pincite.ingest.workers"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.replies: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.alive = True
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while True:
            try:
                self.replies.put(pickle.load(self.process.stdout))
            except (EOFError, pickle.UnpicklingError):
                self.replies.put(("ended", None))
                return

    def run(
        self, job: Job, silence_s: float, tick: Callable[[int], None], stop: threading.Event
    ) -> Document | PinciteError:
        """Parse one file; the worker is ended when it stays silent or the caller stops."""
        assert self.process.stdin is not None
        try:
            pickle.dump(job, self.process.stdin)
            self.process.stdin.flush()
        except OSError:
            self.end()
            return SourceError(f"{job.name}: the parser's process ended before it could start; index it again")
        page, silent = 0, 0.0
        while True:
            try:
                what, made = self.replies.get(timeout=0.5)
            except queue.Empty:
                silent += 0.5
                if silent >= silence_s or stop.is_set():
                    self.end()
                    return SourceError(
                        f"{job.name}: page {page + 1} was not parsed within {silence_s:.0f} s, so its parser was stopped"
                    )
                continue
            silent = 0.0
            if what == "page":
                page = made
                tick(page)
            elif what == "ended":
                self.end()
                return SourceError(f"{job.name}: the parser crashed after page {page}; the file is damaged or hostile")
            else:
                return made  # type: ignore[no-any-return]

    def end(self) -> None:
        """End the process."""
        self.alive = False
        self.process.kill()
        self.process.wait()


def main(given: IO[bytes], out: IO[bytes]) -> None:
    """Serve jobs from one pipe to another until it closes."""
    from pincite.ingest.parse import parse

    def tick(page: int) -> None:
        pickle.dump(("page", page), out)
        out.flush()

    while True:
        try:
            job: Job = pickle.load(given)
        except EOFError:
            return
        made: Document | PinciteError
        try:
            made = parse(job.path, job.name, job.source, job.password, tick)
        except PinciteError as error:
            made = error
        except Exception as error:  # a parser's bug must cost one file, and say so
            made = SourceError(f"{job.name} could not be parsed: {type(error).__name__}: {error}")
        pickle.dump(("done", made), out)
        out.flush()


if __name__ == "__main__":
    # a library that prints would break the protocol: only we write to the real stdout
    channel = sys.stdout.buffer
    sys.stdout = sys.stderr
    from pincite.ingest import workers

    workers.main(sys.stdin.buffer, channel)
