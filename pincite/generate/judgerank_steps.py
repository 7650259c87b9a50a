"""JudgeRank: a model analyses the question, then each text in the light of it, then says yes or no (Niu et al., 2024,
arXiv:2411.00142, as EnrichIndex compares itself with it).

With n texts it makes 1 + 2 n calls, so it is for the first hits only: 100 pages, or 20 tables, in the comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pincite.errors import BudgetSpent, ModelError
from pincite.generate import prompts
from pincite.ledger import note
from pincite.loop import wait, wait_all
from pincite.ports import Model
from pincite.types import Query


@dataclass(frozen=True, slots=True)
class JudgeRank:
    """A PairScorer of a model that judges one text at a time: 1 for yes, 0 for no.

    `what` the texts are decides how they are examined; `helps` is the relation to the question that is judged. The authors
    rank by the probability of a yes, which endpoints do not give: here, as in EnrichIndex, the word alone counts, and the
    first stage orders texts that are judged alike (`Rerank` with a weight of .5 or more puts every yes before every no). A
    text whose calls fail counts as no, with a note. Raises ModelError when all fail, BudgetSpent when the money runs out.
    """

    model: Model
    what: Literal["page", "table"] = "page"
    helps: str = "substantially helps to answer"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """1 or 0 for each text."""
        if not texts:
            return []
        analysis = wait(analysed(self.model, query))
        made = wait_all(self._judged(query, analysis, text) for text in texts)
        failed = [score for score in made if isinstance(score, ModelError)]
        spent = next((error for error in failed if isinstance(error, BudgetSpent)), None)
        if spent or len(failed) == len(texts):
            raise spent or failed[0]
        if failed:
            note(
                f"{len(failed)} of {len(texts)} {self.what}s were not judged and count as no: {failed[0]}"
            )
        return [score if isinstance(score, float) else 0.0 for score in made]

    async def _judged(self, query: str, analysis: str, text: str) -> float | ModelError:
        from pincite.generate.forms import AnalysisForm, VerdictForm

        try:
            examining = prompts.examining(query, analysis, text, self.what, self.helps)
            examined = (await self.model.complete(examining, AnalysisForm)).value.analysis
            deciding = prompts.deciding(query, analysis, text, examined, self.what, self.helps)
            verdict = await self.model.complete(deciding, VerdictForm)
        except ModelError as error:
            return error
        return 1.0 if verdict.value.value == "yes" else 0.0


@dataclass(frozen=True, slots=True)
class Analysed:
    """The words to search for: the question with a model's analysis of it (query expansion). `Search` takes it as `words`.

    When the model fails the question alone is searched for, and a note says why.
    """

    model: Model

    def __call__(self, query: Query) -> str:
        """The question, then the analysis."""
        try:
            return f"{query.text}\n{wait(analysed(self.model, query.text))}"
        except BudgetSpent:
            raise
        except ModelError as error:
            note(f"searched without an analysis of the question: {error}")
            return query.text


async def analysed(model: Model, question: str) -> str:
    """A model's analysis of a question."""
    from pincite.generate.forms import AnalysisForm

    return (await model.complete(prompts.analysing(question), AnalysisForm)).value.analysis
