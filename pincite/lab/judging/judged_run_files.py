"""The answers of a run file judged by a model: figures with their intervals, as `pincite eval` prints them."""

from __future__ import annotations

from pathlib import Path

from pincite.corpus import Corpus
from pincite.lab.judging.judgements import judge, judged_answers
from pincite.lab.scoring.evaluation import Figure, figure, in_both, read_golds
from pincite.ports import Model
from pincite.records.runfile import read_run


def judged_figures(
    run_file: Path, gold_file: Path, model: Model, corpus: Corpus | None = None
) -> list[Figure]:
    """The mean of each criterion over the answers that it applies to; against whole cited pages where the corpus is given.

    Raises UsageError as `evaluate_run` does, ModelError when the model cannot be asked.
    """
    records, golds = read_run(run_file), read_golds(gold_file)
    in_both(records, golds, run_file, gold_file)
    asked = {key: records[key] for key in golds if key in records}
    answers = judged_answers(asked, golds, corpus)
    rows, _ = judge(model, answers, f"judging {run_file.name}")
    scores: dict[str, list[float]] = {}
    for found_rows in rows.values():
        for criterion, row in found_rows.items():
            name = f"{criterion} by {row['judge']} over {row['over']}, prompt {row['version']}"
            own = scores.setdefault(name, [])
            if row["score"] is not None:
                own.append(row["score"])
    return [figure(name, values) for name, values in scores.items()]
