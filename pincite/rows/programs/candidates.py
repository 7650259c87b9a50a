"""The grammar: programs that a linked question may mean.

A question is read in stretches, from the inside out: a stretch such as "the largest state that borders texas" becomes a
set of rows, which the words around it then treat like a value. On one level, what is asked for fixes the relation whose
rows are looked for, and every other piece does one thing to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import chain, islice

from pincite.rows.programs.comparisons import comparatives, numbers
from pincite.rows.programs.draft_features import finished
from pincite.rows.programs.draft_parts import (
    OPERANDS,
    CountedRows,
    Effect,
    Features,
    Generator,
    Level,
    ProgramDraft,
    Target,
    add,
    merged,
)
from pincite.rows.programs.paired_quantities import pairs
from pincite.rows.programs.pieces import CutQuestion, QuestionPiece
from pincite.rows.programs.program import (
    Aggregate,
    Best,
    Condition,
    Field,
    Item,
    Related,
    RowQuery,
    Test,
    at_link,
)
from pincite.rows.programs.program_ranking import Score
from pincite.rows.programs.restrictions import existence, letters, sets, values
from pincite.rows.programs.scheme import Scheme
from pincite.rows.programs.splits import groups, orders
from pincite.rows.programs.superlatives import bests, implied, opposed
from pincite.rows.programs.table_requests import requested_tables
from pincite.rows.programs.targets import targets
from pincite.rows.programs.whole_question import meant

GENERATORS: tuple[Generator, ...] = (
    letters,
    comparatives,
    values,
    sets,
    numbers,
    bests,
    implied,
    groups,
    orders,
    existence,
)
"""What reads the pieces of a question, in this order; a piece that all ways of a slot use is not offered to later ones."""
WIDTH = 16
"""Programs made for one target."""
EXPLAINED = 1.0
"""What each explained piece adds to a score while ways that explain different pieces are compared."""
KEPT = 8
"""Readings kept of a stretch."""
NESTING = 32
"""Pieces of the longest stretch in which others may stand: the work grows with the square of it, and few questions have more."""


def candidates(
    question: CutQuestion, scheme: Scheme, score: Score, keep: int = 60
) -> list[ProgramDraft]:
    """The programs a question may mean, best first by `score`, no program twice."""
    found: dict[RowQuery, ProgramDraft] = {}
    for rank, cut in enumerate(question.cuts):
        for draft in _Chart(question, scheme, score, _telling(question, cut)).whole():
            if rank:
                features = merged(draft.features, {"later cut": 1.0})
                draft = replace(draft, features=features, score=score(features))
            if draft.query not in found or draft.score > found[draft.query].score:
                found[draft.query] = draft
    return sorted(found.values(), key=lambda draft: -draft.score)[:keep]


def _telling(question: CutQuestion, cut: tuple[QuestionPiece, ...]) -> tuple[QuestionPiece, ...]:
    """The pieces that say something, each with the words in front of it that do not."""
    told, end = [], 0
    for piece in cut:
        if piece.kind == "filler" or piece.word and piece.word.role in ("and", "or"):
            continue
        told.append(replace(piece, gap=question.text[end : question.tokens[piece.start][0]]))
        end = question.tokens[piece.end - 1][1]
    return tuple(told)


_INSTRUCTIONS = frozenset({"give", "order", "each"})
"""Roles of words that tell how to make a table."""


class _Chart:
    """The readings of every stretch of one cut of a question."""

    def __init__(
        self,
        question: CutQuestion,
        scheme: Scheme,
        score: Score,
        pieces: tuple[QuestionPiece, ...],
    ) -> None:
        self.question = question
        self.scheme = scheme
        self.score = score
        self.pieces = pieces
        self.read: dict[tuple[int, int], list[ProgramDraft]] = {}

    def whole(self) -> list[ProgramDraft]:
        return self._readings(0, len(self.pieces), top=True)

    def _readings(self, start: int, end: int, top: bool = False) -> list[ProgramDraft]:
        """The best drafts for pieces [start, end); inside a question only those that are a set of things."""
        if not top and (start, end) in self.read:
            return self.read[start, end]
        drafts: dict[RowQuery, ProgramDraft] = {}
        for level in self._levels(start, end, top):
            for draft in _level(level, self.score):
                if top or _nameable(draft):
                    if draft.query not in drafts or draft.score > drafts[draft.query].score:
                        drafts[draft.query] = draft
        best = sorted(drafts.values(), key=lambda draft: -draft.score)
        if top:
            return best
        self.read[start, end] = best[:KEPT]
        return self.read[start, end]

    def _levels(self, start: int, end: int, top: bool) -> Iterator[Level]:
        pieces = self.pieces[start:end]
        yield Level(self.scheme, self.question, pieces, top=top)
        for inner, last in self._inner(start, end):
            for draft in self._readings(inner, last)[:2]:
                first = self.pieces[inner]
                text = self.question.text[
                    self.question.tokens[first.start][0] : self.question.tokens[
                        self.pieces[last - 1].end - 1
                    ][1]
                ]
                whole = QuestionPiece(
                    "set", first.start, self.pieces[last - 1].end, text, gap=first.gap
                )
                at = inner - start
                yield Level(
                    self.scheme,
                    self.question,
                    (*pieces[:at], whole, *pieces[at + last - inner :]),
                    {at: draft},
                    top,
                )

    def _inner(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where a stretch inside may stand: it begins with a name or a superlative and holds more than a name."""
        if end - start > NESTING:
            return
        if _INSTRUCTIONS.intersection(piece.role for piece in self.pieces[start + 1 : end]):
            return  # a list of instructions, which does not nest
        for first in range(start + 1, end):
            if self.pieces[first].kind != "name" and self.pieces[first].role not in (
                "best",
                "ordinal",
            ):
                continue
            stops = {
                last
                for last in range(max(first + 2, end - 2), end)
                if self.pieces[last].kind == "name"
            }
            for last in sorted(stops | {end}, reverse=True):
                if _is_set(self.pieces[first:last]):
                    yield first, last


