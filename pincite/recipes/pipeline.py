"""What runs for a question, and what is printed of a recipe: one stage from a question to its checked answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.corpus import Corpus
from pincite.evidence.database_sources import sources_of
from pincite.reconcile.settlement import settled
from pincite.stage import Stage
from pincite.types import Answer, Plan, Query, Ranking


@dataclass(frozen=True)
class Pipeline(Stage[Query, Answer]):
    """Find, then answer.

    `plan` takes a question apart where the recipe does that, and `joined` answers what was taken apart. `rows` is what the
    databases of the corpus answer, None where it has none or the recipe does not ask them; `reconcile.settlement`
    says which of rows and documents answers.
    """

    corpus: Corpus = field(repr=False, compare=False)
    find: Stage[Query, Ranking]
    answer: Stage[Ranking, Answer]
    plan: Stage[Query, Plan] | None = None
    joined: Stage[Plan, Answer] | None = None
    rows: Stage[Query, Answer] | None = None

    @property
    def parts(self) -> tuple[Stage[Any, Any], ...]:
        """The stages that it is composed of."""
        parts = (self.find, self.answer, self.plan, self.joined, self.rows)
        return tuple(part for part in parts if part is not None)

    def run(self, given: Query) -> Answer:
        """Answer one question."""
        return self.found_and_answered(given)[1]

    def run_many(self, given: Sequence[Query]) -> list[Answer]:
        """Answer many questions, in one batch those that are not taken apart."""
        plans = self._plans(given)
        asked = zip(given, plans, strict=True)
        found = self.find.map([query for query, plan in asked if not self._apart(plan)])
        return self._answers(given, plans, found)

    def found_and_answered(self, given: Query) -> tuple[Ranking | None, Answer]:
        """What was found for one question, None where it was taken apart and each part has its own; and its answer."""
        plans = self._plans([given])
        found = [] if self._apart(plans[0]) else [self.find(given)]
        (answer,) = self._answers([given], plans, found)
        return next(iter(found), None), answer

    def answers(self, given: Sequence[Query], found: Sequence[Ranking]) -> list[Answer]:
        """The answers to questions for each of which something was found already."""
        plans = self._plans(given)
        whole = [
            ranking for plan, ranking in zip(plans, found, strict=True) if not self._apart(plan)
        ]
        return self._answers(given, plans, whole)

    def _plans(self, given: Sequence[Query]) -> list[Plan]:
        if self.plan is None:
            return [Plan(query, (query,)) for query in given]
        return self.plan.map(given)

    def _apart(self, plan: Plan) -> bool:
        return self.joined is not None and len(plan.queries) > 1

    def _answers(
        self, given: Sequence[Query], plans: Sequence[Plan], found: Sequence[Ranking]
    ) -> list[Answer]:
        """The answers to questions by their plans; `found` has, in order, the rankings of those that were not taken apart."""
        whole = iter(self.answer.map(found))
        answers = []
        for query, plan in zip(given, plans, strict=True):
            answer = self.joined(plan) if self.joined and self._apart(plan) else next(whole)
            answers.append(self._beside_rows(query, answer))
        return answers

    def _beside_rows(self, query: Query, documents: Answer) -> Answer:
        """The documents' answer settled with that of the databases."""
        if self.rows is None:
            return documents
        from pincite.rows.row_answers import unreachable

        rows = self.rows(query)
        away = unreachable(sources_of(self.corpus))  # only now is it known
        return settled(rows, documents, self.corpus, away)
