"""The largest, the first few, the second: by a named column, by the kind of quantity, by how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from pincite.database.relations.model import Column, Relation
from pincite.lexicon import pattern
from pincite.rows.programs.comparisons import than
from pincite.rows.programs.draft_parts import (
    CountedRows,
    Effect,
    Features,
    Level,
    Slot,
    best_mentions,
    fits_kinds,
)
from pincite.rows.programs.field_paths import field_options, quantity_like, reach
from pincite.rows.programs.pieces import Amount, Mention, QuestionPiece
from pincite.rows.programs.program import Best, Field, Item, Path, RowQuery, Test, explain
from pincite.rows.programs.scheme import quantity, temporal
from pincite.rows.programs.table_words import ADJECTIVES, FORMS


@dataclass(frozen=True, slots=True)
class _Ranks:
    """Which of the best are wanted: all that share the first rank (no `limit`), or so many, after `offset` others.

    `used` are the pieces of the superlative; what it is about begins at `behind`.
    """

    used: frozenset[int]
    behind: int
    limit: int | None = None
    offset: int = 0


def bests(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """The largest and smallest, the first few, the second: by a named column, by the kind of quantity, by how many there are."""
    for at in level.places:
        role = level.role(at)
        if at in taken or not (role.startswith("best") or role == "more" and not than(level, at)):
            continue
        ranks, largest = _ranks(level, at, taken), level.pieces[at].sign > 0
        slot: Slot = []
        for item, reason in _by(level, root, at, ranks.behind):
            slot += _ranked(item, reason, largest, ranks)
        for effect in _most(level, root, at, ranks, taken):
            slot.append(effect)
        if slot:
            yield slot


def _ranks(level: Level, at: int, taken: frozenset[int]) -> _Ranks:
    """Which of the best a superlative asks for, with the number beside it: "top 3", "the 3 largest", "second largest"."""
    if level.kind(at + 1) == "number" and not level.lead(at + 1).strip():
        return _Ranks(frozenset({at, at + 1}), at + 2, _whole(level.pieces[at + 1].amount))
    if (
        level.kind(at - 1) == "number"
        and _ADJACENT.fullmatch(level.lead(at))
        and at - 1 not in taken
    ):
        return _Ranks(frozenset({at, at - 1}), at + 1, _whole(level.pieces[at - 1].amount))
    if level.role(at - 1) == "ordinal":
        return _Ranks(frozenset({at, at - 1}), at + 1, 1, level.pieces[at - 1].sign - 1)
    return _Ranks(frozenset({at}), at + 1)


_ADJACENT = pattern("rows", "before a superlative", "joints")


def _whole(amount: Amount | None) -> int | None:
    """A number of rows; None for one that is none, or too large for one."""
    if amount and amount.value == amount.value.to_integral_value() and 0 < amount.value < 10_000:
        return int(amount.value)
    return None


def _ranked(item: Item, reason: Effect, largest: bool, ranks: _Ranks) -> Slot:
    """The best by an item, and the same rows put in order."""
    used, order = reason.used | ranks.used, ((item, largest),)
    if ranks.limit is not None:
        features = {**reason.features, "top n": 1.0}
        return [
            replace(
                reason,
                used=used,
                order=order,
                limit=ranks.limit,
                offset=ranks.offset,
                features=features,
            )
        ]
    features = {**reason.features, "best as order": 1.0}
    return [
        replace(reason, used=used, best=Best(item, largest)),
        replace(reason, used=used, order=order, features=features),
    ]


_Measure: TypeAlias = "tuple[Item, Effect]"
"""A quantity, and why it is the one meant."""


def _by(level: Level, root: str, at: int, behind: int) -> Iterator[_Measure]:
    """The quantities that a superlative may be of: columns named behind it, then those of the kind that it is about."""
    for place, how in _named_behind(level, at, behind)[:4]:
        for field, features, mention in field_options(level, level.pieces[place], root)[:4]:
            if (
                not mention.column
                or how == "compound"
                and not _may_own(level.pieces[behind], mention.relation)
            ):
                continue
            held = level.scheme.column(*mention.place)
            if (own := _fitness(level.pieces[at], held)) is not None:
                used = frozenset({place, behind} if how == "compound" else {place})
                notes = ((place, f"the column {mention.relation}.{mention.column}"),)
                yield field, Effect(used, features={**features, how: 1.0, **own}, notes=notes)
    yield from _by_kind(level, root, at)


def _named_behind(level: Level, at: int, behind: int) -> list[tuple[int, str]]:
    """The names behind a superlative that may be of its quantity, with how they stand to it, the likeliest first."""
    places: dict[int, str] = {}
    if level.kind(behind) == "name":
        if level.is_compound(behind):
            places[behind + 1] = "compound"
        places[behind] = "argument"
    for place in level.names(level.places[at + 1 :]):
        if _SAYS_BY.search(level.lead(place)):
            places.setdefault(place, "by name")
    return list(places.items())


_SAYS_BY = pattern("rows", "by a quantity", "joints")


def _may_own(piece: QuestionPiece, relation: str) -> bool:
    """Whether a name in front of a column's may be that of its relation: "city population" is no column of states."""
    tables = {
        mention.relation
        for mention in piece.mentions
        if not mention.column and mention.score > 0.7
    }
    return not tables or relation in tables


