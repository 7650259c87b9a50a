"""What becomes of questions when the engine of a model on this machine is killed, again and again, while it replies.

    python benchmarks/faults/engine_kills.py [--kills 100] [--callers 4] [--model qwen2.5-coder-0.5b] [--seed 7]

So many processes of one user ask one engine, question after question. The engine is ended by SIGKILL after random times of up
to `--longest` seconds; whichever process notices starts it again. A question is answered, ends with a message (an error of
Pincite's own), is lost (anything else, or a reply to another question), or hangs (no end within 300 s).
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pincite.models.local.engine import engines_folder
from pincite.models.local.weights import weights_here

HANGS_S = 300.0


def ask_on(caller: int, name: str) -> None:
    """Ask one question after the other until the standard input ends; print what became of each."""
    import select

    from pydantic import BaseModel

    from pincite.errors import PinciteError
    from pincite.loop import wait
    from pincite.models.kit import kit_of
    from pincite.models.model_settings import ModelSettings
    from pincite.ports import Prompt

    class Copied(BaseModel):
        number: int
        words: str

    model = kit_of(ModelSettings(large=f"local:{name}")).model("large")
    at = 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        at += 1
        number = caller * 100_000 + at
        prompt = Prompt(
            "Fill in the form with the number that you are given, and the words 'as given'.",
            f"The number is {number}.",
            max_tokens=60,
        )
        started = time.monotonic()
        try:
            said = wait(model.complete(prompt, Copied)).value
            what = "answered" if said.number == number else f"lost: {said.number} for {number}"
        except PinciteError as error:
            what = f"message: {error}"
        except BaseException as error:
            what = f"lost: {error!r}"
        print(json.dumps([what, time.monotonic() - started]), flush=True)


def kill_on(kills: int, longest: float, chance: random.Random) -> int:
    """Kill the running engine so many times; how many there were."""
    killed, end = 0, time.monotonic() + kills * (longest + 10)
    while killed < kills and time.monotonic() < end:
        time.sleep(chance.uniform(0.05, longest))
        for note in engines_folder().glob("*.json"):
            try:
                os.kill(json.loads(note.read_text())["pid"], signal.SIGKILL)
            except (OSError, ValueError, KeyError):
                continue
            note.unlink(missing_ok=True)
            killed += 1
    return killed


def main() -> None:
    """Run the callers and kill their engine."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--callers", type=int, default=4)
    parser.add_argument("--longest", type=float, default=6.0)
    parser.add_argument("--model", default="qwen2.5-coder-0.5b")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--ask", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ask is not None:
        ask_on(given.ask, given.model)
        return
    weights_here(given.model)
    folder = Path(tempfile.mkdtemp())
    os.environ["PINCITE_MODELS"] = str(weights_here(given.model).path.parent)
    os.environ["XDG_CACHE_HOME"] = str(folder)
    words = [sys.executable, __file__, "--model", given.model, "--ask"]
    files = [folder / f"{caller}.jsonl" for caller in range(given.callers)]
    callers = [
        subprocess.Popen([*words, str(at + 1)], stdin=subprocess.PIPE, stdout=file.open("w"))
        for at, file in enumerate(files)
    ]
    time.sleep(5)
    killed = kill_on(given.kills, given.longest, random.Random(given.seed))
    hung = 0
    for caller in callers:
        assert caller.stdin
        caller.stdin.close()
    for caller in callers:
        try:
            caller.wait(HANGS_S)
        except subprocess.TimeoutExpired:
            hung += 1
            caller.kill()
    told = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    counts = collections.Counter(what.partition(":")[0] for what, _ in told)
    print(f"{killed} kills under {given.callers} callers, {len(told)} questions: {dict(counts)}")
    hung += sum(seconds > HANGS_S for _, seconds in told)
    longest = max((seconds for _, seconds in told), default=0)
    print(
        f"lost without a message: {counts['lost']}; hung: {hung}; the longest took {longest:.1f} s"
    )
    for what in sorted({what for what, _ in told if not what.startswith("answered")})[:10]:
        print(f"  {what}")


if __name__ == "__main__":
    main()
