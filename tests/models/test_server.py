"""The scripted server: its protocol as clients see it, its scripts, its faults and its bill."""

import base64
import concurrent.futures
import http.client
import json
import os
import signal
import struct
import subprocess
import sys
import time
from decimal import Decimal
from typing import Literal

import openai
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from pincite.models.least_value import least_value
from pincite.types import Usage
from tests.stand_ins.fakes import (
    FAULTS,
    HANG,
    OVERFLOWS,
    Asked,
    Bill,
    Reply,
    ScriptedServer,
    altered,
    constant,
    delayed,
    failure,
    faulty,
    known,
    minimal,
    oracle,
    overflowing,
    sequence,
    strict,
)


class Source(BaseModel):
    page: int = Field(ge=1)
    quote: str


class Number(BaseModel):
    reasoning: str
    value: float | None
    unit: Literal["EUR", "USD"]
    sources: list[Source] = Field(min_length=1)


def body(text, **more):
    return {"model": "m", "messages": [{"role": "user", "content": text}], **more}


def form(of):
    return {
        "type": "json_schema",
        "json_schema": {"name": of.__name__, "schema": of.model_json_schema()},
    }


def post(server, sent, path="/v1/chat/completions", timeout=10, **headers):
    """(status, headers, body as text) over a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=timeout)
    try:
        connection.request("POST", path, json.dumps(sent), headers)
        reply = connection.getresponse()
        return reply.status, reply.headers, reply.read().decode()
    finally:
        connection.close()


def said(server, sent):
    status, _, text = post(server, sent)
    assert status == 200, text
    return json.loads(text)["choices"][0]["message"]["content"]


def client(server, **more):
    return openai.OpenAI(base_url=server.url, api_key="any", max_retries=0, **more)


def eventually(holds, seconds=5):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


# protocol


def test_a_client_of_the_protocol_reads_the_reply_and_its_usage():
    with ScriptedServer(constant("Four words of prose.")) as server, client(server) as asking:
        reply = asking.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "12345"}]
        )
        assert reply.choices[0].message.content == "Four words of prose."
        assert reply.choices[0].finish_reason == "stop"
        # a message is 4 and its 5 bytes are 2; the reply's 20 bytes are 5
        assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (6, 5)


def test_a_streamed_reply_comes_in_pieces_that_make_the_text():
    text = "  Net sales\nrose by 4 %, to €12 million. "
    with ScriptedServer(constant(text)) as server, client(server) as asking:
        pieces = asking.chat.completions.create(
            model="m", messages=[], stream=True, stream_options={"include_usage": True}
        )
        pieces = list(pieces)
        words = [piece.choices[0].delta.content or "" for piece in pieces if piece.choices]
        assert "".join(words) == text
        assert len([word for word in words if word]) == 9
        assert pieces[-2].choices[0].finish_reason == "stop"
        assert pieces[-1].usage.completion_tokens == 11  # 42 bytes: the euro sign has three
        assert server.bill.usage == Usage(0, 11)


def test_one_connection_takes_many_requests():
    with ScriptedServer(lambda asked: Reply(asked.text)) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        connection.connect()
        socket = connection.sock
        for number in range(5):
            connection.request(
                "POST", "/v1/chat/completions", json.dumps(body(f"q{number}", stream=number == 3))
            )
            assert f'"q{number}"' in connection.getresponse().read().decode()
        assert connection.sock is socket
        connection.close()


def test_thirty_at_once_wait_together():
    def ask(number):
        return said(server, body(f"q{number}"))

    with ScriptedServer(delayed(constant("a"), 0.3)) as server:
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(30) as pool:
            assert set(pool.map(ask, range(30))) == {"a"}
        assert time.monotonic() - begun < 0.3 * 3  # one after the other would take 9 s
        assert server.bill.busiest > 15


def test_models_are_listed():
    with ScriptedServer(models=("small", "large")) as server, client(server) as asking:
        assert [one.id for one in asking.models.list()] == ["small", "large"]


def test_other_models_and_missing_keys_are_refused():
    with ScriptedServer(models=("large",), only_listed=True, key="secret") as server:
        assert post(server, body("q"))[0] == 401
        status, _, text = post(server, body("q"), Authorization="Bearer secret")
        assert (status, json.loads(text)["error"]["code"]) == (404, "model_not_found")
        assert (
            post(server, {**body("q"), "model": "large"}, Authorization="Bearer secret")[0] == 200
        )
        assert server.bill.statuses == {401: 1, 404: 1, 200: 1}


@pytest.mark.parametrize(
    ("path", "sent", "status"),
    [
        ("/v1/chat/completions", ["no", "object"], 400),
        ("/v1/nothing", {}, 404),
        ("/v1/rerank", {"query": "a"}, 400),
    ],
)
def test_wrong_requests_are_refused(path, sent, status):
    with ScriptedServer() as server:
        found, _, text = post(server, sent, path)
        assert found == status
        assert json.loads(text)["error"]["message"]


def test_garbage_does_not_stop_the_server():
    with ScriptedServer(constant("still here")) as server:
        for garbage in (
            b"\x16\x03\x01\r\n\r\n",
            b"GET\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        ):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
            connection.connect()
            connection.sock.sendall(garbage)
            assert connection.sock.recv(10) == b""
            connection.close()
        assert said(server, body("q")) == "still here"


def test_embeddings_are_unit_vectors_near_for_shared_words():
    texts = ["solar power plant", "the solar power plant", "a cup of tea"]
    with ScriptedServer() as server, client(server) as asking:
        reply = asking.embeddings.create(
            model="e", input=texts, dimensions=32
        )  # this client asks for base64
        one, near, far = (item.embedding for item in reply.data)
        _, _, text = post(
            server, {"model": "e", "input": texts[0], "dimensions": 32}, "/v1/embeddings"
        )
        assert json.loads(text)["data"][0]["embedding"] == pytest.approx(one)
        _, _, text = post(
            server, {"input": texts[0], "encoding_format": "base64"}, "/v1/embeddings"
        )
        packed = base64.b64decode(json.loads(text)["data"][0]["embedding"])
    assert len(packed) == 64 * 4 and sum(
        x * x for x in struct.unpack("<64f", packed)
    ) == pytest.approx(1)
    assert len(one) == 32 and sum(x * x for x in one) == pytest.approx(1)
    assert (
        sum(x * y for x, y in zip(one, near, strict=True))
        > 0.8
        > 0.5
        > sum(x * y for x, y in zip(one, far, strict=True))
    )


def test_rerank_scores_are_shares_of_the_query():
    sent = {
        "query": "net sales 2021",
        "documents": ["tea", "Net sales", {"text": "sales, net, of 2021"}, "sales"],
    }
    with ScriptedServer() as server:
        results = json.loads(
            post(server, {**sent, "top_n": 3, "return_documents": True}, "/v1/rerank")[2]
        )["results"]
    assert [one["index"] for one in results] == [2, 1, 3]
    assert [one["relevance_score"] for one in results] == pytest.approx([1, 2 / 3, 1 / 3])
    assert results[0]["document"] == {"text": "sales, net, of 2021"}


# scripts


def test_minimal_fits_the_schema_that_is_asked_for():
    with ScriptedServer() as server:
        found = Number.model_validate_json(said(server, body("q", response_format=form(Number))))
    assert found == Number(
        reasoning="", value=None, unit="EUR", sources=[Source(page=1, quote="")]
    )


@settings(max_examples=50)
@given(
    st.sampled_from(
        [
            int,
            float,
            bool,
            str,
            list[str],
            dict[str, int],
            int | None,
            Literal["b", "a"],
            Number,
            list[Source],
            Source,
        ]
    )
)
def test_filled_schemas_validate(kind):
    adapter = TypeAdapter(kind)
    adapter.validate_python(least_value(adapter.json_schema()))


def test_an_oracle_fills_what_the_form_has_and_leaves_the_rest_out():
    def answer(asked):
        return {"value": 7.0, "unit": "USD", "colour": "red"} if "dollars" in asked.text else None

    with ScriptedServer(oracle(answer)) as server:
        found = json.loads(said(server, body("How many dollars?", response_format=form(Number))))
        assert found == {
            "reasoning": "",
            "value": 7.0,
            "unit": "USD",
            "sources": [{"page": 1, "quote": ""}],
        }
        assert (
            json.loads(said(server, body("How many?", response_format=form(Number))))["value"]
            is None
        )


def test_an_oracle_finds_a_schema_in_the_prompt():
    schema = json.dumps(Number.model_json_schema(), indent=2)
    sent = body(f'Pages hold {{"a": 1}}, {{ and {{"properties": 2. Reply as {schema}, in JSON.')
    with ScriptedServer(strict(oracle(lambda asked: {"value": 3}))) as server:
        assert json.loads(said(server, sent))["value"] == 3
        status, _, text = post(server, {**sent, "response_format": form(Number)})
    assert status == 400 and json.loads(text)["error"]["param"] == "response_format"


def test_known_answers_go_by_the_longest_question():
    answers = {"What was it in 2020?": "one", "And what? What was it in 2020?": "two"}
    with ScriptedServer(known(answers)) as server:
        assert said(server, body("Context. What was it in 2020?")) == "one"
        assert said(server, body("Context. And what? What was it in 2020?")) == "two"
        assert said(server, body("What else?")) == "ok"


def test_sequences_and_alterations():
    wrong = altered(
        sequence({"pages": [1]}, "prose"), lambda asked, fields: {**fields, "pages": [999]}
    )
    with ScriptedServer(wrong) as server:
        assert [said(server, body("q")) for _ in range(3)] == [
            '{"pages": [999]}',
            "prose",
            "prose",
        ]
        assert [asked.number for asked in server.asked] == [0, 1, 2]


@pytest.mark.parametrize("spelling", OVERFLOWS)
def test_a_window_that_is_too_small_is_an_error(spelling):
    with ScriptedServer(overflowing(constant("fits"), 100, spelling)) as server:
        assert said(server, body("a" * 384)) == "fits"  # 4 and 96
        status, _, text = post(server, body("a" * 385))
    assert status in (400, 413)
    assert "limit" in text or "context" in text or "maximum" in text


def test_a_reply_is_cut_to_the_tokens_that_it_may_have():
    with ScriptedServer(constant("abcdefghi")) as server:
        choice = json.loads(post(server, body("q", max_tokens=2))[2])["choices"][0]
        assert (choice["message"]["content"], choice["finish_reason"]) == ("abcdefgh", "length")
        assert server.bill.usage.output == 2


def test_refusals_and_tool_calls_are_told_as_the_protocol_does():
    script = sequence(Reply(refusal="No."), Reply(tool_calls=(("shell", '{"a": 1}'),)))
    with ScriptedServer(script) as server, client(server) as asking:
        for stream in (False, True):
            server.asked.clear()
            replies = [
                asking.chat.completions.create(model="m", messages=[], stream=stream)
                for _ in range(2)
            ]
            if stream:
                refused, called = (
                    [piece.choices[0].delta for piece in reply] for reply in replies
                )
                refused = next(delta for delta in refused if delta.refusal)
                called = next(delta for delta in called if delta.tool_calls)
            else:
                refused, called = (reply.choices[0].message for reply in replies)
                assert replies[1].choices[0].finish_reason == "tool_calls"
            assert refused.refusal == "No." and not refused.content
            assert called.tool_calls[0].function.name == "shell"


def test_a_script_that_raises_says_so():
    with ScriptedServer(lambda asked: {}["missing"]) as server:
        status, _, text = post(server, body("q"))
    assert status == 400 and "KeyError('missing')" in text


# manners


def test_drop_closes_before_a_byte_and_cut_in_the_middle():
    with ScriptedServer(
        sequence(Reply("a", manner="drop"), Reply("a" * 99, manner="cut"))
    ) as server:
        with pytest.raises(http.client.RemoteDisconnected):
            post(server, body("q"))
        with pytest.raises(http.client.IncompleteRead) as cut:
            post(server, body("q"))
        assert b'"choices"' in cut.value.partial
        assert (
            not server.bill.delivered and server.bill.usage.output == 26
        )  # both were made, and may cost


def test_a_cut_stream_has_no_end():
    with ScriptedServer(constant(Reply("one two three four", manner="cut"))) as server:
        pieces = []
        with client(server) as asking, pytest.raises(openai.APIConnectionError):
            for piece in asking.chat.completions.create(model="m", messages=[], stream=True):
                pieces.append(piece.choices[0].delta.content)
        assert pieces and " four" not in pieces
        assert not server.bill.delivered


def test_a_hang_lasts_until_the_client_leaves():
    with ScriptedServer(constant(HANG)) as server:
        with pytest.raises(TimeoutError):
            post(server, body("q"), timeout=0.2)
        assert eventually(lambda: server.bill.requests == 1)
        assert not server.bill.delivered


def test_a_paced_body_is_spread_over_time():
    for stream in (False, True):
        with ScriptedServer(constant(Reply("one two three four five six", pace=0.4))) as server:
            begun = time.monotonic()
            assert post(server, body("q", stream=stream))[0] == 200
            assert 0.25 < time.monotonic() - begun < 2


def test_a_client_that_leaves_while_it_waits_gets_no_delivery():
    with ScriptedServer(delayed(constant("late"), 30)) as server:
        with pytest.raises(TimeoutError):
            post(server, body("q"), timeout=0.1)
        assert eventually(lambda: server.bill.requests == 1)
        assert server.bill.rows[0].status == 200 and not server.bill.delivered


def test_closing_ends_hanging_requests():
    server = ScriptedServer(constant(HANG)).start()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(post, server, body("q"), timeout=20)
        assert eventually(lambda: bool(server.asked))
        begun = time.monotonic()
        server.close()
        with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
            waiting.result()
    assert time.monotonic() - begun < 2


# faults


def spoiled(fault, asked=None, reply=None):
    asked = asked or Asked(body("q", response_format=form(Number)))
    right = reply or minimal(asked)
    return faulty(constant(right), rate=1, faults=[fault], seconds=1.5)(asked)


@pytest.mark.parametrize("seed", range(20))
def test_broken_replies_fit_no_form(seed):
    asked = Asked(body(f"q{seed}", response_format=form(Number)))
    with pytest.raises(ValidationError):
        Number.model_validate_json(spoiled("broken", asked).text)


def test_what_the_faults_are():
    assert (spoiled("429").status, spoiled("429").headers) == (429, ())
    assert spoiled("429 seconds").headers == (("retry-after", "2"),)
    assert spoiled("429 date").headers[0][1].endswith("GMT")
    assert spoiled("500").status == 500 and spoiled("502").text.startswith("<html>")
    assert spoiled("half", reply=Reply("abcdef")).text == "abc"
    assert spoiled("empty").text == "" and spoiled("refusal").refusal
    assert (spoiled("hang").delay, spoiled("hang").manner) == (1.5, "drop")
    assert spoiled("hang for ever") is HANG


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"hang for ever"}))
def test_every_fault_is_served(fault):
    """Either the protocol's error or a reply comes, as a client tells them apart."""
    script = faulty(minimal, rate=1, faults=[fault], streak=1, seconds=0.1)
    with ScriptedServer(script) as server, client(server, timeout=5) as asking:

        def ask():
            return asking.chat.completions.create(
                model="m",
                messages=[{"role": "user", "content": "q"}],
                response_format=form(Number),
            )

        try:
            choice = ask().choices[0]
            assert fault in ("half", "broken", "empty", "refusal", "tools", "prose", "slow")
            with (
                pytest.raises(ValidationError) if fault != "slow" else pytest.MonkeyPatch.context()
            ):
                Number.model_validate_json(choice.message.content or "")
        except openai.APIStatusError as error:
            assert str(error.status_code) == fault[:3]
        except openai.APIConnectionError:
            assert fault in ("drop", "cut", "hang")
        assert Number.model_validate_json(ask().choices[0].message.content)  # the streak is over


