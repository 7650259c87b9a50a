"""The plots of a comparison: each a title, a line on how to read it, and its SVG; omitted where there is nothing to show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.formats.svg import Axis, Bar, PlotSeries, figure, plot, rows
from pincite.lab.comparison.comparison import Comparison, ComparisonLine, Value
from pincite.lab.comparison.text_report import interval
from pincite.lab.experiments.finished_runs import Run
from pincite.lab.scoring import calibration
from pincite.lab.scoring.measures import confidence, level_of, measure

DEEP = 20
"""The cut-offs that are drawn."""
BINS = 10
MANY = 8
"""Of more runs than this, the first and the best are drawn."""
SHARE = (0.0, 1.0)
SWEPT = ("Success@5", "nDCG@10", "accuracy", "right of answered", "seconds")
"""What is drawn against a parameter, as far as it was measured."""
COSTS = (
    ("seconds", "seconds a question"),
    ("tokens", "tokens a question"),
    ("cost", "cost a question"),
)
Curve = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A plot with how to read it; `legend` has the hue and the label of each series."""

    title: str
    reading: str
    svg: str
    legend: tuple[tuple[int, str], ...] = ()


def drawn(made: Comparison) -> Iterator[Drawn]:
    """The plots of all questions, but that of differences."""
    for plots in (cutoffs, sweeps, against_cost, confidences, latency):
        yield from plots(made)


def main_lines(made: Comparison) -> list[ComparisonLine]:
    """The lines over all questions that speak for the rest: one of rankings, one of answers, as far as there are."""
    lines = list(made.under("all questions"))
    rankings = [line for line in lines if line.measure.group == "ranking"]
    answers = [line for line in lines if line.measure.group == "answers"]
    by_gain = [line for line in lines if line.measure.name.endswith(" nDCG@10")]
    accuracy = [line for line in lines if line.measure.name == "accuracy"]
    return [*(by_gain or rankings)[:1], *(accuracy or answers)[:1]]


def few(made: Comparison) -> list[int]:
    """The places of the runs to draw, each in the hue of its order here: all, or of many the first and the best by the last of
    the main lines.
    """
    main = main_lines(made)
    if len(made.runs) <= MANY or not main:
        return list(range(len(made.runs)))[:MANY]
    better = -1 if main[-1].measure.better == "low" else 1
    held = [
        (better * value.value, -at)
        for at, value in enumerate(main[-1].values)
        if at and value is not None
    ]
    return sorted([0, *(-at for _, at in sorted(held, reverse=True)[: MANY - 1])])


def _left_out(made: Comparison) -> str:
    """What is left out where not all runs are drawn."""
    left = len(made.runs) - len(few(made))
    if not left:
        return ""
    best = main_lines(made)[-1].measure.name
    return f" Shown are the first run and the best by {best}; {left} more are not."


def _legend(made: Comparison, hues: Iterable[int]) -> tuple[tuple[int, str], ...]:
    places = few(made)
    return tuple((hue, made.runs[places[hue]].name) for hue in hues)


def differences(made: Comparison) -> Iterator[Drawn]:
    """How each run differs from the first in every measure that is a share."""
    places = list(enumerate(few(made)))[1:]
    bars = []
    for each in made.under("all questions"):
        values = tuple(
            (hue, apart.value, apart.low, apart.high, apart.low > 0 or apart.high < 0)
            for hue, place in places
            if (apart := each.differences[place - 1]) is not None
        )
        if not each.measure.unit and any(any(numbers) for _, *numbers, _ in values):
            less = " ↓" if each.measure.better == "low" else ""
            bars.append(Bar(f"{each.measure.name}{less}", values))
    if bars:
        axis = Axis(f"difference from {made.runs[0].name}")
        yield Drawn(
            f"Differences from {made.runs[0].name}",
            "Paired over questions, with 95% intervals; filled where the interval is clear of zero. ↓: less is better. Measures "
            f"in which no run differs on any question are left out.{_left_out(made)}",
            rows("Differences from the first run", axis, bars, zero=True, width=780),
            _legend(made, (hue for hue, _ in places)),
        )


