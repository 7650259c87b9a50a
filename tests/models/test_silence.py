"""Endpoints that are slow, silent or keep the line open: limits are for silence, and what is worked on is not sent again."""

import asyncio
import time
from dataclasses import astuple, replace

import pytest

from pincite.errors import ModelUnreachable
from pincite.models.endpoints.chat import ChatModel
from pincite.models.endpoints.endpoint_limits import Limits, Patience
from pincite.models.endpoints.silence import READS, Silent, Speed, Waited, Watch
from pincite.models.forms import VerdictForm
from pincite.models.loop import wait
from pincite.ports import Progress, Prompt
from pincite.storage.ledger import listened
from tests.stand_ins.fakes import HANG, ScriptedServer, failure
from tests.stand_ins.scripts import Reply

PATIENCE = Patience(timeout=0.4, tries=6, first=0.01, longest=0.05, whole=60)
ASK = Prompt("Say whether it helps.", "Does it?", ("It says so.",))
WORDS = '{ "value" : "yes" }' + " " * 10
LONG = "there are seven of them " * 20


def asked(script, prompt=ASK, limits=Limits(), **given):  # noqa: B008 - immutable
    """What a model at a server with this script replied, the requests, and the seconds."""
    with ScriptedServer(script) as server:
        model = ChatModel("slow", server.url, patience=PATIENCE, limits=limits, **given)
        started = time.monotonic()
        try:
            made = wait(model.complete(prompt, VerdictForm)).value.value
        except ModelUnreachable as error:
            made = str(error)
        seconds = time.monotonic() - started
        while not server.bill.requests and time.monotonic() - started < 5:
            time.sleep(0.01)  # until the server sees that the client has left
        return made, server, seconds


def test_a_reply_that_takes_longer_than_the_limit_is_waited_for_while_it_comes():
    made, server, seconds = asked(lambda asked: Reply(WORDS, pace=1.5))
    assert made == "yes" and seconds > 1.2 and len(server.asked) == 1
    assert server.asked[0].stream, "a form is asked for as a stream too"


def test_comments_that_keep_the_line_open_are_signs_of_life():
    made, server, seconds = asked(lambda asked: Reply(WORDS, delay=1.2, alive=0.2))
    assert made == "yes" and seconds > 1.2 and len(server.asked) == 1


def test_a_silent_endpoint_gets_one_request_and_the_user_one_message():
    made, server, seconds = asked(lambda asked: HANG)
    assert "said nothing for 0 s, so the request was ended; it is not sent again" in made
    assert all(advice in made for advice in ("`pages`", 'forms = "short"', "`timeout`", "smaller"))
    assert len(server.asked) == 1 and 0.3 < seconds < 2
    assert server.bill.rows[0].status == 200 and not server.bill.rows[0].delivered


def test_a_reply_that_stops_in_its_middle_is_not_sent_again():
    made, server, _ = asked(lambda asked: Reply(LONG, manner="stall"))
    assert "stopped in the middle of its reply and then said nothing" in made
    assert len(server.asked) == 1


def test_a_connection_that_breaks_is_tried_again():
    def script(asked):
        return Reply(WORDS, manner="cut" if asked.index < 2 else "whole")

    made, server, _ = asked(script)
    assert made == "yes" and len(server.asked) == 3


def test_an_endpoint_that_refuses_streams_is_asked_without_from_then_on():
    def script(asked):
        return failure(400, "stream is not supported here") if asked.stream else Reply(WORDS)

    with ScriptedServer(script) as server:
        model = ChatModel("whole", server.url, patience=PATIENCE)
        for question in ("Does it?", "And that?"):
            wait(model.complete(replace(ASK, question=question), VerdictForm))
    assert [each.stream for each in server.asked] == [True, False, False]
    assert not model.known_dialect.streams


def test_a_long_prompt_may_be_read_in_silence():
    long = replace(
        ASK, context=("One two three four. " * 600,)
    )  # 12,000 bytes, about 3,000 tokens
    made, server, seconds = asked(lambda asked: Reply(WORDS, delay=1.2), long)
    assert made == "yes" and seconds > 1.2 and len(server.asked) == 1
    made, server, _ = asked(lambda asked: Reply(WORDS, delay=1.2))
    assert "said nothing" in made and len(server.asked) == 1


def test_one_that_waits_for_others_at_a_server_with_one_place_is_not_silent():
    async def ends(silent):
        """Three requests, of which a server takes one after the other; each is 0.3 s at work, in which it gives signs."""
        watch, one_place, ended = Watch(), asyncio.Lock(), []

        async def request(name):
            waited = Waited(Progress("m"), 0.35, 0.35)
            async with watch.over(waited), one_place:
                for _ in range(6):
                    await asyncio.sleep(0.05 if name != silent else 1)
                    waited.sign()
                    waited.wrote()
            ended.append(name)

        outcomes = await asyncio.gather(*map(request, "abc"), return_exceptions=True)
        return ended, [type(outcome) for outcome in outcomes if outcome]

    assert wait(ends("")) == (["a", "b", "c"], [])
    assert wait(ends("a")) == ([], [Silent] * 3)  # nothing says that the server is still there


def test_listeners_hear_what_is_read_and_written_and_about_how_long_it_takes():
    heard = []
    with ScriptedServer(lambda asked: Reply(LONG + WORDS, pace=0.3)) as server:
        model = ChatModel("slow", server.url, patience=replace(PATIENCE, timeout=20))
        with listened(heard.append):
            wait(model.complete(ASK, VerdictForm))
            first, heard[:] = list(heard), []
            wait(model.complete(replace(ASK, question="And that?"), VerdictForm))
    assert str(first[0]) == "reading 1 piece with slow" and first[0].left is None
    assert str(heard[0]).startswith("reading 1 piece with slow, about ")
    assert [each.reply for each in heard] == list(range(len(heard))) and heard[-1].left < 1
    assert str(heard[-1]) == "slow writes its reply, about 1 s"
    assert [each.seconds for each in heard] == sorted(each.seconds for each in heard)


def test_how_fast_a_model_is_is_kept_and_weighs_the_last_reply():
    known = Speed(40, 20, 100)
    assert known.seconds(800) == 20 + 5
    assert astuple(known.after(Speed(80, 20, 200))) == pytest.approx((52, 20, 130))
    assert READS / 120 == 5
