"""Questions as a system may see them, and what their gold rows say of evidence.

A query carries the question itself, the documents it is about only where a run is held to them, and the kind of answer and the
unit it is wanted in where the task states them. Everything else of a row is gold and stays in `Example.meta["gold"]`, for metrics
alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.lab.scoring import wattbot
from pincite.lab.scoring.beir_folder import question_rows
from pincite.records.runfile import Spot, document_name
from pincite.types import Example, Expects, Query, Where

KINDS: dict[str, Expects] = {
    "number": "number", "boolean": "boolean", "name": "name", "names": "names",
}  # fmt: skip
Row = Mapping[str, Any]


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


def load_beir(folder: Path) -> list[Example]:
    """A BEIR folder: the queries by their ids, the gold is the grade of each judged document."""
    rows = enumerate(question_rows(folder), 1)
    return [replace(example(n, row, row["question"]), id=row["id"]) for n, row in rows]


def own_documents(row: Row) -> Where:
    """The filter that holds a question to its own documents; nothing when the row names none."""
    names = tuple(str(name) for name in row.get("doc_ids") or ())
    return (("document", names),) if names else ()


def evidence_of(row: Row) -> Iterator[Spot]:
    """The (document, 1-based page) pairs of a gold row: its evidence, or its evidence pages in its only document."""
    listed = row.get("evidence")
    placed = [each for each in listed if each.get("page")] if isinstance(listed, list) else []
    yield from dict.fromkeys(
        (document_name(str(each["doc_id"])), int(each["page"])) for each in placed
    )
    names = list(row.get("doc_ids") or ())
    if len(names) == 1 and not placed:
        for page in row.get("evidence_pages") or ():
            yield document_name(str(names[0])), int(page)


def judgements(gold: Row) -> tuple[frozenset[Spot], Mapping[str, int]]:
    """The evidence pages of a gold row, and the grade of each judged document."""
    pages = frozenset(evidence_of(gold))
    if "qrels" in gold:
        return pages, {document_name(name): grade for name, grade in gold["qrels"].items()}
    if "ref_id" in gold:
        blank = wattbot.is_blank(gold["ref_id"])
        return pages, {} if blank else dict.fromkeys(wattbot.gold_references(gold["ref_id"]), 1)
    names = frozenset(document_name(str(name)) for name in gold.get("doc_ids") or ())
    # a question that is not held to its documents has those of its pages
    return pages, dict.fromkeys(names or {document for document, _ in pages}, 1)


def name_words(name: str) -> list[str]:
    """The words of a file name or title in lower case, hashes and bare numbers left out."""
    words = [word.lower() for word in re.findall(r"[A-Za-z0-9]+", document_name(name))]
    is_hash = re.compile(r"(?=.*\d)[0-9a-f]{12,}")
    return [word for word in words if not word.isdigit() and not is_hash.fullmatch(word)]
