"""Strangers at the doors of a server: none makes it fail, wait, tell what is another's, or write where it should not."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite.serve import app
from pincite.serve.corpora import served
from pincite.serve.door.access import Access, Person, hashed, new_token, read_tokens
from pincite.settings import Settings

API = "/api/v1/corpora/reports"
REVENUE = "What was the revenue of Halvorsen Maritime in 2023?"
READER, REVIEWER, ADMIN = (
    {"Authorization": f"Bearer {name}"} for name in ("reader", "reviewer", "admin")
)
JSON = {"Content-Type": "application/json"}


def people():
    own = frozenset(["reports"])
    named = {"reader": own, "reviewer": own, "admin": own}
    return Access({hashed(name): Person(name, name, corpora) for name, corpora in named.items()})


@pytest.fixture(scope="module")
def folders(example_corpus, tmp_path_factory):
    place = tmp_path_factory.mktemp("doors")
    return [Path(shutil.copytree(example_corpus, place / name)) for name in ("reports", "secret")]


@contextmanager
def at(folders, access):
    application = app.create_app(served(folders, Settings()), access, local=False, processes=0)
    with TestClient(
        application, base_url="http://127.0.0.1", raise_server_exceptions=False
    ) as client:
        yield client


@pytest.fixture(scope="module")
def door(folders):
    with at(folders, people()) as client:
        yield client


@pytest.fixture(scope="module")
def answer(door):
    told = door.post(f"{API}/ask", json={"question": REVENUE}, headers=READER)
    # a door that answers at all
    assert told.status_code == 200 and told.json()["value"] == 412_608_000
    return told.json()["answer_id"]


@pytest.mark.parametrize(
    "origin",
    ["http://[", "http://[::1", "//[x]:y", "http://a]b", "null", "http://127.0.0.1.evil.example"],
)
def test_an_origin_that_is_no_address_is_refused_as_another_site(door, origin):
    """A page sends an Origin that cannot be parsed: the request is refused, and nothing fails behind it."""
    told = door.post(
        f"{API}/ask", json={"question": REVENUE}, headers={**READER, "Origin": origin}
    )
    assert told.status_code == 403
    fine = door.post(
        f"{API}/ask", json={"question": REVENUE}, headers={**READER, "Origin": "http://127.0.0.1"}
    )
    assert fine.status_code == 200


@pytest.mark.parametrize("identity", ["ZZZ", "0" * 500, "abcdef%00", "a'--", "\u202eabcdef"])
def test_a_review_of_an_answer_whose_id_cannot_be_is_no_failure_of_the_server(door, identity):
    """A form is sent for an answer whose id no answer has: it is refused, and leaves no traceback."""
    told = door.post(
        f"/c/reports/answers/{identity}/review", data={"action": "accept"}, headers=REVIEWER
    )
    assert 400 <= told.status_code < 500


@pytest.mark.parametrize("value", [
    "1" + "0" * 9_000, "9" * 9_000 + " million", "1e400", "1e-399", "1" + " million" * 1_200, "3" * 401,
    "1e99 " + "trillion " * 40,
])  # fmt: skip
def test_a_correction_beyond_all_numbers_does_not_close_all_reviews(door, answer, value):
    """A reviewer corrects an answer to a number that is too large to be read back: the reviews of all others stay readable."""
    given = {"answer_id": answer, "action": "correct", "value": value}
    assert door.post(f"{API}/feedback", json=given, headers=REVIEWER).status_code in (201, 422)
    listed = door.get(f"{API}/feedback", headers=REVIEWER)
    assert listed.status_code == 200
    assert (
        door.get("/c/reports/review", headers={**REVIEWER, "Accept": "text/html"}).status_code
        == 200
    )


ELSEWHERE = [
    "/api/v1/corpora/secret", "/api/v1/corpora/%73ecret/documents", "/api/v1/corpora/secret/jobs",
    "/api/v1/corpora/secret/grids", "/api/v1/corpora/secret/feedback", "/api/v1/corpora/secret/search?q=revenue",
    "/c/secret/", "/c/secret/sources", "/c/secret/chat", "/c/secret/review/questions.jsonl",
    "/v1/models/pincite/secret", "/c/secret/jobs", "/c/secret/answers/{answer}",
    "/api/v1/corpora/secret/answers/{answer}", "/api/v1/corpora/secret/answers/{answer}/bundle",
    "/c/secret/documents/0123456789abcdef/1",
]  # fmt: skip


@pytest.mark.parametrize("address", ELSEWHERE)
def test_a_corpus_one_may_not_see_is_as_one_that_is_not_there(door, answer, address):
    """A reader of one corpus tries the addresses of another: each reads as those of a corpus that does not exist."""
    address = address.format(answer=answer)
    told = door.get(address, headers=READER)
    nowhere = door.get(address.replace("%73", "s").replace("secret", "nosuch"), headers=READER)
    assert told.status_code == nowhere.status_code == 404
    assert told.json().get("detail", "").replace("secret", "nosuch") == nowhere.json().get(
        "detail", ""
    )


def test_an_assistant_reaches_no_other_corpus_by_any_spelling(door):
    """An MCP client names a corpus that its token does not open, spelt in several ways: none is opened."""
    call = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "coverage", "arguments": {}},
    }  # fmt: skip
    both = {**READER, "Accept": "application/json, text/event-stream"}
    assert "halvorsen" in door.post("/mcp/reports", json=call, headers=both).text
    for name in (
        "secret", "%73ecret", "reports/../secret", "reports%2f..%2fsecret", "secret/", "./secret",
        "secret?corpus=reports",
    ):  # fmt: skip
        told = door.post(f"/mcp/{name}", json=call, headers=both)
        assert told.status_code in (404, 405, 422) and "halvorsen" not in told.text


def test_a_key_of_another_person_or_kind_gives_nobody_their_job(door):
    """A reviewer sends the Idempotency-Key of another person's order: they get a job of their own, never that of the other."""
    order = {"questions": [{"id": "1", "text": REVENUE}]}
    first = door.post(
        f"{API}/batches", json=order, headers={**REVIEWER, "Idempotency-Key": "k"}
    ).json()
    again = door.post(
        f"{API}/batches", json=order, headers={**REVIEWER, "Idempotency-Key": "k"}
    ).json()
    other = door.post(
        f"{API}/batches", json=order, headers={**ADMIN, "Idempotency-Key": "k"}
    ).json()
    assert first["id"] == again["id"] != other["id"] and other["by"] == "admin"
    changed = {"questions": [{"id": "1", "text": "Who?"}]}
    assert (
        door.post(
            f"{API}/batches", json=changed, headers={**REVIEWER, "Idempotency-Key": "k"}
        ).status_code
        == 422
    )
    assert door.delete(f"{API}/jobs/{other['id']}", headers=REVIEWER).status_code == 403
    for one in (first, other):
        assert door.delete(f"{API}/jobs/{one['id']}", headers=ADMIN).status_code == 200


