"""A question read twice, without a model and by one: agreement raises the confidence, disagreement lowers it.

The reading without a model comes first, and where it is sure enough no model is asked. The probabilities below assume that the
two err independently.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pincite.database.database_errors import StatementFailed
from pincite.ledger import note
from pincite.plural import counted
from pincite.rows.drafting.statement_draft import ALONE, Drafted, draft
from pincite.rows.programs.interpretation import Interpretation, RankedProgram, interpret
from pincite.rows.programs.program_ranking import threshold

if TYPE_CHECKING:
    from pincite.database.sources.connection import OpenDatabase
    from pincite.database.statements.execution import Result
    from pincite.ports import Encoder, Model
    from pincite.rows.programs.pieces import ValueIndex

ENOUGH = 0.9
"""Confidence of a reading at which no model is asked."""
LEAST = 0.5
"""The least confidence at which a drafted statement answers."""


def interpreted(
    question: str,
    source: OpenDatabase,
    values: ValueIndex,
    encoder: Encoder | None = None,
    *,
    model: Model | None = None,
    rows: int = 10_000,
    seconds: float = 10.0,
    named: bool = True,
) -> Interpretation:
    """The likeliest reading of a question, run; with a `model`, which drafts a statement where that is not sure enough.

    The statement of a model has no program: it is the text in the result. Raises what `interpret` and `draft` raise.
    """
    found = interpret(question, source, values, encoder, rows=rows, seconds=seconds, named=named)
    if model is None or not found.refused and found.confidence >= ENOUGH:
        return found
    made = draft(question, source, values, model, encoder, rows=rows, seconds=seconds)
    for statement, problem in made.tried:
        note(f"a statement of {model.name} was not used ({problem}): {statement[:200]}")
    return weighed(found, made, source, rows=rows, seconds=seconds)


def weighed(
    found: Interpretation,
    made: Drafted,
    source: OpenDatabase,
    *,
    rows: int = 10_000,
    seconds: float = 10.0,
) -> Interpretation:
    """What a reading and a drafted statement come to together.

    The same rows: the reading, with the chance that not both are wrong. Other rows: where either would be an answer, neither
    is; where only one would, it answers if it still is likely enough. The other one is kept as an alternative.
    """
    if made.result is None:
        return _without(found, made)
    for held, reading in _found(found, source, rows, seconds):
        if same_rows(held, made.result):
            return _agreed(found, reading, held, made)
    return _differing(found, made)


def _without(found: Interpretation, made: Drafted) -> Interpretation:
    """A reading beside no statement: the less likely when the model says that there is none."""
    reason = "; ".join(reason for reason in (found.reason, made.reason) if reason)
    if made.declined:
        sure = _alone(found.confidence, ALONE)
        refused = found.refused or sure < threshold()
        return replace(
            found,
            confidence=sure,
            refused=refused,
            reason=reason if refused else "",
            unmapped=found.unmapped or made.unmapped,
        )
    return replace(found, reason=reason) if found.refused else found


def _found(
    found: Interpretation, source: OpenDatabase, rows: int, seconds: float
) -> Iterator[tuple[Result, RankedProgram | None]]:
    """What the reading finds, as None, and then what each of its alternatives does."""
    if found.result is not None:
        yield found.result, None
    for other in found.alternatives:
        try:
            yield source.run(other.statement, rows=rows, seconds=seconds), other
        except StatementFailed:
            continue


def _agreed(
    found: Interpretation, reading: RankedProgram | None, held: Result, made: Drafted
) -> Interpretation:
    """The reading, or the alternative of it, that finds the drafted statement's rows."""
    if reading is None:
        sure = 1 - (1 - found.confidence) * (1 - made.confidence)
        kept = replace(found, confidence=sure)
    else:
        share = (1 - found.confidence) / (1 + len(found.alternatives))
        sure = 1 - (1 - share) * (1 - made.confidence)
        others = tuple(
            alternative for alternative in _readings(found) if alternative is not reading
        )
        kept = replace(
            found, program=reading.program, statement=_select(reading), said=reading.said, result=held, mapping=made.mapping,
            confidence=sure, alternatives=others,
        )  # fmt: skip
    refused = sure < LEAST
    return replace(
        kept, unmapped=made.unmapped, refused=refused, reason=_unsure(made) if refused else ""
    )


