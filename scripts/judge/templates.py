"""Plain questions for single figures of financial tables, which the question sets themselves mostly compute with."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from example import Pair
from grid import YEAR, Grid, numeric
from tables import table_pairs
from varied import varied

TEMPLATES = (
    "What was {row} in {year}?", "What were {row} in {year}?", "How much was {row} in {year}?", "{row} {year}",
    "What is the amount of {row} for {year}?", "What was the {year} figure for {row}?", "How much {row} was reported for {year}?",
    "What did the company report as {row} in fiscal {year}?", "{year} {row}?", "Please give {row} for the year {year}.",
    "What was the company's {row} in {year}?", "How high was {row} in {year}?", "State {row} as of {year}.", "{row}, {year}",
    "How many {row} were there in {year}?", "What is the value of {row} in FY{year}?",
    "What {row} did the company have in {year}?",
    "Find {row} for {year}.", "In {year}, what was {row}?", "Which {row} does the report give for {year}?",
)  # fmt: skip
FIGURES = 8
"""So many figures of a table are asked for."""


def asked(
    table: Grid, scopes: Sequence[str], group: str, source: str, chance: random.Random
) -> Iterator[Pair]:
    """Questions for figures whose row and year name them alone, with their neighbours, and variations of them."""
    cells = [
        (r, c)
        for r in range(table.headers, len(table.rows))
        for c in range(1, len(table.rows[r]))
        if _alone(table, r, c)
    ]
    chance.shuffle(cells)
    for row, column in cells[:FIGURES]:
        year = _years(table, column)[0]
        path = table.row_path(row)
        label = path[-1].rstrip(":")
        if _repeated(table, row):
            label = f"{label} of {path[0]}"
        label = (
            label
            if label.isupper() or label.split()[0].isupper()
            else label[0].lower() + label[1:]
        )
        question = chance.choice(TEMPLATES).format(row=label, year=year)
        right = Pair(question, table.place(row, column), 1, "number", "right", group, source)
        yield from table_pairs(table, right, row, column, chance)
        yield from varied(right, scopes, chance)


def _alone(table: Grid, row: int, column: int) -> bool:
    """Whether a label and a year lead to this figure and to no other of the table."""
    label, years = table.rows[row][0].strip(), _years(table, column)
    if (
        len(years) != 1
        or not numeric(table.rows[row][column])
        or not 2 < len(label) < 80
        or YEAR.search(label)
    ):
        return False
    same_year = [
        c
        for c in range(1, len(table.rows[row]))
        if years[0] in _years(table, c) and table.rows[row][c].strip()
    ]
    same_label = [
        r
        for r in range(len(table.rows))
        if table.plains[r][0] == table.plains[row][0] and _full(table.rows[r])
    ]
    if len(same_label) > 1:
        paths = [table.row_path(r) for r in same_label]
        return (
            len(same_year) == 1
            and len(set(paths)) == len(paths)
            and all(len(path) == 2 for path in paths)
        )
    return len(same_year) == 1


def _repeated(table: Grid, row: int) -> bool:
    return sum(plains[0] == table.plains[row][0] for plains in table.plains) > 1


def _full(row: Sequence[str]) -> bool:
    return any(cell.strip() for cell in row[1:])


def _years(table: Grid, column: int) -> list[str]:
    return sorted(set(YEAR.findall(" ".join(table.column_path(column)))))
