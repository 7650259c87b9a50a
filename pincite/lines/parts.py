"""Numbers of lines that are taken together: each with how it matches, in series over times, and as one candidate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pincite.document.labelled_cells import timeless_words
from pincite.document.table_headers import STEP
from pincite.document.times import When
from pincite.evidence.candidate import Candidate
from pincite.lines.line import Line, LineValue
from pincite.lines.matching import LineMatches
from pincite.question.ask import Ask
from pincite.text.lexicon import pattern
from pincite.types import Quantity

ROWS = 8
"""The rows that are computed with: the best for the question."""
TOTAL = pattern("lines", "total row")
"""What the label of a row of totals says."""


@dataclass(frozen=True, slots=True)
class Part:
    """A number that is computed with: the position of its line, itself, and how it matches its phrase."""

    at: int
    value: LineValue
    features: dict[str, float]

    @property
    def amount(self) -> Decimal:
        """The number with its scale."""
        assert isinstance(self.value.value, Quantity)
        return self.value.value.amount

    @property
    def fit(self) -> float:
        """How well it matches, as a plain sum."""
        return sum(weight * self.features.get(name, 0.0) for name, weight in _FIT.items())


_FIT = {
    "row label": 3.0, "row label precision": 1.5, "row label exact": 1.5, "row sections": 1.2, "row column": 1.5,
    "row column precision": 0.8, "row period": 2.5, "row total": 0.5, "row around": 0.4, "row page": 0.5, "row latest": 0.5,
}  # fmt: skip
"""What speaks for a value among others for one phrase."""


def mean(parts: Sequence[Part]) -> dict[str, float]:
    """The features of several values as one: their means."""
    made: dict[str, float] = defaultdict(float)
    for part in parts:
        for name, value in part.features.items():
            made[name] += value / len(parts)
    return made


def column_of(part: Part) -> int:
    """The column of its table that a number stands in."""
    assert part.value.cell is not None
    return part.value.cell[1]


def is_total(line: Line) -> bool:
    """Whether a row is a total of others, by its label."""
    label = line.label.rpartition(STEP)[2]
    return not label or TOTAL.search(label) is not None


def part_of(matches: LineMatches, at: int, value: LineValue) -> Part:
    """A number of a line with how it matches the question."""
    return Part(at, value, matches.match(at, value, matches.phrase, matches.ask.periods))


def series_of(matches: LineMatches, at: int) -> list[tuple[Part, ...]]:
    """The numbers of a row, and of the rows of its table, that differ from each other in their time alone, latest first; where
    there are none, all timed numbers of the row.
    """
    line = matches.lines[at]
    groups: dict[tuple[str, ...], dict[tuple[int, int, int, int], Part]] = defaultdict(dict)
    wanted = {_timeless(line, value) for value in line.numbers if value.times}
    for place, value in _timed_values(matches, at):
        key = _timeless(matches.lines[place], value)
        if key in wanted:
            groups[key].setdefault(value.times[0].parts, _of_any_time(matches, place, value))
    made = [_latest_first(group) for group in groups.values() if len(group) > 1]
    if made:
        return made
    own = {
        value.times[0].parts: _of_any_time(matches, at, value)
        for value in reversed(line.numbers)
        if value.times
    }
    return [_latest_first(own)] if len(own) > 1 else []


def _timed_values(matches: LineMatches, at: int) -> Iterator[tuple[int, LineValue]]:
    """The timed numbers of the table of a row, those of the row first."""
    passage = matches.lines[at].passage
    places = [n for n, line in enumerate(matches.lines) if line.passage is passage and n != at]
    for place in (at, *places):
        yield from ((place, value) for value in matches.lines[place].numbers if value.times)


def _timeless(line: Line, value: LineValue) -> tuple[str, ...]:
    return timeless_words(f"{line.label} {value.header}")


def _of_any_time(matches: LineMatches, at: int, value: LineValue) -> Part:
    """A value as part of a series: that the times are the asked ones is for the series to see."""
    asked = 1.0 if matches.ask.periods else 0.5
    return Part(at, value, matches.match(at, value, matches.phrase) | {"row period": asked})


def _latest_first(group: Mapping[tuple[int, int, int, int], Part]) -> tuple[Part, ...]:
    return tuple(group[time] for time in sorted(group, reverse=True))


def _at(series: Sequence[Part], period: When) -> Part | None:
    """The value of a series at a time."""
    return next((p for p in series if any(time.fits(period) for time in p.value.times)), None)


def _time(part: Part) -> tuple[int, int, int, int]:
    return part.value.times[0].parts


def two_times(ask: Ask, series: Sequence[Part]) -> tuple[Part, ...]:
    """The later and the earlier value that a change runs between; none where the series lacks one."""
    if not ask.periods:
        return tuple(series[:2])
    held = [part for period in ask.periods[:2] if (part := _at(series, period))]
    if len(ask.periods) == 1 and held:
        held += [part for part in series if _time(part) < _time(held[0])][:1]
    held.sort(key=_time, reverse=True)
    return tuple(held) if len(held) == 2 and held[0] is not held[1] else ()


def over_times(ask: Ask, series: Sequence[Part]) -> tuple[Part, ...]:
    """The values of a series that the question takes together: at the named times, in the named range, else all; with one time,
    that one and the one before.
    """
    years = [period.year for period in ask.periods]
    if ask.through and years[0] != years[-1]:
        first, last = min(years), max(years)
        return tuple(
            p for p in series if any(first <= time.year <= last for time in p.value.times)
        )
    if len(years) > 1:
        return tuple(part for period in ask.periods if (part := _at(series, period)))
    return two_times(ask, series) if years else tuple(series)


def time_name(part: Part) -> str:
    """What the time of a number is called: its year, or as it is written where it is a quarter."""
    first = part.value.times[0]
    return first.text if first.quarter else str(first.year)


def listed(
    matches: LineMatches, parts: Sequence[Part], way: str, names: Sequence[str] = ()
) -> Candidate:
    """Several values as one answer: themselves, or `names` in their place, in order."""
    lines = [matches.lines[part.at] for part in parts]
    times = (time.text for part in parts for time in part.value.times[:1])
    features = mean(parts) | {
        f"by {way}": 1.0,
        f"by {way}, of {min(len(matches.ask.operands), 2)} operands": 1.0,
        "of one row": float(len({part.at for part in parts}) == 1),
        "of one column": float(len({part.value.header for part in parts}) == 1),
        "of one table": float(len({id(line.passage) for line in lines}) == 1),
        "least label": min(part.features["row label"] for part in parts),
        "values": min(1.0, len(parts) / 8),
        "named": float(bool(names)),
    }
    return Candidate(
        tuple(names) or tuple(part.value.value for part in parts),
        tuple(line.evidence(part.value) for line, part in zip(lines, parts, strict=True)),
        subject=lines[0].label.replace(STEP, " "),
        period=" ".join(dict.fromkeys(times)),
        operation="filter" if names else "",
        features=features,
    )
