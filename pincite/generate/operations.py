"""Arithmetic that a model asks for: it names an operation and its operands, code finds them on the pages and computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from itertools import islice, product
from typing import TYPE_CHECKING

from pincite.document.deducted_amounts import are_in_parentheses, as_counted
from pincite.document.statement_rows import names_item, row_name
from pincite.evidence.candidate import Candidate
from pincite.evidence.cited_place import clipped
from pincite.evidence.value_in_words import worded
from pincite.generate.problem import ReplyProblem
from pincite.generate.proposal import Proposal, cited
from pincite.generate.shown_pages import ShownPieces
from pincite.generate.source_places import (
    FoundNumber,
    located,
    near_text,
    standing,
    subject_of,
    with_notes,
    written,
)
from pincite.quantity import (
    EXACT,
    UnitError,
    canonical_unit,
    compatible,
    convert,
    find_units,
    rounded,
    same,
)
from pincite.quantity.arithmetic import FORMULAS, OPERATIONS, WITH_SIGN, rate_unit, with_fractions
from pincite.quantity.formula import LETTERS, is_formula
from pincite.question.ask import Ask
from pincite.question.metrics import items_asked
from pincite.types import Quantity, Value

if TYPE_CHECKING:
    from pincite.generate.forms import NumberForm

_TRIED = 400
"""Ways to take one number of each quoted operand that are computed."""
_IN_UNITS = ("difference", "sum", "average", "max", "min")
"""Operations whose result is in the scale of their operands."""
_POWERS = tuple(Decimal(10) ** power for power in (3, 6, 9, -3, -6, -9))
_PERCENT = ("percentage_change", "proportion")


def operated(form: NumberForm, ask: Ask, shown: ShownPieces) -> Proposal:
    """What the form's operation makes of the places that are cited for it, in their order."""
    operation = form.operation.strip()
    if operation not in OPERATIONS:
        known = ", ".join(OPERATIONS)
        problem = ReplyProblem(
            f"'{clipped(operation)}' is no operation",
            f"Name one of {known}, or a formula over the letters of the sources; or answer N/A.",
            unfound=True,
        )
        return Proposal(problem=problem)
    if operation == "count":
        return _counted(form, shown)
    operands, wrong = _operands(form, shown)
    if wrong:
        return Proposal(problem=wrong)
    operation = _of_metric(operation, operands, ask)
    percent = "%" in (ask.unit, canonical_unit(ask.query.unit))
    if operation == "ratio" and percent:
        operation = "proportion"
    if is_formula(operation) and percent:
        operation = _in_percent(operation, operands)
    said = _result_said(form, form.value)
    proposal = _settled(_ways(operation, operands, said), operation, form, shown)
    if proposal.candidates:
        return proposal
    noted = [[way for number in some for way in with_notes(number, shown)] for some in operands]
    in_notes = _settled(_ways(operation, noted, said), operation, form, shown)
    return in_notes if in_notes.candidates else proposal


def _of_metric(operation: str, operands: Sequence[Sequence[FoundNumber]], ask: Ask) -> str:
    """An operation over line items of the metric that is asked for as the formula that it is: the question names none of them."""
    items = items_asked(ask) if operation in FORMULAS else []
    cells = [number.cell for some in operands for number in some]
    of_items = all(
        cell is not None and any(names_item(row_name(cell), item) for item in items)
        for cell in cells
    )
    return FORMULAS[operation] if items and of_items else operation


def _in_percent(operation: str, operands: Sequence[Sequence[FoundNumber]]) -> str:
    """A formula times a hundred where what it makes is a share that is not in per cent yet."""
    percent = f"({operation}) * 100"
    made = () if "100" in operation else _ways(percent, operands, None)
    shares = (isinstance(each.value, Quantity) and each.value.unit == "%" for each in made)
    return percent if any(shares) else operation


def _ways(
    operation: str, operands: Sequence[Sequence[FoundNumber]], said: Quantity | None
) -> list[Candidate]:
    """What an operation makes of each way to take one number of every operand, signed as the reply where both signs go."""
    ways = filter(_are_apart, islice(product(*operands), _TRIED))
    return [_signed(made, way, said) for way in ways if (made := computed(operation, way))]


def _are_apart(numbers: Sequence[FoundNumber]) -> bool:
    """Whether no number of running text is taken for two operands."""
    places = [
        (number.evidence.node.id, number.evidence.start) for number in numbers if not number.cell
    ]
    return len(set(places)) == len(places)


