"""What names and values do to a query over the rows of one relation: rows that have them, or have not.

Each generator yields slots; a slot is a list of the ways in which some pieces can be taken, of which one is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pincite.lexicon import pattern
from pincite.rows.programs.draft_parts import (
    Effect,
    Features,
    Level,
    Slot,
    best_mentions,
    denied,
    negation,
)
from pincite.rows.programs.field_paths import field_options, reach, set_tests, value_tests
from pincite.rows.programs.pieces import Mention
from pincite.rows.programs.program import Condition, Field, Operator, Related, Test, reached
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
    level: Level,
    alike: list[int],
    taken: frozenset[int],
    test: Condition,
    features: Features,
    where: str,
) -> Iterator[Effect]:
    """What the first of some values says of the rows, and what all of them say together."""
    at, no = alike[0], negation(level, alike[0])
    beside = [
        place
        for place in (at - 1, at + 1)
        if place not in taken and _apposed(level, at, place, where)
    ]
    features = dict(features)
    if beside:
        features["apposition"] = 1.0
    if no is not None:
        features["negated"] = 1.0
    used, note = frozenset((at, *beside)), f"a value of {where}"
    yield denied(Effect(used, tests=(test,), features=features, notes=((at, note),)), no)
    values = _values_of(level, alike, test)
    if len(values) < max(2, len(alike)):
        return
    listed, notes = {**features, "listed": 1.0}, tuple((place, note) for place in alike)
    inner = replace(_innermost(test), operator="in", value=tuple(dict.fromkeys(values)))
    several = replace(test, tests=(inner,)) if isinstance(test, Related) else inner
    yield denied(Effect(used.union(alike), tests=(several,), features=listed, notes=notes), no)


def _apposed(level: Level, at: int, name: int, where: str) -> bool:
    """Whether the piece beside a value says what it is: "the mississippi river", "the city of austin", "capital austin"."""
    if level.kind(name) != "name":
        return False
    lead = level.lead(max(at, name)).strip()
    if lead not in ("", "of", "the", "is", "of the", "named", "called", "=", "'", '"', "is '"):
        return False
    # a relation may have a point in its name
    relation = max((name for name in level.scheme.labels if where.startswith(f"{name}.")), key=len)
    column = where.removeprefix(f"{relation}.")
    is_label = column == level.scheme.labels[relation]
    mentions = [m for m in level.pieces[name].mentions if m.relation == relation]
    return any(m.column == column or is_label and not m.column and m.score > 0.8 for m in mentions)


def _same_column(level: Level, at: int, other: int) -> bool:
    first = {m.place for m in level.pieces[at].mentions}
    return any(m.place in first for m in level.pieces[other].mentions)


def _values_of(level: Level, places: list[int], test: Condition) -> list[str]:
    """The values that pieces have in the column of a test, of each one at most."""
    item = _innermost(test).item
    assert isinstance(item, Field)
    found: list[str] = []
    for place in places:
        found += [
            m.value
            for m in level.pieces[place].mentions
            if m.column == item.column and m.value is not None
        ][:1]
    return found


def _innermost(test: Condition) -> Test:
    """The test of a value, which related rows may have to meet."""
    inner = test.tests[0] if isinstance(test, Related) else test
    assert isinstance(inner, Test)
    return inner


def sets(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Stretches read before: rows that belong to the things that they name."""
    for at, piece in enumerate(level.pieces):
        if piece.kind != "set" or at in taken:
            continue
        no = negation(level, at)
        slot = []
        for test, features, where in set_tests(level, at, root):
            notes = ((at, f"the {where} it names"),)
            effect = Effect(
                frozenset((at,)), tests=(test,), features={**features, "set": 1.0}, notes=notes
            )
            slot.append(denied(effect, no))
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


_HAVING = pattern("rows", "having", "joints")


def _existing(
    level: Level, root: str, at: int, no: int | None, mention: Mention
) -> Iterator[Effect]:
    """What a name says by itself of the rows: that a column of theirs is there, or a row related to them; or that it is not."""
    used = frozenset((at,)) if no is None else frozenset((at, no))
    absent = float(no is not None)
    if mention.relation != root:
        yield from extremes(level, root, mention, used, at)
        for path, features in reach(level.scheme, root, mention.relation)[:2]:
            yield Effect(
                used,
                tests=(Related(path, (), no is not None),),
                features={
                    **features,
                    "exists": 1.0,
                    "name match": mention.score,
                    "negated": absent,
                },
                notes=((at, f"{'some' if no is None else 'no'} {mention.relation}"),),
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
            notes=(
                (
                    at,
                    f"{mention.relation}.{mention.column} is {'there' if no is None else 'empty'}",
                ),
            ),
        )


_LETTERS: dict[str, Operator] = {"begins": "begins", "ends": "ends", "contains": "contains"}
"""What is said of the letters of a name -> the test of it."""


def letters(level: Level, root: str, taken: frozenset[int]) -> Iterator[Slot]:
    """Names that begin or end with letters, or contain a word."""
    tokens = level.question.tokens
    for at in level.places[:-1]:
        if level.role(at) not in _LETTERS or at in taken:
            continue
        said = _SAID.match(level.question.text, tokens[level.pieces[at].end - 1][1])
        if said is None:
            continue
        behind = (
            place
            for place in level.places[at + 1 :]
            if tokens[level.pieces[place].start][0] < said.end()
        )
        yield list(_spelled(level, root, at, frozenset((at, *behind)), said["said"]))


def _spelled(
    level: Level, root: str, at: int, used: frozenset[int], said: str
) -> Iterator[Effect]:
    """The columns of text that letters may be of: those named shortly before, and the one that names a row."""
    operator = _LETTERS[level.role(at)]
    for place in level.names(reversed(level.places[max(0, at - 3) : at])):
        for field, features, _ in field_options(level, level.pieces[place], root)[:2]:
            if level.scheme.column(field.holder(root), field.column).type == "text":
                test = reached(field.path, Test(Field(field.column), operator, said))
                yield Effect(used | {place}, tests=(test,), features={**features, "letters": 1.0})
    own = Test(Field(level.scheme.labels[root]), operator, said)
    yield Effect(used, tests=(own,), features={"letters": 1.0, "label": 1.0})


_SAID = re.compile(r"\W*+(?P<said>\w[\w.@%-]*+)")
