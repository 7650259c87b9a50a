"""The chat model against a scripted server over real HTTP."""

import asyncio
import base64
import gc
import inspect
import json
import re
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import replace
from decimal import Decimal

import pytest
from pydantic import BaseModel

from pincite.errors import BudgetSpent, ModelError, ModelUnreachable, ReplyInvalid
from pincite.formats.spell import spell
from pincite.models.endpoints.chat import ChatModel
from pincite.models.endpoints.endpoint import Overflow
from pincite.models.endpoints.endpoint_limits import Limits, Patience
from pincite.models.endpoints.replies import Replies
from pincite.models.loop import wait
from pincite.ports import Prompt
from pincite.storage.ledger import Ledger, Price, metered
from pincite.types import Usage
from tests.stand_ins.fakes import (
    FAULTS,
    HANG,
    OVERFLOWS,
    Bill,
    Reply,
    ScriptedServer,
    constant,
    delayed,
    failure,
    faulty,
    minimal,
    overflowing,
    sequence,
    strict,
)

PRICE = Price(Decimal(1), Decimal(2))
PATIENCE = Patience(timeout=20, tries=6, first=0.01, longest=0.15, whole=60)
HASTY = replace(PATIENCE, timeout=0.3)
ASK = Prompt(
    "Fill in the form.", "How many are there?", ("There are seven.", "There were six before.")
)


class Form(BaseModel):
    reasoning: str
    value: int


RIGHT = {"reasoning": "", "value": 7}


@contextmanager
def serving(script, *, bill=None, key="", **more):
    """A model at a scripted server with this script."""
    with ScriptedServer(script, bill=bill or Bill(price=("1", "2")), key=key) as server:
        given = {"price": PRICE, "patience": PATIENCE, "limits": Limits(25), **more}
        yield ChatModel("scripted", server.url, **given), server


def complete(model, prompt=ASK, form=Form):
    return wait(model.complete(prompt, form))


def gathered(*work):
    """Run coroutines at once; their failures stand among their results."""

    async def together():
        return await asyncio.gather(*work, return_exceptions=True)

    return wait(together())


async def listed(pieces):
    return [piece async for piece in pieces]


def test_a_reply_comes_in_its_form_with_what_it_took():
    with serving(constant(RIGHT)) as (model, server), metered("Read") as meter:
        made = complete(model)
    row = server.bill.rows[0]
    assert made.value == Form(reasoning="", value=7)
    assert (made.shown, made.asked) == (2, 1)
    assert made.usage == Usage(row.input, row.output)
    assert made.cost == server.bill.cost == model.ledger.total().cost == meter.total.cost
    assert [(one.model, one.stage, one.requests) for one in meter.spends] == [
        ("scripted", "Read", 1)
    ]
    assert spell(model) == "scripted"


def test_the_request_is_native_structured_output():
    with serving(constant(RIGHT)) as (model, server):
        complete(model, replace(ASK, temperature=0.5, max_tokens=99))
    body = server.asked[0].body
    assert (body["temperature"], body["max_tokens"]) == (0.5, 99)
    form = body["response_format"]["json_schema"]
    assert (form["name"], form["strict"], form["schema"]["required"]) == (
        "Form",
        True,
        ["reasoning", "value"],
    )
    assert [one["role"] for one in body["messages"]] == ["system", "user"]


def test_a_form_of_any_name_and_a_picture_are_sent():
    class Odd(BaseModel):
        model_config = {"title": "An odd: form! " * 9}
        value: int

    with serving(minimal) as (model, server):
        complete(model, replace(ASK, images=(b"\x89PNG picture",)), Odd)
    assert re.fullmatch(
        r"[A-Za-z0-9_-]{1,64}", server.asked[0].body["response_format"]["json_schema"]["name"]
    )
    text, picture = server.asked[0].messages[1]["content"]
    assert text["text"].endswith("How many are there?")
    assert (
        picture["image_url"]["url"]
        == "data:image/png;base64," + base64.b64encode(b"\x89PNG picture").decode()
    )


# dialects -----------------------------------------------------------------------------------------------------------