@pytest.mark.parametrize(
    "cursor", ["9" * 20, "-1", "²", "٣", "1e3", " 1", "1\n", "0x1", "1.0", "null"]
)
def test_a_cursor_that_was_never_given_ends_the_list_and_not_the_server(door, cursor):
    """A program makes up a cursor: it is told so."""
    assert (
        door.get(f"{API}/documents", params={"cursor": cursor}, headers=READER).status_code == 422
    )
    assert door.get(f"{API}/documents", params={"cursor": "1"}, headers=READER).status_code == 200


@pytest.mark.parametrize("spans", [
    ",".join(f"{i}-" for i in range(2_000)), ",".join(f"{2 * i}-{2 * i}" for i in range(2_000)), "9" * 5_000 + "-",
])  # fmt: skip
def test_a_file_asked_for_in_thousands_of_pieces_is_not_multiplied(door, spans):
    """A reader asks for a file in thousands of overlapping ranges: the reply is about as long as the file, and comes at once."""
    key = door.get(f"{API}/documents", headers=READER).json()["items"][0]["key"]
    whole = len(door.get(f"{API}/documents/{key}/file", headers=READER).content)
    started = time.process_time()
    told = door.get(f"{API}/documents/{key}/file", headers={**READER, "Range": f"bytes={spans}"})
    assert whole and len(told.content) <= 2 * whole and time.process_time() - started < 1
    assert told.status_code != 500


def test_a_grid_that_is_small_to_send_and_endless_to_fill_is_refused_at_once(door):
    """A reviewer sends a grid whose periods and templates stand for gigabytes of questions: it is refused at once."""
    periods = {
        "title": "x", "rows": ["a"],
        "columns": [{"name": "a", "question": "q" * 300_000, "periods": [str(i) for i in range(150_000)]}],
    }  # fmt: skip
    written = {
        "title": "y", "rows": [{"name": "n" * 500_000}], "columns": [{"name": "a", "question": "{entity}" * 60_000}],
    }  # fmt: skip
    fine = {
        "title": "z", "rows": ["Halvorsen Maritime"], "columns": [{"name": "Revenue", "periods": ["2022", "2023"]}],
    }  # fmt: skip
    started = time.process_time()
    for spec in (periods, written):
        assert door.post(f"{API}/grids", json=spec, headers=REVIEWER).status_code == 422
    assert time.process_time() - started < 3
    job = door.post(f"{API}/grids", json=fine, headers=REVIEWER)
    assert job.status_code == 202
    door.delete(f"{API}/jobs/{job.json()['id']}", headers=REVIEWER)


