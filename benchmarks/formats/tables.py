"""Table finding: F1 over neighbouring cells against hand-made tables, and pages per second over a folder of PDFs.

python benchmarks/formats/tables.py accuracy FOLDER     FOLDER/tables.jsonl names the files and their cells
python benchmarks/formats/tables.py speed FOLDER        every PDF of FOLDER, in one process
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.measuring.cell_neighbours import Agreement, agreement
from pincite.ingest.pdf.pdf_pages import raw_pages
from pincite.ingest.tables import find_tables
from pincite.types import Cell, Table


def wanted_tables(row: dict[str, Any]) -> list[Table]:
    """The regions of one given table, each as a table of its own."""
    return [
        Table(
            tuple(
                Cell(
                    c["row"],
                    c["col"],
                    c["text"],
                    c["end_row"] - c["row"] + 1,
                    c["end_col"] - c["col"] + 1,
                )
                for c in region["cells"]
            ),
            page=region["page"],
        )
        for region in row["regions"]
    ]


def accuracy(folder: Path) -> None:
    wanted: dict[str, list[Table]] = defaultdict(list)
    with (folder / "tables.jsonl").open() as rows:
        for row in map(json.loads, rows):
            wanted[row["file"]].extend(wanted_tables(row))
    total, seconds, pages = Agreement(), 0.0, 0
    for file, theirs in sorted(wanted.items()):
        started = time.perf_counter()
        ours = []
        for page in raw_pages(folder / file):
            ours.extend(find_tables(page))
            pages += 1
        seconds += time.perf_counter() - started
        one = agreement(ours, theirs)
        total += one
        print(
            f"{file:28} tables {len(ours):3} of {len(theirs):3}  P {one.precision:.3f}  R {one.recall:.3f}  F1 {one.f1:.3f}"
        )
    print(
        f"{len(wanted)} files, {total.wanted} relations: P {total.precision:.3f}  R {total.recall:.3f}  F1 {total.f1:.3f}; "
        f"{pages / seconds:.1f} pages/s"
    )


def speed(folder: Path) -> None:
    started, pages, tables = time.perf_counter(), 0, 0
    for path in sorted(folder.glob("*.pdf")):
        for page in raw_pages(path):
            tables += len(find_tables(page))
            pages += 1
    seconds = time.perf_counter() - started
    print(f"{pages} pages, {tables} tables, {pages / seconds:.1f} pages/s in one process")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("accuracy", "speed"):
        raise SystemExit(__doc__)
    (accuracy if sys.argv[1] == "accuracy" else speed)(Path(sys.argv[2]))
