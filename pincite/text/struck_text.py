"""Words that are struck out or deleted: a sign stands for them while a format is read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

STRUCK = "\u1680"
"""Stands in a reader's text for words that are struck out or deleted: the blank of Ogham, which no report holds."""
_STRUCK = re.compile(
    rf"(?<!\s)\s*?{STRUCK}\s*+(?=[.,;:)](?!\d))|(?<=[^\S\n]){STRUCK}[^\S\n]+|{STRUCK}"
)


def with_struck(runs: Iterable[Any], struck: bool) -> str:
    """The text of runs of characters of a cell, as openpyxl reads them, STRUCK for what is struck out; `struck` is the cell."""
    off = ((run, run.font.strike if hasattr(run, "font") else struck) for run in runs)
    return "".join(STRUCK if out else str(run) for run, out in off)


def without_struck(text: str) -> str:
    """A text without STRUCK: one blank is left where it stood between two, none before a sign."""
    return _STRUCK.sub("", text) if STRUCK in text else text
