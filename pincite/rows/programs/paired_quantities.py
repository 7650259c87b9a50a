"""One quantity of two things set against each other: "how much denser is A than B", "the ratio of X of A to X of B"."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.rows.programs.draft_parts import Features, Level, Target, best_mentions, fits_kinds
from pincite.rows.programs.program import Aggregate, Combined, Field, Nested, RowQuery, Test
from pincite.rows.programs.scheme import quantity


def pairs(level: Level) -> Iterator[Target]:
    """One quantity of two things set against each other: its ratio or difference for two values of one column."""
    role = next((at for at in range(len(level.pieces)) if level.role(at) in ("ratio", "difference")), None)
    if role is None:  # "by how many MPa does the strength of A exceed that of B"
        role = next(
            (at for at in range(len(level.pieces) - 1) if level.role(at) == "count" and level.kind(at + 1) == "unit"),
            None,
        )
    if role is None or not level.top or level.sets:
        return
    values = [at for at in range(len(level.pieces)) if level.kind(at) == "value"]
    names = [at for at in range(len(level.pieces)) if level.kind(at) == "name"]
    sign = "/" if level.role(role) == "ratio" else "-"
    for one, other in [(a, b) for i, a in enumerate(values) for b in values[i + 1 :]][:4]:
        others = [at for at in values if at not in (one, other)]
        for left in level.pieces[one].mentions:
            right = next(
                (m for m in level.pieces[other].mentions if (m.relation, m.column) == (left.relation, left.column)),
                None,
            )
            if right is None or left.value is None or right.value is None:
                continue
            shared = [
                (at, m)
                for at in others
                for m in level.pieces[at].mentions[:1]
                if m.relation == left.relation and m.value is not None
            ]
            for at, column, features in _pair_columns(level, left.relation, names, role):
                common = tuple(Test(Field(m.column), m.within, m.value) for _, m in shared)
                halves = [
                    Nested(
                        RowQuery(
                            left.relation,
                            (Aggregate("avg", Field(column)),),
                            (Test(Field(left.column), "=", value), *common),
                        )
                    )
                    for value in (left.value, right.value)
                ]
                again = {
                    place
                    for place in names
                    if any((m.relation, m.column) == (left.relation, column) for m in level.pieces[place].mentions)
                }
                shape = RowQuery(left.relation, (Combined(sign, halves[0], halves[1]),), limit=1)  # type: ignore[arg-type]
                notes = (
                    (at, f"the column {left.relation}.{column}"),
                    (one, f"a value of {left.relation}.{left.column}"),
                    (other, f"a value of {left.relation}.{left.column}"),
                )
                used = frozenset({role, one, other, at, *(place for place, _ in shared)} | again)
                features = {
                    **features,
                    "pair": 1.0,
                    "value match": min(left.score, right.score),
                    "left in pair": float(len(others) - len(shared)),
                }
                yield Target(left.relation, shape.select, used, features, notes, (), shape)


def _pair_columns(level: Level, relation: str, names: list[int], role: int) -> Iterator[tuple[int, str, Features]]:
    """The quantities of a relation that a difference can be of: named, else by the adjective."""
    for at in names:
        for held in best_mentions(level.pieces[at], 0.4):
            if held.relation == relation and held.column and quantity(level.scheme.column(relation, held.column)):
                yield at, held.column, {"name match": held.score}
    word = level.pieces[role].word
    for column in level.scheme.database.relation(relation).columns:
        if word and word.kinds and fits_kinds(column, word.kinds) >= 0 and quantity(column):
            yield role, column.name, {"kind": 1.0}
