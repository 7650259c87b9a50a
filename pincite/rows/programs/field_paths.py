"""Names and values seen from the rows of one relation: which field is meant, and by which path it is reached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from pincite.database.relations.model import Column
from pincite.lexicon import word_list
from pincite.rows.programs.draft_parts import Features, Level, amount, best_mentions
from pincite.rows.programs.pieces import Mention, QuestionPiece
from pincite.rows.programs.program import Condition, Field, Path, Related, RowQuery, Test
from pincite.rows.programs.scheme import Scheme, canonical, quantity, temporal


def reach(scheme: Scheme, root: str, relation: str) -> list[tuple[Path, Features]]:
    """The paths from a relation to another (the empty one to itself), with what speaks against each."""
    if root == relation:
        return [((), {})]
    if (root, relation) not in scheme.reached:
        scheme.reached[root, relation] = [
            (path, {"steps": float(len(path)), "special link": float(special(scheme, root, path))})
            for path in scheme.ways(root, relation)
        ]
    return scheme.reached[root, relation]


def special(scheme: Scheme, root: str, path: Path) -> int:
    """How many steps go along columns that say more than which relation they name ("capital", not "state_name")."""
    count, here = 0, root
    for step in path:
        plain = set(
            canonical(
                " ".join(
                    (here, step.to, scheme.database.relation(here).readable, scheme.database.relation(step.to).readable)
                ).replace("_", " ")
            )
        )
        for relation, names in ((here, step.columns), (step.to, step.to_columns)):
            for name in names:
                words = set(canonical(scheme.column(relation, name).readable or name)) - plain - _PLAIN
                if words:
                    count += 1
        here = step.to
    return count


_PLAIN = frozenset(canonical("id name code key number title sb tx cust dp mid uid cid pid aid did jid oid kid"))


def label_of(scheme: Scheme, relation: str) -> str:
    """The column that names a relation's rows."""
    return scheme.labels[relation]


def field_options(
    level: Level, piece: QuestionPiece, root: str, want: str = ""
) -> list[tuple[Field, Features, Mention]]:
    """The fields that a name piece can mean from `root`, best first; `want` is "number" or "time" where only such make sense."""
    scheme = level.scheme
    found: list[tuple[float, Field, Features, Mention]] = []
    for mention in best_mentions(piece, 0.6):
        column = mention.column or label_of(scheme, mention.relation)
        if not _is_wanted(scheme.column(mention.relation, column), want):
            continue
        for path, features in reach(scheme, root, mention.relation)[:3]:
            field = Field(column, path)
            if len(path) == 1 and path[0].to_columns == (column,) and len(path[0].columns) == 1:
                field = Field(path[0].columns[0])  # the same value without the walk
                features = {**features, "steps": 0.0, "by link": 1.0}
            own = {**features, "name match": mention.score}
            if not mention.column:
                amount(own, "label")
            score = mention.score - 0.3 * len(field.path) - 0.2 * own.get("special link", 0) + (0.1 if not path else 0)
            found.append((score, field, own, mention))
    found.sort(key=lambda option: -option[0])
    unique: dict[Field, tuple[Field, Features, Mention]] = {}
    for _, field, features, mention in found:
        unique.setdefault(field, (field, features, mention))
    return list(unique.values())


def _is_wanted(held: Column, want: str) -> bool:
    if want == "number":
        return quantity(held)
    return want != "time" or temporal(held) or "year" in canonical(held.name)


def value_tests(level: Level, at: int, root: str) -> Iterator[tuple[Condition, Features, str]]:
    """The tests that the value at a place can be from the rows of `root`, each with its reasons and the column in words."""
    piece = level.pieces[at]
    for mention in best_mentions(piece, 0.2):
        assert mention.value is not None
        column = level.scheme.column(mention.relation, mention.column)
        for test, features in placed(
            level, at, root, mention.relation, Test(Field(mention.column), mention.within, mention.value)
        ):
            features["value match"] = mention.score
            if mention.within != "=":
                features["part of value"] = 1.0
            if column.distinct == 1:
                features["says nothing"] = 1.0
            yield test, features, f"{mention.relation}.{mention.column}"


def placed(level: Level, at: int, root: str, relation: str, test: Test) -> Iterator[tuple[Condition, Features]]:
    """A test of a column of `relation` as a test of rows of `root`: in place, at a link, or of related rows."""
    scheme = level.scheme
    assert isinstance(test.item, Field)
    column = test.item.column
    hinted = _hints(level, at, relation, column)
    if relation == root:
        yield test, {**hinted, "direct": 1.0}
        reached = [(way, {"steps": float(len(way)), "special link": 0.0}) for way in scheme.ways(root, root)]
    else:
        reached = reach(scheme, root, relation)
    for path, costs in reached[:4]:
        features = {**hinted, **costs}
        if _named_way(level, at, root, path):
            features["way named"] = 1.0
        last = path[-1]
        if last.to_columns != (column,):
            yield Related(path, (test,)), features
        elif len(path) > 1:
            short = Test(Field(last.columns[0]), test.operator, test.value, test.negated)
            yield Related(path[:-1], (short,)), {**features, "steps": float(len(path) - 1)}


