"""Questions answered beside the event loop, so that a slow one holds up nobody who asks something else."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from pincite.errors import CorpusError
from pincite.serve.answering import Ask, Asked, Question, answered
from pincite.serve.corpora import Served
from pincite.serve.limits import WAITING
from pincite.serve.problems import Problem
from pincite.serve.workers import Workers

Made = TypeVar("Made")
THREADS = 16
LONGEST_S = 120.0
"""A question that takes longer is given up."""
RECENT = 500
"""Answers whose trace is remembered."""


class Asking:
    """Asks questions of corpora; the same question of the same generation is answered once.

    Without a model a question is work for one core, done by a process of its own; with one it is mostly waiting, done by a
    thread, so that limits and budget hold for all of them. With no `processes` threads do everything.
    """

    def __init__(self, processes: int | None = None) -> None:
        count = os.cpu_count() or 1 if processes is None else processes
        self._workers = Workers(count, LONGEST_S) if count else None
        self._threads = ThreadPoolExecutor(THREADS, "pincite-ask")
        self._answered: OrderedDict[tuple[str, int, Question], Asked] = OrderedDict()
        self._by_id: dict[tuple[str, str], Asked] = {}
        self.waiting = 0

    async def ask(self, served: Served, question: Question, person: str = "") -> Asked:
        """Answer a question; raises what a library raises, Problem 503 when too many wait already."""
        key = served.name, served.edition.number, question
        if key in self._answered:
            self._answered.move_to_end(key)
            return self._answered[key]
        if self.waiting >= WAITING:
            raise Problem(503, "too many questions are waiting: ask again in a few seconds", {"Retry-After": "3"})
        self.waiting += 1
        asked: Asked
        try:
            if self._workers is not None and not served.settings.models.names:
                asked = await self._workers.do(person, _order(served, question))
            else:
                asked = await self.beside(_ask, served, question)
        finally:
            self.waiting -= 1
        self._keep(served.name, question, asked)
        return asked

    async def beside(self, what: Callable[..., Made], *given: Any) -> Made:
        """Anything else that takes a while, such as a search, in threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(what, *given))

    async def open(self, served: Served) -> None:
        """Let the processes open what the first question would have to wait for."""
        if self._workers is not None and not served.settings.models.names:
            await self._workers.open(_order(served, Question("")))

    def recent(self, corpus: str) -> list[Asked]:
        """Those answered lately, the latest first."""
        return [asked for (name, _, _), asked in reversed(self._answered.items()) if name == corpus]

    def recalled(self, corpus: str, answer_id: str) -> Asked | None:
        """An answer of this server's recent ones, with its trace."""
        return self._by_id.get((corpus, answer_id))

    def _keep(self, corpus: str, question: Question, asked: Asked) -> None:
        self._answered[corpus, asked.generation, question] = asked
        self._by_id[corpus, asked.answer_id] = asked
        while len(self._answered) > RECENT:
            (name, _, _), old = self._answered.popitem(last=False)
            self._by_id.pop((name, old.answer_id), None)

    async def close(self) -> None:
        """Wait for nothing more; what is being answered ends with the process."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._workers is not None:
            await self._workers.close()


def _order(served: Served, question: Question) -> Ask:
    return Ask(served.folder.resolve(), served.settings, served.edition.number, question)


def _ask(served: Served, question: Question) -> Asked:
    try:
        return answered(served.edition.library, question)
    except CorpusError:
        if not served.refresh():  # else its indexes were swept away before the first question opened them
            raise
        return answered(served.edition.library, question)
