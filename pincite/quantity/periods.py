"""Times a number holds for: fiscal years, quarters, halves, dates and ranges of years, as reports write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.text.lexicon import word_list


@dataclass(frozen=True, slots=True)
class Period:
    """A time named in a text, at its characters [start, end).

    `year` is the (first) year, `end_year` the last of a range ("2018/19" is 2018 to 2019; equal to `year` for one
    year), `quarter` 1-4, `half` 1-2, `month` 1-12, `day` 1-31. `fiscal` marks a fiscal year or one "ended" on a date.
    """

    text: str
    year: int | None
    end_year: int | None = None
    quarter: int | None = None
    half: int | None = None
    month: int | None = None
    day: int | None = None
    fiscal: bool = False
    start: int = 0
    end: int = 0


_MONTHS = {name: n for n, name in enumerate(word_list("time", "short months"), 1)}
_ORDINALS = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "final": 4,
    "last": 4,
}
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Sept|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct"
    r"|Nov|Dec)(?![a-z])\.?"
)
_YEAR = r"(?:19|20)\d{2}(?!\d)"
_SPAN = r"\b(?:[Yy]ears?|[Qq]uarters?|[Mm]onths?|[Ww]eeks?|[Pp]eriods?)[\s-]+[Ee]nd(?:ed|ing)\s+(?:on\s+)?"
_ORDINAL = r"(?:[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|[Ff]inal|[Ll]ast|1st|2nd|3rd|4th)"
_PERIOD = re.compile(
    rf"""
    (?P<ended>{_SPAN})? (?:
        (?P<month>{_MONTH})\s?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d) (?:\s?,?\s?(?P<y_mdy>{_YEAR}))?
      | (?P<day2>(?<![\d.,])\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<month2>{_MONTH}) (?:,?\s(?P<y_dmy>{_YEAR}))?
      | (?P<month3>{_MONTH})(?:\s|\s?[-/'’]\s?|,\s)(?:(?P<y_my>{_YEAR})|(?<=[-'’])(?P<yy_my>\d{{2}})(?!\d))
      | (?<!\d)(?P<iso>{_YEAR[:-6]})-(?P<isom>\d{{2}})-(?P<isod>\d{{2}})(?!\d) )
  | \b(?:[Qq](?P<q>[1-4])|(?P<q2>[1-4])[Qq])
        (?:\s?(?:of\s)?[-/'’,]?\s?(?P<qf>(?:FY|[Ff]iscal(?:\s[Yy]ear)?)\s?['’]?)?(?:(?P<y_q>{_YEAR})|(?P<yy_q>\d{{2}})(?!\d)))?(?![\w-])
  | \b(?P<y_yq>{_YEAR})\s?[-/]?\s?Q(?P<q3>[1-4])\b
  | \b(?P<qo>{_ORDINAL})[\s-](?:(?P<fq>fiscal)\s)?(?P<which>[Qq]uarter|[Hh]alf)(?:[\s-]year)?
        (?:\s(?:of|in))?(?:\s(?:the\s)?(?P<qof>(?:[Ff]iscal(?:\s[Yy]ear)?|FY)))?\s?(?P<y_o>{_YEAR})?
  | \b(?:H(?P<h>[12])|(?P<h2>[12])H)\s?[-/'’]?\s?(?P<hf>FY\s?)?(?:(?P<y_h>{_YEAR})|(?P<yy_h>\d{{2}})(?!\d))
  | (?:\b(?P<fy>FYE?|CY|F|[Ff]iscal(?:\s[Yy]ears?)?|FISCAL(?:\sYEARS?)?|[Ff]inancial\s[Yy]ears?)\s?['’]?
        |\b(?<![.,$€£-])(?=\d))
        (?:(?P<y>{_YEAR})|(?(fy)(?P<yy>(?<=['’Y\s])\d{{2}}(?![\d,.]))|(?!)))
        (?:\s?(?:-|–|—|/|\sto\s|to\s|through\s)\s?(?:FY\s?['’]?)?(?P<to>{_YEAR}|\d{{2}}(?!\d)))?
        (?!\s?%|,\d|\.\d|[^\W_]|[-‐][A-Za-z])
    """,
    re.VERBOSE,
)


def periods(text: str) -> list[Period]:
    """The periods named in a text, left to right, not overlapping."""
    found = [_period(m) for m in _PERIOD.finditer(text)]
    return [p for p in found if p is not None]


def _period(m: re.Match[str]) -> Period | None:
    g = m.groupdict()
    month, day = _month(g), _first(g, "day", "day2", "isod")
    if not (_is_within(day, 31) and _is_within(month, 12)):
        return None
    part, year = _part(g), _year(g)
    end_year = _end_year(year, g["to"])
    if part is None or (end_year is None and year is not None):
        return None
    fiscal = any(g[k] for k in ("ended", "qf", "fq", "qof", "hf")) or (g["fy"] or "CY") != "CY"
    text = m[0].rstrip()
    return Period(
        text, year, end_year, *part, month, day, fiscal, m.start(), m.start() + len(text)
    )


def _is_within(number: int | None, last: int) -> bool:
    """Whether a number is one of 1 to `last`, where there is one."""
    return number is None or 1 <= number <= last


def _first(g: dict[str, str | None], *names: str) -> int | None:
    """The number in the first of several groups that is filled."""
    return next((int(digits) for name in names if (digits := g[name])), None)


def _year(g: dict[str, str | None]) -> int | None:
    """The (first) year; two digits are short for it: 19 is 2019, 98 is 1998."""
    if year := _first(g, "y_mdy", "y_dmy", "y_my", "iso", "y_q", "y_yq", "y_o", "y_h", "y"):
        return year
    n = _first(g, "yy_my", "yy_q", "yy_h", "yy")
    return None if n is None else n + (2000 if n < 70 else 1900)


def _end_year(year: int | None, to: str | None) -> int | None:
    """The last year of a range, or the year itself; None when the range would end before it."""
    if not to or year is None:
        return year
    end = int(to) if len(to) == 4 else year // 100 * 100 + int(to)
    if end < year and len(to) == 2 and year % 100 == 99:
        end += 100
    return end if end > year else None


def _month(g: dict[str, str | None]) -> int | None:
    name = g["month"] or g["month2"] or g["month3"]
    return _MONTHS[name[:3].casefold()] if name else _first(g, "isom")


def _part(g: dict[str, str | None]) -> tuple[int | None, int | None] | None:
    """The quarter and the half that a period names; None for a half that no year has."""
    ordinal, which = g["qo"], g["which"]
    if not ordinal or not which:
        return _first(g, "q", "q2", "q3"), _first(g, "h", "h2")
    n = _ORDINALS[ordinal.casefold()]
    if which.casefold() == "quarter":
        return n, None
    return None if n == 3 else (None, min(n, 2))
