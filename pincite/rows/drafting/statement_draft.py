"""A statement drafted by a language model: checked, run read-only, corrected after an error at most twice, then refused.

Nothing that the model says is an answer: the rows are, and the statement is shown with them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.database.database_errors import StatementFailed, StatementRefused
from pincite.errors import ReplyInvalid
from pincite.generate.forms import NA
from pincite.loop import wait
from pincite.rows.drafting.doubts import Doubt, doubts
from pincite.rows.drafting.draft_check import Mendable, settled
from pincite.rows.drafting.schema_routing import relations
from pincite.rows.drafting.statement_prompts import amended, drafting
from pincite.rows.programs.linking import link
from pincite.rows.programs.scheme import scheme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.database.relations.model import Database
    from pincite.database.sources.connection import OpenDatabase
    from pincite.database.statements.execution import Result
    from pincite.ports import Encoder, Model
    from pincite.rows.drafting.statement_form import StatementForm
    from pincite.rows.programs.pieces import Mention, QuestionPiece, ValueIndex

REPAIRS = 2
"""How often a statement that could not be used is asked for again."""
FIRST = 3
"""Relations that come before those that hold values; what overflows the model's window is cut at the end."""
ALONE = 0.7
"""Confidence in a statement that passed at once, and how much of it is left for each time it had to be mended and for each
doubt that stays. How often such statements are right is not known before it is measured for a model."""
MENDED = 0.85
DOUBTED = 0.6


@dataclass(frozen=True, slots=True)
class Drafted:
    """The statement that a model drafted and what it found; without a result, `reason` says why.

    `mapping` are (words of the question, what they were taken for) pairs, `unmapped` words that the statement takes no
    notice of; `declined` says that by the model the tables cannot answer; `tried` are (statement, what was wrong with it)
    pairs of those that were not used, oldest first.
    """

    statement: str = ""
    result: Result | None = None
    confidence: float = 0.0
    mapping: tuple[tuple[str, str], ...] = ()
    unmapped: tuple[str, ...] = ()
    reason: str = ""
    declined: bool = False
    tried: tuple[tuple[str, str], ...] = ()


def draft(
    question: str,
    source: OpenDatabase,
    values: ValueIndex,
    model: Model,
    encoder: Encoder | None = None,
    *,
    k: int = 10,
    rows: int = 10_000,
    seconds: float = 10.0,
) -> Drafted:
    """Have a model draft the statement of a question over the `k` relations that it most likely needs, and run it.

    A statement that does not parse, names what is not there, fails in the database or leaves out words of the question goes
    back with the error. One that would do more than read is not run and not asked for again. Raises ModelError when the
    endpoint gives no reply, BudgetSpent before money runs out, DatabaseUnreachable when the connection is lost.
    """
    from pincite.rows.drafting.statement_form import StatementForm

    database = source.database
    pieces = link(question, scheme(database), values).cuts[0]
    chosen = _chosen(question, database, k, encoder, pieces)
    prompt = drafting(
        question, database, chosen, [held for held in _held(pieces) if held.relation in chosen]
    )
    tried: list[tuple[str, str]] = []
    for _ in range(REPAIRS + 1):
        try:
            reply = wait(model.complete(prompt, StatementForm))
        except ReplyInvalid as error:
            return Drafted(reason=str(error), tried=tuple(tried))
        said = reply.value.statement.strip()
        if said == NA:
            return _none(reply.value, database.name, tried)
        try:
            run = _run(said, question, source, pieces, rows, seconds)
        except StatementRefused as error:
            reason = f"the model's statement was refused and not run: {error}"
            return Drafted(said, reason=reason, tried=(*tried, (said, str(error))))
        if run.answers(tried):
            return _made(reply.value, run, tried)
        tried.append((run.statement, run.problem))
        amendment = reply.text or reply.value.model_dump_json(), amended(run.problem)
        prompt = replace(prompt, turns=(*prompt.turns, amendment))
    last, problem = tried[-1]
    reason = f"none of {len(tried)} statements could be used; the last: {problem}"
    return Drafted(last, reason=reason, tried=tuple(tried))


@dataclass(frozen=True, slots=True)
class _Run:
    """A statement as it was run, with what it finds and the doubts that are left; as it was written where it could not be."""

    statement: str
    result: Result | None = None
    left: tuple[Doubt, ...] = ()
    problem: str = ""

    def answers(self, tried: Sequence[tuple[str, str]]) -> bool:
        """Whether it stands: without a doubt, given again as it was, or with no more to ask."""
        settled = not self.left or len(tried) == REPAIRS or self.statement in dict(tried)
        return self.result is not None and settled


def _run(
    said: str,
    question: str,
    source: OpenDatabase,
    pieces: Sequence[QuestionPiece],
    rows: int,
    seconds: float,
) -> _Run:
    """Run a statement that a model wrote. Raises StatementRefused where it would do more than read."""
    try:
        statement = settled(said, source.database)
        result = source.run(statement, rows=rows, seconds=seconds)
        left = doubts(statement, source.database, pieces, question) + _empty(result)
    except (Mendable, StatementFailed) as error:
        return _Run(said, problem=str(error))
    return _Run(statement, result, left, "; ".join(doubt.problem for doubt in left))


def _chosen(
    question: str,
    database: Database,
    k: int,
    encoder: Encoder | None,
    pieces: Sequence[QuestionPiece],
) -> list[str]:
    """The `k` relations most needed, and behind the first ones those that alone hold a value of the question."""
    chosen = [
        name
        for name, _ in relations(
            question, database, k, encoder if len(database.relations) > k else None
        )
    ]
    holders = [[mention.relation for mention in _held([piece])] for piece in pieces]
    alone = [names[0] for names in holders if names and set(names).isdisjoint(chosen)]
    return [*chosen[:FIRST], *dict.fromkeys(alone), *chosen[FIRST:]]


def _held(pieces: Sequence[QuestionPiece]) -> list[Mention]:
    """The values that pieces can stand for."""
    return [mention for piece in pieces for mention in piece.mentions if mention.value is not None]


def _empty(result: Result) -> tuple[Doubt, ...]:
    nothing = all(value is None for row in result.rows for value in row)
    return (
        (Doubt("the statement finds nothing: are the values spelled as they are in the tables?"),)
        if nothing
        else ()
    )


def _made(form: StatementForm, run: _Run, tried: list[tuple[str, str]]) -> Drafted:
    """The draft of a statement that was run."""
    mended = len(dict(tried).keys() - {run.statement})
    return Drafted(
        run.statement,
        run.result,
        ALONE * MENDED**mended * DOUBTED ** len(run.left),
        _mapping(form),
        tuple(
            dict.fromkeys((*(doubt.words for doubt in run.left if doubt.words), *_unmapped(form)))
        ),
        tried=tuple(tried),
    )


def _none(form: StatementForm, name: str, tried: list[tuple[str, str]]) -> Drafted:
    """The draft of a model that finds no statement."""
    missing = _unmapped(form)
    what = f": it has nothing for {', '.join(missing)}" if missing else ""
    reason = f"by the model, {name} cannot answer this{what}"
    return Drafted(
        mapping=_mapping(form), unmapped=missing, reason=reason, declined=True, tried=tuple(tried)
    )


def _mapping(form: StatementForm) -> tuple[tuple[str, str], ...]:
    return tuple((term.words, term.meaning) for term in form.terms if term.words and term.meaning)


def _unmapped(form: StatementForm) -> tuple[str, ...]:
    return tuple(term.words for term in form.terms if term.words and not term.meaning)
