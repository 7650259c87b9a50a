"""A served corpus under load: first page after start, ask page with answer and framed page, many users at once.

python benchmarks/speed/serve.py CORPUS [--users 20] [--seconds 120] [--single 30]

Starts `pincite serve --no-model` on a free port of this machine and asks it over HTTP. No question is asked twice: each is
about one metric, document and year, in an order fixed by a seed. An ask page is timed from the request to the last byte of its
framed picture, one page after the other on a warm server. Users ask without a pause, each as soon as their previous page
has arrived; they run in this process and take their share of the cores. Beside the times it prints the processor time that the
server's processes took for a page (Linux), which depends less on other work on the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil

METRICS = (
    "net revenue", "operating income", "net income", "total assets", "total liabilities", "income tax expense",
    "cash and cash equivalents", "capital expenditure", "research and development expense", "interest expense",
    "depreciation and amortization", "goodwill", "inventories", "accounts receivable", "long-term debt", "gross profit",
    "dividends paid", "share repurchases", "number of employees", "earnings per share",
)  # fmt: skip
YEARS = range(2014, 2024)
PICTURE = re.compile(r'<image href="([^"]+)"')


def worked(root: int) -> float:
    """Seconds of processors of a process and of those that it has started, ended ones among them."""
    process = psutil.Process(root)
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return sum(t.user + t.system + t.children_user + t.children_system for t in times)


def questions(corpus: Path) -> Iterator[str]:
    """An endless series of questions in a fixed order; none comes twice before all were asked."""
    from pincite.corpus import Corpus

    names = [re.sub(r"[\W_]+", " ", Path(one.id).stem) for one in Corpus(corpus).documents]
    every = list(itertools.product(METRICS, names, YEARS))
    random.Random(7).shuffle(every)
    return itertools.cycle(
        f"What was the {metric} of {name} in {year}?" for metric, name, year in every
    )


async def ask(client: httpx.AsyncClient, base: str, question: str) -> tuple[float, bool]:
    """Ask for a page and the picture in it: seconds, and whether it had one."""
    started = time.perf_counter()
    page = await client.get(base, params={"q": question}, headers={"Accept": "text/html"})
    page.raise_for_status()
    found = PICTURE.search(page.text)
    if found:
        picture = await client.get(found[1])
        picture.raise_for_status()
    return time.perf_counter() - started, bool(found)


async def measured(
    server: int,
    address: str,
    name: str,
    asked: Iterator[str],
    users: int,
    seconds: float,
    single: int,
) -> None:
    base = f"/c/{name}/"
    limits = httpx.Limits(max_connections=2 * users + 10)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
        started = time.perf_counter()
        (await client.get(base)).raise_for_status()
        print(f"first page after start: {1000 * (time.perf_counter() - started):.0f} ms")
        await asyncio.sleep(8)  # indexes are opened meanwhile
        for _ in range(5):
            await ask(client, base, next(asked))
        times, framed, spent = [], 0, worked(server)
        for _ in range(single):
            took, has = await ask(client, base, next(asked))
            times.append(took)
            framed += has
        print(
            f"ask page with picture, warm, n={single} ({framed} with one): "
            f"median {1000 * statistics.median(times):.0f} ms, "
            f"p95 {1000 * sorted(times)[int(0.95 * len(times))]:.0f} ms, "
            f"{1000 * (worked(server) - spent) / single:.0f} ms of processor"
        )
        times.clear()
        errors: list[str] = []
        spent = worked(server)
        until = time.perf_counter() + seconds

        async def user() -> None:
            while time.perf_counter() < until:
                try:
                    times.append((await ask(client, base, next(asked)))[0])
                except httpx.HTTPError as error:
                    errors.append(repr(error))

        await asyncio.gather(*(user() for _ in range(users)))
        times.sort()
        print(
            f"{users} users for {seconds:.0f} s: {len(times)} pages, {len(errors)} errors; {len(times) / seconds:.1f} pages/s, "
            f"median {statistics.median(times):.2f} s, p95 {times[int(0.95 * len(times))]:.2f} s"
        )
        print(
            f"the server computed {1000 * (worked(server) - spent) / max(len(times), 1):.0f} ms for a page"
        )
        for error in errors[:3]:
            print(error)


def main() -> None:
    given = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    given.add_argument("corpus", type=Path)
    given.add_argument("--users", type=int, default=20)
    given.add_argument("--seconds", type=float, default=120)
    given.add_argument("--single", type=int, default=30)
    options = given.parse_args()
    command = [
        sys.executable,
        "-m",
        "pincite.cli.main",
        "serve",
        "-c",
        str(options.corpus),
        "--port",
        "0",
        "--no-model",
        "--json",
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    told = ""
    while not told.rstrip().endswith("}"):
        told += server.stdout.readline()
    about = json.loads(told)
    try:
        asked = questions(options.corpus)
        asyncio.run(
            measured(
                server.pid,
                about["address"],
                about["corpora"][0],
                asked,
                options.users,
                options.seconds,
                options.single,
            )
        )
    finally:
        server.terminate()
        server.wait(30)


if __name__ == "__main__":
    main()
