"""A batch with a model that fails in all its ways: nothing lost, nothing paid twice, the same bytes."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from decimal import Decimal

import pytest

from pincite.errors import BudgetSpent, ModelError
from pincite.workbench.batch import COSTS, GIVEN_UP, QuestionLine, run
from pincite.workbench.library import Library
from tests.served import LABELS, question, right, serving
from tests.stand_ins.fakes import Reply, delayed, failure, faulty

pytestmark = pytest.mark.servers

QUESTIONS = [
    QuestionLine(f"{label.replace(' ', '-').lower()}-{year}", question(label, year), kind="number")
    for label in LABELS
    for year in (2023, 2022)
]


@pytest.fixture(autouse=True)
def _hasty(monkeypatch):
    pause = "pincite.models.endpoints.endpoint_limits.Patience.pause"
    monkeypatch.setattr(pause, lambda self, tried, told: 0.01)


@pytest.fixture(scope="module")
def plain(example_corpus, tmp_path_factory):
    """The bytes of a run without faults."""
    folder = tmp_path_factory.mktemp("plain")
    shutil.copytree(example_corpus, folder / "corpus")
    with serving() as (server, settings):
        done = run(QUESTIONS, Library(folder / "corpus", settings), folder / "a.jsonl", "jsonl")
    assert done.failed == {} and sum(not one["refused"] for one in done.records) == len(QUESTIONS)
    assert not (folder / "a.jsonl.partial").exists() and not server.bill.paid_twice
    return (folder / "a.jsonl").read_bytes()


def costs_of(out):
    return [json.loads(line) for line in out.with_name(out.name + COSTS).read_text().splitlines()]


def test_answers_stand_in_the_order_of_the_questions_without_times(plain, fresh_corpus, tmp_path):
    rows = [json.loads(line) for line in plain.splitlines()]
    assert [one["id"] for one in rows] == [one.id for one in QUESTIONS]
    assert not {"seconds", "cost", "usage", "failed"} & set(rows[0])
    with serving() as (server, settings):
        library, told = Library(fresh_corpus, settings), []
        run(
            QUESTIONS,
            library,
            tmp_path / "a.jsonl",
            "jsonl",
            lambda done, cost: told.append((done, cost)),
        )
    assert (tmp_path / "a.jsonl").read_bytes() == plain
    costs = costs_of(tmp_path / "a.jsonl")
    assert {one["id"] for one in costs} == {one.id for one in QUESTIONS}
    assert sum(Decimal(one["cost"]) for one in costs) == server.bill.cost == told[-1][1]
    assert [done for done, _ in told] == list(range(len(QUESTIONS) + 1))
    assert server.bill.busiest <= 4


def test_a_fifth_of_the_replies_spoiled(plain, fresh_corpus, tmp_path):
    with serving(faulty(right, rate=0.4, seed=3, seconds=0.05)) as (server, settings):
        settings = replace(settings, models=replace(settings.models, concurrency=16))
        done = run(QUESTIONS, Library(fresh_corpus, settings), tmp_path / "a.jsonl", "jsonl")
    assert done.failed == {} and (tmp_path / "a.jsonl").read_bytes() == plain
    assert server.bill.paid_twice == {} and server.bill.requests > len(QUESTIONS)


def test_a_failed_question_is_no_answer_and_is_asked_again(plain, fresh_corpus, tmp_path):
    out = tmp_path / "a.jsonl"
    away = threading.Event()
    away.set()

    def moody(asked):
        return (
            Reply("", status=503)
            if away.is_set() and "Equity" in asked.said("user").split("Question:")[-1]
            else right(asked)
        )

    with serving(moody) as (server, settings):
        library = Library(fresh_corpus, settings)
        done = run(QUESTIONS, library, out, "jsonl")
        assert set(done.failed) == {"equity-2023", "equity-2022"}
        rows = {one["id"]: one for one in map(json.loads, out.read_text().splitlines())}
        assert rows["equity-2023"]["refused"] and rows["equity-2023"]["reason"].startswith(
            "not answered: scripted at"
        )
        assert rows["equity-2023"]["answer_id"] == "" and "failed" not in rows["equity-2023"]
        told = {one["id"]: one for one in costs_of(out)}
        assert told["equity-2023"]["failed"] is True and "503" in told["equity-2023"]["reason"]
        assert "equity-2023" not in (tmp_path / "a.jsonl.partial").read_text()
        away.clear()
        before = server.bill.statuses[200]
        assert run(QUESTIONS, Library(fresh_corpus, settings), out, "jsonl").failed == {}
    assert server.bill.statuses[200] == before + 2
    assert out.read_bytes() == plain and not (tmp_path / "a.jsonl.partial").exists()


def test_an_endpoint_that_will_have_none_of_it_ends_the_run(fresh_corpus, tmp_path):
    with serving(lambda asked: failure(401, "Incorrect API key")) as (server, settings):
        with pytest.raises(
            ModelError,
            match=f"{GIVEN_UP} failures in a row.*OPENAI_API_KEY.*0 of 26 questions are answered",
        ):
            run(QUESTIONS, Library(fresh_corpus, settings), tmp_path / "a.jsonl", "jsonl")
    assert server.bill.requests <= len(QUESTIONS) and not (tmp_path / "a.jsonl").exists()


def test_the_budget_holds_by_the_servers_own_bill_and_the_run_goes_on(
    plain, fresh_corpus, tmp_path
):
    out = tmp_path / "a.jsonl"
    with serving(faulty(right, rate=0.2, seed=5, seconds=0.05)) as (server, settings):
        for budget in ("0.08", "0.13"):
            bound = replace(settings, models=replace(settings.models, budget=Decimal(budget)))
            with pytest.raises(
                BudgetSpent, match=r"of 26 questions are answered and kept"
            ) as spent:
                run(QUESTIONS, Library(fresh_corpus, bound), out, "jsonl")
            assert spent.value.exit_code == 3
            assert 0 < server.bill.cost <= Decimal(budget)
            assert not out.exists() and (tmp_path / "a.jsonl.partial").exists()
        assert run(QUESTIONS, Library(fresh_corpus, settings), out, "jsonl").failed == {}
    assert out.read_bytes() == plain and server.bill.paid_twice == {}


def start(folder, corpus, url):
    (folder / "q.jsonl").write_text("".join(
        json.dumps({"id": one.id, "question": one.text, "kind": one.kind}) + "\n" for one in QUESTIONS
    ))  # fmt: skip
    (folder / "pincite.toml").write_text(
        "[models]\nconcurrency = 4\n[models.prices.scripted]\ninput = 2\noutput = 8\n"
    )
    command = [
        sys.executable,
        "-m",
        "pincite.cli.main",
        "batch",
        "q.jsonl",
        "--corpus",
        str(corpus),
        "--out",
        "a.jsonl",
    ]
    environment = {**os.environ, "OPENAI_BASE_URL": url, "PINCITE_MODEL": "scripted"}
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stopped_after(process, partial, count, by):
    """Send a signal once so many answers are kept; the exit code."""
    while process.poll() is None:
        if partial.exists() and partial.read_text().count("\n") > count:
            process.send_signal(by)
            break
        time.sleep(0.01)
    process.communicate(timeout=30)
    return process.returncode


def test_a_killed_run_resumes_to_the_same_bytes(plain, fresh_corpus, tmp_path):
    prompt, late = [0], delayed(right, 2)

    def stalling(asked):
        return right(asked) if asked.number < prompt[0] else late(asked)

    with serving(stalling) as (server, _):
        for number, by in enumerate((signal.SIGKILL, signal.SIGINT)):
            prompt[0] = (
                server.bill.requests + 8
            )  # so many more come at once: the others are on their way when it ends
            process = start(tmp_path, fresh_corpus, server.url)
            code = stopped_after(process, tmp_path / "a.jsonl.partial", 3 + 6 * number, by)
            assert code == (130 if by == signal.SIGINT else -9)
            assert not (tmp_path / "a.jsonl").exists()
        prompt[0] = sys.maxsize
        if (torn := tmp_path / "a.jsonl.partial").exists():
            torn.write_text(torn.read_text() + '{"id": "half a li')
        process = start(tmp_path, fresh_corpus, server.url)
        said, problems = process.communicate(timeout=60)
    assert process.returncode == 0, problems
    assert said.startswith("26 questions answered, 0 of them N/A")
    assert (tmp_path / "a.jsonl").read_bytes() == plain
    # what was on its way when the process died may have come through unseen: at most one request for each thread
    assert len(server.bill.paid_twice) <= 2 * 4
