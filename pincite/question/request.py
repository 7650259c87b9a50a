"""What is asked once polite phrases are removed: "could you tell me what we paid, please?" asks what we paid."""

from __future__ import annotations

import re
from functools import lru_cache

from pincite.text.lexicon import data_table, pattern

FRAME = pattern("question", "frame", "request")
"""Where and for which reporting period a question wants its answer looked up: nothing that a row or sentence would repeat."""
COMPANY = pattern("question", "company", "request")
"""A company by its full legal name: it says which document is meant, and no row of that document repeats it."""


def bare(text: str) -> str:
    """A question without the phrase by which somebody is asked for the answer; as it is where it has none.

    A question whether somebody does something ("do you pay a dividend?") is no request: it stays. A plot asks for what is drawn.
    """
    opening, closing = _courtesy()
    asked = _drawn(opening.sub("", text.strip(), count=1))
    if end := closing.search(asked):
        asked = asked[: end.start()].rstrip(" ,") + end["mark"]
    return asked.strip() or text


def _drawn(text: str) -> str:
    """What a request for a plot wants drawn: "plot the strength over the density" is of the strength and the density."""
    asked, plots = pattern("question", "plot", "request").subn("", text, count=1)
    return (
        pattern("question", "against", "request").sub(" and ", asked, count=1) if plots else text
    )


@lru_cache(maxsize=1)
def _courtesy() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What a request opens and closes with, by data/asking.toml."""
    given = data_table("asking")["courtesy"]
    opening = rf"^(?:{'|'.join(given['greets'])})*(?:{'|'.join(given['opens'])})++"
    closing = rf"\b(?:{'|'.join(given['closes'])})(?P<mark>[?.!]*)$"
    return re.compile(opening, re.IGNORECASE), re.compile(closing, re.IGNORECASE)


def unmeasured(text: str) -> str:
    """A question without the words that ask for a number: what stands beside them says of what."""
    return pattern("question", "measure", "request").sub(" ", text)


def without_otherwise(text: str) -> str:
    """A question without what to answer when nothing is found."""
    return pattern("question", "otherwise", "request").sub(" ", text)


def without_form(text: str) -> str:
    """A question without words about the answer and how to give it."""
    return pattern("question", "about the answer", "request").sub(" ", text)


def without_orders(text: str) -> str:
    """A question without the verbs by which somebody is told to give an answer."""
    return pattern("question", "orders", "request").sub(" ", text)


def unframed(text: str) -> str:
    """A question without courtesy and without what only says where to look: report, its period, the company's legal name."""
    return COMPANY.sub(" ", FRAME.sub(" ", bare(text)))
