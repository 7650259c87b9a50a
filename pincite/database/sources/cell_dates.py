"""Dates and times of day as cells write them, as text and numbers that sort: "May 6, 2004" is "2004-05-06"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Literal

from pincite.text.lexicon import word_list

Order = Literal["day", "month"]
"""Whether the day or the month comes first in 05/06/2004."""

_MONTHS = {name: n for n, name in enumerate(word_list("time", "short months"), 1)}
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_WEEKDAY = r"(?:(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?\.?,?\s++)?"
_TIME = r"(?:[T\s]\s*+(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:Z|[+-]\d{2}:?\d{2})?)?"
_FORMS = tuple(
    re.compile(_WEEKDAY + form + r"(?:\s*+\[[^\]]*\])?", re.IGNORECASE)
    for form in (
        rf"(?P<iso>\d{{4}})[-/.](?P<isomonth>\d{{1,2}})[-/.](?P<isoday>\d{{1,2}}){_TIME}",
        rf"{_DAY}[\s-]*+(?:of\s++)?{_MONTH}[\s,-]*+{_YEAR}{_TIME}",
        rf"{_MONTH}\s*+{_DAY}\s*+,?\s*+{_YEAR}{_TIME}",
        rf"(?P<first>\d{{1,2}})(?P<between>[-/.])(?P<second>\d{{1,2}})(?P=between){_YEAR}{_TIME}",
        rf"{_MONTH}[\s,-]*+{_YEAR}",
    )
)
_CLOCK = re.compile(
    r"\+?(?:(?P<h>\d{1,3}):)?(?P<m>\d{1,3}):(?P<s>\d{2}(?:\.\d+)?)(?:\s*(?P<half>[ap])\.?m\.?)?(?:\s*\[[^\]]*\])?",
    re.IGNORECASE,
)


def order_of(cells: Sequence[str]) -> Order:
    """What comes first in the dates of these cells that are all digits: the day when one of them could be no month."""
    for cell in cells:
        match = _FORMS[3].fullmatch(cell)
        if match and int(match["first"]) > 12:
            return "day"
        if match and int(match["second"]) > 12:
            return "month"
    return "day" if any("." in cell for cell in cells[:5]) else "month"


def day(cell: str, order: Order = "month") -> str | None:
    """A date as ISO text, with its time after a space if it has one.

    "2004-05" for a month of a year.
    """
    for form in _FORMS:
        match = form.fullmatch(cell)
        if match is None:
            continue
        g = match.groupdict()
        if g.get("iso"):
            year, month, of_month = int(g["iso"]), int(g["isomonth"]), int(g["isoday"])
        elif g.get("first"):
            first, second = int(g["first"]), int(g["second"])
            month, of_month = (second, first) if order == "day" else (first, second)
            year = int(g["year"])
        else:
            year, of_month = int(g["year"]), int(g.get("day") or 0)
            month = _MONTHS[g["month"][:3].casefold()]
        return _iso(year, month, of_month, g.get("time") or "")
    return None


def _iso(year: int, month: int, of_month: int, time: str) -> str | None:
    try:
        date(year, month, of_month or 1)
    except ValueError:
        return None
    text = f"{year:04}-{month:02}" + (f"-{of_month:02}" if of_month else "")
    if not time:
        return text
    hour, minute, *second = time.split(":")
    return f"{text} {int(hour):02}:{minute}:{second[0] if second else '00'}"


def seconds(cell: str) -> Decimal | None:
    """A time of day or a duration in seconds: "1:23.45" is 83.45, "2:05:43" is 7543, "10:30 am" is 37800."""
    match = _CLOCK.fullmatch(cell)
    if match is None:
        return None
    h, m, s = match["h"], int(match["m"]), Decimal(match["s"])
    if match["half"]:
        hour, minute, second = (m, int(s), Decimal(0)) if h is None else (int(h), m, s)
        hour = hour % 12 + (12 if match["half"] in "pP" else 0)
        return hour * 3600 + minute * 60 + second
    return int(h or 0) * 3600 + m * 60 + s
