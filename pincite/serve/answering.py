"""One question to one answer, with how it came about."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import CorpusError
from pincite.explain import explained
from pincite.library import Library
from pincite.settings import Settings
from pincite.types import Answer, Expects, Where


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a corpus."""

    text: str
    where: Where = ()
    expects: Expects | None = None
    unit: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer, the id it is kept under, and how it came about: `told` is as `explain.explained` tells it."""

    answer: Answer
    answer_id: str
    told: dict[str, Any]
    seconds: float
    generation: int


def answered(library: Library, question: Question) -> Asked:
    """Ask a library, and keep the answer."""
    started = time.perf_counter()
    query = library.query(question.text, question.where, question.expects, question.unit, question.as_of)
    outcome, told = explained(library, query, {})
    answer_id = library.keep([outcome.answer])[0]
    generation = library.corpus.generation.number
    return Asked(outcome.answer, answer_id, told, time.perf_counter() - started, generation)


def warm(library: Library) -> None:
    """Open what the first question would have to wait for."""
    if library.corpus.documents:
        library.search("warm up", 1)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the corpus in a folder, at least of this generation; an empty one only opens what the first one needs."""

    folder: Path
    settings: Settings
    generation: int
    question: Question

    def do(self, held: dict[Path, Library]) -> Asked | None:
        """Answer it; `held` are the corpora that are open."""
        library = held.get(self.folder)
        if library is None or library.corpus.generation.number < self.generation:
            library = held[self.folder] = Library(self.folder, self.settings)
        if not self.question.text:
            warm(library)
            return None
        try:
            return answered(library, self.question)
        except (
            CorpusError
        ):  # its indexes may have been swept away before it opened them: the newest generation has its own
            held[self.folder] = Library(self.folder, self.settings)
            if held[self.folder].corpus.generation.number == library.corpus.generation.number:
                raise
            return answered(held[self.folder], self.question)
