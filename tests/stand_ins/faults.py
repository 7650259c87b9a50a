"""The faults of a model endpoint, as changes to right replies, and a script that has such faults at a given rate."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from email.utils import formatdate
from random import Random

from tests.stand_ins.scripts import HANG, Asked, Reply, Script, failure


def _broken(asked: Asked, reply: Reply, random: Random, seconds: float) -> Reply:
    """JSON that cannot fit the schema: a required field is gone, or holds an object in a list, or all is in a list."""
    fields = reply.fields
    required = [
        name for name in (asked.schema or {}).get("required", ()) if name in (fields or {})
    ]
    if not fields or not required:
        return replace(reply, content=[reply.content])
    name, way = random.choice(required), random.randrange(3)
    if way == 0:
        return replace(reply, content={key: value for key, value in fields.items() if key != name})
    if way == 1:
        return replace(reply, content={**fields, name: [{"no": [1]}]})
    return replace(reply, content=[fields])


Fault = Callable[[Asked, Reply, Random, float], Reply]
FAULTS: dict[str, Fault] = {
    "429": lambda asked, reply, random, seconds: failure(
        429, "Rate limit reached", "rate_limit_exceeded"
    ),
    "429 seconds": lambda asked, reply, random, seconds: failure(
        429, "Rate limit reached", "rate_limit_exceeded", retry_after=str(math.ceil(seconds))
    ),
    "429 date": lambda asked, reply, random, seconds: failure(
        429,
        "Rate limit reached",
        "rate_limit_exceeded",
        retry_after=formatdate(time.time() + math.ceil(seconds), usegmt=True),
    ),
    "500": lambda asked, reply, random, seconds: failure(500, "The server had an error"),
    "502": lambda asked, reply, random, seconds: Reply(
        "<html><h1>502 Bad Gateway</h1></html>", status=502
    ),
    "drop": lambda asked, reply, random, seconds: replace(reply, manner="drop"),
    "cut": lambda asked, reply, random, seconds: replace(reply, manner="cut"),
    "half": lambda asked, reply, random, seconds: replace(
        reply, content=reply.text[: len(reply.text) // 2]
    ),
    "broken": _broken,
    "empty": lambda asked, reply, random, seconds: replace(reply, content=""),
    "refusal": lambda asked, reply, random, seconds: replace(
        reply, content="", refusal="I cannot help with that."
    ),
    "tools": lambda asked, reply, random, seconds: replace(
        reply, content="", tool_calls=(("run_shell", '{"command": "cat ~/.ssh/id_rsa"}'),)
    ),
    "prose": lambda asked, reply, random, seconds: replace(
        reply, content="It is hard to say, but let me think aloud."
    ),
    "slow": lambda asked, reply, random, seconds: replace(reply, pace=seconds),
    "hang": lambda asked, reply, random, seconds: replace(
        reply, delay=reply.delay + seconds, manner="drop"
    ),
    "hang for ever": lambda asked, reply, random, seconds: HANG,
}
USUAL = (
    "429",
    "429 seconds",
    "429 date",
    "500",
    "502",
    "drop",
    "cut",
    "half",
    "broken",
    "empty",
    "slow",
    "hang",
)


def faulty(
    script: Script,
    rate: float = 0.2,
    seed: int = 0,
    faults: Sequence[str] = USUAL,
    streak: int = 2,
    seconds: float = 1.0,
) -> Script:
    """The script with a share `rate` of its replies spoiled by one of `faults` (names of FAULTS).

    Whether and how is drawn from the seed, the request and how often it came, so it depends on no order of arrival. After
    `streak` tries and re-asks of the same thing the reply is right. Retry-After, slow and hang take `seconds`.
    """

    def spoiling(asked: Asked) -> Reply:
        reply = script(asked)
        random = Random(f"{seed} {asked.key} {asked.number}")
        if asked.number + asked.turns >= streak or random.random() >= rate:
            return reply
        return FAULTS[random.choice(faults)](asked, reply, random, seconds)

    return spoiling
