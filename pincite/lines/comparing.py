"""Values compared with each other: the most and the least, those beyond a number, how many there are, their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby

from pincite.document.labelled_cells import name_of
from pincite.document.table_headers import STEP
from pincite.evidence.candidate import Candidate
from pincite.lines.matching import LineMatches
from pincite.lines.parts import (
    ROWS,
    Part,
    is_total,
    listed,
    mean,
    over_times,
    part_of,
    series_of,
    time_name,
)
from pincite.question.ask import Ask
from pincite.types import Quantity, Value

GROUPS = 6
"""The groups of values that are compared or counted."""


@dataclass(frozen=True, slots=True)
class Group:
    """Values that are compared, each with its name: of one column ("column") or of one row through time ("times")."""

    way: str
    names: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def fit(self) -> float:
        """How well it answers: a column by its heading and sections, a row by its label as well."""
        features = mean(self.parts)
        shared = ("row column", "row sections", "row period", "row column precision", "row around")
        own = 2.0 + 3.0 * features["row label"] if self.way == "times" else 0.0
        return own + 2.0 * sum(features[name] for name in shared)


def groups(matches: LineMatches) -> list[Group]:
    """What a superlative, a filter, a count or a sum may run over, best first: columns of rows, and rows through time."""
    found: dict[tuple[object, ...], Group] = {}
    for at in matches.best_rows(frozenset(matches.phrase), ROWS):
        made = list(_columns(matches, at))
        if matches.ask.asks_period:
            made += _through_time(matches, at)
        for group in made:
            found.setdefault(tuple(id(part.value) for part in group.parts), group)
    return sorted(found.values(), key=lambda group: -group.fit)[:GROUPS]


def _columns(matches: LineMatches, at: int) -> Iterator[Group]:
    """Each column of the rows that stand with a row below the same headings, up to their total."""
    rows = _block(matches, at)
    held = [
        (value.cell[1], n, value) for n in rows for value in matches.lines[n].numbers if value.cell
    ]
    held.sort(key=lambda each: each[:2])
    for _, cells in groupby(held, key=lambda each: each[0]):
        parts = tuple(part_of(matches, n, value) for _, n, value in cells)
        if len(parts) > 1:
            yield Group(
                "column",
                tuple(name_of(matches.lines[p.at].label.rpartition(STEP)[2]) for p in parts),
                parts,
            )


def _block(matches: LineMatches, at: int) -> list[int]:
    """The rows that stand with a row below the same headings, between two totals."""
    line = matches.lines[at]
    above = line.label.rpartition(STEP)[0]
    block: list[int] = []
    for n, other in enumerate(matches.lines):
        if other.passage is not line.passage or other.label.rpartition(STEP)[0] != above:
            continue
        if not is_total(other):
            block.append(n)
        elif at in block:
            break
        else:
            block = []
    return block if at in block else []


def _through_time(matches: LineMatches, at: int) -> Iterator[Group]:
    """Each series of a row, as far as its times are asked for."""
    ask = matches.ask
    for series in series_of(matches, at):
        parts = over_times(ask, series)
        if len(ask.periods) == 1:
            parts = tuple(
                p for p in series if any(time.fits(ask.periods[0]) for time in p.value.times)
            )
        if len(parts) > 1:
            yield Group("times", tuple(map(time_name, parts)), parts)


def most(ask: Ask, group: Group, matches: LineMatches) -> Candidate:
    """The largest or smallest of a group: its name where that is asked for, else its value."""
    named, best = ask.operation.startswith("arg"), max if ask.operation.endswith("max") else min
    amounts = [part.amount for part in group.parts]
    at = amounts.index(best(amounts))
    chosen = group.parts[at]
    made = listed(matches, (chosen, *group.parts[:at], *group.parts[at + 1 :]), group.way)
    return replace(
        made,
        value=group.names[at] if named else chosen.value.value,
        period=group.names[at],
        operation=ask.operation if named else "",
        features={**made.features, "picked": 1.0},
    )


def beyond(matches: LineMatches) -> Iterator[Candidate]:
    """The names of a group whose numbers are beyond the threshold, or how many there are."""
    ask = matches.ask
    for group in groups(matches):
        named = zip(group.parts, group.names, strict=True)
        kept = [each for each in named if ask.threshold is None or meets(ask, each[0].value.value)]
        if not kept:
            continue
        parts, names = zip(*kept, strict=True)
        made = listed(matches, parts, group.way, names)
        if ask.operation == "count":
            made = replace(made, value=Quantity(Decimal(len(parts))))
        yield replace(made, operation=ask.operation)


def meets(ask: Ask, quantity: Value) -> bool:
    """Whether a number is beyond the threshold of a question."""
    if not isinstance(quantity, Quantity) or ask.threshold is None:
        return False
    limit = ask.threshold
    value, against = (
        (quantity.value, limit.value) if limit.scale == 1 else (quantity.amount, limit.amount)
    )
    return value > against if ask.order == "more" else value < against
