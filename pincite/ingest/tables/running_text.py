"""Running text: stacks of lines that begin at one edge and fill their column, which no table is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.ingest.raw_page import Word
from pincite.ingest.tables.chunks import Chunk, Line

FEWEST_LINES = 5
FEWEST_WORDS = 4
FILLED = 0.72
"""A line of running text is at least this wide as a share of the widest of its stack; last lines of paragraphs are not."""


@dataclass(slots=True)
class _Stack:
    """Chunks below each other, their baselines; `beside` says of each whether a value stands right of it."""

    chunks: list[Chunk]
    bases: list[float]
    beside: list[bool]
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
        growing = [stack for stack in growing if line.base - stack.bases[-1] < 2.1 * max(stack.size, line.size)]
        for at, chunk in enumerate(line.chunks):
            stack = next((candidate for candidate in growing if _goes_on(candidate, chunk, line)), None)
            beside = at + 1 < len(line.chunks) and line.chunks[at + 1].numeric
            if stack is not None:
                stack.chunks.append(chunk)
                stack.beside.append(beside)
                stack.bases.append(line.base)
            elif len(chunk.words) >= FEWEST_WORDS and not chunk.numeric:
                stacks.append(_Stack([chunk], [line.base], [beside], line.size))
                growing.append(stacks[-1])
    return [chunks for stack in stacks if (chunks := _prose(stack))]


def _goes_on(stack: _Stack, chunk: Chunk, line: Line) -> bool:
    indent = 2.2 * line.size
    starts = abs(chunk.x0 - stack.chunks[-1].x0) < indent or abs(chunk.x0 - stack.chunks[0].x0) < indent
    same = starts and not chunk.numeric and abs(line.size - stack.size) < 0.2 * stack.size
    return same and line.base > stack.bases[-1]


def _prose(stack: _Stack) -> list[Chunk]:
    """The chunks of a stack if they are running text, without labels of values right above or below it; else nothing."""
    start, end = _without_labels(stack)
    chunks = stack.chunks[start:end]
    count = len(chunks)
    if count < FEWEST_LINES:
        return []
    wordy = sum(len(chunk.words) >= FEWEST_WORDS for chunk in chunks)
    letters = sum(word.text[:1].isalpha() for chunk in chunks for word in chunk.words)
    total = sum(len(chunk.words) for chunk in chunks)
    widest = max(chunk.x1 - chunk.x0 for chunk in chunks)
    filled = sum(chunk.x1 - chunk.x0 >= FILLED * widest for chunk in chunks)
    if wordy < 0.7 * count or letters < 0.7 * total or filled < 0.62 * count or total < 4.5 * count:
        return []
    if (
        sum(stack.beside[start:end]) > 0.3 * count
    ):  # labels, unless they read on from line to line or all fill the column
        midway = sum(chunk.text[:1].islower() for chunk in chunks)
        if midway < 0.5 * count and not (filled >= 0.85 * count and count >= 8):
            return []
    return chunks


def _without_labels(stack: _Stack) -> tuple[int, int]:
    """Where the running text of a stack begins and ends: without the paragraphs at its ends beside which values stand."""
    steps = [below - above for above, below in pairwise(stack.bases)]
    usual = sorted(steps)[len(steps) // 2] if steps else 0.0
    starts = [0, *(at + 1 for at, step in enumerate(steps) if step > 1.3 * usual), len(stack.chunks)]
    parts = [(start, end) for start, end in pairwise(starts) if start < end]
    while parts and _labels(stack, parts[0]):
        parts = parts[1:]
    while parts and _labels(stack, parts[-1]):
        parts = parts[:-1]
    start, end = (parts[0][0], parts[-1][1]) if parts else (0, 0)
    while start < end and stack.beside[start] and not stack.chunks[start].text[:1].islower():
        start += 1
    while end > start and stack.beside[end - 1] and not stack.chunks[end - 1].text[:1].islower():
        end -= 1
    return start, end


def _labels(stack: _Stack, part: tuple[int, int]) -> bool:
    """Whether some lines set apart are labels: values stand beside them, or they are a word or two, as over a column."""
    start, end = part
    short = all(len(chunk.words) < FEWEST_WORDS for chunk in stack.chunks[start:end])
    return end - start < FEWEST_LINES and (short or any(stack.beside[start:end]))
