"""An answer on the terminal: the value large, then where it stands and how it was checked."""

from __future__ import annotations

import re
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from pincite.types import Outcome

_MARKS = {"supported": "✓", "computed": "∑", "unsupported": "✗", "contradicted": "✗"}
_UNBROKEN = 10_000
"""Columns of an output that is no terminal: every line stays whole."""


def unbroken() -> Console:
    """A console that keeps every line whole where its output is no terminal."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _UNBROKEN
    return console


def print_answer(outcome: Outcome, told: dict[str, Any], explain: bool, headed: bool = True) -> None:
    """Print one answer, under its question when `headed`; `told` is its record, with `found` when it is to be explained."""
    console = unbroken()
    answer = outcome.answer

    def line(indent: int, *parts: tuple[str, str]) -> None:
        console.print(Padding(Text.assemble(*parts), (0, 0, 0, indent), expand=False))

    if headed:
        console.print()
        line(0, (answer.query.text, "bold"))
    if told["refused"]:
        line(2, ("N/A", "bold yellow"), (f"  {answer.reason}", ""))
    else:
        line(2, (told["text"] or str(told["value"]), "bold green"), (f"   confidence {answer.confidence:.2f}", "dim"))
    for one in told["citations"]:
        line(2, (f"[{one['id']}] {one['document']}, page {one['page']}: ", "cyan"), (f"“{one['quote']}”", ""))
    for check in answer.checks:
        said = f"closest: {check.how}" if told["refused"] else f"{_MARKS[check.verdict]} {check.verdict}: {check.how}"
        line(2, (said, "dim"))
    if not explain:
        return
    for one in told["plan"] if len(told["plan"]) > 1 else ():
        within = "; ".join(f"{name}: {', '.join(held)}" for name, held in one["where"])
        line(2, (f"planned: {one['question']}{within and f' (in {within})'}", "dim"))
    for one in told["found"]:
        line(2, (f"{one['score']:7.3f}  found {one['document']}, page {one['page']}", "dim"))
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


def brief(stage: str) -> str:
    """A stage by its name and, where it has just one, its label: "Search windows"."""
    labels = re.findall(r"\blabel='([^']*)'", stage)
    return " ".join([stage.partition("(")[0], *(labels if len(labels) == 1 else ())])
