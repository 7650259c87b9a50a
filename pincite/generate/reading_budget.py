"""How much a small model is shown: the passages of the pages found that share most with the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import log
from typing import Literal

from pincite.document.words import STOP, stems
from pincite.evidence.candidate import Passage
from pincite.models.endpoints.token_counts import approximate_spans
from pincite.models.local.weights import LOCAL, is_small
from pincite.ports import Model, Windowed
from pincite.question.ask import Ask
from pincite.types import Table

SMALL_READS = 800
"""Tokens, counted about, of the passages that a model below 8 billion parameters is shown; where many are numbers, a third more.
It reads 40 to 80 a second on a laptop, and beyond these finds the right place no more often.
"""
NARROW = 4096
"""A window of so many tokens is half filled by what a full form is asked for with."""
FRAME = 45
"""Tokens of the two lines around a page."""
FURTHER = 0.1
"""By what share of itself a passage weighs less on each further page."""
ROW = 4
"""Tokens of a row of a table beside its cells: its number and the lines between them, at least."""

Page = tuple[Passage, ...]


def reading_budget(model: Model) -> int | None:
    """The most tokens of passages that a model is shown; None for as many as its window holds."""
    small = is_small(model.name) or is_small(f"{LOCAL}{model.name}")
    return SMALL_READS if small else None


def form_for(model: Model, form: Literal["full", "short"]) -> Literal["full", "short"]:
    """The form that a model is asked to fill in: a short one in the place of a full one where its window is narrow."""
    window = model.context_length if isinstance(model, Windowed) else None
    return "short" if window is not None and window <= NARROW else form


def within(pages: Sequence[Page], budget: int, ask: Ask | None) -> tuple[Page, ...]:
    """The passages of pages that share most with the question, rare words before common ones, in about so many tokens.

    They stay page by page, in the order of rank and of reading. Of a table that is too long the rows around the best are kept.
    """
    passages = [passage for page in pages for passage in page]
    words = {id(passage): frozenset(stems(_text(passage))) for passage in passages}
    asked = (ask.stems if ask else frozenset()) - STOP
    held = Counter(word for each in words.values() for word in each & asked)
    weights = {word: log(1 + len(passages) / count) for word, count in held.items()}

    def worth(passage: Passage) -> float:
        shared = sum(weights[word] for word in words[id(passage)] & asked)
        return shared * (1 - FURTHER) ** passage.rank

    order = sorted(range(len(passages)), key=lambda at: -worth(passages[at]))
    kept: dict[int, Passage] = {}
    opened: set[int] = set()
    for at in order:
        passage = passages[at]
        room = budget - (0 if passage.rank in opened else FRAME)
        cut = _cut(passage, room, weights)
        if cut is not None:
            kept[at] = cut
            opened.add(passage.rank)
            budget = room - _size(cut)
    ranks = dict.fromkeys(kept[at].rank for at in sorted(kept))
    chosen = (tuple(kept[at] for at in sorted(kept) if kept[at].rank == rank) for rank in ranks)
    return tuple(chosen)


def first_within(pieces: Sequence[Page], budget: int) -> tuple[Page, ...]:
    """The first pieces that have about so many tokens together, at least one."""
    kept: list[Page] = []
    for piece in pieces:
        budget -= FRAME + sum(map(_size, piece))
        if budget < 0 and kept:
            break
        kept.append(piece)
    return tuple(kept)


def _cut(passage: Passage, room: int, weights: dict[str, float]) -> Passage | None:
    """The passage, or the part of it that has at most so many tokens; None where that is nothing of use."""
    if _size(passage) <= room:
        return passage
    table = passage.node.table
    if table is None:
        return None
    rows = _rows(table)
    start, end = passage.part or (0, max(rows, default=-1) + 1)
    start = max(start, table.header_rows)
    room -= _tokens(table.caption) + sum(
        _row_size(rows.get(row, ())) for row in range(table.header_rows)
    )
    if start >= end or room < 2 * ROW:
        return None
    worth = {
        row: sum(weights.get(word, 0.0) for word in set(stems(" ".join(rows.get(row, ())))))
        for row in range(start, end)
    }
    first = last = max(worth, key=lambda row: (worth[row], -row))
    room -= _row_size(rows.get(first, ()))
    while room >= 0 and (first > start or last + 1 < end):
        above = worth.get(first - 1, -1.0) >= worth.get(last + 1, -1.0)
        row = first - 1 if above else last + 1
        room -= _row_size(rows.get(row, ()))
        if room >= 0:
            first, last = min(first, row), max(last, row)
    return replace(passage, part=(first, last + 1)) if room >= 0 or first < last else None


def _size(passage: Passage) -> int:
    table, part = passage.node.table, passage.part
    if table is None:
        return _tokens(_text(passage)) + 1
    rows = _rows(table)
    shown = range(*part) if part else rows
    heads = range(table.header_rows) if part else ()
    return (
        _tokens(table.caption) + 12 + sum(_row_size(rows.get(row, ())) for row in (*heads, *shown))
    )


def _rows(table: Table) -> dict[int, tuple[str, ...]]:
    """The texts of every row."""
    held: dict[int, list[str]] = {}
    for cell in table.cells:
        held.setdefault(cell.row, []).append(cell.text)
    return {row: tuple(texts) for row, texts in held.items()}


def _row_size(texts: Iterable[str]) -> int:
    return ROW + sum(_tokens(text) + 1 for text in texts)


def _text(passage: Passage) -> str:
    node = passage.node
    if node.table is not None:
        return " ".join((node.table.caption, *(cell.text for cell in node.table.cells)))
    return node.text if passage.part is None else node.text[slice(*passage.part)]


def _tokens(text: str) -> int:
    return len(approximate_spans(text))
