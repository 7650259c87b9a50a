"""What names and values do to a query over the rows of one relation: rows that have them, or have not.

Each generator yields slots; a slot is a list of the ways in which some pieces can be taken, of which one is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pincite.rows.programs.draft_parts import Effect, Level, Slot, best_mentions, negated, negation
from pincite.rows.programs.field_paths import field_options, label_of, reach, set_tests, value_tests
from pincite.rows.programs.program import Condition, Field, Related, Test
from pincite.rows.programs.superlatives import extremes


def values(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Values: rows that have them, by a column of their own or of related rows; lists of values of one column."""
    done: set[int] = set()
    for at, piece in enumerate(level.pieces):
        if piece.kind != "value" or at in taken or at in done:
            continue
        alike = [at]
        while (
            level.kind(alike[-1] + 1) == "value"
            and level.joined(alike[-1] + 1)
            and _same_column(level, at, alike[-1] + 1)
        ):
            alike.append(alike[-1] + 1)
        slot: Slot = []
        no = negation(level, at)
        for test, features, where in value_tests(level, at, root):
            used = frozenset((at,)) if no is None else frozenset((at, no))
            features = dict(features)
            said = test
            appositions = [
                beside for beside in (at - 1, at + 1) if beside not in taken and _apposed(level, at, beside, where)
            ]
            if appositions:
                used = used | frozenset(appositions)
                features["apposition"] = 1.0
            if no is not None:
                said = negated(test)
                features["negated"] = 1.0
            slot.append(Effect(used, tests=(said,), features=features, notes=((at, f"a value of {where}"),)))
            if len(alike) > 1 and (several := _several(level, alike, test)) is not None:
                used = used | frozenset(alike)
                joined = several if no is None else negated(several)
                slot.append(
                    Effect(
                        used,
                        tests=(joined,),
                        features={**features, "listed": 1.0},
                        notes=tuple((place, f"a value of {where}") for place in alike),
                    )
                )
                if any(level.role(place) == "both" for place in range(len(level.pieces))) and isinstance(test, Related):
                    each = tuple(_with_value(level, place, test) for place in alike)
                    both = next(place for place in range(len(level.pieces)) if level.role(place) == "both")
                    if all(tested is not None for tested in each):
                        slot.append(
                            Effect(
                                used | {both},
                                tests=tuple(tested for tested in each if tested is not None),
                                features={**features, "each of both": 1.0},
                            )
                        )
        if slot:
            done |= set(alike) if all(set(alike) <= effect.used for effect in slot) else set()
            yield slot


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
    for at, piece in enumerate(level.pieces):
        if piece.kind != "name" or at in taken:
            continue
        no = negation(level, at)
        if no is None and level.role(at + 1) == "not":
            no = at + 1
        slot: Slot = [Effect(frozenset(), features={})]
        for mention in best_mentions(piece, 0.5):
            held = None if not mention.column else level.scheme.column(mention.relation, mention.column)
            used = frozenset((at,)) if no is None else frozenset((at, no))
            if (
                held is not None
                and mention.relation == root
                and (no is not None or re.search(r"\b(?:with|has|have|having|both)\b", level.lead(at)))
            ):
                test = Test(Field(mention.column), "null", negated=no is None)
                slot.append(
                    Effect(
                        used,
                        tests=(test,),
                        features={"has value": 1.0, "name match": mention.score, "negated": float(no is not None)},
                        notes=((at, f"{mention.relation}.{mention.column} is {'there' if no is None else 'empty'}"),),
                    )
                )
            if mention.relation != root:
                slot += list(extremes(level, root, mention, used, at))
                for path, features in reach(level.scheme, root, mention.relation)[:2]:
                    slot.append(
                        Effect(
                            used,
                            tests=(Related(path, (), no is not None),),
                            features={
                                **features,
                                "exists": 1.0,
                                "name match": mention.score,
                                "negated": float(no is not None),
                            },
                            notes=((at, f"{'no' if no is not None else 'some'} {mention.relation}"),),
                        )
                    )
            elif held is None:
                for path in level.scheme.ways(root, root)[:1]:
                    slot.append(
                        Effect(
                            used,
                            tests=(Related(path, (), no is not None),),
                            features={"exists": 1.0, "steps": float(len(path)), "negated": float(no is not None)},
                        )
                    )
        if len(slot) > 1:
            yield slot


def letters(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Names that begin or end with letters, or contain a word."""
    for at in range(len(level.pieces)):
        role = level.role(at)
        if role not in ("begins", "ends", "contains") or at in taken:
            continue
        text = level.question.text
        begin = level.question.tokens[level.pieces[at].end - 1][1]
        m = re.match(r"\W*+(?P<said>\w[\w.@%-]*+)", text[begin:])
        if not m or at + 1 >= len(level.pieces):
            continue
        used = {at} | {
            place
            for place in range(at + 1, len(level.pieces))
            if level.question.tokens[level.pieces[place].start][0] < begin + m.end()
        }
        slot: Slot = []
        names = [place for place in range(at - 1, max(-1, at - 4), -1) if level.kind(place) == "name"]
        for place in names:
            for field, features, _ in field_options(level, level.pieces[place], root)[:2]:
                if level.scheme.column(field.path[-1].to if field.path else root, field.column).type == "text":
                    test = Test(Field(field.column), role, m["said"])  # type: ignore[arg-type]
                    made: Condition = Related(field.path, (test,)) if field.path else test
                    slot.append(Effect(frozenset(used | {place}), tests=(made,), features={**features, "letters": 1.0}))
        own = Test(Field(label_of(level.scheme, root)), role, m["said"])  # type: ignore[arg-type]
        slot.append(Effect(frozenset(used), tests=(own,), features={"letters": 1.0, "label": 1.0}))
        yield slot
