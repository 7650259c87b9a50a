"""A recipe's stages run over questions, here or by the workers of a cluster: their rankings, their answers, and their cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from functools import reduce
from typing import Any, NamedTuple

from pincite.errors import BudgetSpent, ModelError, ReplyInvalid
from pincite.formats.spell import spell
from pincite.lab.experiments.shared_rankings import leftmost, taking
from pincite.models import loop
from pincite.processes.dask_cluster import Cluster, TaskLost
from pincite.recipes.pipeline import Pipeline
from pincite.stage import Stage
from pincite.storage.ledger import Spend, metered
from pincite.types import Answer, Query, Ranking
from pincite.workbench.cluster_answers import LibraryAddress
from pincite.workbench.library import Library, PageHit

GIVEN_UP = 20
"""Questions in a row that no model could be reached for, after which a run fails."""
Part = Sequence[tuple[str, Query]]
"""Questions that are asked together, by their ids."""


class Composed(NamedTuple):
    """What finds for the questions of a run, and what answers them; `pipeline` None where only retrieval is wanted."""

    find: Stage[Query, Ranking]
    pipeline: Pipeline | None = None

    @property
    def parts(self) -> tuple[Stage[Any, Any], ...]:
        """The stages that other runs may have in common with this one."""
        return (self.find,) if self.pipeline is None else self.pipeline.parts

    @property
    def spelling(self) -> str:
        """The whole in one line."""
        return spell(leftmost(self.pipeline or self.find))

    def bound(self, bind: Callable[[Stage[Any, Any]], Any]) -> Composed:
        """The same with its stages bound to what is kept of them."""
        if self.pipeline is None:
            return Composed(bind(self.find))
        pipeline = bind(self.pipeline)
        return Composed(pipeline.find, pipeline)


def compose(library: Library, answers: bool) -> Composed:
    """What a run is made of. Raises CorpusError or ModelMissing where something of it is missing."""
    if answers:
        return Composed(library.pipeline.find, library.pipeline)
    recipe, corpus, kit = library.recipe, library.corpus, library.kit
    recipe.check(corpus, kit)
    return Composed(recipe.find(corpus, kit))


class FoundAndSaid(NamedTuple):
    """What was found for some questions and answered to them, and what each took; `said` None where only retrieval is wanted."""

    found: list[Ranking]
    searching: Spend
    said: list[Answer] | None = None
    answering: Spend = Spend()


def found_and_said(composed: Composed, queries: Sequence[Query]) -> FoundAndSaid:
    """Ask questions together.

    One that is taken apart is searched for whole as well: what is found is measured of every question.
    """
    found, searching = spent(lambda: composed.find.map(queries))
    if (pipeline := composed.pipeline) is None:
        return FoundAndSaid(found, searching)
    return FoundAndSaid(found, searching, *spent(lambda: answers(pipeline, queries, found)))


def answers(
    pipeline: Pipeline, queries: Sequence[Query], found: Sequence[Ranking]
) -> list[Answer]:
    """The answer to each query from what was found for it. A model whose replies fit no form has said nothing: the question
    is refused.
    """
    try:
        return pipeline.answers(queries, found)
    except ReplyInvalid as error:
        if len(queries) > 1:
            raise
        return [Answer(queries[0], "", None, reason=str(error))]


def spent(work: Callable[[], list[Any]]) -> tuple[list[Any], Spend]:
    """What work makes and what it takes, the rankings that it gets ready-made counted as if it had made them."""
    started = time.perf_counter()
    with metered() as meter, taking() as taken:
        made = work()
    own = replace(meter.total, seconds=time.perf_counter() - started)
    return made, reduce(Spend.__add__, taken, own)


def at_once(
    ask: Callable[[Any], list[dict[str, Any]]], todo: Sequence[Any], concurrency: int
) -> Iterator[list[dict[str, Any]]]:
    """What `ask` makes of each, in the order in which they end. Raises the last failure once all others are done, or when
    nothing but failures comes.
    """
    failure: ModelError | None = None
    in_a_row = failures = 0
    with ThreadPoolExecutor(concurrency + 4) as pool:
        futures = [pool.submit(ask, item) for item in todo]
        try:
            for future in as_completed(futures):
                try:
                    made = future.result()
                except ModelError as error:
                    failure, in_a_row, failures = error, in_a_row + 1, failures + 1
                    if isinstance(error, BudgetSpent) or in_a_row >= GIVEN_UP:
                        raise
                else:
                    in_a_row = 0
                    yield made
        except BaseException:
            for future in futures:
                future.cancel()
            loop.cancel()
            raise
    if failure is not None:
        raise type(failure)(
            f"{failures} of {len(todo)} questions failed, the same command asks them again; the last: {failure}"
        )


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


def row(
    identity: str,
    hits: Sequence[PageHit],
    answer: dict[str, Any] | None,
    search: Spend,
    say: Spend,
    n: int,
    chunks: Sequence[str] | None = None,
) -> dict[str, Any]:
    """All that is kept of one question of `n` that were asked together; `chunks` where its gold is chunks."""
    return {
        "id": identity,
        "hits": [asdict(hit) for hit in hits],
        **({} if chunks is None else {"chunks": list(chunks)}),
        "answer": answer,
        "times": {
            "id": identity,
            "search_s": round(search.seconds / n, 5),
            "answer_s": round(say.seconds / n, 5),
            "tokens_in": (search.usage.input + say.usage.input) // n,
            "tokens_out": (search.usage.output + say.usage.output) // n,
            "cost": str((search.cost + say.cost) / n),
        },
    }
