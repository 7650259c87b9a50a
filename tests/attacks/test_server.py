"""What would make a server stop answering, lose an answer, or let in who is not to be let in any more."""

import asyncio
import json
import os
import pickle
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from pincite.cli.main import main
from pincite.errors import GivenUp, UsageError
from pincite.serve import apart, app, asking, audit, connections, guard, jobs, uploads, workers
from pincite.serve.access import new_token, read_tokens
from pincite.serve.answering import Question
from pincite.serve.asking import Asking
from pincite.serve.connections import config_of
from pincite.serve.corpora import served
from pincite.settings import Settings

ROOT = Path(__file__).parents[2]
BASE = "/api/v1/corpora/reports"
REVENUE = "What was the revenue of Halvorsen Maritime in {}?"
ENDLESS = "Is this for ever?"
HOOKED = """
import re
from pincite.library import Library
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


@pytest.fixture(scope="module")
def corpus(example_corpus, tmp_path_factory):
    return Path(shutil.copytree(example_corpus, tmp_path_factory.mktemp("attacked") / "reports.corpus"))


@pytest.fixture
def hooked(monkeypatch):
    """Processes that a question can hold up, and that are given up after a second and a half."""
    monkeypatch.setattr(workers, "MAIN", HOOKED + workers.MAIN)
    monkeypatch.setattr(asking, "LONGEST_S", 1.5)


@asynccontextmanager
async def client_of(corpus, **more):
    application = app.create_app(served([corpus], Settings()), **more)
    transport = httpx.ASGITransport(application)
    async with application.router.lifespan_context(application):
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as client:
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
            first = (await client.post(f"{BASE}/ask", json={"question": REVENUE.format(2022)})).json()["id"]
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
                client.post("/c/reports/chat", data={"q": ENDLESS}, headers={"Accept": "text/event-stream"}),
                client.post("/v1/chat/completions", json={"messages": messages, "stream": True}),
                client.post("/mcp/reports", json=mcp, headers=streams),
            )
            looking.cancel()
            for reply in replies:
                assert "was given up" in reply.text, reply.text
            assert [one.status_code for one in replies] == [503, 200, 200, 200]
            assert max(waits) < 2.0, "nothing that serves is held up"
            assert (await client.get(f"{BASE}/answers/{first}/bundle")).status_code == 200
            kept = (await client.get("/c/reports/chat", headers={"Accept": "text/html"})).text
            assert kept.count(ENDLESS) == 1, "a turn that was given up is kept as one"

    asyncio.run(run())


def test_a_job_fails_the_question_that_never_ends_and_answers_the_others(corpus, monkeypatch, tmp_path):
    from pincite.batch import Question as Asked
    from pincite.batch import run
    from pincite.library import Library

    monkeypatch.setattr(workers, "MAIN", HOOKED + workers.MAIN)
    monkeypatch.setattr(Library, "answer_many", None)  # the process of a job asks nothing itself
    library = Library(corpus, Settings())
    questions = [Asked("1", REVENUE.format(2022)), Asked("2", ENDLESS)]
    with apart.Apart(longest=1.5) as answers:
        made = run(questions, library, tmp_path / "answers.jsonl", "jsonl", answers=answers)
    assert [one["value"] is not None for one in made.records] == [True, False]
    assert list(made.failed) == ["2"] and "given up" in made.failed["2"]


def test_the_jobs_of_a_server_ask_in_processes_that_are_ended(monkeypatch):
    from pincite.serve import work

    seen = []
    monkeypatch.setattr("pincite.batch.run", lambda *given: seen.append(given[-1]) or (_ for _ in ()).throw(KeyError))
    monkeypatch.setattr(
        "pincite.grid.fill", lambda *given, answers: seen.append(answers) or (_ for _ in ()).throw(KeyError)
    )
    monkeypatch.setattr("pincite.library.Library", lambda *given: None)
    spec = {"spec": {"title": "t", "rows": ["r"], "columns": [{"name": "c", "question": "q?"}]}}
    for kind, order in (("batch", {"questions": []}), ("grid", spec)):
        with pytest.raises(KeyError):
            work.KINDS[kind](Path("c"), order, Path("o"), lambda *told: None, Settings())
    assert [type(one) for one in seen] == [apart.Apart, apart.Apart]


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
    assert job.state == "failed" and "told nothing" in job.error


def test_an_assistants_question_that_never_ends_is_an_error_over_stdio(corpus, tmp_path):
    from mcp import Client, StdioServerParameters

    code = (
        f"import sys; from pincite.serve import asking, workers\nworkers.MAIN = {HOOKED!r} + workers.MAIN\n"
        f"asking.LONGEST_S = 1.5\nsys.argv = ['pincite', 'mcp', '--corpus', {str(corpus)!r}]\n"
        "from pincite.cli.main import main; main()"
    )

    async def run():
        given = StdioServerParameters(command=sys.executable, args=["-c", code], env=dict(os.environ))
        async with Client(given) as client:
            endless = await client.call_tool("ask", {"question": ENDLESS})
            return endless, await client.call_tool("ask", {"question": REVENUE.format(2023)})

    endless, asked = asyncio.run(run())
    assert endless.is_error and "was given up" in endless.content[0].text
    assert asked.structured_content["value"] == 412608000


def test_a_process_that_is_killed_while_it_answers_loses_nothing(corpus):
    async def run():
        there = served([corpus], Settings())["reports"]
        made = Asking([there], 1)
        await made.ask(there, Question(REVENUE.format(2023)))
        (worker,) = made._workers._idle
        asked = asyncio.create_task(made.ask(there, Question(REVENUE.format(2022))))
        while worker in made._workers._idle:
            await asyncio.sleep(0)
        os.kill(worker.process, 9)
        assert (await asked).answer.value is not None, "it is asked once more"
        (worker,) = made._workers._idle
        os.kill(worker.process, 9)
        await worker.gone.wait()
        assert (await made.ask(there, Question(REVENUE.format(2021)))).answer_id, "the pool comes back"
        await made.close()

    asyncio.run(run())


def test_what_kills_its_process_twice_is_told_so(corpus, monkeypatch):
    monkeypatch.setattr(workers, "MAIN", HOOKED.replace('re.match("(a+)+b", "a" * 64)', "exit(9)") + workers.MAIN)

    async def run():
        there = served([corpus], Settings())["reports"]
        made = Asking([there], 1)
        with pytest.raises(GivenUp, match="ended unexpectedly"):
            await made.ask(there, Question(ENDLESS))
        await made.close()

    asyncio.run(run())


def test_a_process_whose_server_cannot_end_it_ends():
    code = (
        "import re\nclass Endless:\n def do(self, held):\n  re.match('(a+)+b', 'a' * 64)\n"
        "from pincite.serve import child; child.ORPHANED_S = 0.2; child.nest(0.3, 'builtins:dict')"
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


def test_a_folder_of_our_name_where_a_server_is_started_is_not_imported(corpus, tmp_path, monkeypatch):
    (tmp_path / "pincite").mkdir()
    (tmp_path / "pincite" / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.chdir(tmp_path)

    async def run():
        there = served([corpus], Settings())["reports"]
        made = Asking([there], 1)
        assert (await made.ask(there, Question(REVENUE.format(2020)))).answer_id
        await made.close()

    asyncio.run(run())


# ---- connections


async def answers(scope, receive, send):
    """An application with a reply at once, one that takes its time, and one that is long."""
    if scope["path"] == "/slow":
        await asyncio.sleep(0.6)
    size = 2**25 if scope["path"] == "/long" else 2
    head = [(b"content-length", str(size).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": b"o" * size})


@contextmanager
def listening(application=answers, behind_proxy="", **limits):
    """The port of a server of its own thread, with these limits of `Connections`."""
    import uvicorn

    config = config_of(application, "127.0.0.1", 0, behind_proxy)
    held = config.http.__self__
    for name, value in limits.items():
        setattr(held, name, value)
    sock = config.bind_socket()
    sock.listen(64)
    server = uvicorn.Server(config)
    config.lifespan = "off"
    thread = threading.Thread(target=server.run, args=([sock],), daemon=True)
    thread.start()
    try:
        yield sock.getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        thread.join(10)


def begun(port, text=b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", address="127.0.0.1"):
    made = socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(address, 0))
    made.sendall(text)
    return made


def closed(one):
    """Whether the other side closed a connection without a word."""
    try:
        return one.recv(1) == b""
    except ConnectionResetError:
        return True


def get(port, path="/", address="127.0.0.1"):
    with begun(port, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode(), address) as one:
        told = b""
        while part := one.recv(2**16):
            told += part
    return told


@pytest.mark.parametrize("slowly", [False, True])
def test_a_head_that_does_not_come_is_not_waited_for(monkeypatch, slowly):
    monkeypatch.setattr(connections, "HEAD_S", 0.4)
    with listening() as port:
        one = begun(port, b"GET / HTTP/1.1\r\nX: ")
        started = time.monotonic()
        one.settimeout(0.1)
        while time.monotonic() - started < 8:
            try:
                if slowly:
                    one.sendall(b"x")
                if closed(one):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        assert time.monotonic() - started < 6
        assert b"200 OK" in get(port)


def test_a_connection_that_has_waited_longest_makes_room(monkeypatch):
    with listening(most=5) as port:
        half = [begun(port) for _ in range(5)]
        assert b"200 OK" in get(port) and closed(half[0])
        half[-1].sendall(b"\r\n")
        assert half[-1].recv(15) == b"HTTP/1.1 200 OK"


def test_where_all_are_at_work_who_comes_is_told_to_come_back():
    with listening(most=2) as port:
        slow = [begun(port, b"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") for _ in range(2)]
        time.sleep(0.2)
        told = get(port)
        assert b"503 Service Unavailable" in told and b"retry-after: 5" in told.lower()
        assert [one.recv(15) for one in slow] == [b"HTTP/1.1 200 OK"] * 2
        assert b"200 OK" in get(port)


def test_one_address_takes_no_room_from_others(monkeypatch):
    with listening(each=3) as port:
        other = begun(port, address="127.0.0.2")
        half = [begun(port) for _ in range(9)]
        assert all(map(closed, half[:6])) and b"200 OK" in get(port)
        other.sendall(b"\r\n")
        assert other.recv(15) == b"HTTP/1.1 200 OK"
    with listening(behind_proxy="127.0.0.1", each=1) as port:
        half = [begun(port) for _ in range(3)]
        half[0].sendall(b"\r\n")
        assert half[0].recv(15) == b"HTTP/1.1 200 OK", "a proxy stands for many"


def test_who_takes_nothing_of_what_is_told_is_left(monkeypatch):
    monkeypatch.setattr(connections, "READ_S", 0.3)
    with listening() as port:
        one = begun(port, b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(1.5)
        told = 0
        while part := one.recv(2**20):
            told += len(part)
        assert told < 2**25


def test_a_body_that_comes_too_slowly_is_refused(corpus, monkeypatch):
    monkeypatch.setattr(guard, "BODY_S", 0.2)

    async def drip():
        for _ in range(20):
            yield b" "
            await asyncio.sleep(0.2)

    async def run():
        async with client_of(corpus, processes=0) as client:
            reply = await client.post(f"{BASE}/ask", content=drip(), headers={"Content-Type": "application/json"})
            assert reply.status_code == 408 and "too slowly" in reply.json()["detail"]

    asyncio.run(run())


def test_more_half_open_connections_than_files_harm_no_server(corpus):
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))\n"
        f"import sys; sys.argv = ['pincite', 'serve', '-c', {str(corpus)!r}, '--port', '0', '--json']\n"
        "from pincite.cli.main import main; main()"
    )
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        told = ""
        while not told.rstrip().endswith("}"):
            told += server.stdout.readline()
        address = json.loads(told)["address"]
        port = httpx.URL(address).port
        half = [begun(port) for _ in range(600)]
        waits = []
        for _ in range(10):
            started = time.perf_counter()
            assert httpx.get(f"{address}health", timeout=10).status_code == 200
            waits.append(time.perf_counter() - started)
        assert sorted(waits)[5] < 0.5
        asked = httpx.post(f"{address}api/v1/corpora/reports/ask", json={"question": REVENUE.format(2019)}, timeout=60)
        assert asked.status_code == 200
        for one in half:
            one.close()
    finally:
        server.kill()
        server.wait()


# ---- who is let in


@pytest.fixture
def guarded(corpus, tmp_path, monkeypatch):
    """A server with a file of tokens, and the token of ria and of ada in it."""
    monkeypatch.setattr(app, "LOOK_S", 0.05)
    path = tmp_path / "tokens.toml"
    tokens = {name: new_token(name, "admin", [], path) for name in ("ria", "ada")}
    application = app.create_app(served([corpus], Settings()), read_tokens(path), local=False, processes=0)
    return application, path, tokens


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def without(path, name):
    """The file of tokens without the table of one."""
    path.write_text("".join(f"[{part}" for part in path.read_text().split("[")[1:] if not part.startswith(name)))


def eventually(holds, seconds=5.0):
    until = time.monotonic() + seconds
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    return holds()


def test_a_token_that_is_taken_out_ends_with_its_sessions(guarded):
    application, path, tokens = guarded
    with TestClient(application, follow_redirects=False) as client:
        session = client.post("/login", data={"token": tokens["ria"]}).cookies["pincite_session"]
        seen = {"Cookie": f"pincite_session={session}"}
        client.cookies.clear()
        assert (
            client.get(BASE, headers=seen).status_code
            == client.get(BASE, headers=bearer(tokens["ria"])).status_code
            == 200
        )
        without(path, "ria")
        assert eventually(lambda: client.get(BASE, headers=bearer(tokens["ria"])).status_code == 401)
        assert client.get(BASE, headers=seen).status_code == 401
        assert client.get(BASE, headers=bearer(tokens["ada"])).status_code == 200
        path.write_text("")
        assert eventually(lambda: client.get(BASE, headers=bearer(tokens["ada"])).status_code == 401)
        assert client.get(BASE).status_code == 401, "no token left opens nothing"


def test_a_stream_of_a_token_that_is_taken_out_ends(guarded, monkeypatch):
    application, path, tokens = guarded
    monkeypatch.setattr(jobs, "QUIET_S", 0.1)

    async def endless(self, served, job, order):
        await asyncio.sleep(60)

    monkeypatch.setattr(jobs.Jobs, "_worked", endless)

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
        for damaged in ("[ria", "[ria]\nrole = 'king'", "\0"):
            caplog.clear()
            path.write_text(damaged)
            assert eventually(lambda: "the tokens stay as they were" in caplog.text)
            assert client.get(BASE, headers=bearer(tokens["ria"])).status_code == 200
        path.unlink()
        assert eventually(lambda: "cannot read the tokens" in caplog.text)
        assert client.get(BASE, headers=bearer(tokens["ria"])).status_code == 200
        path.write_text(whole.replace('role = "admin"', 'role = "reader"'))
        metrics = lambda: client.get("/metrics", headers=bearer(tokens["ria"])).status_code  # noqa: E731
        assert eventually(lambda: metrics() == 403), "a role that is changed holds at once"


@pytest.mark.parametrize(("proxy", "secure"), [("127.0.0.1", True), ("10.0.0.0/8", False), ("", False)])
def test_cookies_are_secure_behind_a_proxy_that_is_believed(guarded, proxy, secure):
    application, _, tokens = guarded
    config = config_of(application, "127.0.0.1", 0, proxy)
    config.load()
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7", "Host": "pincite.example"}
    with TestClient(config.loaded_app, client=("127.0.0.1", 1234), follow_redirects=False) as client:
        cookie = client.post("/login", data={"token": tokens["ria"]}, headers=forwarded).headers["set-cookie"]
        assert ("; secure" in cookie.casefold()) is secure
        assert "httponly" in cookie.casefold() and "samesite=strict" in cookie.casefold()
        cookie = client.post("/logout", headers=forwarded).headers["set-cookie"]
        assert ("; secure" in cookie.casefold()) is secure
        client.get(BASE, headers={**forwarded, **bearer("nobody")})
    log = (application.state.bench.corpora["reports"].folder / "audit.jsonl").read_text().splitlines()
    assert json.loads(log[-1])["from"] == ("192.0.2.7" if secure else "127.0.0.1")


def test_a_proxy_needs_an_address_and_tokens(corpus, monkeypatch, capsys):
    with pytest.raises(UsageError, match="--behind-proxy takes addresses"):
        config_of(answers, "127.0.0.1", 0, "*")
    monkeypatch.setattr(sys, "argv", ["pincite", "serve", "-c", str(corpus), "--behind-proxy", "127.0.0.1"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2 and "needs tokens" in capsys.readouterr().err


# ---- what is kept


WRITES = """
import sys
from pathlib import Path
from pincite.serve import audit
audit.LARGEST = 4000
for number in range(150):
    audit.noted(Path(sys.argv[1]), writer=sys.argv[2], number=number, did="x" * 20)
"""


def test_two_servers_put_an_audit_log_aside_and_lose_no_line(tmp_path, monkeypatch):
    path = tmp_path / "audit.jsonl"
    monkeypatch.setattr(audit, "LARGEST", 4000)
    both = [subprocess.Popen([sys.executable, "-c", WRITES, str(path), name], cwd=ROOT) for name in "ab"]
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
    with TestClient(application, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        for path in (f"{BASE}/documents", "/c/reports/documents", "/c/reports/grids"):
            reply = client.post(path, content=body, headers=headers)
            assert 400 <= reply.status_code < 500, reply.text
        assert client.get(f"{BASE}/jobs").json()["items"] == []
    assert time.perf_counter() - started < 5
