"""An answer on the terminal: the value large, then where it stands and how it was checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from pincite.cli.views.table_view import SHOWN, print_table
from pincite.cli.views.terminal import terminal
from pincite.evidence.cited_place import clipped
from pincite.evidence.saying import worded
from pincite.generate.shown import visible
from pincite.types import Answer, Outcome, Table, Value

_MARKS = {"supported": "✓", "computed": "∑", "unsupported": "✗", "contradicted": "✗"}
CITED = 6
"""Citations of an answer shown on a terminal."""
POSSIBLE = 160
"""Characters of a possible answer shown on a terminal."""
_UNBROKEN = 10_000
"""Columns of an output that is no terminal: every line stays whole."""


def unbroken() -> Console:
    """A console that keeps every line whole where its output is no terminal."""
    console = terminal()
    if not console.is_terminal:
        console.width = _UNBROKEN
    return console


def print_reading(console: Console, told: dict[str, Any], whole: bool = False) -> None:
    """How a database was asked: what each word was taken for, and the statement, on one line or whole."""
    rows = [(f"“{entry['words']}”", entry["meaning"]) for entry in told["mapping"]]
    width = max((cell_len(words) for words, _ in rows), default=0)
    for words, meaning in rows:
        text = Text.assemble((words + " " * (width - cell_len(words)), "cyan"), (f"  {meaning}", ""))
        console.print(Padding(text, (0, 0, 0, 2), expand=False))
    if not rows and told["meaning"]:
        console.print(Padding(Text(f"read as: {told['meaning']}"), (0, 0, 0, 2), expand=False))
    if told["unmapped"]:
        words = ", ".join(f"“{word}”" for word in told["unmapped"])
        console.print(
            Padding(Text(f"not found in {told['database']}: {words}", style="yellow"), (0, 0, 0, 2), expand=False)
        )
    if told["statement"]:
        statement = pretty(told["statement"]) if whole else " ".join(told["statement"].split())
        console.print(Padding(Text(statement, style="dim"), (1 if whole else 0, 0, 0, 2), expand=False))


def pretty(statement: str) -> str:
    """A statement over several lines; as it is where that is not possible."""
    from sqlglot import errors, parse_one

    try:
        return str(parse_one(statement).sql(pretty=True))
    except errors.SqlglotError:
        return statement


Line = Callable[..., None]
"""Prints parts of text, each with its style, as a line under an indent."""


def print_answer(outcome: Outcome, told: dict[str, Any], explain: bool, headed: bool = True) -> None:
    """Print one answer, under its question when `headed`; `told` is its record, with `found` when it is to be explained."""
    console = unbroken()
    answer = outcome.answer

    def line(indent: int, *parts: tuple[str, str]) -> None:
        seen = ((visible(text), style) for text, style in parts)
        console.print(Padding(Text.assemble(*seen), (0, 0, 0, indent), expand=False))

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
    if answer.corrected is not None and (answer.value is not None or answer.corrected.unused):
        line(2, (answer.corrected.said, "yellow" if answer.corrected.unused else "cyan"))
    _cited(line, told["citations"], 2)
    for near, one in zip(answer.possible, told["possible"], strict=True) if told["refused"] else ():
        _possible(line, near.value, one)
    for check in answer.checks:
        said = f"closest: {check.both}" if told["refused"] else f"{_MARKS[check.verdict]} {check.verdict}: {check.both}"
        line(2, (said, "dim"))
    for one in told.get("others", ()):
        _other(line, one)
    if explain:
        _explained(line, outcome, told)


def _cited(line: Line, citations: Sequence[dict[str, Any]], indent: int) -> None:
    for citation in citations[:CITED]:
        line(indent, (f"[{citation['id']}] {place_of(citation)}: ", "cyan"), (f"“{citation['quote']}”", ""))
    if len(citations) > CITED:
        line(indent, (f"and {len(citations) - CITED} more citations: --json lists them", "dim"))


def _possible(line: Line, value: Value, one: dict[str, Any]) -> None:
    """A value that was near, the chance that it is right where that is known, and where it stands."""
    chance = f" (chance {one['confidence']:.0%})" if one["confidence"] else ""
    where = f", {place_of(one['citation'])}" if one["citation"] else ""
    line(2, ("possible: ", "dim"), (clipped(worded(value), POSSIBLE), ""), (chance + where, "dim"))


def _other(line: Line, one: dict[str, Any]) -> None:
    """What the other kind of source or another edition says, or why it could not be asked."""
    stands = one.get("stands", "")
    if one["refused"]:
        line(
            2,
            (f"{stands}: {one['reason']}" if stands else f"not asked: {one['reason']}", "dim" if stands else "yellow"),
        )
        return
    dated = f", {one['date']}" if one.get("date") else ""
    who = "the documents say" if "reading" not in one else "the database says"
    if stands:
        who = f"{stands}: {one['reason']}; it says"
    what = (f"{who} the same: ", "") if one["agrees"] else (f"{who} something else: ", "bold yellow")
    line(2, what, (one["text"], "bold"), (f"   confidence {one['confidence']:.2f}{dated}", "dim"))
    _cited(line, one["citations"], 4)


def _explained(line: Line, outcome: Outcome, told: dict[str, Any]) -> None:
    """The plan, what was found, what models were shown, and what each stage took."""
    for part in told["plan"] if len(told["plan"]) > 1 else ():
        within = "; ".join(f"{name}: {', '.join(held)}" for name, held in part["where"])
        line(2, (f"planned: {part['question']}{within and f' (in {within})'}", "dim"))
    for routed in told["routed"]:
        line(2, (f"{routed['weight']:7.3f}  routed to {routed['document']}: {routed['why']}", "dim"))
    for page in told["found"]:
        line(
            2,
            (f"{page['score']:7.3f}  found {page['document']}, {page['place'] or 'page ' + str(page['page'])}", "dim"),
        )
    for one in told["shown"]:
        line(2, (f"shown to the {one['role']} model for its {one['form']}, {len(one['pieces'])} pieces:", "dim"))
        for piece in one["pieces"]:
            line(4, (piece.partition("\n")[0].strip("= "), "dim"))
        line(4, (f"said: {one['reply']}", "dim"))
    for span in outcome.trace:
        took = f", {span.usage.input} + {span.usage.output} tokens, {span.cost:.4f}" if span.usage.input else ""
        line(2, (f"{span.seconds * 1000:7.1f} ms  {brief(span.stage)}: {span.made}{took}", "dim"))
        for note in span.notes:
            line(14, (note, "dim"))
    if told["spent"]["requests"]:
        spent = told["spent"]
        line(2, (f"{spent['requests']} requests, {spent['input']} + {spent['output']} tokens, {spent['cost']}", "dim"))


def _text(answer: Answer) -> str:
    """The answer in words, of a long list the first items."""
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
