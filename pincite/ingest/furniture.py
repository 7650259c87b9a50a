"""Running headers, footers and page numbers: the lines that stand at the edge of page after page.

A line is furniture when its text with the digits masked comes back at the same edge and height of other pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.ingest.page import Block, Page

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-\u2013\u2014|\s]*(?:[A-Z]{1,2}-)?(?:#|[ivxlc]{1,6})[-\u2013\u2014|\s]*(?:(?:of|/)\s*#)?", re.I
)
_EDGE = 0.12  # the share of the page's height at the top and at the bottom where furniture stands
_LINES = 4  # how many lines of each edge are looked at
_STEP = 0.02  # lines of one kind stand within this share of the page's height

Key = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Furniture:
    """What runs along the edges of a document: (height step, masked text) of the lines that repeat."""

    keys: frozenset[Key] = frozenset()

    def strip(self, page: Page) -> Page:
        """The page without its furniture.

        A page that holds nothing else keeps it. The first page loses its number only: its title may run on later.
        """
        drop = {
            place
            for place, key in _edge_lines(page)
            if (page.number > 1 or key[1] == "#") and any(near in self.keys for near in _near(key))
        }
        if not drop:
            return page
        blocks = tuple(
            kept
            for index, block in enumerate(page.blocks)
            if (kept := _without(block, {line for at, line in drop if at == index})) is not None
        )
        return replace(page, blocks=blocks) if any(block.text for block in blocks) else page


def learn(edges: Iterable[Sequence[Key]]) -> Furniture:
    """Furniture from the `edge_keys` of every page: what stands on three pages, or on both of two."""
    counts: Counter[Key] = Counter()
    pages = 0
    for keys in edges:
        pages += 1
        counts.update({near for key in keys for near in _near(key)})
    enough = 3 if pages > 2 else 2
    return Furniture(frozenset(key for key, count in counts.items() if count >= enough))


def edge_keys(page: Page) -> tuple[Key, ...]:
    """What `learn` needs of a page: a few short strings."""
    return tuple(key for _, key in _edge_lines(page))


def without_furniture(pages: Iterable[Page]) -> tuple[Page, ...]:
    """The pages of one document with what runs along their edges left out."""
    held = tuple(pages)
    furniture = learn(map(edge_keys, held))
    return tuple(map(furniture.strip, held))


def _edge_lines(page: Page) -> Iterator[tuple[tuple[int, int], Key]]:
    if not page.height:
        yield from _outer_lines(page)
        return
    lines = sorted(
        (box[1], box[3], at, line)
        for at, block in enumerate(page.blocks)
        if block.table is None and block.text
        for line, box in enumerate(block.lines)
        if box is not None
    )
    top = [entry for entry in lines[: 2 * _LINES] if entry[1] < _EDGE * page.height][:_LINES]
    bottom = [entry for entry in lines[-2 * _LINES :] if entry[0] > (1 - _EDGE) * page.height][-_LINES:]
    sides = [entry for entry in lines if _runs_along_a_side(page, entry[2], entry[3])]
    for y0, _, at, line in dict.fromkeys(top + bottom + sides):
        masked = _masked(page.blocks[at], line)
        if masked:
            yield (at, line), (round(y0 / page.height / _STEP), masked)


def _outer_lines(page: Page) -> Iterator[tuple[tuple[int, int], Key]]:
    """The first and last lines of a page without geometry; their order takes the place of the height."""
    lines = [
        (at, line)
        for at, block in enumerate(page.blocks)
        if block.table is None and block.text
        for line in range(len(block.starts))
    ]
    ends = [*enumerate(lines[:2]), *((1000 - back, place) for back, place in enumerate(lines[: -_LINES - 1 : -1]))]
    for step, (at, line) in ends:
        if masked := _masked(page.blocks[at], line):
            yield (at, line), (step, masked)


def _runs_along_a_side(page: Page, block: int, line: int) -> bool:
    """Whether a line is turned text in the left or right margin."""
    box = page.blocks[block].lines[line]
    if box is None or box[3] - box[1] < 3 * (box[2] - box[0]):
        return False
    return box[2] < _EDGE * page.width or box[0] > (1 - _EDGE) * page.width


def _masked(block: Block, line: int) -> str:
    end = block.starts[line + 1] if line + 1 < len(block.starts) else len(block.text)
    text = " ".join(_DIGITS.sub("#", block.text[block.starts[line] : end]).split())
    return "#" if _PAGE_NUMBER.fullmatch(text) else text.casefold()


def _near(key: Key) -> tuple[Key, Key, Key]:
    step, text = key
    return (step - 1, text), key, (step + 1, text)


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
