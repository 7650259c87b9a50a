"""Words and patterns of a language or a trade that a room needs, from `data/words` and `data/patterns`, one file a room.

A list is written there as one text, its words separated by blanks, or as a list of texts where a phrase itself contains blanks.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def word_list(room: str, name: str) -> tuple[str, ...]:
    """The words of a list, in the order of the file. Raises KeyError when the room has no list of that name."""
    given = data_table(f"words/{room}")[name]
    return tuple(given.split() if isinstance(given, str) else given)


@cache
def word_set(room: str, name: str) -> frozenset[str]:
    """The words of a list, to look one up. Raises as `word_list`."""
    return frozenset(word_list(room, name))


@cache
def pattern(room: str, name: str, table: str = "patterns") -> re.Pattern[str]:
    """A pattern of a table of `data/patterns/<room>.toml`. Raises KeyError when there is none of that name."""
    return _compiled(room, data_table(f"patterns/{room}")[table][name])


@cache
def pattern_table(room: str, table: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The patterns of a table, each with its name, in the order of the file; several may have one name."""
    given = data_table(f"patterns/{room}")[table].items()
    several = (
        (name, [written] if isinstance(written, str) else written) for name, written in given
    )
    return tuple((name, _compiled(room, each)) for name, written in several for each in written)


def _compiled(room: str, written: str) -> re.Pattern[str]:
    """A verbose expression that may name fragments of its file or of all files, as in "{month}"; a fragment may name others."""
    fragments = {
        **data_table("patterns/fragments")["fragments"],
        **data_table(f"patterns/{room}").get("fragments", {}),
    }
    while _FRAGMENT.search(written):
        written = _FRAGMENT.sub(lambda named: fragments[named[1]], written)
    return re.compile(written, re.VERBOSE)


def past(said: re.Pattern[str], text: str, at: int) -> int:
    """Where what a pattern matches at a place ends; the place itself where it matches nothing."""
    match = said.match(text, at)
    return match.end() if match else at


_FRAGMENT = re.compile(r"\{([a-z][a-z ]*)\}")


@cache
def data_table(name: str) -> dict[str, Any]:
    """The table `data/<name>.toml`, read once: nobody changes what it holds."""
    return tomllib.loads(files("pincite").joinpath(f"data/{name}.toml").read_text("utf-8"))
