"""What a question asks by a function or a question word: how many, the average, how long, where, when."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from pincite.database.relations.column_heading import readable
from pincite.lexicon import word_list
from pincite.rows.programs.draft_parts import Features, Level, Target, best_mentions, fits_kinds
from pincite.rows.programs.field_paths import quantity_like
from pincite.rows.programs.pieces import Mention
from pincite.rows.programs.program import TOTALS, Aggregate, Field, Function, Item
from pincite.rows.programs.scheme import canonical, quantity, temporal


def functional(level: Level, first: int, head: range) -> Iterator[Target]:
    """The targets of a piece that is a function or a question word, at the head of a question."""
    role = level.role(first)
    if role in ("count", "count distinct"):
        place = next_name(level, first + 1, head)
        if place is None:
            for target in roots(level, head):
                yield Target(
                    target.root, (Aggregate("count"),), frozenset((first,)), {"count rows": 1.0}
                )
        else:
            yield from _count(level, first, place, role)
    elif role in ("sum", "avg", "best"):
        yield from _measured(level, first, head)
    elif role == "how":
        yield from _how(level, first)
    elif role in ("where", "when"):
        yield from _placed(level, first, role)


def next_name(level: Level, at: int, head: range) -> int | None:
    """The place of the next name, None when something else comes first that has a target of its own."""
    for place in range(at, head.stop):
        if level.kind(place) == "name":
            return place
        if level.kind(place) == "set" or level.role(place).startswith(("compare", "each", "best")):
            return None
    return None


def roots(level: Level, head: range) -> Iterator[Target]:
    """With nothing named that could be asked for: the rows that the values and columns belong to."""
    labels, database = level.scheme.labels, level.scheme.database
    named = (at for at in head if level.kind(at) in ("value", "name"))
    mentions = chain.from_iterable(best_mentions(level.pieces[at], 0.3) for at in named)
    found = list(
        dict.fromkeys(mention.relation for mention in mentions if labels[mention.relation])
    )
    if not found and len(database.relations) == 1:
        found = [database.relations[0].name]
    for relation in found:
        yield Target(relation, (Field(labels[relation]),), frozenset(), {"no target": 1.0})


def _measured(level: Level, first: int, head: range) -> Iterator[Target]:
    """The total, the average, the largest or the smallest of a column."""
    role, place, used = level.role(first), first + 1, {first}
    if level.role(place) in ("count", "sum", "avg") and level.kind(place + 1) == "name":
        if role == "sum" and level.role(place) == "count":
            yield from _count(level, place, place + 1, "count", frozenset((first,)))
        used.add(place)
        place += 1
    named = next_name(level, place, head)
    if named is None:
        return
    function = TOTALS.get(role) or ("max" if level.pieces[first].sign > 0 else "min")
    for at in (named + 1, named) if level.is_compound(named) else (named,):
        for mention in best_mentions(level.pieces[at], 0.4):
            if measure := _measure(level, mention, role, function):
                more = {"best target": 1.0} if role == "best" else {}
                features = {"target name": mention.score, **more, measure: 1.0}
                notes = ((at, f"{function} of {mention.relation}.{mention.column}"),)
                item = Aggregate(function, Field(mention.column))
                yield Target(
                    mention.relation, (item,), frozenset(used | {named, at}), features, notes
                )


def _measure(level: Level, mention: Mention, role: str, function: Function) -> str:
    """The feature that says what is measured; "" for what cannot be: names have no sum, and times only a first and a last."""
    if not mention.column:
        return ""
    held = level.scheme.column(*mention.place)
    if quantity(held) or (role == "best" and temporal(held)):
        return f"measure {function}"
    text = role == "best" and quantity_like(level, mention.relation, mention.column)
    return "measure of text" if text else ""


def _how(level: Level, first: int) -> Iterator[Target]:
    """A quantity named by an adjective: "how long"."""
    for relation in level.scheme.database.relations:
        for held in relation.columns:
            rank = fits_kinds(held, level.pieces[first].kinds)
            if rank >= 0 and (quantity(held) or temporal(held) or held.type == "text"):
                features = {
                    "how": 1.0,
                    "kind rank": float(rank),
                    "how of text": float(not quantity(held)),
                }
                notes = ((first, f"the kind of {relation.name}.{held.name}"),)
                yield Target(
                    relation.name, (Field(held.name),), frozenset((first,)), features, notes
                )


def _placed(level: Level, first: int, role: str) -> Iterator[Target]:
    """The columns that say where or when."""
    for relation in level.scheme.database.relations:
        for held in relation.columns:
            words = canonical(readable(held))
            if temporal(held) if role == "when" else _WHERE & set(words):
                own = relation.name in words or held.name == level.scheme.labels[relation.name]
                features = {
                    role: 1.0,
                    "place of itself": float(own),
                    "place constant": float(held.distinct == 1),
                }
                notes = ((first, f"{relation.name}.{held.name}"),)
                yield Target(
                    relation.name, (Field(held.name),), frozenset((first,)), features, notes
                )


_WHERE = frozenset(word for part in word_list("rows", "places") for word in canonical(part))


def _count(
    level: Level, first: int, place: int, role: str, more: frozenset[int] = frozenset()
) -> Iterator[Target]:
    """How many rows, or different values; or the number that a column holds already."""
    used = frozenset((first, place)) | more
    relations = dict.fromkeys(
        m.relation for m in best_mentions(level.pieces[place], 0.3) if m.column
    )
    for relation in islice(relations, 2):
        yield Target(
            relation, (Aggregate("count"),), frozenset((first,)) | more, {"count rows": 1.0}
        )
    for mention in best_mentions(level.pieces[place], 0.5):
        features: Features = {"count": 1.0, "target name": mention.score}
        counts = (
            _of_column(level, mention)
            if mention.column
            else _of_relation(level, mention.relation, role)
        )
        for item, counted, note in counts:
            notes = ((place, note),) if note else ()
            yield Target(mention.relation, (item,), used, {**features, **counted}, notes)


def _of_relation(level: Level, relation: str, role: str) -> Iterator[tuple[Item, Features, str]]:
    """The rows of a table, or the things that they repeat."""
    several = relation in level.scheme.several
    named = Field(level.scheme.labels[relation])
    item = (
        Aggregate("count", named, distinct=True)
        if several or role == "count distinct"
        else Aggregate("count")
    )
    yield item, {"count relation": 1.0}, f"the rows of {relation}"
    if several:
        yield Aggregate("count"), {"count relation": 1.0, "count repeats": 1.0}, ""


def _of_column(level: Level, mention: Mention) -> Iterator[tuple[Item, Features, str]]:
    """A column that counts, as it is and summed; else how many different values a column has."""
    note = f"the column {mention.relation}.{mention.column}"
    field = Field(mention.column)
    if quantity(level.scheme.column(*mention.place)):
        yield field, {"how many of": 1.0, "many plain": 1.0}, note
        yield Aggregate("sum", field), {"how many of": 1.0, "many sum": 1.0}, note
    else:
        yield Aggregate("count", field, distinct=True), {"count column": 1.0}, note
