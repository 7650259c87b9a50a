"""What an experiment would do: its runs, what each lacks or replaces, and what it would ask of models. No model is asked.

Corpora are made and indexes built, as the experiment itself would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.errors import PinciteError
from pincite.indexing import ensure
from pincite.lab.experiments.composition import compose
from pincite.lab.experiments.experiment import Trial
from pincite.lab.experiments.laboratory import ExperimentProgress, Laboratory
from pincite.lab.experiments.question_scope import query_of
from pincite.models.recording_model import Call
from pincite.settings import Settings
from pincite.storage.ledger import Price
from pincite.types import Query, Usage
from pincite.workbench.estimate import REPLY, Load, dry_models, estimate
from pincite.workbench.library import Library


@dataclass(frozen=True, slots=True)
class RunForecast:
    """One run as it would be: `lacks` says why it cannot be made, "" where it can; `low` and `high` as in `Estimate`."""

    name: str
    questions: int
    stand_ins: tuple[str, ...] = ()
    low: Load = Load()
    high: Load = Load()
    lacks: str = ""


def forecast(
    laboratory: Laboratory, progress: ExperimentProgress = lambda run, done, total: None
) -> list[RunForecast]:
    """What each run would take; one that cannot be made says what it lacks, and the others are looked at all the same."""
    trials = laboratory.experiment.trials
    made = []
    for done, trial in enumerate(trials, 1):
        count = 0
        try:
            count = len(laboratory.examples_of(trial.questions))
            made.append(_of_run(laboratory, trial, count))
        except PinciteError as error:
            made.append(RunForecast(trial.name, count, lacks=str(error)))
        progress(trial.name, done, len(trials))
    return made


def _of_run(laboratory: Laboratory, trial: Trial, count: int) -> RunForecast:
    settings, kit = laboratory.models_of(trial.models)
    calls: list[Call] = []
    kit = replace(kit, **dry_models(settings.models, calls))
    library = Library(laboratory.folder_of(trial.questions.corpus), settings, kit, trial.recipe)
    endpoints = [
        each.name
        for each in (library.kit.encoder, *library.kit.encoders.values())
        if hasattr(each, "base_url")
    ]
    if endpoints:
        reason = f"{', '.join(endpoints)} is asked of an endpoint while indexing, which cannot be told beforehand"
        return RunForecast(trial.name, count, library.stand_ins, lacks=reason)
    ensure(library.corpus.folder, trial.recipe.shelves(library.kit))
    library = Library(library.corpus.folder, settings, kit, trial.recipe)
    compose(library, laboratory.experiment.answers)  # raises what is missing
    low, high = Load(), Load()
    if settings.models.names:
        held = [document.id for document in library.corpus.documents]
        queries = [
            query_of(library, example, trial.scope, held)
            for example in laboratory.examples_of(trial.questions)
        ]
        if laboratory.experiment.answers:
            told = estimate(queries, library, calls)
            low, high = told.low, told.high
        else:
            low = high = _searching(queries, library, calls, settings)
    return RunForecast(trial.name, count, library.stand_ins, low, high)


def _searching(
    queries: Sequence[Query], library: Library, calls: list[Call], settings: Settings
) -> Load:
    """What searches ask of models, equal requests once."""
    find = library.recipe.find(library.corpus, library.kit)
    for query in queries:
        find(query)
    load = Load()
    for call in {call.key: call for call in calls}.values():
        usage = Usage(call.tokens, REPLY)
        price = settings.models.prices.get(call.model, Price())
        load += Load(1, usage, price.of(usage))
    return load
