"""Questions that describe a table to be made: what to return, for each of what, in which order, how many rows.

"What are the five largest ports by tonnage? Show the port and the tonnage." The sentence is
walked through once; what it names is sorted into columns to return, groups, order and a subject, whose own columns are
meant by a bare "name" or "id". The rows are those of the relation that is counted or reckoned over, if any.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from pincite.rows.programs.description_outline import DescriptionOutline, Phrase, outline
from pincite.rows.programs.draft_parts import Features, Level, Target, amount, best_mentions
from pincite.rows.programs.field_paths import reach
from pincite.rows.programs.pieces import Mention
from pincite.rows.programs.program import Aggregate, Best, Combined, Field, Item, Nested, RowQuery
from pincite.rows.programs.scheme import quantity, temporal


def summaries(level: Level) -> Iterator[Target]:
    """The tables that a whole question may describe, as targets with groups and order of their own."""
    if not level.top or level.sets:
        return
    found = outline(level)
    if found is None or not (
        found.explicit
        or found.group
        or found.order
        or len(found.select) > 1
        or any(phrase.function for phrase in found.select)
    ):
        return
    subjects = list(_subjects(level, found))
    for subject in subjects[:2]:
        yield from _shaped(level, found, subject)


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
    phrases = [*found.select, *found.group, *(one for one, _ in found.order)]
    measured = [phrase for phrase in phrases if phrase.function not in ("", "rows") or phrase.over]
    roots = dict.fromkeys(root for phrase in measured for root in _measured_relations(level, phrase, subject)) or {
        subject: None
    }
    for root in islice(roots, 3):
        features: Features = {"summary": 1.0} | ({"groups": 0.0} if found.group else {})
        select = [_item(level, phrase, root, subject, features) for phrase in found.select]
        group = [_item(level, phrase, root, subject, features) for phrase in found.group]
        order = [(_item(level, one, root, subject, features), down) for one, down in found.order]
        if any(item is None for item in (*select, *group, *(item for item, _ in order))):
            continue
        yield from _queries(
            level,
            found,
            root,
            subject,
            [i for i in select if i],
            [i for i in group if i],
            [(i, d) for i, d in order if i],
            features,
        )


def _queries(
    level: Level,
    found: DescriptionOutline,
    root: str,
    subject: str,
    select: list[Item],
    group: list[Item],
    order: list[tuple[Item, bool]],
    features: Features,
) -> Iterator[Target]:
    scheme = level.scheme
    used = frozenset(found.used)
    shown = tuple(dict.fromkeys((*group, *select) if not found.explicit else select))
    items = (*shown, *(item for item, _ in order))
    if not shown:
        return
    if found.explicit:
        features = {**features, "explicit": 1.0}
    aggregated = any(_measured(item) for item in items)
    groups: tuple[Item, ...] = ()
    if aggregated:
        groups = tuple(dict.fromkeys((*group, *(item for item in shown if not _measured(item)))))
    best, limit, ranked = None, found.limit, tuple({item: (item, down) for item, down in reversed(order)}.values())
    if found.best is not None and found.limit is None and order:
        best, ranked = Best(order[0][0], order[0][1]), ()
    shape = RowQuery(root, shown, group=groups, best=best, order=ranked, limit=limit)
    if aggregated and not groups and any(not _measured(item) for item, _ in order):
        return
    amount(features, "summary grouped", float(bool(groups)))
    yield Target(root, shown, used, {**features, "order in summary": float(bool(order))}, (), (), shape)
    hidden = tuple(item for item, _ in order if item not in shown)
    if hidden and not found.explicit:
        more = replace(shape, select=(*shown, *hidden))
        yield Target(
            root,
            more.select,
            used,
            {**features, "order in summary": 1.0, "summary shows order": 1.0, "shows top n": float(limit is not None)},
            (),
            (),
            more,
        )
    if best is not None:
        plain = replace(shape, best=None, order=((best.item, best.largest),))
        yield Target(root, shown, used, {**features, "best as order": 1.0}, (), (), plain)
        if hidden and not found.explicit:
            yield Target(
                root,
                (*shown, *hidden),
                used,
                {**features, "best as order": 1.0, "summary shows order": 1.0},
                (),
                (),
                replace(plain, select=(*shown, *hidden)),
            )
    del scheme, subject


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
    owners: dict[str, float] = {}
    for at in phrase.names[:-1]:
        for mention in level.pieces[at].mentions:
            weight = 0.6 if not mention.column else 0.1
            owners[mention.relation] = max(owners.get(mention.relation, 0), mention.score * weight)
    found: list[tuple[float, Mention]] = []
    for mention in best_mentions(level.pieces[phrase.names[-1]], 0.6):
        score = (
            mention.score
            + owners.get(mention.relation, 0)
            + (0.25 if mention.relation == subject and mention.column else 0)
        )
        held = level.scheme.column(mention.relation, mention.column) if mention.column else None
        if function in ("sum", "avg") and not (held is not None and quantity(held)):
            score -= 1.5
        if (
            function.startswith("count")
            and held is not None
            and mention.column not in (level.scheme.keys[mention.relation], level.scheme.labels[mention.relation])
        ):
            score -= 0.2
        if owners and mention.relation not in owners and not mention.column:
            score -= 0.3
        found.append((score, mention))
    if len(phrase.names) > 1:
        # the head may be a plain word for what the words before it name: "country name", "state code"
        plain = level.pieces[phrase.names[-1]].text.lower() in ("name", "names", "title", "titles")
        for at in phrase.names[:-1]:
            found += [
                (mention.score + (0.35 if plain and mention.column else -0.3), mention)
                for mention in best_mentions(level.pieces[at], 0.3)
                if function or mention.column
            ]
    found.sort(key=lambda pair: -pair[0])
    return [mention for score, mention in found if score > found[0][0] - 0.5][:4]


def _item(level: Level, phrase: Phrase, root: str, subject: str, features: Features) -> Item | None:
    """The item that a phrase means from the rows of `root`."""
    scheme = level.scheme
    if phrase.over is not None:
        return _quotient(level, phrase, phrase.over, root, subject, features)
    if phrase.function == "rows":
        return Aggregate("count")
    if not phrase.names:
        times = [held.name for held in scheme.database.relation(root).columns if temporal(held)]
        return Field(times[0], (), phrase.part) if times else None
    for mention in _mentions(level, phrase, subject, phrase.function):
        for path, cost in reach(scheme, root, mention.relation)[:1]:
            for name, value in cost.items():
                amount(features, name, value)
            amount(features, "name match", min(1.0, mention.score))
            numeric = bool(mention.column) and quantity(scheme.column(mention.relation, mention.column))
            if phrase.function in ("count", "most") and numeric:
                amount(features, "number in column")
                own = Field(mention.column, path)
                return own if mention.relation == subject else Aggregate("sum", own)
            if (
                phrase.function.startswith("count")
                or phrase.function == "most"
                and (not mention.column or mention.column == scheme.labels[mention.relation])
            ):
                return _count(level, mention, path, root, phrase.function == "count distinct")
            column = mention.column or scheme.labels[mention.relation]
            item = Field(column, path)
            if path and len(path) == 1 and path[0].to_columns == (column,):
                item = Field(path[0].columns[0])
            if phrase.function in ("sum", "avg"):
                return Aggregate(phrase.function, item) if quantity(scheme.column(mention.relation, column)) else None  # type: ignore[arg-type]
            if phrase.best and mention.column and quantity(scheme.column(mention.relation, column)):
                return Aggregate("max" if phrase.best > 0 else "min", item)
            return item
    return None


def _quotient(level: Level, phrase: Phrase, over: Phrase, root: str, subject: str, features: Features) -> Item | None:
    """A ratio: of two columns of a row, or of two numbers of rows."""
    amount(features, "ratio")
    halves = (replace(phrase, over=None), over)
    items = [item for half in halves if (item := _item(level, half, root, subject, features)) is not None]
    if len(items) < 2:
        return None
    if all(_names_rows(level, half) for half in halves):
        if "groups" not in features:
            relations = [
                mentions[0].relation for half in halves if (mentions := _mentions(level, half, subject, "count"))
            ]
            counts = [Nested(RowQuery(name, (_count(level, Mention(name), (), name, False),))) for name in relations]
            return Combined("/", counts[0], counts[1]) if len(counts) == 2 else None
        items = [item if _measured(item) else Aggregate("count", item, distinct=True) for item in items]
    return Combined("/", items[0], items[1])


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
