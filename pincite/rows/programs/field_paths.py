"""Names and values seen from the rows of one relation: which field is meant, and by which path it is reached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from pincite.database.relations.column_heading import readable
from pincite.database.relations.model import Column
from pincite.lexicon import pattern, word_list
from pincite.rows.programs.draft_parts import OPERANDS, Features, Level, best_mentions
from pincite.rows.programs.pieces import Mention, QuestionPiece
from pincite.rows.programs.program import (
    Condition,
    Field,
    Path,
    Related,
    RowQuery,
    Test,
    at_link,
    reached,
)
from pincite.rows.programs.scheme import Scheme, canonical, dated, quantity


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
        ends = [scheme.database.relation(name) for name in (here, step.to)]
        plain = _PLAIN.union(canonical(" ".join(f"{end.name} {end.readable}" for end in ends)))
        columns = chain(map(ends[0].column, step.columns), map(ends[1].column, step.to_columns))
        count += sum(not plain.issuperset(canonical(readable(column))) for column in columns)
        here = step.to
    return count


_PLAIN = frozenset(canonical(" ".join(word_list("rows", "words of links"))))


def field_options(
    level: Level, piece: QuestionPiece, root: str, want: str = ""
) -> list[tuple[Field, Features, Mention]]:
    """The fields that a name piece can mean from `root`, best first; `want` is "number" or "time" where only such make sense."""
    scheme = level.scheme
    found: list[tuple[float, Field, Features, Mention]] = []
    for mention in best_mentions(piece, 0.6):
        column = mention.column or scheme.labels[mention.relation]
        if not _is_wanted(scheme.column(mention.relation, column), want):
            continue
        for path, features in reach(scheme, root, mention.relation)[:3]:
            field, costs = Field(column, path), features
            if len(path) == 1 and (link := at_link(column, path)):
                field, costs = link, {**features, "steps": 0.0, "by link": 1.0}
            own = {**costs, "name match": mention.score}
            if not mention.column:
                own["label"] = 1.0
            score = (
                mention.score
                - 0.3 * len(field.path)
                - 0.2 * own.get("special link", 0)
                + 0.1 * (not path)
            )
            found.append((score, field, own, mention))
    found.sort(key=lambda option: -option[0])
    unique: dict[Field, tuple[Field, Features, Mention]] = {}
    for _, field, features, mention in found:
        unique.setdefault(field, (field, features, mention))
    return list(unique.values())


def _is_wanted(held: Column, want: str) -> bool:
    if want == "number":
        return quantity(held)
    return want != "time" or dated(held)


def value_tests(level: Level, at: int, root: str) -> Iterator[tuple[Condition, Features, str]]:
    """The tests that the value at a place can be from the rows of `root`, each with its reasons and the column in words."""
    piece = level.pieces[at]
    for mention in best_mentions(piece, 0.2):
        assert mention.value is not None
        column = level.scheme.column(*mention.place)
        for test, features in placed(
            level,
            at,
            root,
            mention.relation,
            Test(Field(mention.column), mention.within, mention.value),
        ):
            features["value match"] = mention.score
            if mention.within != "=":
                features["part of value"] = 1.0
            if column.distinct == 1:
                features["says nothing"] = 1.0
            yield test, features, f"{mention.relation}.{mention.column}"


def placed(
    level: Level, at: int, root: str, relation: str, test: Test
) -> Iterator[tuple[Condition, Features]]:
    """A test of a column of `relation` as a test of rows of `root`: in place, at a link, or of related rows."""
    scheme = level.scheme
    assert isinstance(test.item, Field)
    column = test.item.column
    hinted = _hints(level, at, relation, column)
    if relation == root:
        yield test, {**hinted, "direct": 1.0}
        ways = [
            (way, {"steps": float(len(way)), "special link": 0.0})
            for way in scheme.ways(root, root)
        ]
    else:
        ways = reach(scheme, root, relation)
    for path, costs in ways[:4]:
        features = {**hinted, **costs}
        if _named_way(level, at, root, path):
            features["way named"] = 1.0
        link = at_link(column, path)
        if link is None:
            yield Related(path, (test,)), features
        elif link.path:
            short = replace(test, item=Field(link.column))
            yield Related(link.path, (short,)), {**features, "steps": float(len(link.path))}


def _hints(level: Level, at: int, relation: str, column: str) -> Features:
    """What the words around a value say of the column that holds it."""
    words = set(canonical(readable(level.scheme.column(relation, column))))
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
    beside = chain.from_iterable(
        level.pieces[place].mentions for place in level.names((at - 1, at + 1))
    )
    ours = ("", column, level.scheme.labels[relation])
    return any(m.relation == relation and m.column not in ours and m.score > 0.7 for m in beside)


def _named_way(level: Level, at: int, root: str, path: Path) -> bool:
    """Whether another piece names a column or a relation that a path leads along."""
    along = set()
    here = root
    for step in path:
        along |= {
            (step.to, ""),
            *((here, name) for name in step.columns),
            *((step.to, name) for name in step.to_columns),
        }
        here = step.to
    named = chain.from_iterable(
        level.pieces[place].mentions for place in level.names() if place != at
    )
    return any(
        m.place in along and m.score > 0.7 and m.column != level.scheme.labels[m.relation]
        for m in named
    )


_DIRECTIONS = {
    way: frozenset(chain.from_iterable(map(canonical, word_list("rows", name))))
    for way, name in (("from", "directions from"), ("to", "directions to"))
}


def _direction(level: Level, at: int) -> str:
    """Whether a value is said to be where something comes "from" or goes "to"."""
    place = at - 1 if bracketed(level, at) else at
    before = (
        f"{level.pieces[place - 1].text} {level.lead(place)}" if place > 0 else level.lead(place)
    )
    found = pattern("rows", "way", "joints").findall(before.lower())
    if not found or found[-1] == "at":
        return ""
    return "from" if found[-1].startswith(("from", "depart")) else "to"


def bracketed(level: Level, at: int) -> bool:
    """Whether a value stands in brackets behind another, which it says more exactly: "Chicago (ORD)"."""
    return (
        at > 0
        and level.kind(at) == level.kind(at - 1) == "value"
        and level.lead(at).strip() == "("
    )


def around(level: Level, at: int) -> set[str]:
    """The canonical words close before and just after a piece, up to the next value."""
    words: set[str] = set()
    for place in reversed(level.places[max(0, at - 3) : at]):
        own = set(canonical(level.pieces[place].text))
        if level.kind(place) in OPERANDS:
            words -= own
            break
        words |= own
    words.update(canonical(level.lead(at)))
    if level.is_compound(at):
        words.update(canonical(level.pieces[at + 1].text))
    return words


def set_tests(level: Level, at: int, root: str) -> Iterator[tuple[Condition, Features, str]]:
    """The tests by which rows of `root` belong to the things of a set that was read before."""
    inner = level.sets[at].query
    (chosen,) = inner.select
    assert isinstance(chosen, Field)
    whole = not inner.group and inner.limit is None
    if whole and not chosen.path and chosen.column == level.scheme.labels[inner.relation]:
        yield from _rows_of_set(level.scheme, root, inner)
    yield from _values_of_set(level, at, root, chosen, whole)


def _rows_of_set(
    scheme: Scheme, root: str, inner: RowQuery
) -> Iterator[tuple[Condition, Features, str]]:
    """Rows that are those of a set, or linked with one of them."""
    for path, features in reach(scheme, root, inner.relation)[:4]:
        if not path:
            alone = len(inner.tests) == 1 and not inner.best and not inner.order
            test = inner.tests[0] if alone else Test(Field(scheme.labels[root]), "in", inner)
            yield test, {**features, "same rows": 1.0}, inner.relation
        elif len(path[-1].columns) == 1:
            asked = replace(inner, select=(Field(path[-1].to_columns[0]),))
            yield (
                reached(path[:-1], Test(Field(path[-1].columns[0]), "in", asked)),
                features,
                inner.relation,
            )


def _values_of_set(
    level: Level, at: int, root: str, chosen: Field, whole: bool
) -> Iterator[tuple[Condition, Features, str]]:
    """Rows with a value that a set holds, in any column whose values are at home where those of the set are."""
    scheme, inner = level.scheme, level.sets[at].query
    place = chosen.holder(inner.relation), chosen.column
    if whole:
        itself = [(inner.relation, chosen.column)] if root == inner.relation else []
    else:
        itself = [place]
    for other in scheme.database.relations:
        for held in other.columns:
            if (
                scheme.home(other.name, held.name) != scheme.home(*place)
                or (other.name, held.name) in itself
            ):
                continue
            for test, features in placed(
                level, at, root, other.name, Test(Field(held.name), "in", inner)
            ):
                if not isinstance(test, Related) or len(test.path) == 1:
                    yield test, {**features, "by value": 1.0}, f"{other.name}.{held.name}"


def quantity_like(level: Level, relation: str, column: str) -> bool:
    """Whether a text column seems to hold amounts, from its first rows."""
    held = level.scheme.database.relation(relation)
    at = held.columns.index(held.column(column))
    values = [row[at] for row in held.sample if row[at] is not None]
    return bool(values) and all(re.fullmatch(r"[-+]?\d[\d,.]*", str(value)) for value in values)
