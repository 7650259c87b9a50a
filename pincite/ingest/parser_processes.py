"""Files parsed in processes of their own: over all cores, and no file that hangs, crashes or takes too much memory ends the run.

Workers are `python -P -m pincite.ingest.parser_processes`, speaking pickles over their pipes, so that a caller's script needs no
guard around its main code and a crash inside a parser ends one worker only. A document comes back in pieces, and no more of
them are on their way than the caller keeps up with: the caller never holds a whole one.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

from pincite.encoding import NodeRow, node_rows
from pincite.errors import PinciteError, SourceError
from pincite.ingest.document_parser import format_of
from pincite.ingest.lost_parts import why
from pincite.ingest.ocr.ocr_settings import AUTO, OcrSettings, alive
from pincite.processes import python
from pincite.types import Document

SILENCE_S = 60.0
"""A worker that gives no sign of life (a page done) for this long is ended."""
A_PAGE_S = 0.02
"""How much longer it may be silent for every page that it has done: what comes after the last page is done for all of them."""
MEMORY = 2 << 30
"""The most bytes of memory that our own parsers may take for a file; a usual report needs a twentieth."""
MOST_PAGES = 20_000
"""Pages of a file that are read."""
STOPS = 3
"""After so many pages at which a worker crashed or was ended, the rest of a file is not read."""
AT_ONCE = 1000
"""Nodes that come back together."""
_WAITING = 16  # messages that wait for the caller, and for the thread of their worker


@dataclass(frozen=True, slots=True)
class ParserJob:
    """A file to parse, `without` pages at which its parser did not end before."""

    path: Path
    name: str
    source: str
    password: str | None = field(default=None, repr=False)
    parser: str = ""
    ocr_settings: OcrSettings = AUTO
    without: tuple[int, ...] = ()


class Stopped(SourceError):
    """A worker crashed or was ended at a page of a file."""

    def __init__(self, message: str, page: int) -> None:
        super().__init__(message)
        self.page = page


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document without its nodes, which came before, its last page and how many tables it has."""

    document: Document
    pages: int
    tables: int


def parse_all(
    jobs: Iterable[ParserJob],
    workers: int,
    tick: Callable[[ParserJob, int], None],
    keep: Callable[[ParserJob, list[NodeRow]], None] = lambda job, rows: None,
    silence_s: float = SILENCE_S,
) -> Iterator[tuple[ParserJob, Parsed | PinciteError]]:
    """Parse `jobs`, yielding each with its document or the reason why there is none, in the order they finish.

    Jobs are taken as the `workers` need them, which share the cores. `tick(job, page)` is called from the thread of the
    caller as pages are done, `keep(job, rows)` with the document's nodes, a run after another, before it is yielded.
    """
    waiting: queue.SimpleQueue[ParserJob | None] = queue.SimpleQueue()
    events: queue.Queue[tuple[str, ParserJob, Any]] = queue.Queue(_WAITING)
    stop = threading.Event()
    todo, started, under_way = iter(jobs), 0, 0
    try:
        while True:
            while under_way < workers + 1 and (job := next(todo, None)) is not None:
                waiting.put(job)
                under_way += 1
                if started < workers:
                    started += 1
                    given = (waiting, events, silence_s, stop, workers)
                    threading.Thread(target=_serve, args=given, daemon=True).start()
            if not under_way:
                return
            what, job, made = events.get()
            if what == "page":
                tick(job, made)
            elif what == "nodes":
                keep(job, made)
            else:
                under_way -= 1
                yield job, made
    finally:
        stop.set()
        for _ in range(started):
            waiting.put(None)


def _serve(
    waiting: queue.SimpleQueue[ParserJob | None],
    events: queue.Queue[tuple[str, ParserJob, Any]],
    silence_s: float,
    stop: threading.Event,
    count: int,
) -> None:
    def tell(what: str, job: ParserJob, made: Any) -> None:
        while not stop.is_set():
            with suppress(queue.Full):
                return events.put((what, job, made), timeout=0.5)

    parser = ParserProcess(count)
    while (job := waiting.get()) is not None and not stop.is_set():
        tell("done", job, parser.parse(job, silence_s, tell, stop))
    parser.end()


