"""Numbers of a question in a statement, in the unit of the column that they are compared with: code converts, no model does."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from pincite.database.relations.model import NUMERIC, Column, Database
from pincite.quantity import UnitError, compatible, convert, find
from pincite.rows.drafting.statement_tree import left_out, stored_columns
from pincite.types import Quantity

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_FACTORS = (exp.Mul, exp.Div)
_WRONG = (Decimal(1000), Decimal(10**6), Decimal("0.01"), Decimal("0.001"), Decimal("0.000001"))
"""By what a model errs that converts in its head."""


def in_column_units(tree: exp.Query, question: str, database: Database) -> list[str]:
    """Write numbers that a statement takes from a question in the unit of their column; what was done, in words.

    What the statement multiplies or divides amounts by at its outermost, to give them in another unit, is taken out: the unit
    of the answer is converted where the answer is made.
    """
    asked = [each.quantity for each in find(question)]
    any_number = asked or any(map(str.isdigit, question))
    done = [] if any_number else _leave_out_invented(tree, database)
    done += [
        said
        for side, written in _compared_numbers(tree)
        if not side.find(*_FACTORS) and (column := _measured_column(side, database)) is not None
        if (said := _convert_number(written, column, asked))
    ]
    for select in tree.selects if isinstance(tree, exp.Select) else ():
        for part in list(select.find_all(*_FACTORS)):
            if _is_conversion(part, database):
                part.replace(part.this)
                done.append("what the statement converted is converted in code")
    return done


def converted(tree: exp.Query, question: str, database: Database) -> tuple[str, ...]:
    """The amounts of a question that a statement has in the unit of their column, as the question writes them."""
    written = [
        (float(literal.this), column)
        for side, literal in _compared_numbers(tree)
        if (column := _measured_column(side, database)) is not None
    ]
    found = []
    for quantity in (each.quantity for each in find(question)):
        for number, column in written if quantity.unit else ():
            amount = _amount_in_column(quantity, column)
            if amount is not None and math.isclose(amount, number, rel_tol=1e-4):
                found.append(quantity.text)
                break
    return tuple(found)


def _leave_out_invented(tree: exp.Query, database: Database) -> list[str]:
    """Take out the comparisons of amounts with numbers that a question without any number does not say."""
    done = []
    for side, written in list(_compared_numbers(tree)):
        condition = written.parent
        if (
            abs(float(written.this)) <= 1
            or _measured_column(side, database) is None
            or condition is None
        ):
            continue
        if condition.parent is not None and left_out(condition):
            done.append(f"left out: {condition.sql()}, of which the question says nothing")
    return done


def _compared_numbers(tree: exp.Query) -> Iterator[tuple[exp.Expr, exp.Literal]]:
    """Every number of a statement, with what it is compared with."""
    for each in tree.find_all(*_COMPARISONS, exp.Between):
        if isinstance(each, exp.Between):
            sides = [(each.this, each.args[end]) for end in ("low", "high")]
        else:
            sides = [(each.left, each.right), (each.right, each.left)]
        for side, written in sides:
            if isinstance(written, exp.Literal) and not written.is_string:
                yield side, written


def _measured_column(side: exp.Expr, database: Database) -> Column | None:
    """The one column of numbers that a side of a comparison is about."""
    columns = [own for _, own in stored_columns(side, database) if own.type in NUMERIC]
    return columns[0] if len(columns) == 1 and not side.find(exp.Count) else None


def _convert_number(written: exp.Literal, column: Column, asked: Sequence[Quantity]) -> str:
    """Write a number of the question in the unit of a column; what was done, "" where nothing."""
    try:
        number = Decimal(written.this)
    except InvalidOperation:
        return ""
    for quantity in asked:
        amount = _amount_in_column(quantity, column)
        said = {quantity.value, quantity.value * quantity.scale}
        if quantity.unit:
            said |= {quantity.value * factor for factor in _WRONG}
        if amount is None or number not in said or amount == number:
            continue
        written.replace(exp.Literal.number(f"{amount.normalize():f}"))
        unit = column.unit or "the column's unit"
        return f"{number} {quantity.unit} is {amount.normalize():f} {unit}"
    return ""


def _amount_in_column(quantity: Quantity, column: Column) -> Decimal | None:
    """What a quantity is in the unit and scale of a column; None where it measures something else."""
    if quantity.unit == column.unit == "%":
        return quantity.value
    if quantity.unit == "%" and column.unit == "" and column.high is not None:
        return quantity.value / 100 if abs(float(column.high)) <= 1 else None
    if not quantity.unit:
        return quantity.value * quantity.scale / column.scale if quantity.scale != 1 else None
    if not column.unit or not compatible(quantity.unit, column.unit):
        return None
    try:
        return convert(quantity, column.unit).amount / column.scale
    except UnitError:
        return None


def _is_conversion(part: exp.Expr, database: Database) -> bool:
    """Whether an amount with a unit is multiplied or divided by a number that changes its unit: by ten or more, or less than a
    tenth.
    """
    factor = part.args["expression"]
    if isinstance(part.parent, exp.Div | exp.Mul) or not isinstance(factor, exp.Literal):
        return False
    column = _measured_column(part.this, database)
    if column is None or not column.unit or column.unit == "%" or part.this.find(exp.Div):
        return False
    size = abs(float(factor.this)) if not factor.is_string else 1.0
    return size > 0 and abs(math.log10(size)) >= 1