def test_an_endpoint_without_structured_output_gets_the_schema_in_the_prompt_and_is_remembered():
    with serving(strict(constant(RIGHT))) as (model, server):
        assert complete(model).value.value == 7
        complete(model, replace(ASK, question="And now?"))
    assert [bool(asked.body.get("response_format")) for asked in server.asked] == [
        True,
        False,
        False,
    ]
    assert "JSON schema" in server.asked[1].said("system")


def test_newer_and_stricter_parameters_are_learnt():
    def picky(asked):
        if "max_tokens" in asked.body:
            return failure(
                400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            )
        if "temperature" in asked.body:
            return failure(
                400, "Unsupported value: 'temperature' does not support 0.0 with this model."
            )
        return Reply(RIGHT)

    with serving(picky) as (model, server):
        assert complete(model).value.value == 7
        complete(model, replace(ASK, question="And now?"))
    assert len(server.asked) == 4
    assert server.asked[-1].max_tokens == 2048


@pytest.mark.parametrize(
    "reply, told",
    [
        (
            failure(400, "'messages' must not hold a picture"),
            "turned the request down: status 400",
        ),
        (failure(401, "no such key"), r"Put a key that it takes into the variable OPENAI_API_KEY"),
        (
            failure(404, "no such model", "model_not_found"),
            "Check the model's name and the base URL",
        ),
        (
            failure(429, "You exceeded your quota", "insufficient_quota"),
            "quota or credit is used up",
        ),
        (
            failure(400, "response_format and json_schema are unknown here"),
            "response_format and json_schema",
        ),
    ],
)
def test_what_no_further_try_can_mend_is_said_at_once_and_costs_nothing(reply, told):
    with serving(constant(reply)) as (model, server):
        with pytest.raises(ModelError, match=told):
            complete(model)
    assert len(server.asked) <= 4
    assert model.ledger.total().cost == 0


def test_a_key_comes_from_its_variable(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "s3cret")
    with serving(constant(RIGHT), key="s3cret") as (model, server):
        assert complete(replace(model, key="SOME_KEY")).value.value == 7
        with pytest.raises(ModelError) as error:
            complete(replace(model, key="NO_SUCH_KEY", replies=Replies()))
    assert "NO_SUCH_KEY" in str(error.value) and "s3cret" not in str(error.value)


# replies that do not fit --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad, told",
    [
        (Reply('{"reasoning": "sev'), "not one valid JSON object"),
        (Reply({"reasoning": "seven", "value": "many"}), "value: Input should be a valid integer"),
        (Reply({"value": 7}), "reasoning: Field required"),
        (Reply("It is seven, I think."), "not one valid JSON object"),
        (Reply(""), "empty"),
        (Reply("", refusal="I would rather not."), "refusal"),
        (Reply("", tool_calls=(("run_shell", '{"command": "true"}'),)), "There are no tools"),
    ],
)
def test_a_reply_that_does_not_fit_is_asked_for_again_with_what_is_wrong(bad, told):
    with serving(sequence(bad, bad, RIGHT)) as (model, server), metered() as meter:
        made = complete(model)
    assert (made.value.value, made.asked, len(server.asked)) == (7, 3, 3)
    assert told in server.asked[1].messages[-1]["content"]
    assert [one["role"] for one in server.asked[2].messages] == ["system", "user"] + [
        "assistant",
        "user",
    ] * 2
    assert made.cost == server.bill.cost
    assert meter.notes == ["scripted was asked 3 times for a reply that fits"]
    assert not server.bill.paid_twice


def test_a_reply_that_is_cut_off_again_is_asked_for_shorter():
    cut = Reply('{"reasoning": "' + "so " * 50, finish="length")
    with serving(sequence(cut, cut, RIGHT)) as (model, server):
        assert complete(model).asked == 3
    assert [asked.turns for asked in server.asked] == [0, 0, 1]
    assert "cut off after 8192 tokens" in server.asked[2].messages[-1]["content"]


def test_two_reasks_are_enough_or_it_is_an_error_and_neither_is_paid_again(tmp_path):
    with serving(constant('{"value": 7}'), replies=Replies(tmp_path / "replies.sqlite")) as (
        model,
        server,
    ):
        with pytest.raises(
            ReplyInvalid, match=r"no reply that fits Form in 3 asks; .*reasoning: Field required"
        ):
            complete(model)
        with pytest.raises(ReplyInvalid):
            complete(replace(model, replies=Replies(tmp_path / "replies.sqlite")))
    assert len(server.asked) == 3


