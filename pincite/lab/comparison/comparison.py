"""Runs side by side: every measure with its 95% interval, and how each run differs from the first.

Differences are taken question by question: the interval is that of a paired bootstrap (percentiles; Efron 1979), the p-value
that of a paired randomisation test, two-sided (Smucker, Allan and Carterette 2007), in which each question's outcomes change
sides at random. The p-values of one measure under one heading (all questions, type of question, kind of evidence), over all its
runs and parts, are corrected for their number by Holm's method (1979). Where every set of questions is to weigh alike, a figure
is the mean of the sets' figures, and samples and exchanges are drawn within each set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from pincite.errors import UsageError
from pincite.lab.experiments.finished_runs import Run, shared
from pincite.lab.scoring.bootstrap import SAMPLES, ends, ratio, resamples
from pincite.lab.scoring.calibration import Floats
from pincite.lab.scoring.measures import RunMeasure, level_of, measures_named, standard
from pincite.lab.scoring.question_parts import SET, parts

POOLED_SAMPLES = 1_000
"""Samples for figures that are no ratio of sums and have to be worked out anew for each."""
NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Value:
    """A figure with the ends of its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class FigureDifference:
    """A run's figure less that of the first run, its 95% interval, its p-value, and this corrected (Holm)."""

    value: float
    low: float
    high: float
    p: float
    corrected: float = NAN


