"""SQL's operations on single values in Python: NULL is None, logic has three values, numbers and dates compare as there."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from pincite.errors import PinciteError


class Unreplayable(PinciteError):
    """A statement that cannot be computed again outside its database."""


def rounded(value: Any, digits: int) -> Any:
    """Half away from zero, as databases round."""
    scale = 10**digits
    made = math.floor(abs(float(value)) * scale + 0.5) / scale
    return -made if value < 0 else made


def type_name(value: Any) -> str:
    """The name of a value's type as SQLite says it."""
    if value is None:
        return "null"
    return {bool: "integer", int: "integer", float: "real", str: "text", bytes: "blob"}.get(
        type(value), "real"
    )


def both(left: Any, right: Callable[[], Any]) -> bool | None:
    """AND with three values: None is neither true nor false."""
    if left is not None and not left:
        return False
    other = right()
    if other is not None and not other:
        return False
    return None if left is None or other is None else True


def either(left: Any, right: Callable[[], Any]) -> bool | None:
    """OR with three values."""
    if left:
        return True
    other = right()
    if other:
        return True
    return None if left is None or other is None else False


def compared(run: Callable[[Any, Any], bool], a: Any, b: Any) -> bool | None:
    """A comparison of two values as a database makes it: NULL beside anything is neither true nor false."""
    if a is None or b is None:
        return None
    a, b = alike(a, b)
    return run(a, b)


def alike(a: Any, b: Any) -> tuple[Any, Any]:
    """Two values made comparable: decimals beside floats, dates beside their text, numbers before text."""
    if isinstance(a, float) and isinstance(b, Decimal):
        return a, float(b)
    if isinstance(a, Decimal) and isinstance(b, float):
        return float(a), b
    if isinstance(a, date | time) or isinstance(b, date | time):
        return _time(a, b), _time(b, a)
    if isinstance(a, str) != isinstance(b, str):
        return _beside(a), _beside(b)
    return a, b


def _time(value: Any, beside: Any) -> Any:
    if isinstance(value, time) or isinstance(beside, time):
        return value if isinstance(value, time) else time.fromisoformat(str(value))
    made = moment(value)
    other = moment(beside).tzinfo
    return made.replace(tzinfo=other) if made.tzinfo is None else made


def _beside(value: Any) -> tuple[int, Any]:
    """A value of a comparison of a text with a number: a text that is a number as one, any other text after all numbers."""
    if not isinstance(value, str):
        return 0, value
    return (0, float(value)) if re.fullmatch(r"[-+]?\d+(?:\.\d+)?", value) else (1, value)


def moment(value: Any) -> datetime:
    """A date, or its text in ISO form, as a time; Unreplayable for anything else."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    try:
        return datetime.fromisoformat(str(value))
    except ValueError as error:
        raise Unreplayable(f"{str(value)[:40]!r} is not a date") from error


def part_of(value: Any, part: str) -> int:
    """The year, quarter, month, day ... of a date."""
    when = moment(value)
    if part in ("year", "month", "day", "hour", "minute", "second"):
        return int(getattr(when, part))
    if part == "quarter":
        return (when.month + 2) // 3
    raise Unreplayable(f"the part {part!r} of a date is not computed again outside the database")


def cut(text: str, start: int, size: Any) -> str:
    """The characters from `start`, counted from 1 or from the end, `size` of them or all."""
    begin = start - 1 if start > 0 else len(text) + start
    return text[begin:] if size is None else text[begin : begin + int(size)]


def combined(run: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """Arithmetic: NULL with anything is NULL; with dates or texts it is Unreplayable."""
    if a is None or b is None:
        return None
    if isinstance(a, date) or isinstance(b, date):
        raise Unreplayable("arithmetic with dates is not computed again outside the database")
    a, b = alike(a, b)
    if isinstance(a, tuple | str):
        raise Unreplayable("arithmetic with texts is not computed again outside the database")
    return run(a, b)


def divided(a: Any, b: Any, whole: bool) -> Any:
    """A quotient, cut to a whole number where both are whole and `whole` says so; NULL over zero."""
    if a is None or b is None or b == 0:
        return None
    if whole and isinstance(a, int) and isinstance(b, int):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return combined(operator.truediv, a, b)


def cast(value: Any, kind: str, dialect: str) -> Any:
    """A value as another type."""
    if kind.endswith("INT"):
        return int(float(_leading(value, dialect)))
    if kind in ("FLOAT", "DOUBLE", "DECIMAL", "REAL"):
        return float(_leading(value, dialect))
    if kind in ("TEXT", "VARCHAR", "CHAR", "NVARCHAR"):
        return str(value)
    if kind == "DATE":
        return moment(value).date()
    if kind.startswith(("TIMESTAMP", "DATETIME")):
        return moment(value)
    if kind == "BOOLEAN":
        return bool(value)
    raise Unreplayable(f"a cast to {kind} is not computed again outside the database")


def _leading(value: Any, dialect: str) -> Any:
    """A number; of a text in SQLite the number that it begins with, else 0."""
    if not isinstance(value, str):
        return value
    found = re.match(r"\s*+[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?", value)
    if dialect == "sqlite":
        return found[0] if found else 0
    if found is None or found.end() != len(value.rstrip()):
        raise Unreplayable(f"{value[:40]!r} is not a number")
    return found[0]


def among(value: Any, items: Sequence[Any]) -> bool | None:
    """IN with three values."""
    if value is None:
        return None if items else False
    if any(compared(operator.eq, value, item) for item in items):
        return True
    return None if any(item is None for item in items) else False


def expression_of(form: str, many: str, any_one: str, escape: str) -> str:
    """The regular expression of a LIKE or GLOB: what stands between two `many` is looked for once, so that none takes long."""
    runs, characters = [""], iter(form)
    for character in characters:
        if escape and character == escape:
            runs[-1] += re.escape(next(characters, escape))
        elif character == many:
            runs.append("")
        else:
            runs[-1] += "." if character == any_one else re.escape(character)
    if len(runs) == 1:
        return runs[0]
    first, *between, last = runs
    return f"{first}{''.join(f'(?>.*?{run})' for run in between if run)}.*{last}"
