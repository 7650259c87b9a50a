"""Which of a reader's drafts stands: what the check would reject gives way to the next; the check still has the last word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pincite.check.claims import verified_in
from pincite.corpus import Corpus
from pincite.stage import Stage
from pincite.types import Answer, Draft


@dataclass(frozen=True)
class Standing(Stage[Draft, Draft]):
    """The first of a draft and its alternatives that the check lets stand; the draft itself where none does."""

    corpus: Corpus = field(repr=False, compare=False)

    def run(self, given: Draft) -> Draft:
        """Try one draft and its alternatives."""
        if not given.alternatives:
            return given
        return standing(given, lambda draft: verified_in(self.corpus, draft))


def standing(given: Draft, check: Callable[[Draft], Answer]) -> Draft:
    """The first of a draft and its alternatives of which a check leaves a value; where it leaves none, a refusal among them, else
    the draft itself.
    """
    tried = (given, *given.alternatives)
    refusal = next((draft for draft in tried if draft.value is None), given)
    chosen = next((draft for draft in tried if check(draft).value is not None), refusal)
    return replace(chosen, alternatives=())
