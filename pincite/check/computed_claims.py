"""Computed claims, computed again from the values at their operands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, localcontext

from pincite.document.cell_values import cell_times
from pincite.document.deducted_amounts import are_in_parentheses
from pincite.document.labelled_cells import name_of
from pincite.document.words import runs_in
from pincite.evidence.cited_place import CitedPlace, Failed, clipped, squeezed
from pincite.quantity import EXACT, canonical_unit, compatible, convert, rounded, same
from pincite.quantity.arithmetic import (
    OPERATIONS,
    PICKS,
    UNCOMPUTABLE,
    WITH_SIGN,
    rate_unit,
    with_fractions,
)
from pincite.quantity.formula import is_formula
from pincite.types import Claim, Quantity

_OPERANDS = (
    "Cite for each operand, in the order of the formula, the cell or sentence of its number and leave the result to code; or "
    "answer N/A."
)
_COMPARED = "Cite for each thing the cell of its own number and name it as its row or column does, or answer N/A."
_BARE = ("percentage_change", "proportion", "ratio", "product")
"""Operations whose result is not in the unit of their operands."""


def worded(value: Quantity) -> str:
    """A quantity in short, with its scale multiplied out."""
    ends = " to ".join(f"{(end * value.scale).normalize():,f}" for end in value.ends)
    return f"{ends} {value.unit}".strip()


def computed(claim: Claim, found: Sequence[CitedPlace]) -> str:
    """Compute a value again from what stands at its operands."""
    value = claim.value
    if not isinstance(value, Quantity):
        raise Failed(
            "unsupported",
            f"{claim.operation} gives a number, which '{clipped(claim.text)}' is not",
            remedy="Give the number, or leave the operation empty and cite the place that states the answer.",
        )
    cells = [
        (place.node.id, place.cell.row, place.cell.column)
        for place in found
        if place.cell is not None
    ]
    if len(set(cells)) < len(cells) or _are_too_few(found):
        how = "the same place is cited twice as an operand"
        raise Failed("contradicted", how, remedy="Cite another place for each operand.")
    if claim.operation == "count":
        return _counted(value, found)
    for place in found:
        if not place.numbers:
            how = f"there is no number in {place.described}"
            raise Failed("unsupported", how, place.citation.label, _OPERANDS)
    if any(
        _recomputes(claim.operation, signed, operands)
        for operands in _operands(found)
        for signed in _signs(claim.operation, value, operands)
    ):
        return f"{OPERATIONS[claim.operation].formula} with {listed(found)}"
    raise Failed(
        "contradicted",
        f"{claim.operation} over {listed(found)} does not give {clipped(worded(value))}",
        remedy=_OPERANDS,
    )


def _are_too_few(found: Sequence[CitedPlace]) -> bool:
    """Whether one quote is cited for more operands than it holds numbers, years left out."""
    quotes = Counter(
        (place.node.id, place.citation.anchor.spots, place.text)
        for place in found
        if place.cell is None
    )
    return any(
        quotes[place.node.id, place.citation.anchor.spots, place.text]
        > max(1, len(_amounts(place)))
        for place in found
        if place.cell is None
    )


def _counted(value: Quantity, found: Sequence[CitedPlace]) -> str:
    if value.amount != len(found) or value.unit:
        how = f"{worded(value)} are claimed, but {len(found)} are cited"
        remedy = "Cite each thing that is counted once, and leave the number to code."
        raise Failed("contradicted", how, remedy=remedy)
    return f"{len(found)} places counted: {listed(found)}"


def _operands(found: Sequence[CitedPlace]) -> list[list[Quantity]]:
    """The readings of the operands: one for cells; where a quote holds several numbers, each of them may be meant."""
    readings: list[list[Quantity]] = [[]]
    for place in found:
        readings = [
            [*some, number.quantity] for some in readings for number in place.numbers[:12]
        ][:2000]
    return readings


def _signs(operation: str, value: Quantity, operands: Sequence[Quantity]) -> list[Quantity]:
    """A value, and with the other sign where its operands all stand in parentheses: they may be amounts that are deducted."""
    either = operation in WITH_SIGN and are_in_parentheses(operands)
    return [value, replace(value, value=-value.value)] if either else [value]


def _recomputes(operation: str, value: Quantity, operands: Sequence[Quantity]) -> bool:
    """Whether an operation over these operands gives a value, in their unit; a bare operand is in the unit of the others."""
    plain = with_fractions(operation, operands)
    units = [canonical_unit(operand.unit) for operand in plain]
    unit = next(filter(None, units), "")
    rate = rate_unit(plain) if operation == "ratio" else ""
    if operation != "product" and not rate:
        if not all(_goes_with(own, unit) for own in units):
            return False
        plain = [_in_unit(operand, unit) for operand in plain]
    try:
        with localcontext(prec=40):
            made = OPERATIONS[operation].run([operand.amount for operand in plain])
    except UNCOMPUTABLE:
        return False
    given = canonical_unit(value.unit)
    measured = rate or (unit if plain != list(operands) else "")
    fits = given == rate if rate else given == measured or _is_in_unit(operation, given, unit)
    if not fits:
        return False
    again = Quantity(made, value.unit)
    return same(value, again, rel=EXACT) or rounded(value, again)


def _in_unit(operand: Quantity, unit: str) -> Quantity:
    """An operand in the unit of the others; a bare one is in it."""
    return operand if canonical_unit(operand.unit) in ("", unit) else convert(operand, unit)


def _goes_with(own: str, unit: str) -> bool:
    """Whether an operand in one unit can be computed with others in another; a bare one goes with all but percentages."""
    return compatible(own, unit) or (not own and unit != "%")


_UNITS = {"percentage_change": ("%",), "proportion": ("%",), "ratio": ("", "x")}
"""The units of what an operation gives, where they are not those of its operands."""


def _is_in_unit(operation: str, given: str, unit: str) -> bool:
    """Whether a result may be given in a unit: its operation's, that of the operands, or none; of a formula as a percentage."""
    if operation in _UNITS:
        return given in _UNITS[operation]
    return (
        operation in _BARE
        or given in ("", unit)
        or (given in ("%", "pp") and is_formula(operation))
    )


