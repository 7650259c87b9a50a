"""A question about a source, read without a language model: the program it means, why, its rows, and when not to answer."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

import sqlalchemy as sa

from pincite import types
from pincite.database.database_errors import StatementFailed
from pincite.database.relations.name_folding import fold, similarity
from pincite.database.sources.connection import OpenDatabase
from pincite.database.statements.execution import Result
from pincite.lexicon import word_set
from pincite.ports import Encoder
from pincite.question.request import is_plot
from pincite.question.understanding import understand
from pincite.rows.naming_columns import told_apart
from pincite.rows.programs.candidates import candidates
from pincite.rows.programs.compilation import statement
from pincite.rows.programs.draft_parts import Features, ProgramDraft
from pincite.rows.programs.linking import link
from pincite.rows.programs.meaning import Meaning
from pincite.rows.programs.pieces import CutQuestion, QuestionPiece, ValueIndex
from pincite.rows.programs.program import RowQuery, Test, explain
from pincite.rows.programs.program_ranking import confidence, score, threshold
from pincite.rows.programs.scheme import Scheme, scheme

RUN = 12
"""How many of the best candidates are run before the ranker decides: one that finds nothing is seldom meant."""
VAGUE = word_set("rows", "vague")
"""Words that choose by a standard that neither the question nor the database gives: "major cities"."""
_SPELLED = 0.85
"""The least score of a name or value that is spelled out in a question, and not found by part of it or by meaning."""
PATIENCE, PATIENCE_WITH_LARGE, LARGE = 1.0, 0.25, 100_000
"""Seconds after which no more candidates are run, once the best that was run leads; fewer where a table has so many rows or
more. Elsewhere nearly all are run, so that the answer does not depend on the machine's speed."""


@dataclass(frozen=True, slots=True)
class RankedProgram:
    """A program with the statement it compiles to; `score` is the ranker's. What a model drafted is a text without a program."""

    program: RowQuery | None
    statement: sa.Select[Any] | str
    said: str
    score: float


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How a question was understood.

    `mapping` says word by word what was taken for what, `unmapped` are content words that nothing explains. `confidence`,
    in [0, 1], is the chance that the program is the one that was meant. When `refused`, `reason` says why and names the
    nearest columns; program and result are then the best guess, not to be shown as an answer, or None.
    """

    question: str
    program: RowQuery | None
    statement: sa.Select[Any] | None
    said: str
    mapping: tuple[tuple[str, str], ...]
    unmapped: tuple[str, ...]
    confidence: float
    result: Result | None
    alternatives: tuple[RankedProgram, ...] = ()
    refused: bool = False
    reason: str = ""
    features: Features = field(default_factory=dict, compare=False)


def interpret(
    question: str,
    source: OpenDatabase,
    values: ValueIndex,
    encoder: Encoder | None = None,
    *,
    prepared: Scheme | None = None,
    rows: int = 10_000,
    seconds: float = 10.0,
    named: bool = True,
) -> Interpretation:
    """The likeliest reading of a question, run. With an `encoder`, words that no name holds are tried by meaning.

    Numbers of several rows are given with what tells the rows apart (`told_apart`), unless they are not to be `named`.

    `prepared` is `scheme.scheme(source.database)`, made when it is not given. Raises DatabaseError only when the source
    cannot be read at all.
    """
    held = prepared or scheme(source.database)
    meaning = Meaning(held, encoder) if encoder else None
    linked = link(question, held, values, meaning)
    run = tried(read(linked, held, meaning), source, rows, seconds)
    unknown = tuple(piece.text for piece in linked.cuts[0] if piece.kind == "unknown")
    if not run:
        return Interpretation(
            question, None, None, "", (), unknown, 0.0, None, (), True, _no_reading(unknown, held)
        )
    best, *others = sorted(run, key=lambda program: -program.score)
    if named:
        best = _named(best, held, source, rows, seconds, is_plot(question))
    features = {
        **best.features,
        **margins([program.score for program in (best, *others)], linked, best.draft),
    }
    sure = confidence(features)
    unmapped = tuple(piece.text for piece in _left(linked, best.draft))
    vague = any(word.casefold() in VAGUE for word in unmapped)
    echo = echoes(best.draft.query) and (bool(unmapped) or not _is_yes_or_no(question))
    refused = sure < threshold() or vague or echo
    if refused:
        unmapped = unmapped or unknown  # what was guessed at is named where that was not enough
    return Interpretation(
        question,
        best.draft.query,
        best.statement,
        explain(best.draft.query),
        best.draft.notes,
        unmapped,
        sure,
        best.result,
        tuple(
            RankedProgram(
                other.draft.query, other.statement, explain(other.draft.query), other.score
            )
            for other in others[:3]
        ),
        refused,
        _reason(unmapped, held, echo) if refused else "",
        features,
    )


def read(
    question: CutQuestion,
    held: Scheme,
    meaning: Meaning | None,
    weights: dict[str, float] | None = None,
) -> list[ProgramDraft]:
    """The programs that a question may mean, best first, those worth running; with how like each is to it, said in words."""
    found = candidates(question, held, lambda features: score(features, weights))[:RUN]
    if meaning is None:
        return found
    alike = meaning.alike(
        question.text, [explain(draft.query).replace("_", " ") for draft in found]
    )
    return [
        replace(draft, features={**draft.features, "said alike": likeness})
        for draft, likeness in zip(found, alike, strict=True)
    ]


class Tried(NamedTuple):
    """A draft with its score, its statement, what it found (None when it failed), and the features scored."""

    score: float
    draft: ProgramDraft
    statement: sa.Select[Any]
    result: Result | None
    features: Features


def tried(
    found: Sequence[ProgramDraft],
    source: OpenDatabase,
    rows: int,
    seconds: float,
    weights: dict[str, float] | None = None,
) -> list[Tried]:
    """The drafts, run: those that find nothing, or cannot be run, are scored accordingly."""
    run: list[Tried] = []
    large = any(relation.rows > LARGE for relation in source.database.relations)
    started, patience = time.perf_counter(), PATIENCE_WITH_LARGE if large else PATIENCE
    for draft in found:
        made = statement(draft.query, source.database)
        features = dict(draft.features)
        leading = max((before.score for before in run), default=-math.inf)
        result = None
        if time.perf_counter() - started <= patience or leading < score(features, weights):
            result = _result(made, source, rows, seconds)
            features |= _signs(result)
        run.append(
            Tried(
                score(features, weights), replace(draft, features=features), made, result, features
            )
        )
    return run


def _named(
    best: Tried, held: Scheme, source: OpenDatabase, rows: int, seconds: float, plots: bool
) -> Tried:
    """What was tried, with the columns that tell its rows apart; always where the question asks for a plot of them."""
    if best.result is None:
        return best

    def run(query: RowQuery) -> Result | None:
        return _result(statement(query, source.database), source, rows, seconds)

    query = told_apart(best.draft.query, best.result, held, run, single=plots)
    result = run(query) if query != best.draft.query else None
    if result is None:
        return best
    made = statement(query, source.database)
    return best._replace(draft=replace(best.draft, query=query), statement=made, result=result)


def _signs(result: Result | None) -> Features:
    """What speaks against a reading once it was run."""
    if result is None:
        return {"failed": 1.0}
    empty = all(value is None for value in chain.from_iterable(result.rows))
    return ({"empty": 1.0} if empty else {}) | ({"bare numbers": 1.0} if _bare(result) else {})


def _result(
    made: sa.Select[Any], source: OpenDatabase, rows: int, seconds: float
) -> Result | None:
    """What a statement finds, None when it cannot be run."""
    try:
        return source.run(made, rows=rows, seconds=seconds)
    except StatementFailed:
        return None


def _bare(result: Result) -> bool:
    """Whether rows are several numbers that nothing names."""
    return (
        len(result.rows) > 1
        and len(result.columns) == 1
        and isinstance(result.rows[0][0], int | float | Decimal)
    )


def margins(scores: Sequence[float], question: CutQuestion, draft: ProgramDraft) -> Features:
    """What the ranker's own certainty and the words left over say about the whole reading."""
    weights = [math.exp(score - scores[0]) for score in scores]
    telling = [piece for piece in question.cuts[0] if _content(piece)]
    left = _left(question, draft)
    loose = [
        piece
        for piece in telling
        if max((m.score for m in piece.mentions), default=_SPELLED) < _SPELLED
    ]
    return {
        "loose": (len(loose) + sum(piece.kind == "unknown" for piece in telling))
        / max(1, len(telling)),
        "chance": 1 / sum(weights),
        "left over": len(left) / max(1, len(telling)),
        "left words": min(5, len(left)) / 5,
    }


