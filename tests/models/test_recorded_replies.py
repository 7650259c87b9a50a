"""What vLLM's and Ollama's servers send, in the shapes that their documentation and reports of their users show, over HTTP.

vLLM: "Reasoning Outputs" (v0.8.3, v0.11.2, v0.26.0), "Structured Outputs" and "OpenAI-Compatible Server" of its documentation,
and the bodies of refusals quoted in its issues 4667, 19861 and 20409. Ollama: "OpenAI compatibility" and "Generate embeddings"
of its documentation. All were read on 2026-11-24.
"""

import json
from dataclasses import replace
from decimal import Decimal
from typing import Literal

import pytest
from pydantic import TypeAdapter

from pincite.errors import ModelError
from pincite.generate.line_prompts import AnalysedLineForm
from pincite.models.endpoints.chat import ChatModel
from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.endpoint_limits import Patience
from pincite.models.forms import VerdictForm
from pincite.models.loop import wait
from pincite.models.recording_model import least_value
from pincite.ports import Prompt
from pincite.storage.ledger import Ledger, Price, metered
from pincite.types import Usage
from tests.stand_ins import scripted_server
from tests.stand_ins.fakes import ScriptedServer, minimal
from tests.stand_ins.scripts import Reply

PATIENCE = Patience(timeout=20, tries=6, first=0.01, longest=0.15, whole=60)
PROMPT = Prompt(
    "Fill in the form.", "How many are there?", ("There are seven.", "There were six.")
)
FORM = AnalysedLineForm
FILLED = json.dumps(least_value(FORM.model_json_schema()))
RIGHT = FORM.model_validate_json(FILLED)


def vllm(content, finish="stop", usage=(2100, 60), **fields):
    """A reply of vLLM, which writes out every field; `fields` are those of the message."""
    message = {
        "role": "assistant", "content": content, "refusal": None, "annotations": None, "audio": None,
        "function_call": None, "tool_calls": [], **fields,
    }  # fmt: skip
    choice = {
        "index": 0, "message": message, "logprobs": None, "finish_reason": finish, "stop_reason": None, "token_ids": None,
    }  # fmt: skip
    return Reply(
        recorded={
            "id": "chatcmpl-5f1c", "object": "chat.completion", "created": 1764000000, "model": "scripted",
            "choices": [choice], "service_tier": None, "system_fingerprint": None,
            "usage": {
                "prompt_tokens": usage[0], "total_tokens": sum(usage), "completion_tokens": usage[1],
                "prompt_tokens_details": None,
            },
            "prompt_logprobs": None, "prompt_token_ids": None, "kv_transfer_params": None,
        }
    )  # fmt: skip


def ollama(content, finish="stop", usage=(2100, 60), **fields):
    """A reply of Ollama's /v1/chat/completions; without usage where that is None."""
    counted = {} if usage is None else {
        "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    }  # fmt: skip
    message = {"role": "assistant", "content": content, **fields}
    return Reply(
        recorded={
            "id": "chatcmpl-123", "object": "chat.completion", "created": 1764000000, "model": "scripted",
            "system_fingerprint": "fp_ollama",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}], **counted,
        }
    )  # fmt: skip


def refused(message, kind="BadRequestError", wrapped=True, param=None, status=400):
    """vLLM's refusal: older versions send the error bare, newer ones under `error`."""
    error = {"message": message, "type": kind, "param": param, "code": status}
    return Reply({"error": error} if wrapped else {"object": "error", **error}, status=status)


def ask(script, prompt=PROMPT, form=FORM, **given):
    """What a model at a server with this script replied, its meter, what the server was asked, and the model."""
    with ScriptedServer(script) as server, metered() as meter:
        model = ChatModel("scripted", server.url, patience=PATIENCE, **given)
        return wait(model.complete(prompt, form)), meter, server.asked, model