def test_a_resumed_run_asks_again_where_it_stopped(tmp_path):
    kept = tmp_path / "replies.sqlite"
    with serving(sequence("no", failure(401, "no"), RIGHT), replies=Replies(kept)) as (
        model,
        server,
    ):
        with pytest.raises(ModelError):
            complete(model)
        made = complete(replace(model, replies=Replies(kept)))
    assert (made.value.value, made.asked, len(server.asked)) == (7, 2, 3)
    assert not server.bill.paid_twice


# faults -------------------------------------------------------------------------------------------------------------


PASSING = [fault for fault in FAULTS if fault != "hang for ever"]
"""The faults that are tried again: what may still be worked on is not."""


@pytest.mark.parametrize("fault", PASSING)
def test_every_fault_ends_in_the_right_reply(fault):
    script = faulty(constant(RIGHT), rate=1.0, faults=(fault,), seconds=0.1)
    with serving(script, patience=HASTY) as (model, server):
        started = time.monotonic()
        made = complete(model)
    assert made.value.value == 7
    assert made.asked <= 3
    assert time.monotonic() - started < 3
    assert not server.bill.paid_twice
    assert server.bill.cost <= model.ledger.total().cost


@pytest.mark.parametrize(
    "fault",
    [one for one in PASSING if one not in ("broken", "slow", "429 seconds", "429 date", "502")],
)
def test_a_fault_that_never_passes_ends_in_an_error_that_says_so(fault):
    script = faulty(constant(RIGHT), rate=1.0, faults=(fault,), seconds=0.1, streak=99)
    with serving(script, patience=replace(HASTY, tries=3)) as (model, server):
        with pytest.raises((ModelUnreachable, ReplyInvalid), match=r"in 3 (tries|asks)"):
            complete(model)
    assert len(server.asked) == 3
    assert server.bill.cost <= model.ledger.total().cost


def test_what_was_surely_not_billed_is_free_and_what_may_have_been_counts_in_full():
    for fault, free in (
        ("429", True),
        ("500", True),
        ("502", True),
        ("drop", False),
        ("cut", False),
        ("hang", False),  # its connection is closed
    ):
        script = faulty(constant(RIGHT), rate=1.0, faults=(fault,), seconds=0.05, streak=1)
        with serving(script) as (model, server):
            made = complete(model)
        lost = model.ledger.total().cost - made.cost
        assert (lost == 0) is free, fault
        assert free or lost > 2048 * 2 / Decimal(10**6)


def test_retry_after_is_heeded_in_seconds_and_as_a_date():
    for fault in ("429 seconds", "429 date"):
        script = faulty(constant(RIGHT), rate=1.0, faults=(fault,), seconds=1.0, streak=1)
        with serving(script, patience=replace(PATIENCE, longest=5)) as (model, server):
            complete(model)
        first, second = (row.at for row in server.bill.rows)
        # a date has no fractions of a second
        assert second - first >= (1.0 if fault == "429 seconds" else 0.0), fault
        assert second - first < 2.5


def test_pauses_double_and_are_capped():
    patience = Patience(first=0.5, longest=8)
    for tried, most in ((1, 0.5), (2, 1.0), (3, 2.0), (5, 8.0), (40, 8.0), (4000, 8.0)):
        assert most / 2 <= patience.pause(tried, None) <= most
    assert 3 <= patience.pause(1, 3.0) <= 3.5
    assert 8 <= patience.pause(1, 86400.0) <= 8.5


def test_an_endpoint_that_is_not_there_is_tried_and_named():
    with ScriptedServer(minimal) as server:
        url = server.url
    model = ChatModel("m", url, patience=replace(PATIENCE, tries=2), price=PRICE)
    with pytest.raises(ModelUnreachable, match=rf"m at {url} gave no reply in 2 tries"):
        complete(model)
    assert model.ledger.total().cost == 0


