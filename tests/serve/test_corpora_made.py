"""Corpora made in the browser, what they are given, and questions narrowed to what documents are about."""

import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from pincite.errors import CorpusError, UsageError
from pincite.serve.corpora import AnswerSetup, begin, served
from pincite.serve.door.access import Access, Person, hashed
from pincite.serve.facets import narrowed
from pincite.settings import Settings

from .conftest import PAGE, QUESTION, finished, serving

pytestmark = pytest.mark.servers


@pytest.fixture
def alone(example_corpus, tmp_path):
    """A client of a server over a corpus with nothing beside it."""
    folder = Path(shutil.copytree(example_corpus, tmp_path / "held" / "reports.corpus"))
    with serving(folder) as client:
        yield client, folder


def database(path):
    """The bytes of a database of alloys."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE alloys (name TEXT PRIMARY KEY, density_kg_m3 REAL)")
        connection.executemany(
            "INSERT INTO alloys VALUES (?, ?)", [("A6061", 2700), ("Ti64", 4430)]
        )
    connection.close()
    return path.read_bytes()


def test_a_corpus_is_made_given_a_database_and_asked(alone, tmp_path):
    client, folder = alone
    assert "A new corpus" in client.get("/corpora", headers=PAGE).text
    made = client.post("/corpora", data={"name": "alloys-2024"}, headers=PAGE)
    assert made.status_code == 303 and made.headers["location"] == "/c/alloys-2024/sources"
    assert (folder.parent / "alloys-2024.corpus" / "corpus.sqlite").is_file()
    sent = {"files": ("alloys.sqlite", database(tmp_path / "alloys.sqlite"))}
    job = client.post("/api/v1/corpora/alloys-2024/documents", files=sent).json()["id"]
    with client.stream("GET", f"/api/v1/corpora/alloys-2024/jobs/{job}/events") as events:
        assert '"done"' in list(events.iter_lines())[-2]
    page = client.get(f"/c/alloys-2024/jobs/{job}", headers=PAGE).text
    assert "<dt>Rows of tables read</dt><dd>2</dd>" in page and "Files read" not in page
    asked = {"question": "What is the density of Ti64?"}
    told = client.post("/api/v1/corpora/alloys-2024/ask", json=asked).json()
    assert "4,430" in told["text"]
    page = client.get("/c/alloys-2024/", headers=PAGE).text
    assert (
        re.search(r"What is the density of (A6061|Ti64)\?", page) and 'href="/c/reports/"' in page
    )
    assert set(served([folder.parent], Settings())) == {"reports", "alloys-2024"}
    call = {"name": "ask", "arguments": asked}
    sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    heads = {"accept": "application/json, text/event-stream"}
    told = client.post("/mcp/alloys-2024", json=sent, headers=heads).json()
    assert "4,430" in told["result"]["structuredContent"]["text"]
    assert client.post("/mcp/none", json=sent, headers=heads).status_code == 404
    chat = {
        "model": "pincite/alloys-2024",
        "messages": [{"role": "user", "content": asked["question"]}],
    }
    assert "4,430" in client.post("/v1/chat/completions", json=chat).text
    counted = 'pincite_questions_total{corpus="alloys-2024",outcome="answered"} 3\n'
    assert counted in client.get("/metrics").text


def test_a_corpus_is_renamed_with_its_jobs_and_deleted(alone):
    client, folder = alone
    client.post("/corpora", data={"name": "second"})
    sent = {"files": ("note.md", b"# A note\n\nThe pump weighs 12 kg.")}
    job = client.post("/api/v1/corpora/second/documents", files=sent).json()["id"]
    with client.stream("GET", f"/api/v1/corpora/second/jobs/{job}/events") as events:
        list(events.iter_lines())
    taken = client.post("/corpora/second/rename", data={"new": "reports"}, headers=PAGE)
    assert taken.status_code == 422 and "already" in taken.text
    assert client.post("/corpora/second/rename", data={"new": "third"}).status_code == 303
    assert client.get("/c/second/").status_code == 404
    assert client.get(f"/api/v1/corpora/third/jobs/{job}").json()["state"] == "done"
    asked = {"question": "How much does the pump weigh?"}
    assert "12 kg" in client.post("/api/v1/corpora/third/ask", json=asked).json()["text"]
    assert client.post("/corpora/third/delete").status_code == 303
    assert client.get("/c/third/").status_code == 404
    assert [path.name for path in folder.parent.iterdir()] == ["reports.corpus"]
    only = client.post("/corpora/reports/delete", headers=PAGE)
    assert only.status_code == 422 and "the only corpus" in only.text


def test_a_corpus_that_is_not_there_begins_empty(tmp_path):
    begin(tmp_path / "fresh.corpus", AnswerSetup(Settings()))
    with serving(tmp_path / "fresh.corpus") as client:
        page = client.get("/c/fresh/", headers=PAGE).text
    assert "There are no documents yet" in page and 'class="upload"' in page
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "a.txt").write_text("not a corpus")
    with pytest.raises(CorpusError):
        served([tmp_path / "papers"], Settings())


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".x", "reports", "x" * 90])
def test_names_that_no_corpus_can_have(alone, name):
    client, folder = alone
    assert client.post("/corpora", data={"name": name}, headers=PAGE).status_code == 422
    assert [path.name for path in folder.parent.iterdir()] == ["reports.corpus"]


def test_only_an_admin_of_all_corpora_makes_one(example_corpus, tmp_path):
    folder = Path(shutil.copytree(example_corpus, tmp_path / "held" / "reports.corpus"))
    people = {
        hashed("all"): Person("ada", "admin"),
        hashed("some"): Person("bo", "admin", frozenset({"reports"})),
        hashed("read"): Person("cy", "reader"),
    }
    with serving(folder, Access(people), local=False) as client:
        for token, status in (("some", 403), ("read", 403), ("all", 303)):
            held = {"Authorization": f"Bearer {token}"}
            reply = client.post("/corpora", data={"name": f"of-{token}"}, headers=held)
            assert reply.status_code == status


def test_pages_are_told_file_by_file(alone, examples):
    client, _ = alone
    content = (examples / "files" / "solvik-sustainability-2023.pdf").read_bytes() + b"\n% again"
    sent = {"files": ("again.pdf", content, "application/pdf")}
    job = client.post("/api/v1/corpora/reports/documents", files=sent).json()["id"]
    told = finished(client, job)
    assert told["state"] == "done"
    [(name, read)] = told["files"].items()
    assert name == "again.pdf" and read["pages"] >= 1 and read["read"]


def test_a_file_that_is_no_database_is_refused(alone):
    client, _ = alone
    sent = {"files": ("alloys.sqlite", b"not a database at all")}
    reply = client.post("/api/v1/corpora/reports/documents", files=sent)
    assert reply.status_code == 415 and "not a database" in reply.json()["detail"]


def test_questions_are_narrowed_by_company_kind_and_year(client):
    found = client.get("/c/reports/", params={"q": QUESTION, "year": "2023"}, headers=PAGE).text
    assert "11,706" in found
    other = client.get(
        "/c/reports/", params={"q": QUESTION, "kind": "sustainability report"}, headers=PAGE
    )
    assert "11,706" not in other.text
    none = client.get("/c/reports/", params={"q": QUESTION, "year": "1931"}, headers=PAGE)
    assert none.status_code == 422 and "no document is of year" in none.text.casefold()
    example = re.search(
        r'class="plain spaced examples"><li><a href="([^"]+)"',
        client.get("/c/reports/", headers=PAGE).text,
    )
    assert "412,608" in client.get(example[1].replace("&amp;", "&"), headers=PAGE).text
    with pytest.raises(UsageError, match="no document is of company"):
        narrowed([], {"company": "Acme"})
