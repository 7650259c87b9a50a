"""A comparison in words and as tables of text: one line for each measure and run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from pincite.formats.svg import figure
from pincite.lab.comparison.comparison import (
    Comparison,
    ComparisonLine,
    FigureDifference,
    PairDifference,
    Value,
)
from pincite.lab.experiments.finished_runs import Run
from pincite.lab.scoring.measures import RunMeasure

CERTAIN = 0.05
NOTE = (
    "Brackets hold 95% bootstrap intervals over questions. Differences are from the first run, paired over questions; p is of a "
    "two-sided paired randomisation test, corrected by Holm's method for the runs and parts that a measure compares. ↓: less is "
    "better."
)
_APART = ("difference", "95% interval", "p", "p corrected")
HEAD = ("measure", "run", "value", "95% interval", *_APART, "n")


def signed(value: float) -> str:
    """A difference with its sign."""
    text = figure(value)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def p_text(p: float) -> str:
    """A p-value as text."""
    return "–" if math.isnan(p) else "<.001" if p < 0.001 else figure(p)


def interval(value: Value | FigureDifference) -> str:
    """The 95% interval in brackets, with signs for a difference."""
    tell = signed if isinstance(value, FigureDifference) else figure
    return f"[{tell(value.low)}, {tell(value.high)}]"


def certain(difference: FigureDifference) -> bool:
    """Whether a difference stands after correction."""
    return difference.corrected < CERTAIN


def same(difference: FigureDifference) -> bool:
    """Whether two runs have the same figure on every question."""
    return difference.value == difference.low == difference.high == 0 and difference.p == 1


def name_of(line: ComparisonLine) -> str:
    """A line's measure, marked where less is better."""
    return name_of_measure(line.measure)


def name_of_measure(measure: RunMeasure) -> str:
    """A measure with what it counts, marked where less is better."""
    return measure.label + (" ↓" if measure.better == "low" else "")


def sentence(line: ComparisonLine, runs: Sequence[Run]) -> str:
    """One line in words: the best run, and which runs differ from the first beyond chance."""
    held = [
        (value.value, run.name)
        for run, value in zip(runs, line.values, strict=True)
        if value is not None
    ]
    best, name = (min if line.measure.better == "low" else max)(held, key=lambda each: each[0])
    if len(held) == 1:
        return f"{figure(best)} ({name}, {line.n} questions)."
    if len({value for value, _ in held}) == 1:
        return f"{figure(best)} in every run ({line.n} questions)."
    clear = [
        f"{run.name} by {signed(apart.value)} (corrected p {p_text(apart.corrected)})"
        for run, apart in zip(runs[1:], line.differences, strict=True)
        if apart is not None and certain(apart)
    ]
    told = f"best {figure(best)}, {name} ({line.n} questions). "
    if clear:
        return f"{told}Beyond chance, these differ from {runs[0].name}: {'; '.join(clear)}."
    return f"{told}No run differs from {runs[0].name} beyond chance."


def rows(lines: Sequence[ComparisonLine], runs: Sequence[Run]) -> Iterator[tuple[str, ...]]:
    """The cells of HEAD for each line and run that has something to say; the measure stands in its first row alone."""
    for line in lines:
        name, n = name_of(line), str(line.n)
        for run, value, other in zip(runs, line.values, (None, *line.differences), strict=True):
            if value is not None:
                told = _apart(other) if other else ("",) * len(_APART)
                yield (name, run.name, figure(value.value), interval(value), *told, n)
                name = n = ""


def _apart(difference: FigureDifference) -> tuple[str, ...]:
    """The cells of _APART."""
    ps = map(p_text, (difference.p, difference.corrected))
    return (signed(difference.value), interval(difference), *ps)


def sections(made: Comparison) -> Iterator[tuple[str, list[ComparisonLine]]]:
    """The title of each table, and its lines."""
    for heading in made.headings:
        for part, own in groupby(made.under(heading), key=lambda line: line.part):
            alike = ", every set weighing alike" if made.sets_alike and part == "all" else ""
            yield f"{heading if part == 'all' else f'{heading}: {part}'}{alike}", list(own)


PAIR_HEAD = ("measure", "first", "second", "second − first", *_APART[1:])


def pair_rows(pairs: Sequence[PairDifference]) -> Iterator[tuple[str, ...]]:
    """The cells of PAIR_HEAD for each pair of runs."""
    for pair in pairs:
        yield (pair.measure.label, pair.first, pair.second, *_apart(pair.difference))


def markdown(made: Comparison) -> str:
    """The comparison as Markdown, a table for each part of the questions."""
    names = ", ".join(run.name for run in made.runs)
    made_text = [f"# {names}\n\n{len(made.ids)} questions. {NOTE}\n"]
    aligned = "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for title, lines in sections(made):
        head = f"| {' | '.join(HEAD)} |\n{aligned}"
        made_text.append(f"\n## {title[0].upper()}{title[1:]}\n\n{head}\n")
        made_text += [f"| {' | '.join(map(_cell, row))} |\n" for row in rows(lines, made.runs)]
    return "".join(made_text)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
