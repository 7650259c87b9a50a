"""Planning with a model: other wordings of a question, and the questions that a larger one is made of.

A plan only decides what is searched and read. Filters, types and units come from the question, companies and their
documents from the corpus; the model writes no more than wordings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pincite.corpus import Corpus
from pincite.errors import BudgetSpent, ModelError, UsageError
from pincite.generate import prompts
from pincite.ledger import note
from pincite.loop import wait
from pincite.ports import Model
from pincite.question.company_questions import apart
from pincite.question.contest import Contest, contest
from pincite.question.understanding import understand
from pincite.search.company_scope import NamedCompany, companies
from pincite.stage import Stage
from pincite.types import Expects, Plan, Query

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Rephrase(Stage[Query, Plan]):
    """Plan the question and up to `n` (2 to 5) rephrasings of it, each once, all under the question's filters.

    When the model gives none the question alone is planned, and a note says why. UsageError when `n` is out of range.
    """

    model: Model
    n: int = 3

    def __post_init__(self) -> None:
        if not 2 <= self.n <= 5:
            raise UsageError(f"a question is rephrased 2 to 5 times, not {self.n}")

    def run(self, given: Query) -> Plan:
        """Plan one question."""
        from pincite.generate.forms import RephrasingsForm

        try:
            said = wait(
                self.model.complete(prompts.rephrasing(given.text, self.n), RephrasingsForm)
            ).value.rephrasings
        except BudgetSpent:
            raise
        except ModelError as error:
            note(f"not rephrased: {error}")
            said = []
        texts = {_plain(given.text): given.text}
        for text in said:
            if _plain(text):
                texts.setdefault(_plain(text), " ".join(text.split()))
        return Plan(
            given, tuple(replace(given, text=text) for text in list(texts.values())[: self.n + 1])
        )


@dataclass(frozen=True)
class Decompose(Stage[Query, Plan]):
    """Plan one question for each company that the question names, asked of its documents alone, or for each of its parts.

    A question about one company, or without parts, is its own plan and costs no call. Without a model, and where it fails,
    the wording of each company's question is made by code, and a question of several parts stays whole.
    """

    corpus: Corpus = field(repr=False, compare=False)
    model: Model | None = None

    def run(self, given: Query) -> Plan:
        """Plan one question."""
        named = companies(given, self.corpus)
        if len(named) > 1:
            asked = contest(given, [company.name for company in named])
            return Plan(given, self._of_companies(given, named, asked))
        if self.model is not None and understand(given).instructs("several questions"):
            parts = [text for _, text in self._parts(self.model, given, ())]
            if len(parts) > 1:
                return Plan(
                    given,
                    tuple(replace(given, text=text, expects=None, unit="") for text in parts),
                )
        return Plan(given, (given,))

    def _of_companies(
        self, given: Query, named: Sequence[NamedCompany], asked: Contest
    ) -> tuple[Query, ...]:
        texts = apart(given.text, [(company.name, company.spans) for company in named], asked)
        if self.model is not None:
            names = [company.name for company in named]
            said = {_plain(name): text for name, text in self._parts(self.model, given, names)}
            texts = tuple(
                _kept(said.get(_plain(company.name), ""), text)
                for company, text in zip(named, texts, strict=True)
            )
        kinds: dict[str, Expects | None] = {
            "number": None if asked.vague else "number", "time": None, "boolean": "boolean", "other": given.expects,
        }  # fmt: skip
        asks = replace(
            given, expects=kinds[asked.kind], unit=given.unit if asked.kind == "number" else ""
        )
        return tuple(
            replace(asks, text=text, where=(*given.where, *company.where))
            for company, text in zip(named, texts, strict=True)
        )

    def _parts(self, model: Model, given: Query, names: Sequence[str]) -> list[tuple[str, str]]:
        """(name, question) of each part, as the model writes it; none when it fails."""
        from pincite.generate.forms import PartsForm

        try:
            parts = wait(model.complete(prompts.parting(given.text, names), PartsForm)).value.parts
        except BudgetSpent:
            raise
        except ModelError as error:
            note(f"not taken apart by the model: {error}")
            return []
        once = {
            _plain(part.question): (part.name, " ".join(part.question.split()))
            for part in parts
            if _plain(part.question)
        }
        return list(once.values())


def _kept(said: str, own: str) -> str:
    """The model's wording of a company's question, or code's where it loses a year that the question names."""
    return said if said and set(_YEAR.findall(own)) <= set(_YEAR.findall(said)) else own


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w%$€£.]+", text.casefold())).strip(" .")
