"""The value of a line that a model names: code finds it there, takes the column of the time asked for, computes, compares and
counts.

What sign, scale and unit a number has is read from its line, never from the reply.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice

from pincite.document.labelled_cells import labels, name_of
from pincite.document.table_headers import STEP
from pincite.evidence.candidate import Candidate
from pincite.evidence.cited_place import clipped
from pincite.generate.copied_values import Found, agree, standing
from pincite.generate.line_prompts import LineForm, may_be_shown
from pincite.generate.stated_truth import objection, silent_row, stated
from pincite.lines.comparing import meets
from pincite.lines.kind_fit import fits
from pincite.lines.line import Line, LineValue
from pincite.lines.making import lines_of
from pincite.lines.operations import computed
from pincite.lines.parts import is_total
from pincite.models.forms import NA
from pincite.quantity import canonical_unit, parse
from pincite.quantity.arithmetic import OPERATIONS
from pincite.quantity.arithmetic import named as calculation
from pincite.quantity.formula import LETTERS
from pincite.question.ask import Ask
from pincite.text.lexicon import pattern
from pincite.text.words import stems
from pincite.types import Quantity, Value

_CALCULATED = re.compile(r"\s[-−–+*/×÷]\s")
"""What stands between two values of a calculation: a minus with no blank behind it is part of a number."""
_SERIES = pattern("generate", "in a series")
_POST = pattern("lines", "post")
_TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
_CHANGES = ("difference", "percentage_change")
PICKS = ("argmax", "argmin")
"""Operations that ask what has the most or the least."""
_CONSTANTS = ("100", "365", "1000")
_DIVISOR = re.compile(r"[1-9]|1[0-2]")
"""Numbers of a calculation that need not stand in a line: per cent, less one, by how many an average divides."""
_OPERATORS = str.maketrans("−–×÷", "--*/")


@dataclass(frozen=True, slots=True)
class _Named:
    """The lines that a reply names, among all that were shown; with `every` it names each line that it rests on."""

    lines: Sequence[Line]
    shown: Sequence[Line]
    every: bool


def choose(
    ask: Ask,
    form: LineForm,
    lines: Sequence[Line],
    *,
    every: bool = False,
    silent_no: bool = False,
) -> Candidate | str | None:
    """The candidate that a reply comes to; None where it says that no line answers, else why its value cannot be taken.

    With `every` the reply names each line that it rests on: all sentences of a text, all things compared. With `silent_no` a no
    needs no line that denies.
    """
    lines_named = [lines[number - 1] for number in form.lines if 0 < number <= len(lines)]
    named = _Named(lines_named, lines, every)
    said = form.value.strip()
    sentences = [line for line in named.lines if line.row is None]
    if every and sentences and said != NA and _tells(ask):
        return _quoted(sentences)
    if not named.lines or said in ("", NA):
        return None
    if (truth := _TRUTHS.get(said.casefold().strip("."))) is not None:
        return _truth(ask, truth, named, silent_no)
    return _valued(ask, said, named)


def _tells(ask: Ask) -> bool:
    """Whether sentences are asked for, where there are any: of a row its value is told."""
    expected = ask.query.expects
    return expected == "text" or expected is None and (ask.asks_reason or ask.tells)


def _quoted(named: Sequence[Line]) -> Candidate:
    """Sentences themselves."""
    texts = tuple(line.text for line in named)
    places = tuple(line.evidence() for line in named)
    return Candidate(texts if len(texts) > 1 else texts[0], places)


def _valued(ask: Ask, said: str, named: _Named) -> Candidate | str:
    """The value of a reply that is neither yes nor no."""
    place = named.lines[0].evidence()
    if ask.expects == "boolean":
        said_there = stated(ask, place)
        if said_there is None:
            return f"'{clipped(said)}' is neither yes nor no"
        return Candidate(said_there, (place,))
    if ask.asks_reason:
        return Candidate(named.lines[0].text, (place,))
    if ask.operation in PICKS and (most := _most(ask, named)) is not None:
        return most
    reckoned = said.split(" = ")[0]  # what it comes to is for code to say
    if _CALCULATED.search(reckoned) and all(map(parse, _operands(reckoned))):
        return _of_kind(ask, reckoned, _calculated(ask, reckoned, named))
    if _counts(ask, named):
        return _counted(ask, said, named.lines)
    return _named(ask, said, named)


def _named(ask: Ask, said: str, named: _Named) -> Candidate | str:
    """The value or the values of a reply where they stand, else why they cannot be taken."""
    items = _items(ask, said)
    held = [_found(item, named) for item in items]
    found = [each for each in held if each is not None]
    if len(found) < len(items):
        shown = "is named" if named.every else "was shown"
        return f"'{clipped(items[held.index(None)])}' stands in no line that {shown}"
    if len(found) > 1:
        return Candidate(
            tuple(each.value for each in found), tuple(each.evidence for each in found)
        )
    wanted = ask.query.expects if named.every else ask.expects
    if wanted == "number" and not isinstance(found[0].value, Quantity):
        return f"'{clipped(said)}' is no number of its line"
    if _is_of_question(ask, found[0].value):
        return f"'{clipped(said)}' only repeats the question"
    one = _of_column(ask, found[0])
    if named.every and ask.query.expects == "text":
        return Candidate(" ".join(one.evidence.quote.split()), (one.evidence,), one.line.label)
    return _of_kind(ask, said, _row_of(ask, one) or _without_post(ask, _candidate(one)))


def _is_of_question(ask: Ask, value: Value) -> bool:
    """Whether a name says nothing that the question does not say, where it leaves no choice between things that it names."""
    looked_up = ask.operation == "lookup" and not ask.options
    return looked_up and isinstance(value, str) and set(stems(value)) <= ask.stems


def _of_kind(ask: Ask, said: str, made: Candidate | str) -> Candidate | str:
    """What a reply comes to, where that may be an answer at all; whether it may be computed, the rules say."""
    forbidden = isinstance(made, Candidate) and made.operation and ask.query.derived == "forbid"
    if isinstance(made, str) or forbidden or fits(ask, made):
        return made
    return f"'{clipped(said)}' is not of the kind that is asked for"


def _row_of(ask: Ask, found: Found) -> Candidate | None:
    """The row of a number, where it is asked which one has it and the number is told."""
    value, name = found.value, name_of(found.line.label.rpartition(STEP)[2])
    if ask.expects != "name" or not isinstance(value, Quantity) or value.unit in ("", "year"):
        return None
    return Candidate(name, (found.evidence,), found.line.label) if name else None


def _without_post(ask: Ask, candidate: Candidate) -> Candidate:
    """A person by the name alone, where a post follows it ("Ada Lind, Chair") and none is asked for."""
    if ask.kind != "who" or ask.says("post") or not isinstance(candidate.value, str):
        return candidate
    name, _, post = candidate.value.partition(", ")
    return replace(candidate, value=name) if _POST.search(post) else candidate


def _items(ask: Ask, said: str) -> list[str]:
    """The values that a reply gives, ; between them; where several names are asked for, also those that a series has.

    What is said as often as there are names beside it is what they have in common ("Ada Lind; member; Per Holm; member; ...").
    """
    items = [item.strip() for item in said.split(";") if item.strip()]
    if ask.expects == "names" and len(items) == 1:
        return [item for item in _SERIES.split(items[0]) if item]
    told = Counter(item for item in items if parse(item) is None)
    shared = {item for item, times in told.items() if times > 2 and times >= len(told) - 1}
    return [item for item in dict.fromkeys(items) if item not in shared] if shared else items


def _most(ask: Ask, named: _Named) -> Candidate | None:
    """What has the most or the least: a time of the one row that is named, a row of those that are, or of those that stand below
    the same headings as a row that is named.
    """
    rows = [line for line in named.lines if line.row is not None and line.values]
    if not rows:
        return None
    if ask.asks_time and (len(rows) == 1 or not named.every):
        return _most_of(ask, [(rows[0], number, number.header) for number in _timed(ask, rows[0])])
    compared = rows if named.every and len(rows) > 1 else _beside(rows[0])
    held = [(line, number, line.label) for line in compared if (number := _at_time(ask, line))]
    return _most_of(ask, held)


def _beside(row: Line) -> list[Line]:
    """The rows below the same headings as a row, but for totals."""
    above = row.label.rpartition(STEP)[0]
    return [
        line
        for line in lines_of([replace(row.passage, part=None)])
        if line.label.rpartition(STEP)[0] == above and not is_total(line) and may_be_shown(line)
    ]


def _most_of(ask: Ask, held: list[tuple[Line, LineValue, str]]) -> Candidate | None:
    """The name that has the most or the least of several numbers; None where these cannot be compared."""
    amounts = [(number.value, line, number, name) for line, number, name in held]
    known = [each for each in amounts if isinstance(each[0], Quantity)]
    if (
        len(known) < 2
        or len({value.unit for value, *_ in known if isinstance(value, Quantity)}) > 1
    ):
        return None
    known.sort(
        key=lambda each: each[0].amount if isinstance(each[0], Quantity) else 0,
        reverse=ask.operation == "argmax",
    )
    best = known[0][3].rpartition(STEP)[2]
    places = tuple(line.evidence(number) for _, line, number, _ in known)
    return Candidate(name_of(best), places, operation=ask.operation)


def _counts(ask: Ask, named: _Named) -> bool:
    """Whether it is asked how many rows are beyond a threshold, and a reply names rows alone."""
    asked = named.every and ask.operation == "count" and ask.threshold is not None
    return asked and len(named.lines) > 1 and all(line.row is not None for line in named.lines)


def _counted(ask: Ask, said: str, rows: Sequence[Line]) -> Candidate | str:
    """How many rows are beyond the threshold of a question, told by a number or by their names.

    They must be just those that are named and what is counted, and code must find the same below their headings, none of them at
    the threshold itself.
    """
    held = [(line, number) for line in _beside(rows[0]) if (number := _of_row(ask, line))]
    beyond = [(line, number) for line, number in held if meets(ask, number.value)]
    given = parse(said)
    names = [] if any(map(parse, _items(ask, said))) else _items(ask, said)
    told = given.amount if given is not None else len(names)
    alike = set(map(_row, rows)) == {_row(line) for line, _ in beyond}
    plain = _are_counted(ask, rows[0]) and not any(_is_limit(ask, each.value) for _, each in held)
    if told != len(beyond) or not alike or not plain:
        return f"'{clipped(said)}' is not how many rows code counts in the table, or other rows are named"
    places = tuple(line.evidence(each) for line, each in beyond)
    return Candidate(Quantity(Decimal(len(places))), places, operation="count")


def _are_counted(ask: Ask, row: Line) -> bool:
    """Whether the rows of a table are, by what stands above their names or the table, what a question asks the number of."""
    table = row.passage.node.table
    assert table is not None
    return not set(stems(ask.wants)).isdisjoint(
        stems(f"rows {labels(table).corner} {table.caption}")
    )


def _is_limit(ask: Ask, value: Value) -> bool:
    """Whether a number is the threshold itself: the wording would decide whether it counts."""
    limit = ask.threshold
    if limit is None or not isinstance(value, Quantity):
        return False
    return limit.value == value.value or limit.amount == value.amount


def _row(line: Line) -> tuple[str, int | None]:
    return line.passage.node.id, line.row


def _of_row(ask: Ask, line: Line) -> LineValue | None:
    """The one number of a row for the time and the column that a question names; None where it is not plain which it is."""
    fitting = _named_columns(ask, line.of_times(ask.periods) or line.values)
    numbers = [each for each in fitting if isinstance(each.value, Quantity)]
    return numbers[0] if len(numbers) == 1 else None


def _timed(ask: Ask, row: Line) -> list[LineValue]:
    """The numbers of a row for the times that are asked for, else for all its times."""
    fitting = row.of_times(ask.periods) if len(ask.periods) > 1 else row.values
    return [each for each in fitting if isinstance(each.value, Quantity) and each.times]


def _at_time(ask: Ask, line: Line) -> LineValue | None:
    """The first number of a row that holds for a time asked for; where none is asked for, the first of all."""
    fitting = line.of_times(ask.periods) if ask.periods else line.values
    return next((each for each in fitting if isinstance(each.value, Quantity)), None)


def _truth(ask: Ask, value: bool, named: _Named, silent_no: bool) -> Candidate | str:
    """A yes or a no at the lines that do not say otherwise; of a model that only tells the best line what that line says."""
    wrong = [
        silent_row(ask, line) or objection(ask, line.evidence(), value, silent_no)
        for line in named.lines
    ]
    fitting = [line for line, why in zip(named.lines, wrong, strict=True) if not why]
    if fitting:
        return Candidate(value, (fitting[0].evidence(),))
    place = named.lines[0].evidence()
    said = None if named.every else stated(ask, place)
    return wrong[0] if said is None else Candidate(said, (place,))


def _candidate(found: Found) -> Candidate:
    """A value that was found, as a candidate."""
    period = found.of.times[0].text if found.of is not None and found.of.times else ""
    return Candidate(found.value, (found.evidence,), found.line.label, period)


def _operands(said: str) -> list[str]:
    """What a calculation writes between its signs."""
    return [_bare(part.strip(" =")) for part in _CALCULATED.split(said)]


def _bare(written: str) -> str:
    """A value without the brackets of the calculation around it: those that it does not close or open itself."""
    while written.startswith("(") and written.count("(") > written.count(")"):
        written = written[1:].strip()
    while written.endswith(")") and written.count(")") > written.count("("):
        written = written[:-1].strip()
    return written


def _calculated(ask: Ask, said: str, named: _Named) -> Candidate | str:
    """What a calculation comes to over the values that it writes, each where it stands."""
    operands: list[Found] = []
    formula = said.translate(_OPERATORS)
    named = _of_one_line(said, named)
    for written in _operands(said):
        found = None if _is_constant(written, named) else _operand(written, named, operands)
        if found is not None and isinstance(found.value, Quantity):
            if found not in operands:
                operands.append(found)
            formula = formula.replace(written, LETTERS[operands.index(found)], 1)
        elif not _is_constant(written, named):
            return f"'{clipped(written)}' is no number of a line that was shown"
    if ask.operation == "average" and len(operands) == 1:
        operands = _all_times(ask, operands[0])
    if len(operands) == 1 and formula.count(LETTERS[0]) > 1:
        return f"'{clipped(said)}' is of one value alone"
    operation = calculation(" ".join(formula.split()).strip("= "))
    if operation not in OPERATIONS:
        return f"'{clipped(said)}' is no calculation"
    if operation == "ratio" and "%" in (ask.unit, canonical_unit(ask.query.unit)):
        operation = "proportion"
    operation = _asked_for(ask, operation, operands)
    if operation in _CHANGES and len(operands) == 2:
        operands = _in_order(ask, operands, named)
    numbers = [each.value for each in operands if isinstance(each.value, Quantity)]
    made = computed(operation, numbers, [each.evidence for each in operands])
    return made if made is not None else f"{clipped(said)} cannot be computed from these values"


def _in_order(ask: Ask, operands: Sequence[Found], named: _Named) -> list[Found]:
    """The values of a change, later less earlier, of a fall the other way round; what is named with care is written in its order.

    "How much less" of two values of one time is the greater less the smaller.
    """
    if ask.falling and len({_latest(each) for each in operands}) == 1:
        return sorted(operands, key=_amount, reverse=True)
    if named.every:
        return list(operands)
    return sorted(operands, key=_latest, reverse=not ask.falling)


def _asked_for(ask: Ask, written: str, operands: Sequence[Found]) -> str:
    """The operation over some values: of two times the change, and of several values the average, where that is what a question
    asks for, whatever else was written.
    """
    times = [_latest(each) for each in operands]
    if ask.operation in _CHANGES and written not in _CHANGES:
        if len(times) == 2 and all(times) and times[0] != times[1]:
            return "percentage_change" if ask.says("percent") else ask.operation
    if ask.operation == "average" and len(operands) > 1:
        return "average"
    return written


def _of_one_line(said: str, named: _Named) -> _Named:
    """The first line that has all the values of a calculation, if there is one: they are then in one scale."""
    values = [each for each in _operands(said) if not _is_constant(each, named)]
    for line in (*named.lines, *named.shown):
        if all(any(each.of is not None for each in standing(value, line)) for value in values):
            return replace(named, lines=[line])
    return named


def _all_times(ask: Ask, found: Found) -> list[Found]:
    """A value of a row with those that the row has for the other times asked for."""
    others = [each for each in _timed(ask, found.line) if each.value != found.value]
    return [found, *(Found(found.line, o.value, found.line.evidence(o), o) for o in others)]


def _operand(written: str, named: _Named, operands: Sequence[Found]) -> Found | None:
    """Where an operand stands. One that is written twice is one, as in "(a - b) / b", but where nothing else was written before:
    then the next value with its digits is meant.
    """
    found = _found(written, named)
    if [found] != list(operands):
        return found
    others = (each for line in named.lines for each in standing(written, line))
    assert found is not None
    return next((each for each in others if each.evidence != found.evidence), found)


def _is_constant(written: str, named: _Named) -> bool:
    """Whether a number of a calculation need not stand in a line: per cent, less one, by how many an average divides."""
    if written not in _CONSTANTS and not _DIVISOR.fullmatch(written):
        return False
    held = (value.value for line in named.lines for value in line.values)
    return all(not isinstance(value, Quantity) or value.value != int(written) for value in held)


def _latest(found: Found) -> tuple[int, ...]:
    """The latest time that a value holds for, as numbers that compare; none where it says none."""
    return max((time.parts for time in found.of.times), default=()) if found.of is not None else ()


def _amount(found: Found) -> Decimal:
    return found.value.amount if isinstance(found.value, Quantity) else Decimal(0)


def _of_column(ask: Ask, found: Found) -> Found:
    """What was found or, where it is a cell of another column than the question names, the one cell of its row that is of that:
    by the time asked for, else by the words of the headers that tell the columns apart.
    """
    chosen = found.of
    if chosen is None or chosen.cell is None:
        return found
    fitting: Sequence[LineValue] = found.line.of_times(ask.periods) or found.line.values
    if len(fitting) > 1:
        fitting = _named_columns(ask, fitting)
    if chosen in fitting or len(fitting) != 1:
        return found
    (cell,) = fitting
    return replace(found, value=cell.value, evidence=found.line.evidence(cell), of=cell)


def _named_columns(ask: Ask, values: Sequence[LineValue]) -> Sequence[LineValue]:
    """The values whose header says, in words that not all headers have, only what the question says; all where none does."""
    headers = [frozenset(stems(each.header)) for each in values]
    shared = frozenset.intersection(*headers)
    named = [
        value
        for value, header in zip(values, headers, strict=True)
        if header - shared and header - shared <= ask.stems
    ]
    return named or values


def _found(said: str, named: _Named) -> Found | None:
    """Where a text stands: in a line that is named, else in another, if all that have it say the same. Where each line that
    counts is named, only numbers are looked for elsewhere.
    """
    said = said.strip()
    if not said:
        return None
    for line in named.lines:
        if found := next(standing(said, line), None):
            return found
    elsewhere = [found for line in named.shown for found in islice(standing(said, line), 1)]
    if not elsewhere or not all(agree(elsewhere[0].value, each.value) for each in elsewhere):
        return None
    of_any = not named.every or isinstance(elsewhere[0].value, Quantity)
    return elsewhere[0] if of_any else None
