"""What `run.json` says of a run: what ran, over what, and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from pincite.index.told_texts import Told
from pincite.lab.experiments.composition import Composed
from pincite.lab.experiments.environment import hardware, versions
from pincite.lab.experiments.experiment import Experiment, Trial
from pincite.lab.experiments.run_folder import offline, plain, sha256, sizes
from pincite.ledger import Spend
from pincite.library import Library
from pincite.models.model_settings import ROLES
from pincite.spell import spell


def described(
    experiment: Experiment,
    trial: Trial,
    identity: str,
    composed: Composed,
    library: Library,
    folders: Sequence[Path],
    rows: Sequence[Any],
    seconds: float,
) -> dict[str, Any]:
    """What run.json says of a run; `seconds` is what its indexes took."""
    corpus = library.corpus
    times = [row["times"] for row in rows]
    shelves = trial.recipe.shelves(library.kit)
    before = (
        offline(corpus.folder)
        if any(isinstance(view, Told) for shelf in shelves for view in shelf.views)
        else Spend()
    )
    tokens_in, tokens_out = (
        sum(time[name] for time in times) for name in ("tokens_in", "tokens_out")
    )
    return {
        "name": trial.name,
        "variant": trial.variant,
        "identity": identity,
        "set": trial.questions.name,
        "mean": experiment.mean,
        "scope": str(trial.scope),
        "recipe": trial.recipe.name,
        "parameters": {field.name: plain(getattr(trial.recipe, field.name)) for field in fields(trial.recipe)},  # type: ignore[arg-type]
        "spelling": " | ".join((spell(trial.recipe), *library.stand_ins)),
        "stages": composed.spelling,
        "stand_ins": list(library.stand_ins),
        "models": {role: model.name for role in ROLES if (model := getattr(library.kit, role))},
        "models_as": trial.models.name,
        "k": experiment.k,
        "answers": experiment.answers,
        "seed": experiment.seed,
        "questions": {
            "file": trial.questions.path.name, "sha256": sha256(trial.questions.path), "count": len(rows),
        },
        "corpus": {
            "name": trial.questions.corpus.name,
            "generation": corpus.generation.number,
            "documents": len(corpus.documents),
            "pages": sum(document.pages for document in corpus.documents),
            **sizes(folders),
        },
        "seconds": {
            "index": round(seconds, 3),
            "search": round(sum(time["search_s"] for time in times), 3),
            "answer": round(sum(time["answer_s"] for time in times), 3),
        },
        "tokens": {
            "offline": before.usage.input + before.usage.output, "online": tokens_in + tokens_out,
            "input": tokens_in, "output": tokens_out,
        },
        "cost": {"offline": float(before.cost), "online": float(sum(Decimal(time["cost"]) for time in times))},
        "versions": versions(),
        "hardware": hardware(),
        "date": f"{datetime.now():%Y-%m-%d %H:%M}",
    }  # fmt: skip
