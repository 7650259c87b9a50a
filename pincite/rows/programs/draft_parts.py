"""What is put together while a question is read: drafts of programs, what words they explain, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pincite.database.relations.model import Column
from pincite.rows.programs.pieces import CutQuestion, Mention, QuestionPiece
from pincite.rows.programs.program import Best, Condition, Either, Item, Path, Related, RowQuery, Test, fields
from pincite.rows.programs.scheme import Scheme, canonical

Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class ProgramDraft:
    """A candidate program for some pieces of a question.

    `spans` are the tokens [start, end) it explains, `notes` what words were taken for, `features` what a ranker weighs;
    `held` are the columns it reads, as (relation, column), those of nested queries too.
    """

    query: RowQuery
    features: Features = field(hash=False, compare=False)
    spans: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[tuple[str, str], ...] = ()
    score: float = 0.0
    held: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Effect:
    """One way in which some pieces change a query over a certain relation."""

    used: frozenset[int]
    tests: tuple[Condition, ...] = ()
    best: Best | None = None
    counted: tuple[Path, str, bool] | None = None
    group: tuple[Item, ...] = ()
    having: tuple[Condition, ...] = ()
    order: tuple[tuple[Item, bool], ...] = ()
    limit: int | None = None
    offset: int = 0
    select: tuple[Item, ...] = ()
    features: Features = field(default_factory=dict, hash=False, compare=False)
    notes: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """Rows of `root`, of each of which (or of all together) `items` are asked; `shape` when groups and order are settled too."""

    root: str
    items: tuple[Item, ...]
    used: frozenset[int]
    features: Features = field(default_factory=dict, hash=False, compare=False)
    notes: tuple[tuple[int, str], ...] = ()
    tests: tuple[Condition, ...] = ()
    shape: RowQuery | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """Some pieces of a question read together: those that say something, each with its place in the question.

    A piece of kind "set" stands for a stretch already read, whose draft is in `sets` under its start.
    """

    scheme: Scheme
    question: CutQuestion
    pieces: tuple[QuestionPiece, ...]
    sets: dict[int, ProgramDraft] = field(default_factory=dict)
    top: bool = True

    def role(self, at: int) -> str:
        """What a word of the lexicon at this place does, "" when something else stands there or nothing."""
        if 0 <= at < len(self.pieces):
            word = self.pieces[at].word
            return word.role if word and self.pieces[at].kind == "word" else ""
        return ""

    def kind(self, at: int) -> str:
        """The kind of the piece at this place, "" outside."""
        return self.pieces[at].kind if 0 <= at < len(self.pieces) else ""

    def names(self, places: Iterable[int] | None = None) -> list[int]:
        """Where names of columns and tables stand, of these places or of all."""
        return [at for at in (range(len(self.pieces)) if places is None else places) if self.kind(at) == "name"]

    def first(self, roles: Container[str]) -> int | None:
        """Where the first word with one of these roles stands."""
        return next((at for at in range(len(self.pieces)) if self.role(at) in roles), None)

    def is_compound(self, at: int) -> bool:
        """Whether the piece behind is a name too, with nothing in between."""
        return self.kind(at + 1) == "name" and not self.lead(at + 1).strip()

    def lead(self, at: int) -> str:
        """The words that say nothing by themselves in front of a piece, with the marks between, in lower case."""
        return self.pieces[at].gap.lower() if 0 <= at < len(self.pieces) else ""

    def joined(self, at: int) -> bool:
        """Whether the piece goes on a list that the one before it is in."""
        return bool(
            re.fullmatch(
                r"(?:\s|,|and|as well as|along with|together with|or|/|the|their|its|each|his|her|all|&)*",
                self.lead(at),
            )
        ) and bool(re.search(r",|\band\b|\bor\b|/|&|as well as|with", self.lead(at)))

    def adjacent(self, at: int) -> bool:
        """Whether nothing but articles and blanks stands between the piece and the one before it."""
        return at > 0 and bool(re.fullmatch(r"(?:\s|the|a|an|all|of|its|their|in|-|')*", self.lead(at)))


def amount(draft: Features, name: str, value: float = 1.0) -> None:
    """Add to a feature."""
    draft[name] = draft.get(name, 0.0) + value


def merged(*many: Features) -> Features:
    """The sum of features."""
    total: Features = {}
    for draft in many:
        for name, value in draft.items():
            total[name] = total.get(name, 0.0) + value
    return total


def columns(query: RowQuery) -> Iterator[tuple[str, str]]:
    """Every column that a query reads or walks along, as (relation, column); those of queries nested in it left out."""
    yield query.relation, ""
    for part in fields(query):
        yield (part.path[-1].to if part.path else query.relation), part.column
        yield from _steps(query.relation, part.path)
    yield from _tested(query.relation, (*query.tests, *query.having))


def _steps(relation: str, path: Path) -> Iterator[tuple[str, str]]:
    for step in path:
        for place in (
            *((relation, column) for column in step.columns),
            *((step.to, column) for column in step.to_columns),
        ):
            # an identifier walked along is not thereby asked for
            yield (place[0], "") if _IDENTIFIER.search(place[1]) else place
        relation = step.to


_IDENTIFIER = re.compile(r"(?:id|key|code)$", re.IGNORECASE)


def _tested(relation: str, tests: Iterable[Condition]) -> Iterator[tuple[str, str]]:
    for test in tests:
        if isinstance(test, Related):
            yield from _steps(relation, test.path)
            end = test.path[-1].to
            for inner in test.tests:
                for part in fields(inner):
                    yield (part.path[-1].to if part.path else end), part.column
            yield from _tested(end, test.tests)
        elif isinstance(test, Either):
            yield from _tested(relation, test.tests)


def fits_kinds(column: Column, kinds: tuple[str, ...]) -> int:
    """The place of the first of these quantities that a column's name says, -1 when it says none."""
    words = set(canonical(" ".join((column.readable, column.name.replace("_", " "), *column.also))))
    for at, kind in enumerate(kinds):
        if set(canonical(kind)) & words:
            return at
    return -1


def best_mentions(piece: QuestionPiece, margin: float = 0.35) -> tuple[Mention, ...]:
    """The mentions of a piece that come close to its best."""
    top = max((mention.score for mention in piece.mentions), default=0)
    return tuple(mention for mention in piece.mentions if mention.score >= top - margin)


Slot: TypeAlias = "list[Effect]"
"""The ways in which some pieces can be taken, of which one is used."""
Generator: TypeAlias = "Callable[[Level, str, frozenset[int]], Iterator[Slot]]"
"""From a level, the relation whose rows are looked for and the pieces already taken: the slots of the others."""


def negation(level: Level, at: int) -> int | None:
    """The place of the "not" that is about the piece at a place, None without one."""
    for place in range(at - 1, -1, -1):
        if level.role(place) == "not":
            return place
        if level.kind(place) in ("value", "number", "set", "date") or level.role(place) in ("best", "count", "each"):
            return None
    return None


def negated(test: Condition) -> Condition:
    """The test turned around."""
    return replace(test, negated=not test.negated) if isinstance(test, Test | Related) else test