@pytest.mark.parametrize("after", [
    "//evil.example", "/\\evil.example", "https://evil.example", "\\\\evil.example", "/\t/evil.example",
    "/\n/evil.example", "javascript:alert(1)", "/%5c/evil.example\r\nSet-Cookie: a=b",
])  # fmt: skip
def test_signing_in_leads_nowhere_else(door, after):
    """A link to the page that signs one in names another site to go on to: one stays here."""
    told = door.post("/login", data={"token": "reader", "next": after}, follow_redirects=False)
    door.cookies.clear()
    place = told.headers["location"]
    assert told.status_code == 303 and place.startswith("/")
    assert not place.startswith(("//", "/\\", "/\t", "/\n"))
    assert "\n" not in place and "a=b" not in told.headers.get_list("set-cookie")[0]


def test_a_session_ends_with_the_token_and_with_signing_out(folders, tmp_path):
    """A cookie that was kept is used again after signing out, and after its token was taken away: it opens nothing."""
    file = tmp_path / "tokens.toml"
    token = new_token("eve", "reader", ["reports"], file)
    new_token("other", "reader", [], file)
    access = read_tokens(file)
    kept, gone = access.begin(hashed(token)), access.begin(hashed(token))
    assert access.by_session(kept) and access.by_session(gone)
    access.end(gone)
    assert not access.by_session(gone) and access.by_session(kept)
    file.write_text(file.read_text().replace(file.read_text().split("[other]")[0], ""))
    access.refresh()
    assert not access.by_session(kept) and not access.by_token(token)


@pytest.mark.parametrize(
    "address",
    ["/api/v1/corpora/reports", "/mcp/reports", "/v1/models", "/openapi.json", "/"],
)
def test_tokens_are_guessed_at_every_door_at_one_rate(folders, address):
    """Tokens are guessed at a door other than the one to sign in by: the guesses are counted there, too."""
    with at(folders, people()) as client:
        codes = [
            client.get(
                address, headers={"Authorization": f"bEaReR guess{i}"}, follow_redirects=False
            ).status_code
            for i in range(14)
        ]
        assert 429 in codes and 200 not in codes
        assert (
            client.get("/api/v1/corpora/reports", headers=READER).status_code == 200
        )  # who has one is not held up


@pytest.mark.parametrize("name", [
    'a\n{"who": "admin"}.pdf', "../../audit.jsonl", "\u2028x\u2029.pdf", "\x1b]0;x\x07.pdf", "con.pdf",
    "a" * 4_000 + ".pdf",
])  # fmt: skip
def test_a_name_of_a_file_forges_no_line_of_the_log_and_no_place(folders, tmp_path, name):
    """An admin's upload carries a name made to end a line of the audit log, or to lead elsewhere: it does neither."""
    place = Path(shutil.copytree(folders[0], tmp_path / "reports"))
    before = (place / "audit.jsonl").stat().st_size if (place / "audit.jsonl").exists() else 0
    with at([place], people()) as client:
        told = client.post(
            f"{API}/documents", files={"files": (name, b"%PDF-1.4 no more")}, headers=ADMIN
        )
        assert told.status_code in (202, 415, 422)
        if told.status_code == 202:
            client.delete(f"{API}/jobs/{told.json()['id']}", headers=ADMIN)
    after = (place / "audit.jsonl").read_bytes()[before:]
    lines = [json.loads(line) for line in after.split(b"\n") if line]
    assert lines and len(lines) <= 2 and {one["who"] for one in lines} == {"admin"}
    assert all("at" in one for one in lines)
    assert {one.name for one in tmp_path.iterdir()} == {"reports"}
    assert all(path.resolve().is_relative_to(place) for path in place.rglob("*"))


