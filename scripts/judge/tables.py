"""Pairs of a question and cells of one table: the right cell, its neighbours, and the question put to another row or year."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from example import Pair, kind_of
from grid import YEAR, Grid, numeric, plain

COMPARING = frozenset(
    "most least highest lowest first last next previous before after more less fewer than only same top bottom largest smallest "
    "longest shortest earliest latest biggest best worst oldest youngest above below consecutive other another each both between "
    "total average difference sum prior following precedes besides not followed preceded directly immediately either".split()
)
"""Words after which the right row is found by comparing rows, which a single place does not show."""
_COUNTS = re.compile(
    r"\bhow many\b|\bnumber of\b|\btotal\b|\baverage\b|\bdifference\b|\bhow much (more|less)\b"
)
_WORD = re.compile(r"\w+")
SHORT = 3
"""A cell shorter than this is not looked for in a question: it would stand there by chance."""


def looked_up(question: str) -> bool:
    """Whether a single row answers `question`, without the other rows."""
    words = set(_WORD.findall(question.lower()))
    return not COMPARING & words and not any(
        len(word) > 4 and word.endswith("est") for word in words
    )


def counts(question: str) -> bool:
    """Whether `question` may ask to count or add up, so that an equal cell may be chance."""
    return bool(_COUNTS.search(question.lower()))


def named(grid: Grid, question: str, row: int, column: int) -> list[int]:
    """The columns, `column` apart, whose cell in `row` stands in the question as whole words."""
    asked = f" {' '.join(_WORD.findall(plain(question)))} "
    found = []
    for c, cell in enumerate(grid.plains[row]):
        words = " ".join(_WORD.findall(cell))
        if c != column and len(words) >= SHORT and f" {words} " in asked:
            found.append(c)
    return found


def heads(grid: Grid, question: str, column: int) -> bool:
    """Whether a word of the column's label stands in the question."""
    label = set(_WORD.findall(plain(" ".join(grid.column_path(column)))))
    return any(len(word) >= SHORT and word in label for word in _WORD.findall(plain(question)))


def table_pairs(
    grid: Grid, right: Pair, row: int, column: int, chance: random.Random
) -> Iterator[Pair]:
    """The right pair of the cell at `row` and `column`, and its neighbours."""
    yield right
    yield from _columns(grid, right, row, column, chance)
    yield from _rows(grid, right, row, column, chance)
    if looked_up(right.question):
        yield from _swapped_rows(grid, right, row, column, chance)
        yield from _swapped_years(grid, right, row, column, chance)


def _columns(
    grid: Grid, right: Pair, row: int, column: int, chance: random.Random
) -> Iterator[Pair]:
    """Two cells of the same row, those of the same type first, none that the question itself names."""
    taken = set(named(grid, right.question, row, column)) | {column, 0}
    gold = grid.plains[row][column]
    others = [
        c for c, cell in enumerate(grid.plains[row]) if c not in taken and cell and cell != gold
    ]
    chance.shuffle(others)
    others.sort(key=lambda c: numeric(grid.rows[row][c]) != numeric(grid.rows[row][column]))
    for c in others[:2]:
        yield right.wrong(grid.differs(row, column, row, c), grid.place(row, c))


def _rows(grid: Grid, right: Pair, row: int, column: int, chance: random.Random) -> Iterator[Pair]:
    """The row whose label is most like the right one's and the next row; where the question compares rows, only rows without
    the cells that it names.
    """
    names = named(grid, right.question, row, column)
    plains = grid.plains
    others = []
    for r in range(grid.headers, len(grid.rows)):
        apart = any(plains[r][c] != plains[row][c] for c in names)
        if plains[r][column] not in ("", plains[row][column]) and (
            apart or (looked_up(right.question) and not names)
        ):
            others.append(r)
    chance.shuffle(others)
    label = set(plains[row][0].split())
    others.sort(
        key=lambda r: (
            plains[r][0] != plains[row][0],
            -len(label & set(plains[r][0].split())),
            abs(r - row) > 1,
        )
    )
    beside = [r for r in others[1:] if abs(r - row) == 1]
    for r in (*others[:1], *(beside or others[1:])[:1]):
        yield right.wrong(grid.differs(row, column, r, column), grid.place(r, column))


def _swapped_rows(
    grid: Grid, right: Pair, row: int, column: int, chance: random.Random
) -> Iterator[Pair]:
    """The question with a named cell of the row put for that of another row: wrong here, right there."""
    names = named(grid, right.question, row, column)
    if not names:
        return
    c = names[0]
    said = grid.rows[row][c].strip()
    at = right.question.lower().find(said.lower())
    others = [
        r
        for r in range(grid.headers, len(grid.rows))
        if len(grid.plains[r][c]) >= SHORT
        and grid.plains[r][c] != grid.plains[row][c]
        and grid.plains[r][column]
    ]
    if at < 0 or not others:
        return
    r = chance.choice(others)
    label = grid.rows[r][c].strip()
    question = right.question[:at] + (label.lower() if right.question.islower() else label)
    question += right.question[at + len(said) :]
    years = YEAR.search(said) and YEAR.search(label)
    if grid.plains[r][column] != grid.plains[row][column]:
        yield right.wrong("year" if years else "entity", question=question)
    alone = sum(plains[c] == grid.plains[r][c] for plains in grid.plains) == 1
    if alone and len(names) == 1:
        yield Pair(
            question,
            grid.place(r, column),
            1,
            kind_of(question, grid.rows[r][column]),
            "right",
            right.group,
            right.source,
        )


def _swapped_years(
    grid: Grid, right: Pair, row: int, column: int, chance: random.Random
) -> Iterator[Pair]:
    """The question with the column's year put for that of another column: wrong here, right there."""
    years = YEAR.findall(" ".join(grid.column_path(column)))
    if len(years) != 1 or right.question.count(years[0]) != 1:
        return
    others = [
        c
        for c in range(1, len(grid.rows[row]))
        if grid.differs(row, column, row, c) == "year"
        and grid.plains[row][c] not in ("", grid.plains[row][column])
    ]
    if not others:
        return
    c = chance.choice(others)
    year = YEAR.findall(" ".join(grid.column_path(c)))[0]
    if year in right.question:
        return
    question = right.question.replace(years[0], year)
    yield right.wrong("year", question=question)
    yield Pair(question, grid.place(row, c), 1, right.kind, "right", right.group, right.source)
