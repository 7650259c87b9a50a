"""llama.cpp's own server: how far it is with a prompt, its tokens, its window, and a slot that is free once nobody waits."""

import asyncio
import json
import time
import urllib.request
from dataclasses import replace

import pytest

from pincite.models.endpoints.chat import ChatModel
from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.endpoint import endpoint
from pincite.models.endpoints.endpoint_limits import Patience
from pincite.models.endpoints.exchange import ModelMessage, ReplySettings
from pincite.models.endpoints.prompt_fit import Windows
from pincite.models.forms import VerdictForm
from pincite.models.loop import wait
from pincite.ports import Prompt
from pincite.storage.ledger import listened, metered
from tests.models.test_llama_server import QUOTE, UNPAIRED, url  # noqa: F401 - a fixture

pytestmark = pytest.mark.servers

PATIENCE = Patience(timeout=60, tries=2, first=0.1)
SETTINGS = ReplySettings(
    max_tokens=60, temperature=1.0, extra_body=json.dumps({"logit_bias": [QUOTE, *UNPAIRED]})
)
ASK = Prompt("Say yes or no.", "Does it help?", ("There are seven.",))
LONG = replace(ASK, context=("Line of a page that says nothing. " * 150,) * 4)


def at(url, **more):  # noqa: F811 - the fixture's address
    given = {
        "patience": PATIENCE,
        "settings": SETTINGS,
        "dialect": Dialect(llama_cpp=True),
        **more,
    }
    return ChatModel("tiny", url, key="NO_KEY", **given)


def asked(url, path):  # noqa: F811
    with urllib.request.urlopen(url.removesuffix("/v1") + path, timeout=10) as reply:
        return json.loads(reply.read())


def test_a_server_that_sends_timings_is_known_and_asked_for_its_progress(url):  # noqa: F811
    model = at(url, dialect=Dialect())
    wait(model.complete(ASK, VerdictForm))
    known = model.known_dialect
    assert (
        known.llama_cpp
        and known.window == asked(url, "/props")["default_generation_settings"]["n_ctx"]
    )
    heard = []
    with listened(heard.append):
        wait(model.complete(LONG, VerdictForm))
    reading = [each for each in heard if each.prompt]
    tokens = {each.prompt for each in reading}
    assert len(tokens) == 1 and tokens.pop() > 20_000, "each byte is a token of this model"
    shares = [each.read for each in reading if not each.reply]
    assert shares == sorted(shares) and shares[-1] == reading[-1].prompt and len(shares) > 3
    assert heard[-1].reply > 1 and model.replies.speed(url, "tiny").read > 0


def test_tokens_are_those_of_the_model_and_its_template(url):  # noqa: F811
    async def counted():
        windows = Windows(endpoint(at(url).address, at(url).limits))
        said = (ModelMessage("system", "Four"), ModelMessage("user", "Sevenths"))
        return await windows.text("abcä"), await windows.messages(said), await windows.window()

    text, messages, window = wait(counted())
    # bytes, and a blank before the first that this vocabulary puts there
    assert text in (5, 6) and window == 32768
    # each message is its role, a line end and its text, between two control tokens, then the opening of the reply
    assert messages == pytest.approx(
        len("system\nFour") + len("user\nSevenths") + len("assistant\n") + 7, abs=3
    )


def test_a_prompt_beyond_the_window_is_shown_in_part_before_it_is_sent(url):  # noqa: F811
    pieces = tuple(
        "\n".join(f"{at}: line {line} of a page that is long" for line in range(200))
        for at in range(8)
    )
    with metered() as meter:
        made = wait(at(url).complete(replace(ASK, context=pieces), VerdictForm))
    (note,) = [note for note in meter.notes if "context shrunk" in note]
    assert "from 8 to 5 pieces, the last in part, to fit tiny" in note
    took = [spend.usage.input for spend in meter.spends if spend.usage.input]
    assert made.shown == 5 and 32_500 < took[0] < 32_768 - 60


@pytest.mark.parametrize("moment", ["while it reads", "while it writes"])
def test_a_request_that_is_given_up_frees_its_slot_at_once(url, moment):  # noqa: F811
    busy = lambda: any(slot["is_processing"] for slot in asked(url, "/slots"))  # noqa: E731
    endless = ReplySettings(max_tokens=20_000, extra_body='{"ignore_eos": true}')
    prompt = LONG if moment == "while it reads" else ASK

    async def given_up():
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()

        def heard(progress):
            at_work = progress.read if moment == "while it reads" else progress.reply > 5
            if at_work:
                loop.call_soon_threadsafe(begun.set)

        with listened(heard):
            work = asyncio.create_task(
                at(url, settings=endless).complete(
                    replace(prompt, run=time.time_ns()), VerdictForm
                )
                if moment == "while it reads"
                else _all(at(url, settings=endless).stream(replace(prompt, run=time.time_ns())))
            )
        await asyncio.wait_for(begun.wait(), 60)
        was = await asyncio.to_thread(busy)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        return was

    assert wait(given_up())
    end = time.monotonic() + 2
    while busy() and time.monotonic() < end:
        time.sleep(0.02)
    assert not busy()


async def _all(pieces):
    return [piece async for piece in pieces]
