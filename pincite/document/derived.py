"""What is computed from a value that never changes, kept beside it for as long as it lives."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeVar, TypeVarTuple
from weakref import ref

RARELY = (20_000, 20, 20)
"""The thresholds of `gc` for a process that answers many questions: what is kept is not garbage, and to look through it for
cycles at every 700 objects takes a sixth of the time of answering.
"""
Of = TypeVar("Of")
More = TypeVarTuple("More")
Made = TypeVar("Made")


def kept(work: Callable[[Of, *More], Made]) -> Callable[[Of, *More], Made]:
    """`work(of, *more)`, done once for each `of`, told apart by identity, and each `more`; forgotten when `of` is gone.

    What is made must not hold `of` itself, which would then never go. How much is kept follows from how many values are held
    by others: the pages that a corpus keeps, the texts that were read last.
    """
    held: dict[int, tuple[ref[Any], dict[tuple[Any, ...], Any]]] = {}

    def once(of: Of, *more: *More) -> Made:
        key = id(of)
        beside = held.get(key)
        if beside is None:
            beside = held[key] = ref(of, lambda _: held.pop(key, None)), {}
        made = beside[1]
        if more in made:
            found: Made = made[more]
            return found
        result = made[more] = work(of, *more)
        return result

    update_wrapper(once, work)
    return once
