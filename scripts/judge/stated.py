"""Numbers that stand in a table and in a sentence beside it: the sentence asks for the cell, and the cell for the sentence.

Reports state their figures twice, each time in other words; from this a judge learns that two wordings mean the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from example import Pair
from grid import YEAR, Grid, numeric, plain
from prose import NUMBER, prose_pairs, split
from tables import table_pairs

from pincite.evidence.judge_input import SentencePlace

_DIGITS = 3
"""A number of fewer digits stands in two places by chance."""
_MANY = 6
"""A sentence of more numbers is a table that was flattened."""
_LONG = 70
"""A sentence of more words is none."""
_BEFORE = re.compile(r"(?:[$€£¥]|US\$|approximately|about|nearly)\s*$")
_BEHIND = re.compile(r"^\s*(?:%|percent|thousand|million|billion)")


def stated(
    table: Grid, paragraphs: Sequence[str], group: str, source: str, chance: random.Random
) -> Iterator[Pair]:
    """Pairs of every number that stands in one cell of `table` and in one sentence of `paragraphs`."""
    sentences = [sentence for text in paragraphs for sentence in split(text) if _plainly(sentence)]
    held = [
        " " + " ".join(plain(number) for number in NUMBER.findall(sentence)) + " "
        for sentence in sentences
    ]
    for row in range(table.headers, len(table.rows)):
        for column in range(1, len(table.rows[row])):
            cell = table.plains[row][column].strip("- ")
            if (
                not numeric(table.rows[row][column])
                or sum(map(str.isdigit, cell)) < _DIGITS
                or YEAR.fullmatch(cell)
            ):
                continue
            where = [i for i, numbers in enumerate(held) if f" {cell} " in numbers]
            if len(where) != 1 or len(table.find(table.rows[row][column])) != 1:
                continue
            yield from _both(table, row, column, sentences, where[0], group, source, chance)


def _both(
    table: Grid,
    row: int,
    column: int,
    sentences: Sequence[str],
    at: int,
    group: str,
    source: str,
    chance: random.Random,
) -> Iterator[Pair]:
    sentence = sentences[at]
    cell = table.plains[row][column].strip("- ")
    spans = [found.span() for found in NUMBER.finditer(sentence) if plain(found[0]) == cell]
    if len(spans) != 1:
        return
    right = Pair(
        _asked(sentence, *spans[0]), table.place(row, column), 1, "number", "right", group, source
    )
    yield from table_pairs(table, right, row, column, chance)
    label = " ".join(table.row_path(row))
    header = " ".join(table.column_path(column))
    if label:
        form = chance.choice(
            ("What was {} in {}?", "{} {}", "How much was {}, {}?", "State {} for {}.")
        )
        question = form.format(label, header)
        said = Pair(
            question, SentencePlace("", sentence, *spans[0]), 1, "number", "right", group, source
        )
        near = [*sentences[max(0, at - 1) : at], *sentences[at + 1 : at + 2]]
        yield from prose_pairs(said, sentence[slice(*spans[0])], near, list(sentences), chance)


def _plainly(sentence: str) -> bool:
    return len(sentence.split()) <= _LONG and len(NUMBER.findall(sentence)) <= _MANY


def _asked(sentence: str, start: int, end: int) -> str:
    """The sentence as a question for its number: what stands before and behind it as a unit goes with it."""
    before = _BEFORE.sub("", sentence[:start])
    behind = _BEHIND.sub("", sentence[end:])
    return f"{before.rstrip()} what{behind}".rstrip(". ") + "?"
