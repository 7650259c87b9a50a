"""Learned fusion measured: every question is searched by a ranker that was learned on questions about other documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pincite.errors import UsageError
from pincite.lab.comparison.comparison import Comparison, compare
from pincite.lab.experiments.document_split import folds
from pincite.lab.experiments.finished_runs import Run
from pincite.lab.experiments.recipe_bench import RecipeBench, batches, golds_of, joined, reported
from pincite.lab.scoring.measures import RunMeasure, level_of, relevance
from pincite.library import Library
from pincite.records.runfile import FoundPage, document_name
from pincite.search.fusion import By
from pincite.search.learned_weights import Learned, fit, merged
from pincite.types import Example, Ranking

FOLDS = 5


def learn(
    bench: RecipeBench,
    examples: Sequence[Example],
    by: RunMeasure,
    progress: Callable[[int, int, float], None] | None = None,
) -> tuple[Comparison, Learned, bool]:
    """The recipe's own fusion beside the learned one, by cross-validation; the ranker learned on all; whether split by document.

    Raises UsageError when the recipe fuses nothing, the measure is not of rankings, or there is nothing to learn from.
    """
    if by.group != "ranking":
        raise UsageError(
            f"learned fusion is measured by a ranking measure such as nDCG@10, not by {by.name}"
        )
    library = bench.library(bench.base)
    golds = golds_of(examples)
    level = level_of([Run("", golds)], list(golds))
    together = joined(bench.find(library, Learned({})))
    how: By = getattr(joined(bench.find(library)).join, "by", "node")
    lists: dict[str, tuple[Ranking, list[bool]]] = {}
    for some in batches(examples):
        queries = [bench.query(example) for example in some]
        rows = zip(*(each.map(queries) for each in together.stages), strict=True)
        for wanted, row in zip(some, rows, strict=True):
            ranking = merged(row, how)
            lists[wanted.id] = ranking, _relevant(library, ranking, wanted, level)
    parts, by_document = folds(examples, FOLDS, bench.space.seed)
    hits: dict[str, list[FoundPage]] = {}
    for number, part in enumerate(parts, 1):
        held = {example.id for example in part}
        others = [lists[example.id] for example in examples if example.id not in held]
        learned = fit(*_columns(others), by=how)
        hits |= bench.hits(library, part, learned)
        if progress:
            progress(number, len(parts), float("nan"))
    runs = [
        Run("weights set by hand", golds, hits=bench.hits(library, examples)),
        Run("learned", golds, hits=hits),
    ]
    return compare(runs, reported(by)), fit(*_columns(list(lists.values())), by=how), by_document


def _columns(
    lists: Sequence[tuple[Ranking, list[bool]]],
) -> tuple[list[Ranking], list[list[bool]]]:
    return [ranking for ranking, _ in lists], [wanted for _, wanted in lists]


def _relevant(library: Library, ranking: Ranking, example: Example, level: str) -> list[bool]:
    wanted = {key for key, grade in relevance(example.meta["gold"], level).items() if grade > 0}
    places = library.corpus.places([hit.node for hit in ranking.hits])
    named = library.corpus.by_version

    def key(node: str) -> Any:
        if level == "node" or node not in places:
            return node
        version, page = places[node]
        name = document_name(named[version].id)
        return (name, page) if level == "page" else name

    return [key(hit.node) in wanted for hit in ranking.hits]
