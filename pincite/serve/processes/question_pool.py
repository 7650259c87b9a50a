"""Questions answered by processes of their own, so that a slow or endless question delays no other."""

from __future__ import annotations

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from pincite import check, document, evidence, generate, lines, question, reconcile, rows
from pincite.errors import CorpusError, GivenUp, PinciteError
from pincite.models.kit import default_kit
from pincite.models.model_settings import ModelSettings
from pincite.ports import Progress
from pincite.records.answer_store import keep, recall_answer, recall_told
from pincite.records.review.review_log import stamp
from pincite.serve.corpora import AnswerSetup, Served
from pincite.serve.door.caller_limits import WAITING
from pincite.serve.processes.worker_pool import Workers
from pincite.types import Answer, Expects, Where
from pincite.workbench.explanation import explained
from pincite.workbench.library import Library

LONGEST_S = 120.0  # a question of which nothing is heard for longer is given up
SPARE = 2  # processes beyond one for each core: one may be held up, and one be begun anew
WITH_MODEL = 8  # processes where a model answers: they wait for it most of the time
RECENT = 500  # answers whose trace is remembered
PREPARE = "pincite.serve.processes.question_pool:prepare"


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What is asked of a corpus."""

    text: str
    where: Where = ()
    expects: Expects | None = None
    unit: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer, the id it is kept under, and how it came about: `told` is as `explanation.explained` tells it."""

    answer: Answer
    answer_id: str
    told: dict[str, Any]
    seconds: float
    generation: int


def answer_question(library: Library, question: AskedQuestion) -> KeptAnswer:
    """Ask a library, and keep the answer."""
    started = time.perf_counter()
    query = library.query(
        question.text, question.where, question.expects, question.unit, question.as_of
    )
    outcome, told = explained(library, query, {})
    seconds, generation = time.perf_counter() - started, library.corpus.generation.number
    kept = {**told, "seconds": seconds, "generation": generation}
    answer_id = keep(library.corpus.folder, [outcome.answer], [kept])[0]
    return KeptAnswer(outcome.answer, answer_id, told, seconds, generation)


def recall_kept(folder: Path, answer_id: str) -> tuple[Answer, KeptAnswer | None]:
    """An answer that was kept, and how it came about where that was kept too. UsageError when there is no such answer."""
    answer, told = recall_answer(folder, answer_id), recall_told(folder, answer_id)
    if not told:
        return answer, None
    return answer, KeptAnswer(answer, answer_id, told, told["seconds"], told["generation"])


def prepare() -> None:
    """Load what everyone who answers needs."""
    for room in (check, document, evidence, generate, lines, question, reconcile, rows):
        for module in iter_modules(room.__path__, f"{room.__name__}."):
            import_module(module.name)
    with suppress(PinciteError):  # who needs what is damaged says so
        default_kit().encoder.encode(["warm up"])


def warm(library: Library) -> None:
    """Open what the first question would have to wait for."""
    if library.corpus.documents:
        library.search("warm up", 1)


@dataclass(frozen=True, slots=True)
class CorpusRead:
    """`what(library, *given)` with the corpus in a folder, at least of this generation, its models booked under `run`."""

    folder: Path
    setup: AnswerSetup
    generation: int
    run: str
    what: Callable[..., Any]
    given: tuple[Any, ...] = ()

    def do(self, held: dict[Path, Library]) -> Any:
        """Do it; `held` are the corpora that are open."""
        library = held.get(self.folder)
        if library is not None and not self._fits(library):
            library.corpus.close()
            library = None
        library = library or self._open(held)
        try:
            return self.what(library, *self.given)
        except CorpusError:  # its indexes may have been swept away before they were opened: the newest have their own
            newest = self._open(held)
            if newest.corpus.generation.number == library.corpus.generation.number:
                raise
            return self.what(newest, *self.given)

    def _fits(self, library: Library) -> bool:
        newer = library.corpus.generation.number >= self.generation
        return newer and library.settings == self.setup.settings

    def _open(self, held: dict[Path, Library]) -> Library:
        made = held[self.folder] = self.setup.library(self.folder)
        made.run = self.run
        return made


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
        every = [served.setup.settings.models for served in self._corpora]
        many = _processes(each for each in every if each.names) if processes is None else processes
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
        asked: KeptAnswer = await self.do(served, person, answer_question, question, tell=tell)
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
    limits = [(WITH_MODEL, each.concurrency, each.requests_per_minute) for each in models]
    most = chain.from_iterable(limits)
    return min((limit for limit in most if limit > 0), default=(os.cpu_count() or 1) + SPARE)


def _shared(models: ModelSettings, count: int) -> ModelSettings:
    """The part of an endpoint's limits that each of `count` processes has."""
    return replace(
        models,
        concurrency=max(1, models.concurrency // count),
        requests_per_minute=models.requests_per_minute // count,
        tokens_per_minute=-(-models.tokens_per_minute // count),
    )
