"""A note on a page that says what its numbers are in, cited beside a number that names no scale: "(in thousands)"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from pincite.evidence.candidate import Evidence, Passage
from pincite.evidence.cited_place import CitedPlace, PlacedQuantity
from pincite.quantity import declared
from pincite.quantity.declarations import SCALE_NOTE, scale_notes
from pincite.quantity.units import is_counted, is_currency
from pincite.types import Citation, Node, Quantity


def is_note(citation: Citation) -> bool:
    """Whether no more is cited than a note of scale."""
    return not citation.anchor.cells and SCALE_NOTE.fullmatch(citation.quote.strip()) is not None


def notes_on(page: Iterable[Passage]) -> Iterator[tuple[Evidence, Decimal]]:
    """The notes of scale in the running text of a page, each with its scale."""
    for passage in page:
        node = passage.node
        for start, end, said in scale_notes(node.text) if node.table is None else ():
            note = Evidence(node, (), start, end, node.text[start:end], passage.document)
            yield note, said.scale


def in_scale(quantity: Quantity, node: Node, scale: Decimal) -> Quantity:
    """A number in the scale of a note on its page, where nothing at its place says what it is in; else as it is.

    Of running text only money may be meant so: things that are counted there are written out.
    """
    unit = quantity.unit
    counted = node.table is not None and (not unit or is_counted(unit))
    bare = quantity.scale == 1 and (counted or is_currency(unit))
    if not bare or (node.table is not None and node.table.scale != 1):
        return quantity
    return replace(quantity, scale=scale)


def read_with_notes(found: Sequence[CitedPlace]) -> list[CitedPlace]:
    """Cited places without the notes of scale beside them; what these say holds for the numbers on their pages."""
    notes = [place for place in found[1:] if is_note(place.citation)]
    scales = {_page(note): declared(note.text).scale for note in reversed(notes)}
    return [
        replace(place, numbers=tuple(_scaled(place, scales[_page(place)])))
        if _page(place) in scales
        else place
        for place in found
        if place not in notes
    ]


def _page(place: CitedPlace) -> tuple[str, int]:
    return place.node.anchor.source, place.node.anchor.page


def _scaled(place: CitedPlace, scale: Decimal) -> Iterator[PlacedQuantity]:
    """The numbers of a place in the scale of the note on its page."""
    for number in place.numbers:
        yield replace(number, quantity=in_scale(number.quantity, place.node, scale))
