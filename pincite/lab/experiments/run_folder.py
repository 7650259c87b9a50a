"""The folder of a run: `run.json` with what ran and what it took, and a line a question of what was found, said and wanted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from decimal import Decimal
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from pincite.formats.spell import spell
from pincite.lab.experiments.environment import hardware, sha256, versions
from pincite.lab.experiments.experiment import Experiment, Trial
from pincite.models.kit import LEDGER
from pincite.models.model_settings import ROLES
from pincite.records.runfile import write_lines
from pincite.search.index.told_texts import Told
from pincite.storage.disk import write
from pincite.storage.ledger import Ledger, Spend
from pincite.workbench.library import Library

RUN = "run.json"


def write_run(
    folder: Path,
    rows: Sequence[Mapping[str, Any]],
    golds: Sequence[Mapping[str, Any]],
    told: Mapping[str, Any],
) -> None:
    """Write a run's folder; it takes its place when all of it is there."""
    half = folder.with_name(f".{folder.name}.half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    write_lines(half / "golds.jsonl", golds)
    found = ("id", "hits", "chunks")
    write_lines(
        half / "hits.jsonl", [{name: row[name] for name in found if name in row} for row in rows]
    )
    if told["answers"]:
        write_lines(half / "answers.jsonl", [row["answer"] for row in rows])
    write_lines(half / "times.jsonl", [row["times"] for row in rows])
    write(half / RUN, written(told))
    shutil.rmtree(folder, ignore_errors=True)
    half.rename(folder)


def described(
    experiment: Experiment,
    trial: Trial,
    identity: str,
    stages: str,
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
        "stages": stages,
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


def is_whole(folder: Path, identity: str, anew: Mapping[str, Any]) -> bool:
    """Whether a folder holds this run already; what run.json is to say `anew` of comparing is written where it differs."""
    try:
        told = json.loads((folder / RUN).read_text(encoding="utf-8"))
        whole = bool(told["identity"] == identity)
    except (OSError, ValueError, KeyError):
        return False
    if whole and any(told.get(name) != value for name, value in anew.items()):
        write(folder / RUN, written({**told, **anew}))
    return whole


def written(value: Any) -> str:
    """JSON as it stands in a file of runs."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def offline(folder: Path) -> Spend:
    """What models took offline for a corpus."""
    if not (folder / LEDGER).is_file():
        return Spend()
    return reduce(
        Spend.__add__,
        (spend for spend in Ledger(folder / LEDGER).rows("offline") if spend.offline),
        Spend(),
    )


def sizes(folders: Sequence[Path]) -> dict[str, int]:
    """The entries and bytes of index folders together."""
    return {
        "entries": sum(len(np.load(folder / "nodes.npy", mmap_mode="r")) for folder in folders),
        "index_bytes": sum(
            path.stat().st_size
            for folder in folders
            for path in folder.rglob("*")
            if path.is_file()
        ),
    }


def plain(value: Any) -> Any:
    """A parameter as JSON holds it."""
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, tuple) else value
