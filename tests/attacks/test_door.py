"""Who is let in no more, what a log keeps, and uploads that are none."""

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite.cli.main import main
from pincite.errors import UsageError
from pincite.serve import app, uploads
from pincite.serve.corpora import served
from pincite.serve.door import audit
from pincite.serve.door.access import new_token, read_tokens
from pincite.serve.door.connections import config_of
from pincite.serve.processes import jobs
from pincite.settings import Settings

ROOT = Path(__file__).parents[2]
BASE = "/api/v1/corpora/reports"
REVENUE = "What was the revenue of Halvorsen Maritime in {}?"


@pytest.fixture
def guarded(corpus, tmp_path, monkeypatch):
    """A server with a file of tokens, and the token of ria and of ada in it."""
    monkeypatch.setattr(app, "LOOK_S", 0.05)
    path = tmp_path / "tokens.toml"
    tokens = {name: new_token(name, "admin", [], path) for name in ("ria", "ada")}
    there = served([corpus], Settings())
    return app.create_app(there, read_tokens(path), local=False, processes=0), path, tokens


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def without(path, name):
    """The file of tokens without the table of one."""
    tables = path.read_text().split("[")[1:]
    path.write_text("".join(f"[{table}" for table in tables if not table.startswith(name)))


def eventually(holds, seconds=5.0):
    until = time.monotonic() + seconds
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    return holds()


def test_a_token_that_is_taken_out_ends_with_its_sessions(guarded):
    application, path, tokens = guarded
    ria, ada = bearer(tokens["ria"]), bearer(tokens["ada"])
    with TestClient(application, follow_redirects=False) as client:
        session = client.post("/login", data={"token": tokens["ria"]}).cookies["pincite_session"]
        seen = {"Cookie": f"pincite_session={session}"}
        client.cookies.clear()

        def code(headers):
            return client.get(BASE, headers=headers).status_code

        assert code(seen) == code(ria) == 200
        without(path, "ria")
        assert eventually(lambda: code(ria) == 401)
        assert code(seen) == 401 and code(ada) == 200
        path.write_text("")
        assert eventually(lambda: code(ada) == 401)
        assert code({}) == 401, "no token left opens nothing"


def test_a_stream_of_a_token_that_is_taken_out_ends(guarded, monkeypatch):
    application, path, tokens = guarded
    monkeypatch.setattr(jobs, "QUIET_S", 0.1)

    async def endless(self, served, job, order):
        await asyncio.sleep(60)

    monkeypatch.setattr(jobs.Jobs, "_work", endless)

    async def run():
        there = application.state.bench.corpora["reports"]
        job = application.state.bench.jobs.start(there, "batch", "Endless", "ria", {})
        told = []

        async def receive():
            await asyncio.sleep(60)

        async def send(message):
            told.append(message)
            if len(told) == 3:
                without(path, "ria")
                application.state.bench.access.refresh()

        scope = {
            "type": "http", "method": "GET", "path": f"{BASE}/jobs/{job.id}/events", "query_string": b"",
            "headers": [(b"host", b"x"), (b"authorization", f"Bearer {tokens['ria']}".encode())], "http_version": "1.1",
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "scheme": "http", "root_path": "",
        }  # fmt: skip
        async with asyncio.timeout(5):
            await application(scope, receive, send)
        await application.state.bench.jobs.close()
        return told

    told = asyncio.run(run())
    assert len(told) < 6 and not told[-1].get("more_body")


def test_a_damaged_file_of_tokens_keeps_those_there_were_and_says_so(guarded, caplog):
    application, path, tokens = guarded
    whole = path.read_text()
    with TestClient(application) as client:
        client.headers |= bearer(tokens["ria"])
        for damaged in ("[ria", "[ria]\nrole = 'king'", "\0"):
            caplog.clear()
            path.write_text(damaged)
            assert eventually(lambda: "the tokens are unchanged" in caplog.text)
            assert client.get(BASE).status_code == 200
        path.unlink()
        assert eventually(lambda: "cannot read the tokens" in caplog.text)
        assert client.get(BASE).status_code == 200
        path.write_text(whole.replace('role = "admin"', 'role = "reader"'))
        changed = eventually(lambda: client.get("/metrics").status_code == 403)
        assert changed, "a role that is changed holds at once"