def cutoffs(made: Comparison) -> Iterator[Drawn]:
    """Hit rate and recall against the number of pages looked at; runs with the same curve are drawn once."""
    level = level_of(made.runs, made.ids)
    for metric, title, says in (
        ("Success", "Hit rate", "any gold"), ("R", "Recall", "the share of gold"),
    ):  # fmt: skip
        curves: dict[Curve, list[int]] = {}
        for hue, place in enumerate(few(made)):
            run = made.runs[place]
            if run.hits and (curve := _curve(metric, level, run, made.ids)):
                curves.setdefault(curve, []).append(hue)
        same = ""
        for (_, first), *others in (_legend(made, hues) for hues in curves.values()):
            if others:
                same += f" The same as {first}: {'; '.join(name for _, name in others)}."
        if curves:
            yield Drawn(
                f"{title} against the cut-off",
                f"{metric}@k over {level}s: {says} among the first k.{same}{_left_out(made)}",
                plot(
                    title,
                    Axis(f"k, {level}s looked at", (0, DEEP)),
                    Axis(f"{metric}@k", SHARE),
                    [PlotSeries(hues[0], curve, marks=False) for curve, hues in curves.items()],
                ),
                _legend(made, (hues[0] for hues in curves.values())),
            )


def _curve(metric: str, level: str, run: Run, ids: Sequence[str]) -> Curve:
    made = []
    for k in range(1, DEEP + 1):
        by = measure(f"{metric}@{k}", level)
        values = [pair[0] for key in ids if (pair := by.of(run, key)) is not None]
        if values:
            made.append((float(k), sum(values) / len(values)))
    return tuple(made)


def sweeps(made: Comparison) -> Iterator[Drawn]:
    """Measures against each parameter or size that is a number and varies; runs that are alike in all else are one line."""
    lines = {
        each.measure.name.removeprefix("page ").removeprefix("document "): each
        for each in made.under("all questions")
    }
    for name in sorted({name for run in made.runs for name in run.numbers}):
        for line in (lines[swept] for swept in SWEPT if swept in lines):
            groups = _alike_but_for(name, made.runs)
            if groups and len({value.value for value in line.values if value is not None}) > 1:
                yield _sweep(name, line, groups, made.runs)


def _alike_but_for(name: str, runs: Sequence[Run]) -> dict[str, list[int]]:
    """The places of runs that are alike in all but one number, by what they have in common; nothing where it does not vary."""
    values = {place: run.numbers[name] for place, run in enumerate(runs) if name in run.numbers}
    if len(set(values.values())) < 2:
        return {}
    told = {key for run in runs for key in run.settings} - {name}
    varying = sorted(key for key in told if len({run.settings.get(key) for run in runs}) > 1)
    groups: dict[str, list[int]] = {}
    for place in values:
        rest = [f"{key} {runs[place].settings.get(key) or '–'}" for key in varying]
        groups.setdefault(", ".join(rest) or "all runs", []).append(place)
    if any(len({values[place] for place in places}) > 1 for places in groups.values()):
        return groups
    if name.startswith("indexed ") or len(runs) > MANY:
        return {}
    return {runs[place].name: [place] for place in values}


def _sweep(
    name: str, line: ComparisonLine, groups: Mapping[str, Sequence[int]], runs: Sequence[Run]
) -> Drawn:
    series, barred = [], len(groups) <= MANY
    taken = [runs[place].numbers[name] for places in groups.values() for place in places]
    for hue, places in enumerate(groups.values()):
        held = sorted((runs[place].numbers[name], place) for place in places)
        kept = [
            (x, runs[place].name, value)
            for x, place in held
            if (value := line.values[place]) is not None
        ]
        series.append(
            PlotSeries(
                hue,
                tuple((x, value.value) for x, _, value in kept),
                tuple((value.low, value.high) for _, _, value in kept if barred),
                tuple(_told(run, value) for _, run, value in kept),
                line=len({x for x, _, _ in kept}) == len(kept),
                shift=4 * (hue - (len(groups) - 1) / 2) if barred else 0,
            )
        )
    return Drawn(
        f"{line.measure.name} against {name}",
        f"Runs that are alike in all other settings are one line{'; bars are 95% intervals' if barred else ''}.",
        plot(line.measure.name, Axis(name, log=_logged(taken)), Axis(line.measure.label), series),
        tuple(enumerate(groups)) if len(groups) > 1 else (),
    )


def against_cost(made: Comparison) -> Iterator[Drawn]:
    """The main score of each run against what a question takes, each with its interval."""
    lines = {each.measure.name: each for each in made.under("all questions")}
    for score in main_lines(made)[-1:]:
        for name, taking in COSTS:
            series, taken = [], []
            for hue, place in enumerate(few(made)):
                spent = lines[name].values[place] if name in lines else None
                value = score.values[place]
                if spent is not None and value is not None:
                    told = (_told(made.runs[place].name, value),)
                    point, span = (spent.value, value.value), (value.low, value.high)
                    series.append(PlotSeries(hue, (point,), (span,), told, line=False))
                    taken.append(spent.value)
            if series:
                logged = _logged(taken)
                x = Axis(f"{taking} (mean)", None if logged else (0.0, max(taken)), log=logged)
                yield Drawn(
                    f"{score.measure.name} against {taking}",
                    f"Up and to the left is better; bars are 95% intervals of the score.{_left_out(made)}",
                    plot(score.measure.name, x, Axis(score.measure.label), series),
                    _legend(made, (each.hue for each in series)),
                )


