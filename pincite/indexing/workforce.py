"""Who parses files and encodes texts: the cores of this machine, or a cluster. What they make is stored by the caller alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pincite.encoding import NodeRow
from pincite.errors import PinciteError
from pincite.indexing.progress import IndexingProgress, silent
from pincite.ingest.parser_processes import Parsed, ParserJob, parse_all
from pincite.ports import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PageTick = Callable[[ParserJob, int], None]
KeepNodes = Callable[[ParserJob, list[NodeRow]], None]


class Workforce(Protocol):
    """Who does the work of indexing."""

    def parsed(
        self,
        jobs: Iterable[ParserJob],
        most: int,
        tick: PageTick,
        keep: KeepNodes,
        silence_s: float,
    ) -> Iterator[tuple[ParserJob, Parsed | PinciteError]]:
        """Parse files, yielding each with its document or the reason why there is none, in the order they finish.

        Jobs, of which there are `most` at most, are taken as they are needed. `tick` is told the pages that are done, `keep`
        the document's nodes before it is yielded; both are called from the thread of the caller. A parser that gives no sign
        of life for `silence_s` is ended.
        """
        ...

    def encoded(
        self, encoder: Encoder, batches: Sequence[Sequence[str]]
    ) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """The number of each batch of texts with its vectors, (texts, dims), in the order they finish."""
        ...


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
    ) -> Iterator[tuple[ParserJob, Parsed | PinciteError]]:
        """As `Workforce` says."""
        workers = max(1, min(self.workers or os.cpu_count() or 1, most))
        yield from parse_all(jobs, workers, tick, keep, silence_s)

    def encoded(
        self, encoder: Encoder, batches: Sequence[Sequence[str]]
    ) -> Iterator[tuple[int, NDArray[np.float32]]]:
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
    from pincite.cluster.indexing_tasks import cluster_workers

    return cluster_workers(on, lambda said: progress("wait", not said, 1, said))
