"""The largest, the first few, the second: by a named column, by the kind of quantity, by how many there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from pincite.database.relations.model import Relation
from pincite.rows.programs.comparisons import than
from pincite.rows.programs.draft_parts import Effect, Features, Level, Slot, best_mentions, fits_kinds
from pincite.rows.programs.field_paths import field_options, quantity_like, reach
from pincite.rows.programs.pieces import Amount, Mention, QuestionPiece
from pincite.rows.programs.program import Best, Field, Item, Path, RowQuery, Test
from pincite.rows.programs.scheme import quantity, temporal
from pincite.rows.programs.table_words import ADJECTIVES, FORMS


def bests(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """The largest and smallest, the first few, the second: by a named column, by the kind of quantity, by how many there are."""
    for at, piece in enumerate(level.pieces):
        role = level.role(at)
        if at in taken or piece.word is None or not (role.startswith("best") or role == "more" and not than(level, at)):
            continue
        largest, kinds = piece.word.sign > 0, piece.word.kinds
        used = {at}
        limit, offset, arg = None, 0, at + 1
        if (
            level.kind(at + 1) == "number"
            and level.adjacent(at + 1)
            and level.pieces[at + 1].amount
            and level.lead(at + 1).strip() == ""
        ):
            limit, arg = _whole(level.pieces[at + 1].amount), at + 2
            used.add(at + 1)
        elif level.kind(at - 1) == "number" and level.adjacent(at) and at - 1 not in taken:
            limit = _whole(level.pieces[at - 1].amount)
            used.add(at - 1)
        elif level.role(at - 1) == "ordinal":
            limit, offset = 1, level.pieces[at - 1].word.sign - 1  # type: ignore[union-attr]
            used.add(at - 1)
        slot: Slot = []
        for item, largest_, features, more, notes in _by(level, root, at, arg, largest, kinds):
            slot += _cut(frozenset(used | more), item, largest_, limit, offset, features, notes)
        for path, relation, features, more in _most(level, root, arg, taken, kinds):
            slot.append(
                Effect(
                    frozenset(used | more),
                    counted=(path, relation, largest),
                    limit=limit,
                    offset=offset,
                    features={**features, "by count": 1.0},
                    notes=((at, f"by the number of {relation}"),),
                )
            )
        if slot:
            yield slot


def _whole(amount: Amount | None) -> int | None:
    return (
        int(amount.value)
        if amount and amount.value == amount.value.to_integral_value() and 0 < amount.value < 10_000
        else None
    )


def _of(piece: QuestionPiece, relation: str) -> bool:
    """Whether a name in front of a column's may be that of its relation: "city population" is no column of states."""
    tables = {mention.relation for mention in piece.mentions if not mention.column and mention.score > 0.7}
    return not tables or relation in tables


def _cut(
    used: frozenset[int],
    item: Item,
    largest: bool,
    limit: int | None,
    offset: int,
    features: Features,
    notes: tuple[tuple[int, str], ...],
) -> Slot:
    if limit is not None:
        return [
            Effect(
                used,
                order=((item, largest),),
                limit=limit,
                offset=offset,
                features={**features, "top n": 1.0},
                notes=notes,
            )
        ]
    return [
        Effect(used, best=Best(item, largest), features=features, notes=notes),
        Effect(used, order=((item, largest),), features={**features, "best as order": 1.0}, notes=notes),
    ]


_By: TypeAlias = "tuple[Item, bool, Features, set[int], tuple[tuple[int, str], ...]]"
"""A quantity, whether the largest is meant, what speaks for it, the pieces that name it, and notes."""


def _by(level: Level, root: str, at: int, arg: int, largest: bool, kinds: tuple[str, ...]) -> Iterator[_By]:
    """What the best is the best by."""
    yield from _by_name(level, root, at, arg, largest, kinds)
    if kinds:
        yield from _by_kind(level, root, at, largest, kinds)


def _by_name(level: Level, root: str, at: int, arg: int, largest: bool, kinds: tuple[str, ...]) -> Iterator[_By]:
    """Columns that are named behind the superlative."""
    places = [(arg, "argument")] if level.kind(arg) == "name" else []
    if level.kind(arg) == "name" and level.kind(arg + 1) == "name" and level.lead(arg + 1).strip() == "":
        places.insert(0, (arg + 1, "compound"))
    places += [
        (place, "by name")
        for place in range(at + 1, len(level.pieces))
        if level.kind(place) == "name"
        and place not in dict(places)
        and re.search(r"\b(?:by|terms of|with|based on|according to|in|of)\b", level.lead(place))
    ]
    for place, how in places[:4]:
        for field, features, mention in field_options(level, level.pieces[place], root)[:4]:
            if not mention.column or how == "compound" and not _of(level.pieces[arg], mention.relation):
                continue
            held = level.scheme.column(mention.relation, mention.column)
            text = not (quantity(held) or temporal(held))
            if text and kinds and "date" not in kinds:
                continue  # names are neither large nor small
            own = {how: 1.0}
            if text:
                own["best of text"] = 1.0
            if kinds and fits_kinds(held, kinds) >= 0:
                own["kind agrees"] = 1.0
            if _extreme_sign(held.name) not in (0, 1 if largest else -1):
                own["opposite"] = 1.0
            used = {place, arg} if how == "compound" else {place}
            yield (
                field,
                largest,
                {**features, **own},
                used,
                ((place, f"the column {mention.relation}.{mention.column}"),),
            )


