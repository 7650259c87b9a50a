"""Running headers, footers and page numbers: the lines that stand at the edge of page after page.

A line is furniture when its text with the digits masked comes back at the same edge and height of other pages, or when
it is an outermost line that begins or ends with the number of its page, counted as on other pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count

from pincite.ingest.raw_page import Block, Page
from pincite.lexicon import pattern

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
class Edges:
    """What the edges of one page say: (height step, masked text) of lines, and how far its numbers are off its own."""

    keys: tuple[Key, ...] = ()
    shifts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Furniture:
    """What runs along the edges of a document: the lines that repeat, and how its pages are counted."""

    keys: frozenset[Key] = frozenset()
    shifts: frozenset[int] = frozenset()

    def strip(self, page: Page) -> Page:
        """The page without its furniture.

        A page that holds nothing else keeps it. The first page loses its number only: its title may run on later.
        """
        lines = _edge_lines(page)
        repeated = [line for line in lines if not self.keys.isdisjoint(_near(line[1]))]
        if page.number > 1:
            drop = {place for place, _ in repeated}
            drop |= {place for place, shift in _labels(page) if shift in self.shifts}
        else:
            drop = {place for place, (_, text) in repeated if text == "#"}
        return _without_lines(page, drop)


def edges_of(page: Page) -> Edges:
    """What `learn` needs of a page: a few short strings and numbers."""
    shifts = tuple(shift for _, shift in _labels(page))
    return Edges(tuple(key for _, key in _edge_lines(page)), shifts)


def learn(edges: Iterable[Edges]) -> Furniture:
    """Furniture from the edges of every page: what stands on three pages, or on both of two."""
    keys: Counter[Key] = Counter()
    shifts: Counter[int] = Counter()
    pages = 0
    for edge in edges:
        pages += 1
        keys.update({near for key in edge.keys for near in _near(key)})
        shifts.update(set(edge.shifts))
    enough = 3 if pages > 2 else 2
    counted = max(3, pages // 10)
    repeated = frozenset(key for key, count in keys.items() if count >= enough)
    usual = frozenset(shift for shift, count in shifts.items() if count >= counted)
    return Furniture(repeated, usual)


def without_furniture(pages: Iterable[Page]) -> tuple[Page, ...]:
    """The pages of one document with what runs along their edges left out."""
    held = tuple(pages)
    furniture = learn(map(edges_of, held))
    return tuple(map(furniture.strip, held))


def _edge_lines(page: Page) -> Iterator[tuple[Place, Key]]:
    """The lines near the edges of a page, with what they are known by."""
    for step, at, line in _placed_lines(page):
        if masked := _masked(page.blocks[at], line):
            yield (at, line), (step, masked)


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
    sides = [entry for entry in lines if _runs_along_a_side(page, entry[2], entry[3])]
    for y0, _, at, line in dict.fromkeys(top + low[-_LINES:] + sides):
        yield round(y0 / page.height / _STEP), at, line


def _labels(page: Page) -> Iterator[tuple[Place, int]]:
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


def _runs_along_a_side(page: Page, block: int, line: int) -> bool:
    """Whether a line is turned text in the left or right margin."""
    box = page.blocks[block].lines[line]
    if box is None or box[3] - box[1] < 3 * (box[2] - box[0]):
        return False
    return box[2] < _EDGE * page.width or box[0] > (1 - _EDGE) * page.width


def _line(block: Block, line: int) -> str:
    return block.text_lines()[line]


def _masked(block: Block, line: int) -> str:
    text = " ".join(_DIGITS.sub("#", _line(block, line)).split())
    return "#" if _PAGE_NUMBER.fullmatch(text) else text.casefold()


def _near(key: Key) -> tuple[Key, Key, Key]:
    step, text = key
    return (step - 1, text), key, (step + 1, text)


def _without_lines(page: Page, drop: Iterable[Place]) -> Page:
    """The page without some of its lines, unless nothing else is left of it."""
    dropped: dict[int, set[int]] = {}
    for at, line in drop:
        dropped.setdefault(at, set()).add(line)
    stripped = [_without(block, dropped.get(at, set())) for at, block in enumerate(page.blocks)]
    blocks = tuple(block for block in stripped if block is not None)
    return replace(page, blocks=blocks) if any(block.text for block in blocks) else page


def _without(block: Block, lines: set[int]) -> Block | None:
    if not lines:
        return block
    if len(lines) >= len(block.lines):
        return None
    texts, boxes, starts = [], [], []
    at = 0
    for line, box in enumerate(block.lines):
        if line in lines:
            continue
        end = block.starts[line + 1] if line + 1 < len(block.starts) else len(block.text)
        piece = block.text[block.starts[line] : end]
        texts.append(piece)
        boxes.append(box)
        starts.append(at)
        at += len(piece)
    return replace(block, text="".join(texts).rstrip(), lines=tuple(boxes), starts=tuple(starts))
