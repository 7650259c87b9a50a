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
from pincite.text.lexicon import word_list, word_set

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
    def place(self) -> tuple[str, str, str]:
        """Its schema, relation and name."""
        return self.relation.schema, self.relation.name, self.column.name

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
    declared = {(r.name, name) for r in relations for link in r.links for name in link.columns}
    open_spots = [s for s in linkable if (s.relation.name, s.column.name) not in declared]
    keys, share = [spot for spot in linkable if spot.unique], _shares(connection)
    found: dict[int, list[_Spot]] = {}
    for at, spot in enumerate(open_spots):
        if targets := _link_targets(spot, spots, keys, share) or _shared_code(spot, spots, share):
            found[at] = targets
    links: dict[str, list[Link]] = {}
    for at, targets in sorted((found | _linked_pairs(open_spots, found, keys, share)).items()):
        own = links.setdefault(open_spots[at].relation.name, [])
        for to in targets:
            names = (open_spots[at].column.name,), to.relation.name, (to.column.name,)
            own.append(Link(*names, declared=False))
    return [replace(r, links=(*r.links, *links.get(r.name, ()))) for r in relations]


Share = Callable[[_Spot, _Spot], float]
"""The share of a column's values that an identifier has; 0 when it has none."""


def _shares(connection: sa.Connection) -> Share:
    @lru_cache(maxsize=512)
    def held(schema: str, relation: str, column: str) -> frozenset[object]:
        cell = sa.table(relation, sa.column(column), schema=schema or None).c[column]
        asked = sa.select(cell).where(cell.is_not(None)).distinct().limit(LIMIT + 1)
        return frozenset(connection.scalars(asked))

    def share(spot: _Spot, key: _Spot) -> float:
        mine = held(*spot.place)
        if not mine or key.column.distinct <= LIMIT:
            return len(mine & held(*key.place)) / max(len(mine), 1)
        probed = sorted(mine, key=repr)[:PROBED]
        cell = key.relation.table([key.column.name]).c[key.column.name]
        there = sa.select(sa.func.count(cell.distinct())).where(cell.in_(probed))
        return int(connection.scalar(there) or 0) / len(probed)

    return share


def _spots(relations: list[Relation]) -> list[_Spot]:
    everywhere = prefix_of(relations)
    spots = []
    for relation in relations:
        prefix = max(everywhere, shared_prefix([c.name for c in relation.columns]))
        entity = _words_of(relation.name, everywhere)
        for at, column in enumerate(relation.columns):
            spoken = _words_of(column.name, prefix, entity)
            spots.append(_Spot(relation, column, spoken, entity, at == 0))
    return spots


