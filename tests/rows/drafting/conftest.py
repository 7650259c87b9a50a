"""The small databases, each opened once for a module."""

import pytest

from tests.rows.drafting import stores


def _opened(script):
    @pytest.fixture(scope="module")
    def source(tmp_path_factory):
        clean = stores.opened(tmp_path_factory.mktemp("data"), script)
        yield clean
        clean.source.close()

    return source


shop = _opened(stores.SHOP)
loose = _opened(stores.undeclared(stores.SHOP))
ledger = _opened(stores.LEDGER)
garage = _opened(stores.GARAGE)
supply = _opened(stores.SUPPLY)


@pytest.fixture(scope="session")
def encoder():
    from pincite.models.encoder import MiniLM

    return MiniLM()
