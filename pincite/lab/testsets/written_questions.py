"""Questions that a model writes about the text of documents, after Tran and Larsson (2026), section 4.3.1 and figure D.1.

Windows of n consecutive chunks that are about one thing (the highest mean cosine between them) are shown, the model asks a
question, and a second call picks the one chunk that answers it, whose page is the gold. An answer is gold too where it stands
in that chunk word for word. Chunks do not run over a page's end, and tables are cut out of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.corpus import Corpus
from pincite.errors import BudgetSpent, ModelError, UsageError
from pincite.lab.scoring.gold_chunks import chunk_id
from pincite.lab.testsets import asking_prompts
from pincite.lab.testsets.gold_rows import Row, names, number_gold, row_of
from pincite.models.loop import wait_all
from pincite.ports import Encoder, Model, Prompt
from pincite.quantity import parse
from pincite.search.index.token_windows import TokenWindows
from pincite.storage.ledger import Spend, about, metered
from pincite.types import Document, Node

WINDOW = {256: 5, 512: 2}
"""Chunks of a window by the tokens of a chunk: about 1,000 to 1,300 tokens are shown."""
WINDOWS = 3
"""Windows of a document."""
OVERLAP = 20
RE_ASKED = 2
"""Times that a model is told what is wrong with its question and asked again."""
AT_ONCE = 16

_SPEAKS_OF = re.compile(
    r"\b(?:the|this|that|given|above|provided) (?:text|passage|document|chunk|excerpt|context|page|table|row|column|query)\b",
    re.I,
)


@dataclass(slots=True)
class WrittenQuestions:
    """What came of a run: the questions, in order; how many were given up, and why; and why the run ended early, if it did."""

    rows: list[Row] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)
    spent: Spend = Spend()
    stopped: ModelError | None = None


def coherent(
    vectors: NDArray[np.float32], size: int, count: int = WINDOWS
) -> list[tuple[int, float]]:
    """The first chunk and coherence of the `count` most coherent windows of `size` consecutive chunks; none share a chunk.

    `vectors` are the chunks' unit vectors (chunks, dims) in order. The coherence is the mean cosine of every two different
    chunks of a window: (|sum of vectors|^2 - n) / (n (n - 1)). Equal ones stay in the order of the document.
    """
    size = min(size, len(vectors))
    if size < 2:
        return [(0, 1.0)] if len(vectors) else []
    sums = [vectors[at : at + size].sum(axis=0) for at in range(len(vectors) - size + 1)]
    scores = [(float(vector @ vector) - size) / (size * (size - 1)) for vector in sums]
    chosen: list[int] = []
    for at in sorted(range(len(scores)), key=lambda vector: -scores[vector]):
        if len(chosen) < count and all(abs(at - other) >= size for other in chosen):
            chosen.append(at)
    return [(at, scores[at]) for at in chosen]


def write_documents(
    corpus: Corpus,
    model: Model,
    encoder: Encoder,
    n: int,
    *,
    seed: int = 0,
    tokens: int = 256,
) -> WrittenQuestions:
    """Up to `n` questions about the text of documents; each has the page of one chunk for its gold."""
    jobs = _windows(corpus, model, encoder, n, seed, tokens)
    return run_jobs(jobs, n)


Job = Callable[[], Awaitable[list[Row]]]


def run_jobs(jobs: Sequence[Job], n: int) -> WrittenQuestions:
    """Do jobs, several at once; the questions stand in the order of the jobs, and a job that fails is given up.

    Money that runs out, or an endpoint that stays away, ends the run early with all that came kept.
    """
    made = WrittenQuestions()
    results: dict[int, list[Row]] = {}
    todo = iter(enumerate(jobs))

    async def through() -> None:
        for at, job in todo:
            try:
                results[at] = await job()
            except BudgetSpent as error:
                made.stopped = error
            except (ModelError, UsageError) as error:
                made.given_up.append(str(error))
                made.stopped = (
                    error if isinstance(error, ModelError) and error.retryable else made.stopped
                )
            if made.stopped:
                return

    with about(run="testset", offline=True), metered("Testset") as meter:
        wait_all(through() for _ in range(min(AT_ONCE, len(jobs))))
    made.rows = [row for at in sorted(results) for row in results[at]][:n]
    made.spent = meter.total
    return made


# ---- documents


def _windows(
    corpus: Corpus, model: Model, encoder: Encoder, n: int, seed: int, tokens: int
) -> list[Job]:
    """A job for each window, document after document in an order drawn by the seed, until there are enough."""
    called = names(corpus.documents)
    view = TokenWindows(encoder, tokens, OVERLAP, without=("table",))
    jobs: list[Job] = []
    for card in random.Random(seed).sample(list(corpus.documents), len(corpus.documents)):
        if len(jobs) >= n:
            break
        document = corpus.document(card.version)
        chunks = list(view(document))
        vectors = (
            encoder.encode([chunk.text for chunk in chunks])
            if chunks
            else np.zeros((0, encoder.dims), np.float32)
        )
        size = WINDOW.get(tokens, max(2, 1280 // tokens))
        nodes = {node.id: node for node in document.nodes}
        for start, score in coherent(vectors, size):
            some = [
                (chunk.text, chunk.at, nodes[chunk.node]) for chunk in chunks[start : start + size]
            ]
            about_run = {"seed": seed, "tokens": tokens}
            jobs.append(_Window(document, called[card.version], some, score, model, about_run))
    return jobs[:n]


@dataclass(frozen=True, slots=True)
class _Window:
    document: Document
    name: str
    chunks: Sequence[tuple[str, int, Node]]
    coherence: float
    model: Model
    source: dict[str, Any]

    async def __call__(self) -> list[Row]:
        prompt = asking_prompts.asking_about(
            "\n".join(text for text, _, _ in self.chunks), self.name
        )
        asked = await self._asked(prompt)
        choice = asking_prompts.picking(asked.question, [text for text, _, _ in self.chunks])
        picked = (await self.model.complete(choice, asking_prompts.PickForm)).value
        if not 1 <= picked.piece <= len(self.chunks):
            raise UsageError(f"no chunk answers {asked.question!r}")
        text, at, node = self.chunks[picked.piece - 1]
        chunk = chunk_id(self.document.version, node.id, self.source["tokens"], at)
        return [
            row_of(
                " ".join(asked.question.split()), self.document, [node], [node.anchor.page], "written about text", chunk,
                answer_in(asked.answer, text), **self.source, chunk=chunk, text=text, coherence=round(self.coherence, 6),
                model=self.model.name,
            )
        ]  # fmt: skip

    async def _asked(self, prompt: Prompt) -> asking_prompts.AskedForm:
        """A question that nothing is wrong with; UsageError when there is none after re-asking."""
        for _ in range(RE_ASKED + 1):
            made = await self.model.complete(prompt, asking_prompts.AskedForm)
            said = problem(made.value.question)
            if not said:
                return made.value
            prompt = replace(prompt, turns=(*prompt.turns, (made.text, said)))
        raise UsageError(said)


def problem(question: str) -> str:
    """What is wrong with a question; "" for nothing."""
    if not question.strip().endswith("?"):
        return "The question must be one question and end in a question mark."
    spoken = _SPEAKS_OF.search(question)
    if spoken:
        return f"The question speaks of {spoken[0]!r}, which whoever reads it has not seen: name what is meant."
    return ""


def answer_in(answer: str, text: str) -> Row:
    """The gold fields of an answer that stands in the text word for word; none for another."""
    plain = " ".join(answer.split())
    if not plain or plain.casefold() not in " ".join(text.split()).casefold():
        return {}
    found = parse(plain)
    if found is not None and found.low is None and found.unit != "year":
        return number_gold(found, plain)
    return {"answer": plain, "answer_type": "text"}
