"""Computed claims run again over what stands at their operands."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, DecimalException, localcontext

from pincite.document.labelled_cells import name_of
from pincite.evidence.cited_place import CitedPlace, Failed, clipped, squeezed
from pincite.evidence.table_view import cell_times
from pincite.quantity import canonical_unit, compatible, convert, rounded, same
from pincite.quantity.arithmetic import OPERATIONS, PICKS
from pincite.quantity.formula import is_formula
from pincite.types import Claim, Quantity

EXACT = Decimal("1e-9")
"""The relative difference that the rounding of a conversion may make."""
_BARE = ("percentage_change", "proportion", "ratio", "product")
"""Operations whose result is not in the unit of their operands."""


def worded(value: Quantity) -> str:
    """A quantity in short, with its scale multiplied out."""
    ends = (value.value,) if value.low is None or value.high is None else (value.low, value.high)
    return " ".join((" to ".join(f"{(end * value.scale).normalize():,f}" for end in ends), value.unit)).strip()


def computed(claim: Claim, found: Sequence[CitedPlace]) -> str:
    """Compute a value again from what stands at its operands."""
    if not isinstance(claim.value, Quantity):
        raise Failed("unsupported", f"{claim.operation} gives a number, and '{clipped(claim.text)}' is none")
    cells = [(place.node.id, place.cell.row, place.cell.column) for place in found if place.cell is not None]
    if len(set(cells)) < len(cells):
        raise Failed("contradicted", "the same place is cited twice as an operand")
    if claim.operation == "count":
        if claim.value.amount != len(found) or claim.value.unit:
            raise Failed("contradicted", f"{worded(claim.value)} are claimed, but {len(found)} are cited")
        return f"{len(found)} places counted: {listed(found)}"
    for place in found:
        if not place.numbers:
            raise Failed("unsupported", f"no number stands in {place.described}", place.citation.label)
    for operands in _operands(found):
        if _recomputes(claim.operation, claim.value, operands):
            return f"{OPERATIONS[claim.operation].formula} with {listed(found)}"
    raise Failed("contradicted", f"{claim.operation} over {listed(found)} does not give {clipped(worded(claim.value))}")


def _operands(found: Sequence[CitedPlace]) -> list[list[Quantity]]:
    """The readings of the operands: one for cells; where a quote holds several numbers, each of them may be meant."""
    readings: list[list[Quantity]] = [[]]
    for place in found:
        readings = [[*some, number.quantity] for some in readings for number in place.numbers[:12]][:2000]
    return readings


def _recomputes(operation: str, value: Quantity, operands: Sequence[Quantity]) -> bool:
    """Whether an operation over these operands gives a value, in their unit; a bare operand is in the unit of the others."""
    units = [canonical_unit(operand.unit) for operand in operands]
    unit = next((unit_given for unit_given in units if unit_given), "")
    if operation != "product" and not all(
        compatible(unit_given, unit) or (not unit_given and unit != "%") for unit_given in units
    ):
        return False
    both = zip(operands, units, strict=True)
    amounts = [convert(one, unit).amount if own not in ("", unit) else one.amount for one, own in both]
    try:
        with localcontext(prec=40):
            made = OPERATIONS[operation].run(amounts)
    except (DecimalException, ValueError, ZeroDivisionError):
        return False
    given = canonical_unit(value.unit)
    if given not in {"percentage_change": ("%",), "proportion": ("%",), "ratio": ("", "x")}.get(
        operation, ("", unit, given)
    ):
        return False
    percent = given == "%" and is_formula(operation)
    if operation not in _BARE and given and given != unit and not percent:
        return False
    again = Quantity(made, value.unit)
    return same(value, again, rel=EXACT) or rounded(value, again)


def listed(found: Sequence[CitedPlace]) -> str:
    """Places in words, at most four of them."""
    shown = "; ".join(place.described for place in found[:4])
    return shown if len(found) <= 4 else f"{shown}; and {len(found) - 4} more"


def picked(claim: Claim, found: Sequence[CitedPlace]) -> str:
    """Names that code chose by comparing cells: each is a header of its cell, and the cells compare as claimed."""
    if claim.operation not in PICKS:
        raise Failed("unsupported", f"{claim.operation!r} is no known operation")
    names = [str(item) for item in (claim.value if isinstance(claim.value, tuple) else (claim.value,))]
    if claim.operation == "filter" and len(names) != len(found):
        raise Failed("unsupported", f"{len(names)} names are claimed and {len(found)} places cited")
    for name, place in zip(names, found, strict=False):
        if place.cell is None or not _names(place, name):
            raise Failed(
                "contradicted", f"'{clipped(name)}' is not what {place.described} belongs to", place.citation.label
            )
    amounts = [place.numbers[0].quantity.amount if place.numbers else Decimal(0) for place in found]
    most = claim.operation == "argmax"
    if claim.operation != "filter" and amounts[0] != (max(amounts) if most else min(amounts)):
        raise Failed(
            "contradicted", f"another of the cited cells is {'more' if most else 'less'} than {found[0].described}"
        )
    return f"compared: {listed(found)}"


def _names(place: CitedPlace, name: str) -> bool:
    cell = place.cell
    assert cell is not None
    wanted = squeezed(name)[0].casefold()
    times = [spelling for period in cell_times(cell) for spelling in (period.text, str(period.year))]
    headers = (cell.label, cell.heading, *cell.sections, *times)
    return any(
        wanted in (squeezed(header)[0].casefold(), squeezed(name_of(header))[0].casefold())
        for header in headers
        if header
    )
