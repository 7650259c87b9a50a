"""What the readers propose for questions over given tables and texts: right and wrong places as the judge meets them in use.

Pairs made from tables or sentences alone are wrong only in ways that somebody thought of. A reader's own first candidates
are wrong in the ways in which the reader errs, and the judge has to choose among them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from example import Kind, Pair
from grid import plain
from sources import rows
from texts import TEXTS, Asked, beside, tells

from benchmarks.measuring import bare_table, tatqa_score
from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.judged_evidence import candidate_pairs, sort_of
from pincite.evidence.value_in_words import worded
from pincite.lines import reading
from pincite.question.understanding import understand
from pincite.text.lexicon import data_table
from pincite.types import Query

RIGHT = 3
"""So many right candidates of a question are learned from, and"""
WRONG = 7
"""so many wrong ones: those that the readers like best."""


def proposed(
    question: str, passages: Sequence[Passage], right: Callable[[Candidate], bool], group: str
) -> Iterator[Pair]:
    """The pairs of one question; none if no candidate is right, since then no right place is known."""
    ask = understand(Query(question))
    found, _ = reading.candidates(ask, passages)
    places = reading.first(reading.described(ask, found), data_table(reading.WEIGHTS)["first"])
    kept = [found[at] for at in places]
    marks = [right(candidate) for candidate in kept]
    if not any(marks):
        return
    good = {
        pair
        for candidate, ok in zip(kept, marks, strict=True)
        if ok
        for pair in candidate_pairs(ask, candidate)
    }
    left = {True: RIGHT, False: WRONG}
    for candidate, ok in zip(kept, marks, strict=True):
        if (
            sort_of(candidate.value, candidate.operation) not in ("quoted", "computed")
            or not left[ok]
        ):
            continue
        left[ok] -= 1
        kind: Kind = "number" if not isinstance(candidate.value, str) else "text"
        for asked, place in candidate_pairs(ask, candidate):
            if ok or (asked, place) not in good:
                yield Pair(
                    asked, place, int(ok), kind, "right" if ok else "value", group, "listed"
                )


def listed(data: Path, chance: random.Random) -> Iterator[Pair]:
    """The pairs of TAT-QA, WikiTableQuestions and the sets over passages."""
    yield from of_tatqa(data / "tableqa_tatqa")
    yield from of_wtq(data / "train")
    for source in TEXTS.values():
        yield from of_texts(list(source(data / "train")), chance)


def of_tatqa(folder: Path) -> Iterator[Pair]:
    """The pairs of TAT-QA: a table and its paragraphs."""
    contexts = {row["context_id"]: row for row in rows(folder / "contexts.jsonl")}
    documents = {
        name: bare_table.document_of(row["table"], [part["text"] for part in row["paragraphs"]])
        for name, row in contexts.items()
    }
    for row in rows(folder / "questions.jsonl"):

        def right(candidate: Candidate, row: dict[str, Any] = row) -> bool:
            said = bare_table.items_and_scale(candidate)
            return (
                tatqa_score.score(*said, row["answer"], row["scale"], row["answer_type"])[0] == 1
            )

        yield from proposed(
            row["question"], documents[row["context_id"]], right, row["context_id"]
        )


def of_wtq(folder: Path) -> Iterator[Pair]:
    """The pairs of WikiTableQuestions: a table alone, questions with one answer."""
    tables = {row["table_id"]: row["rows"] for row in rows(folder / "wtq_tables.jsonl.xz")}
    for row in rows(folder / "wtq_questions.jsonl.xz"):
        if len(row["answers"]) == 1:
            gold = plain(row["answers"][0])
            passages = bare_table.document_of(tables[row["table_id"]], [])
            yield from proposed(row["question"], passages, partial(says, gold), row["table_id"])


def says(gold: str, candidate: Candidate) -> bool:
    """Whether a candidate's value reads as the gold does."""
    return plain(worded(candidate.value)) == gold


def of_texts(asked: Sequence[Asked], chance: random.Random) -> Iterator[Pair]:
    """The pairs of questions over a text each, which is read beside texts of others."""
    for each in asked:
        passages = bare_table.document_of([], [each.text, *beside(each, asked, chance)])
        yield from proposed(each.question, passages, partial(tells, each.answer), each.group)
