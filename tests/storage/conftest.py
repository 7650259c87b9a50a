"""A database for corpora, and caches of the tests' own."""

import pytest

from pincite.workbench.library import index
from tests.conftest import EXAMPLES


@pytest.fixture(scope="session")
def caches(tmp_path_factory):
    """Caches of corpora are below a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def database(postgres, caches):
    """A function from the name of a corpus to its address, in one database."""
    base = postgres.create().replace("//reader@", "//postgres@")
    return lambda name, user="postgres": (
        base.replace("//postgres@", f"//{user}@") + f"&corpus={name}"
    )


@pytest.fixture(scope="session")
def address(database):
    """The example reports, indexed into PostgreSQL."""
    made = database("examples")
    index(EXAMPLES / "files", made, metadata=EXAMPLES / "metadata.csv")
    return made


@pytest.fixture
def ended(postgres, database):
    """A function that ends the connections to the database, as a server does that is restarted; says how many."""
    name = database("x").partition("/@/")[2] or database("x").split("/")[3].partition("?")[0]

    def end(only=""):
        with postgres.connect() as connection:
            found = connection.execute(
                "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity "
                "WHERE datname = %s AND pid <> pg_backend_pid() AND query LIKE %s",
                (name, f"%{only}%"),
            ).fetchone()
        return found[0]

    return end
