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
from itertools import pairwise

import sqlalchemy as sa

from pincite.database.relations.guessed_headings import guesses, shared_prefix, words
from pincite.database.relations.model import Column, Link, Relation, Type
from pincite.lexicon import word_set

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
_ROLES = word_set("database", "roles")  # fmt: skip


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
    def unique(self) -> bool:
        """Whether its values identify rows."""
        if self.relation.key == (self.column.name,):
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
    open_spots = [spot for spot in spots if not _linked(spot)]
    keys = [spot for spot in spots if spot.unique and spot.column.type in _LINKED]

    share = _shares(connection)
    found: dict[int, list[_Spot]] = {}
    for at, spot in enumerate(open_spots):
        targets = _targets(spot, spots, keys, share)
        if targets or (shared := _shared(spot, spots, share)) and (targets := [shared]):
            found[at] = targets
    found |= _pairs(open_spots, found, keys, share)
    links: dict[str, list[Link]] = {}
    for at, targets in sorted(found.items()):
        spot = open_spots[at]
        made = [Link((spot.column.name,), t.relation.name, (t.column.name,), declared=False) for t in targets]
        links.setdefault(spot.relation.name, []).extend(made)
    return [replace(r, links=(*r.links, *links.get(r.name, ()))) for r in relations]


def _linked(spot: _Spot) -> bool:
    declared = {name for link in spot.relation.links for name in link.columns}
    return spot.column.name in declared or spot.column.type not in _LINKED


Share = Callable[[_Spot, _Spot], float]
"""The share of a column's values that an identifier has; 0 when it has none."""


def _shares(connection: sa.Connection) -> Share:
    @lru_cache(maxsize=512)
    def held(relation: str, column: str, schema: str) -> frozenset[object]:
        cell: sa.ColumnClause[object] = sa.column(column)
        asked = sa.select(cell).select_from(sa.table(relation, schema=schema or None)).where(cell.is_not(None))
        return frozenset(connection.scalars(asked.distinct().limit(LIMIT + 1)))

    def share(spot: _Spot, key: _Spot) -> float:
        mine = held(spot.relation.name, spot.column.name, spot.relation.schema)
        if not mine or key.column.distinct <= LIMIT:
            return len(mine & held(key.relation.name, key.column.name, key.relation.schema)) / max(len(mine), 1)
        probed = sorted(mine, key=repr)[:PROBED]
        cell: sa.ColumnClause[object] = sa.column(key.column.name)
        table = sa.table(key.relation.name, schema=key.relation.schema or None)
        there = sa.select(sa.func.count(cell.distinct())).select_from(table).where(cell.in_(probed))
        return int(connection.scalar(there) or 0) / len(probed)

    return share


def _spots(relations: list[Relation]) -> list[_Spot]:
    everywhere = shared_prefix([name for r in relations for name in (r.name, *(c.name for c in r.columns))])
    spots = []
    for relation in relations:
        prefix = max(everywhere, shared_prefix([c.name for c in relation.columns]))
        entity = _spoken(relation.name, everywhere)
        for at, column in enumerate(relation.columns):
            spots.append(_Spot(relation, column, _spoken(column.name, prefix, entity), entity, at == 0))
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
    return bool(letters) and (alone or letters == "".join(word[0] for word in entity) or spelled == " ".join(entity))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


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
    if key.identifies and spot.words:
        ended = spot.words[-1] in _IDENTIFIES
        said = spot.words[:-1] if ended else spot.words
        if same and len(spot.words) == 1 and _abbreviated(spot.column.name):
            return 6
        if _same(said, key.entity) and (spot.words[-1] == key.words[-1] or key.words[-1] in _FOLLOWED):
            return 6 if ended and said == key.entity else 5 if ended else 4
        if _plays(spot) and key.entity[-1] in _PERSONS:
            return 2
    if same:
        return 3 if len(spot.words) > 1 or spot.words[0] not in _IDENTIFIES else 0
    ends = len(key.words) > 1 and spot.words[-len(key.words) :] == key.words and key.words[-1] in _FOLLOWED
    return 1 if ends else 0


def _abbreviated(name: str) -> bool:
    return 2 < len(name) <= 5 and name.casefold().endswith("id")