@pytest.mark.parametrize(
    "reply",
    [
        vllm(FILLED),
        vllm("\n\n" + FILLED, reasoning="Is it {6} or {7}?"),
        vllm(FILLED, reasoning_content="Is it {6} or {7}?"),
        vllm(FILLED, reasoning="seven", reasoning_content="seven"),
        vllm(f"<think>Is it {{6}}?</think>\n\n{FILLED}"),  # started without --reasoning-parser
        vllm(f"Is it {{6}}?\n</think>\n\n{FILLED}"),  # its chat template opens the tag
        vllm(None, reasoning=FILLED),  # the parser took all for thoughts
        ollama(FILLED),
        ollama(FILLED, reasoning="Is it {6} or {7}?"),
        ollama(f"<think>\nIs it {{6}}?\n</think>\n{FILLED}"),
        ollama(FILLED, usage=None),
    ],
    ids=[
        "vllm", "vllm reasoning", "vllm reasoning_content", "vllm both", "vllm tags", "vllm headless",
        "vllm all thoughts", "ollama", "ollama reasoning", "ollama tags", "ollama no usage",
    ],
)  # fmt: skip
def test_the_form_is_read_wherever_the_thoughts_are(reply):
    made, _, asked, model = ask(lambda asked: reply)
    assert made.value == RIGHT and len(asked) == 1 and model.known_dialect == Dialect()


def test_thoughts_are_in_the_tokens_that_are_booked():
    ledger = Ledger()
    price = Price(Decimal(1), Decimal(2))
    thoughtful = vllm(FILLED, usage=(2100, 1900), reasoning="Is it six or seven? " * 300)
    ask(lambda asked: thoughtful, ledger=ledger, price=price)
    assert ledger.total().usage == Usage(2100, 1900)
    assert ledger.total().cost == Decimal(2100 + 2 * 1900) / 1_000_000


@pytest.mark.parametrize(
    "usage, booked",
    [
        # counted within the completion, as OpenAI and vLLM do
        ({"completion_tokens": 900, "total_tokens": 3000, "completion_tokens_details": {"reasoning_tokens": 850}}, 900),
        # counted beside it: the total says so
        ({"completion_tokens": 60, "total_tokens": 3010, "completion_tokens_details": {"reasoning_tokens": 850}}, 910),
        ({"completion_tokens": 900, "total_tokens": 3850, "completion_tokens_details": {"reasoning_tokens": 850}}, 1750),
        ({"completion_tokens": 60, "total_tokens": 3010}, 910),
    ],
)  # fmt: skip
def test_thoughts_that_are_counted_beside_the_reply_are_booked_too(usage, booked):
    body = dict(ollama(FILLED).recorded)
    body["usage"] = {"prompt_tokens": 2100, **usage}
    ledger = Ledger()
    ask(lambda asked: Reply(recorded=body), ledger=ledger)
    assert ledger.total().usage == Usage(2100, booked)


def test_thoughts_of_a_stream_that_only_the_total_has_are_booked(monkeypatch):
    monkeypatch.setattr(
        scripted_server,
        "_tokens",
        lambda usage: {"prompt_tokens": 900, "completion_tokens": 3, "total_tokens": 1750},
    )

    async def heard(model):
        return "".join([piece async for piece in model.stream(PROMPT)])

    with ScriptedServer(lambda asked: Reply("seven")) as server:
        model = ChatModel("scripted", server.url, patience=PATIENCE)
        assert wait(heard(model)) == "seven"
    assert model.ledger.total().usage == Usage(900, 850)


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_reply_that_does_not_fit_beside_the_prompt_is_asked_for_shorter_and_only_this_time(
    wrapped,
):
    said = (
        "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 8192 tokens "
        "and your request has 7000 input tokens (4096 > 8192 - 7000)."
    )

    def narrow(asked):
        tight = "all of them" in asked.text and asked.max_tokens > 1192
        return refused(said, wrapped=wrapped) if tight else vllm(FILLED)

    long = replace(PROMPT, question="How many are all of them?", max_tokens=4096)
    with ScriptedServer(narrow) as server:
        model = ChatModel("scripted", server.url, patience=PATIENCE)
        assert wait(model.complete(long, FORM)).value == RIGHT
        wait(model.complete(replace(PROMPT, max_tokens=4096), FORM))
    assert [asked.max_tokens for asked in server.asked] == [4096, 1192, 4096]
    assert model.known_dialect == Dialect()


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 12346 tokens (8250 in the messages, 4096 in "
        "the completion). Please reduce the length of the messages or completion.",
        "max_tokens must be at least 1, got -186.",
        "This model's maximum context length is 8192 tokens and your request has at least 8193 input tokens.",
        "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
    ],
)  # fmt: skip
def test_a_prompt_that_fills_the_context_is_shown_less(said):
    def narrow(asked):
        return refused(said, wrapped=False) if "There were six." in asked.text else vllm(FILLED)

    made, meter, asked, model = ask(narrow)
    assert made.value == RIGHT and made.shown == 1 and len(asked) == 2
    assert replace(model.known_dialect, window=None) == Dialect()
    assert any("context shrunk from 2 to 1" in note for note in meter.notes)


