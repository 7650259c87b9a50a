"""A part that cannot be read is left out with its reason: a table, a page, a slide or a sheet, but never the whole file."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pincite.errors import LockedSource, PinciteError, SourceError
from pincite.ingest.raw_page import Block, Page
from pincite.text.wording import counted

COMPUTING_S = 15.0
"""Seconds of computing that the text layer, the tables or the layout of a page may take; a usual page needs a hundredth."""


class TooLong(Exception):
    """A step took longer than it may."""


@contextmanager
def at_most() -> Iterator[None]:
    """Raise TooLong in what takes more than COMPUTING_S. A thread, and a system without the timer, has no such limit."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TooLong(
            f"it takes more than {COMPUTING_S:.0f} s of computing: there are too many lines or words"
        )

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, COMPUTING_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def why(error: Exception) -> str:
    """Why something was not read, in words."""
    if isinstance(error, MemoryError):
        return "it takes too much memory"
    if isinstance(error, RecursionError):
        return "its parts are nested too deeply"
    if isinstance(error, TooLong | PinciteError):
        return str(error)
    return f"its parser failed ({type(error).__name__}: {error})"


def not_read(left: Mapping[str, int]) -> str:
    """How much of each kind was not read: "2 hidden rows and 1 hidden column were not read"; empty for nothing."""
    *most, last = [counted(number, noun) for noun, number in left.items() if number] or [""]
    several = len(most) or not last.startswith("1 ")
    said = " and ".join(filter(None, (", ".join(most), last)))
    return f"{said} {'were' if several else 'was'} not read" if said else ""


def hidden_page(number: int, place: str) -> Page:
    """A sheet or slide that is hidden, as an empty page that says so."""
    return Page(number, place=place, lost="it is hidden and was not read")


def part_page(
    number: int, place: str, read: Callable[[Counter[str]], Iterable[Block]], title: str = ""
) -> Page:
    """A sheet or slide as a page of what `read` makes of it; where that fails, an empty page that says why.

    What `read` counts, by its name, is said to be left out. A SourceError refuses the whole file and goes on.
    """
    left: Counter[str] = Counter()
    try:
        blocks = tuple(read(left))
        return Page(number, 0.0, 0.0, blocks, place=place, title=title, lost=not_read(left))
    except SourceError:
        raise
    except Exception as error:  # of a file's making, so of no common class
        return Page(number, place=place, title=title, lost=f"it was not read: {why(error)}")


@contextmanager
def readable(path: Path, kind: str, program: str, suffix: str) -> Iterator[None]:
    """What a library raises for a damaged file has no common class: it is raised as SourceError that says it is no `kind`."""
    try:
        yield
    except SourceError:
        raise
    except Exception as error:
        if "encrypted" in str(error):
            raise LockedSource(
                f"{path.name} is encrypted: remove the password in its program and save it."
            ) from error
        raise SourceError(
            f"{path.name} cannot be read as {kind} ({type(error).__name__}: {error}): it is damaged or of another format. "
            f"Open it in {program} and save it again as {suffix}."
        ) from error