def test_faults_come_at_their_rate_in_any_order_and_end():
    script = faulty(constant("right"), rate=0.2, seed=3)
    asked = [Asked(body(f"q{number}")) for number in range(1000)]
    first = {one.key: script(one).text == "right" and script(one).status == 200 for one in asked}
    again = {
        one.key: script(one).text == "right" and script(one).status == 200
        for one in reversed(asked)
    }
    assert first == again
    # 1000 draws of 0.2 have a deviation of 12.6; slow, cut, drop and hang keep their text: 8 of 12 show here
    assert 1000 * 0.2 * 8 / 12 == pytest.approx(1000 - sum(first.values()), abs=45)
    assert all(script(Asked(one.body, number=2)).text == "right" for one in asked)
    other = faulty(constant("right"), rate=0.2, seed=4)
    assert first != {
        one.key: other(one).text == "right" and other(one).status == 200 for one in asked
    }


# bill


def test_paid_twice_is_what_came_through_twice():
    script = sequence("a", "a", failure(500, "no"), Reply("a", manner="drop"), "a")
    with ScriptedServer(script, bill=Bill(price=("1", "4"))) as server:
        for text in ("one", "two", "three"):
            post(server, body(text))
        with pytest.raises(http.client.RemoteDisconnected):
            post(server, body("three"))
        assert not server.bill.paid_twice  # the third question has no reply yet
        post(server, body("three"))
        assert not server.bill.paid_twice
        post(server, body("one"))
        assert server.bill.paid_twice == {Asked(body("one")).key: 2}
        assert server.bill.statuses == {200: 5, 500: 1}
        # in: 5 + 5 + 6 + 6 + 5, out: 1 each
        assert server.bill.usage == Usage(27, 5)
        assert server.bill.cost == Decimal("0.000047")


def test_nothing_but_the_same_body_is_the_same():
    assert Asked(body("q")).key == Asked(dict(reversed(body("q").items()))).key
    assert Asked(body("q")).key != Asked(body("q", seed=1)).key


def test_a_server_of_its_own_keeps_its_bill_when_killed(tmp_path):
    (tmp_path / "scripted.py").write_text(
        "from tests.stand_ins.fakes import Reply\n\ndef echo(asked):\n    return Reply(asked.text, delay=0.05)\n"
    )
    command = [
        sys.executable,
        "-m",
        "tests.stand_ins.scripted_server",
        "scripted:echo",
        "--bill",
        str(tmp_path / "bill"),
    ]
    for count in (1, 2):
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            text=True,
        )
        try:
            with openai.OpenAI(
                base_url=process.stdout.readline().strip(), api_key="any"
            ) as asking:
                reply = asking.chat.completions.create(
                    model="m", messages=[{"role": "user", "content": "hello"}]
                )
            assert reply.choices[0].message.content == "hello"
        finally:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        assert Bill(tmp_path / "bill").requests == count
    assert list(Bill(tmp_path / "bill").paid_twice.values()) == [2]
