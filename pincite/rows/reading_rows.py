"""A question to one source: looked up where it names its row and column, else read by a language model, twice if it is not sure.

Two drafts that find the same rows are likelier right than one; what the chance is, `drafting/draft_confidence.py` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.database.database_errors import StatementFailed
from pincite.database.statements.statement_guard import DIALECTS
from pincite.models.local.choice import how_to_get_one
from pincite.rows.drafting.draft_agreement import same_rows
from pincite.rows.drafting.draft_check import parsed
from pincite.rows.drafting.draft_confidence import Vote, confidence, features, threshold
from pincite.rows.drafting.explained_words import explained_words
from pincite.rows.drafting.joins import Mendable
from pincite.rows.drafting.mixed_units import by_unit
from pincite.rows.drafting.statement_draft import Drafted, draft
from pincite.rows.drafting.value_hints import value_hints
from pincite.rows.interpretation import Interpretation
from pincite.rows.lookup import looked_up

if TYPE_CHECKING:
    from pincite.ports import Encoder, Model
    from pincite.rows.clean_source import CleanSource

LOOKED_UP = 0.9
"""Confidence in a value that was looked up."""
ALONE = -2.5
"""Log-probability of all of a statement from which one draft is enough."""
HEAT = 0.7
"""Temperature of the second draft: at 0 it would be the first again."""


def interpreted(
    question: str,
    source: CleanSource,
    encoder: Encoder | None = None,
    model: Model | None = None,
) -> Interpretation:
    """How a question is read, and what it finds; refused where it is not certain enough, or needs a model that is not there.

    Raises ModelError when the endpoint gives no reply, BudgetSpent before money runs out, DatabaseUnreachable when the connection
    is lost.
    """
    found = _looked_up(question, source)
    if found is not None:
        return found
    if model is None:
        return Interpretation(question, refused=True, reason=_needs_model())
    made = draft(question, source, model, encoder)
    if made.result is None:
        return Interpretation(question, refused=True, reason=made.reason)
    return weighed(question, source, made, vote(question, source, made, model, encoder), encoder)


def vote(
    question: str,
    source: CleanSource,
    made: Drafted,
    model: Model,
    encoder: Encoder | None = None,
) -> Vote:
    """Whether a second draft finds the rows of the first. One that the model is sure of, and that nothing speaks against, needs
    none: nearly all would agree.
    """
    if made.chances and sum(made.chances) >= ALONE and not made.against and not made.tried:
        return "alone"
    other = draft(question, source, model, encoder, run=1, temperature=HEAT)
    if (
        made.result is not None
        and other.result is not None
        and same_rows(made.result, other.result)
    ):
        return "agrees"
    return "differs"


def weighed(
    question: str,
    source: CleanSource,
    made: Drafted,
    voted: Vote,
    encoder: Encoder | None = None,
) -> Interpretation:
    """A drafted statement as the reading of its question, with the chance that it is right by what a second draft finds."""
    assert made.result is not None
    tree = parsed(made.statement, source.database)
    said = explained_words(question, tree, source.database, made.hints, encoder)
    sure = confidence(features(made, voted, said))
    agrees = voted != "differs"
    reasons = [*made.against]
    if sure < threshold():
        reasons.append(_unsure(said.unmapped, agrees))
    nothing = all(value is None for row in made.result.rows for value in row)
    refused = sure < threshold() or nothing
    values = tuple(
        (hint.words, f"{hint.column} = {hint.value}") for hint in made.hints if hint.same
    )
    return Interpretation(
        question,
        made.statement,
        source.over_source(made.statement),
        (*values, *said.mapping),
        said.unmapped if refused else (),
        made.notes,
        sure,
        made.result,
        refused,
        "; ".join(reasons) if refused else "",
    )


def _needs_model() -> str:
    """Why a question is not read, and what to do about it."""
    get = how_to_get_one()
    what = f"get one with `{get}`" if get else "leave out --no-model"
    return f"without a language model only what names its row and its column is looked up: {what}"


def _unsure(unmapped: tuple[str, ...], agrees: bool) -> str:
    words = ", ".join(f"“{word}”" for word in unmapped)
    left = f": nothing in it is about {words}" if words else ""
    twice = "" if agrees else "; read again, the question led to other rows"
    return f"the statement that the model drafted is not certain enough{left}{twice}"


def _looked_up(question: str, source: CleanSource) -> Interpretation | None:
    """What a lookup finds, where the question is one and it finds one value; else None."""
    hints = value_hints(question, source)
    try:
        made = looked_up(question, source.database, hints)
        if made is None:
            return None
        by_unit(made.tree, question, source.database, source.views)
        statement = str(made.tree.sql(dialect=DIALECTS[source.database.dialect]))
        result = source.run(statement)
    except (Mendable, StatementFailed):
        return None
    if len(set(result.rows)) != 1 or result.rows[0][0] is None:
        return None
    return Interpretation(
        question, statement, source.over_source(statement), made.mapping, confidence=LOOKED_UP, result=result
    )  # fmt: skip
