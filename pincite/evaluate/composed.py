"""What a recipe is composed of, put to questions: their rankings, their answers, and what these took."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import reduce
from typing import Any, NamedTuple

from pincite.corpus import Corpus
from pincite.errors import ReplyInvalid
from pincite.evaluate.shared import leftmost, taking
from pincite.ledger import Spend, metered
from pincite.library import PageHit
from pincite.recipes.both import beside_rows
from pincite.spell import spell
from pincite.stage import Stage
from pincite.types import Answer, Plan, Query, Ranking


class Stages(NamedTuple):
    """What a recipe is composed of; `answer` None where only retrieval is wanted, `plan` and `joined` where it plans, `rows`
    where the corpus holds databases and it asks them.
    """

    find: Stage[Query, Ranking]
    answer: Stage[Ranking, Answer] | None = None
    plan: Stage[Query, Plan] | None = None
    joined: Stage[Plan, Answer] | None = None
    rows: Stage[Query, Answer] | None = None

    @property
    def spelling(self) -> str:
        """All of them in one line."""
        return " | ".join(f"{name}: {spell(leftmost(one))}" for name, one in self._asdict().items() if one is not None)


def answers(stages: Stages, queries: Sequence[Query], found: Sequence[Ranking], corpus: Corpus) -> list[Answer]:
    """The answer to each query from what was found for it, or from its plan where that has several questions; settled with
    what rows answer to it.

    A model whose replies fit no form has said nothing: the question is refused.
    """
    assert stages.answer is not None
    try:
        plans = [Plan(query, (query,)) for query in queries] if stages.plan is None else many(stages.plan, queries)
        alone = [ranking for plan, ranking in zip(plans, found, strict=True) if len(plan.queries) == 1]
        said = iter(many(stages.answer, alone) if alone else ())
        of_documents = [
            next(said) if len(plan.queries) == 1 or stages.joined is None else stages.joined(plan) for plan in plans
        ]
        if stages.rows is None:
            return of_documents
        return [
            beside_rows(corpus, stages.rows, query, answer) for query, answer in zip(queries, of_documents, strict=True)
        ]
    except ReplyInvalid as error:
        if len(queries) > 1:
            raise
        return [Answer(queries[0], "", None, reason=str(error))]


def many(stage: Stage[Any, Any], given: Sequence[Any]) -> list[Any]:
    """What a stage makes of each."""
    return [stage(given[0])] if len(given) == 1 else stage.map(given)


def spent(work: Callable[[], list[Any]]) -> tuple[list[Any], Spend]:
    """What work makes and what it takes, the rankings that it gets ready-made counted as if it had made them."""
    started = time.perf_counter()
    with metered() as meter, taking() as taken:
        made = work()
    own = replace(meter.total, seconds=time.perf_counter() - started)
    return made, reduce(Spend.__add__, taken, own)


def row(
    identity: str, hits: Sequence[PageHit], answer: dict[str, Any] | None, search: Spend, say: Spend, n: int
) -> dict[str, Any]:
    """All that is kept of one question of `n` that were asked together."""
    return {
        "id": identity,
        "hits": [asdict(hit) for hit in hits],
        "answer": answer,
        "times": {
            "id": identity,
            "search_s": round(search.seconds / n, 5),
            "answer_s": round(say.seconds / n, 5),
            "tokens_in": (search.usage.input + say.usage.input) // n,
            "tokens_out": (search.usage.output + say.usage.output) // n,
            "cost": str((search.cost + say.cost) / n),
        },
    }
