"""Questions of an experiment asked by the workers of a cluster: what was found and said comes back, with what it took there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.cluster.dask_cluster import Cluster, TaskLost
from pincite.lab.experiments.composition import FoundAndSaid, compose, found_and_said
from pincite.library import Library
from pincite.types import Query
from pincite.workbench.cluster_answers import LibraryAddress

Part = Sequence[tuple[str, Query]]
"""Questions that are asked together, by their ids."""


@dataclass(frozen=True, slots=True)
class PartTask:
    """Questions to ask together, and which part of the run they are."""

    library: LibraryAddress
    answers: bool
    number: int
    queries: tuple[Query, ...]


def asked_on(
    cluster: Cluster, library: Library, answers: bool, parts: Sequence[Part]
) -> Iterator[tuple[Part, FoundAndSaid]]:
    """The parts with what workers found and said, as they are done. Raises TaskLost where a part ended its workers."""
    address = LibraryAddress.of(library)
    tasks = (
        PartTask(address, answers, number, tuple(query for _, query in part))
        for number, part in enumerate(parts)
    )
    for task, told in cluster.each(ask_part, tasks):
        if isinstance(told, TaskLost):
            raise told
        yield parts[task.number], told


def ask_part(task: PartTask) -> FoundAndSaid:
    """On a worker: ask some questions."""
    return found_and_said(compose(task.library.open(), task.answers), task.queries)
