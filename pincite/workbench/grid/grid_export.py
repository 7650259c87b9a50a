"""A grid as a file: a workbook to send on, or a line for each cell as CSV, Parquet or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pincite.disk import whole
from pincite.document.address import place_of
from pincite.errors import PinciteError, UsageError
from pincite.formats.spreadsheet import write_records
from pincite.records.answer_record import clean
from pincite.types import Table
from pincite.workbench.grid.filled_cells import Filled, Grid, grid_to, is_number, place_of_cell

FORMATS = (".xlsx", ".csv", ".parquet", ".json")
COLUMNS = (
    "entity", "column", "value", "unit", "period", "status", "confidence", "note", "question", "document", "page", "place",
    "quote", "link", "answer_id", "moved_from", "moved_why", "reviewed_by", "reviewed_at",
)  # fmt: skip
Link = Callable[[Filled], str]


def check_format(path: Path) -> None:
    """Raise UsageError when a grid cannot be written under this name, PinciteError when a library for it is missing."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(
            f"a grid is written as {', '.join(FORMATS)}; {path.name} has none of these endings"
        )
    for suffix, library, extra in (
        (".xlsx", "openpyxl", "office"),
        (".parquet", "pyarrow", "lab"),
    ):
        if path.suffix.lower() == suffix:
            try:
                __import__(library)
            except ImportError as error:
                raise PinciteError(
                    f'{suffix} needs {library}, which is not installed: `pip install "pincite[{extra}]"`, or write .csv'
                ) from error


def write_grid(grid: Grid, path: Path, link: Link | None = None) -> None:
    """Write a grid by the suffix of `path`, whole or not at all.

    `link` gives the address of a cell's framed page, "" for none.
    """
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
            half.write_text(
                json.dumps(grid_to(grid), ensure_ascii=False, indent=1), encoding="utf-8"
            )


def rows(grid: Grid, link: Link) -> Iterator[dict[str, Any]]:
    """One line for each cell, in the order of the rows; what does not apply is None."""
    for line in grid.cells:
        for cell in line:
            value = cell.text if isinstance(cell.value, Table) else clean(cell.value)
            told = {
                "entity": cell.row, "column": cell.column,
                "value": json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value,
                "unit": cell.unit or None, "period": cell.period or None, "status": cell.status,
                "confidence": round(cell.confidence, 4) if cell.answer is not None else None, "note": cell.note or None,
                "question": cell.query.text, "link": link(cell) or None, "answer_id": cell.answer_id or None,
                **_evidence(cell),
            }  # fmt: skip
            yield {column: told.get(column) for column in COLUMNS}


def _evidence(cell: Filled) -> dict[str, Any]:
    """Where a cell's value stands, what it was before, and who reviewed it, as far as there is any of these."""
    told: dict[str, Any] = {}
    if place := place_of_cell(cell):
        anchor = place.anchor
        told |= {
            "document": place.document,
            "page": anchor.page or None,
            "place": place_of(anchor) or None,
        }
        told["quote"] = place.quote
    if cell.moved:
        told |= {"moved_from": cell.moved.text, "moved_why": cell.moved.why}
    if cell.review:
        told |= {"reviewed_by": cell.review.by, "reviewed_at": cell.review.at}
    return told


def _parquet(grid: Grid, path: Path, link: Link) -> None:
    """`value` is text, as in the other forms; `number` the number where it is one."""
    import pyarrow as arrow
    from pyarrow import parquet

    kinds = {"confidence": arrow.float64(), "page": arrow.int64()}
    schema = arrow.schema(
        [
            *((name, kinds.get(name, arrow.string())) for name in COLUMNS),
            ("number", arrow.float64()),
        ]
    )
    lines = []
    for row in rows(grid, link):
        value = row["value"]
        numeric = is_number(value)
        text = value if isinstance(value, str) or value is None else json.dumps(value)
        lines.append({**row, "value": text, "number": float(value) if numeric else None})
    parquet.write_table(arrow.Table.from_pylist(lines, schema=schema), path)
