"""The contents of a cited place, read again from the node alone: cells with their headers, or the numbers of a quote."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from operator import attrgetter

from pincite.document.address import standing
from pincite.document.cell_values import quantity_of
from pincite.document.labelled_cells import Labelled, labels
from pincite.document.sentences import read
from pincite.document.table import spot
from pincite.evidence.value_in_words import scale_word
from pincite.ingest.tree import anchor_of
from pincite.quantity import find
from pincite.quantity.dollars import DOLLAR, in_own_dollars
from pincite.text.words import words
from pincite.types import Box, Citation, Node, Quantity, Table, Verdict

Spot = tuple[int, Box | None]
_NEAR = 0.1
"""Points by which a kept box may differ from the node's: boxes are stored with two decimals."""
_DROPPED = re.compile(r"-\s+|\s+|\u00ad")
"""What line breaks do to a text: white space, and hyphens at the end of a line."""
_SPELLED = re.compile(r"[^\W\d_][\w’'-]*")


class Failed(Exception):
    """A claim that its place does not carry: the verdict, in words what is there instead, and what a model should reply."""

    def __init__(self, verdict: Verdict, how: str, label: str = "", remedy: str = "") -> None:
        super().__init__(how)
        self.verdict, self.how, self.label, self.remedy = verdict, how, label, remedy


@dataclass(frozen=True, slots=True)
class PlacedQuantity:
    """A quantity at characters [start, end) of a node's text; for a cell both are 0."""

    quantity: Quantity
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """One cited cell or quote as it was read again.

    `text` is the cell's text or the quote, `numbers` the quantities that stand there (at every place of the quote that
    the citation may mean). A cell has its headers in `cell`.
    """

    citation: Citation
    node: Node
    text: str
    numbers: tuple[PlacedQuantity, ...]
    cell: Labelled | None = None

    @property
    def table(self) -> Table | None:
        """The table that the place is in."""
        return table_of(self.node)

    @property
    def described(self) -> str:
        """The place in words: the cell with its row, column, scale and unit, or the quote, and where it is."""
        where = f" {standing(self.citation.anchor)}".rstrip()
        cell = self.cell
        if cell is None:
            return f"'{clipped(self.text)}'{where}"
        row = f"row '{clipped(' '.join((*cell.sections, cell.label)))}'" if cell.label else ""
        column = f"column '{clipped(cell.heading)}'" if cell.heading else ""
        inside = ", ".join(filter(None, (row, column))) or "the table"
        measured = _measured(self.numbers[0].quantity) if self.numbers else ""
        return f"{clipped(self.text)} in {inside}{measured}{where}"

    def sentence(self, number: PlacedQuantity) -> str:
        """The sentence of a number in words, with its place."""
        text = self.node.text[slice(*sentence_of(self.node, number))]
        return replace(self, text=text.strip(), cell=None).described


def contradicted(how: str, place: CitedPlace, remedy: str = "") -> Failed:
    """What the question or the claim says against a place."""
    return Failed("contradicted", how, place.citation.label, remedy)


def clipped(text: str, most: int = 100) -> str:
    """A text on one line, at most `most` characters long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}\u2026"


def _measured(quantity: Quantity) -> str:
    scale = scale_word(quantity.scale)
    inside = " of ".join(filter(None, (f"{scale}s" if scale else "", quantity.unit)))
    return f", in {inside}" if inside else ""


def places(citation: Citation, node: Node | None) -> list[CitedPlace]:
    """Read a citation again: one place for each of its cells, or one for its quote.

    Raises Failed when the node is gone or of another source, when the cited box is not where the cells or the quoted
    characters stand, or when they are not there at all.
    """
    if node is None or node.anchor.source != citation.anchor.source:
        how = f"the place cited in {citation.document or 'the source'} is gone"
        raise Failed("unsupported", how, citation.label)
    return _cells(citation, node) if citation.anchor.cells else [_quoted(citation, node)]


def table_of(node: Node) -> Table | None:
    """The table that a node is; None for one of another kind."""
    return node.table if node.kind == "table" else None


def cells_of(node: Node) -> tuple[Labelled, ...]:
    """The labelled cells of the table that a node is."""
    table = table_of(node)
    return labels(table).cells if table else ()


def _cells(citation: Citation, node: Node) -> list[CitedPlace]:
    """The cited cells of a table; a header is its own label."""
    table, anchor, label = table_of(node), citation.anchor, citation.label
    written = table.cells if table else ()
    headers = (Labelled(c.row, c.column, c.text, c.text, (), ()) for c in written)
    known = {(cell.row, cell.column): cell for cell in (*headers, *cells_of(node))}
    if not known.keys() >= set(anchor.cells):
        how = f"there is no cell {anchor.cells} in the table {standing(node.anchor)}"
        raise Failed("unsupported", how, label)
    spots = spots_of(node, anchor.cells)
    if len(spots) != len(anchor.spots) or not all(map(_same, anchor.spots, spots)):
        how = f"the place cited {standing(anchor)} is not where the cell is"
        raise Failed("unsupported", how, label)
    cells = [known[at] for at in anchor.cells]
    if squeezed(citation.quote)[0] != "".join(squeezed(cell.text)[0] for cell in cells):
        there = clipped(" ".join(cell.text for cell in cells))
        how = f"the cited cell holds '{there}', not '{clipped(citation.quote)}'"
        raise Failed("unsupported", how, label)
    return [CitedPlace(citation, node, cell.text, _of(node, (cell,)), cell) for cell in cells]


def spots_of(node: Node, cells: Sequence[tuple[int, int]]) -> tuple[Spot, ...]:
    """Where cells of a table stand in its source."""
    found = {(cell.row, cell.column): cell for cell in node.table.cells} if node.table else {}
    own = (node.anchor.page, None)
    return tuple(spot(node, found[at]) if at in found else own for at in cells)


def _of(node: Node, cells: Iterable[Labelled]) -> tuple[PlacedQuantity, ...]:
    """The numbers of cells, with the scale and unit that their table binds to them."""
    read = (quantity_of(node, cell) for cell in cells)
    return tuple(PlacedQuantity(quantity) for quantity in read if quantity)


MOST = 1_000
"""So many times a quote is looked for in its node: one that stands there more often says nothing."""


def _quoted(citation: Citation, node: Node) -> CitedPlace:
    """The quote where the cited box is; its numbers are those that stand in that box."""
    quote, anchor = citation.quote, citation.anchor
    (needle, _), (hay, at) = squeezed(quote), squeezed(node.text)
    found = list(islice(_found(needle, hay), MOST))
    spans = [(at[first], at[first + len(needle) - 1] + 1) for first in found]
    if not spans:
        how = f"'{clipped(quote)}' does not appear at the cited place"
        raise Failed("unsupported", how, citation.label)
    spans = [span for span in spans if _within(anchor.spots, anchor_of(node, *span).spots)]
    if not spans:
        how = f"the place cited {standing(anchor)} is not where '{clipped(quote)}' appears"
        raise Failed("unsupported", how, citation.label)
    if table_of(node):
        line = squeezed(quote)[0]
        cells = (
            cell
            for cell in cells_of(node)
            if squeezed(cell.text)[0] in line and squeezed(cell.label)[0] in line
        )
        return CitedPlace(citation, node, quote, _of(node, cells))
    numbers = tuple(
        number
        for span in spans
        for number in numbers_in(node, *span)
        if _meet(anchor.spots, anchor_of(node, number.start, number.end).spots)
    )
    return CitedPlace(citation, node, quote, numbers)


def numbers_in(node: Node, start: int, end: int) -> list[PlacedQuantity]:
    """All quantities of a node's text that stand in [start, end), wholly or in part."""
    found = _numbers(node.text, node.meta.get(DOLLAR, ""))
    first = bisect_right(found, start, key=attrgetter("end"))
    return list(found[first : bisect_left(found, end, first, key=attrgetter("start"))])


