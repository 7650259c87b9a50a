"""A statement drafted by a language model over clean views: put right by code, checked, run read-only, asked for again once.

Nothing that the model says is an answer: the rows are, and the statement is shown with them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from pincite.database.database_errors import StatementFailed, StatementRefused
from pincite.database.statements.statement_guard import DIALECTS
from pincite.errors import ReplyInvalid
from pincite.models.forms import NA
from pincite.models.loop import wait
from pincite.rows.drafting.asked_groups import (
    in_asked_groups,
    in_useful_order,
    with_asked_thing,
    with_names,
)
from pincite.rows.drafting.asked_rank import in_asked_rank, with_ties
from pincite.rows.drafting.asked_time import in_asked_order, in_asked_period, to_the_last_moment
from pincite.rows.drafting.engine_forms import in_engine_forms
from pincite.rows.drafting.joins import completed
from pincite.rows.drafting.mixed_units import by_unit, compared_in_one_unit
from pincite.rows.drafting.number_literals import in_column_units
from pincite.rows.drafting.objections import objections
from pincite.rows.drafting.repeated_rows import without_repeats
from pincite.rows.drafting.schema_routing import relations
from pincite.rows.drafting.statement_prompts import NONE, amended, drafting, table_text
from pincite.rows.drafting.statement_tree import Mendable, parsed
from pincite.rows.drafting.text_values import TextValues
from pincite.rows.drafting.value_hints import ValueHint, value_hints

if TYPE_CHECKING:
    from pincite.database.statements.execution import Result
    from pincite.ports import Completion, Encoder, Model, TokenChoice
    from pincite.rows.clean_source import CleanSource
    from pincite.rows.drafting.statement_form import StatementForm

REPAIRS = 1
"""How often the first draft of a statement that could not be used is asked for again."""
TABLES, LETTERS = 24, 8_000
"""Tables, and letters of their descriptions, that are shown at most: about 2,400 tokens."""
LEAST = -10.0
"""Log-probability below which none is told apart."""
_IN_QUESTION = (
    in_column_units, in_asked_period, to_the_last_moment, in_asked_order, in_asked_rank, in_asked_groups, with_asked_thing,
)  # fmt: skip
"""What puts a statement right by what its question says, in this order; each gives what it changed, in words."""
_BEGUN = re.compile(r'"statement"\s*:\s*"')
"""What stands before the statement in a reply: the form, which the engine's grammar writes."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """The statement that a model drafted over the views of a source, and what it finds; without a result, `reason` says why.

    `statement` is the one over the views. `notes` say what code put right in it, `against` what speaks against it. `chances` are
    the log-probabilities of the reply's tokens, `declining` is the log-probability that by the first reply the tables hold
    nothing of the question, `tried` are (statement, what was wrong with it) pairs of those that were not used.
    """

    statement: str = ""
    result: Result | None = None
    notes: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    reason: str = ""
    chances: tuple[float, ...] = ()
    declining: float = LEAST
    tried: tuple[tuple[str, str], ...] = ()
    hints: tuple[ValueHint, ...] = ()


def draft(
    question: str,
    source: CleanSource,
    model: Model,
    encoder: Encoder | None = None,
    *,
    run: int = 0,
    temperature: float = 0.0,
) -> Drafted:
    """Have a model draft the statement of a question over the views that it most likely needs, and run it.

    A statement that does not parse, names what is not there, fails in the database or leaves out values and numbers of the
    question goes back once with what is wrong; that of a further draft (`run`), which only votes, does not. One that would do
    more than read is not run. Raises ModelError when the endpoint gives no reply, BudgetSpent before money runs out,
    DatabaseUnreachable when the connection is lost.
    """
    from pincite.rows.drafting.statement_form import StatementForm

    hints = value_hints(question, source)
    chosen = _shown_tables(question, source, encoder)
    prompt = drafting(question, source.database, chosen, hints, run=run)
    prompt = replace(prompt, temperature=temperature, logprobs=True)
    tried: list[tuple[str, str]] = []
    best: Drafted | None = None
    for _ in range(1 if run else REPAIRS + 1):
        try:
            reply = wait(model.complete(prompt, StatementForm))
        except ReplyInvalid as error:
            return Drafted(reason=str(error), tried=tuple(tried), hints=hints)
        said = reply.value.statement.strip()
        if said == NA:
            reason = f"by the model, {source.database.name} holds nothing of what is asked for"
            none = Drafted(
                reason=reason, chances=_token_chances(reply), tried=tuple(tried), hints=hints
            )
            return best or none
        made = settled(said, question, source, hints, encoder)
        declining = best.declining if best is not None else _none_chance(reply)
        made = replace(made, chances=_token_chances(reply), declining=declining)
        if made.result is not None and (best is None or len(made.against) < len(best.against)):
            best = made
        if made.result is not None and not made.against or not made.tried:
            break
        tried += made.tried
        problem = tried[-1][1]
        prompt = replace(prompt, turns=(*prompt.turns, (reply.text or said, amended(problem))))
    return replace(best or made, tried=tuple(tried), hints=hints)


def settled(
    said: str,
    question: str,
    source: CleanSource,
    hints: Sequence[ValueHint] = (),
    encoder: Encoder | None = None,
) -> Drafted:
    """A statement over views as it is run: joined along links, in the units and spellings of its columns, no row twice.

    Where it cannot be run, `tried` says why.
    """
    database = source.database
    try:
        tree = parsed(said, database)
        if isinstance(tree, exp.Condition | exp.Alias) and not isinstance(tree, exp.Query):
            raise Mendable("this is no SELECT")
        if not isinstance(tree, exp.Query):
            raise StatementRefused("only a SELECT is run")
        tree = completed(tree, database)
        notes = in_engine_forms(tree, question, database)
        texts = TextValues(question, source, hints, encoder)
        tree = texts.settle(tree)
        notes += texts.notes
        for put_right in _IN_QUESTION:
            notes += put_right(tree, question, database)
        tree = with_names(tree, question, database)
        against = [*texts.missing]
        for said_of_rows, mended in without_repeats(tree, question, database):
            (notes if mended else against).append(said_of_rows)
        notes += compared_in_one_unit(tree, database, source.views, source)
        dialect = DIALECTS[database.dialect]
        apart = by_unit(tree, question, database, source.views)
        if not apart:
            in_useful_order(tree, database)
        notes += apart
        notes += filter(None, [with_ties(tree, source, dialect)])
        statement = str(tree.sql(dialect=dialect))
        result = source.run(statement)
    except StatementRefused as error:
        return Drafted(said, reason=f"the model's statement was refused and not run: {error}")
    except (Mendable, StatementFailed) as error:
        return Drafted(said, reason=str(error), tried=((said, str(error)),))
    against += objections(tree, question, database, hints)
    if all(value is None for row in result.rows for value in row):
        against.append("the statement finds nothing")
    wrong = ((said, "; ".join(against)),) if against else ()
    return Drafted(statement, result, tuple(notes), tuple(against), tried=wrong)


def _shown_tables(question: str, source: CleanSource, encoder: Encoder | None) -> list[str]:
    """The tables that a model is shown: all where they are few and short, else those that search finds, best first.

    All stand in the order of the database, so that an engine that has read them once knows them for the next question.
    """
    database = source.database
    every = [relation.name for relation in database.relations]
    letters = sum(len(table_text(relation)) for relation in database.relations)
    if len(every) <= TABLES and letters <= LETTERS:
        return every
    found = [name for name, _ in relations(question, database, TABLES, encoder)]
    kept: list[str] = []
    for name in found:
        letters = sum(len(table_text(database.relation(each))) for each in (*kept, name))
        if not kept or letters <= LETTERS:
            kept.append(name)
    return kept


def _token_chances(reply: Completion[StatementForm]) -> tuple[float, ...]:
    """The log-probabilities of the tokens of a statement; none where the endpoint gives none."""
    return tuple(choice.logprobs.get(choice.token, 0.0) for choice in _statement_tokens(reply))


def _none_chance(reply: Completion[StatementForm]) -> float:
    """The log-probability that the statement begins with NONE, at least LEAST; LEAST where the endpoint gives none."""
    for choice in _statement_tokens(reply):
        tokens = choice.logprobs.items()
        chances = [math.exp(chance) for token, chance in tokens if token.strip().upper() == NONE]
        return max(math.log(sum(chances)), LEAST) if chances else LEAST
    return LEAST


def _statement_tokens(reply: Completion[StatementForm]) -> Iterator[TokenChoice]:
    """The tokens of a reply from the statement on, without the form, which the engine's grammar writes."""
    said = ""
    for choice in reply.tokens:
        if _BEGUN.search(said):
            yield choice
        said += choice.token
