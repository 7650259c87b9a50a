"""Questions of six development sets with the pages or documents that hold their answers, from PINCITE_DATA."""

from __future__ import annotations

import ast
import csv
import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PDF_SETS = ("pdfqa_uda", "pdfqa_mmlongbench", "pdfqa_sec10q_multidoc", "pdfqa_climretrieve")
TATQA = 150
"""Questions of TAT-QA that are taken, of different contexts as far as there are."""


@dataclass(frozen=True, slots=True)
class DevQuestion:
    """A question; `gold` are (document without ending, page), page 0 where any page of the document counts."""

    text: str
    gold: frozenset[tuple[str, int]]


def questions(data: Path) -> list[DevQuestion]:
    """The questions of all six sets in a fixed order."""
    return [*_pdf(data), *_wattbot(data), *_tatqa(data)]


def write_tatqa(data: Path, folder: Path) -> None:
    """Write every context of TAT-QA as an HTML file."""
    folder.mkdir(parents=True, exist_ok=True)
    for context in _rows(data / "tableqa_tatqa" / "contexts.jsonl"):
        lines = [
            "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row)
            for row in context["table"]
        ]
        table = "".join(f"<tr>{line}</tr>" for line in lines)
        paragraphs = sorted(context["paragraphs"], key=lambda paragraph: paragraph["order"])
        texts = "".join(f"<p>{html.escape(paragraph['text'])}</p>" for paragraph in paragraphs)
        path = folder / f"{context['context_id']}.html"
        path.write_text(f"<html><body><table>{table}</table>{texts}</body></html>")


def _pdf(data: Path) -> Iterator[DevQuestion]:
    for name in PDF_SETS:
        for row in _rows(data / name / "questions.jsonl"):
            documents = [Path(document).stem for document in row.get("doc_ids", ())]
            pages = row.get("evidence_pages") or [0]
            if len(documents) > 1:
                pages = [0]
            gold = frozenset((document, page) for document in documents for page in pages)
            yield DevQuestion(row["question"], gold)


def _wattbot(data: Path) -> Iterator[DevQuestion]:
    for name in ("dev_QA.csv", "train_QA.csv"):
        with (data / "wattbot" / name).open(encoding="utf-8-sig", errors="replace") as file:
            for row in csv.DictReader(file):
                said = row["ref_id"]
                names = ast.literal_eval(said) if said.startswith("[") else said.split(";")
                gold = frozenset((name.strip(), 0) for name in names)
                yield DevQuestion(row["question"], gold)


def _tatqa(data: Path) -> list[DevQuestion]:
    taken: dict[str, DevQuestion] = {}
    for row in _rows(data / "tableqa_tatqa" / "questions.jsonl"):
        made = DevQuestion(row["question"], frozenset({(row["context_id"], 0)}))
        taken.setdefault(row["context_id"], made)
    return list(taken.values())[:TATQA]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