def _signed(made: Candidate, operands: Sequence[FoundNumber], said: Quantity | None) -> Candidate:
    """A result with the sign that is said, where its operands all stand in parentheses: they may be amounts that are deducted."""
    value = made.value
    assert isinstance(value, Quantity)
    either = made.operation in WITH_SIGN and are_in_parentheses(each.quantity for each in operands)
    turned = replace(value, value=-value.value)
    if (
        said is None
        and either
        and made.operation != "difference"
        and all(map(_is_taken_off, operands))
    ):
        return replace(made, value=turned)
    if said is None or not either or said.value * value.value >= 0:
        return made
    printed = replace(said, scale=value.scale) if said.scale == 1 else said
    return replace(made, value=turned) if _near(printed, turned) else made


def _is_taken_off(number: FoundNumber) -> bool:
    """Whether a number counts what a total goes down by."""
    cell = number.cell
    return cell is not None and as_counted(number.quantity, cell.label) != number.quantity


def _settled(
    made: list[Candidate], operation: str, form: NumberForm, shown: ShownPieces
) -> Proposal:
    """The one result of all that an operation came to, or why there is none; the value of the reply says which is meant."""
    said = _result_said(form, form.value)
    if len(made) > 1 and said is not None:
        made = [candidate for candidate in made if _is_near(said, candidate.value)] or made
    if not made:
        problem = ReplyProblem(
            f"{clipped(operation)} cannot be computed from the places cited for it",
            "Cite as operands, in the order of the formula, numbers of one unit and none that is zero below the line; or answer "
            "N/A.",
            unfound=True,
        )
        return Proposal(problem=problem)
    amounts = {
        candidate.value.amount for candidate in made if isinstance(candidate.value, Quantity)
    }
    if len(amounts) > 1:
        several = ReplyProblem(
            "a quoted operand holds several numbers",
            "Cite the cell of each operand, or quote each so that only its own number is in the quote.",
            unfound=True,
        )
        return Proposal(problem=several)
    differs = otherwise(form, made[0], shown)
    return Proposal(problem=differs) if differs else Proposal(tuple(made[:1]))


def _is_near(said: Quantity, value: Value) -> bool:
    return isinstance(value, Quantity) and _near(said, value)


def otherwise(form: NumberForm, made: Candidate, shown: ShownPieces) -> ReplyProblem | None:
    """In what the scale or the unit that a reply says is not that of what code computes; None when both agree.

    The digits are left to code.
    """
    value = made.value
    assert isinstance(value, Quantity)
    said = _result_said(form, "1" if form.value == "N/A" else form.value)
    if said is None:
        return None
    told = f"code computes {worded(value)} from the places cited"
    if said.unit == "%" and not value.unit:
        value = replace(value, value=value.value * 100, unit="%")
    near = " ".join(near_text(evidence, shown) for evidence in made.evidence)
    if said.unit and not _goes(said.unit, value.unit, near):
        return ReplyProblem(
            f"{told}, and the reply says {said.unit}: the unit differs",
            "Leave the unit empty or give that of the operands; cite other operands if the question wants another unit.",
        )
    if form.value == "N/A":
        differs = made.operation in _IN_UNITS and value.scale == 1 != said.scale
    else:
        printed = replace(said, scale=value.scale) if said.scale == 1 else said
        differs = not _near(printed, value) and _is_by_a_scale(said, value)
    if not differs:
        return None
    return ReplyProblem(
        f"{told}, and the reply says {worded(said)}: the scale differs",
        'Answer value "N/A" and leave the scale empty: code computes both from the operands. Cite other operands if these are '
        "not the ones that you meant.",
    )


def _result_said(form: NumberForm, value: str) -> Quantity | None:
    """What a reply says that an operation comes to; four digits are no year, but for a unit that says so."""
    said = written(value, form.scale, form.unit)
    of_year = said is not None and said.unit == "year" and not form.unit.strip()
    return replace(said, unit="") if said is not None and of_year else said


def _is_by_a_scale(said: Quantity, value: Quantity) -> bool:
    """Whether a number is another one but for a power of a thousand."""
    return not _near(said, value) and any(
        _near(replace(said, scale=said.scale * by), value) for by in _POWERS
    )


def _goes(said: str, held: str, near: str) -> bool:
    """Whether a unit that is said is the one of a result, measures the same, or stands beside operands that have none."""
    if not held:
        return canonical_unit(said) in find_units(near)
    return compatible(said, held) or {said, held} <= {"%", "pp", "bp"}


