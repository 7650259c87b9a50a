"""Words of a language or a trade that a room needs, from `data/words/<room>.toml`.

A list is written there as one text, its words apart by blanks, or as a list of texts where a phrase has blanks of its own.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def word_list(room: str, name: str) -> tuple[str, ...]:
    """The words of a list, in the order of the file. Raises KeyError when the room has no list of that name."""
    given = _lists(room)[name]
    return tuple(given.split() if isinstance(given, str) else given)


@cache
def word_set(room: str, name: str) -> frozenset[str]:
    """The words of a list, to look one up. Raises as `word_list`."""
    return frozenset(word_list(room, name))


@cache
def phrases(room: str, name: str) -> re.Pattern[str]:
    """A pattern that finds any phrase of a list, in whatever case, as whole words with any blanks between them; of two phrases
    that begin alike the longer is found. Raises as `word_list`.
    """
    longest_first = sorted(word_list(room, name), key=len, reverse=True)
    written = "|".join(r"\s+".join(re.escape(word) for word in phrase.split()) for phrase in longest_first)
    return re.compile(rf"(?<!\w)(?:{written})(?!\w)", re.IGNORECASE)


@cache
def _lists(room: str) -> dict[str, str | list[str]]:
    text = files("pincite").joinpath(f"data/words/{room}.toml").read_text("utf-8")
    given: dict[str, str | list[str]] = tomllib.loads(text)
    return given
