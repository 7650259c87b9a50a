"""How endpoints behave that speak the chat protocol in their own way: each in each role, over HTTP."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from pincite.errors import ModelError, ModelUnreachable, ReplyInvalid
from pincite.generate.line_prompts import AnalysedLineForm
from pincite.models.endpoints.chat import ChatModel
from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.endpoint_limits import Patience
from pincite.models.endpoints.exchange import ReplySettings
from pincite.models.endpoints.replies import Replies
from pincite.models.forms import JudgementsForm, RephrasingsForm, VerdictForm
from pincite.models.loop import wait
from pincite.models.recording_model import least_value
from pincite.ports import Prompt
from pincite.storage.ledger import Ledger, Price, metered
from pincite.types import Usage
from tests.stand_ins.fakes import ScriptedServer, failure, minimal
from tests.stand_ins.scripts import Reply

PATIENCE = Patience(timeout=20, tries=6, first=0.01, longest=0.15, whole=60)
PROMPT = Prompt(
    "Fill in the form.", "How many are there?", ("There are seven.", "There were six before.")
)
ROLES = {
    "large": (PROMPT, AnalysedLineForm),
    "small": (replace(PROMPT, max_tokens=500), RephrasingsForm),
    "judge": (replace(PROMPT, max_tokens=800), JudgementsForm),
    "verdict": (replace(PROMPT, max_tokens=200), VerdictForm),
    "vision": (replace(PROMPT, images=(b"\x89PNG",)), AnalysedLineForm),
}


def first(refusal, when, then=minimal):
    """Refuses the requests for which `when` holds."""
    return lambda asked: refusal if when(asked) else then(asked)


def has(name):
    return lambda asked: name in asked.body


def filled(asked):
    return json.dumps(least_value(asked.schema))


def unstructured(asked):
    """Ignores `response_format` and tools: chats, unless the schema stands in the prompt."""
    if "JSON schema" not in asked.said("system"):
        return Reply("Happy to help! It seems to be seven.")
    return minimal(replace(asked, body={**asked.body, "response_format": None, "tools": None}))


def by_tools_alone(asked):
    """An endpoint that gives structured output as a tool call and in no other way."""
    if asked.native:
        return failure(400, "")
    if not asked.tool:
        return Reply("I would need a tool for that.")
    return Reply("", tool_calls=((asked.tool[0], json.dumps(least_value(asked.tool[1]))),))


def thinking(asked):
    """Thinks for 3,000 tokens before it replies."""
    if asked.max_tokens < 3000:
        return Reply("", finish="length", usage=Usage(asked.tokens, asked.max_tokens))
    return minimal(asked)


def cut_prompt(asked):
    """Reads the last 512 tokens of a prompt and says nothing of it."""
    return replace(minimal(asked), usage=Usage(512, 20))


BEHAVIOURS = {
    "a bare 400 on the schema": first(failure(400, ""), lambda asked: asked.native),
    "json_validate_failed": first(
        failure(
            400, "Failed to generate JSON. Please adjust your prompt.", "json_validate_failed"
        ),
        lambda asked: asked.native,
    ),
    "max_tokens is too large": first(
        failure(
            400,
            "max_tokens is too large: 9999. This model supports at most 150 completion tokens.",
        ),
        lambda asked: asked.max_tokens > 150,
    ),
    "max_completion_tokens is wanted": first(
        failure(
            400,
            "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ),
        has("max_tokens"),
    ),
    "temperature is refused": first(
        failure(
            400,
            "Unsupported value: 'temperature' does not support 0.0. Only the default (1) is supported.",
        ),
        has("temperature"),
    ),
    "response_format is ignored": unstructured,
    "500 failed to parse grammar": first(
        failure(500, "failed to parse grammar"), lambda asked: asked.native
    ),
    "fenced JSON": lambda asked: Reply(f"```json\n{filled(asked)}\n```"),
    "prose before JSON": lambda asked: Reply(
        f"Sure, here is the form you asked for:\n\n{filled(asked)}"
    ),
    "headless </think> with braces": lambda asked: Reply(
        f"The set {{6, 7}} and {{}}...\n</think>\n\n{filled(asked)}"
    ),
    "thoughts in a field of their own": lambda asked: Reply(
        filled(asked), thoughts="Is it {6} or {7}?"
    ),
    "thoughts in a field of their own, content empty": lambda asked: Reply(
        "", thoughts=filled(asked)
    ),
    "finish_reason=length": thinking,
    "a silently cut prompt": cut_prompt,
    "tool calls only": by_tools_alone,
    "429 with Retry-After": lambda asked: (
        failure(429, "Rate limit reached", retry_after="0")
        if asked.number == 0
        else minimal(asked)
    ),
    "429 without Retry-After": lambda asked: (
        failure(429, "Rate limit reached") if asked.number == 0 else minimal(asked)
    ),
    "a connection cut in the middle": lambda asked: replace(
        minimal(asked), manner="cut" if asked.number == 0 else "whole"
    ),
    "no usage": lambda asked: replace(minimal(asked), usage=Usage(0, 0)),
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_a_right_reply_comes_out_right_however_the_endpoint_behaves(behaviour, role):
    prompt, form = ROLES[role]
    with ScriptedServer(BEHAVIOURS[behaviour]) as server:
        model = ChatModel(
            "scripted", server.url, patience=PATIENCE, price=Price(Decimal(1), Decimal(1))
        )
        made = wait(model.complete(prompt, form))
        again = len(server.asked)
        assert (
            wait(model.complete(replace(prompt, question="And before?"), form)).value == made.value
        )
        learnt = len(server.asked) - again
    assert made.value == form.model_validate(least_value(form.model_json_schema()))
    passing = behaviour.startswith(("429", "a connection"))
    assert learnt == (2 if passing else 1), "what was learnt about the endpoint is remembered"


def ask(script, prompt=PROMPT, form=VerdictForm, **given):
    """What a model at a server with this script replied, the meter, and what the server was asked."""
    with ScriptedServer(script) as server, metered() as meter:
        model = ChatModel("scripted", server.url, patience=PATIENCE, **given)
        return wait(model.complete(prompt, form)), meter, server.asked, model


def test_an_endpoint_that_was_said_to_enforce_schemas_and_does_not_gets_them_in_the_prompt():
    made, _, asked, model = ask(unstructured, dialect=Dialect(described=False))
    assert made.asked == 3
    assert ["JSON schema" in one.said("system") for one in asked] == [False, False, True]
    assert model.known_dialect == Dialect("tool", described=True)


def test_the_ladder_goes_down_one_rung_at_each_refusal_and_stays_where_the_endpoint_takes_it():
    def words_alone(asked):
        named = [name for name in ("response_format", "tools") if asked.body.get(name)]
        return failure(400, "no") if named else minimal(asked)

    _, _, asked, model = ask(words_alone)
    forms = [(one.body.get("response_format", {}).get("type"), bool(one.tool)) for one in asked]
    assert forms == [("json_schema", False), (None, True), ("json_object", False), (None, False)]
    assert model.known_dialect.structure == "prompt"


def test_what_was_learnt_outlives_the_process(tmp_path):
    with ScriptedServer(by_tools_alone) as server:
        for question in ("How many?", "And before?"):
            model = ChatModel(
                "scripted",
                server.url,
                patience=PATIENCE,
                replies=Replies(tmp_path / "replies.sqlite"),
            )
            wait(model.complete(replace(PROMPT, question=question), VerdictForm))
    assert [bool(one.tool) for one in server.asked] == [False, True, True]


def test_a_400_for_another_reason_teaches_nothing():
    refusing = first(failure(400, "the picture is too small"), lambda asked: "small" in asked.text)
    with ScriptedServer(refusing) as server:
        model = ChatModel("scripted", server.url, patience=PATIENCE)
        with pytest.raises(Exception, match="the picture is too small"):
            wait(model.complete(replace(PROMPT, question="Is it small?"), VerdictForm))
        wait(model.complete(PROMPT, VerdictForm))
    assert server.asked[-1].native and model.known_dialect == Dialect()


def test_a_reply_that_was_cut_off_gets_a_cap_four_times_as_high_once():
    made, _, asked, _ = ask(thinking, replace(PROMPT, max_tokens=2500))
    assert [one.max_tokens for one in asked] == [2500, 10_000]
    assert made.asked == 2
    _, _, asked, _ = ask(thinking, replace(PROMPT, max_tokens=200))
    assert [one.max_tokens for one in asked] == [200, 8192]


def test_the_tokens_of_thoughts_are_booked():
    ledger = Ledger()
    _, meter, asked, _ = ask(thinking, replace(PROMPT, max_tokens=2500), ledger=ledger)
    assert ledger.total().usage.output == meter.total.usage.output >= 2500


def test_a_prompt_that_the_server_cut_is_reported():
    long = replace(PROMPT, context=("The number of ships was seven. " * 2000,))
    _, meter, _, _ = ask(cut_prompt, long)
    (said,) = [one for one in meter.notes if "cut" in one]
    assert "read 512 tokens of a prompt of about 15" in said and "num_ctx" in said
    _, meter, _, _ = ask(minimal, long)
    assert not meter.notes


BAD_BYTE = failure(500, "[json.exception.type_error.316] invalid UTF-8 byte at index 1: 0xC0")
"""llama.cpp's server on a reply of its own that is no UTF-8: at temperature 0 the same request brings the same reply."""


