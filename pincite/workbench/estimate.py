"""What a batch would cost: every question is searched and its prompts are made, and no model is asked. And what the vectors
would cost that a corpus lacks: nothing is encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from pincite.corpus import Corpus, Writer, writing
from pincite.errors import ModelMissing
from pincite.indexing.page_drawings import drawable
from pincite.indexing.shelves import encoder_name, stored_document, text_hash
from pincite.models.kit import LEDGER, default_kit, with_encoder
from pincite.models.model_settings import ROLES, ModelSettings
from pincite.models.providers import dialect_at
from pincite.models.recording_model import BYTES, Call, DryModel
from pincite.ports import Encoder
from pincite.recipes.base import Recipe
from pincite.search.index.dense import OfVectors
from pincite.search.index.page_pictures import PIXELS, PictureEncoder
from pincite.search.index.shelf import Shelf
from pincite.settings import Settings
from pincite.storage import is_kept
from pincite.storage.ledger import Ledger, Price
from pincite.types import Query, Usage
from pincite.workbench.library import Library

PICTURE_TOKENS = PIXELS // (28 * 28)
"""Tokens of the largest picture of a page, at one for each 28 x 28 pixels."""
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
        tokens = {"input": self.usage.input, "output": self.usage.output}
        return {"calls": self.calls, **tokens, "cost": str(self.cost)}


@dataclass(frozen=True, slots=True)
class Estimate:
    """What `questions` would take: `low` when the first reading of each answers it, `high` when all end in N/A. `assumed` says in
    words what both rest on.
    """

    questions: int
    low: Load
    high: Load
    assumed: tuple[str, ...]


def dry_library(
    folder: Path | str, settings: Settings, recipe: Recipe | None = None, stand_ins: bool = False
) -> tuple[Library, list[Call]]:
    """A library of a recipe whose models are never asked, and the list in which their calls are taken down. Raises ModelMissing
    where no large model is set; with `stand_ins` what takes the place of a missing model calls nothing.
    """
    if not settings.models.large and not stand_ins:
        raise ModelMissing("large")
    calls: list[Call] = []
    dry = dry_models(settings.models, calls) | {"vision": None}
    kit = replace(with_encoder(default_kit(), settings.models, folder), **dry)
    return Library(folder, settings, kit, recipe, stand_ins), calls


def dry_models(models: ModelSettings, calls: list[Call]) -> dict[str, Any]:
    """By role what takes down the calls of the model that is set for it; None where none is."""
    made: dict[str, Any] = dict.fromkeys(ROLES)
    for role, name in models.names.items():
        made[role] = DryModel(name, calls, dialect_at(models.role(role).base_url).described)
    return made


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


@dataclass(frozen=True, slots=True)
class EncodingEstimate:
    """What one encoder would be sent: `texts` and `pictures` without a vector yet, about how many `tokens`, and their `cost`."""

    encoder: str
    texts: int = 0
    pictures: int = 0
    tokens: int = 0
    cost: Decimal = Decimal(0)


def estimate_encoding(folder: Path | str, shelves: Sequence[Shelf]) -> list[EncodingEstimate]:
    """What the next indexing of the documents that the corpus holds would send to each encoder of `shelves`.

    Tokens are counted as each encoder counts them. Raises CorpusError when there is no corpus in `folder`, CorpusBusy while
    another process writes it.
    """
    Corpus(folder).close()
    made = []
    with writing(folder) as writer:
        files = {file.version: file for file in writer.files().values() if file.version}
        for shelf in shelves:
            if isinstance(shelf.index, OfVectors):
                texts: dict[str, None] = {}
                for file in files.values():
                    entries = shelf.entries(stored_document(writer, file))
                    texts |= {entry.text: None for entry in entries if not entry.children}
                made.append(_estimate_index(writer, shelf.index.encoder, list(texts)))
    return made


def _estimate_index(writer: Writer, encoder: Encoder, texts: Sequence[str]) -> EncodingEstimate:
    """What is missing of one index."""
    known = writer.known_vectors([text_hash(text) for text in texts], encoder_name(encoder))
    missing = [text for text in texts if text_hash(text) not in known]
    price: Price = getattr(getattr(encoder, "by", encoder), "price", Price())
    count, pictures = len(missing), 0
    if isinstance(encoder, PictureEncoder):
        count, pictures = 0, sum(drawable(writer.folder, missing))
        tokens = pictures * PICTURE_TOKENS
    else:
        tokens = sum(len(encoder.spans(text)) for text in missing)
    return EncodingEstimate(encoder.name, count, pictures, tokens, price.of(Usage(tokens)))
