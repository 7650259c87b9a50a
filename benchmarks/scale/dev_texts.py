"""What development sets hold as text and tables beside their PDF files, written as files.

PINCITE_DATA=DATA python -m benchmarks.scale.dev_texts FOLDER

Passages of HybridQA and abstracts of Vaswani are pages of text files, TOGETHER in a file; contexts of TAT-QA and tables of
WikiTableQuestions and FeTaQA are HTML files.
"""

from __future__ import annotations

import argparse
import csv
import html
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.engines.dev_questions import write_tatqa

TOGETHER = 100
Table = Sequence[Sequence[object]]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _write_pages(texts: Sequence[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, len(texts), TOGETHER):
        path = folder / f"{start:06}.txt"
        path.write_text("\f".join(texts[start : start + TOGETHER]), encoding="utf-8")


def _write_tables(tables: Iterable[tuple[str, Table]], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables:
        lines = ["".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in rows]
        table = "".join(f"<tr>{line}</tr>" for line in lines)
        path = folder / f"{name}.html"
        path.write_text(f"<html><body><table>{table}</table></body></html>", encoding="utf-8")


def _tables(data: Path) -> Iterator[tuple[str, Table]]:
    for path in sorted((data / "tableqa_wtq" / "tables").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            yield f"wtq-{path.stem}", list(csv.reader(file, escapechar="\\"))
    for row in _rows(data / "tableqa_fetaqa" / "questions.jsonl"):
        yield row["id"], row["table"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    data = Path(os.environ["PINCITE_DATA"])
    write_tatqa(data, given.folder / "tatqa")
    passages = [row["text"] for row in _rows(data / "hybrid_hybridqa" / "passages.jsonl")]
    _write_pages(passages, given.folder / "hybridqa")
    abstracts = [row["text"] for row in _rows(data / "retrieval_vaswani" / "corpus.jsonl")]
    _write_pages(abstracts, given.folder / "vaswani")
    _write_tables(_tables(data), given.folder / "tables")


if __name__ == "__main__":
    main()
