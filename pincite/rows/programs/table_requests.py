"""Questions that describe a table to be made: what to return, for each of what, in which order, how many rows.

"What are the five largest ports by tonnage? Show the port and the tonnage." The sentence is
walked through once; what it names is sorted into columns to return, groups, order and a subject, whose own columns are
meant by a bare "name" or "id". The rows are those of the relation that is counted or computed over, if any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, filterfalse, islice

from pincite.rows.programs.draft_parts import Features, Level, Target, add, best_mentions, merged
from pincite.rows.programs.field_paths import reach
from pincite.rows.programs.pieces import Mention
from pincite.rows.programs.program import (
    TOTALS,
    Aggregate,
    Best,
    Combined,
    Field,
    Item,
    Path,
    RowQuery,
    at_link,
    is_measured,
)
from pincite.rows.programs.scheme import Scheme, canonical, quantity, temporal
from pincite.rows.programs.table_request_outline import Phrase, TableRequestOutline, outline


def requested_tables(level: Level) -> Iterator[Target]:
    """The tables that a whole question may describe, as targets with groups and order of their own."""
    if not level.top or level.sets:
        return
    found = outline(level)
    if found is None or not _describes(found):
        return
    subjects = list(_subjects(level, found))
    for subject in subjects[:2]:
        yield from _shaped(level, found, subject)


def _describes(found: TableRequestOutline) -> bool:
    """Whether an outline is of a table: it says that it lists, groups or orders, or has more than one column or a function."""
    if found.explicit or found.group or found.order or len(found.select) > 1:
        return True
    return any(phrase.function for phrase in found.select)


def _subjects(level: Level, found: TableRequestOutline) -> Iterator[str]:
    """The relations whose own columns a bare name can mean, likeliest first."""
    seen: dict[str, float] = {}
    for rank, phrase in enumerate([*found.subject, *found.select, *found.group]):
        for mention in chain.from_iterable(
            best_mentions(level.pieces[at], 0.3) for at in phrase.names
        ):
            weight = (
                mention.score
                - 0.1 * rank
                + 0.5 * (not mention.column)
                - 0.6 * bool(phrase.function)
            )
            seen[mention.relation] = max(seen.get(mention.relation, -9), weight)
    yield from sorted(seen, key=lambda relation: -seen[relation])


def _shaped(level: Level, found: TableRequestOutline, subject: str) -> Iterator[Target]:
    phrases = [*found.select, *found.group, *(phrase for phrase, _ in found.order)]
    for root in islice(_measured_relations(level, phrases, subject) or (subject,), 3):
        features: Features = {"summary": 1.0}
        items = [
            item
            for phrase in phrases
            if (item := _item(level, phrase, root, subject, features)) is not None
        ]
        if len(items) < len(phrases):
            continue
        first, last = len(found.select), len(found.select) + len(found.group)
        order = list(zip(items[last:], (down for _, down in found.order), strict=True))
        yield from _queries(found, root, items[:first], items[first:last], order, features)


def _measured_relations(level: Level, phrases: Iterable[Phrase], subject: str) -> dict[str, None]:
    """The relations over which phrases are counted or computed."""
    measured = (phrase for phrase in phrases if phrase.function not in ("", "rows") or phrase.over)
    mentions = chain.from_iterable(_mentions(level, phrase, subject) for phrase in measured)
    return dict.fromkeys(mention.relation for mention in mentions)


def _queries(
    found: TableRequestOutline,
    root: str,
    select: list[Item],
    group: list[Item],
    order: list[tuple[Item, bool]],
    features: Features,
) -> Iterator[Target]:
    shown = tuple(dict.fromkeys(select if found.explicit else (*group, *select)))
    if not shown:
        return
    if found.explicit:
        features = {**features, "explicit": 1.0}
    ranking = [item for item, _ in order]
    aggregated = any(map(is_measured, (*shown, *ranking)))
    groups = tuple(dict.fromkeys((*group, *filterfalse(is_measured, shown)))) if aggregated else ()
    if aggregated and not groups and not all(map(is_measured, ranking)):
        return
    add(features, "summary grouped", float(bool(groups)))
    last_first = tuple({item: (item, down) for item, down in reversed(order)}.values())
    shape = RowQuery(root, shown, group=groups, order=last_first, limit=found.limit)
    ordered = {**features, "order in summary": float(bool(order))}
    shapes = [(shape, ordered)]
    if found.best is not None and found.limit is None and order:
        best = replace(shape, best=Best(*order[0]), order=())
        shapes = [
            (best, ordered),
            (replace(shape, order=(order[0],)), {**features, "best as order": 1.0}),
        ]
    hidden = () if found.explicit else tuple(item for item in ranking if item not in shown)
    more = {"summary shows order": 1.0, "shows top n": float(found.limit is not None)}
    for made, reasons in shapes:
        yield _target(found, made, reasons)
        if hidden:
            yield _target(found, replace(made, select=(*shown, *hidden)), {**reasons, **more})


def _target(found: TableRequestOutline, shape: RowQuery, features: Features) -> Target:
    return Target(shape.relation, shape.select, frozenset(found.used), features, shape=shape)


def _mentions(level: Level, phrase: Phrase, subject: str) -> list[Mention]:
    """What the names of a phrase together mean: the last is the head, those before it say whose it is."""
    if not phrase.names:
        return []
    *before, head = phrase.names
    owners = _owners(level, before)
    found: list[tuple[float, Mention]] = []
    for mention in best_mentions(level.pieces[head], 0.6):
        score = mention.score + owners.get(mention.relation, 0)
        if mention.relation == subject and mention.column:
            score += 0.25
        score -= _unfit(level.scheme, mention, phrase.function)
        if owners and mention.relation not in owners and not mention.column:
            score -= 0.3
        found.append((score, mention))
    # the head may be a plain word for what the words before it name: "country name", "state code"
    plain = canonical(level.pieces[head].text) == ("name",)
    for mention in chain.from_iterable(best_mentions(level.pieces[at], 0.3) for at in before):
        if phrase.function or mention.column:
            found.append((mention.score + (0.35 if plain and mention.column else -0.3), mention))
    found.sort(key=lambda pair: -pair[0])
    return [mention for score, mention in found if score > found[0][0] - 0.5][:4]


def _owners(level: Level, names: Iterable[int]) -> dict[str, float]:
    """How much names say that what stands behind them is of a relation."""
    owners: dict[str, float] = {}
    for mention in chain.from_iterable(level.pieces[at].mentions for at in names):
        weight = 0.1 if mention.column else 0.6
        owners[mention.relation] = max(owners.get(mention.relation, 0), mention.score * weight)
    return owners


def _unfit(scheme: Scheme, mention: Mention, function: str) -> float:
    """What speaks against a mention: what is summed is a number, and what is counted is rarely a column but keys and names."""
    held = scheme.column(mention.relation, mention.column) if mention.column else None
    if function in ("sum", "avg") and not (held is not None and quantity(held)):
        return 1.5
    named = (scheme.keys[mention.relation], scheme.labels[mention.relation])
    return (
        0.2
        if function.startswith("count") and held is not None and mention.column not in named
        else 0.0
    )


def _item(
    level: Level, phrase: Phrase, root: str, subject: str, features: Features
) -> Item | None:
    """The item that a phrase means from the rows of `root`."""
    if phrase.over is not None:
        return _quotient(level, phrase, phrase.over, root, subject, features)
    if phrase.function == "rows":
        return Aggregate("count")
    if not phrase.names:
        times = [
            held.name for held in level.scheme.database.relation(root).columns if temporal(held)
        ]
        return Field(times[0], (), phrase.part) if times else None
    for mention in _mentions(level, phrase, subject):
        ways = reach(level.scheme, root, mention.relation)
        if not ways:
            continue
        path, cost = ways[0]
        features |= merged(features, cost, {"name match": min(1.0, mention.score)})
        if phrase.function.startswith("count") or phrase.function == "most":
            if counted := _counted(level, phrase, mention, path, root, subject, features):
                return counted
        return _measure(level.scheme, phrase, mention, path)
    return None


def _counted(
    level: Level,
    phrase: Phrase,
    mention: Mention,
    path: Path,
    root: str,
    subject: str,
    features: Features,
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
    numeric = quantity(scheme.column(mention.relation, column))
    item = (at_link(column, path) if len(path) == 1 else None) or Field(column, path)
    if (function := TOTALS.get(phrase.function)) is not None:
        return Aggregate(function, item) if numeric else None
    if phrase.best and mention.column and numeric:
        return Aggregate("max" if phrase.best > 0 else "min", item)
    return item


def _quotient(
    level: Level, phrase: Phrase, over: Phrase, root: str, subject: str, features: Features
) -> Item | None:
    """A ratio: of two columns of a row, or of two numbers of rows."""
    add(features, "ratio")
    halves = (replace(phrase, over=None), over)
    items = [
        item
        for half in halves
        if (item := _item(level, half, root, subject, features)) is not None
    ]
    if len(items) < 2:
        return None
    if all(_names_rows(level, half) for half in halves):
        items = [
            item if is_measured(item) else Aggregate("count", item, distinct=True)
            for item in items
        ]
    return Combined("/", items[0], items[1])


def _names_rows(level: Level, phrase: Phrase) -> bool:
    if phrase.function:
        return phrase.function.startswith("count")
    mentions = chain.from_iterable(level.pieces[at].mentions for at in phrase.names)
    return any(not mention.column and mention.score > 0.6 for mention in mentions)


def _count(level: Level, mention: Mention, path: Path, root: str, distinct: bool) -> Aggregate:
    """The number of rows, or of different values of a column, as seen from rows of `root`."""
    scheme = level.scheme
    if (
        not path
        and not distinct
        and mention.column in ("", scheme.keys[root], scheme.labels[root])
    ):
        if root in scheme.several:
            return Aggregate("count", Field(scheme.labels[root]), distinct=True)
        return Aggregate("count")
    column = mention.column or scheme.keys[mention.relation]
    return Aggregate("count", at_link(column, path) or Field(column, path), distinct=True)