@pytest.mark.parametrize(
    ("proxy", "secure"), [("127.0.0.1", True), ("10.0.0.0/8", False), ("", False)]
)
def test_cookies_are_secure_behind_a_proxy_that_is_believed(guarded, proxy, secure):
    application, _, tokens = guarded
    config = config_of(application, "127.0.0.1", 0, proxy)
    config.load()
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7", "Host": "x.example"}
    local = {"client": ("127.0.0.1", 1234), "follow_redirects": False}
    with TestClient(config.loaded_app, headers=forwarded, **local) as client:
        begun = client.post("/login", data={"token": tokens["ria"]})
        for reply in (begun, client.post("/logout")):
            cookie = reply.headers["set-cookie"].casefold()
            assert ("; secure" in cookie) is secure
            assert reply is not begun or ("httponly" in cookie and "samesite=strict" in cookie)
        client.get(BASE, headers=bearer("nobody"))
    log = application.state.bench.corpora["reports"].folder / "audit.jsonl"
    last = json.loads(log.read_text().splitlines()[-1])
    assert last["from"] == ("192.0.2.7" if secure else "127.0.0.1")


def test_a_proxy_needs_an_address_and_tokens(corpus, monkeypatch, capsys):
    with pytest.raises(UsageError, match="--behind-proxy takes addresses"):
        config_of(None, "127.0.0.1", 0, "*")
    words = ["pincite", "serve", "-c", str(corpus), "--behind-proxy", "127.0.0.1"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2 and "needs tokens" in capsys.readouterr().err


WRITES = """
import sys
from pathlib import Path
from pincite.serve.door import audit
audit.LARGEST = 4000
for number in range(150):
    audit.noted(Path(sys.argv[1]), writer=sys.argv[2], number=number, did="x" * 20)
"""


def test_two_servers_put_an_audit_log_aside_and_lose_no_line(tmp_path, monkeypatch):
    path = tmp_path / "audit.jsonl"
    monkeypatch.setattr(audit, "LARGEST", 4000)
    words = [sys.executable, "-c", WRITES, str(path)]
    both = [subprocess.Popen([*words, name], cwd=ROOT) for name in "ab"]
    assert [one.wait(30) for one in both] == [0, 0]
    logs = sorted(tmp_path.glob("audit*.jsonl"))
    assert 3 < len(logs) <= 1 + audit.KEPT and max(one.stat().st_size for one in logs) < 5000
    lines = [json.loads(line) for one in logs for line in one.read_text().splitlines()]
    for name in "ab":
        seen = [one["number"] for one in lines if one["writer"] == name]
        assert sorted(seen) == list(range(150 - len(seen), 150)), "only the oldest lines are gone"


def test_a_name_without_end_is_cut_at_once():
    started = time.perf_counter()
    assert uploads.safe_name("a" * 10**6 + ".pdf") == "a" * 176 + ".pdf"
    assert uploads.safe_name("ä" * 10**6 + ".pdf").endswith("ä.pdf")
    with pytest.raises(UsageError):
        uploads.safe_name("a." + "b" * 10**6)
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    "body",
    [
        b"", b"--x", b"--x\r\n", b"--x--\r\n", b"--x\r\nContent-Disposition: form-data; name=files\r\n\r\n1\r\n--x--\r\n",
        b"--x\r\nContent-Disposition: form-data; name=files; filename=\r\n\r\n1\r\n--x--\r\n",
        b"--x\r\n" + b"A: b\r\n" * 2000 + b"\r\n\r\n--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="files"; filename="' + b"a/" * 40_000 + b'.pdf"\r\n\r\n%PDF-\r\n--x--\r\n',
        b"--x\r\nContent-Disposition: form-data; name=other\r\n\r\n" + b"y" * 10**6 + b"\r\n--x--\r\n",
        b"".join(b"--x\r\nContent-Disposition: form-data; name=a%d\r\n\r\n1\r\n" % n for n in range(3000)) + b"--x--\r\n",
        b"\r\n--x" * 50_000,
    ],
)  # fmt: skip
def test_odd_uploads_are_messages(corpus, body):
    application = app.create_app(served([corpus], Settings()), processes=0)
    started = time.perf_counter()
    with TestClient(application, "http://127.0.0.1", raise_server_exceptions=False) as client:
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        for path in (f"{BASE}/documents", "/c/reports/documents", "/c/reports/grids"):
            reply = client.post(path, content=body, headers=headers)
            assert 400 <= reply.status_code < 500, reply.text
        begun = client.get(f"{BASE}/jobs").json()["items"]
        assert not [one for one in begun if one["kind"] in ("index", "grid")]
    assert time.perf_counter() - started < 5
