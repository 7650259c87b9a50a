"""The contents of a cited place, read again from the node alone: cells with their headers, or the numbers of a quote."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from operator import attrgetter

from pincite.document.address import standing
from pincite.document.cell_values import quantity_of
from pincite.document.labelled_cells import Labelled
from pincite.document.sentences import read
from pincite.document.table import spot
from pincite.document.words import words
from pincite.evidence.candidate import Passage
from pincite.evidence.table_view import TableView, views
from pincite.evidence.value_in_words import scale_word
from pincite.ingest.tree import anchor_of
from pincite.quantity import find
from pincite.quantity.dollars import DOLLAR, in_own_dollars
from pincite.types import Anchor, Box, Citation, Node, Quantity, Verdict

_NEAR = 0.1
"""Points by which a kept box may differ from the node's: boxes are stored with two decimals."""
_DROPPED = re.compile(r"-\s+|\s+|\u00ad")
"""What line breaks do to a text: white space, and hyphens at the end of a line."""
_SPELLED = re.compile(r"[^\W\d_][\w’'-]*")


class Failed(Exception):
    """A claim that its place does not carry: the verdict, in words what is there instead, and what to cite or say instead."""

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
    the citation may mean). A cell has its headers in `cell` and its table in `view`.
    """

    citation: Citation
    node: Node
    text: str
    numbers: tuple[PlacedQuantity, ...]
    view: TableView | None = None
    cell: Labelled | None = None

    @property
    def described(self) -> str:
        """The place in words: the cell with its row, column, scale and unit, or the quote, and where it is."""
        where = f" {standing(self.citation.anchor)}".rstrip()
        if self.cell is None:
            return f"'{clipped(self.text)}'{where}"
        parts = (
            [f"row '{clipped(' '.join((*self.cell.sections, self.cell.label)))}'"]
            if self.cell.label
            else []
        )
        parts += [f"column '{clipped(self.cell.heading)}'"] if self.cell.heading else []
        measured = _measured(self.numbers[0].quantity) if self.numbers else ""
        return f"{clipped(self.text)} in {', '.join(parts) or 'the table'}{measured}{where}"

    def sentence(self, number: PlacedQuantity) -> str:
        """The sentence of a number in words, with its place."""
        start, end = sentence_of(self.node, number)
        around = replace(self, text=self.node.text[start:end].strip(), cell=None)
        return around.described


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
        raise Failed(
            "unsupported",
            f"the place cited in {citation.document or 'the source'} is gone",
            citation.label,
        )
    return _cells(citation, node) if citation.anchor.cells else [_quoted(citation, node)]


def table_of(node: Node) -> TableView | None:
    """The table of a node as a reader sees it."""
    found = views([Passage(node, heading=node.anchor.path)]) if node.kind == "table" else []
    return found[0] if found else None


def _cells(citation: Citation, node: Node) -> list[CitedPlace]:
    view, anchor, label = table_of(node), citation.anchor, citation.label
    known = _labelled(view) if view else {}
    if view is None or not known.keys() >= set(anchor.cells):
        how = f"there is no cell {anchor.cells} in the table {standing(node.anchor)}"
        raise Failed("unsupported", how, label)
    cells = [known[at] for at in anchor.cells]
    stands = {(cell.row, cell.column): spot(node, cell) for cell in view.table.cells}
    if not _agree(anchor.spots, [stands.get(at, (node.anchor.page, None)) for at in anchor.cells]):
        raise Failed(
            "unsupported", f"the place cited {standing(anchor)} is not where the cell is", label
        )
    if squeezed(citation.quote)[0] != "".join(squeezed(cell.text)[0] for cell in cells):
        there = clipped(" ".join(cell.text for cell in cells))
        raise Failed(
            "unsupported",
            f"the cited cell holds '{there}', not '{clipped(citation.quote)}'",
            label,
        )
    return [_of_cell(citation, view, cell) for cell in cells]


def _of_cell(citation: Citation, view: TableView, cell: Labelled) -> CitedPlace:
    quantity = quantity_of(view.node, cell)
    return CitedPlace(
        citation, view.node, cell.text, (PlacedQuantity(quantity),) if quantity else (), view, cell
    )


def _labelled(view: TableView) -> dict[tuple[int, int], Labelled]:
    """Every cell of a table by its place; a header is its own label."""
    headers = {
        (c.row, c.column): Labelled(c.row, c.column, c.text, c.text, (), ())
        for c in view.table.cells
    }
    return headers | {(cell.row, cell.column): cell for cell in view.labels.cells}


MOST = 1_000
"""So many times a quote is looked for in its node: one that stands there more often says nothing."""


def _quoted(citation: Citation, node: Node) -> CitedPlace:
    """The quote where the cited box is; its numbers are those that stand in that box."""
    spans = list(islice(_spans(citation.quote, node.text), MOST))
    if not spans:
        raise Failed(
            "unsupported",
            f"'{clipped(citation.quote)}' does not appear at the cited place",
            citation.label,
        )
    spans = [
        (start, end)
        for start, end in spans
        if _within(citation.anchor, anchor_of(node, start, end))
    ]
    if not spans:
        how = f"the place cited {standing(citation.anchor)} is not where '{clipped(citation.quote)}' appears"
        raise Failed("unsupported", how, citation.label)
    view = table_of(node)
    if view:
        return CitedPlace(
            citation, node, citation.quote, tuple(_of_cells(view, citation.quote)), view
        )
    numbers = tuple(
        number for start, end in spans for number in _of_text(citation, node, start, end)
    )
    return CitedPlace(citation, node, citation.quote, numbers)


def _of_text(citation: Citation, node: Node, start: int, end: int) -> Iterator[PlacedQuantity]:
    """The numbers of a quote that stand on the cited lines; a number that ends a line may go on in the next."""
    for number in numbers_in(node, start, end):
        if not _share_no_spot(citation.anchor, anchor_of(node, number.start, number.end)):
            yield number


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


def _of_cells(view: TableView, quote: str) -> Iterator[PlacedQuantity]:
    """The numbers of a line of a table: with the scale and unit that the table binds to them, not as bare text."""
    flat = squeezed(quote)[0]
    for cell in view.labels.cells:
        quantity = quantity_of(view.node, cell)
        if quantity and squeezed(cell.text)[0] in flat and squeezed(cell.label)[0] in flat:
            yield PlacedQuantity(quantity)


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


def _spans(quote: str, text: str) -> Iterator[tuple[int, int]]:
    needle, _ = squeezed(quote)
    hay, at = squeezed(text)
    for found in _found(needle, hay):
        yield at[found], at[found + len(needle) - 1] + 1


def _found(needle: str, hay: str) -> Iterator[int]:
    """Every place of a text in another; none of an empty one."""
    found = hay.find(needle) if needle else -1
    while found >= 0:
        yield found
        found = hay.find(needle, found + 1)


Spots = Sequence[tuple[int, Box | None]]


def _same(a: tuple[int, Box | None], b: tuple[int, Box | None]) -> bool:
    if a[0] != b[0] or (a[1] is None) != (b[1] is None):
        return False
    return (
        a[1] is None
        or b[1] is None
        or all(abs(x - y) <= _NEAR for x, y in zip(a[1], b[1], strict=True))
    )


def _agree(a: Spots, b: Spots) -> bool:
    return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))


def _within(part: Anchor, whole: Anchor) -> bool:
    """Whether every cited spot is one of those where the characters stand."""
    return bool(part.spots) == bool(whole.spots) and all(
        any(map(partial(_same, spot), whole.spots)) for spot in part.spots
    )


def _share_no_spot(a: Anchor, b: Anchor) -> bool:
    """Whether two anchors that have spots share none."""
    return bool(a.spots and b.spots) and not any(_same(x, y) for x in a.spots for y in b.spots)


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
