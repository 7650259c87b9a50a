"""What code computes from the values of rows: changes, ratios, sums and means, the most and the least, those beyond a number.

Each candidate cites its values in the order of its formula, so that the check can compute it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, product

from pincite.document.times import When
from pincite.evidence.candidate import Candidate
from pincite.lines.comparing import beyond, groups, most
from pincite.lines.matching import LineMatches, Phrase
from pincite.lines.operations import computed
from pincite.lines.parts import (
    ROWS,
    Part,
    column_of,
    is_total,
    listed,
    over_times,
    part_of,
    series_of,
    time_name,
    two_times,
)
from pincite.question.ask import Ask
from pincite.text.lexicon import pattern
from pincite.text.words import runs_in, words
from pincite.types import Quantity

_TOTAL_COLUMN = pattern("lines", "total column")
NAMED = 0.5
"""The share of an operand's words in the label of its row from which on that row is meant."""
PAIRED = 8
"""The values of each operand that are paired."""
_CHANGES = ("difference", "percentage_change")
_QUOTIENTS = ("ratio", "proportion")
_PICKS = ("max", "min", "argmax", "argmin")


def compute(matches: LineMatches) -> Iterator[Candidate]:
    """What the question asks to compute, from the rows that fit it best; and several values that it asks for together."""
    ask = matches.ask
    if ask.several or ask.operation in ("lookup", "compare"):
        yield from _several(matches)
    elif ask.operation in _CHANGES:
        pairs = list(_pairs(matches, ask.operation))
        yield from pairs
        if not _are_named(ask, pairs):
            yield from _changes(matches)
    elif ask.operation in _QUOTIENTS:
        in_percent = ask.wanted_in_percent or ask.says("percent")
        operation = "proportion" if in_percent else "ratio"
        pairs = list(_pairs(matches, operation))
        yield from pairs
        if not _are_named(ask, pairs):
            yield from _of_totals(matches, operation)
    elif ask.operation in ("sum", "average"):
        yield from _many(matches)
    elif ask.operation in _PICKS:
        yield from (most(ask, group, matches) for group in groups(matches))
    else:
        yield from beyond(matches)


def _are_named(ask: Ask, found: Sequence[Candidate]) -> bool:
    """Whether a question means two rows that it names, and they were found: then it asks for no change of one of them.

    Between two times it names, the change of any row may be meant.
    """
    return len(ask.periods) < 2 and any(
        each.features["least label"] >= NAMED and not each.features["of one row"] for each in found
    )


# pairs -----------------------------------------------------------------------------------------------------------


def _pairs(matches: LineMatches, operation: str) -> Iterator[Candidate]:
    """An operation over values of the two operands that a question names: best where they share a column, or a table."""
    ask, operands = matches.ask, _operands(matches)
    if len(operands) < 2:
        return
    rest = _rest(matches)
    first, second = (
        _best(matches, (*words(operand), *rest), ask.periods)[:PAIRED] for operand in operands[:2]
    )
    pairs = [pair for pair in product(first, second) if pair[0].value is not pair[1].value]
    pairs.sort(key=lambda pair: -_together(matches, *pair))
    for pair in pairs[:3]:
        yield from _computed(matches, operation, _in_order(ask, *pair), "operands")


def _operands(matches: LineMatches) -> tuple[str, ...]:
    """The operands that a question names; none where a row is called by all of them ("cash and cash equivalents")."""
    operands, text = matches.ask.operands, matches.ask.text
    if len(operands) < 2 or not all(operand in text for operand in operands):
        return operands
    whole = text[text.find(operands[0]) : text.find(operands[-1]) + len(operands[-1])]
    return () if any(runs_in(whole, line.label) for line in matches.lines) else operands


def _rest(matches: LineMatches) -> Phrase:
    """What a question says beside its operands: it holds for each of them."""
    named = {stem for operand in matches.ask.operands for stem in words(operand)}
    return tuple(stem for stem in matches.phrase if stem not in named)


def _best(matches: LineMatches, phrase: Phrase, periods: Sequence[When]) -> list[Part]:
    """The numbers of rows that match a phrase at some times, best first."""
    rows = matches.best_rows(frozenset(phrase), ROWS)
    parts = [
        Part(at, value, matches.match(at, value, phrase, periods))
        for at in rows
        for value in matches.lines[at].numbers
    ]
    return sorted(parts, key=lambda part: -part.fit)


def _together(matches: LineMatches, first: Part, second: Part) -> float:
    """How well two values answer, with what it is worth that they share a column or a table."""
    shared = 0.0
    if _same_table(matches, first, second):
        shared = 1.5 if column_of(first) == column_of(second) else 0.5
    return first.fit + second.fit + shared


def _same_table(matches: LineMatches, first: Part, second: Part) -> bool:
    return matches.lines[first.at].passage is matches.lines[second.at].passage


def _in_order(ask: Ask, first: Part, second: Part) -> tuple[Part, Part]:
    """Two operands in the order of the formula.

    Values of different times: the later first, as for any change. A "difference between A and B" is a distance: the larger
    first. A change "from A to B" or "between A and B" ends at B. Otherwise ("A than B", ratios) as they are mentioned.
    """
    if ask.operation not in _CHANGES:
        return first, second
    mine, other = first.value.times, second.value.times
    distance = ask.says("distance")
    if mine and other and not mine[0].fits(other[0]):
        turned = mine[0].parts <= other[0].parts
    elif distance and ask.operation == "difference":
        turned = first.amount < second.amount
    else:
        turned = ask.says("from or between") and not distance
    return (second, first) if turned else (first, second)


