"""What names and values do to a query over the rows of one relation: rows that have them, or have not.

Each generator yields slots; a slot is a list of the ways in which some pieces can be taken, of which one is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pincite.rows.programs.draft_parts import Effect, Features, Level, Slot, best_mentions, negated, negation
from pincite.rows.programs.field_paths import field_options, label_of, reach, set_tests, value_tests
from pincite.rows.programs.pieces import Mention
from pincite.rows.programs.program import Condition, Field, Related, Test
from pincite.rows.programs.superlatives import extremes


def values(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Values: rows that have them, by a column of their own or of related rows; lists of values of one column."""
    done: set[int] = set()
    for at, piece in enumerate(level.pieces):
        if piece.kind != "value" or at in taken or at in done:
            continue
        alike = _alike(level, at)
        slot: Slot = []
        for test, features, where in value_tests(level, at, root):
            slot += _with_test(level, alike, taken, test, features, where)
        if slot:
            if all(effect.used.issuperset(alike) for effect in slot):
                done.update(alike)
            yield slot


def _alike(level: Level, at: int) -> list[int]:
    """A value and those of the same column that a list goes on with."""
    alike = [at]
    while level.kind(alike[-1] + 1) == "value" and level.joined(alike[-1] + 1):
        if not _same_column(level, at, alike[-1] + 1):
            break
        alike.append(alike[-1] + 1)
    return alike


def _with_test(
    level: Level, alike: list[int], taken: frozenset[int], test: Condition, features: Features, where: str
) -> Iterator[Effect]:
    """What the first of some values says of the rows, what all of them say together, and what each says by itself."""
    at, no = alike[0], negation(level, alike[0])
    features = dict(features)
    appositions = [place for place in (at - 1, at + 1) if place not in taken and _apposed(level, at, place, where)]
    used = frozenset((at, *appositions))
    if appositions:
        features["apposition"] = 1.0
    if no is not None:
        used |= {no}
        features["negated"] = 1.0
    said = test if no is None else negated(test)
    yield Effect(used, tests=(said,), features=features, notes=((at, f"a value of {where}"),))
    several = _several(level, alike, test) if len(alike) > 1 else None
    if several is None:
        return
    used |= frozenset(alike)
    yield Effect(
        used,
        tests=(several if no is None else negated(several),),
        features={**features, "listed": 1.0},
        notes=tuple((place, f"a value of {where}") for place in alike),
    )
    both = level.first(("both",))
    if both is not None and isinstance(test, Related):
        each = [tested for place in alike if (tested := _with_value(level, place, test)) is not None]
        if len(each) == len(alike):
            yield Effect(used | {both}, tests=tuple(each), features={**features, "each of both": 1.0})


def _apposed(level: Level, at: int, name: int, where: str) -> bool:
    """Whether the piece beside a value says what it is: "the mississippi river", "the city of austin", "capital austin"."""
    if level.kind(name) != "name":
        return False
    lead = level.lead(max(at, name)).strip()
    if lead not in ("", "of", "the", "is", "of the", "named", "called", "=", "'", '"', "is '") and not (
        name < at and lead in ("named", "called", "is")
    ):
        return False
    relation, _, column = where.partition(".")
    return any(
        m.relation == relation
        and (m.column == column or not m.column and m.score > 0.8 and column == level.scheme.labels[relation])
        for m in level.pieces[name].mentions
    )


def _same_column(level: Level, one: int, other: int) -> bool:
    first = {(m.relation, m.column) for m in level.pieces[one].mentions}
    return any((m.relation, m.column) in first for m in level.pieces[other].mentions)


def _several(level: Level, places: list[int], test: Condition) -> Condition | None:
    inner = test.tests[0] if isinstance(test, Related) else test
    if not isinstance(inner, Test):
        return None
    column = inner.item.column if isinstance(inner.item, Field) else ""
    found = []
    for place in places:
        mention = next((m for m in level.pieces[place].mentions if m.column == column), None)
        if mention is None or mention.value is None:
            return None
        found.append(mention.value)
    several = replace(inner, operator="in", value=tuple(dict.fromkeys(found)))
    return replace(test, tests=(several,)) if isinstance(test, Related) else several