def _words_of(name: str, prefix: int, entity: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The words of a name, singular and spelled out; "mid" in merchants is two: merchant and id."""
    parts = [w.casefold() for w in words(name)][prefix:]
    if len(parts) == 1 and entity and parts[0] not in _IDENTIFIES:
        if parts[0].endswith("id") and _abbreviates(parts[0][:-2], entity):
            return (*entity, "id")
    return tuple(_singular(guesses().words.get(part, part)) for part in parts)


def _abbreviates(letters: str, entity: tuple[str, ...]) -> bool:
    """Whether letters abbreviate a relation's name: its first letters, the first of each word, or a known abbreviation."""
    if not letters:
        return False
    begins = len(entity) == 1 and entity[0].startswith(letters)
    spelled = guesses().words.get(letters, letters) == " ".join(entity)
    return begins or spelled or letters == "".join(word[0] for word in entity)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(_ES):
        return word[:-2]
    plural = word.endswith("s") and not word.endswith(_NO_PLURAL) and len(word) > 3
    return word[:-1] if plural else word


def _speak_of(said: tuple[str, ...], entity: tuple[str, ...]) -> bool:
    """Whether words speak of a relation: they are its name, its last word, or begin like it ("cust": customer)."""
    if not said or not entity:
        return False
    ends = said == entity[-len(said) :] or entity == said[-len(entity) :]
    return ends or (len(said[-1]) > 2 and entity[-1].startswith(said[-1]))


def _agreement(spot: _Spot, key: _Spot) -> int:
    """How well the names say that a column names rows by an identifier: 0 not at all, more is better."""
    worded = spot.column.type == "text" and spot.column.distinct > FEW
    short = _is_short_id(spot.column.name)
    identifying = spot.words and (spot.words[-1] in _IDENTIFIES or short or worded)
    same = spot.column.name.casefold() == key.column.name.casefold() and bool(identifying)
    if key.identifies and spot.words and (speaks := _speaks_of(spot, key, same)):
        return speaks
    if same:
        return 3 if len(spot.words) > 1 or spot.words[0] not in _IDENTIFIES else 0
    several = len(key.words) > 1 and key.words[-1] in _FOLLOWED
    return int(several and spot.words[-len(key.words) :] == key.words)


def _speaks_of(spot: _Spot, key: _Spot, same: bool) -> int:
    """How clearly a column's name, the `same` as an identifier's or not, speaks of the relation of that: 0 not at all."""
    if same and len(spot.words) == 1 and _is_short_id(spot.column.name):
        return 6
    ended = spot.words[-1] in _IDENTIFIES
    said = spot.words[: len(spot.words) - ended]
    if _speak_of(said, key.entity) and (
        spot.words[-1] == key.words[-1] or key.words[-1] in _FOLLOWED
    ):
        return 5 + (said == key.entity) if ended else 4
    return 2 if _names_part(spot) and key.entity[-1] in _PERSONS else 0


def _is_short_id(name: str) -> bool:
    return 2 < len(name) <= 5 and name.casefold().endswith("id")


def _names_part(spot: _Spot) -> bool:
    """Whether a column names who plays a part: "sender_id"."""
    return spot.words[-1:] == ("id",) and spot.words[-2:-1] != () and spot.words[-2] in _ROLES


def _link_targets(spot: _Spot, spots: list[_Spot], keys: list[_Spot], share: Share) -> list[_Spot]:
    """The identifiers that a column links to: the best one, or all parties of a part that is played by several kinds."""
    others = [key for key in keys if key.relation is not spot.relation]
    others = [key for key in others if key.column.type == spot.column.type]
    kind = (*spot.words[:-1], "type")
    if not _names_part(spot) or kind not in [
        s.words for s in spots if s.relation is spot.relation
    ]:
        return _best_identifier(spot, others, share)
    parties = [key for key in others if key.identifies and key.entity[-1] in _PARTIES]
    return [party for party in parties if share(spot, party) >= FOUND]


def _best_identifier(spot: _Spot, keys: list[_Spot], share: Share) -> list[_Spot]:
    """The identifier whose name and values agree best with a column's; none where none agrees."""
    ranked = []
    for key in keys:
        agrees = _agreement(spot, key)
        if _may_link(spot, key, agrees) and _shares_enough(
            spot, key, agrees, part := share(spot, key)
        ):
            named = (agrees, key.declared, key.identifies, key.first)
            ranked.append(((*named, part, key.relation.rows), key))
    return [max(ranked, key=lambda pair: pair[0])[1]] if ranked else []


def _may_link(spot: _Spot, key: _Spot, agrees: int) -> bool:
    """Whether a column may name rows by an identifier, and not rather the identifier rows by the column."""
    if not agrees:
        return _hold_words(spot, key)
    return (
        not spot.unique or _agreement(key, spot) < agrees or _precedence(spot) < _precedence(key)
    )


def _shares_enough(spot: _Spot, key: _Spot, agrees: int, part: float) -> bool:
    """Whether the part of a column's values that an identifier has is enough for what the names say."""
    many = part >= MOST and part * spot.column.distinct >= MANY
    uncounted = not (spot.column.distinct and key.column.distinct)
    return part >= (FOUND if agrees > 1 else ALL) or many or agrees > 3 and uncounted


def _precedence(spot: _Spot) -> tuple[bool, bool, bool, int]:
    """Of two identifiers of the same thing, the one that is not the key, or does not lead, or says nothing else, links."""
    names = [column.name for column in spot.relation.columns]
    only_ids = all(_is_short_id(n) or words(n)[-1:] in (["id"], ["ID"]) for n in names)
    return spot.declared, spot.first, not only_ids, spot.relation.rows


def _hold_words(spot: _Spot, key: _Spot) -> bool:
    """Whether both hold words, enough of them that finding all of one in the other is no accident."""
    enough = FEW <= spot.column.distinct <= key.column.distinct <= LIMIT
    words_of_others = spot.column.type == "text" and not (spot.unique and spot.first)
    return words_of_others and enough and key.identifies


def _shared_code(spot: _Spot, spots: list[_Spot], share: Share) -> list[_Spot]:
    """A column of the same name that leads another relation, where none has it as identifier: codes with several rows each."""
    if len(spot.words) < 2 or spot.words[-1] not in _FOLLOWED or spot.first or spot.identifies:
        return []
    own = (spot.column.name, spot.column.type)
    same = [s for s in spots if (s.column.name, s.column.type) == own]
    leading = [s for s in same if s.first and s.relation is not spot.relation]
    if len(leading) != 1 or any(s.identifies for s in same):
        return []
    return leading if share(spot, leading[0]) >= ALL else []


def _stems(spoken: Iterable[str]) -> set[str]:
    """The beginnings that words share with their derivations: of "cites" and "citations" it is "cit"."""
    return {word.casefold()[:3] for word in spoken if len(word) > 3}


def _linked_pairs(
    spots: list[_Spot], found: dict[int, list[_Spot]], keys: list[_Spot], share: Share
) -> dict[int, list[_Spot]]:
    """Relations of nothing but two unlinked columns ("cite": citing, cited): both name rows of one relation.

    It is one that others link to as well, the only one with their values or the only one that speaks of what the pair says.
    """
    counts = Counter(map(id, chain.from_iterable(found.values())))
    linked = [key for key in keys if counts[id(key)] > 1]
    made: dict[int, list[_Spot]] = {}
    for at, pair in enumerate(pairwise(spots)):
        numbers = pair[0].column.type == pair[1].column.type == "integer"
        whole = pair[0].relation is pair[1].relation and len(pair[0].relation.columns) == 2
        if numbers and whole and found.keys().isdisjoint((at, at + 1)):
            chosen = [key for key in linked if min(share(each, key) for each in pair) >= ALL]
            if len(chosen) > 1:
                stems = _stems(pair[0].entity)
                chosen = [key for key in chosen if stems & _stems_of_columns(key.relation)]
            if len(chosen) == 1:
                made[at] = made[at + 1] = chosen
    return made


def _stems_of_columns(relation: Relation) -> set[str]:
    return _stems(word for column in relation.columns for word in words(column.name))
