"""The scale that a text states which is nothing but a scale, such as the field of a form: "thousands", "k", "10^3", "x 1,000"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from pincite.quantity.declarations import declared
from pincite.quantity.units import is_money
from pincite.quantity.whole_text import parse

_AROUND = re.compile(r"^[\s([]*(?:in\s+)?[×x*·]?\s*|\s*[×x]?[\s)\]]*$", re.IGNORECASE)
_PLURAL = re.compile(r"(?<=\d)['’]?s$")
_ZEROS = re.compile(r"['’‘]?((?:000)+)")


def stated_scale(text: str, money: str = "") -> Decimal:
    """The number that a scale stands for however it is written; 1 for what is no scale.

    What a scale is behind a number or in a caption it is alone as well, letters included ("m" is no metre in the place of
    a scale); a numeral is one where it is a power of ten. `money` is the currency of the number, if any.
    """
    bare = _PLURAL.sub("", _AROUND.sub("", text.replace("_", "")))
    return next(
        (scale for scale in _readings(bare, money or "USD") if scale != 1), declared(text).scale
    )


def _readings(bare: str, money: str) -> Iterator[Decimal]:
    """What the text is as a numeral, with thousands before a point too, and as the word or letter behind a number."""
    numeral = f"1{zeros[1]}" if (zeros := _ZEROS.fullmatch(bare)) else bare
    for comma in (False, True):
        number = parse(numeral, comma=comma)
        if (
            number is not None
            and (not number.unit or is_money(number.unit))
            and _is_power(number.amount)
        ):
            yield Decimal(10) ** number.amount.adjusted()
    for spelled in dict.fromkeys((bare, bare.upper())):
        behind = parse(f"{money} 1{spelled}")
        if behind is not None and behind.value == 1:
            yield behind.scale


def _is_power(amount: Decimal) -> bool:
    """Whether a number is ten, a hundred, a thousand and so on."""
    return amount > 1 and amount == Decimal(10) ** amount.adjusted()
