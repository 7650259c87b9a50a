"""The models that this machine has: by default only the built-in encoder, which needs no network."""

from __future__ import annotations

import os
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import NetworkForbidden
from pincite.models.encoder import MiniLM
from pincite.models.extras import require_engine
from pincite.models.local.weights import LOCAL
from pincite.models.model_settings import ROLES, ModelSettings, refuse_unpriced
from pincite.ports import Kit, Model
from pincite.processes import offline

if TYPE_CHECKING:
    from pincite.storage.ledger import Ledger

LEDGER = "ledger.sqlite"
REPLIES = "replies.sqlite"


@cache
def default_kit() -> Kit:
    """The kit of the default recipe; its encoder is loaded by the first text that it encodes."""
    return Kit(encoder=MiniLM())


def kit_of(models: ModelSettings, folder: Path | str | None = None) -> Kit:
    """The built-in encoder, or the one that is set, with the models that are set; they keep their ledger and replies in `folder`.

    Without a folder, or in one that cannot be written, these last as long as the process. Nothing is asked here. Raises
    UsageError for a budget over models without a price, NetworkForbidden when no socket may be opened.
    """
    own = with_encoder(default_kit(), models, folder)
    if not models.names:
        return own
    away = [name for name in dict.fromkeys(models.names.values()) if not name.startswith(LOCAL)]
    if away and offline.forbidden():
        raise NetworkForbidden(
            f"--offline is set, so {', '.join(away)} cannot be asked: leave out --offline, or "
            "add --no-model to answer without a model"
        )
    refuse_unpriced(models, away)
    # only who asks a model pays for importing its client
    from pincite.models.endpoints.chat import ChatModel
    from pincite.models.endpoints.endpoint_limits import Limits, Patience
    from pincite.models.endpoints.exchange import ReplySettings
    from pincite.models.endpoints.replies import Replies
    from pincite.models.local.choice import LocalPlace, context_of
    from pincite.models.local.weights import weights_here
    from pincite.models.providers import dialect_at
    from pincite.storage.ledger import Price

    place = _writable(folder)
    ledger = ledger_of(models, folder)
    replies = Replies(place and place / REPLIES)
    limits = Limits(models.concurrency, models.requests_per_minute, models.tokens_per_minute)

    def model(role: str) -> Model | None:
        if role not in models.names:
            return None
        name, own = models.names[role], models.role(role)
        names = [each.name for each in fields(ReplySettings)]
        settings = ReplySettings(**{each: getattr(own, each) for each in names})
        shared: dict[str, Any] = {
            "patience": Patience(timeout=models.timeout),
            "ledger": ledger,
            "replies": replies,
            "telemetry": models.telemetry,
            "settings": settings,
        }
        if name.startswith(LOCAL):
            if role == "vision":
                return None  # the files that run here read no pictures
            require_engine()
            found = weights_here(name)
            place = LocalPlace(found.name, context_of(found, models))
            # the engine answers one after the other
            return ChatModel(found.name, str(place), "", limits=Limits(1), **shared)
        return ChatModel(
            name,
            own.base_url,
            own.key,
            models.prices.get(name, Price()),
            limits,
            headers=own.headers,
            query=own.query,
            dialect=dialect_at(own.base_url),
            **shared,
        )

    made: dict[str, Any] = {role: model(role) for role in ROLES}
    return replace(own, **made)


def with_encoder(kit: Kit, models: ModelSettings, folder: Path | str | None = None) -> Kit:
    """The kit with the encoder of the settings in the place of its own, where one is set; nothing is loaded yet.

    What it asks of an endpoint is booked in the ledger of `folder`.
    """
    if not models.encoder:
        return kit
    from pincite.models.model_names import named_encoder

    return replace(kit, encoder=named_encoder(models.encoder, models, ledger_of(models, folder)))


def ledger_of(models: ModelSettings, folder: Path | str | None = None) -> Ledger:
    """The ledger that is kept in `folder`; without one, or where it cannot be written, one that lasts as long as the process."""
    from pincite.storage.ledger import Ledger

    place = _writable(folder)
    return Ledger(place and place / LEDGER, models.budget)


def _writable(folder: Path | str | None) -> Path | None:
    return Path(folder) if folder is not None and os.access(folder, os.W_OK) else None
