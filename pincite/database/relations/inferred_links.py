"""Links that a schema does not declare: columns whose names and values say that they name rows of another relation.

A column links to one other: to an identifier (its values are unique, or nearly) of the same name, of a name that ends its
own, or of a relation that its name speaks of, when its values are found there; a column of text also by its values alone,
when they are found. Only the part that somebody plays ("receiver_id" beside "receiver_type") may link to several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise

import sqlalchemy as sa

from pincite.database.relations.guessed_headings import guesses, prefix_of, shared_prefix, words
from pincite.database.relations.model import Column, Link, Relation, Type
from pincite.lexicon import word_list, word_set

NEARLY = 0.9
"""The share of an identifier's filled rows that have a value of their own."""
FOUND = 0.8
"""The share of a column's values that must be among those of an identifier whose name agrees."""
ALL = 0.95
"""The same where only the values speak."""
MANY, MOST = 20, 0.6
"""So many values found are no accident even when they are only this share of all."""
FEW = 3
"""Values that a column must at least have to be linked by them alone."""
LIMIT, PROBED = 2000, 200
"""The most values of a column that are looked for; so many of them among those of an identifier that has more."""
_IDENTIFIES = word_set("database", "identifiers")
_FOLLOWED = word_set("database", "followed identifiers")
_PERSONS = word_set("database", "persons")
_PARTIES = _PERSONS | word_set("database", "parties")
_ROLES = word_set("database", "roles")
_ES = word_list("database", "plurals in es")
_NO_PLURAL = word_list("database", "no plurals")
_LINKED: frozenset[Type] = frozenset(("integer", "text"))


@dataclass(frozen=True, slots=True)
class _Spot:
    """A column of a relation with the words of its name, those that only say which relation it is of left out."""

    relation: Relation
    column: Column
    words: tuple[str, ...]
    entity: tuple[str, ...]
    first: bool

    @property
    def declared(self) -> bool:
        """Whether it is the key of its relation."""
        return self.relation.key == (self.column.name,)

    @property
    def unique(self) -> bool:
        """Whether its values identify rows."""
        if self.declared:
            return True
        filled = round(self.relation.rows * (1 - self.column.nulls))
        return filled > 1 and self.column.nulls < 0.5 and self.column.distinct >= NEARLY * filled

    @property
    def identifies(self) -> bool:
        """Whether it is named as what identifies its own relation: "id", "merchant_id" or "mid" of merchants."""
        said = self.words[:-1]
        own = not said or said == self.entity or (self.first and said == self.entity[-1:])
        return bool(self.words) and self.words[-1] in _IDENTIFIES and own


def infer(relations: list[Relation], connection: sa.Connection) -> list[Relation]:
    """The relations with inferred links beside the declared ones."""
    spots = _spots(relations)
    linkable = [spot for spot in spots if spot.column.type in _LINKED]
    open_spots = [spot for spot in linkable if not _linked(spot)]
    found = _linked_to(
        open_spots, spots, [spot for spot in linkable if spot.unique], _shares(connection)
    )
    links: dict[str, list[Link]] = {}
    for at, targets in sorted(found.items()):
        name = open_spots[at].column.name
        made = [
            Link((name,), target.relation.name, (target.column.name,), declared=False)
            for target in targets
        ]
        links.setdefault(open_spots[at].relation.name, []).extend(made)
    return [replace(r, links=(*r.links, *links.get(r.name, ()))) for r in relations]


def _linked_to(
    open_spots: list[_Spot], spots: list[_Spot], keys: list[_Spot], share: Share
) -> dict[int, list[_Spot]]:
    """The identifiers, among `keys`, that columns without a link name rows by, under the columns' places."""
    found: dict[int, list[_Spot]] = {}
    for at, spot in enumerate(open_spots):
        if targets := _targets(spot, spots, keys, share) or _shared(spot, spots, share):
            found[at] = targets
    return found | _pairs(open_spots, found, keys, share)


def _linked(spot: _Spot) -> bool:
    return any(spot.column.name in link.columns for link in spot.relation.links)


Share = Callable[[_Spot, _Spot], float]
"""The share of a column's values that an identifier has; 0 when it has none."""


def _shares(connection: sa.Connection) -> Share:
    @lru_cache(maxsize=512)
    def held(relation: str, column: str, schema: str) -> frozenset[object]:
        cell: sa.ColumnClause[object] = sa.column(column)
        asked = (
            sa.select(cell)
            .select_from(sa.table(relation, schema=schema or None))
            .where(cell.is_not(None))
        )
        return frozenset(connection.scalars(asked.distinct().limit(LIMIT + 1)))

    def share(spot: _Spot, key: _Spot) -> float:
        mine = held(spot.relation.name, spot.column.name, spot.relation.schema)
        if not mine or key.column.distinct <= LIMIT:
            return len(mine & held(key.relation.name, key.column.name, key.relation.schema)) / max(
                len(mine), 1
            )
        probed = sorted(mine, key=repr)[:PROBED]
        cell: sa.ColumnClause[object] = sa.column(key.column.name)
        table = sa.table(key.relation.name, schema=key.relation.schema or None)
        there = (
            sa.select(sa.func.count(cell.distinct())).select_from(table).where(cell.in_(probed))
        )
        return int(connection.scalar(there) or 0) / len(probed)

    return share


