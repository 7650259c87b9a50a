"""Raised text: a mark of a footnote, which is no part of the word or number before it, or an exponent, which is."""

from __future__ import annotations

import re
from collections.abc import Sequence

_RAISED = {"2": "\u00b2", "3": "\u00b3"}
RAISED_SIGNS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
_LEVEL = str.maketrans(RAISED_SIGNS, "0123456789")
_UNIT = re.compile(r"(?:^|[\s\d/(])(?:[a-zA-Z\u00b5]{1,2}|sq|cu|yd|mile)$")
_SIGN = r"(?>[1-9]\d{0,2}|[ivx]{1,4}|[a-np-z]|[*\u2020\u2021\u00a7#]{1,3})"
_MARK = re.compile(
    rf"[\s\[(]*+{_SIGN}(?:[\])\s]*+(?:(?<=\s)|[,;\[(])[\s,;\[(]*+{_SIGN})*+[\])\s]*+[,;]?"
)
_EXPONENT = re.compile(r"(?P<sign>[-\u2212+])?\d{1,2}")
_TEN = re.compile(r"(?<![\d.,])10$")
_BASE = re.compile(
    r"(?:^|[^\w.,])(?:[A-Za-z\u0370-\u03ff]{1,2}|\d)$|\((?![^()]*(?:[^\W_]{3}|\d\d))[^()]*\)$"
)
LOOKED_AT = 200  # characters before raised text that say what it is
_HIGHEST = 60  # no page has so many notes: more, raised beside digits, are the cents of a price
_PARTS = re.compile(r"\d{1,3}|[a-z]{1,4}|[*\u2020\u2021\u00a7#]+")


def ending(parts: Sequence[str]) -> str:
    """The end of a text in pieces, as far as `raised` looks at it."""
    held: list[str] = []
    left = LOOKED_AT
    for part in reversed(parts):
        held.append(part[-left:])
        left -= len(part)
        if left <= 0:
            break
    return "".join(reversed(held))


def raised(before: str, text: str) -> str:
    """What raised `text` adds to the text `before` it: "km" and "2" make "km²", "10" and "6" "10^6"; a mark adds nothing.

    What may be either, after a letter or digit that stands alone or brackets without a word, is kept as an exponent: "x^2",
    "(a + b)^n".
    """
    plain, before = text.strip(), before[-LOOKED_AT:]
    if plain in _RAISED and _UNIT.search(before):
        return _RAISED[plain]
    exponent = _EXPONENT.fullmatch(plain)
    if exponent and (_TEN.search(before) or exponent["sign"] and before[-1:].isalnum()):
        return f"^{plain}"
    marks = before.strip() and _MARK.fullmatch(text)
    if not marks or before[-1:].isdigit() and plain.isdigit() and int(plain) > _HIGHEST:
        return text
    return f"^{plain}" if _BASE.search(before) and plain.isalnum() else ""


def unmarked(text: str) -> tuple[str, str]:
    """A text without the mark that it ends with as raised characters of its own, and that mark: "1,234" and "1" of "1,234¹"."""
    bare = text.rstrip(RAISED_SIGNS)
    mark = text[len(bare) :].translate(_LEVEL)
    return (text, "") if not mark or raised(bare, mark) else (bare, mark)


def marks_of(text: str) -> tuple[str, ...]:
    """The single marks of some raised text: "(1)(2)" has "1" and "2"."""
    return tuple(_PARTS.findall(text))
