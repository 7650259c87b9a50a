"""Computed claims, computed again from the values at their operands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from itertools import islice, product
from string import ascii_lowercase

from pincite.document.cell_values import cell_times
from pincite.document.deducted_amounts import are_in_parentheses
from pincite.document.labelled_cells import name_of
from pincite.evidence.cited_place import CitedPlace, Failed, clipped, contradicted, squeezed
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
from pincite.text.words import runs_in
from pincite.types import Claim, Quantity

_OPERANDS = (
    "Name the line of each value of the calculation and write the values as they stand there, without a result; where no line "
    "has them, lines is empty."
)
_COMPARED = "Name the line of each thing that is compared, and call it as its line does; where none has it, lines is empty."
_STATED = "Write no calculation, and name the line that states the answer; where none does, lines is empty."
_APART = "Name for each value of the calculation the line of its own."
_COUNTED = "Name the line of each thing that is counted, once."
_EXTREME = "Name the one whose number is the largest or smallest, as the question asks."
_OF_SEVERAL = {
    "sum": "the sum of", "average": "the mean of", "max": "the most of", "min": "the least of",
}  # fmt: skip
_UNITS = {"percentage_change": ("%",), "proportion": ("%",), "ratio": ("", "x")}
"""The units of what an operation gives, where they are not those of its operands."""


def worded(value: Quantity) -> str:
    """A quantity in short, with its scale multiplied out."""
    ends = " to ".join(f"{(end * value.scale).normalize():,f}" for end in value.ends)
    return f"{ends} {value.unit}".strip()


def computed(claim: Claim, found: Sequence[CitedPlace]) -> str:
    """Compute a value again from what stands at its operands."""
    value, operation = claim.value, claim.operation
    if not isinstance(value, Quantity):
        how = f"{operation} gives a number, which '{clipped(claim.text)}' is not"
        raise Failed("unsupported", how, remedy=_STATED)
    if _are_too_few(found):
        how = "the same place is cited twice as an operand"
        raise Failed("contradicted", how, remedy=_APART)
    if operation == "count":
        if value.amount != len(found) or value.unit:
            how = f"{worded(value)} are claimed, but {len(found)} are cited"
            raise Failed("contradicted", how, remedy=_COUNTED)
        return f"{len(found)} places counted: {listed(found)}"
    for place in found:
        if not place.numbers:
            how = f"there is no number in {place.described}"
            raise Failed("unsupported", how, place.citation.label, _OPERANDS)
    # where a quote holds several numbers, each of them may be meant
    readings = product(*([number.quantity for number in place.numbers[:12]] for place in found))
    for operands in islice(readings, 2000):
        either = operation in WITH_SIGN and are_in_parentheses(operands)
        others = [replace(value, value=-value.value)] if either else []
        if any(_recomputes(operation, signed, operands) for signed in (value, *others)):
            return f"{_formula(operation, operands)} {listed(found)}"
    how = f"{operation} over {listed(found)} does not give {clipped(worded(value))}"
    raise Failed("contradicted", how, remedy=_OPERANDS)


def _formula(operation: str, operands: Sequence[Quantity]) -> str:
    """A formula with the numbers of its operands as they are written, or what is made of several in words."""
    if operation in _OF_SEVERAL:
        return _OF_SEVERAL[operation]
    numbers = dict(
        zip(ascii_lowercase, (held.text or worded(held) for held in operands), strict=False)
    )
    formula = OPERATIONS[operation].formula
    return re.sub(r"\b[a-z]\b", lambda letter: numbers.get(letter[0], letter[0]), formula) + ":"


def _are_too_few(found: Sequence[CitedPlace]) -> bool:
    """Whether one cell is cited for two operands, or one quote for more than it holds numbers, years left out."""
    cited = Counter(map(_place, found))
    return any(
        cited[_place(place)] > (1 if place.cell else max(1, len(_amounts(place))))
        for place in found
    )


def _place(place: CitedPlace) -> tuple[object, ...]:
    cell = place.cell
    at = (place.citation.anchor.spots, place.text) if cell is None else (cell.row, cell.column)
    return (place.node.id, *at)


def _recomputes(operation: str, value: Quantity, operands: Sequence[Quantity]) -> bool:
    """Whether an operation over these operands gives a value, in their unit; a bare operand is in the unit of the others.

    A bare one goes with all but percentages. Of operands that are converted or read as fractions, the result is in their unit.
    """
    plain = with_fractions(operation, operands)
    units = [canonical_unit(operand.unit) for operand in plain]
    unit = next(filter(None, units), "")
    rate = rate_unit(plain) if operation == "ratio" else ""
    if operation != "product" and not rate:
        if not all(compatible(own, unit) or (not own and unit != "%") for own in units):
            return False
        plain = [
            operand if own in ("", unit) else convert(operand, unit)
            for operand, own in zip(plain, units, strict=True)
        ]
    given = canonical_unit(value.unit)
    measured = rate or (unit if plain != list(operands) else "")
    if given != measured and (rate or not _is_in_unit(operation, given, unit)):
        return False
    try:
        with localcontext(prec=40):
            made = OPERATIONS[operation].run([operand.amount for operand in plain])
    except UNCOMPUTABLE:
        return False
    again = Quantity(made, value.unit)
    return same(value, again, rel=EXACT) or rounded(value, again)


def _is_in_unit(operation: str, given: str, unit: str) -> bool:
    """Whether a result may be given in a unit: its operation's, that of the operands, or none; of a formula as a percentage."""
    if operation in _UNITS:
        return given in _UNITS[operation]
    if operation == "product" or given in ("", unit):
        return True
    return given in ("%", "pp") and is_formula(operation)


