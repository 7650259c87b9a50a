"""Numbers that people set: each is declared with its minimum and maximum, and one function reads them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, get_args, get_type_hints

from pincite.errors import UsageError

_LONGEST = 60
"""Characters of a wrong value that a message repeats."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most that a number may be, both included. It stands beside the type: Annotated[int, Bounds(1, 9)]."""

    least: Decimal | float
    most: Decimal | float

    def said(self, kind: type) -> str:
        """What a number must be, in words."""
        return f"{'a whole number' if kind is int else 'a number'} from {self.least:,} to {self.most:,}"


def within(value: Any, kind: type, bounds: Bounds) -> Any:
    """A value, or the number that a text writes, as an int, a float or a Decimal; None for others and outside the bounds."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        return None
    try:
        number = Decimal(str(value).strip())
    except (InvalidOperation, ValueError):
        return None
    least, most = Decimal(str(bounds.least)), Decimal(str(bounds.most))
    if not number.is_finite() or not least <= number <= most:
        return None
    return None if kind is int and number != int(number) else kind(number)


def number(name: str, value: Any, kind: type, bounds: Bounds) -> Any:
    """The number of that name; raises UsageError that says what it must be."""
    made = within(value, kind, bounds)
    if made is None:
        said = str(value) if isinstance(value, Decimal) else repr(value)
        raise UsageError(f"{name} must be {bounds.said(kind)}, not {said[:_LONGEST]}")
    return made


@lru_cache(maxsize=32)
def bounded(declared: type) -> dict[str, tuple[type, Bounds]]:
    """The fields of a class that are declared with bounds: the type of each, and what it may be."""
    found: dict[str, tuple[type, Bounds]] = {}
    for name, hint in get_type_hints(declared, include_extras=True).items():
        for bounds in getattr(hint, "__metadata__", ()):
            if isinstance(bounds, Bounds):
                kinds = (kind for kind in get_args(hint.__origin__) if kind is not type(None))
                found[name] = next(kinds, hint.__origin__), bounds
    return found


def check(given: Any) -> None:
    """Raise UsageError for the first field of a value that is not within the bounds it is declared with; None is no number."""
    declared: type = type(given)
    for name, (kind, bounds) in bounded(declared).items():
        value = getattr(given, name)
        if value is not None:
            number(f"setting {name!r}", value, kind, bounds)
