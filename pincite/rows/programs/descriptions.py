"""Questions that describe a table to be made: what to return, for each of what, in which order, how many rows.

"What are the five largest ports by tonnage? Show the port and the tonnage." The sentence is
walked through once; what it names is sorted into columns to return, groups, order and a subject, whose own columns are
meant by a bare "name" or "id". The rows are those of the relation that is counted or reckoned over, if any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, filterfalse, islice
from typing import Any

from pincite.rows.programs.description_outline import DescriptionOutline, Phrase, outline
from pincite.rows.programs.draft_parts import Features, Level, Target, add, best_mentions
from pincite.rows.programs.field_paths import reach
from pincite.rows.programs.pieces import Mention
from pincite.rows.programs.program import Aggregate, Best, Combined, Field, Item, Nested, Path, RowQuery
from pincite.rows.programs.scheme import Scheme, quantity, temporal


def summaries(level: Level) -> Iterator[Target]:
    """The tables that a whole question may describe, as targets with groups and order of their own."""
    if not level.top or level.sets:
        return
    found = outline(level)
    if found is None or not _describes(found):
        return
    subjects = list(_subjects(level, found))
    for subject in subjects[:2]:
        yield from _shaped(level, found, subject)


def _describes(found: DescriptionOutline) -> bool:
    """Whether an outline is of a table: it says that it lists, groups or orders, or has more than one column or a function."""
    if found.explicit or found.group or found.order or len(found.select) > 1:
        return True
    return any(phrase.function for phrase in found.select)


def _subjects(level: Level, found: DescriptionOutline) -> Iterator[str]:
    """The relations whose own columns a bare name can mean, likeliest first."""
    seen: dict[str, float] = {}
    for rank, one in enumerate([*found.subject, *found.select, *found.group]):
        for at in one.names:
            for mention in best_mentions(level.pieces[at], 0.3):
                weight = mention.score - 0.1 * rank + (0.5 if not mention.column else 0) - (0.6 if one.function else 0)
                seen[mention.relation] = max(seen.get(mention.relation, -9), weight)
    yield from sorted(seen, key=lambda one: -seen[one])


def _shaped(level: Level, found: DescriptionOutline, subject: str) -> Iterator[Target]:
    phrases = [*found.select, *found.group, *(phrase for phrase, _ in found.order)]
    measured = [phrase for phrase in phrases if phrase.function not in ("", "rows") or phrase.over]
    roots = dict.fromkeys(chain.from_iterable(_measured_relations(level, phrase, subject) for phrase in measured))
    for root in islice(roots or (subject,), 3):
        features: Features = {"summary": 1.0} | ({"groups": 0.0} if found.group else {})
        items = [_item(level, phrase, root, subject, features) for phrase in phrases]
        known = [item for item in items if item is not None]
        if len(known) < len(items):
            continue
        first, last = len(found.select), len(found.select) + len(found.group)
        order = list(zip(known[last:], (down for _, down in found.order), strict=True))
        yield from _queries(found, root, known[:first], known[first:last], order, features)


def _queries(
    found: DescriptionOutline,
    root: str,
    select: list[Item],
    group: list[Item],
    order: list[tuple[Item, bool]],
    features: Features,
) -> Iterator[Target]:
    shown = tuple(dict.fromkeys((*group, *select) if not found.explicit else select))
    if not shown:
        return
    if found.explicit:
        features = {**features, "explicit": 1.0}
    aggregated = any(map(_measured, shown)) or any(_measured(item) for item, _ in order)
    groups = tuple(dict.fromkeys((*group, *filterfalse(_measured, shown)))) if aggregated else ()
    if aggregated and not groups and not all(_measured(item) for item, _ in order):
        return
    best, ranked = None, tuple({item: (item, down) for item, down in reversed(order)}.values())
    if found.best is not None and found.limit is None and order:
        best, ranked = Best(*order[0]), ()
    shape = RowQuery(root, shown, group=groups, best=best, order=ranked, limit=found.limit)
    add(features, "summary grouped", float(bool(groups)))
    used = frozenset(found.used)
    yield _target(used, shape, {**features, "order in summary": float(bool(order))})
    hidden = () if found.explicit else tuple(item for item, _ in order if item not in shown)
    if hidden:
        more = {"order in summary": 1.0, "summary shows order": 1.0, "shows top n": float(found.limit is not None)}
        yield _target(used, replace(shape, select=(*shown, *hidden)), {**features, **more})
    if best is not None:
        plain = replace(shape, best=None, order=((best.item, best.largest),))
        features = {**features, "best as order": 1.0}
        yield _target(used, plain, features)
        if hidden:
            yield _target(used, replace(plain, select=(*shown, *hidden)), {**features, "summary shows order": 1.0})


def _target(used: frozenset[int], shape: RowQuery, features: Features) -> Target:
    return Target(shape.relation, shape.select, used, features, (), (), shape)


def _measured(item: Item) -> bool:
    return isinstance(item, Aggregate) or isinstance(item, Combined) and (_measured(item.left) or _measured(item.right))


def _measured_relations(level: Level, phrase: Phrase, subject: str) -> Iterator[str]:
    """The relations over which a phrase is counted or reckoned."""
    for mention in _mentions(level, phrase, subject, phrase.function):
        yield mention.relation


def _mentions(level: Level, phrase: Phrase, subject: str, function: str = "") -> list[Mention]:
    """What the names of a phrase together mean: the last is the head, those before it say whose it is."""
    if not phrase.names:
        return []
    *before, head = phrase.names
    owners: dict[str, float] = {}
    for mention in chain.from_iterable(level.pieces[at].mentions for at in before):
        weight = 0.6 if not mention.column else 0.1
        owners[mention.relation] = max(owners.get(mention.relation, 0), mention.score * weight)
    found: list[tuple[float, Mention]] = []
    for mention in best_mentions(level.pieces[head], 0.6):
        score = mention.score + owners.get(mention.relation, 0)
        score += 0.25 if mention.relation == subject and mention.column else 0
        score -= _unfit(level.scheme, mention, function)
        if owners and mention.relation not in owners and not mention.column:
            score -= 0.3
        found.append((score, mention))
    # the head may be a plain word for what the words before it name: "country name", "state code"
    plain = level.pieces[head].text.lower() in ("name", "names", "title", "titles")
    for mention in chain.from_iterable(best_mentions(level.pieces[at], 0.3) for at in before):
        if function or mention.column:
            found.append((mention.score + (0.35 if plain and mention.column else -0.3), mention))
    found.sort(key=lambda pair: -pair[0])
    return [mention for score, mention in found if score > found[0][0] - 0.5][:4]


def _unfit(scheme: Scheme, mention: Mention, function: str) -> float:
    """What speaks against a mention: what is summed is a number, and what is counted is rarely a column but keys and names."""
    held = scheme.column(mention.relation, mention.column) if mention.column else None
    if function in ("sum", "avg") and not (held is not None and quantity(held)):
        return 1.5
    named = (scheme.keys[mention.relation], scheme.labels[mention.relation])
    return 0.2 if function.startswith("count") and held is not None and mention.column not in named else 0.0


def _item(level: Level, phrase: Phrase, root: str, subject: str, features: Features) -> Item | None:
    """The item that a phrase means from the rows of `root`."""
    if phrase.over is not None:
        return _quotient(level, phrase, phrase.over, root, subject, features)
    if phrase.function == "rows":
        return Aggregate("count")
    if not phrase.names:
        times = [held.name for held in level.scheme.database.relation(root).columns if temporal(held)]
        return Field(times[0], (), phrase.part) if times else None
    for mention in _mentions(level, phrase, subject, phrase.function):
        for path, cost in reach(level.scheme, root, mention.relation)[:1]:
            for name, value in cost.items():
                add(features, name, value)
            add(features, "name match", min(1.0, mention.score))
            if phrase.function.startswith("count") or phrase.function == "most":
                if counted := _counted(level, phrase, mention, path, root, subject, features):
                    return counted
            return _measure(level.scheme, phrase, mention, path)
    return None


def _counted(
    level: Level, phrase: Phrase, mention: Mention, path: Path, root: str, subject: str, features: Features
) -> Item | None:
    """What a phrase counts: the number that a column holds already, else rows; None where "most" is of another column."""
    scheme = level.scheme
    numeric = bool(mention.column) and quantity(scheme.column(mention.relation, mention.column))
    if numeric and phrase.function != "count distinct":
        add(features, "number in column")
        own = Field(mention.column, path)
        return own if mention.relation == subject else Aggregate("sum", own)
    if phrase.function == "most" and mention.column not in ("", scheme.labels[mention.relation]):
        return None
    return _count(level, mention, path, root, phrase.function == "count distinct")


def _measure(scheme: Scheme, phrase: Phrase, mention: Mention, path: Path) -> Item | None:
    """A column, or what a phrase makes of it; None for the sum or mean of what is no number."""
    column = mention.column or scheme.labels[mention.relation]
    item = Field(column, path)
    if path and len(path) == 1 and path[0].to_columns == (column,):
        item = Field(path[0].columns[0])
    if phrase.function in ("sum", "avg"):
        return Aggregate(phrase.function, item) if quantity(scheme.column(mention.relation, column)) else None  # type: ignore[arg-type]
    if phrase.best and mention.column and quantity(scheme.column(mention.relation, column)):
        return Aggregate("max" if phrase.best > 0 else "min", item)
    return item


def _quotient(level: Level, phrase: Phrase, over: Phrase, root: str, subject: str, features: Features) -> Item | None:
    """A ratio: of two columns of a row, or of two numbers of rows."""
    add(features, "ratio")
    halves = (replace(phrase, over=None), over)
    items = [item for half in halves if (item := _item(level, half, root, subject, features)) is not None]
    if len(items) < 2:
        return None
    if all(_names_rows(level, half) for half in halves):
        if "groups" not in features:
            return _quotient_of_counts(level, halves, subject)
        items = [item if _measured(item) else Aggregate("count", item, distinct=True) for item in items]
    return Combined("/", items[0], items[1])


def _quotient_of_counts(level: Level, halves: Iterable[Phrase], subject: str) -> Item | None:
    """The ratio of the numbers of rows of two tables."""
    counts = []
    for half in halves:
        for mention in _mentions(level, half, subject, "count")[:1]:
            name = mention.relation
            counts.append(Nested(RowQuery(name, (_count(level, Mention(name), (), name, False),))))
    return Combined("/", counts[0], counts[1]) if len(counts) == 2 else None


def _names_rows(level: Level, phrase: Phrase) -> bool:
    return (
        phrase.function.startswith("count")
        or not phrase.function
        and any(not m.column and m.score > 0.6 for at in phrase.names for m in level.pieces[at].mentions)
    )


def _count(level: Level, mention: Mention, path: Any, root: str, distinct: bool) -> Aggregate:
    scheme = level.scheme
    if not path and not distinct and mention.column in ("", scheme.keys[root], scheme.labels[root]):
        return (
            Aggregate("count", Field(scheme.labels[root]), distinct=True)
            if root in scheme.several
            else Aggregate("count")
        )
    column = mention.column or scheme.keys[mention.relation]
    if path and path[-1].to_columns == (column,):
        return Aggregate("count", Field(path[-1].columns[0], path[:-1]), distinct=True)
    return Aggregate("count", Field(column, path), distinct=True)