def _fitness(word: QuestionPiece, held: Column) -> Features | None:
    """What speaks for and against a column for a superlative; None for names, which are neither large nor small."""
    features: Features = {}
    if not (quantity(held) or temporal(held)):
        if word.kinds and "date" not in word.kinds:
            return None
        features["best of text"] = 1.0
    if fits_kinds(held, word.kinds) >= 0:
        features["kind agrees"] = 1.0
    if _is_opposite(held, word.sign > 0):
        features["opposite"] = 1.0
    return features


def _by_kind(level: Level, root: str, at: int) -> Iterator[_Measure]:
    """Columns of the kind of quantity that the superlative is about: "largest" is of areas."""
    ranked = []
    for relation in level.scheme.database.relations:
        fitting = _fitting(relation, level.pieces[at])
        for path, features in reach(level.scheme, root, relation.name)[:3]:
            for order, name in enumerate(fitting if len(path) < 2 else ()):
                far = len(path), features.get("special link", 0.0), order
                ranked.append((far, Field(name, path), features, f"{relation.name}.{name}"))
    ranked.sort(key=lambda entry: entry[0])
    for (_, _, order), field, features, where in ranked[:4]:
        own = {**features, "kind": 1.0, "kind order": float(order)}
        yield field, Effect(frozenset(), features=own, notes=((at, f"the kind of {where}"),))


def _fitting(relation: Relation, word: QuestionPiece) -> list[str]:
    """The columns of the kinds of quantity of a word, the likeliest first, but for the extremes of the other end."""
    found = []
    for held in relation.columns:
        rank = fits_kinds(held, word.kinds)
        if (
            rank >= 0
            and not _is_opposite(held, word.sign > 0)
            and (quantity(held) or temporal(held))
        ):
            found.append((rank, held.name))
    return [name for _, name in sorted(found)]


def _is_opposite(held: Column, largest: bool) -> bool:
    """Whether a column is an extreme of the other end by its name."""
    return _extreme_sign(held.name) == (-1 if largest else 1)


def _extreme_sign(name: str) -> int:
    """1 for a column that is a largest something by its name ("highest_elevation"), -1 for a smallest, else 0."""
    return next((ADJECTIVES[FORMS[word][0]][0] for word in _extremes_in(name)), 0)


def _extremes_in(name: str) -> list[str]:
    """The superlatives in the name of a column."""
    return [
        word for word in name.replace("_", " ").lower().split() if FORMS.get(word, ("", 0))[1] == 2
    ]


