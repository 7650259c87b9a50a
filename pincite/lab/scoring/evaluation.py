"""A run file against a gold file under one set of rules: figures with their 95% bootstrap intervals over questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pincite.errors import UsageError
from pincite.lab.scoring import bootstrap, tatqa, wattbot
from pincite.lab.scoring import enterprise_challenge as erc
from pincite.lab.scoring import retrieval_metrics as metrics
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring import wikitablequestions as wtq
from pincite.lab.scoring.examples import evidence_of
from pincite.lab.scoring.gold_chunks import gold_chunks
from pincite.lab.scoring.scored_runs import read_chunks, read_hits, read_qrels
from pincite.records.runfile import FoundPage, Record, Spot, document_name, read_lines, read_run
from pincite.workbench import submissions

Row = Mapping[str, Any]
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
    mean = figure("points", [each.points for each in scores])
    n = len(scores)
    return [
        Figure("points", mean.value * n, n, mean.low * n, mean.high * n),
        figure("answer", [each.answer for each in scores]),
        figure("references", [each.references for each in scores]),
    ]


def typed_figures(pairs: Pairs) -> list[Figure]:
    """Right answers, refusals of questions without an answer, right among all that were answered, and cited pages."""
    asked = [(record, gold) for record, gold in pairs if typed.applies(gold)]
    empty = [(record, gold) for record, gold in pairs if typed.answer_type(gold) == "unanswerable"]
    answered = [(r, gold) for r, gold in [*asked, *empty] if r is not None and r.value is not None]
    correct = [float(typed.applies(gold) and typed.right(r, gold)) for r, gold in answered]
    refused = [figure("refused", [float(typed.refused(record)) for record, _ in empty])]
    return [
        figure("right", [float(typed.right(record, gold)) for record, gold in asked]),
        *(refused if empty else ()),
        figure("right of answered", correct),
        *page_figures(asked),
    ]


def tatqa_figures(pairs: Pairs) -> list[Figure]:
    """Exact match and F1."""
    scores = [tatqa_score(record, gold) for record, gold in pairs]
    return [figure("EM", [em for em, _ in scores]), figure("F1", [f1 for _, f1 in scores])]


def tatqa_score(record: Record | None, gold: Row) -> tuple[float, float]:
    """Exact match and F1 of one record."""
    items, scale = tatqa.prediction(record) if record is not None else ([], "")
    return tatqa.score(
        items, scale, gold["answer"], str(gold.get("scale") or ""), str(gold["answer_type"])
    )


def wtq_figures(pairs: Pairs) -> list[Figure]:
    """The share of right answers."""
    return [figure("right", [float(wtq_right(record, gold)) for record, gold in pairs])]


def wtq_right(record: Record | None, gold: Row) -> bool:
    """Whether one record is right."""
    if record is None or record.value is None:
        return False
    answer = gold["answer"]
    wanted = list(map(str, answer)) if isinstance(answer, list) else [str(answer)]
    return wtq.right(wtq.prediction(record), wanted)


def page_figures(pairs: Pairs) -> list[Figure]:
    """Precision and recall of cited pages, summed over answered questions that have evidence pages."""
    answered = [
        (record.pages, wanted)
        for record, gold in pairs
        if record is not None
        and record.value is not None
        and (wanted := metrics.spots(evidence_of(gold)))
    ]
    right = [float(len(cited & wanted)) for cited, wanted in answered]
    return [
        figure("page precision", right, [float(len(cited)) for cited, _ in answered]),
        figure("page recall", right, [float(len(wanted)) for _, wanted in answered]),
    ]


def retrieval_figures(
    found: Mapping[str, Sequence[FoundPage]],
    golds: Mapping[str, Row],
    chunks: Mapping[str, Sequence[str]] | None = None,
) -> list[Figure]:
    """Hit rates at 1, 5 and 10 and more, over chunks where the gold is chunks and some were found, else over pages where the
    gold has pages, else over documents.
    """
    judged = {key: judgements(gold) for key, gold in golds.items()}
    pages = {key: dict.fromkeys(pages, 1) for key, (pages, _) in judged.items() if pages}
    wanted = {
        key: dict.fromkeys(own, 1) for key, gold in golds.items() if (own := gold_chunks(gold))
    }
    ranked: list[tuple[Sequence[Any], Mapping[Any, int]]]
    if chunks and wanted:
        prefix, ranked = "chunk", [(chunks.get(key, ()), own) for key, own in wanted.items()]
    elif pages:
        held = {key: metrics.pages(found.get(key, ())) for key in pages}
        prefix, ranked = "page", [(held[key], own) for key, own in pages.items()]
    else:
        grades = {key: own for key, (_, own) in judged.items() if own}
        named = {key: metrics.documents(found.get(key, ())) for key in grades}
        prefix, ranked = "document", [(named[key], own) for key, own in grades.items()]
    names = [f"Success@{k}" for k in CUTOFFS] + ["R@10", "RR", "nDCG@10"]
    return [figure(f"{prefix} {name}", values_of(name, ranked)) for name in names]


def values_of(name: str, ranked: Sequence[tuple[Sequence[Any], Mapping[Any, int]]]) -> list[float]:
    """One metric of every question to which it applies."""
    values = (metrics.score(name, items, relevant) for items, relevant in ranked)
    return [value for value in values if value is not None]


def judgements(gold: Row) -> tuple[frozenset[Spot], Mapping[str, int]]:
    """The evidence pages of a gold row, and the grade of each judged document."""
    pages = metrics.spots(evidence_of(gold))
    if "qrels" in gold:
        return pages, {document_name(name): grade for name, grade in gold["qrels"].items()}
    if "ref_id" in gold:
        blank = wattbot.is_blank(gold["ref_id"])
        return pages, {} if blank else dict.fromkeys(wattbot.gold_references(gold["ref_id"]), 1)
    names = frozenset(document_name(str(name)) for name in gold.get("doc_ids") or ())
    # a question that is not held to its documents has those of its pages
    return pages, dict.fromkeys(names or frozenset(document for document, _ in pages), 1)


RULES: dict[str, Callable[[Pairs], list[Figure]]] = {
    "erc": erc_figures,
    "typed": typed_figures,
    "tatqa": tatqa_figures,
    "wtq": wtq_figures,
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
        in_both(hits, golds, run, gold)
        return retrieval_figures(hits, golds, read_chunks(run))

    def of_year(rows: Mapping[str, dict[str, str]]) -> list[Figure]:
        return wattbot_figures(
            [(rows.get(key), row) for key, row in golds.items()], int(rules[-4:])
        )

    if rules.startswith("wattbot") and run.suffix == ".csv":
        rows = wattbot.read_submission(run)
        in_both(rows, golds, run, gold)
        return of_year(rows)
    if rules == "erc" and run.suffix == ".json":
        records = erc.read_submission(run)
        golds = {str(row["question"]): row for row in golds.values()}
    else:
        records = read_run(run)
    in_both(records, golds, run, gold)
    if rules.startswith("wattbot"):
        return with_guesses(records, lambda held: of_year(submission_of(held, golds)))
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


def read_golds(path: Path) -> dict[str, Row]:
    """Gold rows by id, from JSON lines, CSV or BEIR qrels."""
    if path.suffix == ".tsv":
        return {query: {"qrels": judged} for query, judged in read_qrels(path).items()}
    if path.suffix == ".csv":
        return dict(wattbot.read_gold(path))
    return {str(row.get("id", number)): row for number, row in enumerate(read_lines(path), 1)}


def in_both(
    run: Mapping[str, object], gold: Mapping[str, object], run_file: Path, gold_file: Path
) -> None:
    """Raise UsageError when a run and its gold share no id."""
    if not set(run) & set(gold):
        raise UsageError(
            f"{run_file} and {gold_file} share no question id: the run has {', '.join(list(run)[:3]) or 'none'}, "
            f"the gold {', '.join(list(gold)[:3]) or 'none'}"
        )