def test_a_request_that_a_server_fails_on_in_the_same_words_is_given_up_at_the_third_time():
    with ScriptedServer(lambda asked: BAD_BYTE) as server:
        model = ChatModel("scripted", server.url, patience=PATIENCE)
        with pytest.raises(ModelError, match="failed on this request 3 times in the same words: "):
            wait(model.complete(PROMPT, VerdictForm))
    assert len(server.asked) == 3


def test_a_server_that_fails_in_other_words_each_time_or_says_when_to_come_back_is_asked_on():
    def numbered(asked):
        return (
            failure(500, f"request {asked.number} failed") if asked.number < 4 else minimal(asked)
        )

    def busy(asked):
        return failure(500, "busy", retry_after="0") if asked.number < 4 else minimal(asked)

    def by_turns(asked):
        return (BAD_BYTE, BAD_BYTE, failure(502, "no"), BAD_BYTE, minimal(asked))[asked.number]

    for script in (numbered, busy, by_turns):
        _, _, asked, _ = ask(script)
        assert len(asked) == 5


def test_half_a_surrogate_pair_is_replaced_before_anything_is_sent():
    _, _, (asked,), _ = ask(minimal, replace(PROMPT, question="What is \ud800?"))
    assert "What is ??" in asked.said("user")


def test_settings_of_a_role_take_the_place_of_what_a_prompt_asks_for():
    settings = ReplySettings(
        max_tokens=9000,
        own_temperature=True,
        reasoning_effort="low",
        extra_body='{"num_ctx": 32768}',
    )
    _, _, (asked,), _ = ask(minimal, settings=settings)
    assert (asked.max_tokens, asked.body["reasoning_effort"], asked.body["num_ctx"]) == (
        9000,
        "low",
        32768,
    )
    assert "temperature" not in asked.body


