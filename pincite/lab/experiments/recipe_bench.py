"""A corpus with recipes over it, run over questions many times: equal searches are made once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pincite.corpus import Corpus, writing
from pincite.formats.spell import spell
from pincite.indexing import ensure
from pincite.lab.experiments.environment import fingerprint
from pincite.lab.experiments.finished_runs import Run
from pincite.lab.experiments.parameter_space import Space
from pincite.lab.experiments.shared_rankings import Rankings, share, times_used
from pincite.lab.scoring.measures import RunMeasure, level_of, measure
from pincite.ports import Kit
from pincite.recipes.base import Recipe
from pincite.records.answer_record import record
from pincite.records.runfile import FoundPage, record_of
from pincite.settings import Settings
from pincite.stage import Stage
from pincite.types import Example, Query, Ranking
from pincite.workbench.library import AT_ONCE, Library

DEPTH = 100
"""Hits of a question that ranking measures see."""


class RecipeBench:
    """A corpus and the searches made in it, kept in the file at `path` so that none is made twice."""

    def __init__(
        self, folder: Path, space: Space, settings: Settings, kit: Kit, path: Path
    ) -> None:
        self.folder, self.space, self.settings, self.kit = folder, space, settings, kit
        self.rankings = Rankings(path)
        self.code = fingerprint()
        self.base = space.made()
        self.served = dict(Corpus(folder).generation.shelves)
        documents = [
            [document.id, document.version, dict(document.meta)]
            for document in self.library(self.base).corpus.documents
        ]
        self.corpus = hashlib.sha256(json.dumps(documents).encode()).hexdigest()

    def leave(self, *recipes: Recipe) -> None:
        """Serve the indexes that were there before and those of some recipes; what was built for others goes with later
        indexing.
        """
        named = {spell(shelf) for recipe in recipes for shelf in recipe.shelves(self.kit)}
        with writing(self.folder) as writer:
            now = Corpus(self.folder).generation
            wanted = {
                shelf: place
                for shelf, place in now.shelves.items()
                if shelf in self.served or shelf in named
            }
            if wanted != now.shelves:
                writer.publish(now.documents, wanted)
                writer.sweep()

    def library(self, recipe: Recipe) -> Library:
        """The corpus with a recipe, its indexes built where they are missing."""
        ensure(self.folder, recipe.shelves(self.kit))
        return Library(self.folder, self.settings, self.kit, recipe)

    def find(self, library: Library) -> Stage[Query, Ranking]:
        """How a recipe finds; what it has in common with the untuned one is kept."""
        stage = library.recipe.find(library.corpus, self.kit)
        base = self.base.find(library.corpus, self.kit)
        shelves = library.corpus.generation.shelves

        def key(spelling: str) -> str:
            within = sorted(folder for shelf, folder in shelves.items() if shelf in spelling)
            return "\0".join((self.code, spelling, self.corpus, *within))

        bound: Stage[Query, Ranking] = share(stage, times_used([stage, base]), self.rankings, key)
        return bound

    def query(self, asked: Example) -> Query:
        """An example's question, held to its documents where the space says so, and put to the recipe and not to reviewers."""
        where, settings = asked.query.where if self.space.own else (), self.settings
        derived, silence = settings.derived, settings.silence
        return replace(
            asked.query, where=where, derived=derived, silence=silence, corrections="ignore"
        )

    def hits(self, library: Library, examples: Sequence[Example]) -> dict[str, list[FoundPage]]:
        """What is found for each question."""
        find = self.find(library)
        found: dict[str, list[FoundPage]] = {}
        for start in range(0, len(examples), AT_ONCE):
            some = examples[start : start + AT_ONCE]
            rankings = find.map([self.query(example) for example in some])
            for wanted, ranking in zip(some, rankings, strict=True):
                found[wanted.id] = [
                    FoundPage(hit.document, hit.page, hit.score, hit.node)
                    for hit in library.pages(ranking, DEPTH)
                ]
        return found

    def run(self, name: str, recipe: Recipe, examples: Sequence[Example], answers: bool) -> Run:
        """A recipe's run over some questions: its answers, or what it finds."""
        library = self.library(recipe)
        made = Run(name, golds_of(examples))
        if not answers:
            return replace(made, hits=self.hits(library, examples))
        said = library.answer_many(self.query(example) for example in examples)
        records = (record(answer, "", key) for key, answer in zip(made.golds, said, strict=True))
        return replace(made, answers=dict(zip(made.golds, map(record_of, records), strict=True)))


def figure(by: RunMeasure, *runs: Run) -> float:
    """A measure over all questions of some runs to which it applies; nan when there are none."""
    pairs = [pair for run in runs for key in run.golds if (pair := by.of(run, key)) is not None]
    return by.figure(np.array(pairs, dtype=np.float64)) if pairs else float("nan")


def golds_of(examples: Sequence[Example]) -> dict[str, Mapping[str, Any]]:
    """The gold rows of examples by id, each with its question."""
    return {
        example.id: {**example.meta["gold"], "id": example.id, "question": example.query.text}
        for example in examples
    }


def measure_of(name: str, examples: Sequence[Example]) -> RunMeasure:
    """The measure of a name, over pages where the gold has pages and so on."""
    golds = golds_of(examples)
    return measure(name, level_of([Run("", golds)], list(golds)))


def reported(by: RunMeasure) -> tuple[str, ...]:
    """The ranking measures that are reported, the one tuned for first."""
    level = by.name.split()[0] if " " in by.name else ""
    names = ("Success@1", "Success@5", "R@10", "RR", "nDCG@10")
    return tuple(dict.fromkeys((by.name, *(f"{level} {name}".strip() for name in names))))
