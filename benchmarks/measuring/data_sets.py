"""The data sets by name: their questions as a system may see them, with their gold, and the documents that a question names.

A question carries a running number as its id, its text, the documents it is about only where a run is held to them, and the
kind of answer and the unit it is wanted in where the task states them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.lab.scoring import wattbot
from pincite.lab.scoring.examples import example, name_words
from pincite.records.runfile import read_lines
from pincite.types import Example

Row = dict[str, Any]


def load_wattbot(folder: Path) -> list[Example]:
    """Both question files, the training questions first."""
    files = (wattbot.read_gold(folder / f"{name}_QA.csv") for name in ("train", "dev"))
    rows = [row for file in files for row in file.values()]
    return [
        example(n, dict(row), row["question"], ("answer_unit",)) for n, row in enumerate(rows, 1)
    ]


def load_erc(folder: Path) -> list[Example]:
    """Annual reports: the kind is given, the company stands in the question and nowhere else."""
    rows = [{**row, "doc_ids": ()} for row in read_lines(folder / "questions.jsonl")]
    return [example(n, row, row["question"], ("kind",)) for n, row in enumerate(rows, 1)]


def load_questions(folder: Path) -> list[Example]:
    """Any folder with a `questions.jsonl`."""
    rows = read_lines(folder / "questions.jsonl")
    return [example(n, row, row["question"]) for n, row in enumerate(rows, 1)]


LOADERS: dict[str, tuple[str, Callable[[Path], list[Example]]]] = {
    "wattbot": ("wattbot", load_wattbot),
    "erc": ("erc", load_erc),
    "mmlongbench": ("pdfqa_mmlongbench", load_questions),
    "financebench": ("pdfqa_financebench", load_questions),
    "fresh": ("fresh/pdfqa_mmlongbench", load_questions),
    "uda": ("pdfqa_uda", load_questions),
    "tatqa": ("tableqa_tatqa", load_questions),
    "wtq": ("tableqa_wtq", load_questions),
}


def load(name: str, data: Path) -> list[Example]:
    """The examples of a data set below the folder `data`. Raises UsageError when the set is unknown or not there."""
    if name not in LOADERS:
        raise UsageError(f"no data set is named {name!r}; known: {', '.join(LOADERS)}")
    folder, loader = LOADERS[name]
    if not (data / folder).is_dir():
        raise UsageError(
            f"{name} is missing: no folder {data / folder}. Set PINCITE_DATA to the folder that holds it."
        )
    return loader(data / folder)


def question_row(asked: Example, own: bool) -> Row:
    """An example as a line of a question file; its documents only where the run is held to them (`own`)."""
    row: Row = {"id": asked.id, "question": asked.query.text}
    if own and asked.query.where:
        row["doc_ids"] = list(asked.query.where[0][1])
    if asked.query.expects:
        row["kind"] = asked.query.expects
    if asked.query.unit:
        row["answer_unit"] = asked.query.unit
    return row


def names_document(question: str, names: Mapping[str, str]) -> set[str]:
    """The documents that a question names, of `names`: document -> file name or title.

    The rule, fixed before anything was tuned: a question names a document when it holds something that no other name
    holds, either two words of the name side by side, or one distinctive word (of four characters, or with a letter and
    a digit) that the question writes with a capital or a digit behind its own first word. Two words of the question
    also match one joined word of the name ("Acme Steel", acmesteel). Numbers alone and hashes are no words.
    """
    written = re.findall(r"[A-Za-z0-9]+", re.sub(r"['’]s\b", "", question))
    asked = [word.lower() for word in written]
    pairs = set(pairwise(asked))
    forms = list(zip(asked, written, strict=True))[1:]
    alone = {word for word, form in forms if distinct(word) and not form.islower()}
    alone |= {a + b for a, b in pairs if distinct(a + b)}
    marks = {document: marks_of(name) for document, name in names.items()}
    return {
        document
        for document, own in marks.items()
        if (pairs | alone)
        & own - {mark for other in marks if other != document for mark in marks[other]}
    }


def marks_of(name: str) -> set[str | tuple[str, str]]:
    """What a question can name a document by: its distinctive words, and pairs of neighbours with one of them."""
    words = name_words(name)
    return {word for word in words if distinct(word)} | {
        (a, b) for a, b in pairwise(words) if distinct(a) or distinct(b)
    }


def distinct(word: str) -> bool:
    """Whether a word can stand alone for a name."""
    return len(word) >= 4 or (any(c.isdigit() for c in word) and any(c.isalpha() for c in word))
