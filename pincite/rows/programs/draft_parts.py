"""What is put together while a question is read: drafts of programs, what words they explain, and why."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

from pincite.database.relations.model import Column
from pincite.lexicon import pattern, word_list, word_set
from pincite.rows.programs.pieces import CutQuestion, Mention, QuestionPiece
from pincite.rows.programs.program import (
    Best,
    Condition,
    Item,
    Part,
    Path,
    Related,
    RowQuery,
    Test,
)
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
class CountedRows:
    """The rows of `relation` at the end of `path`, by whose number others are chosen: the largest, or the smallest."""

    path: Path
    relation: str
    largest: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """One way in which some pieces change a query over a certain relation."""

    used: frozenset[int]
    tests: tuple[Condition, ...] = ()
    best: Best | None = None
    counted: CountedRows | None = None
    group: tuple[Item, ...] = ()
    having: tuple[Condition, ...] = ()
    order: tuple[tuple[Item, bool], ...] = ()
    limit: int | None = None
    offset: int = 0
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

    @property
    def places(self) -> range:
        """The places of all pieces."""
        return range(len(self.pieces))

    def role(self, at: int) -> str:
        """What a word of the lexicon at this place does, "" when something else stands there or nothing."""
        return self.pieces[at].role if self.kind(at) == "word" else ""

    def kind(self, at: int) -> str:
        """The kind of the piece at this place, "" outside."""
        return self.pieces[at].kind if at in self.places else ""

    def names(self, places: Iterable[int] | None = None) -> list[int]:
        """Where names of columns and tables stand, of these places or of all."""
        return [
            at for at in (self.places if places is None else places) if self.kind(at) == "name"
        ]

    def first(self, roles: Container[str]) -> int | None:
        """Where the first word with one of these roles stands."""
        return next((at for at in self.places if self.role(at) in roles), None)

    def is_compound(self, at: int) -> bool:
        """Whether the piece behind is a name too, with nothing in between."""
        return self.kind(at + 1) == "name" and not self.lead(at + 1).strip()

    def lead(self, at: int) -> str:
        """The words that say nothing by themselves in front of a piece, with the marks between, in lower case."""
        return self.pieces[at].gap.lower() if at in self.places else ""

    def joined(self, at: int) -> bool:
        """Whether the piece goes on a list that the one before it is in."""
        lead = self.lead(at)
        return _LIST.fullmatch(lead) is not None and _BETWEEN_ITEMS.search(lead) is not None

    def begins_sentence(self, at: int) -> bool:
        """Whether a sentence or a clause ends in front of the piece."""
        return at > 0 and _SENTENCE.search(self.lead(at)) is not None

    def follows_by(self, at: int) -> bool:
        """Whether the piece stands behind "by"."""
        return _BY.search(self.lead(at)) is not None


_LIST = pattern("rows", "list", "joints")
_BETWEEN_ITEMS = pattern("rows", "between items", "joints")
_SENTENCE = pattern("rows", "sentence", "joints")
_BY = pattern("rows", "by", "joints")


def add(features: Features, name: str, value: float = 1.0) -> None:
    """Add to a feature."""
    features[name] = features.get(name, 0.0) + value


def merged(*many: Features) -> Features:
    """The sum of features."""
    total: Features = {}
    for features in many:
        for name, value in features.items():
            add(total, name, value)
    return total


def fits_kinds(column: Column, kinds: tuple[str, ...]) -> int:
    """The place of the first of these quantities that a column's name says, -1 when it says none."""
    words = set(canonical(" ".join((column.readable, column.name, *column.also))))
    return next((at for at, kind in enumerate(kinds) if words.intersection(canonical(kind))), -1)


def best_mentions(piece: QuestionPiece, margin: float = 0.35) -> tuple[Mention, ...]:
    """The mentions of a piece that come close to its best."""
    top = max((mention.score for mention in piece.mentions), default=0)
    return tuple(mention for mention in piece.mentions if mention.score >= top - margin)


PARTS: dict[str, Part] = {}
"""Words for parts of a time -> the part."""
for _part, *_words in map(str.split, word_list("rows", "parts of time")):
    PARTS |= dict.fromkeys((_part, *_words), cast(Part, _part))
ADVERBS = word_set("rows", "adverbs of time")
"""Those that split by themselves how often something is counted."""
ORDERING = ("order", "falling", "rising")
"""Words that put rows in order."""
OPERANDS = ("value", "number", "date", "set")
"""Kinds of pieces that rows are compared with."""
Slot: TypeAlias = "list[Effect]"
"""The ways in which some pieces can be taken, of which one is used."""
Generator: TypeAlias = "Callable[[Level, str, frozenset[int]], Iterator[Slot]]"
"""From a level, the relation whose rows are looked for and the pieces already taken: the slots of the others."""


def negation(level: Level, at: int) -> int | None:
    """The place of the "not" that is about the piece at a place, None without one."""
    for place in reversed(level.places[:at]):
        if level.role(place) == "not":
            return place
        if level.kind(place) in OPERANDS or level.role(place) in ("best", "count", "each"):
            return None
    return None


def negated(test: Condition) -> Condition:
    """The test turned around."""
    return replace(test, negated=not test.negated) if isinstance(test, Test | Related) else test


def denied(effect: Effect, no: int | None) -> Effect:
    """An effect with its tests turned around by the "not" at a place; as it is where there is none."""
    if no is None:
        return effect
    return replace(effect, used=effect.used | {no}, tests=tuple(map(negated, effect.tests)))
