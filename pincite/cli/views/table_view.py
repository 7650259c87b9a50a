"""Rows on the terminal: side by side where they fit its width, else one under the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from pincite.database.relations.shaped_values import written
from pincite.evidence.value_in_words import short_text
from pincite.formats.spreadsheet import csv_text
from pincite.records.answer_lines import SHOWN
from pincite.text.wording import counted
from pincite.untrusted import visible

INDENT = "  "
WIDEST = 44
"""Cells of the widest column; a longer text is cut there, and whole in --csv and --json."""
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def print_table(console: Console, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print the first rows with numbers aligned right, and how many rows are left out."""
    shown = [list(map(_text, row)) for row in rows[:SHOWN]]
    widths = [
        min(WIDEST, max([cell_len(name), *(cell_len(row[at]) for row in shown)]))
        for at, name in enumerate(columns)
    ]
    if sum(widths) + 2 * len(widths) + len(INDENT) <= max(console.width, 40) or not shown:
        _side_by_side(console, columns, shown, widths)
    else:
        _one_by_one(console, columns, shown)
    if len(rows) > SHOWN:
        left = counted(len(rows) - SHOWN, "more row")
        more = f"and {left}: --csv or --json writes all of them"
        console.print(Text(INDENT + more, style="dim"))


def _is_numeric(texts: Iterable[str]) -> bool:
    return all(not text or _NUMBER.fullmatch(text) for text in texts)


def _side_by_side(
    console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int]
) -> None:
    right = [_is_numeric(row[at] for row in rows) for at in range(len(columns))]
    for style, row in (("bold", columns), *(("", row) for row in rows)):
        cells = (_fitted(value, widths[at], right[at]) for at, value in enumerate(row))
        console.print(
            Text(INDENT + "  ".join(cells).rstrip(), style=style, no_wrap=True, overflow="crop")
        )


def _fitted(value: str, width: int, right: bool) -> str:
    if cell_len(value) > width:
        return set_cell_size(value, width - 1) + "…"
    pad = " " * (width - cell_len(value))
    return pad + value if right else value + pad


def _one_by_one(console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Each row as lines of "name  value", its empty cells left out."""
    width = min(WIDEST, max(cell_len(name) for name in columns))
    room = max(console.width, 40) - len(INDENT) - width - 2
    for at, row in enumerate(rows, 1):
        console.print(Text(f"{INDENT}row {at}", style="dim"))
        for name, value in zip(columns, row, strict=True):
            if value:
                cut = value if cell_len(value) <= room else set_cell_size(value, room - 1) + "…"
                line = Text(INDENT + _fitted(name, width, False), style="bold")
                console.print(line.append(f"  {cut}", style="not bold"))


def _text(value: Any) -> str:
    """A cell as it is read: digits that only a division made are left out, line breaks are blanks."""
    return short_text(" ".join(visible(written(value)).split()))


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """The rows under their headings as CSV, lines ending in a newline alone."""
    return csv_text([columns, *(list(map(written, row)) for row in rows)], end="\n")
