"""The program of an engine: loads one GGUF file with llama.cpp and serves it on a loopback port until its standard input ends.

The first line of the standard input is what to load, as JSON (`Order`); the one line that is printed says where it serves, or
why it does not. The engine ends by itself when nobody asks it for `idle_s` seconds, and can open no socket from Python: the
server below listens and connects nowhere.
"""

from __future__ import annotations

import json
import os
import select
import sys
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

BATCH = 128
"""Tokens that are read at once: between two batches a cancelled request is noticed."""
PING_S = 5
"""Seconds after which one who waits for the engine hears that it is there."""
_BUSY = 0.02
"""Share of a core above which the engine is at work."""


@dataclass(frozen=True, slots=True)
class Order:
    """What an engine is started with: the file, the context in tokens, the threads, the key that requests must have, the folder
    of saved slots, and after how many idle seconds it ends.
    """

    path: str
    context: int
    threads: int
    key: str
    slots: str
    idle_s: float


def serve(order: Order) -> Any:
    """Load the file and serve it; the server lives as long as what is returned."""
    import xllamacpp

    given = xllamacpp.CommonParams()
    given.model.path = order.path
    given.hostnames, given.port, given.api_keys = ["127.0.0.1"], 0, [order.key]
    given.n_ctx, given.n_parallel = order.context, 1
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = order.threads
    given.n_batch = given.n_ubatch = BATCH
    given.slot_save_path = os.path.join(order.slots, "")
    given.sse_ping_interval = PING_S
    given.cache_prompt, given.cache_ram_mib, given.n_ctx_checkpoints = True, 0, 0
    given.endpoint_slots, given.offline = True, True
    given.no_extra_bufts = True  # a second copy of the weights, 0.6 GB of 1.5 billion parameters, saves no time in all
    given.ui = given.fit_params = given.warmup = False
    return xllamacpp.Server(given)


def wait_for_end(idle_s: float) -> None:
    """Wait until the standard input ends, or the process has not worked for `idle_s` seconds."""
    step = max(idle_s / 10, 0.1)
    idle, before = 0.0, _processor_s()
    while idle < idle_s:
        if select.select([sys.stdin], [], [], step)[0] and not os.read(0, 4096):
            return
        now = _processor_s()
        idle = 0.0 if now - before > _BUSY * step else idle + step
        before = now


def _processor_s() -> float:
    took = os.times()
    return took.user + took.system


def main() -> None:
    """Carry out the order on the standard input."""
    from pincite.processes.offline import forbid

    forbid()
    # unbuffered: what follows the line is waited for below
    with os.fdopen(os.dup(0), "rb", buffering=0) as given:
        order = Order(**json.loads(given.readline()))
    said = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what llama.cpp prints is no reply
    try:
        server = serve(order)
        told = {"address": server.listening_address, "version": version("xllamacpp")}
    except Exception as error:
        told = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(told), file=said, flush=True)
    if "error" not in told:
        wait_for_end(order.idle_s)
    os._exit(0)  # at once: a request that is being answered is nobody's any more


if __name__ == "__main__":
    main()