def test_no_try_begins_when_the_patience_is_over():
    patience = Patience(timeout=0.2, tries=99, first=0.05, longest=0.1, whole=0.5)
    lost = Reply(delay=0.15, manner="drop")
    with serving(constant(lost), patience=patience) as (model, server):
        started = time.monotonic()
        with pytest.raises(ModelUnreachable, match="the connection broke"):
            complete(model)
    assert time.monotonic() - started < 1.2


def test_two_hundred_questions_through_faults_lose_none_and_pay_none_twice():
    script = faulty(delayed(minimal, 0.02), rate=0.2, seconds=0.1)
    with serving(script, patience=replace(PATIENCE, timeout=2)) as (model, server):
        prompts = [replace(ASK, question=f"Question {number}?") for number in range(200)]
        made = gathered(*[model.complete(prompt, Form) for prompt in prompts])
    assert [one for one in made if isinstance(one, BaseException)] == []
    assert max(one.asked for one in made) <= 3
    assert not server.bill.paid_twice
    assert server.bill.busiest <= 25
    assert server.bill.cost <= model.ledger.total().cost


def envelope(**changed):
    message = {"role": "assistant", "content": '{"reasoning": "", "value": 7}'}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    usage = {"prompt_tokens": 40, "completion_tokens": 9, "total_tokens": 49}
    whole = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": choices,
        "usage": usage,
    }
    return json.dumps({**whole, **changed}).encode()


@pytest.mark.parametrize(
    "body, value, sent, whole",
    [
        (envelope(), 7, 1, 0),
        (envelope(usage=None), 7, 1, 1),
        (
            envelope(usage={"prompt_tokens": 10**30, "completion_tokens": 1, "total_tokens": 1}),
            7,
            1,
            1,
        ),
        (envelope(choices=[]), None, 2, 2),
        (envelope()[:90], None, 2, 2),
        (b"", None, 2, 2),
        (b"[]", None, 2, 2),
    ],
)
def test_bodies_that_are_no_reply_of_the_protocol_are_tried_again_and_count_in_full(
    body, value, sent, whole
):
    async def work():
        requests = []

        async def connected(reader, writer):
            with suppress(asyncio.IncompleteReadError):
                head = await reader.readuntil(b"\r\n\r\n")
                requests.append(
                    await reader.readexactly(
                        int(re.search(rb"(?i)content-length: (\d+)", head)[1])
                    )
                )
                head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
                await writer.drain()
                writer.close()

        async with await asyncio.start_server(connected, "127.0.0.1", 0) as server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
            model = ChatModel("m", url, price=PRICE, patience=replace(PATIENCE, tries=2))
            try:
                made = (await model.complete(ASK, Form)).value.value
            except ModelUnreachable:
                made = None
        return made, len(requests), model.ledger.total().cost

    made, requests, cost = wait(work())
    assert (made, requests) == (value, sent)
    most = Decimal("0.0052")  # what one request could cost, about
    assert abs(cost - whole * most) < most / 10


# overflow -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", OVERFLOWS)
def test_what_overflows_is_shown_in_part_and_the_next_prompt_is_kept_to_the_window(spelling):
    pieces = tuple(f"Page {number}. " + "word " * 100 for number in range(8))
    with (
        serving(overflowing(constant(RIGHT), 900, spelling)) as (model, server),
        metered() as meter,
    ):
        made = complete(model, replace(ASK, context=pieces))
        complete(model, replace(ASK, context=pieces, question="And now?"))
    assert (made.value.value, made.shown, made.asked) == (7, 4, 1)
    assert "Page 3." in server.asked[-1].text and "Page 4." not in server.asked[-1].text
    assert meter.notes == ["context shrunk from 8 to 4 pieces to fit scripted"] * 2
    assert model.ledger.total().cost == server.bill.cost > made.cost
    named = spelling not in (
        "llama.cpp",
        "proxy",
    )  # the others say how many tokens the model reads
    assert model.known_dialect.window == (900 if named else None)
    assert len(server.asked) == (3 if named else 4)


def test_a_reask_keeps_the_shrunk_context():
    pieces = tuple("word " * 100 for _ in range(8))
    script = overflowing(sequence("", "no", RIGHT), 900)
    with serving(script) as (model, server):
        made = complete(model, replace(ASK, context=pieces))
    assert (made.shown, made.asked) == (4, 2)


