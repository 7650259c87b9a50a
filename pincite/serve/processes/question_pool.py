"""Questions answered by processes of their own, so that a slow or endless question delays no other."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from pincite.errors import GivenUp
from pincite.models.model_settings import ModelSettings
from pincite.ports import Progress
from pincite.review.review_log import stamp
from pincite.serve.corpora import Served
from pincite.serve.door.caller_limits import WAITING
from pincite.serve.processes.answering import (
    PREPARE,
    AskedQuestion,
    CorpusRead,
    KeptAnswer,
    answered,
    warm,
)
from pincite.serve.processes.worker_pool import Workers

LONGEST_S = 120.0
"""A question of which nothing is heard for longer is given up."""
SPARE = 2
"""Processes beyond one for each core: one may be held up, and one be begun anew."""
WITH_MODEL = 8
"""Processes where a model answers: they wait for it most of the time."""
RECENT = 500
"""Answers whose trace is remembered."""
_Key = tuple[str, int, tuple[int, int], AskedQuestion]
"""A corpus, its generation, the state of its reviews, and a question."""


class QuestionPool:
    """Puts questions, and whatever else reads a corpus for a while, to processes; the same question of the same generation is
    answered once, until a reviewer says something.

    Without a model there are processes for all cores and SPARE more, with one WITH_MODEL of them, which share the limits of
    its endpoint out among them and are one run of the ledger. With no `processes` a thread does everything. `count` is told of
    every question that was answered: its corpus, "answered" or "refused", the seconds.
    """

    def __init__(
        self,
        corpora: Iterable[Served],
        processes: int | None = None,
        count: Callable[[str, str, float], None] = lambda corpus, outcome, seconds: None,
    ) -> None:
        self._corpora, self._count = list(corpora), count
        models = [
            served.setup.settings.models
            for served in self._corpora
            if served.setup.settings.models.names
        ]
        many = _processes(models) if processes is None else processes
        self._share = max(many, 1)
        self._workers = Workers(many, LONGEST_S, PREPARE)
        self._answered: OrderedDict[_Key, KeptAnswer] = OrderedDict()
        self._by_id: dict[tuple[str, str], KeptAnswer] = {}
        self.waiting = 0

    async def ask(
        self,
        served: Served,
        question: AskedQuestion,
        person: str = "",
        tell: Callable[[Progress], None] = lambda told: None,
    ) -> KeptAnswer:
        """Answer a question; raises what a library raises, and what `do` raises. `tell` hears how far a model is."""
        reviewed = await asyncio.to_thread(stamp, served.folder)
        key = served.name, served.edition.number, reviewed, question
        if key in self._answered:
            self._answered.move_to_end(key)
            return self._answered[key]
        asked: KeptAnswer = await self.do(served, person, answered, question, tell=tell)
        self.count(served, asked.answer.value is None, asked.seconds)
        self._keep((served.name, asked.generation, reviewed, question), asked)
        return asked

    async def do(
        self,
        served: Served,
        person: str,
        what: Callable[..., Any],
        *given: Any,
        tell: Callable[[Any], None] = lambda told: None,
    ) -> Any:
        """`what(library, *given)`, done by a process; `tell` hears the pieces of a generator, and how far a model is. Raises
        GivenUp when too many wait already, when nothing is heard for too long, and when it ends its process.
        """
        if self.waiting >= WAITING:
            raise GivenUp("too many questions are waiting: ask again in a few seconds")
        self.waiting += 1
        try:
            return await self._workers.do(person, self._read(served, what, *given), tell)
        finally:
            self.waiting -= 1

    def count(self, served: Served, refused: bool, seconds: float) -> None:
        """Count a question that something else that `do` did has answered or refused."""
        self._count(served.name, "refused" if refused else "answered", seconds)

    def open(self) -> None:
        """Let processes open what the first question would have to wait for."""
        self._workers.open(
            [self._read(served, warm) for served in self._corpora], (os.cpu_count() or 1) + SPARE
        )

    def recalled(self, corpus: str, answer_id: str) -> KeptAnswer | None:
        """An answer of this server's recent ones, with its trace."""
        return self._by_id.get((corpus, answer_id))

    def forget(self, corpus: str) -> None:
        """Answer every question to a corpus anew: it is answered by other settings, or is another one."""
        for key in [key for key in self._answered if key[0] == corpus]:
            self._by_id.pop((corpus, self._answered.pop(key).answer_id), None)

    def _keep(self, key: _Key, asked: KeptAnswer) -> None:
        self._answered[key] = asked
        self._by_id[key[0], asked.answer_id] = asked
        while len(self._answered) > RECENT:
            (name, *_), old = self._answered.popitem(last=False)
            self._by_id.pop((name, old.answer_id), None)

    async def close(self) -> None:
        """Wait for nothing more; what is being answered is given up."""
        await self._workers.close()

    def _read(self, served: Served, what: Callable[..., Any], *given: Any) -> CorpusRead:
        settings = served.setup.settings
        shared = replace(settings, models=_shared(settings.models, self._share))
        setup = replace(served.setup, settings=shared)
        return CorpusRead(
            served.folder.resolve(), setup, served.edition.number, served.run, what, given
        )


def _processes(models: Iterable[ModelSettings]) -> int:
    """How many processes answer: no more than each may send requests."""
    most = [
        min(
            limit
            for limit in (WITH_MODEL, models.concurrency, models.requests_per_minute)
            if limit > 0
        )
        for models in models
    ]
    return min(most, default=(os.cpu_count() or 1) + SPARE)


def _shared(models: ModelSettings, count: int) -> ModelSettings:
    """The part of an endpoint's limits that each of `count` processes has."""
    return replace(
        models,
        concurrency=max(1, models.concurrency // count),
        requests_per_minute=models.requests_per_minute // count,
        tokens_per_minute=-(-models.tokens_per_minute // count),
    )
