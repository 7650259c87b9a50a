"""The interface for programs: what comes back, what is said when it cannot."""

import json
import shutil

import pytest

from .conftest import API, QUESTION, answer, finished, serving


def test_ask_and_the_kept_answer(client):
    told = answer(client)
    assert abs(told["value"]) == 11_706_000 and told["unit"] == "EUR"
    assert told["citations"][0]["page"] == 3 and told["checks"][0]["verdict"] == "supported"
    again = client.get(f"{API}/answers/{told['answer_id']}").json()
    assert again["value"] == told["value"] and again["citations"] == told["citations"]


def test_ask_explains_and_narrows(client):
    told = client.post(
        f"{API}/ask",
        json={
            "question": QUESTION,
            "explain": True,
            "where": {"document": ["solvik-sustainability-2023.pdf"]},
        },
    ).json()
    assert told["trace"] and {one["document"] for one in told["found"]} == {
        "solvik-sustainability-2023.pdf"
    }


def test_search(client):
    found = client.get(f"{API}/search", params={"q": "income tax", "k": 2}).json()["items"]
    assert len(found) == 2 and found[0]["document"] == "halvorsen-annual-report-2023.pdf"
    assert (
        client.get(f"{API}/documents/{found[0]['key']}").json()["document"] == found[0]["document"]
    )


def test_lists_come_in_pages(client):
    first = client.get(f"{API}/documents", params={"limit": 2}).json()
    rest = client.get(f"{API}/documents", params={"limit": 2, "cursor": first["next"]}).json()
    assert [len(first["items"]), len(rest["items"]), rest["next"]] == [2, 1, None]
    assert client.get(f"{API}/documents", params={"cursor": "99"}).status_code == 422


def test_pages_pictures_and_tables(client):
    key = client.get(f"{API}/documents").json()["items"][1]["key"]
    page = client.get(f"{API}/documents/{key}/pages/3").json()
    assert any(node["kind"] == "table" for node in page["nodes"])
    framed = client.get(
        f"{API}/documents/{key}/pages/3/picture", params={"frame": ["10,10,60,60", "80,80,90,90"]}
    )
    plain = client.get(f"{API}/documents/{key}/pages/3/picture")
    assert framed.content.startswith(b"\x89PNG") and framed.content != plain.content
    assert (
        client.get(f"{API}/documents/{key}/pages/3/picture", params={"frame": "1,2,3"}).status_code
        == 422
    )
    assert (
        client.get(f"{API}/documents/{key}/pages/3/picture", params={"scale": 17}).status_code
        == 422
    )
    tables = client.get(f"{API}/documents/{key}/tables").json()["items"]
    assert tables[0]["unit"] == "EUR" and tables[0]["scale"] == "1000"


def test_failures_are_problems(client):
    for reply, status in (
        (client.get("/api/v1/corpora/nobody"), 404),
        (client.get(f"{API}/documents/0123456789abcdef"), 404),
        (client.post(f"{API}/ask", json={"question": ""}), 422),
        (client.post(f"{API}/ask", json={"question": "x", "where": {"colour": ["red"]}}), 409),
        (client.post(f"{API}/ask", content="{"), 422),
        (client.put(f"{API}/ask"), 405),
        (client.get("/nowhere"), 404),
    ):
        told = reply.json()
        assert (reply.status_code, told["status"]) == (status, status), reply.text
        assert (
            reply.headers["content-type"] == "application/problem+json"
            and told["detail"]
            and told["title"]
        )


def test_the_contract_is_openapi_31_with_problems(client):
    told = client.get("/openapi.json").json()
    assert told["openapi"].startswith("3.1")
    for path, operations in told["paths"].items():
        assert path.startswith("/api/v1/")
        for operation in operations.values():
            assert "application/problem+json" in operation["responses"]["422"]["content"]
            assert operation["summary"]