def test_one_piece_that_does_not_fit_is_an_error():
    with serving(overflowing(constant(RIGHT), 100)) as (model, server):
        with pytest.raises(
            ModelError, match="reads 100 tokens, and the rules, the question"
        ) as error:
            complete(model, replace(ASK, context=tuple("word " * 400 for _ in range(4))))
    assert len(server.asked) == 1
    assert not isinstance(error.value, Overflow)


# money --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_the_budget_is_never_exceeded_by_the_servers_own_bill(seed):
    budget = Decimal("0.06")
    script = faulty(
        delayed(minimal, 0.01),
        rate=0.4,
        seed=seed,
        seconds=0.05,
        streak=9,
        faults=list(FAULTS)[3:],
    )
    patience = replace(PATIENCE, tries=3, timeout=0.15)
    with serving(script, ledger=Ledger(budget=budget), patience=patience) as (model, server):
        made = gathered(
            *[
                model.complete(replace(ASK, question=f"{seed} {number}?"), Form)
                for number in range(120)
            ]
        )
    failed = Counter(type(one).__name__ for one in made if isinstance(one, BaseException))
    assert failed["BudgetSpent"] > 0
    assert set(failed) <= {"BudgetSpent", "ModelUnreachable", "ReplyInvalid"}
    assert server.bill.cost <= model.ledger.total().cost <= budget
    assert model.ledger.pending == 0
    # and what was left could not have paid for the most that one more request can cost
    assert model.ledger.left() < Decimal("0.012")


def test_requests_under_way_are_waited_for_before_the_budget_is_called_spent():
    # each may cost about 0.005 and costs about 0.0001: two at once are all that can be reserved
    with serving(delayed(constant(RIGHT), 0.02), ledger=Ledger(budget=Decimal("0.012"))) as (
        model,
        server,
    ):
        made = gathered(
            *[
                model.complete(replace(ASK, question=f"Question {number}?"), Form)
                for number in range(9)
            ]
        )
    assert [one for one in made if isinstance(one, BaseException)] == []
    assert server.bill.busiest <= 2


def test_a_budget_that_was_spent_is_gone_on_with_when_it_is_raised(tmp_path):
    def model_with(budget):
        ledger, replies = (
            Ledger(tmp_path / "ledger.sqlite", Decimal(budget)),
            Replies(tmp_path / "replies.sqlite"),
        )
        return replace(base, ledger=ledger, replies=replies)

    prompts = [replace(ASK, question=f"Question {number}?") for number in range(12)]
    with serving(constant(RIGHT)) as (base, server):
        first = gathered(*[model_with("0.0055").complete(prompt, Form) for prompt in prompts])
        spent = [one for one in first if isinstance(one, BudgetSpent)]
        assert 0 < len(spent) < 12
        assert "give a larger budget" in str(spent[0]) and spent[0].retryable
        second = gathered(*[model_with("1").complete(prompt, Form) for prompt in prompts])
    assert [one.value.value for one in second] == [7] * 12
    assert (len(server.asked), server.bill.paid_twice) == (12, {})


def test_usage_that_cannot_be_true_counts_in_full():
    for usage in (Usage(0, 0), Usage(1, 1), Usage(200, 0)):
        long = replace(ASK, context=("word " * 300,))
        with serving(constant(Reply({"reasoning": "because " * 9, "value": 7}, usage=usage))) as (
            model,
            server,
        ):
            made = complete(model, long)
        assert (made.value.value, made.usage) == (7, Usage())
        assert made.cost > 2048 * 2 / Decimal(10**6)


def test_an_endpoint_that_goes_beyond_max_tokens_is_reserved_more_for_next_time():
    dear = Reply(RIGHT, usage=Usage(100, 10_000))
    with serving(constant(dear), ledger=Ledger(budget=Decimal("0.03"))) as (model, server):
        prompts = [
            replace(ASK, question=f"Question {number}?", max_tokens=100) for number in range(9)
        ]
        assert complete(model, prompts[0]).cost == Decimal("0.0201")
        with pytest.raises(BudgetSpent):
            complete(model, prompts[1])
    assert server.bill.cost <= Decimal("0.03")


