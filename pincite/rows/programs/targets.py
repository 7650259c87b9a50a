"""What a question asks for: of which rows, and which columns or numbers of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from pincite.lexicon import pattern
from pincite.rows.programs.draft_parts import ORDERING, Features, Level, Target, best_mentions
from pincite.rows.programs.field_paths import field_options
from pincite.rows.programs.pieces import Mention, QuestionPiece
from pincite.rows.programs.program import TOTALS, Aggregate, Combined, Field, Item, Related, Step
from pincite.rows.programs.question_functions import functional, roots
from pincite.rows.programs.scheme import quantity


def targets(level: Level) -> Iterator[Target]:
    """Everything the pieces may ask for, likeliest first."""
    first = next((at for at in level.places if level.role(at) not in _IDLE), None)
    if first is None:
        return
    clause = _clause(level)
    head = range(first, len(level.pieces) if clause is None else clause)
    found = _asked(level, head)
    if clause is not None:
        explicit = (_explicit(level, clause, target) for target in found or roots(level, head))
        found = list(chain.from_iterable(explicit)) or found
    yield from found or roots(level, head)


def _asked(level: Level, head: range) -> list[Target]:
    """What the head of a question asks for: by a function, as a ratio, by name, as rows called by an unknown word, or all."""
    first = head.start
    found = list(functional(level, first, head))
    extreme = bool(found) and _is_extreme_alone(level, first, head)
    for at in head:
        if level.role(at) in ("ratio", "difference"):
            found += _pair(level, at, head)
            break
    if not found or level.role(first) in ("best", "where", "when", "who"):
        found += _names(level, head)
    return [*found, *(() if extreme else _heads(level, head)), *_everything(level)]


def _is_extreme_alone(level: Level, first: int, head: range) -> bool:
    """Whether a question asks for the largest or smallest of a column of numbers, and for no thing that has it."""
    if level.role(first) != "best" or level.names(head) != [first + 1]:
        return False
    if any(level.kind(at) == "unknown" for at in head) or _ASKS_THING.search(level.lead(first)):
        return False
    if any(not level.lead(at).strip() for at in head[2:]):  # "the most populated capital"
        return False
    exact = [mention for mention in level.pieces[first + 1].mentions if mention.score >= 1]
    return bool(exact) and all(
        mention.column and quantity(level.scheme.column(*mention.place)) for mention in exact
    )


_ASKS_THING = pattern("rows", "asks for a thing", "joints")
_IDLE = ("give", "distinct", "both", "and", "contains")
"""What a question may open with before it says what it asks for."""


def _clause(level: Level) -> int | None:
    """Where a sentence begins that lists what to return, None without one."""
    opens = (
        at
        for at in level.places
        if level.role(at) == "give" and level.begins_sentence(at) and level.kind(at + 1)
    )
    return next(opens, None)


def _names(level: Level, head: range) -> Iterator[Target]:
    """The first things named, alone or as a list."""
    first = next((at for at in head if level.kind(at) in ("name", "set", "value")), head.start)
    for rank, start in enumerate(level.names(head)[:3]):
        places = [start]
        while (
            level.kind(places[-1] + 1) == "name"
            and places[-1] + 1 < head.stop
            and level.joined(places[-1] + 1)
        ):
            places.append(places[-1] + 1)
        within = {"target in clause": 1.0} if _in_clause(level, start, first) else {}
        yield from _listed(level, [start], rank, frozenset((start,)), within)
        if len(places) > 1:
            yield from _listed(level, places, rank, frozenset(places), {"target list": 1.0})
        elif level.is_compound(start):
            yield from _listed(
                level, [start + 1], rank, frozenset((start, start + 1)), {"compound": 1.0}
            )


def _in_clause(level: Level, at: int, first: int) -> bool:
    """Whether a piece begins a clause that says more about what was named before: "the river that passes through"."""
    return at > first and pattern("rows", "clause", "joints").search(level.lead(at)) is not None


def _listed(
    level: Level, places: list[int], rank: int, used: frozenset[int], more: Features
) -> Iterator[Target]:
    """The columns that some names mean together, from the rows that the first is of."""
    first, *others = places
    for mention in best_mentions(level.pieces[first], 0.55):
        features: Features = {
            "named": 1.0,
            "target rank": float(rank),
            "target name": mention.score,
            **more,
        }
        if not mention.column:
            features["target relation"] = 1.0
        options = [field_options(level, level.pieces[at], mention.relation) for at in others]
        if not all(options):
            continue
        if mention.column and not others:
            homes = list(_at_home(level, mention, used, features, first))
            yield from homes
            if homes:
                features = {**features, "linked column": 1.0}
            yield from _later(level, mention, used, features, first)
        own = Field(mention.column or level.scheme.labels[mention.relation])
        items = dict.fromkeys((own, *(fields[0][0] for fields in options)))
        notes = tuple((at, f"asked of {mention.relation}") for at in places)
        yield Target(mention.relation, tuple(items), used, features, notes)


def _later(
    level: Level, mention: Mention, used: frozenset[int], features: Features, at: int
) -> Iterator[Target]:
    """A column whose total or average is asked for behind it: "the area of all states combined"."""
    if not quantity(level.scheme.column(*mention.place)):
        return
    for place in level.places[at + 1 :]:
        if (function := TOTALS.get(level.role(place))) is not None:
            item = Aggregate(function, Field(mention.column))
            yield Target(
                mention.relation,
                (item,),
                used | {place},
                {**features, f"measure {function}": 1.0, "function behind": 1.0},
            )


def _at_home(
    level: Level, mention: Mention, used: frozenset[int], features: Features, at: int
) -> Iterator[Target]:
    """A column that names things of another relation ("capital"): these things, as rows of their own."""
    home = level.scheme.home(mention.relation, mention.column)
    if (
        home == (mention.relation, mention.column)
        or mention.column == level.scheme.labels[mention.relation]
    ):
        return
    back = Step((home[1],), mention.relation, (mention.column,))
    if back in level.scheme.steps.get(home[0], ()):
        yield Target(
            home[0],
            (Field(level.scheme.labels[home[0]]),),
            used,
            {**features, "at home": 1.0},
            ((at, f"rows of {home[0]} that are some {mention.relation}.{mention.column}"),),
            (Related((back,)),),
        )


def _heads(level: Level, head: range) -> Iterator[Target]:
    """Rows called by a word that the database does not know ("grades", "anything"): those of what else is named."""
    named = chain.from_iterable(level.pieces[at].mentions for at in level.names(head))
    if any(not mention.column and mention.score > 0.7 for mention in named):
        return
    unknown = [
        at for at in head if level.kind(at) == "unknown" and level.pieces[at].text.isalpha()
    ][:1]
    for root in islice(roots(level, head), 3):
        features: Features = {"rows meant": 1.0, "rows by unknown word": float(bool(unknown))}
        notes = tuple((at, f"rows of {root.root}") for at in unknown)
        yield Target(root.root, root.items, frozenset(unknown), features, notes)


def _everything(level: Level) -> Iterator[Target]:
    at = level.first(("everything",))
    if at is None:
        return
    for root in islice(roots(level, level.places), 2):
        held = level.scheme.database.relation(root.root).columns
        yield Target(
            root.root,
            tuple(Field(column.name) for column in held),
            frozenset((at,)),
            {"everything": 1.0},
            ((at, f"all columns of {root.root}"),),
        )


def _explicit(level: Level, clause: int, target: Target) -> Iterator[Target]:
    """The target with the columns that a later sentence asks to return."""
    items: list[Item] = []
    used = {clause, *target.used}
    at = clause + 1
    while at < len(level.pieces) and level.role(at) not in (*ORDERING, "alphabetical", "each"):
        item, after = _returned(level, at, target.root)
        if item is not None:
            items.append(item)
            used |= {*range(at, after)}
        at = after
    if items:
        features = {**target.features, "explicit": 1.0}
        yield replace(
            target, items=tuple(dict.fromkeys(items)), used=frozenset(used), features=features
        )
    yield replace(target, features={**target.features, "explicit ignored": 1.0})


def _returned(level: Level, at: int, root: str) -> tuple[Item | None, int]:
    """The column or number that the pieces from a place on ask to return, if any; and the place behind them."""
    if level.kind(at) == "name":
        options = field_options(level, level.pieces[at], root)
        if options and level.is_compound(at) and (better := _compound(level, at, root)):
            return better, at + 2
        return options[0][0] if options else None, at + 1
    if level.role(at) in ("count", "sum", "avg", "best", "count distinct"):
        place = at + 1
        while level.role(place) in ("count", "sum", "avg", "distinct"):
            place += 1
        if level.kind(place) == "name" and (made := _measure(level, at, place, root)) is not None:
            return made, place + 1
    return None, at + 1


def _compound(level: Level, at: int, root: str) -> Field | None:
    """A column named by two pieces together: "customer name", "ticker symbol"."""
    relations = {m.relation for m in best_mentions(level.pieces[at], 0.6)}
    for field, _, mention in field_options(level, level.pieces[at + 1], root):
        if mention.column and mention.relation in relations:
            return field
    return None


def _measure(level: Level, at: int, place: int, root: str) -> Item | None:
    """What a function makes of the column named behind it; None when it cannot."""
    role = level.role(at)
    options = field_options(level, level.pieces[place], root)
    if role.startswith("count"):
        if not options:
            return None
        field, _, mention = options[0]
        return _counted(
            level,
            mention.relation,
            root,
            field if mention.column else None,
            role == "count distinct",
        )
    function = TOTALS.get(role) or ("max" if level.pieces[at].sign > 0 else "min")
    for field, _, mention in options:
        if mention.column and quantity(level.scheme.column(*mention.place)):
            return Aggregate(function, field)
    return None


def _counted(
    level: Level, relation: str, root: str, column: Field | None, distinct: bool
) -> Aggregate:
    """The number of rows of a relation, or of different values of a column, as seen from rows of `root`."""
    if column is not None:
        return Aggregate("count", column, distinct=True)
    if relation == root and not distinct and root not in level.scheme.several:
        return Aggregate("count")
    ways = level.scheme.ways(root, relation) if relation != root else ()
    return Aggregate(
        "count", Field(level.scheme.keys[relation], ways[0] if ways else ()), distinct=True
    )


def _pair(level: Level, at: int, head: range) -> Iterator[Target]:
    """Two numbers of one row set against each other: "ratio of A to B"."""
    names = level.names(head)
    for i, left in enumerate(names[:3]):
        for right in names[i + 1 : i + 3]:
            used = frozenset((at, left, right))
            for mention in best_mentions(level.pieces[left], 0.4):
                yield from _pair_of(level, level.role(at), mention, level.pieces[right], used)


def _pair_of(
    level: Level, role: str, mention: Mention, other: QuestionPiece, used: frozenset[int]
) -> Iterator[Target]:
    """A number of a row against each that another name may mean."""
    if not mention.column or not quantity(level.scheme.column(*mention.place)):
        return
    own = Field(mention.column)
    for field, features, second in field_options(level, other, mention.relation, "number")[:2]:
        if second.column and field != own:
            item = Combined("/" if role == "ratio" else "-", own, field)
            yield Target(
                mention.relation,
                (item,),
                used,
                {**features, role: 1.0, "target name": mention.score},
            )
