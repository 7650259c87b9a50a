"""What a batch would cost: every question is searched and its prompts are made, and no model is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from pincite.corpus import Corpus
from pincite.errors import ModelMissing
from pincite.ledger import Ledger, Price
from pincite.library import Library
from pincite.models.kit import LEDGER, default_kit, with_encoder
from pincite.models.model_settings import ROLES, ModelSettings
from pincite.models.providers import dialect_at
from pincite.models.recording_model import BYTES, Call, DryModel
from pincite.recipes.base import Recipe
from pincite.settings import Settings
from pincite.storage import is_kept
from pincite.types import Query, Usage

REPLY = 400
"""Tokens of a reply, while the ledger knows of fewer than KNOWN to its model."""
KNOWN = 20


@dataclass(frozen=True, slots=True)
class Load:
    """Calls of models, their tokens and money."""

    calls: int = 0
    usage: Usage = Usage()
    cost: Decimal = Decimal(0)

    def __add__(self, other: Load) -> Load:
        return Load(self.calls + other.calls, self.usage + other.usage, self.cost + other.cost)

    def told(self) -> dict[str, Any]:
        """It as JSON."""
        usage = self.usage
        return {
            "calls": self.calls, "input": usage.input, "output": usage.output, "cost": str(self.cost),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Estimate:
    """What `questions` would take: `low` when the first reading of each answers it, `high` when all end in N/A.

    `assumed` says in words what both rest on.
    """

    questions: int
    low: Load
    high: Load
    assumed: tuple[str, ...]


def dry_library(
    folder: Path | str, settings: Settings, recipe: Recipe | None = None, stand_ins: bool = False
) -> tuple[Library, list[Call]]:
    """A library of a recipe whose models are never asked, and the list in which their calls are taken down.

    Raises ModelMissing where no large model is set; with `stand_ins` what takes the place of a missing model calls nothing.
    """
    if not settings.models.large and not stand_ins:
        raise ModelMissing("large")
    calls: list[Call] = []
    dry = dry_models(settings.models, calls) | {"vision": None}
    kit = replace(with_encoder(default_kit(), settings.models, folder), **dry)
    return Library(folder, settings, kit, recipe, stand_ins), calls


def dry_models(models: ModelSettings, calls: list[Call]) -> dict[str, Any]:
    """By role what takes down the calls of the model that is set for it; None where none is."""
    names = models.names
    return {
        role: DryModel(names[role], calls, dialect_at(models.role(role).base_url).described)
        if role in names
        else None
        for role in ROLES
    }


def estimate(
    queries: Sequence[Query],
    library: Library,
    calls: list[Call],
    tick: Callable[[int], None] = lambda done: None,
) -> Estimate:
    """What these questions would take of a `dry_library`."""
    models = library.settings.models
    lengths = _reply_lengths(library.corpus, models)
    low, high = Load(), Load()
    paid: set[str] = set()
    for number, query in enumerate(queries, 1):
        calls.clear()
        library.answer(query)
        read: set[tuple[str, str]] = set()
        for call in calls:
            if call.key in paid:
                continue
            paid.add(call.key)
            usage = Usage(call.tokens, lengths[call.model])
            load = Load(1, usage, models.prices.get(call.model, Price()).of(usage))
            high += load
            # a question is read again, of more pages, only when the first pages did not tell
            if (call.form, call.question) not in read:
                low += load
            if call.form.endswith("LineForm"):
                read.add((call.form, call.question))
        tick(number)
    return Estimate(len(queries), low, high, _assumed(models, lengths))


def _reply_lengths(corpus: Corpus, models: ModelSettings) -> Mapping[str, int]:
    """Tokens of a reply of each model: what its replies have had on average so far, or REPLY."""
    there = is_kept(corpus.folder, LEDGER, "spends")
    rows = Ledger(corpus.folder / LEDGER).rows("model") if there else []
    known = {
        row.model: round(row.usage.output / row.requests) for row in rows if row.requests >= KNOWN
    }
    return {name: known.get(name, REPLY) for name in models.names.values()}


def _assumed(models: ModelSettings, lengths: Mapping[str, int]) -> tuple[str, ...]:
    unpriced = [name for name in lengths if name not in models.prices]
    return (
        f"{BYTES} bytes of a prompt are a token",
        ", ".join(f"{length} tokens in a reply of {name}" for name, length in lengths.items())
        or "no model is set",
        "least: the first pages answer each question; most: each is read again of all that is shown, and stays N/A",
        "nothing is kept from an earlier run, and nothing is asked again for a failure",
        *(f"{name} has no price in [models.prices], and counts as free" for name in unpriced),
    )
