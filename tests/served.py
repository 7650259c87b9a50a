"""What tests of the model path share: a model over real HTTP that knows the tables it is shown."""

import re
from contextlib import contextmanager
from decimal import Decimal

import pytest

from pincite import consent
from pincite.errors import ConsentMissing
from pincite.models.model_settings import ModelSettings
from pincite.settings import Settings, load
from pincite.storage.ledger import Price
from tests.stand_ins.fakes import Bill, ScriptedServer, oracle

PRICES = {"scripted": Price(Decimal(2), Decimal(8))}
LABELS = (
    "Revenue", "Fuel and port costs", "Personnel expenses", "Operating profit", "Net finance costs", "Profit before tax",
    "Income tax expense", "Inventories", "Trade receivables", "Total assets", "Equity", "Borrowings", "Trade payables",
)  # fmt: skip


def question(label, year):
    return f"What was the {label} of Halvorsen Maritime in {year}?"


def told(asked):
    """The value of the income statement or balance sheet shown that the question names, with its line."""
    said = asked.said("user")
    found = re.search(
        r"^Question: What was the (.*) of Halvorsen Maritime in (\d{4})\?$", said, re.M
    )
    if found is None:
        return None
    label, year = re.escape(found[1]), found[2]
    row = re.search(rf"^(\d+) (?:.* > )?{label}: (?:.*; )?{year}[^=;]* = ([^; ]+)", said, re.M)
    return {"lines": [int(row[1])], "value": row[2]} if row else None


right = oracle(told)


def judging(relevances):
    """A model that also judges the pieces of a call: so relevant each, in order, the last for all further ones."""

    def script(asked):
        if "judgements" not in asked.schema["properties"]:
            return right(asked)
        count = int(re.search(r"Judge pieces 1 to (\d+)", asked.text)[1])
        judged = [
            {"piece": at, "relevance": relevances[min(at, len(relevances)) - 1]}
            for at in range(1, count + 1)
        ]
        return oracle(lambda _: {"judgements": judged})(asked)

    return script


def agreed(folder):
    """Agree to what the settings of a folder reach, as a user does on a terminal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(consent.VARIABLE, "")
        patch.chdir(folder)
        with pytest.raises(ConsentMissing) as missing:
            load()
        consent.agree(missing.value)


@contextmanager
def serving(script=right, **more):
    """A server with this script, and settings of its model."""
    with ScriptedServer(script, bill=Bill(price=("2", "8"))) as server:
        given = {"prices": PRICES, "concurrency": 4, **more}
        yield (
            server,
            Settings(models=ModelSettings(base_url=server.url, large="scripted", **given)),
        )