@pytest.mark.parametrize("body", [
    b"[" * 200_000, b'{"question":' * 50_000, b'{"question": "\\ud800"}', b"\xff\xfe{}", b'{"question": NaN}',
    b'{"question": "x", "question2": 1}', b'{"question": "x", "unit": ' + b"9" * 10_000 + b"}",
    b'{"question": "x", "where": {"' + b"a" * 500 + b'": ["b"]}}',
])  # fmt: skip
def test_a_body_that_is_no_question_is_refused(door, body):
    """A body is nested a thousandfold, holds half a character or a number of ten thousand digits: it is told what is wrong."""
    told = door.post(f"{API}/ask", content=body, headers={**READER, **JSON})
    assert told.status_code in (400, 422) and told.json()["status"] == told.status_code


def test_a_reader_does_nothing_that_is_kept_for_others(door, answer):
    """A reader tries all that changes something: none is let through, whatever method the header names."""
    key = door.get(f"{API}/documents", headers=READER).json()["items"][0]["key"]
    tried = [
        ("DELETE", f"{API}/documents/{key}", {}),
        ("POST", f"{API}/batches", {"json": {"questions": [{"id": "1", "text": "x"}]}}),
        ("POST", f"{API}/feedback", {"json": {"answer_id": answer, "action": "accept"}}),
        ("POST", f"{API}/grids", {"json": {"title": "x", "rows": ["a"], "columns": [{"name": "b"}]}}),
        ("POST", f"{API}/documents", {"files": {"files": ("a.txt", b"hello")}}),
        ("POST", f"/c/reports/documents/{key}/remove", {}),
        ("POST", f"/c/reports/answers/{answer}/review", {"data": {"action": "accept"}}),
        ("POST", "/c/reports/grids", {"files": {"spec": ("a.csv", b"a,b\nc,")}}),
    ]  # fmt: skip
    for method, address, given in tried:
        told = door.request(
            method, address, headers={**READER, "X-HTTP-Method-Override": "GET"}, **given
        )
        assert told.status_code == 403, (method, address)
    assert (
        door.request(
            "GET", f"{API}/documents/{key}", headers={**READER, "X-HTTP-Method-Override": "DELETE"}
        ).status_code
        != 204
    )
    assert len(door.get(f"{API}/documents", headers=READER).json()["items"]) == 3


def test_a_server_goes_on_where_its_log_is_a_pipe_that_nobody_reads(example_corpus, tmp_path):
    """The folder of a corpus comes with a pipe as its audit log: who is refused does not hold up the server for ever."""
    place = Path(shutil.copytree(example_corpus, tmp_path / "reports"))
    os.mkfifo(place / "audit.jsonl")
    heard = []

    def ask():
        with at([place], people()) as client:
            heard.append(client.get(API).status_code)
            heard.append(client.get("/health").status_code)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(10)
    if asking.is_alive():  # lets it go, so that the test ends
        os.close(os.open(place / "audit.jsonl", os.O_RDONLY | os.O_NONBLOCK))
    assert heard == [401, 200]


def test_two_lengths_and_chunks_together_are_not_two_requests(example_corpus, tmp_path):
    """A request says its length twice, or in two ways, so that a proxy and the server disagree: no second one is made of it."""
    place = Path(shutil.copytree(example_corpus, tmp_path / "reports"))
    words = [
        sys.executable, "-P", "-m", "pincite", "serve", "--corpus", str(place), "--port", "0", "--json",
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    server = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    try:
        port = int(_told(server.stdout)["address"].rstrip("/").rpartition(":")[2])
        inner = f"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        for lengths in (
            f"Content-Length: 0\r\nContent-Length: {len(inner)}\r\n",
            f"Content-Length: {len(inner)}\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked, identity\r\n", "Content-Length: +0\r\n", "Content-Length : 0\r\nX: y\r\n",
            f"Content-Length: {'9' * 40}\r\n",
        ):  # fmt: skip
            said = _said(
                port, f"POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{lengths}\r\n{inner}"
            )
            assert said.startswith(b"HTTP/1.1 4")
            assert b"openapi" not in said.replace(b"/openapi.json lists", b"")
        assert b"openapi" in _said(port, inner)
    finally:
        server.terminate()
        server.wait(15)
        server.stdout.close()


def _told(stream):
    """The JSON that a program begins with."""
    text = ""
    for line in stream:
        text += line.decode()
        if line.startswith(b"}"):
            return json.loads(text)
    raise AssertionError(text)


def _said(port, text):
    """What is said until the connection is quiet for a moment."""
    said = b""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(text.encode())
        try:
            while part := connection.recv(65536):
                said += part
                connection.settimeout(0.3)
        except TimeoutError:
            pass
    return said