def _with_value(level: Level, place: int, test: Condition) -> Condition | None:
    if (
        not isinstance(test, Related)
        or not isinstance(test.tests[0], Test)
        or not isinstance(test.tests[0].item, Field)
    ):
        return None
    column = test.tests[0].item.column
    mention = next((m for m in level.pieces[place].mentions if m.column == column), None)
    return None if mention is None else replace(test, tests=(replace(test.tests[0], value=mention.value),))


def sets(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Stretches read before: rows that belong to what they stand for."""
    for at, piece in enumerate(level.pieces):
        if piece.kind != "set" or at in taken:
            continue
        no = negation(level, at)
        slot = []
        for test, features, where in set_tests(level, at, root):
            used = frozenset((at,)) if no is None else frozenset((at, no))
            slot.append(
                Effect(
                    used,
                    tests=(test if no is None else negated(test),),
                    features={**features, "set": 1.0},
                    notes=((at, f"the {where} it names"),),
                )
            )
        if slot:
            yield slot


def existence(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Relations named without a value: rows that have, or have not, any such row."""
    for at in level.names():
        if at in taken:
            continue
        no = negation(level, at)
        if no is None and level.role(at + 1) == "not":
            no = at + 1
        slot: Slot = [Effect(frozenset(), features={})]
        for mention in best_mentions(level.pieces[at], 0.5):
            slot += _existing(level, root, at, no, mention)
        if len(slot) > 1:
            yield slot


_HAVING = re.compile(r"\b(?:with|has|have|having|both)\b")


def _existing(level: Level, root: str, at: int, no: int | None, mention: Mention) -> Iterator[Effect]:
    """What a name says by itself of the rows: that a column of theirs is there, or a row related to them; or that it is not."""
    used = frozenset((at,)) if no is None else frozenset((at, no))
    absent = float(no is not None)
    if mention.relation != root:
        yield from extremes(level, root, mention, used, at)
        for path, features in reach(level.scheme, root, mention.relation)[:2]:
            yield Effect(
                used,
                tests=(Related(path, (), no is not None),),
                features={**features, "exists": 1.0, "name match": mention.score, "negated": absent},
                notes=((at, f"{'no' if no is not None else 'some'} {mention.relation}"),),
            )
    elif not mention.column:
        for path in level.scheme.ways(root, root)[:1]:
            features = {"exists": 1.0, "steps": float(len(path)), "negated": absent}
            yield Effect(used, tests=(Related(path, (), no is not None),), features=features)
    elif no is not None or _HAVING.search(level.lead(at)):
        yield Effect(
            used,
            tests=(Test(Field(mention.column), "null", negated=no is None),),
            features={"has value": 1.0, "name match": mention.score, "negated": absent},
            notes=((at, f"{mention.relation}.{mention.column} is {'there' if no is None else 'empty'}"),),
        )


def letters(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Names that begin or end with letters, or contain a word."""
    tokens = level.question.tokens
    for at in range(len(level.pieces) - 1):
        role = level.role(at)
        if role not in ("begins", "ends", "contains") or at in taken:
            continue
        begin = tokens[level.pieces[at].end - 1][1]
        m = _SAID.match(level.question.text[begin:])
        if not m:
            continue
        behind = range(at + 1, len(level.pieces))
        used = {at, *(place for place in behind if tokens[level.pieces[place].start][0] < begin + m.end())}
        slot: Slot = []
        for place in level.names(range(at - 1, max(-1, at - 4), -1)):
            for field, features, _ in field_options(level, level.pieces[place], root)[:2]:
                if level.scheme.column(field.path[-1].to if field.path else root, field.column).type == "text":
                    test = Test(Field(field.column), role, m["said"])  # type: ignore[arg-type]
                    made: Condition = Related(field.path, (test,)) if field.path else test
                    slot.append(Effect(frozenset(used | {place}), tests=(made,), features={**features, "letters": 1.0}))
        own = Test(Field(label_of(level.scheme, root)), role, m["said"])  # type: ignore[arg-type]
        slot.append(Effect(frozenset(used), tests=(own,), features={"letters": 1.0, "label": 1.0}))
        yield slot


_SAID = re.compile(r"\W*+(?P<said>\w[\w.@%-]*+)")
