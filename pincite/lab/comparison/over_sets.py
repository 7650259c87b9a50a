"""Runs of one variant over several sets of questions as one run, and what each variant reaches in every set.

A variant is a recipe with its parameters, models and scope: what an experiment runs over all of its sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pincite.lab.comparison.comparison import bare
from pincite.lab.experiments.finished_runs import Run
from pincite.lab.scoring.measures import (
    LEVEL_FIELD,
    RunMeasure,
    judged_measures,
    level_of,
    measure,
)
from pincite.lab.scoring.question_parts import SET

_SUMS = ("seconds", "tokens", "cost")


def joined_over_sets(runs: Sequence[Run]) -> list[Run]:
    """Runs over one set as they are; those over several sets joined by variant, their questions as `set/id`.

    Each gold says whose it is (SET) and, where sets are judged at different levels, at which (LEVEL_FIELD).
    """
    if len({run.set_name for run in runs}) < 2:
        return list(runs)
    variants: dict[str, dict[str, Run]] = {}
    for run in runs:
        variant = name = str(run.told.get("variant") or run.name)
        number = 2
        while run.set_name in variants.get(name, {}):
            name, number = f"{variant} ({number})", number + 1
        variants.setdefault(name, {})[run.set_name] = run
    if all(len(sets) == 1 for sets in variants.values()):
        return list(runs)
    golds = {run.set_name: list(run.golds) for run in runs}
    levels = {
        name: level_of([run for run in runs if run.set_name == name], ids)
        for name, ids in golds.items()
    }
    mixed = len(set(levels.values())) > 1
    return [_joined(name, sets, levels if mixed else {}) for name, sets in variants.items()]


def lacking(runs: Sequence[Run]) -> dict[str, list[str]]:
    """The sets that other runs have and a joined run lacks, by its name: they are left out of a comparison."""
    sets = {run.name: {str(gold.get(SET, "")) for gold in run.golds.values()} for run in runs}
    every = sorted(set().union(*sets.values()))
    return {
        name: [set_name for set_name in every if set_name not in own]
        for name, own in sets.items()
        if len(own) < len(every)
    }


def _joined(name: str, sets: Mapping[str, Run], levels: Mapping[str, str]) -> Run:
    def keyed(part: str) -> dict[str, Any]:
        return {
            f"{set_name}/{key}": value
            for set_name, run in sets.items()
            for key, value in getattr(run, part).items()
        }

    golds = keyed("golds")
    for set_name, run in sets.items():
        more = {SET: set_name, **({LEVEL_FIELD: levels[set_name]} if levels else {})}
        golds |= {f"{set_name}/{key}": {**gold, **more} for key, gold in run.golds.items()}
    first = next(iter(sets.values()))
    told = {
        **first.told,
        **{part: _added([run.told.get(part) for run in sets.values()]) for part in _SUMS},
        "name": name,
        "set": ", ".join(sets),
    }
    parts = ("hits", "said", "answers", "times", "judged", "chunks")
    return Run(name, golds, told, **{part: keyed(part) for part in parts})


def _added(several: Sequence[Any]) -> dict[str, float]:
    tables = [table for table in several if isinstance(table, Mapping)]
    return {
        name: sum(table.get(name, 0) for table in tables) for table in tables for name in table
    }


@dataclass(frozen=True, slots=True)
class VariantFigures:
    """A variant's figure in each set that it was run over, and their mean; nan where a measure does not apply."""

    variant: str
    by_set: Mapping[str, float]
    mean: float
    questions: int


@dataclass(frozen=True, slots=True)
class SetTable:
    """What variants reach in one measure: `mean` says whether every "question" or every "set" weighs alike."""

    measure: RunMeasure
    sets: tuple[str, ...]
    rows: tuple[VariantFigures, ...]
    mean: str

    def rows_of(self) -> list[dict[str, Any]]:
        """The table as plain rows; nan as None."""
        return [
            {
                "measure": self.measure.name, "variant": row.variant, "questions": row.questions,
                **bare({"mean": row.mean}), "sets": bare(row.by_set),
            }
            for row in self.rows
        ]  # fmt: skip


SHOWN = ("Success@10", "RR", "nDCG@10", "accuracy", "tokens", "cost")
"""The measures that an experiment shows at its end, where they apply; beside those that a model judges."""


def set_tables(runs: Sequence[Run], mean: str) -> list[SetTable]:
    """What each variant reaches in each set, in the few measures that an experiment shows."""
    if not runs:
        return []
    joined = joined_over_sets(runs)
    sets = tuple(dict.fromkeys(run.set_name for run in runs))
    level = level_of(joined, list(joined[0].golds))
    tables = []
    for of in (*(measure(name, level) for name in SHOWN), *judged_measures(joined)):
        rows = tuple(_figures(run, of, mean) for run in joined)
        told = any(not np.isnan(row.mean) for row in rows)
        if told and (of.group != "spent" or any(row.mean for row in rows)):
            tables.append(SetTable(of, sets, rows, mean))
    return tables


def _figures(run: Run, of: RunMeasure, mean: str) -> VariantFigures:
    """What a run reaches, joined over sets; `mean` says whether every "question" or every "set" weighs alike."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for key, gold in run.golds.items():
        own = rows.setdefault(str(gold.get(SET) or run.set_name), [])
        pair = of.of(run, key)
        if pair is not None:
            own.append(pair)
    every = [pair for pairs in rows.values() for pair in pairs]
    by_set = {name: _figure(of, pairs) for name, pairs in rows.items()}
    known = [figure for figure in by_set.values() if not np.isnan(figure)]
    whole = float(np.mean(known)) if mean == "set" and known else _figure(of, every)
    return VariantFigures(run.name, by_set, whole, len(every))


def _figure(of: RunMeasure, pairs: Sequence[tuple[float, float]]) -> float:
    return of.figure(np.array(pairs, dtype=np.float64)) if pairs else float("nan")


@dataclass(frozen=True, slots=True)
class ModelCosts:
    """What some models took online in all runs with them: questions, tokens in and out together, money."""

    models: str
    questions: int
    tokens: int
    cost: float


def costs_by_models(runs: Sequence[Run]) -> list[ModelCosts]:
    """What each of the models of an experiment took, by the name that its file has for them, else by their own; then what
    judging took, by judge. Nothing where no model was asked.
    """
    spent: dict[str, list[tuple[int, float, float]]] = {}
    for run in runs:
        own = ", ".join(dict.fromkeys((run.told.get("models") or {}).values()))
        name = str(run.told.get("models_as") or own or "no model")
        tokens, cost = (run.told.get(part) or {} for part in ("tokens", "cost"))
        spent.setdefault(name, []).append(
            (len(run.golds), tokens.get("online", 0), cost.get("online", 0.0))
        )
        if judged := run.told.get("judged"):
            of_judge = spent.setdefault(f"judging by {judged['judge']}", [])
            of_judge.append((len(run.judged), judged["tokens"], judged["cost"]))
    made = []
    for name, rows in spent.items():
        questions, tokens, cost = (sum(column) for column in zip(*rows, strict=True))
        made.append(ModelCosts(name, int(questions), int(tokens), float(cost)))
    return made if any(costs.tokens for costs in made) else []