class ParserProcess:
    """A parser in a process of its own, one of `count` that share the cores: it begins with its first file, and again after a
    file has ended it.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._worker: _Worker | None = None

    def parse(
        self,
        job: ParserJob,
        silence_s: float,
        tell: Callable[[str, ParserJob, Any], None],
        stop: threading.Event,
    ) -> Parsed | PinciteError:
        """What is made of a file: `tell` gets its pages and nodes before. Where the parser stopped at a page, another reads the
        file without that.
        """

        def told(what: str, made: Any) -> None:
            tell(what, job, made)

        without: tuple[int, ...] = ()
        while True:
            if self._worker is None or not self._worker.alive:
                self._worker = _Worker(self._count)
            given = replace(job, without=(*job.without, *without))
            made = self._worker.run(given, silence_s, told, stop)
            if not isinstance(made, Stopped) or made.page in given.without:
                return made
            if stop.is_set() or not _in_pages(job):
                return made
            rest = range(made.page, MOST_PAGES + 1) if len(without) == STOPS - 1 else (made.page,)
            without = (*without, *rest)

    def end(self) -> None:
        """End the process."""
        if self._worker is not None and self._worker.alive:
            self._worker.end()


def _in_pages(job: ParserJob) -> bool:
    """Whether a file can be read without one of its pages."""
    try:
        return not job.parser and format_of(job.path) == "pdf"
    except (OSError, PinciteError):
        return False


class _Worker:
    """One of `count` worker processes, which share the cores, and the thread that reads its replies."""

    def __init__(self, count: int) -> None:
        threads = str(max(1, (os.cpu_count() or 1) // count))
        self.process = subprocess.Popen(
            python("-m", "pincite.ingest.parser_processes"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"OMP_NUM_THREADS": threads, **os.environ},
        )
        self.replies: queue.Queue[Any] = queue.Queue(_WAITING)
        self.alive = True
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while True:
            try:
                self.replies.put(pickle.load(self.process.stdout))
            except (EOFError, pickle.UnpicklingError):
                self.replies.put(("ended", None))
                return

    def run(
        self,
        job: ParserJob,
        silence_s: float,
        tell: Callable[[str, Any], None],
        stop: threading.Event,
    ) -> Parsed | PinciteError:
        """Parse one file, telling what comes before its end; the worker is ended when it stays silent or the caller stops."""
        assert self.process.stdin is not None
        try:
            pickle.dump(job, self.process.stdin)
            self.process.stdin.flush()
        except OSError:
            self.end()
            said = "the parser's process ended before it could start; index it again"
            return SourceError(f"{job.name}: {said}")
        page, silent = 0, 0.0
        while True:
            try:
                what, made = self.replies.get(timeout=0.5)
            except queue.Empty:
                silent += 0.5
                patience = silence_s + A_PAGE_S * page
                if silent >= patience or stop.is_set():
                    self.end()
                    said = f"{job.name}: page {page + 1} was not parsed within {patience:.0f} s, so its parser was stopped"
                    return Stopped(said, page + 1)
                continue
            silent = 0.0
            if what == "alive":
                continue
            if what in ("page", "nodes"):
                page = made if what == "page" else page
                tell(what, made)
            elif what == "ended":
                self.end()
                said = f"{job.name}: the parser crashed after page {page}; the file is damaged or hostile"
                return Stopped(said, page + 1)
            else:
                return made  # type: ignore[no-any-return]

    def end(self) -> None:
        """End the process."""
        self.alive = False
        self.process.kill()
        self.process.wait()
        while self.reader.is_alive():  # it may wait for room
            with suppress(queue.Empty):
                self.replies.get(timeout=0.1)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()


def main(given: IO[bytes], out: IO[bytes]) -> None:
    """Serve jobs from one pipe to another until it closes."""
    from pincite.ingest.document_parser import parse

    def tell(what: str, made: Any) -> None:
        pickle.dump((what, made), out)
        out.flush()

    alive.set(partial(tell, "alive", None))
    limited = False
    while True:
        try:
            job: ParserJob = pickle.load(given)
        except EOFError:
            return
        if not job.parser and not limited:
            limited = _limit_memory()
        made: Parsed | PinciteError
        try:
            tick = partial(_ticked, job.name, tell)
            given_on = (job.password, tick, job.parser, job.ocr_settings, job.without)
            document = parse(job.path, job.name, job.source, *given_on)
            made = _sent(document, partial(tell, "nodes"))
            del document
        except PinciteError as error:
            made = error
        except MemoryError:
            made = SourceError(
                f"{job.name} takes more than {MEMORY >> 30} GiB of memory to read: it is damaged, hostile or far too large. "
                "Split it, or save it again."
            )
        except Exception as error:  # a parser's bug must cost one file, and say so
            made = SourceError(f"{job.name} could not be parsed: {why(error)}")
        tell("done", made)


def _ticked(name: str, tell: Callable[[str, Any], None], page: int) -> None:
    if page > MOST_PAGES:
        raise SourceError(
            f"{name} has more than {MOST_PAGES:,} pages, which is too much to read as a document: split it"
        )
    tell("page", page)


def _sent(document: Document, send: Callable[[list[NodeRow]], None]) -> Parsed:
    """Send the nodes of a document; what is left to say of it."""
    nodes = document.nodes
    for start in range(0, len(nodes), AT_ONCE):
        send([_storable(row) for row in node_rows(nodes[start : start + AT_ONCE], start)])
    last = max((node.anchor.page for node in nodes), default=0)
    named = replace(document, title=_text(document.title), nodes=())
    return Parsed(named, last, sum(node.kind == "table" for node in nodes))


def _storable(row: NodeRow) -> NodeRow:
    """A row whose texts can be stored: halves of characters, which some formats can hold, are none."""
    return tuple(_text(value) if isinstance(value, str) else value for value in row)  # type: ignore[return-value]


def _text(value: str) -> str:
    return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")


def _limit_memory() -> bool:
    """Let what takes too much memory fail, where the system can see to that; true, since it was tried."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, most))
    return True


if __name__ == "__main__":
    # a library that prints would break the protocol: only we write to the real stdout
    channel = sys.stdout.buffer
    sys.stdout = sys.stderr
    from pincite.ingest import parser_processes as workers

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the caller who ends its workers
    with suppress(BrokenPipeError):  # the caller is gone
        workers.main(sys.stdin.buffer, channel)
