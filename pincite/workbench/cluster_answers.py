"""Questions answered by the workers of a cluster, which open the corpus by its address; the answers are stored here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from pincite.errors import ClusterError, CorpusError, GivenUp, UsageError
from pincite.processes.cluster_address import parse_cluster
from pincite.processes.dask_cluster import Cluster, TaskLost, connected
from pincite.recipes.base import Recipe
from pincite.settings import Settings
from pincite.storage.corpus_address import ADDRESS, address_of
from pincite.types import Answer, Query
from pincite.workbench.batch import Answers, Asked, Done, paired
from pincite.workbench.library import AT_ONCE, Library

_OPEN: list[tuple[LibraryAddress, Library]] = []  # on a worker: those that were opened last
_OPENING = Lock()
_KEPT = 2


@dataclass(frozen=True, slots=True)
class LibraryAddress:
    """Where a worker finds a corpus, which of its generations, and how it is to answer from it. The settings hold the names of
    variables where a key is wanted: the keys are those of the worker.
    """

    corpus: str
    generation: str
    settings: Settings
    recipe: Recipe
    stand_ins: bool

    @classmethod
    def of(cls, library: Library) -> LibraryAddress:
        """The address of an open library. Raises UsageError for one that asks a model: a cluster makes that no quicker."""
        if library.kit.large is not None:
            raise UsageError(
                "--on shares out questions that are answered without a language model: with one they wait for its endpoint, and "
                "many at once do so here; leave out --on, or give --no-model"
            )
        folder, generation = library.corpus.folder, library.corpus.generation.identity
        # what a worker opens a corpus by: its address in a database, in which no password stands, or its folder's path
        by_path = address_of(folder) is None
        corpus = str(folder.resolve()) if by_path else (folder / ADDRESS).read_text("utf-8")
        return cls(corpus, generation, library.settings, library.recipe, library.kit.stand_ins)

    def open(self) -> Library:
        """On a worker: the library, which stays open for the next task. Raises ClusterError where it sees another or none."""
        with _OPENING:
            for address, library in _OPEN:
                if address == self:
                    return library
            how: dict[str, Any] = {"recipe": self.recipe, "stand_ins": self.stand_ins}
            try:
                library = Library(self.corpus, self.settings, **how)
            except CorpusError as error:
                raise ClusterError(
                    f"a worker does not find the corpus {self.corpus}: workers open it by the same address, on a shared disk or "
                    f"in a database ({error})"
                ) from error
            if library.corpus.generation.identity != self.generation:
                raise ClusterError(
                    f"the corpus {self.corpus} was indexed while the questions began, or a worker sees another: give the same "
                    "command again"
                )
            _OPEN[:] = [*_OPEN[1 - _KEPT :], (self, library)]
            return library


@dataclass(frozen=True, slots=True)
class QuestionsTask:
    """Questions to answer together, and the number of the first."""

    library: LibraryAddress
    first: int
    queries: tuple[Query, ...]


def answer_questions(task: QuestionsTask) -> list[Answer]:
    """On a worker: the answers to some questions, in order."""
    return list(task.library.open().answer_many(task.queries))


@contextmanager
def answers_on(on: str) -> Iterator[Answers]:
    """What answers questions on the cluster at an address as `--on` takes it, as long as the block lasts."""
    with connected(parse_cluster(on)) as cluster:
        yield _ClusterAnswers(cluster)


@dataclass(frozen=True, slots=True)
class _ClusterAnswers:
    """Answers questions as `batch.answer_all` does, in the order in which the workers are done."""

    cluster: Cluster

    def __call__(
        self, asked: Sequence[Asked], library: Library, run: str
    ) -> Iterator[Sequence[Done]]:
        address, queries = LibraryAddress.of(library), [query for _, query in asked]
        tasks = (
            QuestionsTask(address, first, tuple(queries[first : first + AT_ONCE]))
            for first in range(0, len(asked), AT_ONCE)
        )
        for task, answers in self.cluster.each(answer_questions, tasks):
            some = asked[task.first : task.first + AT_ONCE]
            if isinstance(answers, TaskLost):
                failure = GivenUp(f"{answers}: with these questions, or the ones beside them")
                yield [Done(question, query, None, failure) for question, query in some]
            else:
                yield paired(some, answers)
