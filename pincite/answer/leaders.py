"""Entries of a table of contents, whose dots lead from a title to a page."""

from __future__ import annotations

import re
from collections.abc import Iterator

_DOTS = re.compile(r"\.{4,}+\s*+(?P<page>\d{1,4}\b|[ivxl]+\b)?")


def led(text: str) -> Iterator[tuple[int, int, str]]:
    """Where the title before each row of dots starts and ends, with the page behind them, empty where none is printed."""
    begin = 0
    for dots in _DOTS.finditer(text):
        end = begin + len(text[begin : dots.start()].rstrip())
        start = max(begin, text.rfind("\n", begin, end) + 1)
        if start < end:
            yield start, end, dots["page"] or ""
        begin = dots.end()
