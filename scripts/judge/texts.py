"""Questions over a text each: public sets whose answers stand in a passage of an encyclopaedia or of an article."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grid import plain
from prose import overlap
from sources import rows

from pincite.evidence.candidate import Candidate
from pincite.evidence.value_in_words import worded
from pincite.lab.scoring.typed_answers import token_f1
from pincite.quantity import parse, same
from pincite.types import Quantity

AROUND = 1_500
"""Characters of an article on either side of where the answer begins."""
DRAWN = 40
"""So many texts of others are drawn for a question over a text,"""
BESIDE = 2
"""of which so many, the nearest to it by words, are read with its own."""


@dataclass(frozen=True)
class Asked:
    """A question over a text, and what answers it there."""

    question: str
    text: str
    answer: str
    group: str


def nq(folder: Path) -> Iterator[Asked]:
    """Natural Questions: a passage of an encyclopaedia."""
    for row in rows(folder / "nq.jsonl.xz"):
        for answer in row["answers"][:1]:
            yield Asked(
                row["question"],
                row["context"].replace("`` ", '"').replace(" ''", '"'),
                answer,
                f"nq:{row['title']}",
            )


def xquad(folder: Path) -> Iterator[Asked]:
    """XQuAD in English: a paragraph."""
    for row in rows(folder / "xquad_en.jsonl.xz"):
        yield Asked(
            row["question"],
            row["context"],
            row["answers"][0]["text"],
            f"xquad:{row['context'][:60]}",
        )


def covidqa(folder: Path) -> Iterator[Asked]:
    """COVID-QA: what stands around the answer in a scientific article."""
    articles = {
        row["context_id"]: row["context"] for row in rows(folder / "covidqa_articles.jsonl.xz")
    }
    for row in rows(folder / "covidqa_questions.jsonl.xz"):
        answer, text = row["answers"][0], articles[row["context_id"]]
        near = text[max(0, answer["start"] - AROUND) : answer["start"] + AROUND]
        yield Asked(row["question"], near, answer["text"], f"covidqa:{row['context_id']}")


def pubmedqa(folder: Path) -> Iterator[Asked]:
    """PubMedQA: an abstract with its conclusion, which answers yes or no."""
    for row in rows(folder / "pubmedqa.jsonl.xz"):
        if row["decision"] != "maybe":
            text = "\n\n".join((*row["contexts"], row["long_answer"]))
            yield Asked(row["question"], text, row["decision"], f"pubmedqa:{row['id']}")


TEXTS: dict[str, Callable[[Path], Iterator[Asked]]] = {
    "nq": nq,
    "xquad": xquad,
    "covidqa": covidqa,
    "pubmedqa": pubmedqa,
}
"""The sets, each over the folder in which it lies."""


def beside(asked: Asked, everything: Sequence[Asked], chance: random.Random) -> list[str]:
    """Texts of other groups that a question's own is read with: of some that are drawn the nearest to it by words."""
    drawn = chance.sample(everything, min(DRAWN, len(everything)))
    others = dict.fromkeys(other.text for other in drawn if other.group != asked.group)
    return sorted(others, key=lambda text: -overlap(asked.question, text))[:BESIDE]


def tells(answer: str, candidate: Candidate) -> bool:
    """Whether a candidate holds the answer, or shares half of the words of both; a number, yes and no have to be the same."""
    said = worded(candidate.value)
    if isinstance(candidate.value, bool):
        return said.lower() == answer
    if isinstance(candidate.value, Quantity):
        number = parse(answer)
        return number is not None and same(candidate.value, number, lenient=True)
    return plain(answer) in plain(said) or token_f1(said, answer) >= 0.5
