"""Hostile statements against the guard of each database, and those that it accepts against the databases themselves.

    python benchmarks/faults/fuzz_statements.py [--count 100000] [--seed 1] [--run 3000]

Counts statements that are neither accepted nor refused (crashes), those that take over 10 s, and the peak of memory. Of the
accepted statements, `--run` for each database are run unchanged and without further protection, next to a table that no
statement may read and functions that none may call: the value there must never come back. Exits 1 when anything failed.
"""

from __future__ import annotations

import argparse
import resource
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.fuzz.statements import CANARY, FUNCTIONS, TABLES, check_statement, statement

SLOW_S = 10.0
RUN_S = 0.2
MEMORY_MB = 1536
Run = Callable[[str], list[Any]]


@contextmanager
def sqlite() -> Iterator[Run]:
    """SQLite in memory, with nothing that hides a table."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)

        def run(text: str) -> list[Any]:
            end = time.monotonic() + RUN_S
            connection.set_progress_handler(lambda: time.monotonic() > end, 1000)
            return connection.execute(text, {"name": "x"}).fetchmany(1000)

        yield run


@contextmanager
def duckdb() -> Iterator[Run]:
    """DuckDB in memory, with its macros renamed."""
    import duckdb

    with duckdb.connect(
        config={"enable_external_access": "false", "memory_limit": "512MB", "threads": 1}
    ) as connection:
        for made in (*TABLES.split(";"), "CREATE MACRO peek(x) AS (SELECT max(word) FROM secret)"):
            connection.execute(made)

        def run(text: str) -> list[Any]:
            timer = Timer(RUN_S, connection.interrupt)
            timer.start()
            try:
                return connection.execute(text.replace(":name", "'x'")).fetchmany(1000)
            finally:
                timer.cancel()

        yield run


@contextmanager
def postgresql() -> Iterator[Run]:
    """PostgreSQL as a role that may read all tables and call all functions, with the path that statements are run with."""
    import psycopg

    from tests.postgres import Server

    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder))
        try:
            with psycopg.connect(
                server.create(f"{TABLES};{FUNCTIONS}"), autocommit=True
            ) as connection:
                connection.execute(f"SET statement_timeout = {int(RUN_S * 1000)}")
                connection.execute("SET search_path = pg_catalog")
                connection.read_only = True

                def run(text: str) -> list[Any]:
                    return connection.execute(text.replace(":name", "'x'").encode()).fetchmany(
                        1000
                    )

                yield run
        finally:
            server.stop()


ENGINES = {"sqlite": sqlite, "duckdb": duckdb, "postgresql": postgresql}


def fuzz(dialect: str, options: argparse.Namespace) -> int:
    """Fuzz one database; how many statements failed, and one line that says so."""
    outcomes: Counter[str] = Counter()
    ran: Counter[str] = Counter()
    slowest, began = 0.0, time.monotonic()
    with ENGINES[dialect]() as run:
        for at in range(options.count):
            text = statement(Random(f"{dialect} {options.seed} {at}"))
            started = time.process_time()
            try:
                through = check_statement(text, dialect)
            except Exception:
                outcomes["crash"] += 1
                print(f"{dialect} {at}: {text!r}\n{traceback.format_exc(limit=-4)}", flush=True)
                continue
            spent = time.process_time() - started
            slowest = max(slowest, spent)
            outcomes["slow"] += spent > SLOW_S
            if spent > SLOW_S / 5:
                print(f"{dialect} {at} took {spent:.1f} s: {text[:2000]!r}", flush=True)
            outcomes["refused" if through is None else "through"] += 1
            if through is not None and ran.total() < options.run:
                ran[outcome := tried(run, through)] += 1
                if outcome == "leak":
                    print(f"{dialect} {at} tells: {through}", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{dialect}: {options.count:,} statements in {time.monotonic() - began:.0f} s: {dict(outcomes)}, "
        f"slowest {slowest:.2f} s, peak {peak:.0f} MB; {ran.total():,} run: {dict(ran)}",
        flush=True,
    )
    return outcomes["crash"] + outcomes["slow"] + ran["leak"] + (peak > MEMORY_MB)


def tried(run: Run, text: str) -> str:
    """The outcome of an accepted statement: it found rows, the database rejected it, or it leaked the value."""
    try:
        return "leak" if CANARY in repr(run(text)) else "rows"
    except Exception as error:
        return "leak" if CANARY in str(error) else "rejected"


def main() -> None:
    """Fuzz every database in turn."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--count", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--run", type=int, default=3_000)
    options.add_argument("--database", nargs="*", choices=list(ENGINES), default=list(ENGINES))
    given = options.parse_args()
    sys.exit(1 if sum(fuzz(dialect, given) for dialect in given.database) else 0)


if __name__ == "__main__":
    main()
