"""Questions that never end, and processes that are killed: the server answers on, and no question is lost without a message."""

import asyncio
import os
import pickle
import socket
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from pincite.errors import GivenUp
from pincite.serve import app
from pincite.serve.corpora import AnswerSetup, served
from pincite.serve.processes import job_questions as apart
from pincite.serve.processes import jobs
from pincite.serve.processes import question_pool as asking
from pincite.serve.processes import worker_pool as workers
from pincite.serve.processes.question_pool import AskedQuestion, QuestionPool
from pincite.settings import Settings

ROOT = Path(__file__).parents[2]
BASE = "/api/v1/corpora/reports"
REVENUE = "What was the revenue of Halvorsen Maritime in {}?"
ENDLESS = "Is this for ever?"
HOOKED = """
import re
from pincite.workbench.library import Library
query, answer_many = Library.query, Library.answer_many
def hold_up(text):
    if "for ever" in text:
        re.match("(a+)+b", "a" * 64)
def held_query(self, text, *more, **named):
    hold_up(text)
    return query(self, text, *more, **named)
def held_answer_many(self, queries):
    hold_up(str(queries))
    return answer_many(self, queries)
Library.query, Library.answer_many = held_query, held_answer_many
"""
"""What a process runs before its own: a pattern that never ends, and lets no other thread have its turn."""


@pytest.fixture
def hooked(monkeypatch):
    """Processes that a question can hold up, and that are given up after two seconds."""
    monkeypatch.setattr(workers, "MAIN", HOOKED + workers.MAIN)
    monkeypatch.setattr(asking, "LONGEST_S", 2.0)


@asynccontextmanager
async def client_of(corpus, **more):
    application = app.create_app(served([corpus], Settings()), **more)
    transport = httpx.ASGITransport(application)
    async with application.router.lifespan_context(application):
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1", timeout=60
        ) as client:
            yield client


def test_a_question_that_never_ends_is_given_up_at_every_door(corpus, hooked):
    mcp = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "query_table", "arguments": {"question": ENDLESS}},
    }  # fmt: skip
    streams = {"Accept": "application/json, text/event-stream"}
    messages = [{"role": "user", "content": ENDLESS}]

    async def run():
        async with client_of(corpus, processes=4) as client:
            waits = []

            async def look():
                while True:
                    started = time.perf_counter()
                    assert (await client.get("/health")).status_code == 200
                    waits.append(time.perf_counter() - started)
                    await asyncio.sleep(0.05)

            looking = asyncio.create_task(look())
            replies = await asyncio.gather(
                client.get(f"{BASE}/search", params={"q": ENDLESS}),
                client.post(
                    "/c/reports/chat", data={"q": ENDLESS}, headers={"Accept": "text/event-stream"}
                ),
                client.post("/v1/chat/completions", json={"messages": messages, "stream": True}),
                client.post("/mcp/reports", json=mcp, headers=streams),
            )
            looking.cancel()
            for reply in replies:
                assert "was given up" in reply.text, reply.text
            assert [one.status_code for one in replies] == [503, 200, 200, 200]
            assert max(waits) < 2.0, "nothing that serves is held up"
            kept = (await client.get("/c/reports/chat", headers={"Accept": "text/html"})).text
            assert kept.count(ENDLESS) == 1, "a turn that was given up is kept as one"

    asyncio.run(run())


def test_a_job_fails_the_question_that_never_ends_and_answers_the_others(
    corpus, monkeypatch, tmp_path
):
    from pincite.workbench.batch import QuestionLine as Asked
    from pincite.workbench.batch import run
    from pincite.workbench.library import Library

    monkeypatch.setattr(workers, "MAIN", HOOKED + workers.MAIN)
    monkeypatch.setattr(Library, "answer_many", None)  # the process of a job asks nothing itself
    library = Library(corpus, Settings(threshold=0.0))
    questions = [Asked("1", REVENUE.format(2022)), Asked("2", ENDLESS)]
    with apart.JobQuestions(longest=6.0) as answers:
        made = run(questions, library, tmp_path / "answers.jsonl", "jsonl", answers=answers)
    assert [one["value"] is not None for one in made.records] == [True, False]
    assert list(made.failed) == ["2"] and "given up" in made.failed["2"]


def test_the_jobs_of_a_server_ask_in_processes_that_are_ended(monkeypatch):
    from pincite.serve.processes import work

    seen = []
    monkeypatch.setattr(
        "pincite.workbench.batch.run",
        lambda *given: seen.append(given[-1]) or (_ for _ in ()).throw(KeyError),
    )
    monkeypatch.setattr(
        "pincite.workbench.grid.fill",
        lambda *given, answers: seen.append(answers) or (_ for _ in ()).throw(KeyError),
    )
    monkeypatch.setattr("pincite.serve.corpora.Library", lambda *given, **more: None)
    spec = {"spec": {"title": "t", "rows": ["r"], "columns": [{"name": "c", "question": "q?"}]}}
    for kind, order in (("batch", {"questions": []}), ("grid", spec)):
        with pytest.raises(KeyError):
            setup = AnswerSetup(Settings())
            work.KINDS[kind](work.Work(Path("c"), order, Path("o"), lambda *told: None, setup))
    assert [type(one) for one in seen] == [apart.JobQuestions, apart.JobQuestions]


