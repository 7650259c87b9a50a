"""Whether a text names a unit, for callers who ask for one by name."""

from __future__ import annotations

from pincite.quantity.dimensions import UnitError, pint_convert
from pincite.quantity.scales import split_scale
from pincite.quantity.units import canonical_unit, units
from pincite.text.wording import nearest


def is_unit(text: str) -> bool:
    """Whether the table of units, or pint, knows a unit, rates and scale words included ("million USD", "kg/t")."""
    table = units()
    terms = [split_scale(term)[1] for term in canonical_unit(text).split("/")]
    return all(
        not term or term in table.by_name or term.partition(" CO2")[0] in table.by_name
        for term in terms
    ) or _is_of_pint(text)


def _is_of_pint(text: str) -> bool:
    from decimal import Decimal

    try:
        pint_convert(Decimal(1), text, text)
    except UnitError:
        return False
    return True


def near_units(text: str) -> list[str]:
    """The units of the table spelled most like a text, by the names Pincite gives them."""
    table = units()
    spelled = {**table.words, **table.symbols, **{name: name for name in table.by_name}}
    return list(dict.fromkeys(spelled[spelling] for spelling in nearest(text, spelled)))
