"""What a whole question asks for by meaning, whatever its words are: the columns that are most like it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from pincite.rows.programs.draft_parts import Features, Level, Target
from pincite.rows.programs.pieces import Mention
from pincite.rows.programs.program import Aggregate, Field, Function, Item
from pincite.rows.programs.scheme import quantity, temporal

TRIED = 4
"""So many columns are tried of those most like the question, and as many of the relations that its values are of."""
EXACT = 1.0
"""The score of a name that stands in the question as the database writes it."""
_MEASURES: dict[str, Function] = {"sum": "sum", "avg": "avg"}


def meant(level: Level) -> Iterator[Target]:
    """The columns and rows most like the whole question; they take up the words that nothing else explains."""
    loose = frozenset(at for at in level.places if _loose(level, at))
    if not level.top or not loose or not level.question.meant:
        return
    valued = chain.from_iterable(piece.mentions for piece in level.pieces if piece.kind == "value")
    at_home = {mention.relation for mention in valued}
    for mention in _likest(level, at_home):
        features: Features = {
            "meant": 1.0,
            "meant likeness": mention.score,
            "meant behind": level.question.meant[0].score - mention.score,
            "meant at home": float(mention.relation in at_home),
        }
        notes = tuple(
            (at, f"by meaning {mention.relation}.{mention.column}".rstrip("."))
            for at in sorted(loose)
        )
        for item, used, more in (
            _items(level, mention) if mention.column else _rows(level, mention.relation)
        ):
            yield Target(mention.relation, (item,), loose | used, {**features, **more}, notes)


def _likest(level: Level, at_home: set[str]) -> dict[Mention, None]:
    """The columns and relations most like the question, of all and of those that its values are of."""
    every = level.question.meant
    homes = (mention for mention in every if mention.relation in at_home)
    return dict.fromkeys((*every[:TRIED], *islice(homes, TRIED)))


def _loose(level: Level, at: int) -> bool:
    """Whether a piece is a word that no name or value of the database is spelled as."""
    piece = level.pieces[at]
    return (
        piece.kind == "unknown"
        or piece.kind == "name"
        and max(m.score for m in piece.mentions) < EXACT
    )


Option = tuple[Item, frozenset[int], Features]
"""What is asked, the pieces that say so, and what speaks for it."""


def _rows(level: Level, relation: str) -> Iterator[Option]:
    """The rows of a relation: their number where a number is asked for, else their names."""
    roles = _roles(level)
    if "count" in roles:
        yield (
            Aggregate("count"),
            frozenset({roles["count"]}),
            {"meant rows": 1.0, "meant count": 1.0},
        )
    elif label := level.scheme.labels[relation]:
        yield (
            Field(label),
            frozenset(),
            {"meant rows": 1.0, "meant unfit": float(level.question.expects == "number")},
        )


def _items(level: Level, mention: Mention) -> Iterator[Option]:
    """A column as it is, or its total or average, as the words of the question call for it."""
    held = level.scheme.column(*mention.place)
    field, roles, number = Field(mention.column), _roles(level), quantity(held)
    function = next((role for role in _MEASURES if number and role in roles), None)
    if function is not None:
        yield (
            Aggregate(_MEASURES[function], field),
            frozenset({roles[function]}),
            {f"measure {function}": 1.0},
        )
        return
    asked = {"when": temporal(held), "how": True, "count": number, "where": True}
    used = frozenset(roles[role] for role, fits in asked.items() if fits and role in roles)
    fit: Features = {
        "meant unfit": float(
            _is_unfit(level.question.expects, number, "when" in roles, temporal(held))
        )
    }
    yield field, used, fit
    if number:
        yield Aggregate("sum", field), used, {**fit, "meant sum": 1.0}


def _is_unfit(expects: str, number: bool, asks_when: bool, time: bool) -> bool:
    """Whether a column holds something else than what is asked for."""
    if (expects == "number" and not number) or (expects in ("name", "names") and number):
        return True
    return asks_when and not time


def _roles(level: Level) -> dict[str, int]:
    """What the words of the lexicon do, each with the last place where one does it."""
    return {level.role(at): at for at in level.places if level.role(at)}
