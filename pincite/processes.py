"""Python processes that Pincite starts: they import nothing from the working directory, which may be a stranger's folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SAFE = "PYTHONSAFEPATH"
"""The variable by which Python keeps the working directory and a script's folder off its path."""


def python(*arguments: str) -> list[str]:
    """The command of another Python process with these arguments."""
    return [sys.executable, "-P", *arguments]


@contextmanager
def safe_path() -> Iterator[None]:
    """Meanwhile, processes that a library starts import nothing from the working directory either."""
    before = os.environ.get(SAFE)
    os.environ[SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE]
        else:
            os.environ[SAFE] = before