def _hints(level: Level, at: int, relation: str, column: str) -> Features:
    """What the words around a value say of the column that holds it."""
    words = set(canonical(level.scheme.column(relation, column).readable or column))
    hinted: Features = {"column named": 1.0} if words & around(level, at) else {}
    if way := _direction(level, at):
        own = {name for name, said in _DIRECTIONS.items() if said & words}
        if own:
            hinted["right direction" if way in own else "wrong direction"] = 1.0
    if column == level.scheme.labels[relation]:
        hinted["of label"] = 1.0
    if _beside(level, at, relation, column):
        hinted["verb beside"] = 1.0
    return hinted


def _beside(level: Level, at: int, relation: str, column: str) -> bool:
    """Whether a word next to a value names another column of the relation it is in: "the mississippi runs through"."""
    return any(
        m.relation == relation and m.column not in ("", column, level.scheme.labels[relation]) and m.score > 0.7
        for place in (at - 1, at + 1)
        if level.kind(place) == "name"
        for m in level.pieces[place].mentions
    )


def _named_way(level: Level, at: int, root: str, path: Path) -> bool:
    """Whether another piece names a column or a relation that a path leads along."""
    along = set()
    here = root
    for step in path:
        along |= (
            {(here, column) for column in step.columns}
            | {(step.to, column) for column in step.to_columns}
            | {(step.to, "")}
        )
        here = step.to
    return any(
        (m.relation, m.column) in along and m.score > 0.7
        for place, piece in enumerate(level.pieces)
        if place != at and piece.kind == "name"
        for m in piece.mentions
        if m.column != level.scheme.labels[m.relation]
    )


_DIRECTIONS = {
    way: frozenset(chain.from_iterable(map(canonical, word_list("rows", name))))
    for way, name in (("from", "directions from"), ("to", "directions to"))
}


def _direction(level: Level, at: int) -> str:
    """Whether a value is said to be where something comes "from" or goes "to"."""
    place = at - 1 if bracketed(level, at) else at
    before = f"{level.pieces[place - 1].text} {level.lead(place)}" if place > 0 else level.lead(place)
    found = re.findall(r"\b(?:from|to|into|at|depart\w*|arriv\w*)\b", before.lower())
    return (
        ""
        if not found
        else "from"
        if found[-1] == "from" or found[-1].startswith("depart")
        else "to"
        if found[-1] != "at"
        else ""
    )


def bracketed(level: Level, at: int) -> bool:
    """Whether a value stands in brackets behind another, which it says more exactly: "Chicago (ORD)"."""
    return at > 0 and level.kind(at) == level.kind(at - 1) == "value" and level.lead(at).strip() == "("


def around(level: Level, at: int) -> set[str]:
    """The canonical words close before and just after a piece, up to the next value."""
    words: set[str] = set()
    for place in range(at - 1, max(-1, at - 4), -1):
        words |= set(canonical(level.pieces[place].text))
        if level.kind(place) in ("value", "set", "number", "date"):
            words -= set(canonical(level.pieces[place].text))
            break
    words |= set(canonical(level.lead(at)))
    if level.kind(at + 1) == "name" and re.fullmatch(r"\s*", level.lead(at + 1)):
        words |= set(canonical(level.pieces[at + 1].text))
    return words


def set_tests(level: Level, at: int, root: str) -> Iterator[tuple[Condition, Features, str]]:
    """The tests by which rows of `root` belong to the things of a set that was read before."""
    scheme = level.scheme
    draft = level.sets[at]
    inner = draft.query
    (chosen,) = inner.select
    if not isinstance(chosen, Field):
        return
    plain = not inner.group and inner.limit is None
    if plain and not chosen.path and chosen.column == scheme.labels[inner.relation]:
        for path, features in reach(scheme, root, inner.relation)[:4]:
            if not path and len(inner.tests) == 1 and not inner.best and not inner.order:
                yield inner.tests[0], {**features, "same rows": 1.0}, inner.relation
                continue
            if not path:
                yield Test(Field(scheme.labels[root]), "in", inner), {**features, "same rows": 1.0}, inner.relation
                continue
            last = path[-1]
            if len(last.columns) > 1:
                continue
            asked = _reselect(inner, last.to_columns[0])
            own = Test(Field(last.columns[0]), "in", asked)
            yield (Related(path[:-1], (own,)) if len(path) > 1 else own), features, inner.relation
    relation, column = (chosen.path[-1].to if chosen.path else inner.relation), chosen.column
    home = scheme.home(relation, column)
    for other in scheme.database.relations:
        for held in other.columns:
            if scheme.home(other.name, held.name) != home or (
                not plain and (other.name, held.name) == (relation, column)
            ):
                continue
            if other.name == root == inner.relation and held.name == column and plain:
                continue
            for test, features in placed(level, at, root, other.name, Test(Field(held.name), "in", inner)):
                if len(list(_path(test))) <= 1:
                    yield test, {**features, "by value": 1.0}, f"{other.name}.{held.name}"


def _path(test: Condition) -> Path:
    return test.path if isinstance(test, Related) else ()


def _reselect(query: RowQuery, column: str) -> RowQuery:
    return replace(query, select=(Field(column),))


def quantity_like(level: Level, relation: str, column: str) -> bool:
    """Whether a text column seems to hold amounts, from its first rows."""
    held = level.scheme.database.relation(relation)
    at = next(i for i, held_column in enumerate(held.columns) if held_column.name == column)
    values = [row[at] for row in held.sample if row[at] is not None]
    return bool(values) and all(re.fullmatch(r"[-+]?\d[\d,.]*", str(value)) for value in values)