def test_batch_runs_once_for_a_key(client):
    given = {
        "questions": [
            {"id": "a", "text": QUESTION},
            {
                "id": "b",
                "text": "What was the revenue of Halvorsen Maritime in 2022?",
                "where": {"document": ["halvorsen-annual-report-2023.pdf"]},
            },
        ]
    }
    first = client.post(f"{API}/batches", json=given, headers={"Idempotency-Key": "one"})
    again = client.post(f"{API}/batches", json=given, headers={"Idempotency-Key": "one"})
    assert first.status_code == 202 and first.json()["id"] == again.json()["id"]
    other = client.post(
        f"{API}/batches",
        json={"questions": given["questions"][:1]},
        headers={"Idempotency-Key": "one"},
    )
    assert other.status_code == 422
    job = finished(client, first.json()["id"])
    assert (job["state"], job["done"], job["total"]) == ("done", 2, 2), job
    lines = [
        json.loads(line) for line in client.get(f"{API}/jobs/{job['id']}/file").text.splitlines()
    ]
    assert [(one["id"], one["value"]) for one in lines] == [("a", 11_706_000), ("b", 398_115_000)]


def test_coverage_names_no_folder_of_the_server(client, corpus):
    told = client.get(API).text
    assert str(corpus) not in told and json.loads(told)["documents"] == 3


def test_health_and_metrics(client):
    assert client.get("/health").json()["status"] == "ok"
    text = client.get("/metrics").text
    assert (
        'pincite_documents{corpus="reports"} 3' in text
        and "pincite_request_seconds_bucket" in text
    )
    assert text.count("# TYPE pincite_requests_total counter") == 1


@pytest.mark.parametrize("format", ["xlsx", "csv", "json", "parquet"])
def test_grid_feedback_and_file(client, format):
    spec = {
        "title": f"Two {format}", "rows": ["Halvorsen Maritime"],
        "columns": [{"name": "Income tax expense", "type": "number", "period": "2023"}],
    }  # fmt: skip
    if format == "xlsx":
        job = finished(client, client.post(f"{API}/grids", json=spec).json()["id"])
        assert job["state"] == "done", job
        page = client.get(f"/c/reports/jobs/{job['id']}", headers={"Accept": "text/html"}).text
        assert "Open the grid" in page
        grid = client.get(f"{API}/grids/{job['result']['grid']}").json()
        (cell,) = grid["cells"][0]
        said = {
            "answer_id": cell["answer_id"],
            "topic": cell["topic"],
            "action": "correct",
            "value": "11,707 thousand EUR",
        }
        assert client.post(f"{API}/feedback", json=said).json()["standing"] == "word"
        corrected = client.get(f"{API}/grids/{grid['id']}").json()["cells"][0][0]
        assert (corrected["status"], corrected["value"]) == ("corrected", 11_707_000)
        assert client.get(f"{API}/feedback").json()["items"][-1]["by"] == "local"
        assert (
            "corrected"
            in client.get(f"/c/reports/grids/{grid['id']}", headers={"Accept": "text/html"}).text
        )
    grid = client.get(f"{API}/grids").json()[0]["id"]
    file = client.get(f"{API}/grids/{grid}/file", params={"form": format})
    assert file.status_code == 200 and file.content
    assert client.get(f"{API}/grids/{grid}/file", params={"form": "exe"}).status_code == 422


def test_a_server_is_ready_while_its_corpora_can_be_read(client, corpus):
    assert client.get("/ready").json() == {"status": "ok", "corpora": 1, "unreadable": 0}


def test_a_server_whose_corpus_is_damaged_is_not_ready(example_corpus, tmp_path):
    folder = shutil.copytree(example_corpus, tmp_path / "reports.corpus")
    with serving(folder) as client:
        assert client.get("/ready").status_code == 200
        for path in folder.glob("corpus.sqlite*"):
            path.write_bytes(b"no database" * 1000)
        told = client.get("/ready")
        assert told.status_code == 503
        assert told.json() == {"status": "unreadable", "corpora": 1, "unreadable": 1}
        assert client.get("/health").status_code == 200


def test_questions_are_counted_by_corpus_and_outcome(example_corpus, tmp_path):
    folder = shutil.copytree(example_corpus, tmp_path / "reports.corpus")
    with serving(folder) as client:
        for text in (QUESTION, QUESTION, "What was the moon's revenue in 1850?"):
            assert client.post(f"{API}/ask", json={"question": text}).status_code == 200
        text = client.get("/metrics").text
    assert 'pincite_questions_total{corpus="reports",outcome="answered"} 1\n' in text
    assert 'pincite_questions_total{corpus="reports",outcome="refused"} 1\n' in text
    assert 'pincite_question_seconds_count{corpus="reports"} 2\n' in text
