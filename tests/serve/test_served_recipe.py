"""`pincite serve --recipe` over real HTTP, with a model: pages, REST and the OpenAI interface answer by it and name it."""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from pincite.indexing import ensure
from pincite.recipes import recipe
from pincite.serve.app import create_app
from pincite.serve.corpora import served
from pincite.settings import Settings
from pincite.workbench.library import shelves_of
from tests.served import agreed, question, right
from tests.stand_ins.fakes import ScriptedServer

from .conftest import API, PAGE, finished

pytestmark = pytest.mark.servers

ASKED = question("Income tax expense", 2023)
SETS = "encoder=built-in", "scorer=built-in", "first=2"
NAMED = "hero (encoder=built-in, scorer=built-in, first=2)"
TOML = '[models]\nlarge = "scripted"\nconcurrency = 4\n'


@pytest.fixture(scope="module")
def corpus(example_corpus, tmp_path_factory):
    """The example corpus with the indexes of the recipe that is served."""
    folder = Path(
        shutil.copytree(example_corpus, tmp_path_factory.mktemp("hero") / "reports.corpus")
    )
    ensure(folder, shelves_of(recipe("hero", encoder="built-in", scorer="built-in"), folder))
    return folder


@contextmanager
def running(*words, **more):
    """`pincite serve` with these words in a process of its own: its address."""
    command = [sys.executable, "-m", "pincite.cli.main", "serve", "--port", "0", "--json", *words]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )
    try:
        told = ""
        while not told.rstrip().endswith("}"):
            line = server.stdout.readline()
            assert line, server.stderr.read()
            told += line
        yield json.loads(told)["address"]
    finally:
        server.terminate()
        server.wait(30)
        assert f"recipe: {NAMED}" in server.stderr.read()


def test_a_server_answers_by_its_recipe_and_says_so(corpus, tmp_path, monkeypatch):
    (tmp_path / "pincite.toml").write_text(TOML)
    monkeypatch.chdir(tmp_path)
    with ScriptedServer(right) as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        agreed(tmp_path)
        sets = [word for pair in SETS for word in ("--set", pair)]
        words = "--corpus", str(corpus), "--recipe", "hero", *sets
        with running(*words, cwd=tmp_path, env=dict(os.environ)) as address:
            with httpx.Client(base_url=address, timeout=120) as client:
                given = {"question": ASKED, "expects": "number", "explain": True}
                told = client.post(f"{API}/ask", json=given).json()
                page = client.get(
                    "/c/reports/", params={"q": ASKED, "expects": "number"}, headers=PAGE
                )
                chat = client.post("/c/reports/chat", data={"q": ASKED})
                (known,) = client.get("/api/v1/corpora").json()
                said = client.post(
                    "/v1/chat/completions",
                    json={"model": "pincite", "messages": [{"role": "user", "content": ASKED}]},
                ).json()
    assert (told["value"], told["recipe"]) == (11_706_000, NAMED)
    assert any(stage["stage"].startswith("Rerank(") for stage in told["trace"])
    assert known["recipe"] == NAMED
    assert (
        page.text.count(NAMED) == 2
    )  # in the head of the page, and where it says how it came about
    assert chat.status_code == 303
    assert "11,706" in said["choices"][0]["message"]["content"]
    readings = [one for one in model.asked if "lines" in str(one.schema)]
    assert {one.temperature for one in readings} == {0.1}
    assert len(set(re.findall(r", p\. (\d+)\]", readings[0].said("user")))) == 2


def test_what_is_uploaded_is_indexed_for_the_recipe(corpus):
    chosen = recipe("hero", encoder="built-in", scorer="built-in")
    there = served([corpus], Settings(), chosen, stand_ins=True)
    application = create_app(there, processes=0)
    with TestClient(
        application, base_url="http://127.0.0.1:8080", follow_redirects=False
    ) as client:
        memo = b"# Memo\n\nThe reserve for repairs was 42 million EUR at the end of 2023.\n"
        sent = client.post("/c/reports/documents", files=[("files", ("memo.md", memo))])
        job = finished(client, sent.headers["location"].rsplit("/", 1)[1])
        assert (job["state"], job["result"]["indexed"]) == ("done", 1), job
        asked = {"question": "What was the reserve for repairs at the end of 2023?"}
        told = client.post(f"{API}/ask", json=asked).json()
        assert (told["value"], told["citations"][0]["document"]) == (42_000_000, "memo.md")
        batch = client.post(
            f"{API}/batches", json={"questions": [{"id": "a", "text": asked["question"]}]}
        )
        made = finished(client, batch.json()["id"])
        assert made["state"] == "done" and made["result"]["refused"] == 0, made


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--recipe", "nonesuch"), 2, "there is no recipe 'nonesuch'; known: default, bm25, hero"),
        (("--recipe", "bm25", "--set", "depth=3"), 2, "bm25 has no parameter 'depth'"),
        (("--recipe", "bm25", "--set", "k1"), 2, "--set needs NAME=VALUE"),
        (("--recipe", "hero"), 1, "this needs a language model (large) and none is set"),
        (("--recipe", "bm25", "--stand-ins"), 1, "made for another recipe"),
    ],
)
@pytest.mark.parametrize("command", ["serve", "chat", "mcp"])
def test_a_recipe_that_cannot_answer_is_refused_before_the_first_question(
    pincite, example_corpus, command, words, code, message
):
    got, out, err = pincite(command, "--corpus", example_corpus, *words, given="What?\n")
    assert message in " ".join(err.split()) and "Traceback" not in err
    assert got == code and not out
