"""Documents in and out while questions are asked; work that is stopped, followed and remembered."""

import asyncio
import json
import shutil
import threading

import pytest

from pincite.serve.corpora import AnswerSetup, served
from pincite.serve.processes.jobs import Jobs
from pincite.settings import Settings

from .conftest import API, PAGE, QUESTION, answer, finished, serving

pytestmark = pytest.mark.servers

MEMO = b"# Memo\n\nThe reserve for repairs was 42 million EUR at the end of 2023.\n"
RESERVE = {"question": "What was the reserve for repairs at the end of 2023?", "expects": "number"}


@pytest.fixture(scope="module")
def changing(example_corpus, tmp_path_factory):
    folder = shutil.copytree(example_corpus, tmp_path_factory.mktemp("changing") / "reports")
    with serving(folder) as made:
        yield made


def test_a_document_comes_and_goes_while_others_ask(changing):
    statuses, stop = [], threading.Event()

    def ask_on():
        while not stop.is_set():
            statuses.append(changing.post(f"{API}/ask", json={"question": QUESTION}).status_code)

    others = threading.Thread(target=ask_on)
    others.start()
    try:
        assert changing.post(f"{API}/ask", json=RESERVE).json()["value"] is None
        sent = changing.post(
            "/c/reports/documents",
            files=[("files", ("memo.md", MEMO)), ("files", ("more.md", b"# Other\n\nNothing."))],
        )
        assert sent.status_code == 303
        job = finished(changing, sent.headers["location"].rsplit("/", 1)[1])
        assert (job["state"], job["result"]["indexed"]) == ("done", 2), job
        told = changing.post(f"{API}/ask", json=RESERVE).json()
        assert (told["value"], told["citations"][0]["document"]) == (42_000_000, "memo.md")
        assert "memo.md" in changing.get("/c/reports/sources", headers=PAGE).text
        key = next(
            one["key"]
            for one in changing.get(f"{API}/documents").json()["items"]
            if one["document"] == "memo.md"
        )
        sent = changing.patch(f"{API}/documents/{key}", json={"company": "Tarn", "year": "2021"})
        assert finished(changing, sent.json()["id"])["state"] == "done"
        page = {"title": "A memo", "company": "Tarn", "kind": "", "year": ""}
        sent = changing.post(f"/c/reports/documents/{key}/edit", data=page)
        assert finished(changing, sent.headers["location"].rsplit("/", 1)[1])["state"] == "done"
        known = changing.get(f"{API}/documents/{key}").json()
        assert (known["title"], known["metadata"]["company"]) == ("A memo", "Tarn")
        assert known["metadata"].get("year") != "2021", "an empty field takes an edit back"
        assert "Tarn" in changing.get("/c/reports/sources", headers=PAGE).text
        assert changing.patch(f"{API}/documents/{key}", json={"year": "21"}).status_code == 422
        gone = finished(changing, changing.delete(f"{API}/documents/{key}").json()["id"])
        assert gone["result"]["removed"] == ["memo.md"]
        assert changing.post(f"{API}/ask", json=RESERVE).json()["value"] is None
        assert changing.get(f"{API}/documents/{key}").status_code == 404
        kept = changing.get(f"/c/reports/answers/{told['answer_id']}", headers=PAGE).text
        assert "is no longer in the corpus" in kept and "42" in kept
    finally:
        stop.set()
        others.join()
    assert set(statuses) == {200}
    uploads = changing.app.state.bench.corpora["reports"].folder / "uploads"
    assert [path.name for path in uploads.iterdir()] == ["more.md"]


def test_a_key_for_other_content_is_refused_and_nothing_is_overwritten(changing):
    def sent(count, key):
        text = f"# Yard\n\nThe yard had {count} cranes in 2023.\n".encode()
        return changing.post(
            f"{API}/documents",
            files={"files": ("yard.md", text)},
            headers={"Idempotency-Key": key},
        )

    first, again, other = sent(11, "one"), sent(11, "one"), sent(12, "one")
    assert (first.status_code, again.json()["id"], other.status_code) == (
        202,
        first.json()["id"],
        422,
    )
    finished(changing, first.json()["id"])
    folder = changing.app.state.bench.corpora["reports"].folder / "uploads"
    assert "11 cranes" in (folder / "yard.md").read_text() and not list(folder.glob(".*"))
    (key,) = [
        one["key"]
        for one in changing.get(f"{API}/documents").json()["items"]
        if one["document"] == "yard.md"
    ]
    finished(changing, changing.delete(f"{API}/documents/{key}").json()["id"])


