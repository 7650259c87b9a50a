"""The progress of indexing, and of a model that reads, on the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pincite.cli.views.terminal import bars, working
from pincite.storage.ledger import listened


@contextmanager
def reading_line(quiet: bool) -> Iterator[None]:
    """A line on standard error that says how far a model is, and disappears; none where nobody looks at it."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    with working(stderr=True) as say, listened(lambda progress: say(str(progress))):
        yield


class IndexingBars:
    """Progress on the terminal: bytes parsed, with pages a second and time left, then texts encoded."""

    def __init__(self, quiet: bool) -> None:
        from rich.progress import BarColumn, TimeRemainingColumn

        shown = "{task.percentage:>3.0f}%", "{task.fields[note]}", TimeRemainingColumn()
        self._bars = bars("{task.description:>8}", BarColumn(), *shown, quiet=quiet)
        self._tasks: dict[str, Any] = {}
        self._started: dict[str, float] = {}

    def __enter__(self) -> IndexingBars:
        self._bars.start()
        return self

    def __exit__(self, *why: object) -> None:
        self._bars.stop()

    def __call__(self, what: str, done: float, total: float, note: str = "") -> None:
        """Move the bar of one phase."""
        if what == "page":
            return
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=total, note="")
            self._started[what] = time.perf_counter()
        pages, _, unit = note.partition(" ")
        if unit in ("page", "pages"):
            seconds = time.perf_counter() - self._started[what]
            note += f", {int(pages.replace(',', '')) / max(seconds, 1e-3):.1f} pages/s"
        self._bars.update(self._tasks[what], completed=done, total=total, note=note)