# kept replies, concurrency, cancelling ------------------------------------------------------------------------------


def test_what_was_asked_before_costs_nothing_and_a_run_is_asked_for_itself():
    with serving(constant(RIGHT)) as (model, server):
        first, again = complete(model), complete(model)
        complete(model, replace(ASK, run=1))
    assert again == replace(first, usage=Usage(), cost=Decimal(0))
    assert len(server.asked) == 2


def test_equal_questions_at_once_are_one_request():
    with serving(delayed(constant(RIGHT), 0.05)) as (model, server):
        made = gathered(*[model.complete(ASK, Form) for _ in range(10)])
    assert len(server.asked) == 1
    assert sorted(one.cost for one in made) == [Decimal(0)] * 9 + [server.bill.cost]


def test_requests_at_once_are_bounded_for_all_models_of_an_endpoint():
    with serving(delayed(constant(RIGHT), 0.02), limits=Limits(3)) as (model, server):
        other = replace(model, name="another")
        prompts = [replace(ASK, question=f"Question {number}?") for number in range(8)]
        gathered(*[one.complete(prompt, Form) for prompt in prompts for one in (model, other)])
    assert (len(server.asked), server.bill.busiest) == (16, 3)


def test_cancelling_hangs_up_and_leaves_nothing_behind():
    async def work(model, server):
        before = len(asyncio.all_tasks())
        asking = [
            asyncio.create_task(model.complete(replace(ASK, question=f"{at}"), Form))
            for at in range(5)
        ]
        for _ in range(1000):  # until the server has what the limit lets through
            await asyncio.sleep(0.01)
            if len(server.asked) == 2:
                break
        started = time.monotonic()
        for one in asking:
            one.cancel()
        ended = await asyncio.gather(*asking, return_exceptions=True)
        took = time.monotonic() - started
        await asyncio.sleep(0.1)
        return [type(one) for one in ended], len(asyncio.all_tasks()) - before, took

    with serving(constant(HANG), patience=Patience(), limits=Limits(2)) as (model, server):
        ended, more, took = wait(work(model, server))
        assert server.bill.requests == 2  # the server saw both that were sent hang up
    assert (ended, more) == ([asyncio.CancelledError] * 5, 0)
    assert took < 2
    assert model.ledger.pending == 0
    assert model.ledger.total().cost > 2 * 2048 * 2 / Decimal(10**6)  # both may have been billed


KILLED = """
import asyncio, sys
from decimal import Decimal
from pydantic import BaseModel
from pincite.storage.ledger import Ledger, Price
from pincite.models.endpoints.chat import ChatModel
from pincite.models.endpoints.endpoint_limits import Limits
from pincite.models.endpoints.replies import Replies
from pincite.ports import Prompt

class Form(BaseModel):
    reasoning: str
    value: int

url, folder = sys.argv[1:]
model = ChatModel("m", url, price=Price(Decimal(1), Decimal(2)), limits=Limits(5),
    ledger=Ledger(folder + "/ledger", Decimal(1)), replies=Replies(folder + "/replies"))

async def all_of_them():
    made = await asyncio.gather(*[model.complete(Prompt("Fill in.", f"Question {n}?"), Form) for n in range(40)])
    print([one.value.value for one in made] == [7] * 40, model.ledger.total().cost)

asyncio.run(all_of_them())
"""


@pytest.mark.stress
def test_a_killed_process_is_gone_on_with(tmp_path):
    run = [sys.executable, "-c", KILLED]
    with ScriptedServer(delayed(constant(RIGHT), 0.05), bill=Bill(price=("1", "2"))) as server:
        process = subprocess.Popen([*run, server.url, str(tmp_path)])
        while len(server.asked) < 18:
            time.sleep(0.01)
        process.kill()
        process.wait()
        done = subprocess.run(
            [*run, server.url, str(tmp_path)], capture_output=True, text=True, check=True
        )
    right, cost = done.stdout.split()
    assert right == "True"
    assert 40 <= len(server.asked) <= 45  # at most those under way are asked again
    assert server.bill.cost <= Decimal(cost) <= 1


# streams ------------------------------------------------------------------------------------------------------------

TEXT = "There are seven of them, as the first page says."


