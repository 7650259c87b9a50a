"""Files parsed in processes of their own: over all cores, and no file that hangs, crashes or takes too much memory ends the run.

A document comes back in pieces, and no more of them are on their way than the caller keeps up with: the caller never holds a
whole one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from pincite.errors import PinciteError, SourceError
from pincite.formats.encoding import NodeRow, node_rows
from pincite.ingest import document_parser
from pincite.ingest.lost_parts import why
from pincite.ingest.ocr.ocr_settings import AUTO, OcrSettings, alive
from pincite.processes.worker import Worker, limit_memory
from pincite.types import Document

SILENCE_S = 60.0  # a worker that gives no sign of life (a page done) for this long is ended
A_PAGE_S = 0.02  # more for every page that it has done: what comes after the last is done for all
MEMORY = 2 << 30  # bytes that our parsers may take for a file; a usual report needs a twentieth
MOST_PAGES = 20_000  # pages of a file that are read
STOPS = 3  # after so many pages at which a worker crashed or was ended, the rest is not read
AT_ONCE = 1000  # nodes that come back together
_LOOK_S = 0.5  # how often it is looked whether a worker is silent for too long


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


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document without its nodes, which came before, its last page and how many tables it has."""

    document: Document
    pages: int
    tables: int


PageTick = Callable[[ParserJob, int], None]
KeepNodes = Callable[[ParserJob, list[NodeRow]], None]


def parse_all(
    jobs: Iterable[ParserJob],
    workers: int,
    tick: PageTick,
    keep: KeepNodes = lambda job, rows: None,
    silence_s: float = SILENCE_S,
) -> Iterator[tuple[ParserJob, Parsed | PinciteError]]:
    """Parse `jobs`, yielding each with its document or the reason why there is none, in the order they finish.

    Jobs are taken as the `workers` need them, which share the cores. `tick(job, page)` is called as pages are done,
    `keep(job, rows)` with the document's nodes, a run after another, before it is yielded.
    """
    parsers = [ParserProcess(workers) for _ in range(workers)]
    try:
        yield from parse_with(parsers, jobs, tick, keep, silence_s)
    finally:
        for parser in parsers:
            parser.worker.end()


def parse_with(
    parsers: Sequence[ParserProcess],
    jobs: Iterable[ParserJob],
    tick: PageTick,
    keep: KeepNodes,
    silence_s: float,
) -> Iterator[tuple[ParserJob, Parsed | PinciteError]]:
    """As `parse_all`, with these parsers, which go on afterwards."""
    todo, idle, busy = iter(jobs), list(parsers), list[ParserProcess]()
    finished: list[tuple[ParserJob, Parsed | PinciteError]] = []
    while True:
        while idle and (job := next(todo, None)) is not None:
            idle[-1].begin(job, silence_s)
            busy.append(idle.pop())
        yield from finished
        if not busy:
            return
        finished = []
        before = monotonic()
        heard = Worker.heard([parser.worker for parser in busy], _LOOK_S)
        waited_s = monotonic() - before
        for parser, said in zip(list(busy), heard, strict=True):
            made = parser.hear(tick, keep) if said else parser.wait(waited_s)
            if made is not None:
                busy.remove(parser)
                idle.append(parser)
                finished.append((parser.job, made))


class ParserProcess:
    """A parser in a process of its own, one of `count` that share the cores, and the file that it is at."""

    def __init__(self, count: int) -> None:
        threads = str(max(1, (os.cpu_count() or 1) // count))
        self.worker = Worker({"OMP_NUM_THREADS": threads, **os.environ})

    def begin(self, job: ParserJob, silence_s: float) -> None:
        """Begin to parse a file."""
        self.job, self._silence_s, self._stops = job, silence_s, 0
        self._begin_without(job.without)

    def _begin_without(self, pages: tuple[int, ...]) -> None:
        self._without, self._page, self._silent_s = pages, 0, 0.0
        self.worker.call(parse_job, replace(self.job, without=pages))

    def hear(self, tick: PageTick, keep: KeepNodes) -> Parsed | PinciteError | None:
        """Take what the parser says; what became of the file if that is its last word."""
        self._silent_s = 0.0
        what, made = self.worker.hear()
        if what == "page":
            self._page = made
            tick(self.job, made)
        elif what == "nodes":
            keep(self.job, made)
        elif what == "ended":
            damaged = "the file is damaged or hostile"
            return self._stopped(f"the parser crashed after page {self._page}; {damaged}")
        return made if what == "done" else None

    def wait(self, seconds: float) -> SourceError | None:
        """Note that the parser was silent for more seconds; why the file is not read if that is too long."""
        self._silent_s += seconds
        patience = self._silence_s + A_PAGE_S * self._page
        if self._silent_s < patience:
            return None
        self.worker.end()
        late = f"page {self._page + 1} was not parsed within {patience:.0f} s"
        return self._stopped(f"{late}, so its parser was stopped")

    def _stopped(self, said: str) -> SourceError | None:
        """Read the file again without the page at which the parser stopped; why that is no use."""
        page = self._page + 1
        if page in self._without or not _in_pages(self.job):
            return SourceError(f"{self.job.name}: {said}")
        self._stops += 1
        rest = range(page, MOST_PAGES + 1) if self._stops == STOPS else (page,)
        self._begin_without((*self._without, *rest))
        return None


def _in_pages(job: ParserJob) -> bool:
    """Whether a file can be read without one of its pages."""
    try:
        return not job.parser and document_parser.format_of(job.path) == "pdf"
    except (OSError, PinciteError):
        return False


def parse_job(tell: Callable[[str, Any], None], job: ParserJob) -> Parsed | PinciteError:
    """Parse a file in a worker, which tells its pages, that it is alive, and its nodes."""
    if not job.parser:
        limit_memory(MEMORY)
    alive.set(partial(tell, "alive", None))
    tick = partial(_tick_page, job.name, tell)
    given = (job.password, tick, job.parser, job.ocr_settings, job.without)
    try:
        document = document_parser.parse(job.path, job.name, job.source, *given)
        return _send_nodes(document, partial(tell, "nodes"))
    except PinciteError as error:
        return error
    except MemoryError:
        return SourceError(
            f"{job.name} takes more than {MEMORY >> 30} GiB of memory to read: it is damaged, hostile or far too large. "
            "Split it, or save it again."
        )
    except Exception as error:  # a parser's bug must cost one file, and say so
        return SourceError(f"{job.name} could not be parsed: {why(error)}")


def _tick_page(name: str, tell: Callable[[str, Any], None], page: int) -> None:
    if page > MOST_PAGES:
        raise SourceError(
            f"{name} has more than {MOST_PAGES:,} pages, which is too much to read as a document: split it"
        )
    tell("page", page)


def _send_nodes(document: Document, send: Callable[[list[NodeRow]], None]) -> Parsed:
    """Send the nodes of a document; what is left to say of it."""
    nodes = document.nodes
    for start in range(0, len(nodes), AT_ONCE):
        rows = node_rows(nodes[start : start + AT_ONCE], start)
        send([tuple(map(_storable, row)) for row in rows])
    last = max((node.anchor.page for node in nodes), default=0)
    named = replace(document, title=_storable(document.title), nodes=())
    return Parsed(named, last, sum(node.kind == "table" for node in nodes))


def _storable(value: Any) -> Any:
    """A value; halves of characters in a text, which some formats can hold, cannot be stored."""
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "replace").decode("utf-8")