def test_a_job_that_says_nothing_is_ended(corpus, monkeypatch):
    monkeypatch.setattr(jobs, "SILENT_S", 0.2)

    async def run():
        there = served([corpus], Settings())
        held = jobs.Jobs(there)
        job = held.start(there["reports"], "batch", "Endless", "me", {"questions": []})
        async for now in held.follow(job):
            job = now
        return job

    job = asyncio.run(run())
    assert job.state == "failed" and "reported nothing" in job.error


def test_an_assistants_question_that_never_ends_is_an_error_over_stdio(corpus, tmp_path):
    from mcp import Client, StdioServerParameters

    code = (
        "import sys; from pincite.serve.processes import question_pool as asking, worker_pool as workers\n"
        f"workers.MAIN = {HOOKED!r} + workers.MAIN\n"
        f"asking.LONGEST_S = 6.0\nsys.argv = ['pincite', 'mcp', '--corpus', {str(corpus)!r}]\n"
        "from pincite.cli.main import main; main()"
    )

    async def run():
        given = StdioServerParameters(
            command=sys.executable, args=["-c", code], env=dict(os.environ)
        )
        async with Client(given) as client:
            endless = await client.call_tool("ask", {"question": ENDLESS})
            return endless, await client.call_tool("ask", {"question": REVENUE.format(2023)})

    endless, asked = asyncio.run(run())
    assert endless.is_error and "was given up" in endless.content[0].text
    assert asked.structured_content["value"] == 412608000


def test_a_process_that_is_killed_while_it_answers_loses_nothing(corpus):
    async def run():
        there = served([corpus], Settings(threshold=0.0))["reports"]
        made = QuestionPool([there], 1)
        await made.ask(there, AskedQuestion(REVENUE.format(2023)))
        (worker,) = made._workers._idle
        asked = asyncio.create_task(made.ask(there, AskedQuestion(REVENUE.format(2022))))
        while worker in made._workers._idle:
            await asyncio.sleep(0)
        os.kill(worker.process, 9)
        assert (await asked).answer.value is not None, "it is asked once more"
        (worker,) = made._workers._idle
        os.kill(worker.process, 9)
        await worker.gone.wait()
        assert (await made.ask(there, AskedQuestion(REVENUE.format(2021)))).answer_id, (
            "the pool comes back"
        )
        await made.close()

    asyncio.run(run())


def test_what_kills_its_process_twice_is_told_so(corpus, monkeypatch):
    monkeypatch.setattr(
        workers, "MAIN", HOOKED.replace('re.match("(a+)+b", "a" * 64)', "exit(9)") + workers.MAIN
    )

    async def run():
        there = served([corpus], Settings())["reports"]
        made = QuestionPool([there], 1)
        with pytest.raises(GivenUp, match="ended unexpectedly"):
            await made.ask(there, AskedQuestion(ENDLESS))
        await made.close()

    asyncio.run(run())


def test_a_process_whose_server_cannot_end_it_ends():
    code = (
        "import re\nclass Endless:\n def do(self, held):\n  re.match('(a+)+b', 'a' * 64)\n"
        "from pincite.serve.processes import child; child.ORPHANED_S = 0.2; child.nest(0.3, 'builtins:dict')"
    )
    ours, nest = socket.socketpair()
    mine, theirs = socket.socketpair()
    with nest, theirs:
        made = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=nest.fileno())
        socket.send_fds(ours, [b"1"], [theirs.fileno()])
    with mine, mine.makefile("rwb") as tube:
        order = b"c__main__\nEndless\n)\x81."
        tube.write(len(order).to_bytes(8, "big") + order)
        tube.flush()
        mine.settimeout(20)
        assert pickle.loads(tube.read()[8:]) > 0, "its number, then nothing more"
    ours.close()
    assert made.wait(20) == 0


def test_a_folder_of_our_name_where_a_server_is_started_is_not_imported(
    corpus, tmp_path, monkeypatch
):
    (tmp_path / "pincite").mkdir()
    (tmp_path / "pincite" / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.chdir(tmp_path)

    async def run():
        there = served([corpus], Settings())["reports"]
        made = QuestionPool([there], 1)
        assert (await made.ask(there, AskedQuestion(REVENUE.format(2020)))).answer_id
        await made.close()

    asyncio.run(run())
