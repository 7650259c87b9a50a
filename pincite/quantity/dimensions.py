"""What units measure: dimensions, sizes, and how one converts into another."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from typing import Any

from pincite.errors import PinciteError
from pincite.quantity.scales import split_scale
from pincite.quantity.units import canonical_unit, units

_COSTLY = re.compile(
    r"[\d)]\s*(?:\*\*|\^|[⁰¹²³⁴-⁹]|squared|cubed)|(?:\*\*|\^)(?!\s*-?\d{1,2}(?!\d))|[⁰¹²³⁴-⁹]{3}",
    re.I,
)
"""Powers of numbers, and of more than two digits: no unit has them, and pint would reckon them out for ever."""


class UnitError(PinciteError):
    """Two units measure different things, or one of them is not known."""


def measure(unit: str) -> tuple[Decimal, tuple[tuple[str, int], ...], str]:
    """A canonical unit as its size in base units, its base dimensions with exponents, and what is measured ("CO2e")."""
    table = units()
    if unit in table.parts:
        return table.parts[unit]
    size, of = Decimal(1), ""
    powers: Counter[str] = Counter()
    for written, exponent in _terms(unit):
        scale, term = split_scale(written)
        size *= scale**exponent
        mass, carbon, kind = term.partition(" CO2")
        known = table.by_name.get(term) or table.by_name.get(mass)
        if known is None or not known.dimension:
            powers[term] += exponent
            continue
        size *= known.factor**exponent
        of = of or known.of or f"{carbon}{kind}".strip()
        for name, power in _base(known.dimension):
            powers[name] += power * exponent
    del powers[""]
    table.parts[unit] = (
        size,
        tuple(sorted((name, power) for name, power in powers.items() if power)),
        of,
    )
    return table.parts[unit]


def _terms(unit: str) -> list[tuple[str, int]]:
    """A unit's terms with their exponents: what stands above the line and what below it."""
    known = units().by_name.get(unit)
    if known is not None and known.dimension:
        return [(unit, 1)]
    above, *below = unit.split("/")
    return [(above, 1), *((term, -1) for term in below)]


def _base(dimension: str) -> list[tuple[str, int]]:
    quotient = units().dimensions.get(dimension)
    return [(quotient[0], 1), (quotient[1], -1)] if quotient else [(dimension, 1)]


def compatible(unit_a: str, unit_b: str) -> bool:
    """Whether amounts in these units can be compared: same dimension, whatever the size. Bare goes with bare only.

    A mass goes with a mass of CO2 and of CO2e: papers use the three for each other; `same` is stricter.
    """
    return _dimension(canonical_unit(unit_a)) == _dimension(canonical_unit(unit_b))


def _dimension(unit: str) -> tuple[tuple[str, int], ...]:
    return measure(unit)[1]


def factor(unit_a: str, unit_b: str) -> Decimal | None:
    """How many of `unit_b` one `unit_a` is (both canonical), or None when the table cannot say."""
    size_a, dims_a, _ = measure(unit_a)
    size_b, dims_b, _ = measure(unit_b)
    if dims_a != dims_b or any(name == "temperature" for name, _ in dims_a) and unit_a != unit_b:
        return None
    with localcontext(Context(prec=40)):
        return size_a / size_b


def pint_convert(value: Decimal, unit_a: str, unit_b: str) -> Decimal:
    """A value from one unit to another by pint, for what the table cannot do; UnitError names both dimensions."""
    import pint

    registry = _registry()
    a, b = _pint_name(unit_a), _pint_name(unit_b)
    try:
        if _COSTLY.search(unit_a) or _COSTLY.search(unit_b):
            raise ValueError("a power that no unit has")
        return Decimal(f"{registry.Quantity(float(value), a).to(b).magnitude:.12g}")
    except pint.DimensionalityError as error:
        both = f"{_called(unit_a, error.dim1)} to {_called(unit_b, error.dim2)}"
        raise UnitError(f"cannot convert {both}; ask for a unit of the same dimension") from error
    except Exception as error:  # pint raises many kinds for names it cannot parse
        both = f"{_called(unit_a, describe(unit_a))} to {_called(unit_b, describe(unit_b))}"
        raise UnitError(
            f"cannot convert {both}; add the unit to a unit table if it is missing there"
        ) from error


def _called(unit: str, dimension: object) -> str:
    """A unit with its dimension, as a message names it."""
    return f"{unit or 'a bare number'} ({dimension or 'no dimension'})"


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()


def _pint_name(unit: str) -> str:
    table = units()
    return " / ".join(
        f"({table.by_name[u].pint or u})" if u in table.by_name else u for u in unit.split("/")
    )


def describe(unit: str) -> str:
    """The dimension of a unit in words: "energy/time"; "no dimension" of a bare number."""
    dims = _dimension(canonical_unit(unit))
    above = "*".join(name for name, power in dims for _ in range(power))
    below = "".join(f"/{name}" for name, power in dims for _ in range(-power))
    return f"{above or '1'}{below}" if dims else "no dimension"
