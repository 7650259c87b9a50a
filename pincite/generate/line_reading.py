"""Reading with a language model by lines: it says which line answers and with which words; code takes the value there.

The model sees numbered lines and names one. Which column of a row is meant by the time asked for, what sign, scale and unit a
number has, and what an operation comes to, is for code. What stands in no line that was shown is asked for once more, then dropped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite.corpus import Corpus
from pincite.errors import ReplyInvalid
from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.cited_place import clipped
from pincite.evidence.drafted_answer import drafted, refused
from pincite.evidence.gathering import gather
from pincite.generate.line_prompts import asking, may_be_shown, pieces
from pincite.generate.operations import computed
from pincite.generate.source_places import FoundNumber, folded
from pincite.lines.line import Line, LineValue
from pincite.lines.making import lines_of
from pincite.lines.ranking import ranked_lines
from pincite.loop import wait
from pincite.models.endpoints.token_counts import approximate_spans
from pincite.ports import Encoder, Model
from pincite.quantity import parse
from pincite.question.ask import Ask
from pincite.question.understanding import understand
from pincite.search.bilingual_pages import asked_in
from pincite.stage import Stage
from pincite.types import Draft, Quantity, Ranking, Value

if TYPE_CHECKING:
    from pincite.generate.line_prompts import LineForm

SHOWN = 600
"""Tokens, counted about, of the lines that a small model is shown."""
RETRIES = 1
OPERATIONS = {
    "change": "difference",
    "percent change": "percentage_change",
    "ratio": "ratio",
    "share": "proportion",
    "sum": "sum",
    "mean": "average",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A value where it stands: in a line, at one of its values or at some of its characters."""

    line: Line
    value: Value
    evidence: Evidence
    of: LineValue | None = None


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
        ask = understand(given.query)
        passages = gather(self.corpus, given.hits, self.k, asked_in(given.query))
        lines = lines_of([passage for passage in passages if not passage.apart])
        best = [each.line for each in ranked_lines(ask, lines, self.encoder)]
        return self.read(ask, shown(ask, best, self.tokens))

    def read(self, ask: Ask, lines: Sequence[Line]) -> Draft:
        """Answer a question from lines, best first."""
        from pincite.generate.line_prompts import LineForm

        seen = tuple(dict.fromkeys(line.passage.node.id for line in lines))
        nothing = refused(ask, [line.passage for line in lines], seen)
        if not lines:
            return nothing
        prompt = asking(ask.query.text, lines, ask.periods)
        reason = nothing.reason
        for _ in range(RETRIES + 1):
            try:
                reply = wait(self.model.complete(prompt, LineForm))
            except ReplyInvalid as error:
                return replace(nothing, reason=str(error))
            chosen = choose(ask, reply.value, lines[: reply.shown or len(lines)])
            if chosen is None:
                break
            if isinstance(chosen, Candidate):
                return drafted(ask, [chosen], 1.0, seen)
            reason = chosen
            prompt = replace(
                prompt, turns=(*prompt.turns, (reply.text, f"{chosen}. Reply again."))
            )
        return replace(nothing, reason=reason)


def shown(ask: Ask, lines: Sequence[Line], tokens: int) -> list[Line]:
    """The first lines that have about so many tokens together, those of one section together in the order of their page."""
    kept: list[Line] = []
    said: set[str] = set()
    for line in lines:
        text = line.written(ask.periods)
        if text in said or not may_be_shown(line):
            continue
        said.add(text)
        size = sum(len(approximate_spans(piece)) for piece in pieces([line], ask.periods))
        if kept and size > tokens:
            break
        kept.append(line)
        tokens -= size
    return kept


def choose(ask: Ask, form: LineForm, lines: Sequence[Line]) -> Candidate | str | None:
    """The candidate that a reply comes to; None where it says that no line answers, else why its value cannot be taken."""
    if not 0 < form.line <= len(lines):
        return None
    said = form.value.strip()
    line = lines[form.line - 1]
    operation = OPERATIONS.get(form.operation.strip())
    if operation is not None and (form.second_value.strip() or operation in ("sum", "average")):
        return _computed(ask, form, operation, lines)
    if ask.expects == "boolean" or said.casefold() in ("yes", "no"):
        if said.casefold() not in ("yes", "no"):
            return f"'{clipped(said)}' is neither yes nor no"
        return Candidate(said.casefold() == "yes", (line.evidence(),))
    if ask.asks_reason:
        return Candidate(line.text, (line.evidence(),))
    if ";" in said and ask.expects in ("names", None, "text"):
        items = [_found(item, line, lines) for item in said.split(";") if item.strip()]
        if items and all(items):
            held = [item for item in items if item is not None]
            values = tuple(item.value for item in held)
            return Candidate(values, tuple(item.evidence for item in held))
    found = _found(said, line, lines)
    if found is None:
        return f"'{clipped(said)}' stands in no line that was shown"
    found = _of_time(ask, found)
    period = found.of.times[0].text if found.of is not None and found.of.times else ""
    return Candidate(found.value, (found.evidence,), found.line.label, period)


def _computed(
    ask: Ask, form: LineForm, operation: str, lines: Sequence[Line]
) -> Candidate | str | None:
    """What an operation comes to over the values that a reply names."""
    operands = []
    second = form.second_line if 0 < form.second_line <= len(lines) else form.line
    pairs = [(form.value, form.line), (form.second_value, second)]
    for said, number in pairs:
        found = _found(said, lines[number - 1], lines)
        if found is None or not isinstance(found.value, Quantity):
            return f"'{clipped(said)}' is no number of a line that was shown"
        operands.append(FoundNumber(found.value, found.evidence))
    made = computed(operation, operands)
    return made if made is not None else f"{form.operation} cannot be computed from these values"


def _of_time(ask: Ask, found: Found) -> Found:
    """What was found or, where it is a cell of another time than the one asked for, the one cell of its row that is of that."""
    chosen = found.of
    if chosen is None or chosen.cell is None or not ask.periods:
        return found
    fitting = found.line.of_times(ask.periods)
    if chosen in fitting or len(fitting) != 1:
        return found
    (cell,) = fitting
    return replace(found, value=cell.value, evidence=found.line.evidence(cell), of=cell)


def _found(said: str, line: Line, lines: Sequence[Line]) -> Found | None:
    """Where a text stands: in its line, else in the one other line that has it."""
    said = said.strip()
    if not said:
        return None
    if found := next(_standing(said, line), None):
        return found
    elsewhere = [found for other in lines if other is not line for found in _standing(said, other)]
    return elsewhere[0] if len(elsewhere) == 1 else None


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
            yield Found(line, spelled, Evidence(node, (), begin, end, node.text[begin:end], line.passage.document))  # fmt: skip
        return
    assert node.table is not None
    for cell in node.table.cells:
        if cell.row == line.row and needle in folded(cell.text)[0]:
            hay, at = folded(cell.text)
            start = hay.find(needle)
            spelled = " ".join(cell.text[at[start] : at[start + len(needle) - 1] + 1].split())
            yield Found(line, spelled, Evidence(node, ((cell.row, cell.column),), quote=cell.text, document=line.passage.document))  # fmt: skip