def test_prose_comes_in_pieces_and_is_kept():
    with serving(constant(TEXT)) as (model, server):
        pieces, again = wait(listed(model.stream(ASK))), wait(listed(model.stream(ASK)))
    assert len(pieces) > 5 and "".join(pieces) == TEXT
    assert again == [TEXT]
    assert [asked.stream for asked in server.asked] == [True]
    assert model.ledger.total().cost == server.bill.cost > 0


def test_a_stream_is_tried_again_before_its_first_piece():
    with serving(sequence(failure(500, "no"), failure(429, "busy"), TEXT)) as (model, server):
        assert "".join(wait(listed(model.stream(ASK)))) == TEXT
    assert len(server.asked) == 3


def test_a_stream_that_breaks_off_is_an_error_and_counts_in_full():
    with serving(constant(Reply(TEXT, manner="cut"))) as (model, server):
        with pytest.raises(ModelUnreachable, match="broke off"):
            wait(listed(model.stream(ASK)))
    assert len(server.asked) == 1
    assert model.ledger.total().cost > 2048 * 2 / Decimal(10**6)


@pytest.mark.parametrize(
    "reply", [Reply(""), Reply("", refusal="No."), Reply("", tool_calls=(("f", "{}"),))]
)
def test_a_stream_of_nothing_is_an_error(reply):
    with (
        serving(constant(reply)) as (model, server),
        pytest.raises(ReplyInvalid, match="replied with nothing"),
    ):
        wait(listed(model.stream(ASK)))


def test_a_stream_that_overflows_is_asked_for_with_less():
    prompt = replace(ASK, context=tuple("word " * 100 for _ in range(8)))
    with serving(overflowing(constant(TEXT), 700)) as (model, server):
        assert "".join(wait(listed(model.stream(prompt)))) == TEXT


def test_a_stream_that_is_left_hangs_up():
    async def first_piece(model):
        pieces = model.stream(ASK)
        piece = await anext(pieces)
        await pieces.aclose()
        return piece, [one for one in asyncio.all_tasks() if one is not asyncio.current_task()]

    with serving(constant(Reply(TEXT, pace=5.0)), patience=Patience()) as (model, server):
        started = time.monotonic()
        piece, running = wait(first_piece(model))
    assert TEXT.startswith(piece) and running == []
    assert time.monotonic() - started < 2
    assert (model.ledger.pending, model.replies.get("any")) == (0, None)


# telemetry ----------------------------------------------------------------------------------------------------------


def test_telemetry_names_model_and_tokens_and_holds_no_content(monkeypatch):
    from opentelemetry.trace import NonRecordingSpan, NoOpTracer, SpanContext, TracerProvider

    seen = []

    class Recorded(NonRecordingSpan):
        def is_recording(self):
            return True

        def set_attribute(self, key, value):
            seen.append((key, value))

        def set_attributes(self, attributes):
            seen.extend(attributes.items())

    class Tracer(NoOpTracer):
        def start_span(self, name, context=None, kind=None, attributes=None, *rest, **more):
            seen.extend((attributes or {}).items())
            return Recorded(SpanContext(1, 1, False))

    class Provider(TracerProvider):
        def get_tracer(self, *rest, **more):
            return Tracer()

    monkeypatch.setattr("pydantic_ai.models.instrumented.get_tracer_provider", Provider)
    with serving(constant(RIGHT)) as (model, server):
        complete(model)
        assert seen == []
        complete(replace(model, telemetry=True, replies=Replies()))
    attributes = dict(seen)
    assert attributes["gen_ai.request.model"] == "scripted"
    assert attributes["gen_ai.usage.input_tokens"] == server.bill.rows[0].input
    assert not any(
        "seven" in str(value) or "How many" in str(value) for value in attributes.values()
    )


def open_readers():
    return [each for each in gc.get_objects() if inspect.isasyncgen(each) and each.ag_frame]


def test_no_reader_of_a_response_is_left_behind_for_the_garbage_collector():
    with serving(constant(RIGHT)) as (model, _):
        gc.collect()
        before = open_readers()
        complete(model)
        left = [each for each in open_readers() if each not in before]
    assert [each.__qualname__ for each in left] == []