def _plays(spot: _Spot) -> bool:
    """Whether a column names who plays a part: "sender_id"."""
    return spot.words[-1:] == ("id",) and spot.words[-2:-1] != () and spot.words[-2] in _ROLES


def _identifying(spot: _Spot) -> bool:
    """Whether a name is that of an identifier, and not one that many things have ("year")."""
    worded = spot.column.type == "text" and spot.column.distinct > FEW
    return bool(spot.words) and (spot.words[-1] in _IDENTIFIES or _abbreviated(spot.column.name) or worded)


def _targets(spot: _Spot, spots: list[_Spot], keys: list[_Spot], share: Share) -> list[_Spot]:
    """The identifiers that a column links to: the best one, or all parties of a part that is played by several kinds."""
    if _plays(spot) and any(s.relation is spot.relation and s.words == (*spot.words[:-1], "type") for s in spots):
        parties = [k for k in keys if k.identifies and k.entity[-1] in _PARTIES and k.column.type == spot.column.type]
        return [k for k in parties if k.relation is not spot.relation and share(spot, k) >= FOUND]
    ranked = []
    for key in keys:
        if key.relation is spot.relation or key.column.type != spot.column.type:
            continue
        agrees = _agrees(spot, key)
        if agrees and spot.unique and _agrees(key, spot) >= agrees and not _lesser(spot, key):
            continue
        if not agrees and not _worded(spot, key):
            continue
        part = share(spot, key)
        empty = not (spot.column.distinct and key.column.distinct)
        many = part >= MOST and part * spot.column.distinct >= MANY
        if part >= (FOUND if agrees > 1 else ALL) or many or (agrees > 3 and empty):
            declared = key.relation.key == (key.column.name,)
            ranked.append(((agrees, declared, key.identifies, key.first, part, key.relation.rows), key))
    return [max(ranked, key=lambda pair: pair[0])[1]] if ranked else []


def _lesser(spot: _Spot, key: _Spot) -> bool:
    """Of two identifiers of the same thing, the one that is not the key, or does not lead, or says nothing else, links."""
    mine, other = (
        (
            s.relation.key == (s.column.name,),
            s.first,
            any(not _named_id(c.name) for c in s.relation.columns),
            s.relation.rows,
        )
        for s in (spot, key)
    )
    return mine < other


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


def _shared(spot: _Spot, spots: list[_Spot], share: Share) -> _Spot | None:
    """A column of the same name that leads another relation, where none has it as identifier: codes with several rows each."""
    if len(spot.words) < 2 or spot.words[-1] not in _FOLLOWED or spot.first or spot.identifies:
        return None
    same = [s for s in spots if s.column.name == spot.column.name and s.column.type == spot.column.type]
    leading = [s for s in same if s.first and s.relation is not spot.relation and not any(k.identifies for k in same)]
    return leading[0] if len(leading) == 1 and share(spot, leading[0]) >= ALL else None


def _stems(spoken: Iterable[str]) -> set[str]:
    """The beginnings that words share with their derivations: of "cites" and "citations" it is "cit"."""
    return {word.casefold()[:3] for word in spoken if len(word) > 3}


def _pairs(
    spots: list[_Spot], found: dict[int, list[_Spot]], keys: list[_Spot], share: Share
) -> dict[int, list[_Spot]]:
    """Relations of nothing but two unlinked columns ("cite": citing, cited): both name rows of one relation.

    It is one that others link to as well, the only one with their values or the only one that speaks of what the pair says.
    """
    counts = Counter(id(target) for targets in found.values() for target in targets)
    made: dict[int, list[_Spot]] = {}
    for at, (one, other) in enumerate(pairwise(spots)):
        pair = (
            one.relation is other.relation and len(one.relation.columns) == 2 and one.column.type == other.column.type
        )
        if not pair or at in found or at + 1 in found or one.column.type != "integer":
            continue
        fit = [k for k in keys if counts[id(k)] > 1 and min(share(one, k), share(other, k)) >= ALL]
        spoken = [k for k in fit if _stems(one.entity) & _stems(w for c in k.relation.columns for w in words(c.name))]
        if len(chosen := fit if len(fit) == 1 else spoken) == 1:
            made[at] = made[at + 1] = chosen
    return made
