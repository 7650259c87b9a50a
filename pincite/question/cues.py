"""What a question says beside what it asks, by the patterns of data/cues.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files


def says(text: str, cue: str) -> bool:
    """Whether a question gives a cue. Raises KeyError when there is none of that name."""
    return bool(_patterns()["cues"][cue].search(text))


def suggests(text: str, operation: str) -> bool:
    """Whether a question may mean an operation that it does not name; no other operation is ever suggested."""
    pattern = _patterns()["operations"].get(operation)
    return pattern is not None and bool(pattern.search(text))


@lru_cache(maxsize=1)
def _patterns() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    given = tomllib.loads(files("pincite").joinpath("data/cues.toml").read_text("utf-8"))
    return {
        kind: {name: re.compile(pattern, re.IGNORECASE) for name, pattern in patterns.items()}
        for kind, patterns in given.items()
    }
