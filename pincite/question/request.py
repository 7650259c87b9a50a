"""What is asked once the courtesy is taken off: "could you tell me what we paid, please?" asks what we paid."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files


def bare(text: str) -> str:
    """A question without the phrase by which somebody is asked for the answer; as it is where it has none.

    A question whether somebody does something ("do you pay a dividend?") is no request: it stays.
    """
    opening, closing = _courtesy()
    asked = opening.sub("", text.strip(), count=1)
    if end := closing.search(asked):
        asked = asked[: end.start()].rstrip(" ,") + end["mark"]
    return asked.strip() or text


@lru_cache(maxsize=1)
def _courtesy() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What a request opens and closes with, by data/asking.toml."""
    given = tomllib.loads(files("pincite").joinpath("data/asking.toml").read_text("utf-8"))["courtesy"]
    opening = rf"^(?:{'|'.join(given['greets'])})*(?:{'|'.join(given['opens'])})+"
    closing = rf"\b(?:{'|'.join(given['closes'])})(?P<mark>[?.!]*)$"
    return re.compile(opening, re.IGNORECASE), re.compile(closing, re.IGNORECASE)
