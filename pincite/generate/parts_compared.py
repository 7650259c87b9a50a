"""The join of answers about several things: code compares, subtracts or adds their values; a model only chooses what is
no number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from pincite.check.claims import verified_in
from pincite.corpus import Corpus
from pincite.errors import BudgetSpent, ModelError
from pincite.evidence.contest_outcome import CHOICE, ContestOutcome, Pair, decide
from pincite.evidence.value_in_words import worded
from pincite.generate import prompts
from pincite.models.loop import wait
from pincite.ports import Model
from pincite.quantity.arithmetic import PICKS
from pincite.question.contest import Contest, beside, contest, names_of
from pincite.question.understanding import understand
from pincite.search.company_scope import companies
from pincite.stage import PlanResults, Stage
from pincite.storage.ledger import note
from pincite.types import Answer, Claim, Draft, Plan, Quantity, Query, Ranking

Part = tuple[str, Draft]


def _text_and_quotes(part: Draft) -> str:
    """The text of a part's answer and what it quotes."""
    return "\n".join((part.text, *(citation.quote for citation in part.citations)))


@dataclass(frozen=True)
class Compare(Stage[PlanResults[Draft], Draft]):
    """Join the drafts of a plan by `Decompose` to the answer of its question.

    Each draft is checked for its own question first; a value that its source does not support counts as missing. Values are
    brought to the unit of the question (else of the first of them); what cannot be, and what is missing, is left out where
    the question says so and makes the answer N/A where it does not. The draft cites the operands of all; its last claim
    names the operation. Without a model, what is no number, time or yes/no is not compared.
    """

    corpus: Corpus = field(repr=False, compare=False)
    model: Model | None = None

    def run(self, given: PlanResults[Draft]) -> Draft:
        """Join the drafts of one plan."""
        question, drafts = given.question, given.results
        if len(drafts) == 1 and drafts[0].query == question:
            return drafts[0]
        names = self._part_names(question, drafts)
        parts = _relabelled(list(zip(names, map(self._check_part, drafts), strict=True)))
        several = understand(question).instructs("several questions")
        apart = several and not companies(question, self.corpus)[1:]
        asked = beside(question) if apart else contest(question, names)
        values = [(name, part.value) for name, part in parts]
        outcome, operation = decide(asked, values), asked.operation
        if outcome.value is None and self.model is not None and _is_choice_of_words(asked, values):
            outcome, operation = self._choose(self.model, question, parts), CHOICE
        return _joined_draft(question, parts, outcome, operation)

    def _part_names(self, question: Query, drafts: Sequence[Draft]) -> list[str]:
        """What each draft is about: its company, its thing or its time as the question writes it, else its question."""
        scopes = {named.where: named.name for named in companies(question, self.corpus)}
        queries = [draft.query for draft in drafts]
        own = names_of(question.text, [query.text for query in queries])
        return [
            scopes.get(query.where[-1:], name) for query, name in zip(queries, own, strict=True)
        ]

    def _check_part(self, draft: Draft) -> Draft:
        """A draft that its sources support, or one without a value that says why."""
        if draft.value is None:
            return draft
        answer = verified_in(self.corpus, draft)
        if answer.value is not None:
            return draft
        return Draft(draft.query, "", None, read=draft.read, reason=answer.reason)

    def _choose(self, model: Model, question: Query, parts: Sequence[Part]) -> ContestOutcome:
        from pincite.models.forms import ChoiceForm

        found = [(name, _text_and_quotes(part)) for name, part in parts if part.value is not None]
        try:
            prompt = prompts.choosing(question.text, found)
            said = wait(model.complete(prompt, ChoiceForm)).value.value
        except BudgetSpent:
            raise
        except ModelError as error:
            note(f"not compared: {error}")
            return ContestOutcome(None, reason=f"what was found could not be compared: {error}")
        names = tuple(name for name, _ in found)
        name = next((name for name in names if _plain_name(name) == _plain_name(said)), None)
        why = "" if name else "what was found for each does not decide between them"
        return ContestOutcome(name, names, why)


@dataclass(frozen=True)
class FromParts(Stage[Ranking, Answer]):
    """Answer the question of a ranking from the questions that it is made of, each looked for by itself; of one that a plan
    leaves whole nothing is said.
    """

    plan: Stage[Query, Plan]
    joined: Stage[Plan, Answer]

    def run(self, given: Ranking) -> Answer:
        """Answer one question."""
        plan = self.plan(given.query)
        if len(plan.queries) < 2:
            return Answer(given.query, "", None, reason="the question has no parts")
        return self.joined(plan)


def with_whole(whole: Answer, parts: Answer) -> Answer:
    """What the parts of a question come to; where that is nothing, what it came to as a whole."""
    return whole if parts.value is None else parts


def _is_choice_of_words(asked: Contest, values: Sequence[Pair]) -> bool:
    """Whether what was found is words, for two or more, of which one is to be chosen."""
    held = [value for _, value in values if value is not None]
    words = len(held) > 1 and not any(isinstance(value, Quantity | bool) for value in held)
    return words and asked.operation in PICKS and (asked.excludes or len(held) == len(values))


def _relabelled(parts: Sequence[Part]) -> list[Part]:
    """The parts with their citations numbered through, from 1; one without a value cites nothing."""
    made, number = [], 0
    for name, part in parts:
        if part.value is None:
            part = replace(part, claims=(), citations=())
        old = [citation.label for citation in part.citations]
        labels = {label: str(number + at) for at, label in enumerate(old, 1)}
        number += len(labels)
        citations = tuple(replace(each, label=labels[each.label]) for each in part.citations)
        claims = []
        for claim in part.claims:
            cited = tuple(labels.get(label, label) for label in claim.citations)
            claims.append(replace(claim, citations=cited))
        made.append((name, replace(part, citations=citations, claims=tuple(claims))))
    return made


def _joined_draft(
    question: Query, parts: Sequence[Part], outcome: ContestOutcome, operation: str
) -> Draft:
    by_name = dict(parts)
    used = [(name, by_name[name]) for name in outcome.names]
    read = tuple(dict.fromkeys(chain.from_iterable(part.read for _, part in parts)))
    value = outcome.value
    if value is None:  # why nothing was decided, and why what is missing was not found
        missing = ((name, part.reason) for name, part in parts if part.value is None)
        why = (outcome.reason, *(f"{name}: {reason}" for name, reason in missing if reason))
        return Draft(question, "", None, read=read, reason="; ".join(why), parts=tuple(parts))
    cited = (part.citations for name, part in parts if name in outcome.names)
    citations = tuple(chain.from_iterable(cited))
    each = "; ".join(f"{name}: {part.text or worded(part.value)}" for name, part in used)
    text = f"{worded(value)} ({each})" if operation else each
    whole = Claim(text, value, tuple(each.label for each in citations), operation=operation)
    claims = (*chain.from_iterable(part.claims for _, part in used), whole)
    confidence = min((part.confidence for _, part in used), default=0.0)
    return Draft(question, text, value, claims, citations, read, confidence, parts=tuple(parts))


def _plain_name(name: str) -> str:
    return " ".join(name.split()).casefold().strip(" .\"'")
