"""Answers of a run judged by a model: scores kept beside the answers, with the judge and the version of its prompt.

Requests are booked in the ledger under the stage "Judge" and the run's name. Replies are kept, so nothing is asked twice.
A refusal is not judged: whether it is right is told by other measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pincite.corpus import Corpus
from pincite.errors import ReplyInvalid
from pincite.lab.experiments.finished_runs import JUDGED, read_run_folder
from pincite.lab.experiments.run_folder import RUN, written
from pincite.lab.judging.criteria import CRITERIA, Criterion, JudgedAnswer, Named
from pincite.lab.scoring.evaluation import Figure, figure
from pincite.lab.scoring.scored_runs import check_shared_ids, read_golds
from pincite.lab.scoring.set_rules import reference_of
from pincite.models.loop import wait_all
from pincite.ports import Model
from pincite.records.runfile import Record, document_name, read_run, text_of, write_lines
from pincite.storage.disk import write
from pincite.storage.ledger import Spend, about, metered

AT_ONCE = 16

Row = Mapping[str, Any]
Judgements = dict[str, dict[str, Row]]
"""By question and criterion: score (None where the model gave none), judge, version, and what the cited texts were."""


def judged_answer(
    record: Record, gold: Row, reference: str, pages: Mapping[tuple[str, int], str] | None
) -> JudgedAnswer | None:
    """What is judged of one answer, None for a refusal; `pages` are the texts of pages where they are known."""
    if record.value is None:
        return None
    said = record.text or " ".join((text_of(record.value), record.unit)).strip()
    question = str(gold.get("question") or record.question)
    if pages is not None:
        cited: tuple[Named, ...] = tuple(
            (f"page {page} of {document}", pages[(document, page)])
            for document, page in sorted(record.pages)
            if (document, page) in pages
        )
        return JudgedAnswer(question, said, cited, reference, "cited pages")
    quotes = dict.fromkeys(cited.quote for cited in record.citations if cited.quote)
    named = tuple((f"citation {at}", quote) for at, quote in enumerate(quotes, 1))
    return JudgedAnswer(question, said, named, reference, "quotes")


def judged_answers(
    records: Mapping[str, Record], golds: Mapping[str, Row], corpus: Corpus | None
) -> dict[str, JudgedAnswer]:
    """What is judged of answers, by question id; against whole cited pages where the corpus is given."""
    pages = None if corpus is None else cited_texts(corpus, records.values())
    answers = {
        key: judged_answer(record, golds[key], reference_of(golds[key]), pages)
        for key, record in records.items()
    }
    return {key: answer for key, answer in answers.items() if answer is not None}


def cited_texts(corpus: Corpus, records: Iterable[Record]) -> dict[tuple[str, int], str]:
    """The text of every page that some answers cite."""
    versions = {document_name(document.id): document.version for document in corpus.documents}
    made = {}
    for spot in {spot for record in records for spot in record.pages}:
        name, number = spot
        if name in versions:
            nodes = corpus.page(versions[name], number)
            page = next((node for node in nodes if node.kind == "page"), None)
            if page is not None:
                made[spot] = page.text
    return made


def judge(model: Model, answers: Mapping[str, JudgedAnswer], run: str) -> tuple[Judgements, Spend]:
    """What a model makes of answers by question id, by every criterion that applies, and what that took.

    A reply that fits no form gives no score; BudgetSpent and an endpoint that stays away are raised.
    """
    made: Judgements = {key: {} for key in answers}
    todo = iter([(key, answer, each) for key, answer in answers.items() for each in CRITERIA])

    async def through() -> None:
        for key, answer, criterion in todo:
            with about(question=key, run=run):
                row = await _judged(model, criterion, answer)
            if row is not None:
                made[key][criterion.name] = row

    with metered("Judge") as meter:
        wait_all(through() for _ in range(AT_ONCE))
    order = [each.name for each in CRITERIA]
    rows = {
        key: {name: found[name] for name in order if name in found} for key, found in made.items()
    }
    return rows, meter.total


async def _judged(model: Model, criterion: Criterion, answer: JudgedAnswer) -> Row | None:
    prompt = criterion.prompt(answer)
    if prompt is None:
        return None
    stamp = {"judge": model.name, "version": criterion.version, "over": answer.over}
    try:
        form = (await model.complete(prompt, criterion.form)).value
    except ReplyInvalid as error:
        return {"score": None, **stamp, "reason": str(error)}
    return {"score": criterion.score(form), **stamp, "reply": form.model_dump()}


def judge_run(folder: Path, model: Model, corpus: Corpus | None = None) -> bool:
    """Judge the answers in a run's folder, and keep it there; False where they are judged already by this model and version."""
    run = read_run_folder(folder)
    versions = {each.name: each.version for each in CRITERIA}
    done = run.told.get("judged") or {}
    if done.get("judge") == model.name and done.get("versions") == versions:
        if (folder / JUDGED).is_file():
            return False
    records = {key: record for key, record in run.answers.items() if key in run.golds}
    rows, spent = judge(model, judged_answers(records, run.golds, corpus), f"judging {run.name}")
    write_lines(folder / JUDGED, ({"id": key, **rows.get(key, {})} for key in run.golds))
    judged = {
        "judge": model.name, "versions": versions, "tokens": spent.usage.input + spent.usage.output,
        "cost": float(spent.cost),
    }  # fmt: skip
    write(folder / RUN, written({**run.told, "judged": judged}))
    return True


def judged_figures(
    run_file: Path, gold_file: Path, model: Model, corpus: Corpus | None = None
) -> list[Figure]:
    """The mean of each criterion over the answers that it applies to; against whole cited pages where the corpus is given.

    Raises UsageError as `evaluate_run` does, ModelError when the model cannot be asked.
    """
    records, golds = read_run(run_file), read_golds(gold_file)
    check_shared_ids(records, golds, run_file, gold_file)
    asked = {key: records[key] for key in golds if key in records}
    answers = judged_answers(asked, golds, corpus)
    rows, _ = judge(model, answers, f"judging {run_file.name}")
    scores: dict[str, list[float]] = {}
    for by_criterion in rows.values():
        for criterion, row in by_criterion.items():
            name = f"{criterion} by {row['judge']} over {row['over']}, prompt {row['version']}"
            own = scores.setdefault(name, [])
            if row["score"] is not None:
                own.append(row["score"])
    return [figure(name, values) for name, values in scores.items()]
