"""Numbers in the attributes of a file, which may contain anything."""

from __future__ import annotations

MOST = 1_000_000
"""No number of rows, columns, items or levels is larger: a spreadsheet has 1,048,576 rows."""


def whole(text: str | None, default: int = 0, most: int = MOST) -> int:
    """The whole number that a text is, `most` for a larger one; `default` for any other text and for one below zero."""
    digits = (text or "").strip()
    if not digits.isdecimal():
        return default
    return int(digits) if len(digits) < 10 and int(digits) < most else most