def _most(
    level: Level, root: str, at: int, ranks: _Ranks, taken: frozenset[int]
) -> Iterator[Effect]:
    """The relations whose rows are counted for each row of `root`."""
    place = ranks.behind + (level.role(ranks.behind) == "count")
    while level.kind(place) == "value" or level.role(place) == "distinct":
        place += 1
    if level.kind(place) != "name":
        return
    used = ranks.used.union(
        beside for beside in range(ranks.behind, place + 1) if level.kind(beside) != "value"
    )
    word = level.pieces[at]
    more = {"kinds idle": 1.0} if word.kinds else {}
    for mention in best_mentions(level.pieces[place], 0.55):
        if mention.column not in ("", level.scheme.labels[mention.relation]):
            continue
        for path, features in _ways_to_count(level, root, mention.relation):
            yield Effect(
                used,
                counted=CountedRows(path, mention.relation, word.sign > 0),
                limit=ranks.limit,
                offset=ranks.offset,
                features={**features, "name match": mention.score, **more, "by count": 1.0},
                notes=((at, f"by the number of {mention.relation}"),),
            )


def _ways_to_count(level: Level, root: str, relation: str) -> list[tuple[Path, Features]]:
    """The paths from rows of a relation to others, of the same relation too."""
    if relation == root:
        return [(path, {"steps": float(len(path))}) for path in level.scheme.ways(root, root)]
    return reach(level.scheme, root, relation)[:4]


def _extreme(level: Level, mention: Mention) -> Best | None:
    """For a column that is a superlative by its name ("highest point"): the quantity beside it of which it is the extreme."""
    extremes = set(_extremes_in(mention.column))
    if not extremes:
        return None
    relation = level.scheme.database.relation(mention.relation)
    beside = [
        held.name for held in relation.columns if extremes.intersection(_extremes_in(held.name))
    ]
    amounts = (
        name for name in (mention.column, *beside) if quantity_like(level, mention.relation, name)
    )
    column = next(amounts, None)
    return None if column is None else Best(Field(column), _extreme_sign(mention.column) > 0)


def opposed(best: Item, asked: tuple[Item, ...]) -> bool:
    """Whether rows are chosen by one extreme and asked for the other: the lowest elevation where the highest is most."""
    sign = _extreme_sign(best.column) if isinstance(best, Field) else 0
    return bool(sign) and any(
        isinstance(item, Field) and _extreme_sign(item.column) == -sign for item in asked
    )


def extremes(
    level: Level, root: str, mention: Mention, used: frozenset[int], at: int
) -> Iterator[Effect]:
    """Rows linked with the row where such a column is the extreme: "the state with the highest point"."""
    best = _extreme(level, mention)
    for path, features in reach(level.scheme, root, mention.relation)[:2]:
        if best is not None and len(path) == 1 and len(path[0].columns) == 1:
            inner = RowQuery(mention.relation, (Field(path[0].to_columns[0]),), best=best)
            yield Effect(
                used,
                tests=(Test(Field(path[0].columns[0]), "in", inner),),
                features={
                    **features,
                    "implied best": 1.0,
                    "name match": mention.score,
                    "implied elsewhere": 1.0,
                },
                notes=(
                    (
                        at,
                        f"{mention.relation}.{mention.column}, where {explain(best.item)} is the extreme",
                    ),
                ),
            )


def implied(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """A column that is itself a superlative ("highest point") is of the row where the quantity beside it is the extreme."""
    if level.first(("best",)) is not None:
        return
    for at in level.names():
        for mention in best_mentions(level.pieces[at], 0.2):
            if mention.relation == root and (best := _extreme(level, mention)) is not None:
                features = {
                    "implied best": 1.0,
                    "implied by itself": float(best.item == Field(mention.column)),
                }
                notes = ((at, f"where {mention.column} is the extreme"),)
                yield [Effect(frozenset(), best=best, features=features, notes=notes)]
