"""Who may reach what: tokens, roles, corpora, sessions; nobody without one where others can reach the server."""

import sys

import pytest

from pincite.cli.main import main
from pincite.errors import UsageError
from pincite.serve.app import create_app
from pincite.serve.door.access import Access, Person, hashed, new_token, read_tokens
from pincite.serve.door.caller_limits import Rate

from .conftest import API, PAGE, QUESTION, serving

PEOPLE = {"ria": "reader", "rob": "reviewer", "ada": "admin"}


@pytest.fixture(scope="module")
def guarded(corpus):
    people = {hashed(f"token of {name}"): Person(name, role) for name, role in PEOPLE.items()}
    people[hashed("token of eve")] = Person("eve", "admin", frozenset({"other"}))
    with serving(corpus, Access(people), local=False) as made:
        yield made


def bearer(name):
    return {"Authorization": f"Bearer token of {name}"}


def test_without_a_token_there_is_nothing_to_see(guarded):
    for path in (
        API,
        f"{API}/documents",
        "/openapi.json",
        "/metrics",
        "/c/reports/",
        "/api/v1/corpora",
    ):
        assert guarded.get(path).status_code == 401, path
    page = guarded.get("/c/reports/?q=a%20b", headers=PAGE)
    assert (
        page.status_code == 303
        and page.headers["location"] == "/login?next=%2Fc%2Freports%2F%3Fq%3Da%2520b"
    )
    assert guarded.get("/health").status_code == 200


def test_roles_and_corpora(guarded):
    key = guarded.get(f"{API}/documents", headers=bearer("ria")).json()["items"][0]["key"]
    for name, reads, batch, remove in (
        ("ria", 200, 403, 403), ("rob", 200, 422, 403), ("ada", 200, 422, 404), ("eve", 404, 404, 404),
    ):  # fmt: skip
        mine = bearer(name)
        assert (
            guarded.post(f"{API}/ask", json={"question": QUESTION}, headers=mine).status_code
            == reads
        ), name
        assert (
            guarded.post(f"{API}/batches", json={"questions": []}, headers=mine).status_code
            == batch
        ), name
        gone = key if name in ("ria", "rob") else "0" * 16
        assert guarded.delete(f"{API}/documents/{gone}", headers=mine).status_code == remove, name
    assert guarded.get("/api/v1/corpora", headers=bearer("eve")).json() == []
    assert guarded.get("/metrics", headers=bearer("rob")).status_code == 403


def test_a_browser_signs_in_with_a_session_and_out(guarded):
    wrong = guarded.post("/login", data={"token": "no", "next": "/"}, headers=PAGE)
    assert wrong.status_code == 401 and "This token is not valid" in wrong.text
    entered = guarded.post("/login", data={"token": "token of ria", "next": "/c/reports/sources"})
    assert entered.status_code == 303 and entered.headers["location"] == "/c/reports/sources"
    cookie = entered.headers["set-cookie"]
    assert (
        "HttpOnly" in cookie
        and "samesite=strict" in cookie.casefold()
        and "token of" not in cookie
    )
    page = guarded.get("/c/reports/sources", headers=PAGE)
    assert (
        page.status_code == 200
        and "ria, reader" in page.text
        and "Upload and index" not in page.text
    )
    guarded.post("/logout")
    guarded.cookies.clear()
    guarded.cookies.set("pincite_session", cookie.split("=", 1)[1].split(";")[0])
    assert guarded.get("/c/reports/sources").status_code == 401, "a session that was ended is over"
    guarded.cookies.clear()


@pytest.mark.parametrize(
    "next", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_signing_in_leads_nowhere_else(guarded, next):
    reply = guarded.post("/login", data={"token": "token of ria", "next": next})
    assert reply.headers["location"] == "/"
    guarded.cookies.clear()


def test_chats_are_ones_own(guarded):
    mine = (
        guarded.post("/c/reports/chat", data={"q": QUESTION}, headers=bearer("ria"))
        .headers["location"]
        .partition("#")[0]
    )
    assert guarded.get(mine, headers=bearer("ria")).status_code == 200
    assert guarded.get(mine, headers=bearer("ada")).status_code == 404
    assert QUESTION not in guarded.get("/c/reports/chat", headers={**bearer("ada"), **PAGE}).text


def test_what_is_changed_or_refused_is_in_the_audit_log_and_no_token_is(guarded, corpus):
    guarded.get(API, headers={"Authorization": "Bearer secret-of-nobody"})
    log = (corpus / "audit.jsonl").read_text()
    assert '"who": "ria"' in log and '"status": 401' in log and '"did": "DELETE' in log
    assert "token of" not in log and "secret-of-nobody" not in log


def test_a_rate_lets_so_many_through():
    rate = Rate(3)
    assert [rate.wait_for("a") > 0 for _ in range(4)] == [False, False, False, True]
    assert rate.wait_for("b") == 0


def test_guessing_tokens_is_slowed_down(corpus):
    with serving(corpus, Access({hashed("x"): Person("x", "reader")}), local=False) as made:
        seen = [
            made.get(API, headers={"Authorization": "Bearer guess"}).status_code for _ in range(12)
        ]
    assert seen[:10] == [401] * 10 and seen[-1] == 429


def test_token_files(tmp_path):
    path = tmp_path / "tokens.toml"
    token = new_token("ada", "admin", ["reports"], path)
    assert token not in path.read_text() and path.stat().st_mode & 0o077 == 0
    access = read_tokens(path)
    assert access.people[access.by_token(token)] == Person("ada", "admin", frozenset({"reports"}))
    assert access.by_token("other") == ""
    for content, said in (
        ("", "holds no token"), ("[a]\nrole='king'\nsha256='" + "0" * 64 + "'", "role"), ("[a]\n", "sha256"),
        ("[", "not valid TOML"), ('["../x"]\nsha256="' + "0" * 64 + '"', "letters"),
    ):  # fmt: skip
        path.write_text(content)
        with pytest.raises(UsageError, match=said):
            read_tokens(path)
    with pytest.raises(UsageError, match="letters"):
        new_token("../x", "admin", [], path)


def test_no_server_for_others_without_tokens(corpus, monkeypatch, capsys):
    with pytest.raises(ValueError, match="this machine only"):
        create_app({}, Access(), local=False)
    for host in ("0.0.0.0", "192.0.2.1", "::"):
        monkeypatch.setattr(
            sys, "argv", ["pincite", "serve", "--corpus", str(corpus), "--host", host]
        )
        with pytest.raises(SystemExit) as stop:
            main()
        assert stop.value.code == 2 and "needs tokens" in capsys.readouterr().err