def listed(found: Sequence[CitedPlace]) -> str:
    """Places in words, at most four of them."""
    shown = "; ".join(place.described for place in found[:4])
    return shown if len(found) <= 4 else f"{shown}; and {len(found) - 4} more"


def picked(claim: Claim, found: Sequence[CitedPlace]) -> str:
    """Names that code chose by comparing: each is a header of its cell, or told beside its number; these compare as claimed."""
    if claim.operation not in PICKS:
        how = f"{claim.operation!r} is not a known operation"
        raise Failed("unsupported", how, remedy=_COMPARED)
    value = claim.value
    names = [str(item) for item in (value if isinstance(value, tuple) else (value,))]
    if claim.operation == "filter" and len(names) != len(found):
        how = f"{len(names)} names are claimed and {len(found)} places cited"
        raise Failed("unsupported", how, remedy=_COMPARED)
    for name, place in zip(names, found, strict=False):
        others = [other for other in found if other is not place]
        if not (_names(place, name, others) if place.cell else _tells(place, name, others)):
            how = f"'{clipped(name)}' is not what {place.described} belongs to"
            raise contradicted(how, place, _COMPARED)
    # the first of the places holds the most or the least; one without a number holds 0
    amounts = [next(iter(_amounts(place)), Decimal(0)) for place in found]
    best, more = (min(amounts), "less") if claim.operation == "argmin" else (max(amounts), "more")
    if claim.operation != "filter" and amounts[0] != best:
        how = f"another cited cell is {more} than {found[0].described}"
        raise Failed("contradicted", how, remedy=_EXTREME)
    return f"compared: {listed(found)}"


def _amounts(place: CitedPlace) -> list[Decimal]:
    """The numbers of a place without the years beside them; years alone as they are."""
    held = [number.quantity for number in place.numbers]
    amounts = [quantity.amount for quantity in held if quantity.unit != "year"]
    return amounts or [quantity.amount for quantity in held]


def _tells(place: CitedPlace, name: str, others: Sequence[CitedPlace]) -> bool:
    """Whether a part of a sentence tells a name and one number, and no other part of it tells the name."""
    apart = (other.node.id == place.node.id and not runs_in(name, other.text) for other in others)
    one = place.table is None and len(_amounts(place)) == 1
    return one and runs_in(name, place.text) and all(apart)


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
    headers = [cell.label, cell.heading, *cell.sections]
    for period in cell_times(cell):
        headers += [period.text, str(period.year)]
    return [spelling for header in headers if header for spelling in (header, name_of(header))]
