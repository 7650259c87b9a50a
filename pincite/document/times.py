"""The times that a question or a header names, precise enough to tell two columns apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pincite.text.lexicon import pattern, word_list

MONTHS = word_list("time", "months")
_TIME = pattern("document", "time")
_DIGITS = pattern("document", "date in digits")
_JOINED = pattern("document", "between times")
_ALONE = pattern("document", "quarter alone")
_SPAN = pattern("document", "span of time")
_LENGTHS = {"three": 3, "quarter": 3, "13": 3, "thirteen": 3, "six": 6, "half": 6, "26": 6, "nine": 9, "39": 9, "twelve": 12,
            "year": 12, "full": 12, "52": 12, "fifty": 12, "whole": 12, "entire": 12, "all": 12}  # fmt: skip
_ORDINAL = {"q1": 1, "1q": 1, "fir": 1, "1st": 1, "q2": 2, "2q": 2, "sec": 2, "2nd": 2, "q3": 3, "3q": 3, "thi": 3, "3rd": 3,
            "q4": 4, "4q": 4, "fou": 4, "4th": 4, "las": 4, "fin": 4, "h1": 5, "h2": 6}  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class When:
    """A time: a year (0 when only implied), its quarter (1-4) or half (5, 6), month and day (0 where none is named), and how many
    months it spans (0 where that is not said): "three months ended June 30, 2023".
    """

    year: int
    quarter: int = 0
    month: int = 0
    day: int = 0
    text: str = ""
    months: int = 0

    def fits(self, other: When) -> bool:
        """Whether the two agree in everything that both name."""
        both = zip((*self.parts, self.span), (*other.parts, other.span), strict=True)
        return all(own == theirs or not (own and theirs) for own, theirs in both)

    def differs_in_length(self, other: When) -> bool:
        """Whether one of the two is a year, as a whole, and the other a part of that year."""
        return self._is_part_of(other) or other._is_part_of(self)

    def _is_part_of(self, other: When) -> bool:
        whole = other.parts[1:] == (0, 0, 0) and other.span in (0, 12)
        return whole and 0 < self.span < 12 and self.fits(replace(other, months=0))

    @property
    def span(self) -> int:
        """How many months it spans, 0 where that is not known."""
        return self.months or (0 if not self.quarter else 3 if self.quarter < 5 else 6)

    @property
    def parts(self) -> tuple[int, int, int, int]:
        """Its year, quarter, month and day."""
        return self.year, self.quarter, self.month, self.day


@lru_cache(maxsize=8192)
def when(text: str) -> tuple[When, ...]:
    """The times `text` names, in order of mention, each once.

    "2018/19" is the year it ends in, "2018-2020" two times. A month or quarter without a year takes the year that follows
    ("January 26 and April 27, 2019"); alone it stays without.
    """
    found: list[When] = []
    ends: list[tuple[int, int]] = []
    spans = [(match.start(), _months(match[0])) for match in _SPAN.finditer(text)]
    for start, end, time in times_in(text):
        found.append(_spanning(time, start, spans))
        ends.append((start, end))
    for at in range(len(found) - 2, -1, -1):
        if not found[at].year and _JOINED.fullmatch(text[ends[at][1] : ends[at + 1][0]]):
            found[at] = replace(found[at], year=found[at + 1].year)
    if not found and (alone := _ALONE.fullmatch(text)):
        found.append(When(0, _ORDINAL[alone[1].lower()[:3]], text=alone[1]))
    first: dict[tuple[int, ...], When] = {}
    for time in found:
        first.setdefault((*time.parts, time.months), time)
    return tuple(first.values())


def _spanning(time: When, at: int, spans: Sequence[tuple[int, int]]) -> When:
    """A time with the span that is said last before it, else with the first behind it."""
    if not spans or time.quarter:
        return time
    before = [months for start, months in spans if start < at]
    return replace(time, months=before[-1] if before else spans[0][1])


def _months(named: str) -> int:
    """How many months a span has, by its first word."""
    return next(months for word, months in _LENGTHS.items() if named.lower().startswith(word))


def times_in(text: str) -> list[tuple[int, int, When]]:
    """The times of a text with their characters [start, end), in order; dates in digits are read before all others."""
    found = [(*match.span(), _in_digits(match)) for match in _DIGITS.finditer(text)]
    taken = {at for start, end, _ in found for at in range(start, end)}
    for match in _TIME.finditer(text):
        if match.start() not in taken and (time := _read(match)):
            found.append((*match.span(), time))
    return sorted(found, key=lambda each: each[:2])


def _in_digits(match: re.Match[str]) -> When:
    year, month, day = (
        match["iso"] or match["year"],
        match["of"] or match["month"],
        match["on"] or match["day"],
    )
    return When(int(year), 0, int(month), int(day), match[0])


def _read(match: re.Match[str]) -> When | None:
    month, quarter = match["month"] or "", match["quarter"] or ""
    day = match["day"] or match["after"]
    if not (match["year"] or match["two"] or quarter or (month and day)):
        return None
    return When(_year(match), _part(quarter), _month(month), int(day or 0), match[0].strip(" ,"))


def _year(match: re.Match[str]) -> int:
    """The year that a time names; of two years in a row ("2018/19") the second."""
    year = int(match["year"] or 0) or (_full(int(match["two"])) if match["two"] else 0)
    if not (last := match["end"] or match["short"]):
        return year
    end = int(last)
    end = end if end > 99 else year - year % 100 + end
    return end if end == year + 1 else year


def _part(quarter: str) -> int:
    """The quarter (1-4) or half (5, 6) of a year."""
    named = quarter.lower()
    if named.endswith("half"):
        return 5 if named.startswith("first") else 6
    return _ORDINAL.get(named[:3].strip(), 0)


def _month(named: str) -> int:
    start = named.lower()[:3]
    return next((n for n, name in enumerate(MONTHS, 1) if start and name.startswith(start)), 0)


def _full(two: int) -> int:
    """The year of two digits: 19 is 2019, 98 is 1998."""
    return 2000 + two if two < 70 else 1900 + two


def years_of(times: Iterable[When]) -> list[int]:
    """The years that times name, in their order."""
    return [time.year for time in times if time.year]


_YEAR_ALONE = re.compile(r"(?:19|20)\d\d")


def is_year(text: str) -> bool:
    """Whether a text is a year of the last two centuries and nothing else."""
    return _YEAR_ALONE.fullmatch(text) is not None


_YEAR = pattern("document", "listed year")
_BETWEEN = pattern("document", "between listed")


def years_in_turn(text: str, numbers: Sequence[tuple[int, int]]) -> dict[int, int]:
    """The years of numbers that a sentence lists as it lists years ("93.4, 91.0 and 88.2 in 2022, 2021 and 2020"), each by the
    start of its number. `numbers` are [start, end) in `text`, in order. Nothing where years are listed twice.
    """
    listed = [
        run for run in _listed(text, [match.span() for match in _YEAR.finditer(text)]) if run[1:]
    ]
    if len(listed) != 1:
        return {}
    years = [int(text[start:end]) for start, end in listed[0]]
    runs = [run for run in _listed(text, numbers) if len(run) == len(years)]
    return {start: year for run in runs for (start, _), year in zip(run, years, strict=True)}


def _listed(text: str, spans: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Spans of a text in runs: those of one are apart by a comma or "and" alone."""
    runs: list[list[tuple[int, int]]] = []
    for span in spans:
        if runs and _BETWEEN.fullmatch(text, runs[-1][-1][1], span[0]):
            runs[-1].append(span)
        else:
            runs.append([span])
    return runs