@dataclass(frozen=True, slots=True)
class ComparisonLine:
    """One measure over one part of the questions (`n` of them), for every run.

    `values` has None where a run has nothing to measure; `differences` is one shorter, for the runs behind the first.
    """

    heading: str
    part: str
    measure: RunMeasure
    n: int
    values: tuple[Value | None, ...]
    differences: tuple[FigureDifference | None, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs, the ids of the questions that all of them were asked, the lines of the comparison, and how much was sampled.

    `sets_alike` says that figures over several sets are means of the sets' figures.
    """

    runs: tuple[Run, ...]
    ids: tuple[str, ...]
    lines: tuple[ComparisonLine, ...]
    samples: int = SAMPLES
    sets_alike: bool = False

    def under(self, heading: str) -> Iterator[ComparisonLine]:
        """The lines under a heading."""
        return (line for line in self.lines if line.heading == heading)

    @property
    def headings(self) -> list[str]:
        """All questions, and the ways in which they were cut into parts."""
        return list(dict.fromkeys(line.heading for line in self.lines))


def compare(
    runs: Sequence[Run], names: Sequence[str] = (), samples: int = SAMPLES, seed: int = 0
) -> Comparison:
    """Measure runs over the questions that all of them were asked, and compare each with the first.

    `names` are the measures (see `measures.measure`), by default all that apply; `seed` is that of the sampling.
    Raises UsageError when there is no run, no shared question, or nothing to measure.
    """
    if not runs:
        raise UsageError("name at least one run to measure, two or more to compare")
    ids = shared(runs)
    level = level_of(runs, ids)
    chosen = measures_named(names, level, runs) or standard(runs, ids)
    lines = []
    for heading, part, some in parts(runs[0].golds, ids):
        made = (line(heading, part, each, runs, some, samples, seed) for each in chosen)
        lines += [line for line in made if line is not None]
    if not lines:
        raise UsageError(
            f"nothing to measure: the golds of {runs[0].name} have neither an answer nor evidence that is asked for"
        )
    return Comparison(
        tuple(runs), tuple(ids), tuple(corrected(lines)), samples, sets_alike(runs[0])
    )


def sets_alike(run: Run) -> bool:
    """Whether in figures over several sets every set weighs alike, and not every question."""
    return run.told.get("mean") == "set" and any(SET in gold for gold in run.golds.values())


@dataclass(frozen=True, slots=True)
class _Outcomes:
    """What runs reached on the questions to which a measure applies in all that have any: for each run its pairs (n, 2), None
    where it has none; `groups` are the positions of questions whose figures are averaged.
    """

    of: RunMeasure
    rows: Sequence[Floats | None]
    groups: Sequence[Sequence[int]]
    n: int

    def figure(self, rows: Floats) -> float:
        return _mean_figure(self.of, rows, self.groups)

    def sampled(self, rows: Floats, samples: int, seed: int) -> Floats:
        drawn = [
            sampled(self.of, rows[group], samples, seed + at)
            for at, group in enumerate(self.groups)
        ]
        means: Floats = np.mean(drawn, axis=0)
        return means

    def difference(
        self, first: Floats, other: Floats, drawn: Floats, samples: int, seed: int
    ) -> FigureDifference:
        """How one run differs from the first, `drawn` being their difference in each bootstrap sample."""
        p = p_value(self.of, first, other, samples, seed, self.groups)
        return FigureDifference(self.figure(other) - self.figure(first), *ends(drawn), p)


def line(
    heading: str,
    part: str,
    of: RunMeasure,
    runs: Sequence[Run],
    ids: Sequence[str],
    samples: int,
    seed: int = 0,
) -> ComparisonLine | None:
    """One measure over some questions; None when it applies to none of them.

    Only questions to which it applies in every run that has something to measure are counted.
    """
    made = _outcomes(of, runs, ids)
    if made is None:
        return None
    held = [
        None if rows is None else (rows, made.sampled(rows, samples, seed)) for rows in made.rows
    ]
    values = tuple(each and Value(made.figure(each[0]), *ends(each[1])) for each in held)
    first = held[0]
    differences = tuple(
        first and each and made.difference(first[0], each[0], each[1] - first[1], samples, seed)
        for each in held[1:]
    )
    return ComparisonLine(heading, part, of, made.n, values, differences)


def _outcomes(of: RunMeasure, runs: Sequence[Run], ids: Sequence[str]) -> _Outcomes | None:
    """What runs reached on some questions; None where a measure applies to none."""
    pairs = [[of.of(run, key) for key in ids] for run in runs]
    having = [own for own in pairs if any(own)]
    kept = [at for at in range(len(ids)) if all(own[at] is not None for own in having)]
    if not having or not kept:
        return None
    rows = [
        np.array([own[at] for at in kept], dtype=np.float64) if any(own) else None for own in pairs
    ]
    groups: dict[object, list[int]] = {}
    alike = sets_alike(runs[0])
    for place, at in enumerate(kept):
        groups.setdefault(runs[0].golds[ids[at]].get(SET) if alike else None, []).append(place)
    return _Outcomes(of, rows, list(groups.values()), len(kept))


@dataclass(frozen=True, slots=True)
class PairDifference:
    """How the second of two runs differs from the first in one measure."""

    measure: RunMeasure
    first: str
    second: str
    difference: FigureDifference


def every_pair(made: Comparison, seed: int = 0) -> list[PairDifference]:
    """The differences of every two runs in each measure over all questions, corrected for the number of pairs."""
    found: list[PairDifference] = []
    for each in made.under("all questions"):
        own: list[PairDifference] = []
        for at, first in enumerate(made.runs[:-1]):
            others = made.runs[at + 1 :]
            told = line(
                each.heading, each.part, each.measure, (first, *others), made.ids, made.samples, seed
            )  # fmt: skip
            own += [
                PairDifference(each.measure, first.name, other.name, apart)
                for other, apart in zip(others, told.differences if told else (), strict=False)
                if apart is not None and not np.isnan(apart.p)
            ]
        adjusted = holm([pair.difference.p for pair in own])
        found += [
            replace(pair, difference=replace(pair.difference, corrected=p))
            for pair, p in zip(own, adjusted, strict=True)
        ]
    return found


def sampled(of: RunMeasure, rows: Floats, samples: int, seed: int = 0) -> Floats:
    """The figure in each bootstrap sample of the questions: (samples,), nan where there is nothing to divide by.

    Runs over the same questions are given the same samples, so that their differences are paired.
    """
    weights = resamples(len(rows), samples, seed)
    if of.pooled is None:
        return ratio(weights @ rows)
    at = np.arange(len(rows))
    some = weights[:POOLED_SAMPLES].astype(int)
    return np.array([of.figure(rows[np.repeat(at, each)]) for each in some])


def p_value(
    of: RunMeasure,
    first: Floats,
    other: Floats,
    samples: int,
    seed: int = 0,
    groups: Sequence[Sequence[int]] = (),
) -> float:
    """The share of random exchanges of the two sides with at least the observed difference, the observed one counted in.

    `groups` are the positions of questions whose figures are averaged, by default one of all.
    """
    groups = groups or [range(len(first))]
    observed = abs(_mean_figure(of, other, groups) - _mean_figure(of, first, groups))
    if np.isnan(observed):
        return NAN
    if np.array_equal(first, other, equal_nan=True):
        return 1.0
    exchanged = [
        exchanged_differences(of, first[group], other[group], samples, seed + at)
        for at, group in enumerate(groups)
    ]
    made = np.abs(np.mean(exchanged, axis=0))
    made = made[~np.isnan(made)]
    return float((1 + (made >= observed - 1e-12).sum()) / (1 + len(made)))


def _mean_figure(of: RunMeasure, rows: Floats, groups: Sequence[Sequence[int]]) -> float:
    return float(np.mean([of.figure(rows[group]) for group in groups]))


def exchanged_differences(
    of: RunMeasure, first: Floats, other: Floats, samples: int, seed: int = 0
) -> Floats:
    """The difference of two sides in each random exchange of them: (samples,), nan where there is nothing to divide by."""
    sides = exchanges(len(first), samples, seed)
    if of.pooled is None:
        moved = sides @ (other - first)
        return ratio(other.sum(axis=0) - moved) - ratio(first.sum(axis=0) + moved)
    made = []
    for side in sides[:POOLED_SAMPLES, :, None] > 0:
        here, there = np.where(side, first, other), np.where(side, other, first)
        made.append(of.figure(here) - of.figure(there))
    return np.array(made)


@lru_cache(maxsize=1)
def exchanges(n: int, samples: int, seed: int) -> Floats:
    """Which of n questions change sides in each sample: (samples, n) of 0 and 1, read-only."""
    drawn = np.random.default_rng([seed, 1]).integers(0, 2, size=(samples, n)).astype(np.float64)
    drawn.flags.writeable = False
    return drawn


def corrected(lines: Sequence[ComparisonLine]) -> list[ComparisonLine]:
    """Lines with the p-values of each measure under each heading corrected for their number."""
    ps: dict[tuple[str, str], list[float]] = {}
    for each in lines:
        own = ps.setdefault((each.heading, each.measure.name), [])
        own += [apart.p for apart in each.differences if apart and not np.isnan(apart.p)]
    adjusted = {family: iter(holm(own)) for family, own in ps.items()}
    return [
        replace(
            each,
            differences=tuple(
                replace(apart, corrected=next(adjusted[each.heading, each.measure.name]))
                if apart and not np.isnan(apart.p)
                else apart
                for apart in each.differences
            ),
        )
        for each in lines
    ]


def holm(ps: Sequence[float]) -> list[float]:
    """p-values corrected for their number by Holm's step-down method, in the order given."""
    order = sorted(range(len(ps)), key=ps.__getitem__)
    made, worst = [0.0] * len(ps), 0.0
    for rank, at in enumerate(order):
        worst = max(worst, min(1.0, (len(ps) - rank) * ps[at]))
        made[at] = worst
    return made


def rows_of(made: Comparison) -> list[dict[str, Any]]:
    """The comparison as plain rows, one for each measure, part and run; nan as None."""
    rows = []
    for each in made.lines:
        differences = (None, *each.differences)
        for run, value, other in zip(made.runs, each.values, differences, strict=True):
            if value is not None:
                rows.append({
                    "heading": each.heading, "part": each.part, "measure": each.measure.name, "run": run.name, "n": each.n,
                    **bare(asdict(value)), "difference": None if other is None else bare(asdict(other)),
                })  # fmt: skip
    return rows


def pair_rows_of(pairs: Sequence[PairDifference]) -> list[dict[str, Any]]:
    """Differences of every two runs as plain rows."""
    return [
        {
            "heading": "every two runs", "measure": pair.measure.name, "first": pair.first,
            "second": pair.second, "difference": bare(asdict(pair.difference)),
        }
        for pair in pairs
    ]  # fmt: skip


def bare(figures: Mapping[str, float]) -> dict[str, float | None]:
    """Figures, None for nan."""
    return {name: None if np.isnan(figure) else figure for name, figure in figures.items()}