def _differing(found: Interpretation, made: Drafted) -> Interpretation:
    """The likelier of the two, the other beside it; refused when the other stands against it, or it is not likely enough."""
    asked = found.confidence if found.result is not None else 0.0
    sure = _alone(made.confidence, asked)
    contested = found.result is not None and not found.refused
    if contested and asked > made.confidence:
        return _upheld(found, made)
    reason = _unsure(made) if sure < LEAST else ""
    if contested:
        reason = _against(found, made)
    return Interpretation(
        found.question, None, None, "", made.mapping, made.unmapped, sure, made.result, _readings(found), bool(reason), reason
    )  # fmt: skip


def _upheld(found: Interpretation, made: Drafted) -> Interpretation:
    """The reading beside a less likely statement that finds other rows."""
    left = _alone(found.confidence, made.confidence)
    against = made.confidence >= LEAST or left < threshold()
    mine = RankedProgram(None, made.statement, "", 0.0)
    return replace(
        found, confidence=left, alternatives=(mine, *found.alternatives), refused=against,
        reason=_against(found, made) if against else "",
    )  # fmt: skip


def _alone(right: float, other: float) -> float:
    """The chance that one is right where two differ, so that at most one of them is."""
    return right * (1 - other) / max(1 - right * other, 1e-9)


def _readings(found: Interpretation) -> tuple[RankedProgram, ...]:
    """The reading, where it has a statement, and its alternatives."""
    if found.statement is None:
        return found.alternatives
    return RankedProgram(found.program, found.statement, found.said, 0.0), *found.alternatives


def _select(reading: RankedProgram) -> Any:
    return None if isinstance(reading.statement, str) else reading.statement


def _unsure(made: Drafted) -> str:
    left = f": nothing in it is about {', '.join(made.unmapped)}" if made.unmapped else ""
    return f"the statement that the model drafted is not certain enough{left}"


def _against(found: Interpretation, made: Drafted) -> str:
    return (
        f"two readings of the question differ: without a model {_first(found.result)}, by the model {_first(made.result)}; "
        "ask with the names of the columns"
    )


def _first(result: Result | None) -> str:
    if result is None or not result.rows:
        return "no row"
    row = ", ".join(
        "nothing" if value is None else str(value)[:60] for value in result.rows[0][:4]
    )
    return (
        f"{row} and {counted(len(result.rows) - 1, 'more row')}" if len(result.rows) > 1 else row
    )


def same_rows(a: Result, b: Result) -> bool:
    """Whether two results say the same: the same rows in any order, columns in any order; more columns may tell rows apart."""
    if len(a.rows) != len(b.rows) or not a.rows:
        return False
    narrow, wide = sorted((a, b), key=lambda result: len(result.columns))
    return _placed(_columns(narrow), _columns(wide), ())


def _placed(narrow: list[list[Any]], wide: list[list[Any]], taken: tuple[int, ...]) -> bool:
    """Whether the columns can be put to different wider ones so that the rows are the same."""
    at = len(taken)
    if at == len(narrow):
        ours = sorted(map(repr, zip(*narrow, strict=True)))
        return ours == sorted(map(repr, zip(*(wide[column] for column in taken), strict=True)))
    held = sorted(map(repr, narrow[at]))
    fits = (c for c in range(len(wide)) if c not in taken and sorted(map(repr, wide[c])) == held)
    return any(_placed(narrow, wide, (*taken, column)) for column in fits)


def _columns(result: Result) -> list[list[Any]]:
    """The values of a result column by column, as they are compared."""
    return [list(map(_plain, column)) for column in zip(*result.rows, strict=True)]


def _plain(value: Any) -> Any:
    """A value as what it says: numbers to nine digits whatever their type, texts without case."""
    if isinstance(value, bool):
        return int(value)
    try:
        return float(f"{float(value):.9g}")
    except (TypeError, ValueError, OverflowError):
        return None if value is None else str(value).strip().casefold()
