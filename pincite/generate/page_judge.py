"""A model as the judge of texts: relevance in steps of .1, several pages in one call, all calls at once.

Neighbours in a call steady the model's measure, and cost less: three pages a call, as the winner of the Enterprise RAG
Challenge has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.errors import BudgetSpent, ModelError
from pincite.generate import prompts
from pincite.models.loop import wait_all
from pincite.ports import Model
from pincite.storage.ledger import note

NEUTRAL = 0.0
"""The score of a text that the model would not judge: the first stage alone decides on it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A PairScorer of a model: `pages` texts in each call.

    A text that a reply forgets, scores outside [0, 1] or scores twice is asked about once more alone, and so are the texts of
    a call that failed; what then has no score has NEUTRAL, and a note says how many. Raises ModelError when every call fails
    and BudgetSpent when the money runs out.
    """

    model: Model
    pages: int = 3

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """The relevance of each text to the query, a multiple of .1 in [0, 1]."""
        batches = [
            range(start, min(start + self.pages, len(texts)))
            for start in range(0, len(texts), self.pages)
        ]
        scores, failed = self._asked(query, texts, batches)
        if failed and len(failed) == len(batches):
            raise failed[0]
        again = [range(at, at + 1) for at in range(len(texts)) if at not in scores]
        scores |= self._asked(query, texts, again)[0]
        if missing := len(texts) - len(scores):
            note(f"{missing} of {len(texts)} pages were not judged and count {NEUTRAL:g}")
        return [scores.get(at, NEUTRAL) for at in range(len(texts))]

    def _asked(
        self, query: str, texts: Sequence[str], batches: Sequence[range]
    ) -> tuple[dict[int, float], list[ModelError]]:
        """The scores that calls on these batches gave, by position, and the failures of the others."""
        made = wait_all(self._call(query, texts, batch) for batch in batches)
        failed = [judged for judged in made if isinstance(judged, ModelError)]
        for error in failed:
            if isinstance(error, BudgetSpent):
                raise error
        return {
            at: score
            for judged in made
            if isinstance(judged, dict)
            for at, score in judged.items()
        }, failed

    async def _call(
        self, query: str, texts: Sequence[str], batch: range
    ) -> dict[int, float] | ModelError:
        from pincite.models.forms import judgements_form

        try:
            reply = await self.model.complete(
                prompts.judging(query, [texts[at] for at in batch]), judgements_form(len(batch))
            )
        except ModelError as error:
            return error
        given: dict[int, set[float]] = {}
        for judgement in reply.value.judgements:
            given.setdefault(judgement.piece, set()).add(judgement.relevance)
        shown = batch[
            : reply.shown
        ]  # what overflowed the model's window was not judged, whatever the reply says
        return {
            at: round(score, 1)
            for number, at in enumerate(shown, 1)
            for score in given.get(number, ())
            if len(given[number]) == 1 and 0 <= score <= 1
        }
