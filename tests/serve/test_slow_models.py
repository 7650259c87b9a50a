"""Slow models behind the pages and REST: how far they are is told, and who leaves ends what is read for them."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.parse import urlencode

import httpx
import pytest

from tests.served import agreed, question, right
from tests.stand_ins.fakes import HANG, ScriptedServer, delayed

from .conftest import API, PAGE

pytestmark = pytest.mark.servers

ASKED = question("Income tax expense", 2023)
STREAM = {"Accept": "text/event-stream"}


@pytest.fixture
def serving(example_corpus, tmp_path, monkeypatch):
    """A server that asks a model with this script: a client of it, and the model's server."""
    corpus = shutil.copytree(example_corpus, tmp_path / "reports.corpus")
    (tmp_path / "pincite.toml").write_text('[models]\nlarge = "scripted"\nconcurrency = 2\n')
    monkeypatch.chdir(tmp_path)

    @contextmanager
    def begin(script):
        with ScriptedServer(script) as model:
            monkeypatch.setenv("OPENAI_BASE_URL", model.url)
            agreed(tmp_path)
            command = [sys.executable, "-m", "pincite.cli.main", "serve", "--port", "0", "--json"]
            server = subprocess.Popen(
                [*command, "--corpus", str(corpus)], stdout=subprocess.PIPE, text=True,
                cwd=tmp_path, env=dict(os.environ),
            )  # fmt: skip
            try:
                told = ""
                while not told.rstrip().endswith("}"):
                    line = server.stdout.readline()
                    assert line, "the server did not start"
                    told += line
                with httpx.Client(base_url=json.loads(told)["address"], timeout=60) as client:
                    yield client, model
            finally:
                server.terminate()
                server.wait(30)

    return begin


def events(lines):
    """The events of a stream as (name, data)."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        if line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def left(model, seconds=8):
    """Whether the model's server sees within so many seconds that who asked has left."""
    end = time.monotonic() + seconds
    while not model.bill.requests and time.monotonic() < end:
        time.sleep(0.02)
    return model.bill.requests == 1


def test_the_page_to_ask_on_tells_how_far_a_model_is_and_then_has_the_answer(serving):
    with serving(delayed(right, 1.5)) as (client, model):
        page = client.get("/c/reports/", headers=PAGE).text
        assert "data-told" in page
        with client.stream("GET", "/c/reports/", params={"q": ASKED}, headers=STREAM) as reply:
            told = list(events(reply.iter_lines()))
        asked = len(model.asked)
        page = client.get("/c/reports/", params={"q": ASKED}, headers=PAGE).text
        assert "11,706" in page and len(model.asked) == asked, "the page asks nothing again"
        with client.stream("POST", "/c/reports/chat", data={"q": ASKED}, headers=STREAM) as reply:
            doing = [data.get("doing", "") for _, data in events(reply.iter_lines())]
    assert told[-1] == ("over", {})
    lines = [data["doing"] for name, data in told if name == "told"]
    assert lines and all("lines with scripted" in line for line in lines if "reading" in line)
    assert any("explaining" in line or "with scripted" in line for line in doing)


def request(method, path, headers, body=b""):
    """The bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


ASKED_BY = {
    "page": request("GET", f"/c/reports/?{urlencode({'q': ASKED})}", PAGE),
    "stream": request("GET", f"/c/reports/?{urlencode({'q': ASKED})}", STREAM),
    "rest": request(
        "POST", f"{API}/ask", {"Content-Type": "application/json"},
        json.dumps({"question": ASKED}).encode(),
    ),
    "chat": request(
        "POST", "/c/reports/chat", {"Content-Type": "application/x-www-form-urlencoded"},
        urlencode({"q": ASKED}).encode(),
    ),
    "openai": request(
        "POST", "/v1/chat/completions", {"Content-Type": "application/json"},
        json.dumps({"messages": [{"role": "user", "content": ASKED}]}).encode(),
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", ASKED_BY)
def test_who_leaves_ends_what_is_read_for_them(serving, how):
    with serving(lambda asked: HANG) as (client, model):
        address = client.base_url.host, client.base_url.port
        with socket.create_connection(address) as connection:
            connection.sendall(ASKED_BY[how])
            end = time.monotonic() + 60
            while not model.asked and time.monotonic() < end:
                time.sleep(0.02)
            assert model.asked and not model.bill.requests
        assert left(model)
