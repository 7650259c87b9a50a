"""Running text: stacks of lines that begin at one edge and fill their column, which no table is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.ingest.page import Word
from pincite.ingest.tables.lines import Chunk, Line

FEWEST_LINES = 5
FEWEST_WORDS = 4
FILLED = 0.72
"""A line of running text is at least this wide as a share of the widest of its stack; last lines of paragraphs are not."""


@dataclass(slots=True)
class _Stack:
    chunks: list[Chunk]
    base: float
    size: float
    values: int


def without_prose(words: Sequence[Word], lines: Sequence[Line]) -> list[Word]:
    """The words that stand in no stack of running text; `lines` are those of the words."""
    stacks: list[_Stack] = []
    open_stacks: list[_Stack] = []
    for line in lines:
        open_stacks = [stack for stack in open_stacks if line.base - stack.base < 2.1 * max(stack.size, line.size)]
        for at, chunk in enumerate(line.chunks):
            stack = next((one for one in open_stacks if _goes_on(one, chunk, line)), None)
            beside = at + 1 < len(line.chunks) and line.chunks[at + 1].numeric
            if stack is not None:
                stack.chunks.append(chunk)
                stack.base, stack.values = line.base, stack.values + beside
            elif len(chunk.words) >= FEWEST_WORDS and not chunk.numeric:
                stacks.append(_Stack([chunk], line.base, line.size, int(beside)))
                open_stacks.append(stacks[-1])
    prose = {id(word) for stack in stacks if _is_prose(stack) for chunk in stack.chunks for word in chunk.words}
    return [word for word in words if id(word) not in prose] if prose else list(words)


def _goes_on(stack: _Stack, chunk: Chunk, line: Line) -> bool:
    indent = 2.2 * line.size
    starts = abs(chunk.x0 - stack.chunks[-1].x0) < indent or abs(chunk.x0 - stack.chunks[0].x0) < indent
    return line.base > stack.base and starts and abs(line.size - stack.size) < 0.2 * stack.size


def _is_prose(stack: _Stack) -> bool:
    count = len(stack.chunks)
    if count < FEWEST_LINES or stack.values > 0.3 * count:
        return False
    wordy = sum(len(chunk.words) >= FEWEST_WORDS for chunk in stack.chunks)
    letters = sum(word.text[:1].isalpha() for chunk in stack.chunks for word in chunk.words)
    total = sum(len(chunk.words) for chunk in stack.chunks)
    widest = max(chunk.x1 - chunk.x0 for chunk in stack.chunks)
    filled = sum(chunk.x1 - chunk.x0 >= FILLED * widest for chunk in stack.chunks)
    return wordy >= 0.7 * count and letters >= 0.7 * total and filled >= 0.62 * count and total >= 4.5 * count
