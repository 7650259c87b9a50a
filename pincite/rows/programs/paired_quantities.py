"""One quantity of two things set against each other: "how much denser is A than B", "the ratio of X of A to X of B"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Literal

from pincite.rows.programs.draft_parts import Features, Level, Target, best_mentions, fits_kinds
from pincite.rows.programs.pieces import Mention
from pincite.rows.programs.program import Aggregate, Combined, Field, Nested, RowQuery, Test
from pincite.rows.programs.scheme import quantity


def pairs(level: Level) -> Iterator[Target]:
    """One quantity of two things set against each other: its ratio or difference for two values of one column."""
    role = _role(level)
    if role is None or not level.top or level.sets:
        return
    values = [at for at in level.places if level.kind(at) == "value"]
    for first, second in islice(combinations(values, 2), 4):
        others = [at for at in values if at not in (first, second)]
        for left in level.pieces[first].mentions:
            rights = (
                mention for mention in level.pieces[second].mentions if mention.place == left.place
            )
            for right in islice(rights, 1):
                yield from _paired(level, role, (first, left), (second, right), others)


def _role(level: Level) -> int | None:
    """Where the word stands that sets two numbers against each other, as in "by how many MPa does the strength of A exceed"."""
    role = level.first(("ratio", "difference"))
    if role is not None:
        return role
    return next(
        (at for at in level.places if level.role(at) == "count" and level.kind(at + 1) == "unit"),
        None,
    )


def _paired(
    level: Level,
    role: int,
    first: tuple[int, Mention],
    second: tuple[int, Mention],
    others: list[int],
) -> Iterator[Target]:
    """Each quantity of two rows of one table that are told apart by values of one column; `others` are values of both."""
    left, right = first[1], second[1]
    relation = left.relation
    shared = {
        at: m for at in others for m in level.pieces[at].mentions[:1] if m.relation == relation
    }
    common = [
        Test(Field(mention.column), mention.within, mention.value) for mention in shared.values()
    ]
    names = level.names()
    sign: Literal["/", "-"] = "/" if level.role(role) == "ratio" else "-"
    for at, column, features in _pair_columns(level, relation, names, role):
        halves = []
        for value in (left.value, right.value):
            tests = (Test(Field(left.column), "=", value), *common)
            halves.append(Nested(RowQuery(relation, (Aggregate("avg", Field(column)),), tests)))
        shape = RowQuery(relation, (Combined(sign, *halves),), limit=1)
        again = [
            place
            for place in names
            if (relation, column) in {m.place for m in level.pieces[place].mentions}
        ]
        notes = (
            (at, f"the column {relation}.{column}"),
            *((place, f"a value of {relation}.{left.column}") for place, _ in (first, second)),
        )
        features = {
            **features,
            "pair": 1.0,
            "value match": min(left.score, right.score),
            "left in pair": float(len(others) - len(shared)),
        }
        used = frozenset((role, first[0], second[0], at, *shared, *again))
        yield Target(relation, shape.select, used, features, notes, shape=shape)


def _pair_columns(
    level: Level, relation: str, names: list[int], role: int
) -> Iterator[tuple[int, str, Features]]:
    """The quantities of a relation that a difference can be of: named, else by the adjective."""
    for at in names:
        for held in best_mentions(level.pieces[at], 0.4):
            if (
                held.relation == relation
                and held.column
                and quantity(level.scheme.column(*held.place))
            ):
                yield at, held.column, {"name match": held.score}
    for column in level.scheme.database.relation(relation).columns:
        if fits_kinds(column, level.pieces[role].kinds) >= 0 and quantity(column):
            yield role, column.name, {"kind": 1.0}
