"""One question to one answer, with how it came about."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from pincite import check, document, evidence, lines, question, reconcile, rows
from pincite.errors import CorpusError, PinciteError
from pincite.library import Library
from pincite.models.kit import default_kit
from pincite.records.answer_store import keep, recall_answer, recall_told
from pincite.serve.corpora import AnswerSetup
from pincite.types import Answer, Expects, Where
from pincite.workbench.explanation import explained


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
    """An answer, the id it is kept under, and how it came about: `told` is as `explain.explained` tells it."""

    answer: Answer
    answer_id: str
    told: dict[str, Any]
    seconds: float
    generation: int


def answered(library: Library, question: AskedQuestion) -> KeptAnswer:
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


def recalled(folder: Path, answer_id: str) -> tuple[Answer, KeptAnswer | None]:
    """An answer that was kept, and how it came about where that was kept too. UsageError when there is no such answer."""
    answer, told = recall_answer(folder, answer_id), recall_told(folder, answer_id)
    return answer, KeptAnswer(
        answer, answer_id, told, told["seconds"], told["generation"]
    ) if told else None


PREPARE = "pincite.serve.processes.answering:prepare"


def prepare() -> None:
    """Load what everyone who answers needs."""
    for room in (check, document, evidence, lines, question, reconcile, rows):
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
        if (
            library is None
            or library.corpus.generation.number < self.generation
            or library.settings != self.setup.settings
        ):
            if library is not None:
                library.corpus.close()
            library = self._open(held)
        try:
            return self.what(library, *self.given)
        except CorpusError:  # its indexes may have been swept away before they were opened: the newest have their own
            newest = self._open(held)
            if newest.corpus.generation.number == library.corpus.generation.number:
                raise
            return self.what(newest, *self.given)

    def _open(self, held: dict[Path, Library]) -> Library:
        made = held[self.folder] = self.setup.library(self.folder)
        made.run = self.run
        return made
