"""What a result is split by, and in which order it is wanted."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.rows.programs.draft_parts import ADVERBS, ORDERING, PARTS, Effect, Level, Slot
from pincite.rows.programs.field_paths import field_options
from pincite.rows.programs.program import Field
from pincite.rows.programs.scheme import temporal


def groups(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """What the result is split by: "for each X", "by X", "per X"."""
    for at in level.names():
        if at not in taken and (_is_marked(level, at) or _is_behind_by(level, at)):
            if slot := _by_name(level, root, at):
                yield slot
    for at in level.places:
        if at not in taken and level.kind(at) in ("unknown", "word"):
            if slot := _by_time(level, root, at):
                yield slot[:4]


def _is_marked(level: Level, at: int) -> bool:
    return level.role(at - 1) == "each"


def _is_behind_by(level: Level, at: int) -> bool:
    """Whether a piece stands behind a "by" that splits, and does not put in order."""
    return level.follows_by(at) and level.role(at - 1) not in ORDERING


def _by_name(level: Level, root: str, at: int) -> Slot:
    """What a name may split the result by: a column, together with those listed behind it, or a part of a time."""
    marked = _is_marked(level, at)
    marker = {at - 1} if marked else set()
    how = "group each" if marked else "group by"
    slot: Slot = []
    for field, features, mention in field_options(level, level.pieces[at], root)[:4]:
        notes = ((at, f"for each {mention.relation}.{field.column}"),)
        slot.append(
            Effect(
                frozenset({at} | marker),
                group=(field,),
                features={**features, how: 1.0},
                notes=notes,
            )
        )
    places = _listed(level, at)
    several = [field_options(level, level.pieces[place], root) for place in places]
    if len(places) > 1 and all(several):
        firsts = tuple(dict.fromkeys(options[0][0] for options in several))
        slot.append(
            Effect(frozenset({*places} | marker), group=firsts, features={"group several": 1.0})
        )
    return slot + _by_time(level, root, at)


def _listed(level: Level, at: int) -> list[int]:
    """A name, and those that go on with it."""
    places = [at]
    while level.is_compound(places[-1]) or (
        level.kind(places[-1] + 1) == "name" and level.joined(places[-1] + 1)
    ):
        places.append(places[-1] + 1)
    return places


def _by_time(level: Level, root: str, at: int) -> Slot:
    """The part of each time that rows have which a word names: "monthly", "by month"."""
    text, marked = level.pieces[at].text.lower(), _is_marked(level, at)
    if text not in PARTS or text not in ADVERBS and not marked and not level.follows_by(at):
        return []
    used = frozenset({at - 1, at} if marked else {at})
    times = [
        Field(column.name, part=PARTS[text])
        for column in level.scheme.database.relation(root).columns
        if temporal(column)
    ]
    return [Effect(used, group=(time,), features={"group part": 1.0}) for time in times[:3]]


def orders(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """In which order rows are wanted; told by itself or after a column."""
    for at in level.places:
        if (
            level.role(at) not in ("order", *_DOWN)
            or at in taken
            or level.role(at - 1) in ORDERING
        ):
            continue
        used, names, down = _ordered_by(level, at, taken)
        slot: Slot = [Effect(frozenset(used - set(names)), features={"order alone": 1.0})]
        for name in names[:1]:
            for field, features, mention in field_options(level, level.pieces[name], root)[:2]:
                notes = ((name, f"the order of {mention.relation}.{field.column}"),)
                more = {**features, "ordered": 1.0}
                slot.append(
                    Effect(frozenset(used), order=((field, down),), features=more, notes=notes)
                )
        yield slot


_DOWN = {"falling": True, "rising": False, "alphabetical": False}


def _ordered_by(level: Level, at: int, taken: frozenset[int]) -> tuple[set[int], list[int], bool]:
    """The pieces that say an order, the names among them, and whether it falls."""
    used, names, down = {at}, list[int](), _DOWN.get(level.role(at), False)
    for place in level.places[at + 1 :]:
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
