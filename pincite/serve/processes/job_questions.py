"""The questions of a job, answered by a process that can be killed: a question that never ends fails, and the others continue."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence

from pincite.errors import GivenUp
from pincite.ports import Progress
from pincite.serve.corpora import AnswerSetup
from pincite.serve.processes.question_pool import LONGEST_S, PREPARE, CorpusRead
from pincite.serve.processes.worker_pool import Workers, pieces
from pincite.workbench.batch import Asked, Done, answer_all
from pincite.workbench.library import AT_ONCE, Library

ROUNDS = 8
"""With a model, a process is given as many questions at once as keep its requests busy for so long."""


class JobQuestions:
    """Answers questions as `batch.answer_all` does, in a process beside this one; `progress` hears how far a model is."""

    def __init__(
        self,
        longest: float = LONGEST_S,
        progress: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self._runner = asyncio.Runner()
        self._progress = progress
        self._workers = Workers(1, longest, PREPARE)

    def __enter__(self) -> JobQuestions:
        return self

    def __exit__(self, *why: object) -> None:
        self._runner.run(self._workers.close())
        self._runner.close()

    def __call__(
        self, asked: Sequence[Asked], library: Library, run: str
    ) -> Iterator[Sequence[Done]]:
        """The questions as they are done; those that took too long, or ended their process, fail with GivenUp."""
        model = library.kit.large is not None
        size = ROUNDS * library.settings.models.concurrency if model else AT_ONCE
        for start in range(0, len(asked), size):
            yield from self._answer_part(asked[start : start + size], library, run)

    def _answer_part(
        self, asked: Sequence[Asked], library: Library, run: str
    ) -> Iterator[Sequence[Done]]:
        """One part; when it is given up, each question that it leaves alone."""
        left = {question.id: (question, query) for question, query in asked}
        try:
            for some in self._answer(asked, library, run):
                for done in some:
                    left.pop(done.question.id, None)
                yield some
        except GivenUp as error:
            if len(asked) == 1:
                yield [Done(*asked[0], None, error)]
                return
            for alone in left.values():
                yield from self._answer_part([alone], library, run)

    def _answer(
        self, asked: Sequence[Asked], library: Library, run: str
    ) -> Iterator[Sequence[Done]]:
        corpus = library.corpus
        setup = AnswerSetup(library.settings, library.recipe, library.kit.stand_ins)
        folder, number = corpus.folder.resolve(), corpus.generation.number
        order = CorpusRead(folder, setup, number, run, _answers, (asked, run))
        told = pieces(lambda tell: self._workers.do("", order, tell))

        async def next_piece() -> Sequence[Done] | Progress | None:
            return await anext(told, None)

        while (some := self._runner.run(next_piece())) is not None:
            if isinstance(some, Progress):
                self._progress(some)
            else:
                yield some


def _answers(library: Library, asked: Sequence[Asked], run: str) -> Iterator[Sequence[Done]]:
    yield from answer_all(asked, library, run)
