"""A comparison as one HTML file that needs nothing else: tables, plots, and the questions on which runs disagree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from itertools import groupby
from math import isfinite, nan

from pincite.formats.svg import figure, swatch
from pincite.lab.comparison.comparison import (
    POOLED_SAMPLES,
    Comparison,
    ComparisonLine,
    FigureDifference,
    Value,
)
from pincite.lab.comparison.disagreement_page import disagreements
from pincite.lab.comparison.disagreements import cases
from pincite.lab.comparison.plots import Drawn, by_part, differences, drawn, few, main_lines
from pincite.lab.comparison.text_report import (
    certain,
    interval,
    name_of,
    p_text,
    same,
    sentence,
    signed,
)
from pincite.lab.experiments.finished_runs import Run, flat

GROUPS = {
    "ranking": "Ranking", "answers": "Answers", "citations": "Citations", "judged": "Judged by a model",
    "confidence": "Confidence", "spent": "Time and cost",
}  # fmt: skip
FACTS = [
    ("stand_ins", "stand-ins"), ("corpus.name", "corpus"), ("corpus.generation", "generation"),
    ("corpus.documents", "documents"), ("corpus.pages", "pages"), ("corpus.entries", "entries"),
    ("seconds.index", "index, s"), ("seconds.search", "search, s"), ("seconds.answer", "answer, s"),
    ("tokens.offline.input", "tokens in, offline"), ("tokens.offline.output", "tokens out, offline"),
    ("tokens.online.input", "tokens in, online"), ("tokens.online.output", "tokens out, online"),
    ("cost.offline", "cost offline"), ("cost.online", "cost online"), ("scope", "scope"), ("hardware", "hardware"),
    ("date", "date"), ("versions.pincite", "Pincite"),
]  # fmt: skip
"""What run.json may say of a run, beside its settings."""
WIDE = 5
"""More runs than this are given one row each, their intervals folded away."""


def report(made: Comparison) -> str:
    """The report as an HTML document."""
    names = " · ".join(run.name for run in made.runs)
    sections = [
        ("runs", "Runs", runs_table(made.runs, few(made))),
        ("figures", "All questions", overall(made)),
        ("plots", "Plots", plots(drawn(made))),
    ]
    for heading in made.headings[1:]:
        body = plots(by_part(made, heading)) + parts_tables(made, heading)
        sections.append((heading.replace(" ", "-"), f"By {heading}", body))
    if len(made.runs) > 1:
        shown = replace(made, runs=tuple(made.runs[at] for at in few(made)))
        sections.append(
            ("disagreements", "Disagreements", disagreements(cases(shown), shown.runs))
        )
    sections.append(("how", "How the figures are made", how(made)))
    links = "".join(f'<a href="#{anchor}">{escape(title)}</a>' for anchor, title, _ in sections)
    body = "".join(
        f'<section id="{anchor}"><h2>{escape(title)}</h2>{text}</section>'
        for anchor, title, text in sections
    )
    style = files("pincite.data").joinpath("report.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(names)}</title><style>\n{style}</style></head><body><main>"
        f"<h1>{escape(title_of(made))}</h1>"
        f'<p class="soft">{escape(under_title(made))}</p>{findings(made)}<nav>{links}</nav>{body}'
        f"{spellings(made.runs)}</main></body></html>\n"
    )


def title_of(made: Comparison) -> str:
    """What the report is of."""
    first, *others = (run.name for run in made.runs)
    if len(others) > 1:
        return f"{len(made.runs)} runs compared"
    return f"{first} and {others[0]}" if others else f"The run {first}"


def under_title(made: Comparison) -> str:
    """How many questions of which set."""
    sets = ", ".join(dict.fromkeys(run.set_name for run in made.runs if run.set_name))
    asked = max(len(run.golds) for run in made.runs)
    of = "" if asked == len(made.ids) else f" (of {asked}; the others were not asked in every run)"
    return f"{len(made.ids)} questions{f' of {sets}' if sets else ''}{of}. Differences are from {made.runs[0].name}."


def findings(made: Comparison) -> str:
    """What the main measures say, in words."""
    said = [
        f"<li><b>{escape(line.measure.name)}</b>: {escape(sentence(line, made.runs))}</li>"
        for line in main_lines(made)
    ]
    return f'<div class="findings"><ul>{"".join(said)}</ul></div>' if said else ""


def runs_table(runs: Sequence[Run], marked: Sequence[int]) -> str:
    """What ran: recipe, settings, stand-ins, time, tokens and cost; what is the same in all runs stands beneath.

    `marked` are the runs that plots show, in the order of their marks.
    """
    settings = dict.fromkeys(name for run in runs for name in run.settings)
    told = [
        {**flat(run.told), **flat({"settings": run.settings}), "stand_ins": stand_ins(run)}
        for run in runs
    ]
    said = [
        (label, [row.get(key) for row in told])
        for key, label in [*((f"settings.{name}", name) for name in settings), *FACTS]
        if any(row.get(key) not in (None, "", 0, "0") for row in told)
    ]
    columns = [(label, list(map(cell_text, values))) for label, values in said]
    common = [(label, cells) for label, cells in columns if len(runs) > 1 and len(set(cells)) == 1]
    kept = [each for each in columns if each not in common]
    body = [
        [run_name(run, place, marked), *(escape(cells[place]) for _, cells in kept)]
        for place, run in enumerate(runs)
    ]
    beneath = ", ".join(f"{label} {cells[0]}" for label, cells in common)
    note = f'<p class="soft">The same in all runs: {escape(beneath)}.</p>' if beneath else ""
    return table(["run", *(label for label, _ in kept)], body) + note


def run_name(run: Run, place: int, marked: Sequence[int]) -> str:
    """A run with its mark, where it has one."""
    mark = swatch(marked.index(place)) if place in marked else '<span class="gap"></span>'
    return f'<span class="run">{mark}{escape(run.name)}</span>'


def stand_ins(run: Run) -> str:
    """What stood in for a model that was not at hand."""
    return ", ".join(map(str, run.told.get("stand_ins") or ())) or "none"


def cell_text(value: object) -> str:
    """A leaf of run.json in a table."""
    if value is None or value == "":
        return "–"
    return f"{value:,.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def overall(made: Comparison) -> str:
    """The table of all questions, and how runs differ as a plot."""
    note = (
        f'<p class="soft">Each figure with its 95% interval; beneath it the difference from {escape(made.runs[0].name)} with its '
        "own, its p-value → this corrected for the number of runs and parts. ↓: less is better.</p>"
    )
    lines = list(made.under("all questions"))
    full = (note if len(made.runs) > 1 else "") + values_table(lines, made.runs)
    if len(made.runs) > WIDE:
        folded = f'<details class="group"><summary>With intervals and p-values</summary>{full}</details>'
        full = matrix(lines, made.runs, few(made)) + folded
    return full + plots(differences(made))


def matrix(lines: Sequence[ComparisonLine], runs: Sequence[Run], marked: Sequence[int]) -> str:
    """Runs in rows, measures in columns, figures alone: the best in bold, coloured where clear of the first run."""
    body = []
    for at, run in enumerate(runs):
        cells = [run_name(run, at, marked)]
        for line in lines:
            value, other = line.values[at], line.differences[at - 1] if at else None
            if value is None:
                cells.append("–")
                continue
            told = interval(value) + (
                f", p {p_text(other.p)}, corrected {p_text(other.corrected)}" if other else ""
            )
            kind = f"{'best ' if is_best(line, value) else ''}{way(other, line.measure.better)}"
            cells.append(
                f'<span class="{kind}" title="{escape(told)}">{figure(value.value)}</span>'
            )
        body.append(cells)
    note = (
        f'<p class="soft">The best of each measure in bold; coloured where the difference from {escape(runs[0].name)} stands '
        "after correction. ↓: less is better.</p>"
    )
    return note + f'<div class="matrix">{table(["run", *map(name_of, lines)], body)}</div>'


def values_table(lines: Sequence[ComparisonLine], runs: Sequence[Run]) -> str:
    """Measures in rows, runs in columns, each behind the first with its difference."""
    head = ["measure", "n", *(run.name for run in runs)]
    body = []
    for group, some in groupby(lines, key=lambda line: line.measure.group):
        body.append(f'<tr class="group"><th colspan="{len(head)}">{GROUPS[group]}</th></tr>')
        body += [values_row(line) for line in some]
    return _table("".join(f"<th>{escape(each)}</th>" for each in head), "".join(body))


def values_row(line: ComparisonLine) -> str:
    """One measure of all runs; the best in bold."""
    cells = [f"<th>{escape(name_of(line))}</th><td>{line.n}</td>"]
    for value, other in zip(line.values, (None, *line.differences), strict=True):
        top = value is not None and is_best(line, value)
        cells.append(
            f"<td>{value_cell(value, top)}{difference_cell(other, line.measure.better)}</td>"
        )
    return f"<tr>{''.join(cells)}</tr>"


def is_best(line: ComparisonLine, value: Value) -> bool:
    """Whether no run has a better figure, and some a worse."""
    values = [each.value for each in line.values if each is not None and isfinite(each.value)]
    best = (min if line.measure.better == "low" else max)(values, default=nan)
    return line.measure.better != "none" and len(set(values)) > 1 and value.value == best


def way(other: FigureDifference | None, better: str) -> str:
    """The class of a difference that remains after correction: up, down, or clear where neither is better."""
    if other is None or not certain(other):
        return ""
    if better == "none":
        return "clear"
    return "up" if (other.value > 0) == (better == "high") else "down"


def value_cell(value: Value | None, best: bool) -> str:
    """A figure with its interval."""
    if value is None:
        return "–"
    shown = f'<span class="best">{figure(value.value)}</span>' if best else figure(value.value)
    return f'{shown} <span class="ci">{interval(value)}</span>'


def difference_cell(other: FigureDifference | None, better: str) -> str:
    """A difference with its interval and p-values beneath the figure; coloured when it remains after correction."""
    if other is None:
        return ""
    if same(other):
        return '<div class="ci">no difference on any question</div>'
    return (
        f'<div class="ci"><span class="{way(other, better)}">{signed(other.value)}</span> {interval(other)} '
        f"p {p_text(other.p)} → {p_text(other.corrected)}</div>"
    )


def parts_tables(made: Comparison, heading: str) -> str:
    """The tables of every part under a heading, folded away."""
    made_tables = []
    for part, some in groupby(made.under(heading), key=lambda line: line.part):
        lines = list(some)
        asked = max(line.n for line in lines)
        body = values_table(lines, made.runs)
        made_tables.append(
            f'<details class="group"><summary>{escape(part)}, {asked} questions</summary>{body}</details>'
        )
    return "".join(made_tables)


def plots(some: Iterable[Drawn]) -> str:
    """Plots with their titles, how to read them, and legends above."""
    made = []
    for each in some:
        legend = "".join(f"<span>{swatch(hue)}{escape(name)}</span>" for hue, name in each.legend)
        made.append(
            f"<figure><h3>{escape(each.title)}</h3><figcaption>{escape(each.reading)}</figcaption>"
            f'<div class="legend">{legend}</div>{each.svg}</figure>'
        )
    return f'<div class="plots">{"".join(made)}</div>' if made else ""


def how(made: Comparison) -> str:
    """What the figures rest on."""
    return (
        f"<p>Intervals are 95% percentiles of {made.samples:,} bootstrap samples of the questions ({POOLED_SAMPLES:,} for ECE "
        "and AURC); differences use the same samples on both sides (Efron 1979). p-values are of two-sided paired randomisation "
        "tests with as many exchanges (Smucker, Allan and Carterette 2007), corrected by Holm's method (1979) for the runs and "
        "parts that one measure compares in a section. Colour marks differences whose corrected p-value is below .05. A question "
        "to which a measure does not apply is not counted; n says how many were.</p>"
        "<p>Ranking metrics carry ir_measures' names. <b>accuracy</b> is the share of right answers by the rules of the set, a "
        "question without an answer being right when refused; <b>right</b> leaves those questions out. <b>ECE</b>: expected "
        "calibration error of the answers given, ten bins of equal size. <b>AURC</b>: mean risk over all coverages, refusals "
        "last. <b>separation</b>: the 1-Wasserstein distance between the scores of gold and of other hits, over the range of the "
        "question's scores.</p>"
    )


def spellings(runs: Sequence[Run]) -> str:
    """Each run's spelling, by which it can be repeated."""
    told = "".join(
        f"<p><b>{escape(run.name)}</b><br><code>{escape(str(run.told['spelling']))}</code></p>"
        for run in runs
        if run.told.get("spelling")
    )
    return f"<footer>{told}</footer>" if told else ""


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table of cells that are already HTML."""
    lines = "".join(
        f"<tr><th>{row[0]}</th>{''.join(f'<td>{cell}</td>' for cell in row[1:])}</tr>"
        for row in body
    )
    return _table("".join(f"<th>{escape(each)}</th>" for each in head), lines)


def _table(head: str, body: str) -> str:
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
