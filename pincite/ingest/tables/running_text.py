"""Running text: stacks of lines that begin at one edge and fill their column, which no table is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, dropwhile, pairwise
from statistics import median_high
from typing import TypeVar

from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.chunks import Chunk, Line

T = TypeVar("T")

FEWEST_LINES = 5
FEWEST_WORDS = 4  # of most lines, and of the first
WORDY = 0.7  # share of lines of so many words, and of words that begin with a letter, at least
WORDS_A_LINE = 4.5  # on average, at least
FILLED = 0.72
"""A line of running text is at least this wide as a share of the widest of its stack; last lines of paragraphs are not."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk of a line, whose baseline is `base`; `beside` when a value stands right of it."""

    chunk: Chunk
    base: float
    beside: bool


@dataclass(slots=True)
class _Stack:
    """Pieces below each other, and the font size of the first."""

    pieces: list[_Piece]
    size: float


def without(words: Sequence[Word], stacks: Sequence[Sequence[Chunk]]) -> list[Word]:
    """The words that stand in none of some stacks of running text."""
    running = {id(word) for chunks in stacks for chunk in chunks for word in chunk.words}
    return [word for word in words if id(word) not in running] if running else list(words)


def prose_stacks(lines: Sequence[Line]) -> list[list[Chunk]]:
    """The stacks of running text among some lines."""
    stacks: list[_Stack] = []
    growing: list[_Stack] = []
    for line in lines:
        steps = ((line.base - stack.pieces[-1].base, stack) for stack in growing)
        growing = [stack for step, stack in steps if step < 2.1 * max(stack.size, line.size)]
        beside = [*(chunk.numeric for chunk in line.chunks[1:]), False]
        for chunk, value in zip(line.chunks, beside, strict=True):
            piece = _Piece(chunk, line.base, value)
            hosts = (candidate for candidate in growing if _goes_on(candidate, piece, line))
            stack = next(hosts, None)
            if stack is not None:
                stack.pieces.append(piece)
            elif len(piece.chunk.words) >= FEWEST_WORDS and not piece.chunk.numeric:
                stacks.append(_Stack([piece], line.size))
                growing.append(stacks[-1])
    return list(filter(None, map(_running_chunks, stacks)))


def _goes_on(stack: _Stack, piece: _Piece, line: Line) -> bool:
    offsets = [abs(piece.chunk.x0 - stack.pieces[at].chunk.x0) for at in (0, -1)]
    same = min(offsets) < 2.2 * line.size and abs(line.size - stack.size) < 0.2 * stack.size
    return same and not piece.chunk.numeric and line.base > stack.pieces[-1].base


def _running_chunks(stack: _Stack) -> list[Chunk]:
    """The chunks of a stack if they are running text, without labels of values right above or below it; else nothing."""
    pieces = _without_labels(stack.pieces)
    chunks = [piece.chunk for piece in pieces]
    count = len(chunks)
    if count < FEWEST_LINES:
        return []
    words = [word for chunk in chunks for word in chunk.words]
    letters = sum(word.text[:1].isalpha() for word in words)
    wordy = sum(len(chunk.words) >= FEWEST_WORDS for chunk in chunks)
    if min(wordy / count, letters / len(words)) < WORDY or len(words) < WORDS_A_LINE * count:
        return []
    widths = [chunk.x1 - chunk.x0 for chunk in chunks]
    filled = sum(width >= FILLED * max(widths) for width in widths)
    if filled < 0.62 * count:
        return []
    midway = sum(chunk.text[:1].islower() for chunk in chunks)
    reads_on = midway >= 0.5 * count or filled >= 0.85 * count and count >= 8
    labels = sum(piece.beside for piece in pieces)
    return chunks if reads_on or labels <= 0.3 * count else []


def _without_labels(pieces: Sequence[_Piece]) -> list[_Piece]:
    """The pieces of running text without the paragraphs at its ends beside which values stand."""
    steps = [below.base - above.base for above, below in pairwise(pieces)]
    usual = median_high(steps) if steps else 0.0
    near = 1.3 * usual
    paragraphs = consecutive(pieces, lambda held, piece: piece.base - held[-1].base <= near)

    def are_labels(held: Sequence[_Piece]) -> bool:
        """Whether values stand beside some lines set apart, or they are a word or two, as over a column."""
        short = all(len(piece.chunk.words) < FEWEST_WORDS for piece in held)
        return len(held) < FEWEST_LINES and (short or any(piece.beside for piece in held))

    def is_label(piece: _Piece) -> bool:
        """Whether a value stands beside a line that does not go on within a sentence."""
        return piece.beside and not piece.chunk.text[:1].islower()

    return _strip_ends(list(chain(*_strip_ends(paragraphs, are_labels))), is_label)


def _strip_ends(items: Sequence[T], unwanted: Callable[[T], bool]) -> list[T]:
    """Items without those at both ends that are unwanted."""
    kept = list(dropwhile(unwanted, items))
    return list(dropwhile(unwanted, reversed(kept)))[::-1]
