"""A question to one source: looked up where it names its row and column, else read by a language model, twice if it is not sure.

Two drafts that find the same rows are likelier right than one; what the chance is, `drafting/draft_confidence.py` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.database.database_errors import StatementFailed
from pincite.database.statements.statement_guard import DIALECTS
from pincite.models.local.choice import how_to_get_one
from pincite.rows.drafting.draft_confidence import Vote, confidence, features, threshold
from pincite.rows.drafting.explained_words import explained_words
from pincite.rows.drafting.mixed_units import by_unit
from pincite.rows.drafting.statement_draft import Drafted, draft
from pincite.rows.drafting.statement_tree import Mendable, parsed
from pincite.rows.drafting.value_hints import value_hints
from pincite.rows.interpretation import Interpretation
from pincite.rows.lookup import looked_up

if TYPE_CHECKING:
    from pincite.database.statements.execution import Result
    from pincite.ports import Encoder, Model
    from pincite.rows.clean_source import CleanSource

LOOKED_UP = 0.9
"""Confidence in a value that was looked up."""
ALONE = -2.5
"""Log-probability of all of a statement from which one draft is enough."""
HEAT = 0.7
"""Temperature of the second draft: at 0 it would be the first again."""


def interpreted(
    question: str, source: CleanSource, encoder: Encoder | None = None, model: Model | None = None
) -> Interpretation:
    """How a question is read, and what it finds; refused where it is not certain enough, or needs a model that is not there.

    Raises ModelError when the endpoint gives no reply, BudgetSpent before money runs out, DatabaseUnreachable when the connection
    is lost.
    """
    found = _look_up(question, source)
    if found is not None:
        return found
    if model is None:
        get = how_to_get_one()
        what = f"get one with `{get}`" if get else "leave out --no-model"
        only = "without a language model only what names its row and its column is looked up"
        return Interpretation(question, refused=True, reason=f"{only}: {what}")
    made = draft(question, source, model, encoder)
    if made.result is None:
        return Interpretation(question, refused=True, reason=made.reason)
    return weighed(question, source, made, vote(question, source, made, model, encoder), encoder)


def vote(
    question: str, source: CleanSource, made: Drafted, model: Model, encoder: Encoder | None = None
) -> Vote:
    """Whether a second draft finds the rows of the first. One that the model is sure of, and that nothing speaks against, needs
    none: nearly all would agree.
    """
    if made.chances and sum(made.chances) >= ALONE and not made.against and not made.tried:
        return "alone"
    other = draft(question, source, model, encoder, run=1, temperature=HEAT)
    if made.result is None or other.result is None:
        return "differs"
    return "agrees" if same_rows(made.result, other.result) else "differs"


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
    reasons = [*made.against]
    if sure < threshold():
        words = ", ".join(f"“{word}”" for word in said.unmapped)
        left = f": nothing in it is about {words}" if words else ""
        twice = "; read again, the question led to other rows" if voted == "differs" else ""
        unsure = "the statement that the model drafted is not certain enough"
        reasons.append(f"{unsure}{left}{twice}")
    nothing = all(value is None for row in made.result.rows for value in row)
    refused = sure < threshold() or nothing
    same = [hint for hint in made.hints if hint.same]
    values = [(hint.words, f"{hint.column} = {hint.value}") for hint in same]
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


def _look_up(question: str, source: CleanSource) -> Interpretation | None:
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


def same_rows(a: Result, b: Result) -> bool:
    """Whether two results say the same: the same rows in any order, repeats and further columns of one of them aside."""
    if not a.rows or not b.rows:
        return False
    narrow, wide = sorted((a, b), key=lambda result: len(result.columns))
    return _match_columns(_result_columns(narrow), _result_columns(wide), ())


def _match_columns(narrow: list[list[Any]], wide: list[list[Any]], taken: tuple[int, ...]) -> bool:
    """Whether the columns can be put to different wider ones so that the rows are the same."""
    at = len(taken)
    if at == len(narrow):
        ours = set(map(repr, zip(*narrow, strict=True)))
        return ours == set(map(repr, zip(*(wide[column] for column in taken), strict=True)))
    held = set(map(repr, narrow[at]))
    fits = (c for c in range(len(wide)) if c not in taken and set(map(repr, wide[c])) == held)
    return any(_match_columns(narrow, wide, (*taken, column)) for column in fits)


def _result_columns(result: Result) -> list[list[Any]]:
    """The values of a result column by column, as they are compared."""
    return [list(map(_plain_value, column)) for column in zip(*result.rows, strict=True)]


def _plain_value(value: Any) -> Any:
    """A value as what it says: numbers to nine digits whatever their type, texts without case."""
    if isinstance(value, bool):
        return float(value)
    try:
        return float(f"{float(value):.9g}")
    except (TypeError, ValueError, OverflowError):
        return None if value is None else str(value).strip().casefold()