def _by_kind(level: Level, root: str, at: int, largest: bool, kinds: tuple[str, ...]) -> Iterator[_By]:
    """Columns of the kind of quantity that the superlative is about: "largest" is of areas."""
    ranked = []
    for relation in level.scheme.database.relations:
        fitting = _fitting(relation, largest, kinds)
        for path, features in reach(level.scheme, root, relation.name)[:3]:
            for order, name in enumerate(fitting if len(path) < 2 else ()):
                far = len(path), features.get("special link", 0.0), order
                ranked.append((far, Field(name, path), features, f"{relation.name}.{name}"))
    ranked.sort(key=lambda entry: entry[0])
    for (_, _, order), field, features, where in ranked[:4]:
        own = {**features, "kind": 1.0, "kind order": float(order)}
        yield field, largest, own, set(), ((at, f"the kind of {where}"),)


def _fitting(relation: Relation, largest: bool, kinds: tuple[str, ...]) -> list[str]:
    """The columns of some kinds of quantity, the likeliest first, but for the extremes of the other end."""
    found = []
    for held in relation.columns:
        rank = fits_kinds(held, kinds)
        own_end = _extreme_sign(held.name) in (0, 1 if largest else -1)
        if rank >= 0 and own_end and (quantity(held) or temporal(held)):
            found.append((rank, held.name))
    return [name for _, name in sorted(found)]


def _extreme_sign(name: str) -> int:
    """1 for a column that is a largest something by its name ("highest_elevation"), -1 for a smallest, else 0."""
    for word in name.replace("_", " ").lower().split():
        form = FORMS.get(word)
        if form and form[1] == 2:
            return ADJECTIVES[form[0]][0]
    return 0


def _most(
    level: Level, root: str, arg: int, taken: frozenset[int], kinds: tuple[str, ...]
) -> Iterator[tuple[Path, str, Features, set[int]]]:
    """The relations whose rows are counted for each row of `root`."""
    place = arg + (level.role(arg) == "count")
    while level.kind(place) == "value" or level.role(place) == "distinct":
        place += 1
    if level.kind(place) != "name":
        return
    used = {beside for beside in range(arg, place + 1) if level.kind(beside) != "value"}
    for mention in best_mentions(level.pieces[place], 0.55):
        if mention.column and mention.column != level.scheme.labels[mention.relation]:
            continue
        if mention.relation == root:
            reached = [(path, {"steps": float(len(path))}) for path in level.scheme.ways(root, root)]
        else:
            reached = reach(level.scheme, root, mention.relation)[:4]
        for path, features in reached:
            if path:
                more = {"name match": mention.score, **({"kinds idle": 1.0} if kinds else {})}
                yield path, mention.relation, {**features, **more}, used


def _extreme(level: Level, mention: Mention) -> Best | None:
    """For a column that is a superlative by its name ("highest point"): the quantity beside it of which it is the extreme."""
    sign = _extreme_sign(mention.column)
    if not sign:
        return None
    if quantity_like(level, mention.relation, mention.column):
        return Best(Field(mention.column), sign > 0)
    extreme = {word for word in _words(mention.column) if FORMS.get(word, ("", 0))[1] == 2}
    for held in level.scheme.database.relation(mention.relation).columns:
        if (
            held.name != mention.column
            and extreme & _words(held.name)
            and quantity_like(level, mention.relation, held.name)
        ):
            return Best(Field(held.name), sign > 0)
    return None


def opposed(best: Item, asked: tuple[Item, ...]) -> bool:
    """Whether rows are chosen by one extreme and asked for the other: the lowest elevation where the highest is most."""
    sign = _extreme_sign(best.column) if isinstance(best, Field) else 0
    return bool(sign) and any(isinstance(item, Field) and _extreme_sign(item.column) == -sign for item in asked)


def _words(name: str) -> set[str]:
    return set(name.replace("_", " ").lower().split())


def extremes(level: Level, root: str, mention: Mention, used: frozenset[int], at: int) -> Iterator[Effect]:
    """Rows linked with the row where such a column is the extreme: "the state with the highest point"."""
    best = _extreme(level, mention)
    for path, features in reach(level.scheme, root, mention.relation)[:2]:
        if best is not None and len(path) == 1 and len(path[0].columns) == 1:
            inner = RowQuery(mention.relation, (Field(path[0].to_columns[0]),), best=best)
            yield Effect(
                used,
                tests=(Test(Field(path[0].columns[0]), "in", inner),),
                features={**features, "implied best": 1.0, "name match": mention.score, "implied elsewhere": 1.0},
                notes=((at, f"{mention.relation}.{mention.column}, where {best.item} is the extreme"),),
            )


def implied(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """A column that is itself a superlative ("highest point") is of the row where the quantity beside it is the extreme."""
    if any(level.role(at) == "best" for at in range(len(level.pieces))):
        return
    for at, piece in enumerate(level.pieces):
        if piece.kind == "name":
            for mention in best_mentions(piece, 0.2):
                if mention.relation == root and (best := _extreme(level, mention)) is not None:
                    features = {"implied best": 1.0, "implied by itself": float(best.item == Field(mention.column))}
                    yield [
                        Effect(
                            frozenset(),
                            best=best,
                            features=features,
                            notes=((at, f"where {mention.column} is the extreme"),),
                        )
                    ]
