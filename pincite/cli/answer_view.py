"""An answer on the terminal: the value large, then where it stands and how it was checked."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from pincite.types import Outcome

_MARKS = {"supported": "✓", "computed": "∑", "unsupported": "✗", "contradicted": "✗"}


def print_answer(outcome: Outcome, told: dict[str, Any], explain: bool) -> None:
    """Print one answer; `told` is its record."""
    console = Console(highlight=False)
    answer = outcome.answer
    console.print(Text(f"\n{answer.query.text}", style="bold"))
    if told["refused"]:
        console.print(Text("  N/A", style="bold yellow"), Text(f"  {answer.reason}"))
    else:
        shown = told["text"] or str(told["value"])
        console.print(
            Text(f"  {shown}", style="bold green"), Text(f"  confidence {answer.confidence:.2f}", style="dim")
        )
    for one in told["citations"]:
        cells = (
            f", cell{'s' if len(one['cells']) > 1 else ''} " + " ".join(f"r{r}c{c}" for r, c in one["cells"])
            if one["cells"]
            else ""
        )
        console.print(Text(f"  [{one['id']}] {one['document']}, page {one['page']}{cells}", style="cyan"))
        console.print(Text(f"      “{one['quote']}”"))
    for check in answer.checks:
        console.print(Text(f"  {_MARKS[check.verdict]} {check.verdict}: {check.how}", style="dim"))
    if explain:
        for span in outcome.trace:
            console.print(
                Text(f"  {span.seconds * 1000:7.1f} ms  {span.stage}: {span.given} -> {span.made}", style="dim")
            )