def confidences(made: Comparison) -> Iterator[Drawn]:
    """Risk against coverage, and what share is right at each confidence."""
    risk, reliable = [], []
    for hue, place in enumerate(few(made)):
        run = made.runs[place]
        pairs = [pair for key in made.ids if (pair := confidence(run, key)) is not None]
        given = [pair for pair in pairs if not math.isnan(pair[0])]
        if given:
            coverage, risks = calibration.risk_coverage(*zip(*given, strict=True))
            answered = coverage * len(given) / len(pairs)
            curve = tuple(zip(answered.tolist(), risks.tolist(), strict=True))
            risk.append(PlotSeries(hue, curve, marks=False))
            reliable.append(_reliability(hue, run.name, given, len(made.runs) <= 3))
    legend = _legend(made, (each.hue for each in risk))
    wrong, right = Axis("share wrong of these", SHARE), Axis("share right", SHARE)
    if risk:
        yield Drawn(
            "Risk against coverage",
            "The share of wrong answers when only the surest are given. A curve ends where the run refuses the rest."
            + _left_out(made),
            plot("Risk against coverage", Axis("share of questions answered", SHARE), wrong, risk),
            legend,
        )
        yield Drawn(
            "Reliability",
            f"Answers in up to {BINS} bins of equal size: the share right at each mean confidence, with 95% intervals (Wilson) "
            "where runs are few. On the dotted line a confidence is what it says.",
            plot("Reliability", Axis("mean confidence", SHARE), right, reliable, diagonal=True),
            legend,
        )


def _reliability(
    hue: int, name: str, given: Sequence[tuple[float, float]], spanned: bool
) -> PlotSeries:
    held = np.array(sorted(given))
    bins = [each for each in np.array_split(held, min(BINS, max(2, len(held) // 15))) if len(each)]
    points = tuple((float(each[:, 0].mean()), float(each[:, 1].mean())) for each in bins)
    spans = tuple(wilson(float(each[:, 1].sum()), len(each)) for each in bins) if spanned else ()
    return PlotSeries(hue, points, spans, tuple(f"{name}: {len(each)} answers" for each in bins))


def wilson(right: float, n: int) -> tuple[float, float]:
    """The 95% interval of a share (Wilson 1927)."""
    share, z = right / n, 1.96
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def latency(made: Comparison) -> Iterator[Drawn]:
    """The share of questions that were done within a time."""
    series = []
    for hue, place in enumerate(few(made)):
        seconds = (measure("seconds", "").of(made.runs[place], key) for key in made.ids)
        taken = sorted(max(pair[0], 1e-4) for pair in seconds if pair is not None)
        if taken:
            curve = tuple((x, at / len(taken)) for at, x in enumerate(taken, 1))
            series.append(PlotSeries(hue, curve, marks=False))
    if series:
        yield Drawn(
            "Time a question takes",
            f"The share of questions that were done within a time, search and answer together.{_left_out(made)}",
            plot("Latency", Axis("seconds", log=True), Axis("share of questions", SHARE), series),
            _legend(made, (each.hue for each in series)),
        )


def by_part(made: Comparison, heading: str) -> Iterator[Drawn]:
    """The main measures of each part under a heading."""
    places = few(made)
    for main in main_lines(made):
        title = f"{main.measure.name} by {heading}"
        bars = []
        for line in made.under(heading):
            held = ((hue, line.values[place]) for hue, place in enumerate(places))
            marks = tuple(
                (hue, value.value, value.low, value.high, True)
                for hue, value in held
                if value is not None
            )
            if line.measure.name == main.measure.name:
                bars.append(Bar(f"{line.part} ({line.n})", marks))
        if bars:
            reading = f"With 95% intervals; in brackets the number of questions.{_left_out(made)}"
            drawing = rows(title, Axis(main.measure.label, SHARE), bars)
            yield Drawn(title, reading, drawing, _legend(made, range(len(places))))


def _told(name: str, value: Value) -> str:
    return f"{name}: {figure(value.value)} {interval(value)}"


def _logged(values: Sequence[float]) -> bool:
    return min(values) > 0 and max(values) / min(values) >= 20
