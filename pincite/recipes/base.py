"""What every recipe is: a frozen dataclass of its parameters that composes stages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pincite.check.claims import Verify
from pincite.corpus import Corpus
from pincite.evidence.database_sources import sources_of
from pincite.ports import Kit
from pincite.recipes.pipeline import Pipeline
from pincite.reconcile.editions import Beside
from pincite.search.index.shelf import Shelf
from pincite.settings import Settings
from pincite.stage import Each, Stage
from pincite.types import Answer, Draft, Plan, Query, Ranking


class Recipe:
    """A published system or our own, as parameters (the fields of a subclass) and stages composed from them.

    `source` says which paper, section and table the parameters come from. `needs` are the models that are asked: roles of the
    kit ("large"), and fields of the recipe that name an encoder or a cross-encoder (`model_choice.SCORERS`). `deviations` say
    where the recipe is not as published, and which parameter switches that. `instead` says in words what stands in for a
    role where a recipe has something of its own for that.
    """

    __slots__ = ()

    name: ClassVar[str]
    what: ClassVar[str]
    source: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ()
    deviations: ClassVar[tuple[str, ...]] = ()
    instead: ClassVar[Mapping[str, str]] = {}

    @property
    def voters(self) -> tuple[str, ...]:
        """The models, by role or name, whose readings vote; none where the large one reads alone."""
        return ()

    @property
    def spared(self) -> Mapping[str, bool]:
        """Which of `needs` these parameters switch off."""
        return {}

    @property
    def needed(self) -> tuple[str, ...]:
        """Which of `needs` these parameters leave."""
        spared = self.spared
        return tuple(need for need in self.needs if not spared.get(need))

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """The indexes that are searched."""
        raise NotImplementedError(f"{type(self).__name__} does not define shelves")

    def check(self, corpus: Corpus, kit: Kit) -> None:
        """Raise CorpusError when the corpus lacks what only another command can make; shelves are not looked at."""
        return None

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """From a question to what was found for it."""
        raise NotImplementedError(f"{type(self).__name__} does not define find")

    def holds(self, corpus: Corpus, kit: Kit, text: str) -> bool:
        """Whether the words of a text stand together in a document; true where no index of the recipe could tell."""
        return True

    def listed(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """From a question to what is listed for it where nothing is to be answered."""
        return self.find(corpus, kit)

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """From what was found to a draft of the answer."""
        raise NotImplementedError(f"{type(self).__name__} does not define read")

    def answer(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Answer]:
        """From what was found to a checked answer, with what other editions and documents say beside it."""
        checked = self.read(corpus, kit, settings) >> Verify(corpus, settings.threshold)
        return checked >> Beside(corpus, self.find(corpus, kit))

    def plan(self, corpus: Corpus, kit: Kit) -> Stage[Query, Plan] | None:
        """How a question is taken apart into several that are answered each by itself; None when it never is."""
        return None

    def joined(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Plan, Answer]:
        """From the questions of a plan to the checked answer of the whole: each is answered by itself, and code compares."""
        from pincite.generate.parts_compared import Compare

        each = Each(self.find(corpus, kit) >> self.read(corpus, kit, settings))
        return each >> Compare(corpus, kit.large) >> Verify(corpus, settings.threshold)

    def from_rows(
        self, corpus: Corpus, kit: Kit, settings: Settings
    ) -> Stage[Query, Answer] | None:
        """From a question to what the databases of a corpus that has some answer; None when the recipe does not ask them."""
        return None

    def pipeline(self, corpus: Corpus, kit: Kit, settings: Settings) -> Pipeline:
        """From a question to its checked answer: what runs, and what is printed."""
        plan, answer = self.plan(corpus, kit), self.answer(corpus, kit, settings)
        joined = None if plan is None else self.joined(corpus, kit, settings)
        rows = self.from_rows(corpus, kit, settings) if sources_of(corpus) else None
        return Pipeline(corpus, self.find(corpus, kit), answer, plan, joined, rows)
