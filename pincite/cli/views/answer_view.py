"""An answer on the terminal: the value first, then its places and how it was checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console

from pincite.cli.views.table_view import print_table
from pincite.cli.views.terminal import print_line, unbroken
from pincite.records.answer_lines import proof_lines, step_lines, value_line
from pincite.records.next_steps import NextStep
from pincite.text.wording import counted
from pincite.types import Outcome, Table
from pincite.untrusted import visible


def print_reading(console: Console, told: dict[str, Any], whole: bool = False) -> None:
    """How a database was asked: what each word was taken for, and the statement, on one line or whole."""
    rows = [(f"“{entry['words']}”", entry["meaning"]) for entry in told["mapping"]]
    width = max((cell_len(words) for words, _ in rows), default=0)
    for words, meaning in rows:
        print_line(console, 2, (set_cell_size(words, width), "cyan"), (f"  {meaning}", ""))
    if told["unmapped"]:
        words = ", ".join(f"“{word}”" for word in told["unmapped"])
        print_line(console, 2, (f"not found in {told['database']}: {words}", "yellow"))
    if told["statement"] and whole:
        console.print()
        print_line(console, 2, (pretty(told["statement"]), "dim"))
    elif asked := told["meaning"] or told["statement"]:
        print_line(console, 2, (" ".join(asked.split()), "dim"))


def pretty(statement: str) -> str:
    """A statement over several lines; as it is where that is not possible."""
    from sqlglot import errors, parse_one

    try:
        return str(parse_one(statement).sql(pretty=True))
    except errors.SqlglotError:
        return statement


Line = Callable[..., None]  # prints parts of text, each with its style, as a line under an indent


def print_answer(
    outcome: Outcome,
    told: dict[str, Any],
    explain: bool,
    headed: bool = True,
    steps: Sequence[NextStep] = (),
) -> None:
    """Print one answer, under its question when `headed`, and the next steps after a refusal; `told` is its record, with
    `found` when it is to be explained.
    """
    console = unbroken()
    answer = outcome.answer

    def line(indent: int, *parts: tuple[str, str]) -> None:
        print_line(console, indent, *((visible(text), style) for text, style in parts))

    if headed:
        console.print()
        line(0, (answer.query.text, "bold"))
    indent, parts = value_line(answer, told)
    line(indent, *parts)
    if isinstance(answer.value, Table):
        print_table(console, told["value"]["columns"], told["value"]["rows"])
    if answer.value is not None and "reading" in told:
        print_reading(console, told["reading"])
    for indent, parts in (*proof_lines(answer, told), *step_lines(steps)):
        line(indent, *parts)
    if explain:
        _explanation(line, told)
        _trace(line, outcome, told["spent"])


def _explanation(line: Line, told: dict[str, Any]) -> None:
    """The plan where the question was taken apart, what was found, and what models were shown."""
    said = [f"recipe {told['recipe']}"]
    for part in told["plan"] if len(told["plan"]) > 1 else ():
        within = "; ".join(f"{name}: {', '.join(held)}" for name, held in part["where"])
        said.append(f"planned: {part['question']}{within and f' (in {within})'}")
    for routed in told["routed"]:
        said.append(f"{routed['weight']:7.3f}  routed to {routed['document']}: {routed['why']}")
    for page in told["found"]:
        place = page["place"] or f"page {page['page']}"
        said.append(f"{page['score']:7.3f}  found {page['document']}, {place}")
    for text in said:
        line(2, (text, "dim"))
    for call in told["shown"]:
        pieces = counted(len(call["pieces"]), "piece")
        line(2, (f"shown to the {call['role']} model for its {call['form']}, {pieces}:", "dim"))
        for piece in call["pieces"]:
            first, below, _ = piece.partition("\n")
            if below:  # a line alone stands below the place of an earlier one
                line(4, (first.strip("= "), "dim"))
        line(4, (f"said: {call['reply']}", "dim"))


def _trace(line: Line, outcome: Outcome, spent: dict[str, Any]) -> None:
    """What each stage made and took, and what models took in all."""
    for span in outcome.trace:
        tokens = f", {span.usage.input} + {span.usage.output} tokens, {span.cost:.4f}"
        took = f"{span.made}{tokens if span.usage.input else ''}"
        line(2, (f"{span.seconds * 1000:7.1f} ms  {brief(span.stage)}: {took}", "dim"))
        for note in span.notes:
            line(14, (note, "dim"))
    if spent["requests"]:
        tokens = f"{spent['input']} + {spent['output']} tokens"
        asked = counted(spent["requests"], "request")
        line(2, (f"{asked}, {tokens}, {spent['cost']}", "dim"))


def brief(stage: str) -> str:
    """A stage by its name and, where it has just one, its label: "Search windows"."""
    labels = re.findall(r"\blabel='([^']*)'", stage)
    return " ".join([stage.partition("(")[0], *(labels if len(labels) == 1 else ())])
