"""What a question asks by a function or a question word: how many, the average, how long, where, when."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.lexicon import word_list
from pincite.rows.programs.draft_parts import Features, Level, Target, best_mentions, fits_kinds
from pincite.rows.programs.field_paths import quantity_like
from pincite.rows.programs.program import Aggregate, Field, Function, Item
from pincite.rows.programs.scheme import canonical, quantity, temporal
from pincite.rows.programs.table_words import LexiconWord


def functional(level: Level, first: int, head: range) -> Iterator[Target]:
    """The targets of a piece that is a function or a question word, at the head of a question."""
    role, word = level.role(first), level.pieces[first].word
    if role in ("count", "count distinct"):
        place = next_name(level, first + 1, head)
        if place is None:
            yield from (
                Target(target.root, (Aggregate("count"),), frozenset((first,)), {"count rows": 1.0})
                for target in roots(level, head)
            )
        else:
            yield from _count(level, first, place, role)
    elif role in ("sum", "avg", "best") and word is not None:
        yield from _measured(level, first, head, word)
    elif role == "how" and word is not None:
        yield from _how(level, first, word)
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
    seen = set()
    for at in head:
        if level.kind(at) in ("value", "name"):
            for mention in best_mentions(level.pieces[at], 0.3):
                if mention.relation not in seen and level.scheme.labels[mention.relation]:
                    seen.add(mention.relation)
                    yield Target(
                        mention.relation,
                        (Field(level.scheme.labels[mention.relation]),),
                        frozenset(),
                        {"no target": 1.0},
                    )
    if not seen and len(level.scheme.database.relations) == 1:
        (only,) = level.scheme.database.relations
        yield Target(only.name, (Field(level.scheme.labels[only.name]),), frozenset(), {"no target": 1.0})


def _measured(level: Level, first: int, head: range, word: LexiconWord) -> Iterator[Target]:
    """The total, the average, the largest or the smallest of a column."""
    role, place, used = word.role, first + 1, {first}
    function: Function = "sum" if role == "sum" else "avg" if role == "avg" else "max" if word.sign > 0 else "min"
    if level.role(place) in ("count", "sum", "avg") and level.kind(place + 1) == "name":
        if role == "sum" and level.role(place) == "count":
            yield from _count(level, place, place + 1, "count", frozenset((first,)))
        used.add(place)
        place += 1
    named = next_name(level, place, head)
    if named is None:
        return
    compound = level.kind(named + 1) == "name" and level.lead(named + 1).strip() == ""
    for at in (named + 1, named) if compound else (named,):
        for mention in best_mentions(level.pieces[at], 0.4):
            if not mention.column:
                continue
            held = level.scheme.column(mention.relation, mention.column)
            notes = ((at, f"{function} of {mention.relation}.{mention.column}"),)
            features: Features = {"target name": mention.score} | ({"best target": 1.0} if role == "best" else {})
            if quantity(held) or role == "best" and temporal(held):
                features[f"measure {function}"] = 1.0
            elif role == "best" and quantity_like(level, mention.relation, mention.column):
                features["measure of text"] = 1.0
            else:
                continue
            yield Target(
                mention.relation,
                (Aggregate(function, Field(mention.column)),),
                frozenset(used | {named, at}),
                features,
                notes,
            )


def _how(level: Level, first: int, word: LexiconWord) -> Iterator[Target]:
    """A quantity named by an adjective: "how long"."""
    for relation in level.scheme.database.relations:
        for held in relation.columns:
            rank = fits_kinds(held, word.kinds)
            if rank >= 0 and (quantity(held) or temporal(held) or held.type == "text"):
                features = {"how": 1.0, "kind rank": float(rank), "how of text": float(not quantity(held))}
                notes = ((first, f"the kind of {relation.name}.{held.name}"),)
                yield Target(relation.name, (Field(held.name),), frozenset((first,)), features, notes)


def _placed(level: Level, first: int, role: str) -> Iterator[Target]:
    """The columns that say where or when."""
    for relation in level.scheme.database.relations:
        for held in relation.columns:
            words = canonical(held.readable or held.name)
            if temporal(held) if role == "when" else _WHERE & set(words):
                own = relation.name in words or held.name == level.scheme.labels[relation.name]
                features = {role: 1.0, "place of itself": float(own), "place constant": float(held.distinct == 1)}
                notes = ((first, f"{relation.name}.{held.name}"),)
                yield Target(relation.name, (Field(held.name),), frozenset((first,)), features, notes)


_WHERE = frozenset(word for part in word_list("rows", "places") for word in canonical(part))


def _count(level: Level, first: int, place: int, role: str, more: frozenset[int] = frozenset()) -> Iterator[Target]:
    scheme = level.scheme
    used = frozenset((first, place)) | more
    relations = dict.fromkeys(m.relation for m in best_mentions(level.pieces[place], 0.3) if m.column)
    for relation in list(relations)[:2]:
        yield Target(relation, (Aggregate("count"),), frozenset((first,)) | more, {"count rows": 1.0})
    compound = {place + 1} if level.kind(place + 1) == "name" and level.lead(place + 1).strip() == "" else set()
    for mention in best_mentions(level.pieces[place], 0.5):
        features: Features = {"count": 1.0, "target name": mention.score}
        named = scheme.labels[mention.relation]
        if not mention.column:
            several = mention.relation in scheme.several
            item = (
                Aggregate("count", Field(named), distinct=True)
                if several or role == "count distinct"
                else Aggregate("count")
            )
            yield Target(
                mention.relation,
                (item,),
                used,
                {**features, "count relation": 1.0},
                ((place, f"the rows of {mention.relation}"),),
            )
            if several:
                yield Target(
                    mention.relation,
                    (Aggregate("count"),),
                    used,
                    {**features, "count relation": 1.0, "count repeats": 1.0},
                )
            continue
        held = scheme.column(mention.relation, mention.column)
        if quantity(held):
            for function in ("", "sum"):
                item_: Item = Aggregate("sum", Field(mention.column)) if function else Field(mention.column)
                yield Target(
                    mention.relation,
                    (item_,),
                    used,
                    {**features, "how many of": 1.0, f"many {function or 'plain'}": 1.0},
                    ((place, f"the column {mention.relation}.{mention.column}"),),
                )
        else:
            item = Aggregate("count", Field(mention.column), distinct=True)
            yield Target(
                mention.relation,
                (item,),
                used,
                {**features, "count column": 1.0},
                ((place, f"the column {mention.relation}.{mention.column}"),),
            )
    del compound
