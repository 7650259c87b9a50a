"""The official clients of two interfaces against a server that listens: `openai` and `mcp`."""

import asyncio
import socket
import threading
import time

import openai
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from pincite.serve.app import create_app
from pincite.serve.corpora import served
from pincite.serve.door.access import Access, Person, hashed
from pincite.settings import Settings

from .conftest import QUESTION

TOKEN, STRANGER = "t" * 40, "u" * 40


@pytest.fixture(scope="module")
def address(corpus):
    """A server that asks for tokens: of a reader of this corpus, and of a reader of another."""
    people = {
        hashed(TOKEN): Person("reader", "reader", frozenset(["reports"])),
        hashed(STRANGER): Person("stranger", "reader", frozenset(["others"])),
    }
    application = create_app(served([corpus], Settings()), Access(people), processes=0)
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, args=([door],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{door.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    door.close()


@pytest.fixture(scope="module")
def client(address):
    with openai.OpenAI(base_url=f"{address}/v1", api_key=TOKEN, max_retries=0) as made:
        yield made


def messages(*texts):
    roles = ("user", "assistant")
    return [{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)]


def test_the_models_are_the_corpora(client):
    assert [one.id for one in client.models.list()] == ["pincite", "pincite/reports"]
    assert client.models.retrieve("pincite/reports").owned_by == "pincite"


def test_a_completion_is_a_checked_answer_with_its_sources(client, address):
    made = client.chat.completions.create(
        model="pincite", messages=messages(QUESTION), temperature=0.2
    )
    (choice,) = made.choices
    said = choice.message
    assert choice.finish_reason == "stop" and "11,706" in said.content
    cited = said.annotations[0].url_citation
    assert said.content[cited.start_index : cited.end_index] == f"[1] {cited.title}"
    assert cited.title.endswith("page 3") and cited.url.startswith(f"{address}/c/reports/answers/")
    assert made.usage.total_tokens == made.usage.prompt_tokens + made.usage.completion_tokens > 0


def test_a_stream_says_the_same(client):
    whole = client.chat.completions.create(model="pincite", messages=messages(QUESTION))
    pieces = list(
        client.chat.completions.create(
            model="pincite",
            messages=messages(QUESTION),
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    text = "".join(one.choices[0].delta.content or "" for one in pieces if one.choices)
    assert text == whole.choices[0].message.content
    assert pieces[0].choices[0].delta.role == "assistant"
    assert [one.choices[0].finish_reason for one in pieces if one.choices][-1] == "stop"
    assert pieces[-1].usage == whole.usage


def test_a_follow_up_is_understood_by_what_was_asked_before(client):
    made = client.chat.completions.create(
        model="pincite", messages=messages(QUESTION, "USD 11,706 thousand", "And in 2022?")
    )
    alone = client.chat.completions.create(
        model="pincite", messages=messages(QUESTION.replace("2023", "2022"))
    )
    assert made.choices[0].message.content == alone.choices[0].message.content


def test_what_the_corpus_does_not_say_is_said(client):
    made = client.chat.completions.create(
        model="pincite", messages=messages("How many lighthouses does Halvorsen Maritime own?")
    )
    assert made.choices[0].message.content.startswith("N/A: ")
    assert not made.choices[0].message.annotations


def test_what_cannot_be_is_refused_in_the_interface_s_own_words(client, address):
    with pytest.raises(openai.NotFoundError, match="there is no model 'gpt'"):
        client.chat.completions.create(model="gpt", messages=messages("x"))
    with pytest.raises(openai.BadRequestError, match="only text can be asked"):
        picture = {"type": "image_url", "image_url": {"url": "http://169.254.169.254/"}}
        client.chat.completions.create(
            model="pincite", messages=[{"role": "user", "content": [picture]}]
        )
    with pytest.raises(openai.BadRequestError, match="the last message must be the user's"):
        client.chat.completions.create(model="pincite", messages=messages("a", "b"))
    for key, error in (("wrong", openai.AuthenticationError), (STRANGER, openai.NotFoundError)):
        with (
            openai.OpenAI(base_url=f"{address}/v1", api_key=key, max_retries=0) as other,
            pytest.raises(error),
        ):
            other.chat.completions.create(model="pincite", messages=messages(QUESTION))


def with_tools(address, use, token=TOKEN):
    """What `use` makes of a client of the corpus's tools."""

    async def run():
        import httpx2

        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http:
            async with Client(
                streamable_http_client(f"{address}/mcp/reports", http_client=http)
            ) as client:
                return await use(client)

    return asyncio.run(run())


def test_an_assistant_asks_over_http(address):
    async def use(client):
        listed = await client.list_tools()
        asked = await client.call_tool("ask", {"question": QUESTION})
        wrong = await client.call_tool("read_page", {"document": "Halvorsen", "page": 1})
        return listed, asked, wrong

    listed, asked, wrong = with_tools(address, use)
    assert [one.name for one in listed.tools] == [
        "ask",
        "search",
        "read_page",
        "query_table",
        "coverage",
    ]
    assert all(one.annotations.read_only_hint for one in listed.tools)
    assert (
        asked.structured_content["value"] == 11706000
        and asked.structured_content["citations"][0]["page"] == 3
    )
    assert wrong.is_error and "no document 'Halvorsen'; similar:" in wrong.content[0].text


def test_an_assistant_of_somebody_else_is_not_let_in(address):
    for token in ("wrong", STRANGER):
        with pytest.raises(BaseException):  # noqa: B017 - the client wraps it in groups of its own

            async def use(client):
                return await client.list_tools()

            with_tools(address, use, token)