def listed(found: Sequence[CitedPlace]) -> str:
    """Places in words, at most four of them."""
    shown = "; ".join(place.described for place in found[:4])
    return shown if len(found) <= 4 else f"{shown}; and {len(found) - 4} more"


def picked(claim: Claim, found: Sequence[CitedPlace]) -> str:
    """Names that code chose by comparing: each is a header of its cell, or told beside its number; these compare as claimed."""
    if claim.operation not in PICKS:
        how = f"{claim.operation!r} is not a known operation"
        raise Failed("unsupported", how, remedy=_COMPARED)
    names = [
        str(item) for item in (claim.value if isinstance(claim.value, tuple) else (claim.value,))
    ]
    if claim.operation == "filter" and len(names) != len(found):
        how = f"{len(names)} names are claimed and {len(found)} places cited"
        raise Failed("unsupported", how, remedy=_COMPARED)
    for name, place in zip(names, found, strict=False):
        others = [other for other in found if other is not place]
        if not (_names(place, name, others) if place.cell else _tells(place, name, others)):
            how = f"'{clipped(name)}' is not what {place.described} belongs to"
            raise Failed("contradicted", how, place.citation.label, _COMPARED)
    if claim.operation != "filter":
        _is_extreme(claim.operation, found)
    return f"compared: {listed(found)}"


def _is_extreme(operation: str, found: Sequence[CitedPlace]) -> None:
    """The first of the places must hold the most, or the least; one without a number holds 0."""
    amounts = [next(iter(_amounts(place)), Decimal(0)) for place in found]
    best, more = (max(amounts), "more") if operation == "argmax" else (min(amounts), "less")
    if amounts[0] != best:
        how = f"another cited cell is {more} than {found[0].described}"
        remedy = "Name the one whose number is the largest or smallest, as the question asks."
        raise Failed("contradicted", how, remedy=remedy)


def _amounts(place: CitedPlace) -> list[Decimal]:
    """The numbers of a place without the years beside them; years alone as they are."""
    held = [number.quantity for number in place.numbers]
    amounts = [quantity.amount for quantity in held if quantity.unit != "year"]
    return amounts or [quantity.amount for quantity in held]


def _tells(place: CitedPlace, name: str, others: Sequence[CitedPlace]) -> bool:
    """Whether a part of a sentence tells a name and one number, and no other part of it tells the name."""
    alone = all(
        other.node.id == place.node.id and not runs_in(name, other.text) for other in others
    )
    return alone and place.view is None and len(_amounts(place)) == 1 and runs_in(name, place.text)


def _names(place: CitedPlace, name: str, others: Sequence[CitedPlace]) -> bool:
    """Whether a name is what a cell is called by, or words of it that no other place is called by."""
    called = _called(place)
    wanted = squeezed(name)[0].casefold()
    if any(wanted == squeezed(header)[0].casefold() for header in called):
        return True
    return any(runs_in(name, header) for header in called) and not any(
        runs_in(name, header) for other in others for header in _called(other)
    )


def _called(place: CitedPlace) -> list[str]:
    """The headers of a place and its times, with and without what they say beside the name."""
    cell = place.cell
    if cell is None:
        return []
    times = [
        spelling for period in cell_times(cell) for spelling in (period.text, str(period.year))
    ]
    headers = [header for header in (cell.label, cell.heading, *cell.sections, *times) if header]
    return [spelling for header in headers for spelling in (header, name_of(header))]