def _nameable(draft: ProgramDraft) -> bool:
    query = draft.query
    return len(query.select) == 1 and isinstance(query.select[0], Field)


def _level(level: Level, score: Score) -> Iterator[ProgramDraft]:
    tried = (
        (targets(level), 6 if level.top else 3),
        (chain(requested_tables(level), pairs(level)), 6),
        (meant(level), 8),
    )
    for found, many in tried:
        for target in _best_targets(found, score)[:many]:
            yield from _built(level, target, score)


def _best_targets(many: Iterable[Target], score: Score) -> list[Target]:
    found: dict[tuple[str, tuple[Item, ...], frozenset[int], RowQuery | None], Target] = {}
    for target in many:
        found.setdefault((target.root, target.items, target.used, target.shape), target)
    return sorted(found.values(), key=lambda target: -score(target.features))


def _built(level: Level, target: Target, score: Score) -> Iterator[ProgramDraft]:
    taken = set(target.used)
    slots: list[list[Effect]] = []
    for generator in GENERATORS:
        for slot in generator(level, target.root, frozenset(taken)):
            ranked = sorted(
                slot, key=lambda draft: -score(draft.features) - EXPLAINED * len(draft.used)
            )[:8]
            slots.append([*ranked, Effect(frozenset())])
            taken |= frozenset.intersection(*(effect.used for effect in ranked))
    made = 0
    for chosen in islice(_combinations(slots, score), 20 * WIDTH):
        used: set[int] = set(target.used)
        clash = False
        for effect in chosen:
            clash = clash or bool(effect.used & used)
            used |= effect.used
        if not clash:
            yield from _drafts(level, target, chosen, used, score)
            made += 1
        if made >= (WIDTH if level.top else WIDTH // 2):
            return


def _combinations(slots: list[list[Effect]], score: Score) -> Iterator[tuple[Effect, ...]]:
    """One effect of every slot, the best sums of scores first."""

    def worth(effect: Effect) -> float:
        return score(effect.features) + EXPLAINED * len(effect.used)

    scores = [list(map(worth, slot)) for slot in slots]
    first = (0,) * len(slots)
    waiting = [(-sum(column[0] for column in scores), first)]
    seen = {first}
    while waiting:
        less, at = heappop(waiting)
        yield tuple(slot[i] for slot, i in zip(slots, at, strict=True))
        for place, i in enumerate(at):
            following = (*at[:place], i + 1, *at[place + 1 :])
            if i + 1 < len(slots[place]) and following not in seen:
                seen.add(following)
                heappush(waiting, (less + scores[place][i] - scores[place][i + 1], following))


def _drafts(
    level: Level, target: Target, chosen: tuple[Effect, ...], used: set[int], score: Score
) -> Iterator[ProgramDraft]:
    if sum(bool(effect.best or effect.counted or effect.limit) for effect in chosen) > 1:
        return
    features = merged(target.features, *(effect.features for effect in chosen))
    base = _base(level.scheme, target, chosen)
    if base.best is not None:
        _chosen_by(base.best, target, features)
    notes = (*target.notes, *chain.from_iterable(effect.notes for effect in chosen))
    counted = next(filter(None, (effect.counted for effect in chosen)), None)
    for query, more in _shapes(level.scheme, target, base, counted):
        yield finished(level, query, merged(features, more), frozenset(used), notes, score)


def _tests(scheme: Scheme, root: str, chosen: tuple[Effect, ...]) -> list[Condition]:
    """What names and values say of the rows that are asked for."""
    tests = chain.from_iterable(effect.tests for effect in chosen)
    return [_wholly(scheme, root, test) for test in tests]


def _base(scheme: Scheme, target: Target, chosen: tuple[Effect, ...]) -> RowQuery:
    """What is asked for, under all that names and values do to it."""
    limits = [effect.limit for effect in chosen if effect.limit is not None]
    return RowQuery(
        target.root,
        target.items,
        _together([*target.tests, *_tests(scheme, target.root, chosen)]),
        group=tuple(dict.fromkeys(chain.from_iterable(effect.group for effect in chosen))),
        having=tuple(chain.from_iterable(effect.having for effect in chosen)),
        best=next(filter(None, (effect.best for effect in chosen)), None),
        order=tuple(chain.from_iterable(effect.order for effect in chosen)),
        limit=limits[0] if limits else None,
        offset=next(filter(None, (effect.offset for effect in chosen)), 0),
    )


def _chosen_by(best: Best, target: Target, features: Features) -> None:
    """Count what speaks for and against keeping the best rows only."""
    if "linked column" in features:
        add(features, "best of holder")
    if "at home" in features:
        add(features, "best at home")
    if opposed(best.item, target.items):
        add(features, "opposite")


def _wholly(scheme: Scheme, root: str, test: Condition) -> Condition:
    """The test; where a thing has several rows, all of them must meet one that is negated."""
    if root not in scheme.several or not isinstance(test, Test | Related) or not test.negated:
        return test
    if isinstance(test, Test) and test.operator == "null":
        return test
    label = Field(scheme.labels[root])
    return Test(
        label, "in", RowQuery(root, (label,), (replace(test, negated=False),)), negated=True
    )


def _is_set(pieces: Sequence[QuestionPiece]) -> bool:
    """Whether pieces may name things by what is said of them: a name, and a value or a word beside it."""
    if all(piece.kind != "name" for piece in pieces):
        return False
    return any(piece.word or piece.kind in OPERANDS for piece in pieces)


def _together(tests: list[Condition]) -> tuple[Condition, ...]:
    """Tests of rows related in the same way are tests of one and the same row, unless they name one column twice."""
    joined: list[Condition] = []
    for test in dict.fromkeys(tests):
        for at, other in enumerate(joined):
            if (both := _of_one_row(other, test)) is not None:
                joined[at] = both
                break
        else:
            joined.append(test)
    return tuple(joined)


def _of_one_row(test: Condition, other: Condition) -> Condition | None:
    """Two tests as one of the same related row; None where they are not of one."""
    if (
        not isinstance(test, Related)
        or not isinstance(other, Related)
        or not (test.tests and other.tests)
    ):
        return None
    same_way = other.path == test.path and other.negated == test.negated
    if not same_way or _items(test) & _items(other):
        return None
    return replace(test, tests=(*test.tests, *other.tests))


def _items(related: Related) -> set[Item]:
    return {test.item for test in related.tests if isinstance(test, Test)}


def _shapes(
    scheme: Scheme, target: Target, base: RowQuery, counted: CountedRows | None
) -> Iterator[tuple[RowQuery, Features]]:
    """The ways in which a target, groups and a count make one query."""
    measured = any(isinstance(item, Aggregate) for item in base.select)
    if target.shape is not None:
        if not (base.group or base.best or base.order or base.limit or counted):
            yield replace(target.shape, tests=base.tests, having=base.having), {}
    elif counted is not None:
        if not measured:
            yield from _counting(scheme, base, counted)
    elif base.having and not measured:
        yield replace(base, group=_named_groups(scheme, base)), {}
    elif base.group:
        yield from _grouped(base, measured)
    else:
        yield from _plain(base, measured)


def _fields(base: RowQuery) -> tuple[Item, ...]:
    """The columns that are selected."""
    return tuple(item for item in base.select if isinstance(item, Field))


def _counted_item(scheme: Scheme, base: RowQuery, counted: CountedRows) -> Item | None:
    """What of the related rows is counted; None where a row has one of them at most: there is nothing to count."""
    key, path = scheme.keys[counted.relation], counted.path
    # a forward link already names what is counted
    link = at_link(key, path) or at_link(scheme.labels[counted.relation], path)
    if link is None:
        return Field(key, path)
    return link if link.path or base.relation in scheme.several else None


def _named_groups(scheme: Scheme, base: RowQuery) -> tuple[Item, ...]:
    """The groups of a query, else the rows themselves by key and name; and what is selected beside them."""
    key, label = scheme.keys[base.relation], Field(scheme.labels[base.relation])
    group = base.group or ((label,) if key == label.column else (Field(key), label))
    return (*group, *(item for item in _fields(base) if item not in group))


def _counting(
    scheme: Scheme, base: RowQuery, counted: CountedRows
) -> Iterator[tuple[RowQuery, Features]]:
    """Rows by how many they are related to, without and with the number."""
    item = _counted_item(scheme, base, counted)
    if item is None:
        return
    measure = Aggregate("count", item, distinct=True)
    group = _named_groups(scheme, base)
    if base.limit is None:
        shape = replace(base, group=group, best=Best(measure, counted.largest))
    else:
        shape = replace(base, group=group, order=((measure, counted.largest),))
    yield shape, {}
    several = float(base.limit is not None and base.limit > 1)
    yield (
        replace(shape, select=(*base.select, measure)),
        {"count shown": 1.0, "count shown top n": several},
    )


def _grouped(base: RowQuery, measured: bool) -> Iterator[tuple[RowQuery, Features]]:
    """Groups with what is measured of each; without a measure they are only shown."""
    select = (*(item for item in base.group if item not in base.select), *base.select)
    if measured:
        fields = (item for item in base.select if not isinstance(item, Aggregate))
        yield (
            replace(base, select=select, group=tuple(dict.fromkeys((*base.group, *fields)))),
            {"grouped": 1.0},
        )
    elif len(base.select) != 1 or base.best is None:
        yield replace(base, select=select, group=()), {"grouped plain": 1.0}


def _plain(base: RowQuery, measured: bool) -> Iterator[tuple[RowQuery, Features]]:
    """The query as it is, and with what it is ordered or chosen by."""
    if measured:
        fields = _fields(base)
        yield replace(base, group=fields), {"grouped by list": 1.0} if fields else {}
        return
    if base.best and base.select == (base.best.item,):
        yield base, {"best of itself": 1.0}
        return
    yield base, {}
    if base.order and base.order[0][0] not in base.select:
        yield replace(base, select=(*base.select, base.order[0][0])), {"order shown": 1.0}
    if base.best and base.best.item not in base.select:
        yield replace(base, select=(*base.select, base.best.item)), {"best shown": 1.0}