def test_a_schema_that_the_servers_grammar_does_not_know_is_asked_for_otherwise():
    def script(asked):
        if asked.native:
            return refused("The provided JSON schema contains features not supported by xgrammar.")
        if asked.tool:
            return refused(
                '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
            )
        return vllm(FILLED)

    made, _, asked, model = ask(script)
    assert made.value == RIGHT and len(asked) == 3 and model.known_dialect.structure == "object"


@pytest.mark.parametrize(
    "reply",
    [
        refused("The model `scripted` does not exist.", "NotFoundError", param="model", status=404),
        Reply(
            {
                "error": {
                    "message": 'model "scripted" not found, try pulling it first',
                    "type": "not_found_error", "param": None, "code": None,
                }
            },
            status=404,
        ),
    ],
    ids=["vllm", "ollama"],
)  # fmt: skip
def test_a_model_that_is_not_there_is_said_at_once(reply):
    with (
        ScriptedServer(lambda asked: reply) as server,
        pytest.raises(ModelError, match="Check the model's name"),
    ):
        wait(ChatModel("scripted", server.url, patience=PATIENCE).complete(PROMPT, FORM))
    assert len(server.asked) == 1


@pytest.mark.parametrize("server", [vllm, ollama])
def test_thoughts_that_fill_the_reply_get_more_room(server):
    def script(asked):
        if asked.max_tokens < 3000:
            return server("", "length", (2100, asked.max_tokens), reasoning="Is it six? " * 20)
        return server(FILLED, reasoning="It is seven.")

    made, _, asked, model = ask(script)
    assert made.value == RIGHT and [each.max_tokens for each in asked] == [2048, 8192]
    assert model.known_dialect.thinks


def test_a_prompt_that_ollama_cut_to_its_context_is_told():
    long = replace(PROMPT, context=("The number of ships was seven. " * 2000,))
    made, meter, _, _ = ask(lambda asked: ollama(FILLED, usage=(4096, 60)), long)
    (note,) = [note for note in meter.notes if "cut" in note]
    assert made.value == RIGHT and "read 4096 tokens" in note and "num_ctx" in note


def test_a_model_that_ollama_is_still_loading_is_asked_again():
    def script(asked):
        return ollama("", "load", (0, 0)) if asked.index == 0 else ollama(FILLED)

    made, _, asked, _ = ask(script)
    assert made.value == RIGHT and len(asked) == 2


def test_what_is_sent_is_what_both_document_for_structured_output():
    _, _, (asked,), _ = ask(minimal, form=VerdictForm)
    form = asked.body["response_format"]
    assert form["type"] == "json_schema" and {"name", "schema"} <= set(form["json_schema"])
    assert not {"guided_json", "format", "think"} & set(asked.body)


KINDS = [int, float, bool, str, list[str], dict[str, int], int | None, Literal["b", "a"], FORM]


@pytest.mark.parametrize("kind", KINDS)
def test_the_least_value_fits_its_schema(kind):
    adapter = TypeAdapter(kind)
    adapter.validate_python(least_value(adapter.json_schema()))