def _operands(
    form: NumberForm, shown: ShownPieces
) -> tuple[list[list[FoundNumber]], ReplyProblem | None]:
    """The numbers that each operand may be, or why one of them is none."""
    operands: list[list[FoundNumber]] = []
    for letter, source in zip(LETTERS, cited(form.sources), strict=False):
        numbers = [
            number
            for place in located(source, shown)[:1]
            for number in standing(place)
            if number.quantity.unit != "year"
        ]
        if not numbers:
            what = f"operand {letter} ({clipped(source.cell or source.quote)}) is no number on the pages"
            remedy = "Cite for each operand the cell or the sentence that prints its number, or answer N/A."
            return [], ReplyProblem(what, remedy, unfound=True)
        operands.append(numbers[:8])
    if operands:
        return operands, None
    remedy = "Cite the operands as sources, in the order of the formula, or answer N/A."
    return [], ReplyProblem("no operands are cited for the operation", remedy)


def _near(said: Quantity, made: Quantity) -> bool:
    bare = replace(said, unit=made.unit)
    return same(bare, made, rel=EXACT) or rounded(bare, made)


def _counted(form: NumberForm, shown: ShownPieces) -> Proposal:
    places = [place for source in cited(form.sources) for place in located(source, shown)[:1]]
    distinct = {(place.node.id, place.cells, place.start): place for place in places}
    if len(distinct) < len(form.sources):
        problem = ReplyProblem(
            "some of the places to count do not stand on the pages, or are named twice",
            "Cite each thing that is counted once, by its cell or a quote word for word; or answer N/A.",
            unfound=True,
        )
        return Proposal(problem=problem)
    return Proposal(
        (Candidate(Quantity(Decimal(len(distinct))), tuple(distinct.values()), operation="count"),)
    )


def computed(operation: str, operands: Sequence[FoundNumber]) -> Candidate | None:
    """An operation run over numbers where they stand; None when it cannot be run or the units do not go together."""
    result = _result([operand.quantity for operand in operands], operation)
    if result is None:
        return None
    subjects = [subject_of(operand) for operand in operands]
    periods = dict.fromkeys(period for _, period in subjects if period)
    evidence = [operand.evidence for operand in operands]
    notes = {note.node.id: note for operand in operands if (note := operand.note)}
    places = (*evidence, *notes.values())
    return Candidate(result, places, subjects[0][0], " ".join(periods), operation)


def _result(quantities: Sequence[Quantity], operation: str) -> Quantity | None:
    """What an operation makes of quantities; None when it cannot be run or the units do not go together."""
    of_shares = with_fractions(operation, quantities) != list(quantities)
    quantities = with_fractions(operation, quantities)
    unit = next((canonical_unit(quantity.unit) for quantity in quantities if quantity.unit), "")
    as_they_are = operation == "product" or operation == "ratio" and rate_unit(quantities)
    try:
        held = quantities if as_they_are else [_in_unit(quantity, unit) for quantity in quantities]
        scale = (
            held[0].scale
            if all(quantity.scale == held[0].scale for quantity in held)
            else Decimal(1)
        )
        with localcontext(prec=28):
            value = OPERATIONS[operation].run([quantity.amount / scale for quantity in held])
    except (ArithmeticError, ValueError, LookupError, UnitError):
        return None
    if of_shares:
        return Quantity(value, unit, scale**2 if operation == "product" else Decimal(1))
    return _measured(operation, value, unit, scale, held)


def _in_unit(quantity: Quantity, unit: str) -> Quantity:
    """A quantity in the unit of the others; one without a unit is taken to be in it."""
    return quantity if canonical_unit(quantity.unit) in ("", unit) else convert(quantity, unit)


def _measured(
    operation: str, value: Decimal, unit: str, scale: Decimal, held: Sequence[Quantity]
) -> Quantity:
    """The result in the unit that it has: that of its operands, none for a quotient of two, % for a share or a change of one."""
    if operation in _PERCENT:
        return Quantity(value, "%")
    if operation == "product":
        return Quantity(value, "", scale**2)
    if operation == "ratio" and rate_unit(held):
        return Quantity(value, rate_unit(held))
    if operation == "ratio" or is_formula(operation) and _dimensionless(operation, held):
        return Quantity(value, "%" if "100" in operation else "")
    return Quantity(value, unit, scale)


def _run(operation: str, held: Sequence[Quantity], by: int) -> Decimal:
    """What an operation makes of operands that are so many times as large."""
    return OPERATIONS[operation].run([quantity.amount * by for quantity in held])


def _dimensionless(operation: str, held: Sequence[Quantity]) -> bool:
    """Whether a formula gives the same when all its operands grow tenfold."""
    with localcontext(prec=28):
        once, tenfold = _run(operation, held, 1), _run(operation, held, 10)
    return abs(once - tenfold) <= abs(once) * EXACT
