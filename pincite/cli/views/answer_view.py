"""An answer on the terminal: the value first, then its places and how it was checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console

from pincite.cli.views.table_view import SHOWN, print_table
from pincite.cli.views.terminal import print_line, unbroken
from pincite.evidence.cited_place import clipped
from pincite.evidence.value_in_words import worded
from pincite.generate.shown import visible
from pincite.types import Answer, Outcome, Table, Value

MARKS = {"supported": "✓", "computed": "∑", "unsupported": "✗", "contradicted": "✗"}
CITED = 6
"""Citations of an answer shown on a terminal."""
POSSIBLE = 160
"""Characters of a possible answer shown on a terminal."""


def print_reading(console: Console, told: dict[str, Any], whole: bool = False) -> None:
    """How a database was asked: what each word was taken for, and the statement, on one line or whole."""
    rows = [(f"“{entry['words']}”", entry["meaning"]) for entry in told["mapping"]]
    width = max((cell_len(words) for words, _ in rows), default=0)
    for words, meaning in rows:
        print_line(
            console, 2, (words + " " * (width - cell_len(words)), "cyan"), (f"  {meaning}", "")
        )
    if not rows and told["meaning"]:
        print_line(console, 2, (f"read as: {told['meaning']}", ""))
    if told["unmapped"]:
        words = ", ".join(f"“{word}”" for word in told["unmapped"])
        print_line(console, 2, (f"not found in {told['database']}: {words}", "yellow"))
    if told["statement"] and whole:
        console.print()
        print_line(console, 2, (pretty(told["statement"]), "dim"))
    elif told["statement"]:
        print_line(console, 2, (" ".join(told["statement"].split()), "dim"))


def pretty(statement: str) -> str:
    """A statement over several lines; as it is where that is not possible."""
    from sqlglot import errors, parse_one

    try:
        return str(parse_one(statement).sql(pretty=True))
    except errors.SqlglotError:
        return statement


Line = Callable[..., None]
"""Prints parts of text, each with its style, as a line under an indent."""


def print_answer(
    outcome: Outcome, told: dict[str, Any], explain: bool, headed: bool = True
) -> None:
    """Print one answer, under its question when `headed`; `told` is its record, with `found` when it is to be explained."""
    console = unbroken()
    answer = outcome.answer

    def line(indent: int, *parts: tuple[str, str]) -> None:
        print_line(console, indent, *((visible(text), style) for text, style in parts))

    if headed:
        console.print()
        line(0, (answer.query.text, "bold"))
    if told["refused"]:
        line(2, ("N/A", "bold yellow"), (f"  {answer.reason}", ""))
    else:
        dated = f", {told['date']}" if told.get("date") and told.get("others") else ""
        sure = (f"   confidence {answer.confidence:.2f}{dated}", "dim")
        line(2, (_text(answer) or str(told["value"]), "bold green"), sure)
        if isinstance(answer.value, Table):
            print_table(console, told["value"]["columns"], told["value"]["rows"])
        if "reading" in told:
            print_reading(console, told["reading"])
    _proof(line, answer, told)
    for other in told.get("others", ()):
        _other(line, other)
    if explain:
        _explanation(line, told)
        _trace(line, outcome, told["spent"])


def _proof(line: Line, answer: Answer, told: dict[str, Any]) -> None:
    """What a reviewer said, the citations and the checks, of a refusal the possible answers; then what a model said itself."""
    if answer.corrected is not None and (answer.value is not None or answer.corrected.unused):
        line(2, (answer.corrected.said, "yellow" if answer.corrected.unused else "cyan"))
    _cited(line, told["citations"], 2)
    if answer.value is None:
        for near, record in zip(answer.possible, told["possible"], strict=True):
            _possible(line, near.value, record)
    for check in answer.checks:
        mark = "closest" if answer.value is None else f"{MARKS[check.verdict]} {check.verdict}"
        line(2, (f"{mark}: {check.both}", "dim"))
    if answer.model_explanation:
        line(
            2,
            ("the model's words, not checked: ", "dim"),
            (f"“{answer.model_explanation}”", "dim italic"),
        )


def _cited(line: Line, citations: Sequence[dict[str, Any]], indent: int) -> None:
    for citation in citations[:CITED]:
        line(
            indent,
            (f"[{citation['id']}] {place_of(citation)}: ", "cyan"),
            (f"“{citation['quote']}”", ""),
        )
    if len(citations) > CITED:
        line(indent, (f"and {len(citations) - CITED} more citations: --json lists them", "dim"))


def _possible(line: Line, value: Value, record: dict[str, Any]) -> None:
    """A value that was near, the chance that it is right where that is known, and where it stands."""
    chance = f" (chance {record['confidence']:.0%})" if record["confidence"] else ""
    where = f", {place_of(record['citation'])}" if record["citation"] else ""
    line(2, ("possible: ", "dim"), (clipped(worded(value), POSSIBLE), ""), (chance + where, "dim"))


def _other(line: Line, other: dict[str, Any]) -> None:
    """What the other kind of source or another edition says, or why it could not be asked."""
    stands = other.get("stands", "")
    if other["refused"]:
        line(2, (f"{stands or 'not asked'}: {other['reason']}", "dim" if stands else "yellow"))
        return
    dated = f", {other['date']}" if other.get("date") else ""
    who = "the documents say" if "reading" not in other else "the database says"
    if stands:
        who = f"{stands}: {other['reason']}; it says"
    what = (
        (f"{who} the same: ", "")
        if other["agrees"]
        else (f"{who} something else: ", "bold yellow")
    )
    line(
        2,
        what,
        (other["text"], "bold"),
        (f"   confidence {other['confidence']:.2f}{dated}", "dim"),
    )
    _cited(line, other["citations"], 4)


def _explanation(line: Line, told: dict[str, Any]) -> None:
    """The plan where the question was taken apart, what was found, and what models were shown."""
    line(2, (f"recipe {told['recipe']}", "dim"))
    if len(told["plan"]) > 1:
        for part in told["plan"]:
            within = "; ".join(f"{name}: {', '.join(held)}" for name, held in part["where"])
            line(2, (f"planned: {part['question']}{within and f' (in {within})'}", "dim"))
    for routed in told["routed"]:
        line(
            2, (f"{routed['weight']:7.3f}  routed to {routed['document']}: {routed['why']}", "dim")
        )
    for page in told["found"]:
        place = page["place"] or f"page {page['page']}"
        line(2, (f"{page['score']:7.3f}  found {page['document']}, {place}", "dim"))
    for call in told["shown"]:
        line(
            2,
            (
                f"shown to the {call['role']} model for its {call['form']}, {len(call['pieces'])} pieces:",
                "dim",
            ),
        )
        for piece in call["pieces"]:
            line(4, (piece.partition("\n")[0].strip("= "), "dim"))
        line(4, (f"said: {call['reply']}", "dim"))


def _trace(line: Line, outcome: Outcome, spent: dict[str, Any]) -> None:
    """What each stage made and took, and what models took in all."""
    for span in outcome.trace:
        took = (
            f", {span.usage.input} + {span.usage.output} tokens, {span.cost:.4f}"
            if span.usage.input
            else ""
        )
        line(2, (f"{span.seconds * 1000:7.1f} ms  {brief(span.stage)}: {span.made}{took}", "dim"))
        for note in span.notes:
            line(14, (note, "dim"))
    if spent["requests"]:
        line(
            2,
            (
                f"{spent['requests']} requests, {spent['input']} + {spent['output']} tokens, {spent['cost']}",
                "dim",
            ),
        )


def _text(answer: Answer) -> str:
    """The answer in words; of a long list, its first items."""
    if isinstance(answer.value, tuple) and len(answer.value) > SHOWN:
        more = len(answer.value) - SHOWN
        return f"{worded(answer.value[:SHOWN])} and {more:,} more (--csv or --json writes all of them)"
    return answer.text


def place_of(citation: dict[str, Any]) -> str:
    """Where a citation points: a document and its page, or a table of a database with the key of its row."""
    if "table" not in citation or citation["page"]:
        return f"{citation['document']}, {citation['place']}"
    rows = citation["rows"]
    if len(rows) != 1:
        return f"{citation['document']}, {len(rows)} rows" if rows else str(citation["document"])
    keys = zip(citation["key"], rows[0], strict=True)
    key = ", ".join(str(value) if name == "rowid" else f"{name} {value}" for name, value in keys)
    return f"{citation['document']}, row {key}"


def brief(stage: str) -> str:
    """A stage by its name and, where it has just one, its label: "Search windows"."""
    labels = re.findall(r"\blabel='([^']*)'", stage)
    return " ".join([stage.partition("(")[0], *(labels if len(labels) == 1 else ())])
