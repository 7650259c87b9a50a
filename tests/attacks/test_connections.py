"""Connections that hang, and heads, bodies and readers that are slow: the server answers on."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from pincite.serve.app import create_app
from pincite.serve.corpora import served
from pincite.serve.door import connections
from pincite.serve.door import request_guard as guard
from pincite.serve.door.connections import config_of
from pincite.settings import Settings

ROOT = Path(__file__).parents[2]
BASE = "/api/v1/corpora/reports"
REVENUE = "What was the revenue of Halvorsen Maritime in {}?"


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
    text = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
    with begun(port, text, address) as one:
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
    text = b"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with listening(most=2) as port:
        slow = [begun(port, text) for _ in range(2)]
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
        transport = httpx.ASGITransport(create_app(served([corpus], Settings()), processes=0))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            kind = {"Content-Type": "application/json"}
            reply = await client.post(f"{BASE}/ask", content=drip(), headers=kind)
            assert reply.status_code == 408 and "too slowly" in reply.json()["detail"]

    asyncio.run(run())


def test_more_half_open_connections_than_files_harm_no_server(corpus):
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))\n"
        f"import sys; sys.argv = ['pincite', 'serve', '-c', {str(corpus)!r}, '--port', '0', '--json']\n"
        "from pincite.cli.main import main; main()"
    )
    words = [sys.executable, "-c", code]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        told = ""
        while not told.rstrip().endswith("}"):
            told += server.stdout.readline()
        address = json.loads(told)["address"]
        port = httpx.URL(address).port
        half = [begun(port) for _ in range(450)]
        waits = []
        for _ in range(10):
            started = time.perf_counter()
            assert httpx.get(f"{address}health", timeout=10).status_code == 200
            waits.append(time.perf_counter() - started)
        assert sorted(waits)[5] < 0.5
        asked = httpx.post(
            f"{address}api/v1/corpora/reports/ask", json={"question": REVENUE.format(2019)}, timeout=60,
        )  # fmt: skip
        assert asked.status_code == 200
        for one in half:
            one.close()
    finally:
        server.kill()
        server.wait()