def _spots(relations: list[Relation]) -> list[_Spot]:
    everywhere = prefix_of(relations)
    spots = []
    for relation in relations:
        prefix = max(everywhere, shared_prefix([c.name for c in relation.columns]))
        entity = _spoken(relation.name, everywhere)
        for at, column in enumerate(relation.columns):
            spots.append(
                _Spot(relation, column, _spoken(column.name, prefix, entity), entity, at == 0)
            )
    return spots


def _spoken(name: str, prefix: int, entity: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The words of a name, singular and spelled out; "mid" in merchants is two: merchant and id."""
    parts = [w.casefold() for w in words(name)][prefix:]
    if (
        len(parts) == 1
        and entity
        and parts[0] not in _IDENTIFIES
        and parts[0].endswith("id")
        and _short(parts[0][:-2], entity)
    ):
        return (*entity, "id")
    return tuple(_singular(guesses().words.get(part, part)) for part in parts)


def _short(letters: str, entity: tuple[str, ...]) -> bool:
    """Whether letters abbreviate a relation's name: its first letters, the first of each word, or a known abbreviation."""
    spelled = guesses().words.get(letters, letters)
    alone = len(entity) == 1 and (entity[0].startswith(letters) or entity[0] == spelled)
    return bool(letters) and (
        alone or letters == "".join(word[0] for word in entity) or spelled == " ".join(entity)
    )


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(_ES):
        return word[:-2]
    return (
        word[:-1]
        if word.endswith("s") and not word.endswith(_NO_PLURAL) and len(word) > 3
        else word
    )


def _same(said: tuple[str, ...], entity: tuple[str, ...]) -> bool:
    """Whether words speak of a relation: they are its name, its last word, or begin like it ("cust": customer)."""
    if not said or not entity:
        return False
    if said == entity or said == entity[-len(said) :] or entity == said[-len(entity) :]:
        return True
    last, name = said[-1], entity[-1]
    return len(last) > 2 and name.startswith(last)


def _agrees(spot: _Spot, key: _Spot) -> int:
    """How well the names say that a column names rows by an identifier: 0 not at all, more is better."""
    same = spot.column.name.casefold() == key.column.name.casefold() and _identifying(spot)
    if key.identifies and spot.words and (speaks := _speaks_of(spot, key, same)):
        return speaks
    if same:
        return 3 if len(spot.words) > 1 or spot.words[0] not in _IDENTIFIES else 0
    ends = (
        len(key.words) > 1
        and spot.words[-len(key.words) :] == key.words
        and key.words[-1] in _FOLLOWED
    )
    return int(ends)


def _speaks_of(spot: _Spot, key: _Spot, same: bool) -> int:
    """How clearly a column's name, the `same` as an identifier's or not, speaks of the relation of that: 0 not at all."""
    if same and len(spot.words) == 1 and _abbreviated(spot.column.name):
        return 6
    ended = spot.words[-1] in _IDENTIFIES
    said = spot.words[: len(spot.words) - ended]
    if _same(said, key.entity) and (spot.words[-1] == key.words[-1] or key.words[-1] in _FOLLOWED):
        return 5 + (said == key.entity) if ended else 4
    return 2 if _plays(spot) and key.entity[-1] in _PERSONS else 0


def _abbreviated(name: str) -> bool:
    return 2 < len(name) <= 5 and name.casefold().endswith("id")


def _plays(spot: _Spot) -> bool:
    """Whether a column names who plays a part: "sender_id"."""
    return spot.words[-1:] == ("id",) and spot.words[-2:-1] != () and spot.words[-2] in _ROLES


def _identifying(spot: _Spot) -> bool:
    """Whether a name is that of an identifier, and not one that many things have ("year")."""
    worded = spot.column.type == "text" and spot.column.distinct > FEW
    return bool(spot.words) and (
        spot.words[-1] in _IDENTIFIES or _abbreviated(spot.column.name) or worded
    )


def _targets(spot: _Spot, spots: list[_Spot], keys: list[_Spot], share: Share) -> list[_Spot]:
    """The identifiers that a column links to: the best one, or all parties of a part that is played by several kinds."""
    others = [
        key
        for key in keys
        if key.relation is not spot.relation and key.column.type == spot.column.type
    ]
    kind = (*spot.words[:-1], "type")
    if _plays(spot) and kind in [
        other.words for other in spots if other.relation is spot.relation
    ]:
        return [party for party in _parties(others) if share(spot, party) >= FOUND]
    return _best(spot, others, share)


def _parties(keys: list[_Spot]) -> list[_Spot]:
    return [key for key in keys if key.identifies and key.entity[-1] in _PARTIES]


def _best(spot: _Spot, keys: list[_Spot], share: Share) -> list[_Spot]:
    """The identifier whose name and values agree best with a column's; none where none agrees."""
    ranked = []
    for key in keys:
        agrees = _agrees(spot, key)
        if _may_link(spot, key, agrees) and _found(spot, key, agrees, part := share(spot, key)):
            ranked.append(
                ((agrees, key.declared, key.identifies, key.first, part, key.relation.rows), key)
            )
    return [max(ranked, key=lambda pair: pair[0])[1]] if ranked else []


def _may_link(spot: _Spot, key: _Spot, agrees: int) -> bool:
    """Whether a column may name rows by an identifier, and not rather the identifier rows by the column."""
    if not agrees:
        return _worded(spot, key)
    return not spot.unique or _agrees(key, spot) < agrees or _standing(spot) < _standing(key)


def _found(spot: _Spot, key: _Spot, agrees: int, part: float) -> bool:
    """Whether the part of a column's values that an identifier has is enough for what the names say."""
    if (
        part >= (FOUND if agrees > 1 else ALL)
        or part >= MOST
        and part * spot.column.distinct >= MANY
    ):
        return True
    return agrees > 3 and not (spot.column.distinct and key.column.distinct)


def _standing(spot: _Spot) -> tuple[bool, bool, bool, int]:
    """Of two identifiers of the same thing, the one that is not the key, or does not lead, or says nothing else, links."""
    says = not all(_named_id(column.name) for column in spot.relation.columns)
    return spot.declared, spot.first, says, spot.relation.rows


def _named_id(name: str) -> bool:
    return _abbreviated(name) or words(name)[-1:] in (["id"], ["ID"])


def _worded(spot: _Spot, key: _Spot) -> bool:
    """Whether both hold words, enough of them that finding all of one in the other is no accident."""
    return (
        spot.column.type == "text"
        and not (spot.unique and spot.first)
        and FEW <= spot.column.distinct <= min(LIMIT, key.column.distinct)
        and key.column.distinct <= LIMIT
        and key.identifies
    )


def _shared(spot: _Spot, spots: list[_Spot], share: Share) -> list[_Spot]:
    """A column of the same name that leads another relation, where none has it as identifier: codes with several rows each."""
    if len(spot.words) < 2 or spot.words[-1] not in _FOLLOWED or spot.first or spot.identifies:
        return []
    leading = _leading(spot, spots)
    return leading if len(leading) == 1 and share(spot, leading[0]) >= ALL else []


def _leading(spot: _Spot, spots: list[_Spot]) -> list[_Spot]:
    """The columns of the same name that lead other relations; none where one identifies."""
    same = [
        s for s in spots if s.column.name == spot.column.name and s.column.type == spot.column.type
    ]
    if any(s.identifies for s in same):
        return []
    return [s for s in same if s.first and s.relation is not spot.relation]


def _stems(spoken: Iterable[str]) -> set[str]:
    """The beginnings that words share with their derivations: of "cites" and "citations" it is "cit"."""
    return {word.casefold()[:3] for word in spoken if len(word) > 3}


def _pairs(
    spots: list[_Spot], found: dict[int, list[_Spot]], keys: list[_Spot], share: Share
) -> dict[int, list[_Spot]]:
    """Relations of nothing but two unlinked columns ("cite": citing, cited): both name rows of one relation.

    It is one that others link to as well, the only one with their values or the only one that speaks of what the pair says.
    """
    counts = Counter(map(id, chain.from_iterable(found.values())))
    linked = [key for key in keys if counts[id(key)] > 1]
    made: dict[int, list[_Spot]] = {}
    for at, pair in enumerate(pairwise(spots)):
        if _paired(*pair) and found.keys().isdisjoint((at, at + 1)):
            chosen = [
                key for key in linked if min(share(pair[0], key), share(pair[1], key)) >= ALL
            ]
            if len(chosen) > 1:
                chosen = _spoken_of(pair[0].entity, chosen)
            if len(chosen) == 1:
                made[at] = made[at + 1] = chosen
    return made


def _spoken_of(entity: tuple[str, ...], keys: list[_Spot]) -> list[_Spot]:
    """The identifiers of relations whose columns speak of what some words do."""
    stems = _stems(entity)
    found = []
    for key in keys:
        if any(stems & _stems(words(column.name)) for column in key.relation.columns):
            found.append(key)
    return found


def _paired(first: _Spot, second: _Spot) -> bool:
    """Whether two columns of whole numbers are all that a relation has."""
    numbers = first.column.type == second.column.type == "integer"
    return numbers and first.relation is second.relation and len(first.relation.columns) == 2
