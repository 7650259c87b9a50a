"""The numbers of cited pages, each where it stands, and whether a number that a model says is one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.document.cell_values import quantity_of
from pincite.document.deducted_amounts import as_spent
from pincite.document.labelled_cells import Labelled
from pincite.evidence.candidate import Evidence, Passage
from pincite.evidence.cited_place import cells_of, numbers_in, sentence_of, table_of
from pincite.generate.orders import trusted
from pincite.lexicon import pattern
from pincite.quantity import EXACT, same
from pincite.quantity.units import is_counted
from pincite.types import Quantity

_REFERENCES = pattern("generate", "references")
"""The header of a column whose numbers only point elsewhere."""


@dataclass(frozen=True, slots=True)
class FoundNumber:
    """A number where it stands, with the place; for a cell with its labels."""

    quantity: Quantity
    evidence: Evidence
    cell: Labelled | None = None


def means(said: Quantity, there: Quantity) -> bool:
    """Whether a number said is the one that stands at a place.

    A number said without a unit takes the place's, and so does one said without the rate ("kWh" of "kWh per query"); things that
    are counted (employees) need no unit there. An expense in parentheses may be said with the sign it has there.
    """
    said = as_spent(said, there)
    if said.unit in ("", "year", there.unit.partition("/")[0]):
        return same(replace(said, unit=there.unit), there, rel=EXACT)
    if not there.unit:
        return is_counted(said.unit) and same(replace(said, unit=""), there, rel=EXACT)
    return same(said, there, rel=EXACT)


def numbers_on(pages: Sequence[Sequence[Passage]]) -> Iterator[FoundNumber]:
    """Every number of these pages that stands at a place to be trusted."""
    for page in pages:
        for passage in page:
            found = _in_cells(passage) if table_of(passage.node) else _in_text(passage)
            yield from (number for number in found if trusted(number.evidence, page))


def _in_text(passage: Passage) -> Iterator[FoundNumber]:
    """The numbers of running text, each quoted with its sentence."""
    node = passage.node
    for number in numbers_in(node, 0, len(node.text)):
        start, end = sentence_of(node, number)
        sentence = " ".join(node.text[start:end].split())
        place = Evidence(node, (), number.start, number.end, sentence, passage.document)
        yield FoundNumber(number.quantity, place)


def _in_cells(passage: Passage) -> Iterator[FoundNumber]:
    """The numbers of a table's cells."""
    node = passage.node
    for cell in cells_of(node):
        quantity = quantity_of(node, cell)
        if quantity is not None and not _REFERENCES.fullmatch(cell.heading):
            place = ((cell.row, cell.column),)
            where = Evidence(node, place, quote=cell.text, document=passage.document)
            yield FoundNumber(quantity, where, cell)
