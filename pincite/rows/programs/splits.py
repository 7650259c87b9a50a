"""What a result is split by, and in which order it is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pincite.database.relations.model import TEMPORAL
from pincite.rows.programs.draft_parts import Effect, Level, Slot
from pincite.rows.programs.field_paths import field_options
from pincite.rows.programs.program import Field, Part

_PARTS: dict[str, Part] = {"month": "month", "year": "year", "day": "day", "quarter": "quarter", "date": "day"}
_ADVERBS: dict[str, Part] = {
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
    "daily": "day",
    "quarterly": "quarter",
}


def groups(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """What the result is split by: "for each X", "by X", "per X"."""
    for at in level.names():
        marked = level.role(at - 1) == "each"
        if at in taken or not (marked or _follows_by(level, at)):
            continue
        slot = _groups_of(level, root, at, marked)
        if slot:
            yield slot
    for at in range(len(level.pieces)):
        text = level.pieces[at].text.lower()
        marked = level.role(at - 1) == "each"
        part = _ADVERBS.get(text)
        if part is None and (marked or re.search(r"\bby\s*$", level.lead(at))):
            part = _PARTS.get(text)
        if part and at not in taken and level.kind(at) in ("unknown", "word"):
            slot = _by_part(level, root, part, {at - 1, at} if marked else {at})
            if slot:
                yield slot[:4]


def _follows_by(level: Level, at: int) -> bool:
    if level.role(at - 1) in ("order", "falling", "rising"):
        return False
    return re.search(r"\bby\s*(?:the\s*)?$", level.lead(at)) is not None


def _groups_of(level: Level, root: str, at: int, marked: bool) -> Slot:
    """What a name may split the result by: a column, together with those listed behind it, or a part of a time."""
    places = [at]
    while level.is_compound(places[-1]) or (level.kind(places[-1] + 1) == "name" and level.joined(places[-1] + 1)):
        places.append(places[-1] + 1)
    marker = {at - 1} if marked else set()
    how = "group each" if marked else "group by"
    slot: Slot = []
    for field, features, mention in field_options(level, level.pieces[at], root)[:4]:
        slot.append(
            Effect(
                frozenset({at} | marker),
                group=(field,),
                features={**features, how: 1.0},
                notes=((at, f"for each {mention.relation}.{field.column}"),),
            )
        )
    several = [field_options(level, level.pieces[place], root) for place in places] if len(places) > 1 else []
    if several and all(several):
        firsts = tuple(dict.fromkeys(options[0][0] for options in several))
        slot.append(Effect(frozenset({*places} | marker), group=firsts, features={"group several": 1.0}))
    if named := _PARTS.get(level.pieces[at].text.lower()):
        slot += _by_part(level, root, named, {at} | marker)
    return slot


def _by_part(level: Level, root: str, part: Part, used: set[int]) -> Slot:
    """The year, month or day of each time that rows have."""
    times = _times(level, root)
    return [Effect(frozenset(used), group=(replace(time, part=part),), features={"group part": 1.0}) for time in times]


def _times(level: Level, root: str) -> list[Field]:
    """The columns of dates of a relation."""
    return [Field(column.name) for column in level.scheme.database.relation(root).columns if column.type in TEMPORAL][
        :3
    ]


def orders(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """In which order rows are wanted; told by itself or after a column."""
    for at in range(len(level.pieces)):
        role = level.role(at)
        if role not in ("order", *_DOWN) or at in taken or level.role(at - 1) in ("order", "falling", "rising"):
            continue
        used, names, down = _ordered_by(level, at, taken)
        slot: Slot = [Effect(frozenset(used - set(names)), features={"order alone": 1.0})]
        for name in names[:1]:
            for field, features, mention in field_options(level, level.pieces[name], root)[:2]:
                slot.append(
                    Effect(
                        frozenset(used),
                        order=((field, down),),
                        features={**features, "ordered": 1.0},
                        notes=((name, f"the order of {mention.relation}.{field.column}"),),
                    )
                )
        yield slot


_DOWN = {"falling": True, "rising": False, "alphabetical": False}


def _ordered_by(level: Level, at: int, taken: frozenset[int]) -> tuple[set[int], list[int], bool]:
    """The pieces that say an order, the names among them, and whether it falls."""
    used, names, down = {at}, list[int](), _DOWN.get(level.role(at), False)
    for place in range(at + 1, len(level.pieces)):
        role = level.role(place)
        if len(names) == 3:
            break
        if role in _DOWN:
            down = _DOWN[role]
        elif level.kind(place) == "name" and place not in taken:
            names.append(place)
        elif role not in ("count", "sum", "avg", "order"):
            break
        used.add(place)
    return used, names, down
