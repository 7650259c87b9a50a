"""A table of rows of texts, its labels, its places, and how two of its cells differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from example import Differs

from pincite.evidence.judge_input import CellPlace

YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NUMERIC = re.compile(r"[-–—+(]*\s*[$€£¥]?\s*[-(]?\d[\d.,]*\s*\)?\s*%?\)?")
BESIDE = 8
"""The most neighbours that a place is given; what is read of them is cut by tokens."""


def plain(text: str) -> str:
    """`text` for comparing: lower case, one blank between words, no currency sign, comma in a number or percent sign."""
    text = re.sub(r"(?<=\d),(?=\d)", "", text.lower())
    return " ".join(re.sub(r"[$€£¥%\"'’()]", " ", text).split())


def numeric(text: str) -> bool:
    """Whether a cell holds a number and nothing else."""
    return bool(_NUMERIC.fullmatch(text.strip()))


@dataclass(frozen=True)
class Grid:
    """Rows of equal length. The first column labels the rows; leading rows without numbers label the columns."""

    rows: Sequence[Sequence[str]]
    headers: int
    caption: str = ""

    @cached_property
    def plains(self) -> list[list[str]]:
        """Every cell as `plain` writes it."""
        return [[plain(cell) for cell in row] for row in self.rows]

    @cached_property
    def sections(self) -> list[str]:
        """For each row the label above it that stands alone in its row, empty where there is none."""
        current, made = "", []
        for row in self.rows:
            if row[0].strip() and not any(cell.strip() for cell in row[1:]):
                current = row[0].strip().rstrip(":")
            elif row[0].lower().startswith("total"):
                made.append(current)
                current = ""
                continue
            made.append(current)
        return made

    def row_path(self, row: int) -> tuple[str, ...]:
        """The section and the label of a row."""
        label = self.rows[row][0].strip()
        return tuple(part for part in (self.sections[row], label) if part)

    def column_path(self, column: int) -> tuple[str, ...]:
        """The header cells over a column, from the top; an empty one is covered by the nearest to its left, or right."""
        path: list[str] = []
        for row in self.rows[: self.headers]:
            label = _covering(row, column)
            if label and label not in path:
                path.append(label)
        return tuple(path)

    def find(self, text: str) -> list[tuple[int, int]]:
        """The cells below the headers that hold `text` and nothing else."""
        wanted = plain(text)
        return [
            (r, c)
            for r in range(self.headers, len(self.rows))
            for c, cell in enumerate(self.plains[r])
            if cell == wanted
        ]

    def place(self, row: int, column: int) -> CellPlace:
        """The cell as a judge is shown it."""
        beside, path = [], self.column_path(column)
        for c in sorted(range(1, len(self.rows[row])), key=lambda c: abs(c - column)):
            if c != column and self.rows[row][c].strip():
                label = " ".join(part for part in self.column_path(c) if part not in path)
                beside.append(f"{label}: {self.rows[row][c].strip()}")
        for r in (row - 1, row + 1):
            if self.headers <= r < len(self.rows) and self.rows[r][column].strip() and column:
                beside.append(f"{self.rows[r][0].strip()}: {self.rows[r][column].strip()}")
        value = self.rows[row][column].strip()
        return CellPlace(self.row_path(row), path, value, self.caption, tuple(beside[:BESIDE]))

    def differs(self, row: int, column: int, other_row: int, other_column: int) -> Differs:
        """How the cell at the latter place differs from that at the former: they share a row or a column."""
        if row == other_row:
            labels = " ".join(self.column_path(column)), " ".join(self.column_path(other_column))
            return "year" if _only_year(*labels) else "column"
        if self.plains[row][0] and self.plains[row][0] == self.plains[other_row][0]:
            return "scope"
        return "year" if _only_year(self.rows[row][0], self.rows[other_row][0]) else "row"


def _covering(row: Sequence[str], column: int) -> str:
    if row[column].strip() or column == 0:
        return row[column].strip()
    left = [cell.strip() for cell in row[1:column] if cell.strip()]
    right = [cell.strip() for cell in row[column:] if cell.strip()]
    return left[-1] if left else right[0] if right else ""


def _only_year(a: str, b: str) -> bool:
    return a != b and bool(YEAR.search(a)) and YEAR.sub("", a) == YEAR.sub("", b)


def header_rows(rows: Sequence[Sequence[str]]) -> int:
    """How many leading rows of a financial table label its columns: up to the last with labels above the first figures."""
    last = 1
    for i, row in enumerate(rows):
        if any(numeric(cell) and not YEAR.fullmatch(cell.strip()) for cell in row[1:]):
            break
        if any(cell.strip() for cell in row[1:]):
            last = i + 1
    return min(last, len(rows) - 1)


def grid(rows: Sequence[Sequence[str]], headers: int, caption: str = "") -> Grid:
    """A grid of `rows`, the shorter ones filled up."""
    width = max(len(row) for row in rows)
    return Grid([[*row, *[""] * (width - len(row))] for row in rows], headers, caption)
