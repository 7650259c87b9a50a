"""The request format that a model at an endpoint needs, as far as known, and what each refusal shows about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

from pincite.text.lexicon import pattern

Structure = Literal["native", "tool", "object", "prompt"]
STRUCTURES: tuple[Structure, ...] = get_args(Structure)
"""The ways to ask for a form, strictest first: its schema in `response_format`, a tool that must be called, JSON mode, words."""

LEAST_CAP = 64
"""A reply of fewer tokens fills in no form: an endpoint that allows no more is not asked again."""
_NUMBER = re.compile(r"\d[\d,]*")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one model at one endpoint is spoken to; the default is what OpenAI documents.

    `structure` says how a form is asked for. With `described` its schema stands in the prompt as well, for an endpoint that
    may ignore it elsewhere. `completion_cap` sends `max_completion_tokens` in the place of `max_tokens`, `temperature` says
    whether one is sent, and `most_tokens` is the longest reply that the endpoint allows. `thinks` is set once a reply
    ended at its cap and came out whole with a higher one. `room` is the longest reply that fits beside the prompt that is
    being asked, where the endpoint said so; it says nothing of other prompts. `logprobs` says whether log-probabilities may
    be asked for, and `streams` whether a reply may be asked for piece by piece.
    `window` is how many tokens prompt and reply may have together, as far as the endpoint said so. `llama_cpp` is set once a
    reply had the timings of llama.cpp's server, which counts tokens for others and says how far it is with a prompt.
    """

    structure: Structure = "native"
    described: bool = True
    completion_cap: bool = False
    temperature: bool = True
    most_tokens: int | None = None
    thinks: bool = False
    room: int | None = None
    logprobs: bool = True
    streams: bool = True
    window: int | None = None
    llama_cpp: bool = False

    @property
    def longest(self) -> int | None:
        """The longest reply that may be asked for now; None where nothing bounds it."""
        bounds = [bound for bound in (self.most_tokens, self.room) if bound is not None]
        return min(bounds, default=None)

    @property
    def lower(self) -> Dialect | None:
        """The dialect that asks for forms in the next looser way; None after the last."""
        looser = STRUCTURES[STRUCTURES.index(self.structure) + 1 :]
        return replace(self, structure=looser[0], described=True) if looser else None

    def after(self, feature: str, why: str, asked: int) -> Dialect | None:
        """The dialect to try after `feature` was turned down with the words `why`; None when nothing is left to try.

        Features are "structure", "completion_cap", "temperature", "logprobs", "streams", "cap": a reply of `asked` tokens is
        too long, and "room": it is beside this prompt.
        """
        match feature:
            case "structure":
                return self.lower
            case "completion_cap" if not self.completion_cap:
                return replace(self, completion_cap=True)
            case "temperature" if self.temperature:
                return replace(self, temperature=False)
            case "logprobs" if self.logprobs:
                return replace(self, logprobs=False)
            case "streams" if self.streams:
                return replace(self, streams=False)
            case "cap":
                numbers = (int(number.replace(",", "")) for number in _NUMBER.findall(why))
                fit = [number for number in numbers if LEAST_CAP <= number < asked]
                allowed = max(fit, default=asked // 2)
                return replace(self, most_tokens=allowed) if allowed >= LEAST_CAP else None
            case "room":  # what the context has left beside the prompt
                said = pattern("models", "no room").search(why)
                room = int(said["context"]) - int(said["input"]) if said else 0
                left = min(room, asked - 1)
                return replace(self, room=left) if left >= LEAST_CAP else None
        return None
