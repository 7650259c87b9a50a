"""Who parses files and encodes texts: the cores of this machine, or a cluster; what is told of it meanwhile. What they make is
stored by the caller alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pincite.errors import PinciteError
from pincite.formats.encoding import NodeRow
from pincite.ingest.parser_processes import Parsed, ParserJob, parse_all
from pincite.ports import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    EncodedBatch = tuple[int, NDArray[np.float32]]
Batches = Sequence[Sequence[str]]
PageTick = Callable[[ParserJob, int], None]
KeepNodes = Callable[[ParserJob, list[NodeRow]], None]
ParsedJob = tuple[ParserJob, Parsed | PinciteError]


class IndexingProgress(Protocol):
    """What indexing tells while it works."""

    def __call__(self, what: str, done: float, total: float, note: str = "") -> None:
        """`done` of `total` of the phase `what`: "parse" (bytes), "encode" (texts), "index" (shelves), "wait" for a cluster.

        "page" is no phase: so many pages of the file `note` were read, of `total` once it was read to its end, before 0.
        """


def silent(what: str, done: float, total: float, note: str = "") -> None:
    """Tell nothing."""


class Workforce(Protocol):
    """Who does the work of indexing."""

    def parsed(
        self,
        jobs: Iterable[ParserJob],
        most: int,
        tick: PageTick,
        keep: KeepNodes,
        silence_s: float,
    ) -> Iterator[ParsedJob]:
        """Parse files, yielding each with its document or the reason why there is none, in the order they finish.

        Jobs, of which there are `most` at most, are taken as they are needed. `tick` is told the pages that are done, `keep`
        the document's nodes before it is yielded; both are called from the thread of the caller. A parser that gives no sign
        of life for `silence_s` is ended.
        """

    def encoded(self, encoder: Encoder, batches: Batches) -> Iterator[EncodedBatch]:
        """The number of each batch of texts with its vectors, (texts, dims), in the order they finish."""


@dataclass(frozen=True, slots=True)
class ThisMachine:
    """Parsers in `workers` processes of their own, as many as cores where that is 0; the encoder in this process."""

    workers: int = 0

    def parsed(
        self,
        jobs: Iterable[ParserJob],
        most: int,
        tick: PageTick,
        keep: KeepNodes,
        silence_s: float,
    ) -> Iterator[ParsedJob]:
        """As `Workforce` says."""
        workers = max(1, min(self.workers or os.cpu_count() or 1, most))
        yield from parse_all(jobs, workers, tick, keep, silence_s)

    def encoded(self, encoder: Encoder, batches: Batches) -> Iterator[EncodedBatch]:
        """As `Workforce` says."""
        for number, texts in enumerate(batches):
            yield number, encoder.encode(texts)


HERE = ThisMachine()


def workforce(
    on: str, workers: int | None = None, progress: IndexingProgress = silent
) -> AbstractContextManager[Workforce]:
    """Who does the work at an address as `--on` takes it, "" for this machine. Raises UsageError for one that cannot be read,
    ClusterError when nobody is there.
    """
    if not on:
        return nullcontext(ThisMachine(workers or 0))
    from pincite.indexing.cluster_tasks import cluster_workers

    return cluster_workers(on, lambda said: progress("wait", not said, 1, said))
