"""What to call a column, and the column of a result: its name for people, the unit and scale of its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from pincite.database.relations.model import Column, Type


def readable(column: Column) -> str:
    """What to call a column."""
    return column.readable or column.name


@dataclass(frozen=True, slots=True)
class Heading:
    """A column of a result: its name for people and the unit and scale of its numbers.

    `function` is "" for what just stands in a column (`relation` and `column` say which), the name of an aggregate, or
    "expression" for anything else that is computed. `type` is the column's, "identifier" for numbers that only name something.
    """

    name: str
    unit: str = ""
    scale: Decimal = Decimal(1)
    function: str = ""
    relation: str = ""
    column: str = ""
    type: Type | Literal["identifier", "year"] = "other"

    @property
    def titled(self) -> str:
        """The name with the unit: "yield strength (MPa)"."""
        scale = f"{self.scale.normalize():,f}" if self.scale != 1 else ""
        held = " ".join(part for part in (scale, self.unit) if part)
        return f"{self.name} ({held})" if held else self.name
