"""Everything that is fuzzed, by name: each format of files, each file of tables, and what other modules here offer.

A module of this folder offers a target by two functions: `NAME_target(data: bytes)`, which may raise a PinciteError and nothing
else, and `NAME_seeds() -> list[bytes]`. With `NAME_mutant(data: bytes, random: Random) -> bytes` it says how they are changed,
else it is as text is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType

from pincite.database.sources.database_address import TABLES
from pincite.ingest.document_parser import SUFFIXES
from tests.fuzz.files import file_target, table_target
from tests.fuzz.mutators import MUTATORS, mutant
from tests.fuzz.seeds import seeds_of, table_seeds
from tests.fuzz.texts import Mutate, text_of

MODULES = ("statements", "received", "settings")
"""The modules that offer targets of their own, where they are there."""


@dataclass(frozen=True)
class Target:
    """What is fuzzed: `run` takes an input, and raises nothing but a PinciteError; `mutate` changes a seed."""

    name: str
    run: Callable[[bytes], object]
    seeds: Callable[[], tuple[bytes, ...]]
    mutate: Mutate = text_of

    def input(self, seed: int, at: int) -> bytes:
        """The input of this number: the seeds as they are, then mutants of them."""
        seeds = self.seeds()
        return (
            seeds[at]
            if at < len(seeds)
            else mutant(seeds, self.mutate, Random(f"{self.name} {seed} {at}"))
        )


def targets() -> dict[str, Target]:
    """All targets by name: "pdf", "table-csv", "guard"."""
    first: dict[str, str] = {}
    for suffix, kind in SUFFIXES.items():
        first.setdefault(kind, suffix)
    found = [
        Target(kind, partial(file_target, suffix), partial(seeds_of, kind), MUTATORS[kind])
        for kind, suffix in first.items()
    ]
    found += [
        Target(
            f"table-{one[1:]}",
            partial(table_target, one),
            partial(table_seeds, one),
            MUTATORS[one[1:]],
        )
        for one in sorted(TABLES)
    ]
    for name in MODULES:
        if (Path(__file__).parent / f"{name}.py").exists():
            found += _offered(import_module(f"tests.fuzz.{name}"))
    return {one.name: one for one in found}


def _offered(module: ModuleType) -> list[Target]:
    held = {
        name: one
        for name, one in inspect.getmembers(module, inspect.isfunction)
        if one.__module__ == module.__name__
    }
    names = [name.removesuffix("_target") for name in held if name.endswith("_target")]
    return [
        Target(
            name,
            held[f"{name}_target"],
            partial(_seeded, held[f"{name}_seeds"]),
            held.get(f"{name}_mutant", text_of),
        )
        for name in names
    ]


@cache
def _seeded(make: Callable[[], list[bytes]]) -> tuple[bytes, ...]:
    return tuple(make())
