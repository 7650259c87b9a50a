"""An answer as the lines that a person reads: the value first, then its places, how it was checked, and what to try."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pincite.evidence.cited_place import clipped
from pincite.evidence.headline import headline, likely
from pincite.evidence.value_in_words import short_text, worded
from pincite.records.answer_record import record
from pincite.records.next_steps import NextStep
from pincite.text.wording import counted
from pincite.types import Answer, Table, Value
from pincite.untrusted import visible

ShownLine = tuple[int, tuple[tuple[str, str], ...]]
"""A line: the columns that it is indented by, and its parts as (text, style), styles as `rich` names them."""

MARKS = {"supported": "✓", "computed": "∑", "unsupported": "✗", "contradicted": "✗"}
SHOWN = 20
"""Rows of a table, or items of a list, that are shown."""
CITED = 6
"""Citations of an answer that are shown."""
POSSIBLE = 160
"""Characters of a possible answer that are shown."""


def value_line(answer: Answer, told: dict[str, Any]) -> ShownLine:
    """The value with its confidence, or why there is none; `told` is the answer's record. Where no citation names the answer's
    id, as after a refusal, the line does.
    """
    identity = told["answer_id"]
    named = (("", "") if told["citations"] or not identity else (f"   [{identity}]", "cyan"),)
    if told["refused"]:
        return 2, ((headline(answer), "bold yellow"), (f"  {answer.reason}", ""), *named)
    dated = f", {told['date']}" if told.get("date") and told.get("others") else ""
    sure = f"   confidence {answer.confidence:.0%}{dated}"
    return 2, ((_text(answer) or str(told["value"]), "bold green"), (sure, "dim"), *named)


def proof_lines(answer: Answer, told: dict[str, Any]) -> Iterator[ShownLine]:
    """What a reviewer said, the citations and the checks, of a refusal the possible answers; what a model said itself; and
    what the other kind of source or another edition says.
    """
    said = answer.corrected
    if said is not None and (answer.value is not None or said.unused):
        yield 2, ((said.said, "yellow" if said.unused else "cyan"),)
    yield from _cited(told["citations"], 2)
    first = likely(answer)
    for near, row in zip(answer.possible, told["possible"], strict=True):
        if answer.value is None and near is not first:
            yield _possible(near.value, row)
    for check in answer.checks:
        mark = "closest" if answer.value is None else f"{MARKS[check.verdict]} {check.verdict}"
        yield 2, ((f"{mark}: {check.how}", "dim"),)
    if answer.model_explanation:
        words = (f"“{answer.model_explanation}”", "dim italic")
        yield 2, (("the model's words, not checked: ", "dim"), words)
    for other in told.get("others", ()):
        yield from _other(other)


def step_lines(steps: Sequence[NextStep]) -> Iterator[ShownLine]:
    """What to try after a refusal, with the commands that do it."""
    for step in steps:
        command = ((f"   {step.command}", "cyan"),) if step.command else ()
        yield 2, (("try ", "bold"), (step.text, ""), *command)


def plain_text(answer: Answer, steps: Sequence[NextStep] = ()) -> str:
    """An answer as text: its value on the first line, all else indented under it."""
    told = record(answer, "")
    rows, proof = _rows(answer.value, told), proof_lines(answer, told)
    lines = [(0, value_line(answer, told)[1]), *rows, *proof, *step_lines(steps)]
    texts = ((indent, "".join(text for text, _ in parts)) for indent, parts in lines)
    return "\n".join(" " * indent + visible(text) for indent, text in texts)


def _rows(value: Value, told: dict[str, Any]) -> Iterator[ShownLine]:
    """The heading and the first rows of an answer that is a table."""
    if not isinstance(value, Table):
        return
    columns, rows = told["value"]["columns"], told["value"]["rows"]
    for row in (columns, *rows[:SHOWN]):
        cells = ("" if cell is None else short_text(str(cell)) for cell in row)
        yield 2, ((" | ".join(cells), ""),)
    if len(rows) > SHOWN:
        yield 2, ((f"and {counted(len(rows) - SHOWN, 'more row')}", "dim"),)


def _text(answer: Answer) -> str:
    """The answer in words; of a long list, its first items."""
    if isinstance(answer.value, tuple) and len(answer.value) > SHOWN:
        more = len(answer.value) - SHOWN
        return f"{worded(answer.value[:SHOWN])} and {more:,} more (--csv or --json writes all of them)"
    return answer.text


def _cited(citations: Sequence[dict[str, Any]], indent: int) -> Iterator[ShownLine]:
    for citation in citations[:CITED]:
        place = (f"[{citation['id'].removeprefix('.')}] {cited_place(citation)}: ", "cyan")
        yield indent, (place, (f"“{citation['quote']}”", ""))
    if len(citations) > CITED:
        more = f"and {counted(len(citations) - CITED, 'more citation')}: --json lists all"
        yield indent, ((more, "dim"),)


def _possible(value: Value, row: dict[str, Any]) -> ShownLine:
    """A value that was near, the chance that it is right where that is known, and where it stands."""
    chance = f" ({row['confidence']:.0%})" if row["confidence"] else ""
    where = f", {cited_place(row['citation'])}" if row["citation"] else ""
    said = (clipped(worded(value), POSSIBLE), "")
    return 2, (("possible: ", "dim"), said, (chance + where, "dim"))


def _other(other: dict[str, Any]) -> Iterator[ShownLine]:
    """What the other kind of source or another edition says, or why it could not be asked."""
    stands = other.get("stands", "")
    if other["refused"]:
        told = f"{stands or 'not asked'}: {other['reason']}"
        yield 2, ((told, "dim" if stands else "yellow"),)
        return
    dated = f", {other['date']}" if other.get("date") else ""
    who = "the documents say" if "reading" not in other else "the database says"
    if stands:
        who = f"{stands}: {other['reason']}; it says"
    agreed = (f"{who} the same: ", "")
    what = agreed if other["agrees"] else (f"{who} something else: ", "bold yellow")
    sure = (f"   confidence {other['confidence']:.0%}{dated}", "dim")
    yield 2, (what, (other["text"], "bold"), sure)
    yield from _cited(other["citations"], 4)


def cited_place(citation: dict[str, Any]) -> str:
    """Where a citation points: a document and its page, or a table of a database with the key of its row."""
    document = str(citation["document"])
    if "table" not in citation or citation["page"]:
        return f"{document}, {citation['place']}"
    rows = citation["rows"]
    if len(rows) != 1:
        return f"{document}, {counted(len(rows), 'row')}" if rows else document
    keys = zip(citation["key"], rows[0], strict=True)
    key = ", ".join(str(value) if name == "rowid" else f"{name} {value}" for name, value in keys)
    return f"{document}, row {key}"
