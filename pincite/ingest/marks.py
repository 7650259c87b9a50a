"""Raised text: a mark of a footnote, which is no part of the word or number before it, or an exponent, which is."""

from __future__ import annotations

import re

_RAISED = {"2": "\u00b2", "3": "\u00b3"}
_UNIT = re.compile(r"(?:^|[\s\d/(])(?:[a-zA-Z\u00b5]{1,2}|sq|cu|yd|mile)$")
_MARK = re.compile(
    r"[\s\[(]*(?:\d{1,3}|[a-z]|[ivx]{1,4}|[*\u2020\u2021\u00a7#]{1,3})(?:\s*,\s*(?:\d{1,3}|[a-z]))*[\])\s]*"
)


def raised(before: str, text: str) -> str:
    """What raised `text` adds to the text `before` it: "km" and "2" make "km²", "10" and "6" "10^6"; a mark adds nothing."""
    plain = text.strip()
    if plain in _RAISED and _UNIT.search(before):
        return _RAISED[plain]
    if re.search(r"(?<![\d.,])10$", before) and re.fullmatch(r"[-\u2212+]?\d{1,2}", plain):
        return f"^{plain}"
    return "" if before.strip() and _MARK.fullmatch(text) else text
