"""Reading with a language model by lines: it says which line answers and with which words; code takes the value there.

The model sees numbered lines and names one. Which column of a row is meant by the time asked for, what sign, scale and unit a
number has, and what an operation comes to, is for code. What stands in no line that was shown is asked for once more, then
dropped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from pincite.corpus import Corpus
from pincite.document.labelled_cells import name_of
from pincite.document.table_headers import STEP
from pincite.document.words import stems
from pincite.errors import ReplyInvalid
from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.cited_place import clipped
from pincite.evidence.drafted_answer import drafted, refused
from pincite.evidence.gathering import gather
from pincite.generate.forms import NA
from pincite.generate.line_prompts import LONG, LineForm, asking, may_be_shown, place_of
from pincite.generate.operations import computed
from pincite.generate.source_places import FoundNumber, folded
from pincite.generate.stated_truth import objection, stated
from pincite.lexicon import pattern
from pincite.lines.line import Line, LineValue
from pincite.lines.making import lines_of
from pincite.lines.ranking import RankedLine, ranked_lines
from pincite.loop import wait
from pincite.models.endpoints.token_counts import approximate_spans
from pincite.ports import Encoder, Model, TokenChoice
from pincite.quantity import canonical_unit, parse, same
from pincite.quantity.arithmetic import OPERATIONS
from pincite.quantity.arithmetic import named as calculation
from pincite.quantity.formula import LETTERS
from pincite.question.ask import Ask
from pincite.question.understanding import understand
from pincite.readers.kind_fit import fits
from pincite.search.bilingual_pages import asked_in
from pincite.stage import Stage
from pincite.types import Draft, Quantity, Ranking, Value

SHOWN = 700
"""Tokens, counted about, of the lines that a small model is shown."""
RETRIES = 1
"""How often a reply that cannot be taken is asked for again."""
_CALCULATED = re.compile(r"\s[-−–+*/×÷]\s")
"""What stands between two values of a calculation: a minus with no blank behind it is part of a number."""
_TOTAL = pattern("readers", "total row")
PICKS = ("argmax", "argmin")
"""Operations that ask what has the most or the least."""
_CONSTANTS = ("100", "1", "2")
"""Numbers of a calculation that need not stand in a line: per cent, less one, half."""
_OPERATORS = str.maketrans("−–×÷", "--*/")


@dataclass(frozen=True, slots=True)
class Found:
    """A value where it stands: in a line, at one of its values or at some of its characters."""

    line: Line
    value: Value
    evidence: Evidence
    of: LineValue | None = None


@dataclass(frozen=True, slots=True)
class TakenLine:
    """What a model read, as a draft. Where it took a value: the candidate, its line and that line's place in the order, the
    tokens of the reply, and whether it was asked again.
    """

    draft: Draft
    candidate: Candidate | None = None
    ranked: RankedLine | None = None
    place: int = 0
    tokens: Sequence[TokenChoice] = ()
    again: bool = False


@dataclass(frozen=True)
class ReadLines(Stage[Ranking, Draft]):
    """Have a model choose among the best lines of the `k` best pages; about `tokens` of them are shown.

    Raises ModelError when the endpoint gives no reply; replies that name nothing that was shown make a refused draft.
    """

    model: Model
    corpus: Corpus = field(repr=False, compare=False)
    encoder: Encoder = field(repr=False, compare=False)
    k: int = 8
    tokens: int = SHOWN

    def run(self, given: Ranking) -> Draft:
        """Read the lines of one ranking."""
        return self.take(given).draft

    def take(self, given: Ranking) -> TakenLine:
        """Read the lines of one ranking; with what is known of the line that was taken."""
        ask = understand(given.query)
        passages = gather(self.corpus, given.hits, self.k, asked_in(given.query))
        lines = lines_of([passage for passage in passages if not passage.apart])
        ranked = ranked_lines(ask, lines, self.encoder)
        return self.read(ask, ranked)

    def read(self, ask: Ask, ranked: Sequence[RankedLine]) -> TakenLine:
        """Answer a question from lines, best first."""
        lines = shown(ask, [each.line for each in ranked], self.tokens)
        seen = tuple(dict.fromkeys(line.passage.node.id for line in lines))
        nothing = refused(ask, [line.passage for line in lines], seen)
        if not lines:
            return TakenLine(nothing)
        prompt = asking(ask.query.text, lines, ask.periods)
        reason = nothing.reason
        for tried in range(RETRIES + 1):
            try:
                reply = wait(self.model.complete(prompt, LineForm))
            except ReplyInvalid as error:
                return TakenLine(replace(nothing, reason=str(error)))
            chosen = choose(ask, reply.value, lines[: reply.shown or len(lines)])
            if chosen is None:
                break
            if isinstance(chosen, Candidate):
                place = _place_in(ranked, chosen)
                draft = drafted(ask, [chosen], 1.0, seen)
                return TakenLine(draft, chosen, ranked[place], place, reply.tokens, tried > 0)
            reason = f"the model's reply was dropped: {chosen}"
            prompt = replace(
                prompt, turns=(*prompt.turns, (reply.text, f"{chosen}. Reply again."))
            )
        return TakenLine(replace(nothing, reason=reason))


def _place_in(ranked: Sequence[RankedLine], chosen: Candidate) -> int:
    """The place, among the lines in their order, of the one that a candidate rests on first."""
    where = chosen.evidence[0]

    def holds(line: Line) -> bool:
        if line.passage.node.id != where.node.id:
            return False
        if where.cells:
            return line.row == where.cells[0][0]
        return line.row is None and line.start <= where.start < max(line.end, line.start + 1)

    return next((at for at, each in enumerate(ranked) if holds(each.line)), 0)


def shown(ask: Ask, lines: Sequence[Line], tokens: int) -> list[Line]:
    """The first lines that have about so many tokens together: section by section, those of one in the order of their page."""
    kept: dict[str, list[Line]] = {}
    said: set[str] = set()
    for line in lines:
        text = line.written(ask.periods)
        if text in said or not may_be_shown(line):
            continue
        said.add(text)
        section = place_of(line)
        size = len(approximate_spans(clipped(text, LONG))) + 2
        size += 0 if section in kept else len(approximate_spans(section)) + 2
        if kept and size > tokens:
            break
        kept.setdefault(section, []).append(line)
        tokens -= size
    return [line for some in kept.values() for line in sorted(some, key=_place)]


def _place(line: Line) -> tuple[int, int, int, int]:
    """Where a line stands in its document."""
    return (line.passage.rank, line.passage.node.order, line.row or 0, line.start)


def choose(ask: Ask, form: LineForm, lines: Sequence[Line]) -> Candidate | str | None:
    """The candidate that a reply comes to; None where it says that no line answers, else why its value cannot be taken."""
    named = [lines[number - 1] for number in form.lines if 0 < number <= len(lines)]
    said = form.value.strip()
    if not named or said in ("", NA):
        return None
    if said.casefold().strip(".") in ("yes", "no"):
        return _truth(ask, said.casefold().strip(".") == "yes", named)
    if ask.expects == "boolean":
        said_there = stated(ask, named[0].evidence())
        if said_there is None:
            return f"'{clipped(said)}' is neither yes nor no"
        return Candidate(said_there, (named[0].evidence(),))
    if ask.asks_reason:
        return Candidate(named[0].text, (named[0].evidence(),))
    if ask.operation in PICKS and (most := _most(ask, named)) is not None:
        return most
    if _CALCULATED.search(said) and all(map(parse, _operands(said))):
        return _calculated(ask, said, named, lines)
    return _named(ask, said, named, lines)


def _named(ask: Ask, said: str, named: Sequence[Line], lines: Sequence[Line]) -> Candidate | str:
    """The value or the values of a reply where they stand, else why they cannot be taken."""
    items = [item.strip() for item in said.split(";") if item.strip()]
    held = [_found(item, named, lines) for item in items]
    found = [each for each in held if each is not None]
    if len(found) < len(items):
        return f"'{clipped(items[held.index(None)])}' stands in no line that was shown"
    if len(found) > 1:
        return Candidate(
            tuple(each.value for each in found), tuple(each.evidence for each in found)
        )
    if ask.expects == "number" and not isinstance(found[0].value, Quantity):
        return f"'{clipped(said)}' is no number of its line"
    made = _candidate(_of_column(ask, found[0]))
    return made if fits(ask, made) else f"'{clipped(said)}' is not of the kind that is asked for"


def _most(ask: Ask, named: Sequence[Line]) -> Candidate | None:
    """The row that has the most or the least, among those that stand below the same headings as a row that is named."""
    row = next((line for line in named if line.row is not None and line.values), None)
    if row is None:
        return None
    above = row.label.rpartition(STEP)[0]
    held = [
        (line, number)
        for line in lines_of([row.passage])
        if line.label.rpartition(STEP)[0] == above
        and not _TOTAL.match(line.label.rpartition(STEP)[2])
        and (number := _at_time(ask, line)) is not None
    ]
    if (
        len(held) < 2
        or len({number.value.unit for _, number in held if isinstance(number.value, Quantity)}) > 1
    ):
        return None
    held.sort(
        key=lambda each: each[1].value.amount if isinstance(each[1].value, Quantity) else 0,
        reverse=ask.operation == "argmax",
    )
    best = held[0][0].label.rpartition(STEP)[2]
    places = tuple(line.evidence(number) for line, number in held)
    return Candidate(name_of(best), places, operation=ask.operation)


def _at_time(ask: Ask, line: Line) -> LineValue | None:
    """The first number of a row that holds for a time asked for; where none is asked for, the first of all."""
    fitting = line.of_times(ask.periods) if ask.periods else line.values
    return next((each for each in fitting if isinstance(each.value, Quantity)), None)


def _truth(ask: Ask, value: bool, named: Sequence[Line]) -> Candidate | str:
    """A yes or a no at the lines that do not say otherwise."""
    wrong = [objection(ask, line.evidence(), value, False) for line in named]
    fitting = [line for line, problem in zip(named, wrong, strict=True) if problem is None]
    if not fitting:
        return next(problem.what for problem in wrong if problem is not None)
    return Candidate(value, (fitting[0].evidence(),))


def _candidate(found: Found) -> Candidate:
    """A value that was found, as a candidate."""
    period = found.of.times[0].text if found.of is not None and found.of.times else ""
    return Candidate(found.value, (found.evidence,), found.line.label, period)


def _operands(said: str) -> list[str]:
    """What a calculation writes between its signs."""
    return [part.strip(" ()=") for part in _CALCULATED.split(said)]


def _calculated(
    ask: Ask, said: str, named: Sequence[Line], lines: Sequence[Line]
) -> Candidate | str:
    """What a calculation comes to over the values that it writes, each where it stands."""
    operands: list[Found] = []
    formula = said.translate(_OPERATORS)
    letters = iter(LETTERS)
    for written in _operands(said):
        found = _found(written, named, lines)
        if found is not None and isinstance(found.value, Quantity):
            operands.append(found)
            formula = formula.replace(written, next(letters), 1)
        elif written not in _CONSTANTS:
            return f"'{clipped(written)}' is no number of a line that was shown"
    operation = calculation(" ".join(formula.split()).strip("= "))
    if operation not in OPERATIONS:
        return f"'{clipped(said)}' is no calculation"
    if operation == "ratio" and "%" in (ask.unit, canonical_unit(ask.query.unit)):
        operation = "proportion"
    if operation in ("difference", "percentage_change") and len(operands) == 2:
        operands.sort(key=_latest, reverse=not ask.falling)
    numbers = [
        FoundNumber(each.value, each.evidence)
        for each in operands
        if isinstance(each.value, Quantity)
    ]
    made = computed(operation, numbers)
    return made if made is not None else f"{clipped(said)} cannot be computed from these values"


def _latest(found: Found) -> tuple[int, ...]:
    """The latest time that a value holds for, as numbers that compare; none where it says none."""
    return max((time.parts for time in found.of.times), default=()) if found.of is not None else ()


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


def _found(said: str, named: Sequence[Line], lines: Sequence[Line]) -> Found | None:
    """Where a text stands: in a line that is named, else in another, if all that have it say the same."""
    said = said.strip()
    if not said:
        return None
    for line in named:
        if found := next(_standing(said, line), None):
            return found
    elsewhere = [found for line in lines for found in islice(_standing(said, line), 1)]
    one = elsewhere and all(_agree(elsewhere[0].value, each.value) for each in elsewhere)
    return elsewhere[0] if one else None


def _agree(value: Value, other: Value) -> bool:
    """Whether two values that one text may mean are the same."""
    if isinstance(value, Quantity) and isinstance(other, Quantity):
        return same(value, other)
    return type(value) is type(other)


def _standing(said: str, line: Line) -> Iterator[Found]:
    """The places of a line where a text stands: values that it is as written, values that mean the same, its words."""
    bare = folded(said)[0]
    for value in line.values:
        if folded(value.text)[0] == bare:
            yield Found(line, value.value, line.evidence(value), value)
    number = parse(said)
    if number is not None:
        for value in line.values:
            held = value.value
            if isinstance(held, Quantity) and (_same(held, number)):
                yield Found(line, held, line.evidence(value), value)
    yield from _words(said, line)


def _same(held: Quantity, said: Quantity) -> bool:
    """Whether a number is the one that is said: by its digits as they stand, or with its scale."""
    return held.value == said.value or math.isclose(
        float(held.amount), float(said.amount), rel_tol=1e-9
    )


def _words(said: str, line: Line) -> Iterator[Found]:
    """Where the words stand in a sentence, or in a label or cell of a row."""
    needle = folded(said)[0].strip(".,;:")
    node = line.passage.node
    if len(needle) < 2:
        return
    if line.row is None:
        text = node.text[line.start : line.end]
        hay, at = folded(text)
        start = hay.find(needle)
        if start >= 0:
            begin, end = line.start + at[start], line.start + at[start + len(needle) - 1] + 1
            spelled = " ".join(node.text[begin:end].split())
            yield Found(
                line,
                spelled,
                Evidence(node, (), begin, end, node.text[begin:end], line.passage.document),
            )
        return
    assert node.table is not None
    for cell in node.table.cells:
        if cell.row == line.row and needle in folded(cell.text)[0]:
            hay, at = folded(cell.text)
            start = hay.find(needle)
            spelled = " ".join(cell.text[at[start] : at[start + len(needle) - 1] + 1].split())
            place = ((cell.row, cell.column),)
            yield Found(
                line, spelled, Evidence(node, place, 0, 0, cell.text, line.passage.document)
            )
