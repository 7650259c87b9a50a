"""Running headers, footers and page numbers: the lines that stand at the edge of page after page.

A line is furniture when its text with the digits masked comes back at the same edge and height of other pages, or when
it is an outermost line that begins or ends with the number of its page, counted as on other pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from pincite.ingest.raw_page import Block, Page
from pincite.text.lexicon import pattern
from pincite.types import Box

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = pattern("ingest", "page number", "numbering")
_EDGE = 0.12  # the share of the page's height at the top and at the bottom where furniture stands
_LINES = 4  # how many lines of each edge are looked at
_STEP = 0.02  # lines of one kind stand within this share of the page's height

_LABEL = pattern("ingest", "page label", "numbering")
_LABEL_LINE = 90  # the most characters of a line that holds a page number

Place = tuple[int, int]
Key = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Furniture:
    """What runs along the edges of a document: the lines that repeat, and how far its numbers are off those of its pages."""

    keys: frozenset[Key] = frozenset()
    shifts: frozenset[int] = frozenset()

    @classmethod
    def of(cls, pages: Sequence[Page]) -> Furniture:
        """That of a document: what stands on three pages, or on both of two."""
        keys: Counter[Key] = Counter()
        shifts: Counter[int] = Counter()
        for page in pages:
            keys.update({near for _, key in _edge_lines(page) for near in _keys_around(key)})
            shifts.update({shift for _, shift in _page_labels(page)})
        repeated = 3 if len(pages) > 2 else 2
        counted = max(3, len(pages) // 10)
        return cls(
            frozenset(key for key, count in keys.items() if count >= repeated),
            frozenset(shift for shift, count in shifts.items() if count >= counted),
        )

    def strip(self, page: Page) -> Page:
        """The page without its furniture.

        A page that holds nothing else keeps it. The first page loses its number only: its title may run on later.
        """
        drop: dict[int, set[int]] = defaultdict(set)
        for (at, line), key in _edge_lines(page):
            if (page.number > 1 or key[1] == "#") and not self.keys.isdisjoint(_keys_around(key)):
                drop[at].add(line)
        for (at, line), shift in _page_labels(page) if page.number > 1 else ():
            if shift in self.shifts:
                drop[at].add(line)
        stripped = (
            _without_lines(block, drop.get(at, set())) for at, block in enumerate(page.blocks)
        )
        blocks = tuple(block for block in stripped if block is not None)
        return replace(page, blocks=blocks) if any(block.text for block in blocks) else page


def without_furniture(pages: Iterable[Page]) -> tuple[Page, ...]:
    """The pages of one document with what runs along their edges left out."""
    held = tuple(pages)
    return tuple(map(Furniture.of(held).strip, held))


def _edge_lines(page: Page) -> Iterator[tuple[Place, Key]]:
    """The lines near the edges of a page, with what they are known by: height and text without numbers, "#" for a number."""
    for step, at, line in _placed_lines(page):
        text = " ".join(_DIGITS.sub("#", _line(page.blocks[at], line)).split())
        if text:
            yield (at, line), (step, "#" if _PAGE_NUMBER.fullmatch(text) else text.casefold())


def _placed_lines(page: Page) -> Iterator[tuple[int, int, int]]:
    """How high each line near an edge of a page stands, in steps, its block and its number.

    The order of the lines takes the place of their height on a page without geometry.
    """
    lines = _lines(page)
    if not page.height:
        ends = [*enumerate(lines[:2]), *zip(count(1000, -1), lines[: -_LINES - 1 : -1])]
        yield from ((step, at, line) for step, (_, _, at, line) in ends)
        return
    top = [entry for entry in lines[: 2 * _LINES] if entry[1] < _EDGE * page.height][:_LINES]
    low = [entry for entry in lines[-2 * _LINES :] if entry[0] > (1 - _EDGE) * page.height]
    placed = ((entry, page.blocks[entry[2]].lines[entry[3]]) for entry in lines)
    sides = [entry for entry, box in placed if box and _is_in_margin(box, page.width)]
    for y0, _, at, line in dict.fromkeys(top + low[-_LINES:] + sides):
        yield round(y0 / page.height / _STEP), at, line


def _is_in_margin(box: Box, width: float) -> bool:
    """Whether a line is turned text in the left or right margin of a page of some width."""
    upright = box[3] - box[1] >= 3 * (box[2] - box[0])
    return upright and (box[2] < _EDGE * width or box[0] > (1 - _EDGE) * width)


def _page_labels(page: Page) -> Iterator[tuple[Place, int]]:
    """The outermost lines of a page that may hold its number, and how far that is off its physical number."""
    lines = _lines(page)
    for _, _, at, line in dict.fromkeys(lines[:2] + lines[-2:]):
        text = _line(page.blocks[at], line)
        if len(text) <= _LABEL_LINE and (label := _LABEL.search(text)):
            yield (at, line), int(label[1] or label[2]) - page.number


def _lines(page: Page) -> list[tuple[float, float, int, int]]:
    """Top, bottom, block and number of every line outside tables, from top to bottom where there is geometry."""
    texts = ((at, one) for at, one in enumerate(page.blocks) if one.table is None and one.text)
    lines = ((box, at, line) for at, one in texts for line, box in enumerate(one.lines))
    placed = ((box or (0.0,) * 4, at, line) for box, at, line in lines)
    return sorted((box[1], box[3], at, line) for box, at, line in placed)


def _line(block: Block, line: int) -> str:
    return block.text_lines()[line]


def _keys_around(key: Key) -> tuple[Key, Key, Key]:
    step, text = key
    return (step - 1, text), key, (step + 1, text)


def _without_lines(block: Block, lines: set[int]) -> Block | None:
    if not lines:
        return block
    if len(lines) >= len(block.lines):
        return None
    ends = (*block.starts[1:], len(block.text))
    text, boxes, starts = "", [], []
    for line, (box, start, end) in enumerate(zip(block.lines, block.starts, ends, strict=True)):
        if line not in lines:
            boxes.append(box)
            starts.append(len(text))
            text += block.text[start:end]
    return replace(block, text=text.rstrip(), lines=tuple(boxes), starts=tuple(starts))
