"""Names that a question holds, by their capitals and their legal forms."""

from __future__ import annotations

import re
from functools import lru_cache

from pincite.text.lexicon import pattern


def capitalised(question: str) -> list[str]:
    """The words with a capital that open no sentence."""
    return pattern("question", "capitalised", "proper names").findall(question)


def companies_named(question: str) -> list[str]:
    """The companies that are named with their legal form, as they are written."""
    return [
        match[0]
        for match in pattern("question", "company named", "proper names").finditer(question)
    ]


def is_legal_form(word: str) -> bool:
    """Whether a word is the legal form of a company: "plc", "Inc."."""
    return (
        pattern("question", "legal form", "proper names").fullmatch(word.strip(",?")) is not None
    )


def has_name(question: str, number: str, word: str) -> bool:
    """Whether `number` is part of a name in the question: by itself ("3M"), or with the `word` before it ("Model 12")."""
    if number[-1:].isupper() and re.search(rf"(?<!\w){re.escape(number)}(?!\w)", question):
        return True
    return (word, number) in _numbered_names(question)


@lru_cache(maxsize=256)
def _numbered_names(question: str) -> frozenset[tuple[str, str]]:
    """The names with a number that a question says, each with the word before it."""
    return frozenset(pattern("question", "numbered names", "proper names").findall(question))
