import pytest


@pytest.fixture
def place(postgres):
    """The address of a database that may be written."""
    from pincite.index.engines.engine_address import engine_address

    url = postgres.create("CREATE EXTENSION vector")
    return engine_address(url.replace("//reader@", "//postgres@"))
