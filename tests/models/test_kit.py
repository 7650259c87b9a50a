"""The kit that settings make."""

import subprocess
import sys
from decimal import Decimal

import pytest

from pincite.errors import NetworkForbidden, UsageError
from pincite.models.endpoints.endpoint_limits import Limits
from pincite.models.kit import default_kit, kit_of
from pincite.models.model_settings import ModelSettings
from pincite.storage.ledger import Price


def test_no_model_is_the_built_in_kit(tmp_path):
    assert kit_of(ModelSettings(base_url="http://127.0.0.1:1/v1"), tmp_path) is default_kit()
    assert list(tmp_path.iterdir()) == []


def test_every_role_has_a_model_that_shares_ledger_and_replies(tmp_path):
    price = Price(Decimal(1), Decimal(2))
    settings = ModelSettings(
        "http://127.0.0.1:1/v1",
        "K",
        large="big",
        small="little",
        prices={"big": price},
        concurrency=7,
        timeout=9.0,
    )
    kit = kit_of(settings, tmp_path)
    assert [one.name for one in (kit.large, kit.small, kit.judge, kit.vision)] == [
        "big",
        "little",
        "big",
        "big",
    ]
    assert kit.large.price == price and kit.small.price == Price()
    assert (kit.large.key, kit.large.limits, kit.large.patience.timeout) == ("K", Limits(7), 9.0)
    assert kit.large.ledger is kit.small.ledger and kit.large.replies is kit.judge.replies
    assert {"ledger.sqlite", "replies.sqlite"} <= {one.name for one in tmp_path.iterdir()}


def test_a_small_model_alone_leaves_the_others_out():
    kit = kit_of(ModelSettings(small="little"))
    assert kit.small.name == "little" and kit.large is None and kit.judge is None


def test_a_budget_needs_prices():
    with pytest.raises(UsageError, match=r"the price of little"):
        kit_of(
            ModelSettings(large="big", small="little", prices={"big": Price()}, budget=Decimal(1))
        )
    assert (
        kit_of(
            ModelSettings(large="big", prices={"big": Price()}, budget=Decimal(1))
        ).large.ledger.budget
        == 1
    )


def test_offline_refuses_models_and_nothing_else(monkeypatch):
    monkeypatch.setenv("PINCITE_OFFLINE", "1")
    assert kit_of(ModelSettings()) is default_kit()
    with pytest.raises(NetworkForbidden, match="--no-model"):
        kit_of(ModelSettings(large="big"))


def test_without_a_model_its_client_is_not_imported():
    code = (
        "import sys, pincite.cli.main, pincite.workbench.library, pincite.workbench.batch; from pincite.settings import Settings;"
        "from pincite.models.kit import kit_of; kit_of(Settings().models);"
        "print([one for one in ('pydantic', 'pydantic_ai', 'openai', 'httpx', 'asyncio') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
