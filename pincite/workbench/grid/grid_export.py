"""A grid as a file: a workbook to send on, or a line for each cell as CSV, Parquet or JSON; and the framed pages of its cells."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pincite.corpus import Corpus
from pincite.document.address import place_of
from pincite.errors import CorpusError, PinciteError, SourceError, UsageError
from pincite.evidence.framed_page import frame, packed
from pincite.formats.spreadsheet import write_records
from pincite.records.answer_record import clean
from pincite.storage.disk import whole, write
from pincite.types import Table
from pincite.workbench.grid.filled_cells import Filled, Grid, grid_to, is_number, place_of_cell

FORMATS = (".xlsx", ".csv", ".parquet", ".json")
COLUMNS = (
    "entity", "column", "value", "unit", "period", "status", "confidence", "note", "question", "document", "page", "place",
    "quote", "link", "answer_id", "moved_from", "moved_why", "reviewed_by", "reviewed_at",
)  # fmt: skip
_LIBRARIES = {".xlsx": ("openpyxl", "office"), ".parquet": ("pyarrow", "lab")}
Link = Callable[[Filled], str]


def check_format(path: Path) -> None:
    """Raise UsageError when a grid cannot be written under this name, PinciteError when a library for it is missing."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(
            f"a grid is written as {', '.join(FORMATS)}; {path.name} has none of these endings"
        )
    suffix = path.suffix.lower()
    if suffix in _LIBRARIES:
        library, extra = _LIBRARIES[suffix]
        if find_spec(library) is None:
            raise PinciteError(
                f'{suffix} needs {library}, which is not installed: `pip install "pincite[{extra}]"`, or write .csv'
            )


def write_grid(grid: Grid, path: Path, link: Link | None = None) -> None:
    """Write a grid by the suffix of `path`, whole or not at all. `link` gives the address of a cell's page, "" for none."""
    check_format(path)
    link = link or (lambda cell: "")
    kind = path.suffix.lower()
    with whole(path) as half:
        if kind == ".xlsx":
            from pincite.workbench.grid.workbook import write_xlsx

            write_xlsx(grid, half, link)
        elif kind == ".csv":
            with half.open("w", encoding="utf-8", newline="") as file:
                write_records(file, COLUMNS, rows(grid, link))
        elif kind == ".parquet":
            _parquet(grid, half, link)
        else:
            half.write_text(json.dumps(grid_to(grid), ensure_ascii=False, indent=1), "utf-8")


def rows(grid: Grid, link: Link) -> Iterator[dict[str, Any]]:
    """One line for each cell, in the order of the rows; what does not apply is None."""
    for cell in chain.from_iterable(grid.cells):
        value = cell.text if isinstance(cell.value, Table) else clean(cell.value)
        told = {
            "entity": cell.row, "column": cell.column,
            "value": json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value,
            "unit": cell.unit or None, "period": cell.period or None, "status": cell.status,
            "confidence": round(cell.confidence, 4) if cell.answer is not None else None, "note": cell.note or None,
            "question": cell.query.text, "link": link(cell) or None, "answer_id": cell.answer_id or None,
        }  # fmt: skip
        if place := place_of_cell(cell):
            told |= {
                "document": place.document, "page": place.anchor.page or None, "place": place_of(place.anchor) or None,
                "quote": place.quote,
            }  # fmt: skip
        if cell.moved:
            told |= {"moved_from": cell.moved.text, "moved_why": cell.moved.why}
        if cell.review:
            told |= {"reviewed_by": cell.review.by, "reviewed_at": cell.review.at}
        yield {column: told.get(column) for column in COLUMNS}


def _parquet(grid: Grid, path: Path, link: Link) -> None:
    """`value` is text, as in the other forms; `number` the number where it is one."""
    import pyarrow as arrow
    from pyarrow import parquet

    kinds = dict.fromkeys(COLUMNS, arrow.string())
    kinds |= {"confidence": arrow.float64(), "page": arrow.int64(), "number": arrow.float64()}
    lines = []
    for row in rows(grid, link):
        value = row["value"]
        text = value if isinstance(value, str) or value is None else json.dumps(value)
        number = float(value) if is_number(value) else None
        lines.append({**row, "value": text, "number": number})
    parquet.write_table(arrow.Table.from_pylist(lines, schema=arrow.schema(kinds)), path)


def draw_pages(
    grid: Grid,
    corpus: Corpus,
    folder: Path,
    tick: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Draw the first cited page of every cell into `folder`, those that are not there; what has no page is left out."""
    todo = []
    for cell in chain.from_iterable(grid.cells):
        place, path = place_of_cell(cell), folder / _page_name(cell)
        if place and place.anchor.page and not path.exists():
            todo.append((path, place))
    for done, (path, place) in enumerate(todo, 1):
        try:
            page = frame(corpus, place)
        except (CorpusError, SourceError):
            # a source that is gone, or has no pages: the quote stands in the evidence
            continue
        write(path, packed(page))
        tick(done, len(todo))


def _page_name(cell: Filled) -> str:
    """The file of a cell's framed page, named after its answer or review."""
    corrected = cell.status == "corrected" and cell.review
    return f"{corrected.id if corrected else cell.answer_id}.png"


def linked(folder: Path) -> Link:
    """The address of a cell's framed page from beside its folder, "" where none was drawn."""

    def link(cell: Filled) -> str:
        name = _page_name(cell)
        return f"{quote(folder.name)}/{name}" if (folder / name).exists() else ""

    return link