def _changes(matches: LineMatches) -> Iterator[Candidate]:
    """The change of each row between two times, later less earlier; of how much something fell, the other way round."""
    ask = matches.ask
    for at in matches.best_rows(frozenset(matches.phrase), ROWS):
        for series in series_of(matches, at):
            if times := two_times(ask, series):
                falls = ask.falling and ask.operation == "difference"
                parts = times[::-1] if falls else times
                yield from _computed(matches, ask.operation, parts, "times")


def _of_totals(matches: LineMatches, operation: str) -> Iterator[Candidate]:
    """A value and the total below it in its column, or beside it in its row: what "percentage of total X" leaves to the table."""
    ask = matches.ask
    for at in matches.best_rows(frozenset(matches.phrase), ROWS):
        line = matches.lines[at]
        if is_total(line):
            continue
        held = [
            value for value in line.of_times(ask.periods) or line.values if value in line.numbers
        ]
        below = _total_below(matches, at)
        for value in held[:3]:
            column = value.cell[1] if value.cell else None
            totals = [
                (below, each)
                for each in matches.lines[below].numbers
                if each.cell and each.cell[1] == column
            ]
            totals += [(at, each) for each in line.numbers if _TOTAL_COLUMN.search(each.header)]
            for place, total in [each for each in totals if each[1] is not value][:2]:
                pair = [part_of(matches, at, value), part_of(matches, place, total)]
                yield from _computed(matches, operation, pair, "total")


def _total_below(matches: LineMatches, at: int) -> int:
    """The first row of totals below a row of its table; the row itself where there is none."""
    line = matches.lines[at]
    for below in range(at + 1, len(matches.lines)):
        other = matches.lines[below]
        if other.passage is not line.passage:
            break
        if is_total(other):
            return below
    return at


# several ---------------------------------------------------------------------------------------------------------


def _many(matches: LineMatches) -> Iterator[Candidate]:
    """A sum or mean: over the named operands, over the times of a row, over the rows of a column."""
    ask = matches.ask
    named = _each_operand(matches, ask.periods)
    found = list(_computed(matches, ask.operation, named, "operands")) if named else []
    yield from found
    if _are_named(ask, found):
        return
    for at in matches.best_rows(frozenset(matches.phrase), ROWS):
        for series in series_of(matches, at):
            if len(parts := over_times(ask, series)) > 1:
                yield from _computed(matches, ask.operation, parts, "times")
    if len(ask.periods) < 2:
        for group in groups(matches)[:3]:
            yield from _computed(matches, ask.operation, group.parts, group.way)


def _each_operand(matches: LineMatches, periods: Sequence[When]) -> tuple[Part, ...]:
    """The best value for each operand, preferably in one column; none where the question names no two, or one has none."""
    operands = _operands(matches)
    if len(operands) < 2:
        return ()
    picked: list[Part] = []
    for operand in operands:
        found = _best(matches, (*words(operand), *_rest(matches)), periods)[:PAIRED]
        if not found:
            return ()
        picked.append(max(found, key=lambda part: _beside(matches, part, picked)))
    return tuple(picked) if len({id(part.value) for part in picked}) == len(picked) else ()


def _beside(matches: LineMatches, part: Part, picked: Sequence[Part]) -> float:
    """How well a value fits beside the first that was picked."""
    if not picked:
        return part.fit
    same = _same_table(matches, part, picked[0])
    return part.fit + same + (same and column_of(part) == column_of(picked[0]))


def _several(matches: LineMatches) -> Iterator[Candidate]:
    """Values asked for together ("in 2019 and 2018 respectively"); else names, "which years" or "what types of X"."""
    ask, found = matches.ask, False
    times: list[tuple[When, ...]] = [(period,) for period in ask.periods] or [()]
    each = [_each_operand(matches, periods) for periods in times]
    if all(each):
        yield listed(matches, tuple(chain.from_iterable(each)), "operands")
        found = True
    rows = matches.best_rows(frozenset(matches.phrase), ROWS)
    for series in chain.from_iterable(series_of(matches, at) for at in rows):
        parts = over_times(ask, series) if len(ask.periods) > 1 else ()
        if len(parts) > 1 and (ask.through or len(parts) == len(ask.periods)):
            yield listed(matches, parts, "times")
            found = True
    if found or ask.expects != "names" and not ask.says("several times") and not ask.says("kinds"):
        return
    if ask.says("several times"):
        for series in chain.from_iterable(series_of(matches, at) for at in rows[:3]):
            yield listed(matches, series, "times", tuple(map(time_name, series)))
    else:
        columns = (group for group in groups(matches) if group.way == "column")
        yield from (listed(matches, group.parts, "column", group.names) for group in columns)


def _computed(
    matches: LineMatches, operation: str, parts: Sequence[Part], way: str
) -> Iterator[Candidate]:
    """An operation over values in the order of its formula; nothing where it cannot be run."""
    numbers = [part.value.value for part in parts if isinstance(part.value.value, Quantity)]
    made = computed(operation, numbers, [matches.lines[p.at].evidence(p.value) for p in parts])
    if made is not None:
        told = listed(matches, parts, way)
        yield replace(told, value=made.value, operation=operation)
