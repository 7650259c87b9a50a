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
    for at in range(len(level.pieces)):
        marked = level.role(at - 1) == "each" and level.kind(at) == "name"
        by = (
            level.kind(at) == "name"
            and bool(re.search(r"\bby\s*(?:the\s*)?$", level.lead(at)))
            and level.role(at - 1) not in ("order", "falling", "rising")
        )
        if at in taken or not (marked or by):
            continue
        places = [at]
        while level.kind(places[-1] + 1) == "name" and (
            level.joined(places[-1] + 1) or level.lead(places[-1] + 1).strip() == ""
        ):
            places.append(places[-1] + 1)
        marker = {at - 1} if marked else set()
        slot: Slot = []
        for field, features, mention in field_options(level, level.pieces[at], root)[:4]:
            name = "each" if marked else "by"
            slot.append(
                Effect(
                    frozenset({at} | marker),
                    group=(field,),
                    features={**features, f"group {name}": 1.0},
                    notes=((at, f"for each {mention.relation}.{field.column}"),),
                )
            )
        if len(places) > 1:
            several = [field_options(level, level.pieces[place], root) for place in places]
            if all(several):
                firsts = tuple(dict.fromkeys(options[0][0] for options in several))
                slot.append(Effect(frozenset({*places} | marker), group=firsts, features={"group several": 1.0}))
        named = _PARTS.get(level.pieces[at].text.lower())
        if named:
            for held_field in _times(level, root):
                slot.append(
                    Effect(
                        frozenset({at} | marker), group=(replace(held_field, part=named),), features={"group part": 1.0}
                    )
                )
        if slot:
            yield slot
    for at in range(len(level.pieces)):
        text = level.pieces[at].text.lower()
        after = level.role(at - 1) == "each" or re.search(r"\bby\s*$", level.lead(at))
        part = _ADVERBS.get(text) or (_PARTS.get(text) if after else None)
        if part and at not in taken and level.kind(at) in ("unknown", "word"):
            marker = {at - 1} if level.role(at - 1) == "each" else set()
            used = frozenset({at} | marker)
            slot = [
                Effect(used, group=(replace(field, part=part),), features={"group part": 1.0})
                for field in _times(level, root)
            ]
            if slot:
                yield slot[:4]


def _times(level: Level, root: str) -> list[Field]:
    """The columns of dates of a relation."""
    return [Field(column.name) for column in level.scheme.database.relation(root).columns if column.type in TEMPORAL][
        :3
    ]


def orders(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """In which order rows are wanted; told by itself or after a column."""
    for at in range(len(level.pieces)):
        role = level.role(at)
        if (
            role not in ("order", "falling", "rising", "alphabetical")
            or at in taken
            or at - 1 >= 0
            and level.role(at - 1) in ("order", "falling", "rising")
        ):
            continue
        used = {at}
        down: bool | None = {"falling": True, "rising": False, "alphabetical": False}.get(role)
        names: list[int] = []
        place = at + 1
        while place < len(level.pieces) and len(names) < 3:
            if level.role(place) in ("falling", "rising", "alphabetical"):
                down = level.role(place) == "falling"
                used.add(place)
            elif level.kind(place) == "name" and place not in taken:
                names.append(place)
                used.add(place)
            elif level.role(place) in ("count", "sum", "avg", "order"):
                used.add(place)
            else:
                break
            place += 1
        slot: Slot = [Effect(frozenset(used - set(names)), features={"order alone": 1.0})]
        for name in names[:1]:
            for field, features, mention in field_options(level, level.pieces[name], root)[:2]:
                slot.append(
                    Effect(
                        frozenset(used),
                        order=((field, bool(down)),),
                        features={**features, "ordered": 1.0},
                        notes=((name, f"the order of {mention.relation}.{field.column}"),),
                    )
                )
        yield slot