@lru_cache(maxsize=256)
def _numbers(text: str, dollar: str) -> tuple[PlacedQuantity, ...]:
    return tuple(
        PlacedQuantity(
            in_own_dollars(found.quantity, dollar, found.quantity.text), found.start, found.end
        )
        for found in find(read(text).text)
    )


def sentence_of(node: Node, number: PlacedQuantity) -> tuple[int, int]:
    """The characters [start, end) of the sentence, or the line of a table in running text, that a number stands in."""
    reading = read(node.text)
    if not reading.segments:
        return 0, len(node.text)
    segment = reading.segments[reading.segment_at(reading.token_at(number.start))]
    return min(segment.start, number.start), max(segment.end, number.end)


def squeezed(text: str) -> tuple[str, list[int]]:
    """A text without what line breaks change in it, in compatibility form; and where each character was."""
    kept: list[str] = []
    at: list[int] = []
    position = 0
    for gap in (*_DROPPED.finditer(text), None):
        stop = gap.start() if gap else len(text)
        for index in range(position, stop):
            for character in unicodedata.normalize("NFKC", text[index]):
                if not character.isspace():
                    kept.append(character)
                    at.append(index)
        position = gap.end() if gap else stop
    return "".join(kept), at


def _found(needle: str, hay: str) -> Iterator[int]:
    """Every place of a text in another; none of an empty one."""
    found = hay.find(needle) if needle else -1
    while found >= 0:
        yield found
        found = hay.find(needle, found + 1)


def _same(a: Spot, b: Spot) -> bool:
    """Whether two spots are one, but for how their boxes were rounded."""
    (page, box), (other, beside) = a, b
    if box is None or beside is None:
        return page == other and box is beside
    return page == other and all(abs(x - y) <= _NEAR for x, y in zip(box, beside, strict=True))


def _within(part: Sequence[Spot], whole: Sequence[Spot]) -> bool:
    """Whether every cited spot is one of those where the characters stand."""
    return bool(part) == bool(whole) and all(any(_same(x, y) for y in whole) for x in part)


def _meet(a: Sequence[Spot], b: Sequence[Spot]) -> bool:
    """Whether two places share a spot, if both have any: a number that ends a line may go on in the next."""
    return not (a and b) or any(_same(x, y) for x in a for y in b)


def holds(place: CitedPlace, text: str) -> bool:
    """Whether a text stands at a place: its characters as whole words, or all of its words (an option of the question)."""
    needle = squeezed(text)[0].casefold()
    hay, at = squeezed(place.text)
    hay = hay.casefold() if len(hay.casefold()) == len(hay) else hay
    for found in _found(needle, hay):
        if not _inside_word(place.text, at[found], at[found + len(needle) - 1]):
            return True
    return place.cell is None and _says(place.text, text)


def _says(there: str, text: str) -> bool:
    """Whether a place says all words of a text, and those with a capital in its letters."""
    own = words(text)
    capitals = {word.casefold() for word in _SPELLED.findall(text) if word[0].isupper()}
    spelled = {word.casefold() for word in _SPELLED.findall(there)}
    return bool(own) and set(own) <= set(words(there)) and capitals <= spelled


def _inside_word(text: str, first: int, last: int) -> bool:
    """Whether the letters at [first, last] are cut out of longer words: "Holm" of "Holmes"."""
    before, after = text[max(0, first - 1) : first + 1], text[last : last + 2]
    return before.isalpha() and len(before) == 2 or after.isalpha() and len(after) == 2
