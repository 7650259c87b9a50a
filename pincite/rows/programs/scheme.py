"""A database as questions see it: what its tables and columns are called, what a row is named by, and which way leads where."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice

from pincite.database.relations.column_heading import readable
from pincite.database.relations.model import NUMERIC, TEMPORAL, Column, Database, Relation
from pincite.database.relations.name_folding import fold, stems
from pincite.lexicon import pattern, word_list
from pincite.rows.programs.program import Path, Step
from pincite.rows.programs.table_words import SYNONYMS

Place = tuple[str, str]
"""A relation and one of its columns, by name."""

IDENTIFIER = pattern("rows", "identifier", "columns")
"""Names of columns that number rows."""
LONGEST, WAYS = 4, 8
"""Steps of the longest path from a relation to another, and so many paths between two."""
_NOT_NAMING = pattern("rows", "not naming", "columns")


@lru_cache(maxsize=1)
def _canon() -> dict[str, str]:
    return {stems(word): stems(group.split()[0]) for group in SYNONYMS for word in group.split()}


@lru_cache(maxsize=20_000)
def canonical(text: str) -> tuple[str, ...]:
    """The stems of a phrase, each the one that stands for all words of the same meaning."""
    known = _canon()
    return tuple(known.get(part, part) for part in stems(text).split())


@dataclass(frozen=True, slots=True)
class Name:
    """What a relation (then `column` is "") or a column is called.

    `words` are canonical stems, meant only `whole` or in part too; `head` is the chief one; `last` stands last where it is
    said ("capital city", not "city capital").
    """

    relation: str
    column: str
    words: tuple[str, ...]
    whole: bool = False
    head: str = ""
    last: str = ""

    def may_be(self, said: Sequence[str]) -> bool:
        """Whether it may be meant by some words, in canonical stems."""
        words, wanted = set(self.words), set(said)
        return (
            wanted <= words and (not self.whole or wanted == words) and self.last in ("", said[-1])
        )


@dataclass(frozen=True, slots=True)
class Scheme:
    """A database prepared for linking and for finding paths.

    `labels` is the column that names a relation's rows, `keys` the one that tells them apart, `homes` the column that a
    linked column points to in the end; `several` are relations with more rows than things: the things are told apart by
    their label alone, and a thing has a row for each value of some other column.
    """

    database: Database
    names: tuple[Name, ...]
    steps: dict[str, tuple[Step, ...]]
    labels: dict[str, str]
    keys: dict[str, str]
    homes: dict[Place, Place]
    several: frozenset[str]
    paths: dict[tuple[str, str], tuple[Path, ...]] = field(default_factory=dict, compare=False)
    reached: dict[tuple[str, str], list[tuple[Path, dict[str, float]]]] = field(
        default_factory=dict, compare=False
    )

    def column(self, relation: str, column: str) -> Column:
        """A column with its profile."""
        return self.database.relation(relation).column(column)

    def home(self, relation: str, column: str) -> Place:
        """Where the values of a column are at home: the end of its links, else itself."""
        return self.homes.get((relation, column), (relation, column))

    def ways(self, start: str, end: str) -> tuple[Path, ...]:
        """The paths from a relation to another, shortest first, at most a few.

        From a relation to itself: through a relation that is linked with it twice.
        """
        if (start, end) not in self.paths:
            self.paths[start, end] = tuple(islice(_ways(self.steps, start, end), WAYS))
        return self.paths[start, end]


def _ways(steps: dict[str, tuple[Step, ...]], start: str, end: str) -> Iterator[Path]:
    """The ways from one relation to another that are as short as the shortest, of `LONGEST` steps at most."""
    waiting: deque[Path] = deque([()])
    longest = LONGEST
    while waiting:
        path = waiting.popleft()
        if len(path) > longest:
            return
        here = path[-1].to if path else start
        if path and here == end:
            longest = len(path)
            yield path
            continue
        passed = (
            {step.to for step in path} if start == end else {start, *(step.to for step in path)}
        )
        for step in steps.get(here, ()):
            if step.to not in passed and not _leads_back(path, step, start):
                waiting.append((*path, step))


def _leads_back(path: Path, step: Step, start: str) -> bool:
    """Whether a step goes back to where the last one came from: a shorter path leads there."""
    if not path or path[-1].to_columns != step.columns:
        return False
    if len(path) == 1:
        return step.to == start
    return path[-1].columns == step.to_columns and step.to == path[-2].to


def scheme(database: Database) -> Scheme:
    """Prepare a profiled database."""
    steps: dict[str, list[Step]] = {}
    for relation in database.relations:
        for link in relation.links:
            steps.setdefault(relation.name, []).append(
                Step(link.columns, link.to, link.to_columns)
            )
            steps.setdefault(link.to, []).append(
                Step(link.to_columns, relation.name, link.columns)
            )
    homes = _homes(database)
    labels = {relation.name: label(relation) for relation in database.relations}
    several = (
        relation.name
        for relation in database.relations
        if _several(relation, labels[relation.name])
    )
    return Scheme(
        database,
        tuple(dict.fromkeys(_names(database, homes))),
        {name: tuple(dict.fromkeys(ways)) for name, ways in steps.items()},
        labels,
        {relation.name: _key(relation, labels[relation.name]) for relation in database.relations},
        homes,
        frozenset(several),
    )


def _homes(database: Database) -> dict[Place, Place]:
    """The column that each linked column points to in the end."""
    homes: dict[Place, Place] = {}
    for relation in database.relations:
        for link in relation.links:
            if len(link.columns) == 1 and (link.to, link.to_columns[0]) != (
                relation.name,
                link.columns[0],
            ):
                homes.setdefault((relation.name, link.columns[0]), (link.to, link.to_columns[0]))
    for place in list(homes):
        seen = {place}
        while (target := homes[place]) in homes and target not in seen:
            seen.add(target)
            homes[place] = homes[target]
    return homes


def label(relation: Relation) -> str:
    """The column whose value people would name a row of this relation by."""
    own = set(canonical(relation.readable or relation.name))
    linked = _linked(relation)

    def fitness(pair: tuple[int, Column]) -> float:
        at, column = pair
        words = canonical(readable(column))
        score = -0.05 * at
        if column.type == "text":
            score += 2
        if words and words[-1] in _NAMING:
            score += 3 - 0.3 * _NAMING[words[-1]]
        if own & set(words):
            score += 1.5 if words[0] in own else 1
        if _NOT_NAMING.search(column.name):
            score -= 4
        if column.name in linked:
            score -= 2
        if relation.rows:
            score += 1.5 * min(1.0, column.distinct / relation.rows)
        return score

    return max(enumerate(relation.columns), key=fitness)[1].name if relation.columns else ""


def _linked(relation: Relation) -> set[str]:
    """The columns that name rows of other relations."""
    return set(chain.from_iterable(link.columns for link in relation.links))


_NAMING = {
    canonical(word)[0]: rank
    for rank, word in reversed([*enumerate(word_list("rows", "naming columns"))])
}
"""The words that end the name of a column that names rows -> their rank, the best 0."""


def _key(relation: Relation, named: str) -> str:
    if len(relation.key) == 1:
        return relation.key[0]
    for column in relation.columns:
        if IDENTIFIER.search(column.name) and column.distinct >= relation.rows > 0:
            return column.name
    return named


def _several(relation: Relation, named: str) -> bool:
    """Whether several rows are of one thing: its name comes back, always with the same numbers."""
    if not relation.rows or not relation.columns or relation.key:
        return False
    name = relation.column(named)
    if name.type != "text" or name.distinct > 0.8 * relation.rows:
        return False
    linked = _linked(relation)
    columns = (
        column
        for column in relation.columns
        if column.type in NUMERIC and column.name not in linked
    )
    different = [column.distinct for column in columns if column.distinct > 1]
    return bool(different) and max(different) <= name.distinct


def _names(database: Database, homes: dict[Place, Place]) -> Iterator[Name]:
    owners = {relation.name: _called(relation) for relation in database.relations}
    for relation in database.relations:
        own = owners[relation.name]
        for words in own:
            yield Name(relation.name, "", words, False, words[-1])
        for column in relation.columns:
            at_home, _ = homes.get((relation.name, column.name), (relation.name, ""))
            kinds = owners[at_home] if at_home != relation.name else ()
            for said in (column.readable, column.name, *column.also):
                if words := canonical(_apart(said)):
                    yield Name(relation.name, column.name, words, False, _head(said, words))
                    for owner in _single(own, words):
                        yield Name(relation.name, column.name, (owner, *words), True)
                    for kind in _single(kinds, words):
                        yield Name(relation.name, column.name, (*words, kind), True, last=kind)


def _single(names: Iterable[tuple[str, ...]], words: tuple[str, ...]) -> list[str]:
    """Names of one word that is not among these."""
    return [name[0] for name in names if len(name) == 1 and name[0] not in words]


def _called(relation: Relation) -> list[tuple[str, ...]]:
    """What the rows of a relation are called, in canonical stems."""
    own = [
        words
        for said in (relation.readable, relation.name, *relation.also)
        if (words := canonical(_apart(said)))
    ]
    shortened = []
    for words in own:
        shorter = tuple(word for word in words if word not in _QUALIFIERS)
        if shorter and shorter != words:
            shortened.append(shorter)
    return own + shortened


def _head(said: str, words: tuple[str, ...]) -> str:
    """The chief word of a name: the last one before a preposition."""
    chief = canonical(pattern("rows", "preposition", "joints").split(_apart(said))[0])
    return chief[-1] if chief else words[-1]


_QUALIFIERS = frozenset(
    word for part in word_list("rows", "qualifiers") for word in canonical(part)
)
"""What the names of tables say beside what their rows are."""


def _apart(name: str) -> str:
    """The words of a name written in one: snake_case and camelCase."""
    return fold(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name))


def temporal(column: Column) -> bool:
    """Whether a column holds dates or times."""
    return column.type in TEMPORAL


def dated(column: Column) -> bool:
    """Whether a column holds dates or times, or years as numbers."""
    return temporal(column) or "year" in canonical(column.name)


def quantity(column: Column) -> bool:
    """Whether a column holds amounts, which can be compared and added, rather than names and numbers that name."""
    if column.type not in NUMERIC:
        return bool(
            column.type == "text"
            and column.values
            and all(_NUMBER.fullmatch(value) for value in column.values[:20])
        )
    return not pattern("rows", "no amount", "columns").search(column.name)


_NUMBER = re.compile(r"\s*+[-+]?\d[\d,]*+(?:\.\d++)?\s*+")
