"""Numbers as people write them: read from text and cells, compared, converted, and written in a normal form."""

from pincite.quantity.amounts import EXACT, convert, in_unit, render, rounded, same
from pincite.quantity.declarations import Declared, declared, exempt
from pincite.quantity.dimensions import UnitError, compatible
from pincite.quantity.periods import Period, periods
from pincite.quantity.running_text import FoundQuantity, find
from pincite.quantity.units import (
    canonical_unit,
    expansions,
    find_units,
    load_units,
)
from pincite.quantity.whole_text import parse

__all__ = [
    "EXACT", "Declared", "FoundQuantity", "Period", "UnitError", "canonical_unit", "compatible", "convert",
    "declared", "exempt", "expansions", "find", "find_units", "in_unit", "load_units", "parse", "periods", "render", "rounded",
    "same",
]  # fmt: skip
