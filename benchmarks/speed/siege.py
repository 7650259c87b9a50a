"""A server under attack: what it still does while connections hang, its processes are killed, and one question never ends.

python benchmarks/speed/siege.py CORPUS [--seconds 120] [--hanging 1000] [--users 5] [--kills 1.0]

Starts a server over a corpus on a free port of this machine. For the given number of seconds:

- `--hanging` connections hang: half of them with half a request, half with a head that arrives one byte a second; when the
  server closes one, it is opened again;
- every `--kills` seconds one of the answering processes is killed (SIGKILL), every twentieth time the process that forks them;
- one question never ends: a pattern, put only into this server's processes, that never yields to another thread;
  each time it is given up it is asked again;
- `--users` users ask without a pause, with a new connection for every tenth question.

At the same time `/health` is asked ten times a second, each time over a new connection. Reported are its times, those of the
questions, how each of these ended, and the server's memory and descriptors. A user who is told to come back (503 with a
message) asks again, and is timed until the answer; a question is lost if its connection ends or hears nothing for 150 s.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import httpx
from serve import questions

ENDLESS = "Is this for ever?"
HOOK = f"""
import re
from pincite.library import Library
query = Library.query
def held(self, text, *more, **named):
    if {ENDLESS!r} in text:
        re.match("(a+)+b", "a" * 64)
    return query(self, text, *more, **named)
Library.query = held
"""
SERVE = f"""
import sys
from pincite.serve.processes import worker_pool as workers
workers.MAIN = {HOOK!r} + workers.MAIN
sys.argv = ["pincite", "serve", "-c", sys.argv[1], "--port", "0", "--no-model", "--json"]
from pincite.cli.main import main
main()
"""
LOST_S = 150.0


class Siege:
    """The attack on a server, and what the server does."""

    def __init__(self, server: int, address: str, corpus: str) -> None:
        self.server, self.address, self.corpus = server, httpx.URL(address), corpus
        self.health: list[float] = []
        self.asked: list[float] = []
        self.ends: Counter[str] = Counter()
        self.closed = self.killed = self.memory = self.files = 0

    async def hangs(self, slowly: bool) -> None:
        """One connection that never says what it wants."""
        await asyncio.sleep(random.random())
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(
                    self.address.host, self.address.port
                )
                writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
                while not reader.at_eof():
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(1.0):
                            await reader.read(1024)
                            continue
                    if slowly:
                        writer.write(b"x")
                writer.close()
            self.closed += 1

    async def kills(self, every: float) -> None:
        """A process of the server after another is killed."""
        while True:
            await asyncio.sleep(every)
            nest = self.killed % 20 == 19
            if found := [
                one
                for one, parent in processes(self.server).items()
                if (parent == self.server) is nest
            ]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(random.choice(found), signal.SIGKILL)
                    self.killed += 1

    async def asks_for_ever(self) -> None:
        """The question that never ends."""
        async with httpx.AsyncClient(base_url=self.address, timeout=LOST_S) as client:
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    reply = await client.post(
                        f"/api/v1/corpora/{self.corpus}/ask", json={"question": ENDLESS}
                    )
                    self.ends[f"never ends: {reply.status_code}"] += 1

    async def looks(self) -> None:
        """Whether the server lives."""
        while True:
            started = time.perf_counter()
            try:
                async with httpx.AsyncClient(
                    base_url=self.address, timeout=30, verify=False
                ) as client:
                    reply = await client.get("/health")
                self.ends[f"health: {reply.status_code}"] += 1
            except httpx.HTTPError as error:
                self.ends[f"health: {type(error).__name__}"] += 1
            self.health.append(time.perf_counter() - started)
            self.memory = max(self.memory, memory(self.server))
            with contextlib.suppress(OSError):
                self.files = max(self.files, len(os.listdir(f"/proc/{self.server}/fd")))
            await asyncio.sleep(max(0.0, 0.1 - (time.perf_counter() - started)))

    async def user(self, wanted: Sequence[str], until: float) -> None:
        """One who asks all the time."""
        client = httpx.AsyncClient(base_url=self.address, timeout=LOST_S)
        for number, question in enumerate(wanted):
            if time.perf_counter() > until:
                break
            if number % 10 == 9:
                await client.aclose()
                client = httpx.AsyncClient(base_url=self.address, timeout=LOST_S)
            await self.ask(client, question)
        await client.aclose()

    async def ask(self, client: httpx.AsyncClient, question: str) -> None:
        started = time.perf_counter()
        while True:
            try:
                reply = await client.post(
                    f"/api/v1/corpora/{self.corpus}/ask", json={"question": question}
                )
            except httpx.HTTPError as error:
                self.ends[f"lost: {type(error).__name__}"] += 1
                break
            if reply.status_code == 503 and reply.json()["detail"]:
                self.ends["told to ask again"] += 1
                continue
            self.ends[f"asked: {reply.status_code}"] += 1
            break
        self.asked.append(time.perf_counter() - started)


def processes(server: int) -> dict[int, int]:
    """The processes of a server (the leader of its session) other than itself, each with its parent."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            _, parent, _, session = path.read_text().rsplit(")", 1)[1].split()[:4]
            if int(session) == server != int(path.parent.name):
                found[int(path.parent.name)] = int(parent)
    return found


