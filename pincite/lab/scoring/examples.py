"""Data sets as examples, and questions as a system may see them.

A question carries a running number as its id, the question itself, the documents it is about only where a run is held
to them, and the kind of answer and the unit it is wanted in where the task states them.
Everything else of a row is gold and stays in `Example.meta["gold"]`, for metrics alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.lab.scoring import wattbot
from pincite.lab.scoring.beir_folder import question_rows
from pincite.records.runfile import document_name, read_lines
from pincite.types import Example, Expects, Query, Where

KINDS: dict[str, Expects] = {
    "number": "number",
    "boolean": "boolean",
    "name": "name",
    "names": "names",
}
Row = dict[str, Any]


def example(number: int, row: Row, question: str, allowed: Sequence[str] = ()) -> Example:
    """A row as an example; of its fields the query sees the question, and `kind` and `answer_unit` where allowed."""
    unit = str(row.get("answer_unit", "")) if "answer_unit" in allowed else ""
    return Example(
        id=str(number),
        query=Query(
            text=" ".join(question.split()),
            where=own_documents(row),
            expects=KINDS.get(str(row.get("kind"))) if "kind" in allowed else None,
            unit="" if wattbot.is_blank(unit) else unit,
        ),
        value=row.get("answer", row.get("answer_value", row.get("gold"))),
        evidence=tuple(evidence_of(row)),
        meta={"gold": row},
    )


def own_documents(row: Mapping[str, Any]) -> Where:
    """The filter that holds a question to its own documents; nothing when the row names none."""
    names = tuple(str(name) for name in row.get("doc_ids") or ())
    return (("document", names),) if names else ()


def evidence_of(row: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The (document, 1-based page) pairs of a gold row: its evidence, or its evidence pages in its only document."""
    listed = row.get("evidence")
    placed = [each for each in listed if each.get("page")] if isinstance(listed, list) else []
    yield from dict.fromkeys(
        (document_name(str(each["doc_id"])), int(each["page"])) for each in placed
    )
    names = list(row.get("doc_ids") or ())
    if len(names) == 1 and not placed:
        yield from (
            (document_name(str(names[0])), int(page)) for page in row.get("evidence_pages") or ()
        )


def load_wattbot(folder: Path) -> list[Example]:
    """Both question files, the training questions first."""
    rows = [
        row
        for name in ("train_QA.csv", "dev_QA.csv")
        for row in wattbot.read_gold(folder / name).values()
    ]
    return [
        example(n, dict(row), row["question"], ("answer_unit",)) for n, row in enumerate(rows, 1)
    ]


def load_erc(folder: Path) -> list[Example]:
    """Annual reports: the kind is given, the company stands in the question and nowhere else."""
    rows = [{**row, "doc_ids": ()} for row in read_lines(folder / "questions.jsonl")]
    return [example(n, row, row["question"], ("kind",)) for n, row in enumerate(rows, 1)]


def load_questions(folder: Path) -> list[Example]:
    """Any folder with a `questions.jsonl`."""
    return [
        example(n, row, row["question"])
        for n, row in enumerate(read_lines(folder / "questions.jsonl"), 1)
    ]


def load_beir(folder: Path) -> list[Example]:
    """A BEIR folder: the queries by their ids, the gold is the grade of each judged document."""
    return [
        replace(example(n, row, row["question"]), id=row["id"])
        for n, row in enumerate(question_rows(folder), 1)
    ]


LOADERS: dict[str, tuple[str, Callable[[Path], list[Example]]]] = {
    "wattbot": ("wattbot", load_wattbot),
    "erc": ("erc", load_erc),
    "mmlongbench": ("pdfqa_mmlongbench", load_questions),
    "financebench": ("pdfqa_financebench", load_questions),
    "fresh": ("fresh/pdfqa_mmlongbench", load_questions),
    "uda": ("pdfqa_uda", load_questions),
    "climretrieve": ("pdfqa_climretrieve", load_questions),
    "sec10q": ("pdfqa_sec10q_multidoc", load_questions),
    "tatqa": ("tableqa_tatqa", load_questions),
    "wtq": ("tableqa_wtq", load_questions),
    "vaswani": ("retrieval_vaswani", load_beir),
}


def name_words(name: str) -> list[str]:
    """The words of a file name or title in lower case, hashes and bare numbers left out."""
    parts = re.findall(r"[A-Za-z0-9]+", document_name(name))
    return [
        p.lower()
        for p in parts
        if not p.isdigit() and not re.fullmatch(r"(?=.*\d)[0-9a-f]{12,}", p.lower())
    ]
