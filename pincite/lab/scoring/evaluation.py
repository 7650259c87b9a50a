"""A run file against a gold file under one set of rules: figures with their 95% bootstrap intervals over questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pincite.errors import UsageError
from pincite.lab.experiments.finished_runs import Run
from pincite.lab.scoring import bootstrap, wattbot
from pincite.lab.scoring import enterprise_challenge as erc
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring.examples import Row, evidence_of
from pincite.lab.scoring.measures import level_of, measure
from pincite.lab.scoring.scored_runs import check_shared_ids, read_chunks, read_golds, read_hits
from pincite.records.runfile import FoundPage, Record, read_run
from pincite.workbench import submissions

Pairs = Sequence[tuple[Record | None, Row]]
CUTOFFS = (1, 5, 10)
PAID = frozenset({"score", "value", "references", "na", "points", "answer", "right", "EM", "F1"})
"""Figures of rules that pay for a guess."""


class Figure(NamedTuple):
    """One figure: a mean (or ratio of sums) over `n` questions with the ends of its 95% interval."""

    metric: str
    value: float
    n: int
    low: float
    high: float


def figure(metric: str, top: Sequence[float], bottom: Sequence[float] | None = None) -> Figure:
    """The mean of `top`, or sum(top) / sum(bottom), with its interval; nan without anything to divide by."""
    total = float(len(top)) if bottom is None else float(sum(bottom))
    low, high = bootstrap.interval(top, bottom)
    return Figure(metric, sum(top) / total if total else float("nan"), len(top), low, high)


def with_guesses(
    records: Mapping[str, Record], figures: Callable[[Mapping[str, Record]], list[Figure]]
) -> list[Figure]:
    """The figures of what was shown; behind them, where refusals have guesses, those that pay for a guess with them."""
    shown = figures(records)
    if not any(record.guess for record in records.values()):
        return shown
    guessed = {key: record.guess or record for key, record in records.items()}
    paid = [each for each in figures(guessed) if each.metric in PAID]
    return [*shown, *(each._replace(metric=f"{each.metric} with guesses") for each in paid)]


def wattbot_figures(
    rows: Sequence[tuple[Mapping[str, str] | None, Mapping[str, str]]], year: int
) -> list[Figure]:
    """Submitted rows (None where one is missing) against gold rows, by the rules of a year."""
    rule = wattbot.score_2025 if year == 2025 else wattbot.score_2026
    scores = [rule(given, gold) for given, gold in rows]
    parts = wattbot.PARTS.items()
    return [figure(name, [getattr(score, part) for score in scores]) for name, part in parts]


def erc_figures(pairs: Pairs) -> list[Figure]:
    """Points (a sum: 1.5 a question at most), and the means of answers and references."""
    scores = [erc.score(record, gold) for record, gold in pairs]
    mean, n = figure("points", [score.points for score in scores]), len(scores)
    return [
        Figure("points", mean.value * n, n, mean.low * n, mean.high * n),
        figure("answer", [score.answer for score in scores]),
        figure("references", [score.references for score in scores]),
    ]


def typed_figures(pairs: Pairs) -> list[Figure]:
    """Right answers, refusals of questions without an answer, right among all that were answered, and cited pages."""
    asked = [(record, gold) for record, gold in pairs if typed.applies(gold)]
    empty = [(record, gold) for record, gold in pairs if typed.answer_type(gold) == "unanswerable"]
    answered = [(r, gold) for r, gold in [*asked, *empty] if r is not None and r.value is not None]
    correct = [typed.applies(gold) and typed.right(record, gold) for record, gold in answered]
    refused = [figure("refused", [typed.refused(record) for record, _ in empty])]
    return [
        figure("right", [typed.right(record, gold) for record, gold in asked]),
        *(refused if empty else ()),
        figure("right of answered", correct),
        *page_figures(asked),
    ]


def page_figures(pairs: Pairs) -> list[Figure]:
    """Precision and recall of cited pages, summed over answered questions that have evidence pages."""
    answered = [
        (record.pages, wanted)
        for record, gold in pairs
        if record is not None
        and record.value is not None
        and (wanted := frozenset(evidence_of(gold)))
    ]
    right = [len(cited & wanted) for cited, wanted in answered]
    return [
        figure("page precision", right, [len(cited) for cited, _ in answered]),
        figure("page recall", right, [len(wanted) for _, wanted in answered]),
    ]


def retrieval_figures(
    found: Mapping[str, Sequence[FoundPage]],
    golds: Mapping[str, Row],
    chunks: Mapping[str, Sequence[str]] | None = None,
) -> list[Figure]:
    """Hit rates at 1, 5 and 10 and more, over chunks where the gold is chunks and some were found, else over pages where the
    gold has pages, else over documents.
    """
    run = Run("", golds, hits=found, chunks=chunks or {})
    level = level_of([run], list(golds)).replace("node", "document")
    figures = []
    for name in (*(f"Success@{k}" for k in CUTOFFS), "R@10", "RR", "nDCG@10"):
        by = measure(name, level)
        pairs = [pair for key in golds if (pair := by.of(run, key)) is not None]
        figures.append(figure(by.name, [value for value, _ in pairs]))
    return figures


RULES: dict[str, Callable[[Pairs], list[Figure]]] = {
    "erc": erc_figures,
    "typed": typed_figures,
    "pages": page_figures,
}
NAMES = ("wattbot2025", "wattbot2026", "retrieval", *RULES)


def evaluate_run(run_file: Path | str, gold_file: Path | str, rules: str) -> list[Figure]:
    """The figures of a run.

    `run_file` is a run (JSON lines), for retrieval a hits file, for WattBot also a submission (.csv), for erc a
    submission (.json). `gold_file` holds the gold rows with the same ids: JSON lines, CSV for WattBot, for retrieval
    also BEIR qrels (.tsv). `rules` is one of `NAMES`. Figures "with guesses" take the first possible answer that is likely
    enough for a refusal. A gold question that the run lacks scores 0, lines of the run
    that the gold lacks are left out. Raises UsageError when the rules are unknown, a file cannot be read or no id is in
    both.
    """
    run, gold = Path(run_file), Path(gold_file)
    if rules not in NAMES:
        raise UsageError(f"no rules are named {rules!r}; known: {', '.join(NAMES)}")
    golds = read_golds(gold)
    if rules == "retrieval":
        hits = read_hits(run)
        check_shared_ids(hits, golds, run, gold)
        return retrieval_figures(hits, golds, read_chunks(run))

    def of_rows(rows: Mapping[str, dict[str, str]]) -> list[Figure]:
        beside = [(rows.get(key), row) for key, row in golds.items()]
        return wattbot_figures(beside, int(rules[-4:]))

    if rules.startswith("wattbot") and run.suffix == ".csv":
        rows = wattbot.read_submission(run)
        check_shared_ids(rows, golds, run, gold)
        return of_rows(rows)
    if rules == "erc" and run.suffix == ".json":
        records = erc.read_submission(run)
        golds = {str(row["question"]): row for row in golds.values()}
    else:
        records = read_run(run)
    check_shared_ids(records, golds, run, gold)
    if rules.startswith("wattbot"):
        return with_guesses(records, lambda held: of_rows(submission_of(held, golds)))
    return with_guesses(
        records, lambda held: RULES[rules]([(held.get(key), row) for key, row in golds.items()])
    )


def submission_of(
    records: Mapping[str, Record], golds: Mapping[str, Row]
) -> dict[str, dict[str, str]]:
    """Records as submission rows, with the questions and units of the gold rows."""
    rows = {}
    for key in records.keys() & golds.keys():
        question, unit = str(golds[key].get("question", "")), str(golds[key]["answer_unit"])
        rows[key] = submissions.wattbot_row(records[key], question, unit, {}, key)
    return rows
