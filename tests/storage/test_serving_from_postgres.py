"""Servers and commands over one corpus in PostgreSQL."""

import json
import time

import pytest

from pincite.storage import corpus_folder
from pincite.workbench.library import index
from tests.conftest import EXAMPLES
from tests.serve.conftest import QUESTION, answer, finished, serving
from tests.storage.test_corpus_in_postgres import other_machine

pytestmark = pytest.mark.servers


@pytest.fixture
def reports(database):
    """One of the example reports in a corpus called `reports`."""
    made = database("reports")
    index(EXAMPLES / "files" / "halvorsen-annual-report-2023.pdf", made)
    return made


def seen(client, document):
    """Whether a server comes to serve a document: it looks for newer generations every few seconds."""
    ends = time.monotonic() + 20
    while time.monotonic() < ends:
        listed = client.get("/api/v1/corpora/reports/documents").json()["items"]
        if document in {known["document"] for known in listed}:
            return True
        time.sleep(0.2)
    return False


def test_two_servers_share_a_corpus(reports, monkeypatch, tmp_path, ended):
    with serving(corpus_folder(reports)) as first:
        asked = answer(first)
        assert "11,706" in asked["text"]
        other_machine(monkeypatch, tmp_path)
        with serving(corpus_folder(reports)) as second:
            kept = second.get(f"/api/v1/corpora/reports/answers/{asked['answer_id']}")
            assert kept.status_code == 200 and kept.json()["value"] == asked["value"]

            sent = second.post(
                "/api/v1/corpora/reports/documents",
                files={
                    "files": (
                        "note.md",
                        b"# Note\n\nThe harbour fee of Tarn was 77 GBP in 2021.\n",
                    )
                },
            )
            job = finished(second, sent.json()["id"])
            assert job["state"] == "done", job
            assert seen(first, "note.md")  # what one has indexed, the other serves
            assert ended() > 0
            said = answer(first, "What was the harbour fee of Tarn in 2021?")
            assert said["citations"][0]["document"] == "note.md"
        with serving(corpus_folder(reports)) as third:
            assert third.get(f"/api/v1/corpora/reports/jobs/{job['id']}").json()["state"] == "done"


def test_no_page_names_the_server_or_the_cache(reports):
    with serving(corpus_folder(reports)) as client:
        gone = client.get("/api/v1/corpora/reports/answers/000000000000")
        assert gone.status_code == 404 or "no answer" in gone.text
        for private in ("postgresql:", str(corpus_folder(reports)), "/tmp"):
            assert private not in gone.text


def test_commands_take_an_address(pincite, reports, tmp_path):
    address = ["--corpus", reports]
    code, out, err = pincite("ask", QUESTION, *address, "--json")
    assert code == 0, err
    asked = json.loads(out)
    identity = asked["answer_id"]
    for words in (
        ("list", *address),
        ("status", *address),
        ("search", "income tax", *address),
        ("show", f"{identity}.1", *address, "--out", tmp_path / "page.png"),
        ("review", identity, *address, "--accept", "--by", "Ada"),
        ("cost", *address),
        ("doctor", *address),
        ("remove", "note.md", *address),
        ("index", EXAMPLES / "files" / "solvik-sustainability-2023.pdf", *address),
    ):
        code, out, err = pincite(*words)
        assert code in ((0, 2) if words[0] in ("review", "remove") else (0,)), (words, out, err)
        assert str(corpus_folder(reports)) not in out + err, words
    assert (tmp_path / "page.png").stat().st_size > 1000


def test_a_server_that_is_not_there(pincite, caches):
    code, out, err = pincite("list", "--corpus", "postgresql://localhost:1/x?corpus=reports")
    assert (code, out) == (1, "")
    assert "postgresql://localhost:1/x?corpus=reports cannot be opened" in err
    assert "Traceback" not in err and "/pincite/corpora" not in err
