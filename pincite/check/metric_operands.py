"""The line items of a metric must be of one firm: a table that says otherwise of another operand is of somebody else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from pincite.document.cell_values import cell_times, quantity_of
from pincite.document.statement_rows import LineItem, bare_label, plain, row_name
from pincite.document.times import years_of
from pincite.evidence.cell_terms import times_of
from pincite.evidence.cited_place import CitedPlace, Failed
from pincite.quantity import same
from pincite.types import Quantity

ROUNDED = Decimal("0.01")
"""How far two amounts of one line item may be apart: a summary rounds."""
_REMEDY = "Cite operands of one and the same statement, or answer N/A."


def of_one_firm(found: Sequence[CitedPlace], items: Sequence[LineItem]) -> None:
    """Raise Failed where an operand's own table has another operand's line item at its year with another amount.

    The affiliates' net income beside the firm's sales: the table of the affiliates has sales of its own.
    """
    for place in found:
        for other in found:
            if place.node.id == other.node.id or place.view is None or other.cell is None:
                continue
            own = list(_amounts(place, other, items))
            there = quantity_of(other.node, other.cell)
            if own and there is not None and not _is_among(there, own):
                how = f"{place.described} is of another table than {other.described}, which says otherwise of it"
                raise Failed("contradicted", how, place.citation.label, _REMEDY)


def _amounts(
    place: CitedPlace, other: CitedPlace, items: Iterable[LineItem]
) -> Iterator[Quantity]:
    """What the table of one operand gives for the line item of another at its year."""
    if place.view is None or other.cell is None:
        return
    names = _names_of(row_name(other.cell), items)
    years = set(years_of(times_of(other)))
    for cell in place.view.labels.cells:
        if _name(row_name(cell)) in names and years & set(years_of(cell_times(cell))):
            amount = quantity_of(place.node, cell)
            if amount is not None and amount.unit != "%":
                yield amount


def _names_of(label: str, items: Iterable[LineItem]) -> set[str]:
    """How rows of the line item of a label are called; none where it is of no item."""
    own = _name(label)
    labels = ({_name(written) for written in item.labels} for item in items)
    return set().union(*(written for written in labels if own in written))


def _name(label: str) -> str:
    return plain(bare_label(label))


def _is_among(amount: Quantity, others: Iterable[Quantity]) -> bool:
    return any(same(amount, other, rel=ROUNDED, lenient=True) for other in others)