def echoes(query: RowQuery) -> bool:
    """Whether a query selects nothing but what its own tests say: "the melting point of Velan 10" read as Velan 10."""
    said = {
        test.item
        for test in query.tests
        if isinstance(test, Test) and test.operator == "=" and not test.negated
    }
    return bool(query.select) and query.best is None and set(query.select) <= said


def _content(piece: QuestionPiece) -> bool:
    return piece.kind not in ("filler", "word")


def _left(question: CutQuestion, draft: ProgramDraft) -> list[QuestionPiece]:
    explained = set(chain.from_iterable(range(start, end) for start, end in draft.spans))
    content = (piece for piece in question.cuts[0] if _content(piece))
    return [piece for piece in content if explained.isdisjoint(range(piece.start, piece.end))]


def _is_yes_or_no(question: str) -> bool:
    """Whether a question asks if something is so: rows that say what it says are then the answer."""
    return understand(types.Query(question)).expects == "boolean"


def _reason(words: Sequence[str], held: Scheme, echo: bool) -> str:
    if echo and not words:
        return "the rows found only repeat the question; name the column that is asked for as the table does"
    if not words:
        return "the question can be read in several ways and none is clearly best; name the columns as the tables do"
    return _no_reading(words, held)


def _no_reading(words: Sequence[str], held: Scheme) -> str:
    if not words:
        return "nothing in the question is a table, a column or a value of this database"
    told = []
    for word in words[:3]:
        near = nearest(word, held)
        told.append(
            f'"{word}" is no table, column or value here'
            + (f" (nearest: {', '.join(near)})" if near else "")
        )
    return "; ".join(told)


def nearest(word: str, held: Scheme, many: int = 3) -> list[str]:
    """The columns whose names are spelled most like a word, as "relation.column"."""
    said = fold(word)
    ranked = []
    for relation in held.database.relations:
        for column in relation.columns:
            names = [fold(column.readable), fold(column.name)]
            parts = {*names, *chain.from_iterable(map(str.split, names))} - {""}
            if parts:
                ranked.append(
                    (
                        -max(similarity(said, part) for part in parts),
                        f"{relation.name}.{column.name}",
                    )
                )
    return [where for _, where in sorted(ranked)[:many]]