def test_what_somebody_else_indexes_is_seen(changing):
    from pincite.workbench.library import index

    bench = changing.app.state.bench
    before, folder = bench.corpora["reports"].edition.number, bench.corpora["reports"].folder
    other = folder.parent / "other.md"
    other.write_text("# Other\n\nThe fleet had 17 ships in 2023.\n")
    index(other, folder)
    assert bench.corpora["reports"].refresh() or bench.corpora["reports"].edition.number > before
    assert changing.get(API).json()["documents"] == 5
    assert answer(changing)["value"] == 11_706_000


def test_work_is_stopped_and_remembered(changing):
    questions = [
        {"id": str(number), "text": f"What was revenue in {number}?"}
        for number in range(1900, 2020)
    ]
    job = changing.post(f"{API}/batches", json={"questions": questions}).json()["id"]
    assert changing.delete(f"{API}/jobs/{job}").json()["state"] == "stopped"
    assert changing.get(f"{API}/jobs/{job}/file").status_code == 404
    page = changing.get(f"/c/reports/jobs/{job}", headers=PAGE).text
    assert "stopped" in page and "data-follow" not in page and "Start it again" in page
    begun = changing.post(f"/c/reports/jobs/{job}/again", headers=PAGE)
    assert begun.headers["location"] == f"/c/reports/jobs/{job}"
    assert changing.delete(f"{API}/jobs/{job}").json()["state"] == "stopped"
    folder = changing.app.state.bench.corpora["reports"].folder
    path = folder / "jobs" / job / "job.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "state": "running"}))
    again = Jobs(served([folder], Settings())).get("reports", job)
    assert (again.state, again.title) == ("stopped", "Answer 120 questions")


def test_a_job_answers_by_the_settings_of_its_server(changing, monkeypatch):
    monkeypatch.setattr(
        changing.app.state.bench.corpora["reports"], "setup", AnswerSetup(Settings(threshold=1.0))
    )
    job = changing.post(
        f"{API}/batches", json={"questions": [{"id": "a", "text": QUESTION}]}
    ).json()["id"]
    assert finished(changing, job)["result"]["refused"] == 1


def test_what_cannot_be_done_is_said(changing):
    spec = {"title": "x", "rows": ["a"], "columns": [{"name": "b", "type": "colour"}]}
    assert changing.post(f"{API}/grids", json=spec).status_code == 422
    sent = changing.post(
        "/c/reports/grids",
        files={"spec": ("grid.csv", b"company,Revenue\ntype,colour\nContoso,\n")},
    )
    job = finished(changing, sent.headers["location"].rsplit("/", 1)[1])
    assert job["state"] == "failed" and "colour" in job["error"]
    assert str(changing.app.state.bench.corpora["reports"].folder) not in job["error"]
    assert (
        changing.post("/c/reports/grids", files={"spec": ("grid.exe", b"MZ")}).status_code == 415
    )


def test_the_same_order_goes_on_where_it_was_stopped(example_corpus, tmp_path, monkeypatch):
    async def endless(self, served, job, order):
        (self.folder(job) / "answers.jsonl.partial").touch()
        await asyncio.sleep(60)

    monkeypatch.setattr(Jobs, "_work", endless)
    there = served([shutil.copytree(example_corpus, tmp_path / "reports")], Settings())

    async def run():
        jobs, corpus = Jobs(there), there["reports"]
        first = jobs.start(corpus, "batch", "All", "ada", {"questions": [1]})
        await asyncio.sleep(0.1)
        assert (await jobs.stop(first)).state == "stopped"
        again = jobs.start(corpus, "batch", "All", "ada", {"questions": [1]})
        assert again.id == first.id and (jobs.folder(again) / "answers.jsonl.partial").exists()
        others = [
            jobs.start(corpus, "batch", "All", who, {"questions": [what]}).id
            for who, what in (("ada", 1), ("ada", 2), ("rob", 1))
        ]
        assert len({first.id, *others}) == 4
        await jobs.close()

    asyncio.run(run())
