"""Numbers in the attributes of a file, which may contain anything, and numbers as lists write them."""

from __future__ import annotations

MOST = 1_000_000
"""No number of rows, columns, items or levels is larger: a spreadsheet has 1,048,576 rows."""
_LETTERED = 780
"""The largest number that Word writes in letters; it writes those up to 32,767 in Roman."""
_ROMANS = 32_767
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip


def whole(text: str | None, default: int = 0, most: int = MOST) -> int:
    """The whole number that a text is, `most` for a larger one; `default` for any other text and for one below zero."""
    digits = (text or "").strip()
    if not digits.isdecimal():
        return default
    return int(digits) if len(digits) < 10 and int(digits) < most else most


def written(number: int, form: str) -> str:
    """A number in letters or Roman, as "lowerLetter" or "upperRoman" ask for; else in digits."""
    if form in ("lowerLetter", "upperLetter") and number <= _LETTERED:
        letters = chr(97 + (number - 1) % 26) * (1 + (number - 1) // 26)
        return letters if form == "lowerLetter" else letters.upper()
    if form in ("lowerRoman", "upperRoman") and number <= _ROMANS:
        text, rest = "", number
        for value, sign in _ROMAN:
            text += sign * (rest // value)
            rest %= value
        return text if form == "lowerRoman" else text.upper()
    return str(number)
