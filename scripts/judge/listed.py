"""What the readers propose for questions over given tables: right and wrong places as the judge meets them at work.

Pairs that are made from tables alone are wrong in ways that somebody thought of. A reader's own first candidates are wrong in the
ways in which it errs, and they are what the judge has to choose from.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from example import Kind, Pair
from grid import plain
from sources import rows

from pincite.answer import given, quote
from pincite.answer.candidate import Candidate, Passage
from pincite.answer.judged import candidate_pairs, sort_of
from pincite.answer.question import understand
from pincite.answer.rank import KEPT
from pincite.answer.say import worded
from pincite.evaluate import tatqa
from pincite.types import Query

WRONG = 5
"""So many wrong candidates of a question are learned from: those that the readers like best."""
WTQ = 3_000
"""So many questions of WikiTableQuestions are read."""


def proposed(
    question: str, passages: Sequence[Passage], right: Callable[[Candidate], bool], group: str, source: str
) -> Iterator[Pair]:
    """The pairs of one question: nothing where no candidate is right, since then nobody knows what a right place is."""
    ask = understand(Query(question))
    kept = [candidate for reader in quote.readers(ask, passages) for candidate in reader[:KEPT]]
    marks = [right(candidate) for candidate in kept]
    if not any(marks):
        return
    good = {pair for candidate, ok in zip(kept, marks, strict=True) if ok for pair in candidate_pairs(ask, candidate)}
    ranked = sorted(zip(kept, marks, strict=True), key=lambda each: -each[0].score)
    wrong = 0
    for candidate, ok in ranked:
        sort = sort_of(candidate.value, candidate.operation)
        if sort not in ("quoted", "computed") or not ok and wrong >= WRONG:
            continue
        kind: Kind = "number" if not isinstance(candidate.value, str) else "text"
        for asked, place in candidate_pairs(ask, candidate):
            if ok or (asked, place) not in good:
                yield Pair(asked, place, int(ok), kind, "right" if ok else "value", group, source)
        wrong += not ok


def listed(data: Path, chance: random.Random) -> Iterator[Pair]:
    """The pairs of TAT-QA and of a part of WikiTableQuestions."""
    folder = data / "tableqa_tatqa"
    contexts = {row["context_id"]: row for row in rows(folder / "contexts.jsonl")}
    documents = {
        name: given.document_of(row["table"], [part["text"] for part in row["paragraphs"]]) for name, row in contexts.items()
    }
    for row in rows(folder / "questions.jsonl"):

        def right(candidate: Candidate, row: dict[str, object] = row) -> bool:
            said = given.items_and_scale(candidate)
            return tatqa.score(*said, row["answer"], row["scale"], row["answer_type"])[0] == 1  # type: ignore[arg-type]

        yield from proposed(row["question"], documents[row["context_id"]], right, row["context_id"], "listed")
    tables = {row["table_id"]: row["rows"] for row in rows(data / "train" / "wtq_tables.jsonl.xz")}
    questions = [row for row in rows(data / "train" / "wtq_questions.jsonl.xz") if len(row["answers"]) == 1]
    for row in chance.sample(questions, min(WTQ, len(questions))):
        gold = plain(row["answers"][0])
        yield from proposed(
            row["question"],
            given.document_of(tables[row["table_id"]], []),
            lambda candidate, gold=gold: plain(worded(candidate.value)) == gold,  # type: ignore[misc]
            row["table_id"],
            "listed",
        )