def memory(server: int) -> int:
    """Bytes that a server and its processes use; shared memory is counted for each."""
    whole = 0
    for one in (server, *processes(server)):
        with contextlib.suppress(OSError, IndexError):
            whole += (
                int(Path(f"/proc/{one}/statm").read_text().split()[1]) * resource.getpagesize()
            )
    return whole


def told(times: Sequence[float], *shares: float) -> str:
    ordered = sorted(times) or [0.0]
    parts = (
        f"p{100 * share:g} {1000 * ordered[int(share * (len(ordered) - 1))]:.0f} ms"
        for share in shares
    )
    return f"n={len(times)}, {', '.join(parts)}, longest {1000 * ordered[-1]:.0f} ms"


async def besieged(siege: Siege, corpus: Path, options: argparse.Namespace) -> None:
    asked = questions(corpus)
    mine = [[next(asked) for _ in range(4000)] for _ in range(options.users)]
    await asyncio.sleep(8)  # indexes are opened meanwhile
    harm = [
        asyncio.create_task(siege.hangs(bool(number % 2))) for number in range(options.hanging)
    ]
    harm += [
        asyncio.create_task(siege.kills(options.kills)),
        asyncio.create_task(siege.asks_for_ever()),
    ]
    await asyncio.sleep(3)
    looks = asyncio.create_task(siege.looks())
    until = time.perf_counter() + options.seconds
    await asyncio.gather(*(siege.user(one, until) for one in mine))
    for task in (looks, *harm):
        task.cancel()
    await asyncio.gather(looks, *harm, return_exceptions=True)
    print(f"/health: {told(siege.health, 0.5, 0.99)}")
    print(f"asks of {options.users} users: {told(siege.asked, 0.5, 0.95)}")
    print(
        f"lost without a message: {sum(many for end, many in siege.ends.items() if end.startswith('lost'))}"
    )
    print(f"killed {siege.killed} processes; hanging connections ended {siege.closed} times")
    print(
        f"memory at most {siege.memory / 2**20:.0f} MB with all processes, descriptors at most {siege.files}"
    )
    for end, many in sorted(siege.ends.items()):
        print(f"  {end}: {many}")


def main() -> None:
    given = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    given.add_argument("corpus", type=Path)
    given.add_argument("--seconds", type=float, default=120)
    given.add_argument("--hanging", type=int, default=1000)
    given.add_argument("--users", type=int, default=5)
    given.add_argument("--kills", type=float, default=1.0)
    options = given.parse_args()
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2
    )
    command = [sys.executable, "-c", SERVE, str(options.corpus)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # which ends the server, too
    assert server.stdout is not None
    line = ""
    while not line.rstrip().endswith("}"):
        line += server.stdout.readline()
    about = json.loads(line)
    try:
        asyncio.run(
            besieged(
                Siege(server.pid, about["address"], about["corpora"][0]), options.corpus, options
            )
        )
    finally:
        server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(30)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
