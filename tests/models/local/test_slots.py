"""What prompts begin with is read once: by an engine, and from a saved state by the next engine."""

import pytest
from pydantic import BaseModel

from pincite.models.kit import kit_of
from pincite.models.local import slots
from pincite.models.local.choice import CONTEXT
from pincite.models.local.engine import end, private_folder
from pincite.models.local.weights import weights_here
from pincite.models.loop import wait
from pincite.ports import Prompt
from pincite.settings import load
from tests.real_models import SMALL

pytestmark = [pytest.mark.servers, pytest.mark.usefixtures("small_model")]

RULES = (
    "Fill in the form with the number that you are given, as it is, and with nothing else. " * 8
)
"""About 150 tokens."""


class Number(BaseModel):
    number: int


def ask(number, rules=RULES):
    """The number of a reply, and how many tokens of its prompt the engine did not read again."""
    prompt = Prompt(rules, f"The number is {number}.", max_tokens=30)
    said = wait(kit_of(load().models).large.complete(prompt, Number))
    return said.value.number, said.usage.cached


def saved():
    return sorted(private_folder("slots").glob("*.bin"))


def test_the_next_engine_begins_with_what_an_earlier_one_read():
    assert ask(11)[0] == 11
    assert len(saved()) == 1
    end(weights_here(SMALL), CONTEXT)
    number, cached = ask(12)
    assert number == 12 and cached > 100
    assert len(saved()) == 1


def test_other_rules_in_between_cost_nothing():
    ask(13)
    assert ask(14, RULES.replace("nothing", "no word"))[0] == 14
    assert len(saved()) == 2
    assert ask(15)[1] > 100


def test_a_damaged_state_is_read_again():
    ask(16)
    end(weights_here(SMALL), CONTEXT)
    for file in saved():
        file.write_bytes(file.read_bytes()[:1000])
    number, _ = ask(17)
    assert number == 17
    assert max(file.stat().st_size for file in saved()) > 100_000


def test_short_rules_are_not_worth_a_file():
    before = saved()
    assert ask(18, "Fill in the form.")[0] == 18
    assert saved() == before


def test_the_states_used_longest_ago_go_first(monkeypatch):
    ask(19)
    kept = max(saved(), key=lambda file: file.stat().st_mtime)
    monkeypatch.setattr(slots, "MOST", kept.stat().st_size * 3 // 2)
    ask(20, RULES.replace("nothing", "not a word"))
    assert len(saved()) == 1 and saved() != [kept]
