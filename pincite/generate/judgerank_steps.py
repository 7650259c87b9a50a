"""JudgeRank: a model analyses the question, then each text in the light of it, then says yes or no (Niu et al., 2024,
arXiv:2411.00142, as EnrichIndex compares itself with it).

With n texts it makes 1 + 2 n calls, so it is for the first hits only: 100 pages, or 20 tables, in the comparison. One model
may write the analyses and another say yes or no.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from pincite.errors import BudgetSpent, ModelError
from pincite.generate import prompts
from pincite.models.loop import wait, wait_all
from pincite.ports import Model, TokenChoice
from pincite.storage.ledger import note
from pincite.types import Query

_SAID = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class JudgeRank:
    """A PairScorer of a model that judges one text at a time: by the probability of its yes.

    `analyst` writes the analyses of the question and of the texts, by default the model that judges. `what` the texts are
    decides how they are examined; `helps` is the relation to the question that is judged. Where the endpoint gives no
    log-probabilities the word alone counts, 1 for yes and 0 for no, and the first stage orders texts that are judged alike
    (`Rerank` with a weight of .5 or more puts every yes before every no). A text whose calls fail counts as no, with a note.
    Raises ModelError when all fail, BudgetSpent when the money runs out.
    """

    model: Model
    what: prompts.JudgedObject = "page"
    helps: str = "substantially helps to answer"
    analyst: Model | None = None

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """The probability of a yes for each text."""
        if not texts:
            return []
        analyst = self.analyst or self.model
        analysis = wait(analysed(analyst, query))
        made = wait_all(self._judged(analyst, query, analysis, text) for text in texts)
        failed = [score for score in made if isinstance(score, ModelError)]
        spent = next((error for error in failed if isinstance(error, BudgetSpent)), None)
        if spent or len(failed) == len(texts):
            raise spent or failed[0]
        if failed:
            note(
                f"{len(failed)} of {len(texts)} {self.what}s were not judged and count as no: {failed[0]}"
            )
        return [score if isinstance(score, float) else 0.0 for score in made]

    async def _judged(
        self, analyst: Model, query: str, analysis: str, text: str
    ) -> float | ModelError:
        from pincite.models.forms import AnalysisForm, VerdictForm

        try:
            examining = prompts.examining(query, analysis, text, self.what, self.helps)
            examined = (await analyst.complete(examining, AnalysisForm)).value.analysis
            deciding = prompts.deciding(query, analysis, text, examined, self.what, self.helps)
            verdict = await self.model.complete(replace(deciding, logprobs=True), VerdictForm)
        except ModelError as error:
            return error
        likely = probability_of_yes(verdict.tokens)
        said = 1.0 if verdict.value.value == "yes" else 0.0
        return said if likely is None else likely


def probability_of_yes(tokens: Sequence[TokenChoice]) -> float | None:
    """P(yes) / (P(yes) + P(no)) at the place of the last yes or no in a reply; None where the tokens do not tell.

    A candidate counts as the word that its letters begin: "y", " Yes" and `":"yes` are a yes.
    """
    text = "".join(choice.token for choice in tokens)
    said = list(_SAID.finditer(text))
    if not said:
        return None
    ends = accumulate(len(choice.token) for choice in tokens)
    at = next(place for place, end in enumerate(ends) if end > said[-1].start())
    shares = {"yes": 0.0, "no": 0.0}
    for candidate, logprob in tokens[at].logprobs.items():
        letters = "".join(filter(str.isalpha, candidate)).casefold()
        for word in shares:
            if letters and word.startswith(letters):
                shares[word] += math.exp(logprob)
    total = sum(shares.values())
    return shares["yes"] / total if total else None


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
    from pincite.models.forms import AnalysisForm

    return (await model.complete(prompts.analysing(question), AnalysisForm)).value.analysis
