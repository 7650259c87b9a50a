"""The engines: a PostgreSQL server with a database for each test, and a file of Milvus Lite for all of them."""

import pytest

from pincite.search.index.engines.engine_address import engine_address


@pytest.fixture(scope="session")
def lite(tmp_path_factory):
    pytest.importorskip("milvus_lite")
    return str(tmp_path_factory.mktemp("milvus") / "lite.db")


@pytest.fixture(params=["postgresql", "milvus"])
def place(request):
    """The address of an engine that may be written."""
    if request.param == "milvus":
        return engine_address(request.getfixturevalue("lite"))
    url = request.getfixturevalue("postgres").create("CREATE EXTENSION vector")
    return engine_address(url.replace("//reader@", "//postgres@"))
