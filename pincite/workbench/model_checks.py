"""What `pincite doctor` and the settings page say of models: which answers, how fast one of this machine is; and, asked each:
does it answer in prose, in a form, and about a picture?

Keys are read by the client alone and never shown.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import Any

from pincite.errors import ModelMissing, PinciteError
from pincite.models.endpoints.chat import ChatModel
from pincite.models.extras import require_client, require_engine
from pincite.models.kit import kit_of
from pincite.models.local.choice import context_of, how_to_get_one
from pincite.models.local.engine import engine_of
from pincite.models.local.gguf import read_header
from pincite.models.local.weights import LOCAL, weights_here
from pincite.models.loop import wait
from pincite.models.model_settings import ModelSettings
from pincite.ports import Prompt
from pincite.storage.ledger import metered
from pincite.text.wording import counted

_STRUCTURES = {
    "native": "with its schema at the endpoint",
    "tool": "as a tool call (the endpoint takes no schema elsewhere)",
    "object": "in JSON mode with its schema in the prompt (the endpoint enforces none)",
    "prompt": "with its schema only in the prompt (the endpoint has no structured output)",
}

_SAMPLE = {
    "messages": [{"role": "user", "content": "Count, in words, from one to thirty. " * 16}],
    "max_tokens": 24,
    "cache_prompt": False,
}
"""What the speed of a model is measured with."""
_SAMPLE_S = 120.0


def checks_of(models: ModelSettings) -> Mapping[str, Callable[[], str]]:
    """A check of the endpoint's key and of each model that is set, each once, by name."""
    made: dict[str, Callable[[], str]] = {"models": partial(_describe_models, models)}
    if not models.names:
        return made
    require_client()
    kit = kit_of(replace(models, budget=None))
    roles: dict[str, list[str]] = {}
    for role, name in models.names.items():
        roles.setdefault(name, []).append(role)
    for name, of in roles.items():
        model: Any = getattr(kit, of[0])
        if not model:
            continue  # it sees no pictures
        what = f"{', '.join(of)}: {name}"
        made[f"{what}, in words"] = partial(_timed, model, _in_words)
        made[f"{what}, in a form"] = partial(_timed, model, _in_a_form)
        if models.vision == name:
            made[f"{what}, with a picture"] = partial(_timed, model, _with_a_picture)
    return made


def answering(models: ModelSettings) -> str:
    """Which model answers; of one that runs here, that its file is whole as far as its size and header tell, and how fast it
    reads and writes. Raises PinciteError where it cannot.
    """
    name = models.names.get("large", "")
    if not name:
        return f"no language model: questions are answered without one. To have one here: {how_to_get_one()}"
    if not name.startswith(LOCAL):
        return f"{name} at {models.role('large').base_url}; `pincite doctor --models` asks it"
    require_engine()
    found = weights_here(name)
    header = read_header(found.path)
    engine = engine_of(found, context_of(found, models))
    told: Any = engine.call("/v1/chat/completions", _SAMPLE, timeout=_SAMPLE_S)
    took = told["timings"]
    return (
        f"{found.name} ({header.architecture}, {found.size / 1e6:,.0f} MB, {found.licence or 'no licence said'}) runs here: it "
        f"reads {took['prompt_per_second']:.0f} and writes {took['predicted_per_second']:.0f} tokens a second; its file has the "
        "right size (`pincite models check` reads all of it)"
    )


def _describe_models(models: ModelSettings) -> str:
    names = list(dict.fromkeys(models.names.values()))
    if not names:
        raise ModelMissing("large")
    away = [name for name in names if not name.startswith(LOCAL)]
    if not away:
        return f"{', '.join(names)}, on this machine"
    key = f"without a key ({models.key} is not set)"
    if os.environ.get(models.key):
        key = f"with the key in {models.key}"
    unpriced = [name for name in away if name not in models.prices]
    price = f"; no price is set for {', '.join(unpriced)}, which count as free" if unpriced else ""
    return f"{models.base_url}, {key}, {models.concurrency} requests at once{price}"


def _timed(model: ChatModel, ask: Callable[[ChatModel], Awaitable[str]]) -> str:
    """What a model said to one call, and what that cost."""

    async def asked() -> str:
        return await ask(model)

    with metered() as meter:
        said = wait(asked())
    took, usage = meter.total, meter.total.usage
    spent = f"{usage.input} + {usage.output} tokens" if usage.input else "tokens not reported"
    requests, seconds = counted(took.requests, "request"), f"{took.seconds:.1f} s"
    return "; ".join((said, f"{spent}, {requests}, {seconds}", *meter.notes))


async def _in_words(model: ChatModel) -> str:
    prompt = Prompt("You are being tested.", "Reply with the one word: ready", max_tokens=200)
    said = " ".join([piece async for piece in model.stream(prompt)])
    return f"it says {' '.join(said.split())[:40]!r}"


async def _in_a_form(model: ChatModel) -> str:
    from pydantic import BaseModel

    class Sum(BaseModel):
        result: int

    prompt = Prompt("Fill in the form.", "What is 17 + 25?", max_tokens=500)
    result = (await model.complete(prompt, Sum)).value.result
    if result != 42:
        raise PinciteError(f"it says that 17 + 25 is {result}: its forms cannot be relied on")
    dialect = model.known_dialect
    learnt = (
        _STRUCTURES[dialect.structure],
        "max_completion_tokens instead of max_tokens" if dialect.completion_cap else "",
        "" if dialect.temperature else "no temperature",
        f"replies of at most {dialect.most_tokens} tokens" if dialect.most_tokens else "",
        "room for thoughts" if dialect.thinks else "",
    )
    return f"right, {', '.join(filter(None, learnt))}"


async def _with_a_picture(model: ChatModel) -> str:
    from PIL import Image
    from pydantic import BaseModel

    class Colour(BaseModel):
        colour: str

    file = BytesIO()
    Image.new("RGB", (64, 64), (255, 0, 0)).save(file, "PNG")
    asked = "Which colour has this picture, in one English word?"
    prompt = Prompt("Fill in the form.", asked, max_tokens=500, images=(file.getvalue(),))
    said = (await model.complete(prompt, Colour)).value.colour
    if "red" not in said.lower():
        raise PinciteError(f"it says that a red picture is {said[:40]!r}: it cannot see pictures")
    return "it sees that a red picture is red"
