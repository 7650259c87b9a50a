"""What a query may contain: clauses, operators, types, and the functions that only compute from their arguments.

None of them reaches a file, the network, a setting, a sequence or a catalog, sleeps, or has an unbounded result.
"""

from __future__ import annotations

from typing import Any

from pincite.lexicon import word_set

KEYS = word_set("database", "function keys")  # fmt: skip
"""Functions that sqlglot knows, by its own keys."""
NAMES = word_set("database", "function names")  # fmt: skip
"""Functions that sqlglot passes on by name."""
PARTS = word_set("database", "statement parts")  # fmt: skip
"""Clauses and operators, by sqlglot's keys."""
TYPES = word_set("database", "cast types")  # fmt: skip
"""Types of plain values that a cast may name."""


def allowed(function: Any) -> bool:
    """Whether a function of a syntax tree is one of these."""
    if function.key == "anonymous":
        return str(function.this).casefold() in NAMES
    return function.key in KEYS


def allowed_name(name: str) -> bool:
    """Whether a function of an expression that is not parsed but built is one of these."""
    return name.casefold() in NAMES or name.casefold().replace("_", "") in KEYS
