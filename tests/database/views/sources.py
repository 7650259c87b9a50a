"""Sources made of a script, for tests of views."""

import sqlite3

from pincite.database.sources.connection import open_source


def sqlite_source(folder, script, name="data", **options):
    """A SQLite file that a script fills, opened for reading."""
    path = folder / f"{name}.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.commit()
    connection.close()
    return open_source(path, **options)


def duck_source(folder, script, name="data", **options):
    """A DuckDB file that a script fills, opened for reading."""
    import duckdb

    path = folder / f"{name}.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(script)
    return open_source(path, **options)
