"""Planning with a model: other wordings of a question, and the questions that a larger one is made of.

A plan only decides what is searched and read. Filters, types and units come from the question, companies and their
documents from the corpus; the model writes no more than wordings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pincite.corpus import Corpus
from pincite.document.times import years_of
from pincite.errors import BudgetSpent, ModelError, UsageError
from pincite.generate import prompts
from pincite.models.loop import wait
from pincite.ports import Model
from pincite.quantity.arithmetic import PICKS
from pincite.quantity.units import is_counted
from pincite.question.ask import Ask
from pincite.question.company_questions import apart
from pincite.question.contest import Contest, are_listed, contest
from pincite.question.understanding import understand
from pincite.search.company_scope import NamedCompany, companies
from pincite.stage import Stage
from pincite.storage.ledger import note
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
        from pincite.models.forms import RephrasingsForm

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
            parts = [text for _, text in _parts(self.model, given, ())]
            if len(parts) > 1:
                return Plan(given, _asked_alone(given, parts))
        return Plan(given, (given,))

    def _of_companies(
        self, given: Query, named: Sequence[NamedCompany], asked: Contest
    ) -> tuple[Query, ...]:
        texts = apart(given.text, [(company.name, company.spans) for company in named], asked)
        if self.model is not None:
            names = [company.name for company in named]
            said = {_plain(name): text for name, text in _parts(self.model, given, names)}
            told = _YEAR.findall(" ".join(said.values()))
            texts = tuple(
                _kept(said.get(_plain(company.name), ""), text, frozenset(told))
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


@dataclass(frozen=True)
class SubQuestions(Stage[Query, Plan]):
    """Plan one question for each of two times whose change is asked for, or for each of the things that a question has compared.

    The model writes them; code keeps them only where they differ in just those times, or in things that the question names side
    by side. Any other question is its own plan, and most cost no call.
    """

    model: Model

    def run(self, given: Query) -> Plan:
        """Plan one question."""
        asked = contest(given)
        changes = asked.operation in ("difference", "percentage_change")
        compares = asked.operation in PICKS and asked.ask.says("listed")
        if not (changes or compares) or asked.ask.asks_reason:
            return Plan(given, (given,))
        said = [text for _, text in _parts(self.model, given, ())]
        if changes:
            said = _of_times(asked, said)
        elif not are_listed(given.text, said):
            said = []
        unit = _unit(asked.ask) if asked.operation == "difference" else ""
        return Plan(given, _asked_alone(given, said, unit) or (given,))


def _of_times(asked: Contest, parts: Sequence[str]) -> list[str]:
    """Questions about the two times of a change, the later first, or of a fall the earlier; none where they are not about those.

    Of one time the change is from the year before it.
    """
    times = sorted(year for period in asked.ask.periods if (year := period.year))
    wanted = times if len(times) > 1 else [year - 1 for year in times] + times
    own = {tuple(years_of(understand(Query(text)).periods)): text for text in parts}
    if len(parts) != 2 or len(wanted) != 2 or set(own) != {(year,) for year in wanted}:
        return []
    ordered = [own[year,] for year in wanted]
    return ordered if asked.ask.falling else ordered[::-1]


def _unit(ask: Ask) -> str:
    """The unit that a difference is asked for in, or what is counted; "" where neither is said."""
    return ask.query.unit or ask.unit or (ask.wants if is_counted(ask.wants) else "")


def _asked_alone(given: Query, parts: Sequence[str], unit: str = "") -> tuple[Query, ...]:
    """Questions as parts of another; those with a `unit` ask for numbers in it."""
    expects: Expects | None = "number" if unit else None
    return tuple(replace(given, text=text, expects=expects, unit=unit) for text in parts)


def _parts(model: Model, given: Query, names: Sequence[str]) -> list[tuple[str, str]]:
    """(name, question) of each part, as the model writes it; none when it fails."""
    from pincite.models.forms import PartsForm

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


def _kept(said: str, own: str, told: frozenset[str]) -> str:
    """The model's wording of a company's question, or code's where it loses a year that the question names: each company may
    have one of its own, if all that are `told` of together are those of the question.
    """
    years, named = set(_YEAR.findall(own)), set(_YEAR.findall(said))
    return said if said and (years <= named or years <= told and years & named) else own


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w%$€£.]+", text.casefold())).strip(" .")
