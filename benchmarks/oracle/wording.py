"""How the oracle says what it found: as the line writes it."""

from __future__ import annotations

from decimal import Decimal

from .figures import plain

MORE = 3
"""Words that a stretch may have between those of a name."""


def digits(value: Decimal) -> str:
    """A number in digits, without an exponent."""
    return f"{value:f}" if value != value.to_integral_value() else f"{value.to_integral_value():f}"


def as_spelled(item: str, quote: str) -> str:
    """The stretch of a quote whose letters and digits are those of an item; the item where there is none."""
    at = [index for index, one in enumerate(quote) for _ in plain(one)]
    found = plain(quote).find(plain(item))
    if not plain(item) or len(at) != len(plain(quote)):
        return item
    if found < 0:
        return _stretch(item, quote)
    return quote[at[found] : at[found + len(plain(item)) - 1] + 1]


def _stretch(item: str, quote: str) -> str:
    """The shortest stretch of a quote that has all words of an item and few others; the item where there is none."""
    wanted = {plain(word) for word in item.split()}
    words = quote.split()
    sizes = range(len(wanted), len(wanted) + MORE + 1)
    for size in sizes:
        for start in range(len(words) - size + 1):
            if wanted <= {plain(word) for word in words[start : start + size]}:
                return " ".join(words[start : start + size]).rstrip(".,;")
    return item