def test_an_azure_deployment_gets_its_version_and_its_key_in_a_header(monkeypatch):
    monkeypatch.setenv("AZURE_KEY", "very-secret")
    with ScriptedServer(minimal) as server:
        model = ChatModel(
            "gpt", server.url, key="", patience=PATIENCE,
            headers=(("api-key", "$AZURE_KEY"),), query=(("api-version", "2024-10-21"),),
        )  # fmt: skip
        wait(model.complete(PROMPT, VerdictForm))
    (request,) = server.requests
    assert request.target == "/v1/chat/completions?api-version=2024-10-21"
    assert request.headers["api-key"] == "very-secret" and "authorization" not in request.headers


def test_a_secret_of_a_header_that_an_endpoint_repeats_stands_in_no_message(monkeypatch):
    monkeypatch.setenv("AZURE_KEY", "very-secret")
    with pytest.raises(Exception, match="status 401") as raised:
        ask(lambda asked: failure(401, "not very-secret"), headers=(("api-key", "$AZURE_KEY"),))
    assert "very-secret" not in str(raised.value)


def test_a_stream_that_is_cut_in_the_middle_is_a_named_failure():
    async def words(model):
        return [piece async for piece in model.stream(PROMPT)]

    with ScriptedServer(lambda asked: Reply("seven or so, I would say", manner="cut")) as server:
        with pytest.raises(ModelUnreachable, match="broke off"):
            wait(words(ChatModel("scripted", server.url, patience=PATIENCE)))


def test_a_cap_that_a_user_or_the_endpoint_set_is_kept_and_named_and_a_cut_loosens_no_form():
    with ScriptedServer(lambda asked: Reply("", finish="length")) as server:
        model = ChatModel(
            "scripted", server.url, patience=PATIENCE, settings=ReplySettings(max_tokens=300)
        )
        with pytest.raises(ReplyInvalid, match="cut off after 300 tokens"):
            wait(model.complete(PROMPT, VerdictForm))
    assert [asked.max_tokens for asked in server.asked] == [300] * 3
    assert all(asked.native for asked in server.asked)


def test_a_dialect_that_another_version_kept_is_read_as_far_as_it_is_known(tmp_path):
    kept = Replies(tmp_path / "replies.sqlite")
    kept.learn("http://x/v1", "m", Dialect("tool"))
    kept._db.execute("UPDATE dialects SET dialect = json_set(dialect, '$.later', 1)")
    assert kept.dialect("http://x/v1", "m") == Dialect("tool")
