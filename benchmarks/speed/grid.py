"""How long a grid of filings by questions takes without a model, and how much is answered again after one filing changed.

    python benchmarks/speed/grid.py FILES WORK [--rows 30] [--columns 40] [--processes 2] [--fresh]

FILES is a folder of PDF filings; the first ROWS of them are copied to WORK and indexed there (once, not timed as part of the
grid). Then the grid is filled, its pages are drawn and its workbook is written. It is filled again with nothing changed; a
few bytes are added to one filing, which is indexed; and the grid is filled again. --fresh fills it once more from nothing
over the changed corpus and counts the cells of unchanged filings whose answer differs. That is the price of assuming that a
cell depends only on the documents that its search can reach.
"""

from __future__ import annotations

import argparse
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pincite.corpus import Corpus
from pincite.library import Library, index
from pincite.settings import Settings
from pincite.workbench.grid import Grid, Spec, drop_grid, fill, spec_from, write_grid
from pincite.workbench.grid.cell_pages import draw_pages, linked

Made = TypeVar("Made")
AMOUNTS = (
    "total revenue", "cost of revenue", "gross profit", "operating income", "net income", "interest expense",
    "income tax expense", "income before income taxes", "depreciation and amortization", "research and development expense",
    "selling, general and administrative expenses", "total assets", "total liabilities", "total current assets",
    "total current liabilities", "cash and cash equivalents", "inventories", "accounts receivable", "accounts payable",
    "property, plant and equipment, net", "goodwill", "intangible assets, net", "long-term debt", "total stockholders' equity",
    "retained earnings", "net cash provided by operating activities", "capital expenditures", "dividends paid",
    "share repurchases", "stock-based compensation expense",
)  # fmt: skip
OTHERS = (
    ("basic earnings per share", "number"), ("diluted earnings per share", "number"), ("number of employees", "number"),
    ("effective tax rate", "number"), ("gross margin", "number"), ("operating margin", "number"),
    ("chief executive officer", "name"), ("auditor", "name"), ("state of incorporation", "name"),
    ("Did the company pay dividends?", "boolean"),
)  # fmt: skip


def spec(documents: list[str], columns: int) -> Spec:
    """The grid: every document is asked every question."""
    asked = [{"name": name, "type": "number"} for name in AMOUNTS] + [
        {"name": name, "type": kind} for name, kind in OTHERS
    ]
    return spec_from(
        {"title": "Filings", "entity": "document", "rows": documents, "columns": asked[-columns:]}
    )


def timed(call: Callable[[], Made]) -> tuple[Made, str]:
    """The result of a call, and its seconds: wall-clock and processor time."""
    started, before = time.perf_counter(), sum(os.times()[:4])
    made = call()
    return (
        made,
        f"{time.perf_counter() - started:.1f} s ({sum(os.times()[:4]) - before:.1f} s of the cores)",
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--columns", type=int, default=40)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    folder = options.work / "files"
    folder.mkdir(parents=True, exist_ok=True)
    chosen = sorted(options.files.rglob("*.pdf"))[: options.rows]
    for path in chosen:
        shutil.copyfile(path, folder / path.name)
    index(folder, options.work / "corpus")
    names = [one.id for one in Library(options.work / "corpus", Settings()).corpus.documents]
    asked = spec(names, options.columns)
    cells = len(names) * options.columns
    if (options.work / "corpus" / "grids.sqlite").is_file():
        drop_grid(options.work / "corpus", "filings")
    corpus = options.work / "corpus"

    def filled() -> Grid:
        return fill(
            asked, Library(corpus, Settings()), processes=options.processes
        )  # a library of its own, as a command

    made, seconds = timed(filled)
    print(f"{len(names)} x {options.columns} = {cells} cells: {seconds}, {made.counts}")
    pages = options.work / "grid_pages"
    shutil.rmtree(pages, ignore_errors=True)
    _, seconds = timed(lambda: draw_pages(made, Corpus(corpus), pages))
    print(f"{len(list(pages.iterdir()))} framed pages drawn: {seconds}")
    _, seconds = timed(lambda: write_grid(made, options.work / "grid.xlsx", linked(pages)))
    print(
        f"workbook of {(options.work / 'grid.xlsx').stat().st_size / 1e6:.1f} MB written: {seconds}"
    )
    again, seconds = timed(filled)
    print(f"again, nothing changed: {again.answered} answered, {seconds}")
    changed = folder / chosen[len(chosen) // 2].name
    changed.write_bytes(changed.read_bytes() + b"\n% changed\n")
    index(folder, options.work / "corpus")
    made, seconds = timed(filled)
    print(
        f"after one filing changed: {made.answered} of {cells} answered again ({made.answered / cells:.2%}), {seconds}"
    )
    if options.fresh:
        drop_grid(options.work / "corpus", "filings")
        whole, seconds = timed(filled)
        pairs = [
            (a, b)
            for one, other in zip(made.cells, whole.cells, strict=True)
            for a, b in zip(one, other, strict=True)
        ]
        other = [
            a
            for a, b in pairs
            if a.row != changed.name and (a.value, a.status) != (b.value, b.status)
        ]
        print(
            f"filled from nothing: {seconds}; {len(other)} of {cells} cells of unchanged filings differ"
        )


if __name__ == "__main__":
    main()
