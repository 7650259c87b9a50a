"""Names that a question holds, by their capitals and their legal forms."""

from __future__ import annotations

import re
from functools import lru_cache

from pincite.lexicon import pattern


def capitalised(question: str) -> list[str]:
    """The words with a capital that open no sentence."""
    return pattern("question", "capitalised").findall(question)


def companies_named(question: str) -> list[str]:
    """The companies that are named with their legal form, as they are written."""
    return [match[0] for match in pattern("question", "company named").finditer(question)]


def has_name(question: str, name: str, word: str) -> bool:
    """Whether a number is part of a name that the question says: a name by itself ("3M"), or one with the `word` before it
    ("Model 12").
    """
    if name[-1:].isupper() and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question):
        return True
    return (word, name) in _numbered_names(question)


@lru_cache(maxsize=256)
def _numbered_names(question: str) -> frozenset[tuple[str, str]]:
    """The names with a number that a question says, each with the word before it."""
    return frozenset(pattern("question", "numbered names").findall(question))
