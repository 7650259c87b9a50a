"""The engine of a real model: found by all who ask, ended with who started it, started again when it is gone."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import threading
import time
from dataclasses import asdict, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Annotated

import pytest
from pydantic import BaseModel, Field

from pincite.errors import ModelError
from pincite.models.kit import kit_of
from pincite.models.local import engine as engines
from pincite.models.local.choice import CONTEXT
from pincite.models.local.engine import engine_of, running
from pincite.models.local.serving import Order
from pincite.models.local.weights import weights_here
from pincite.models.loop import wait
from pincite.ports import Prompt
from pincite.processes.worker import python
from pincite.settings import load
from tests.real_models import SMALL, ended

pytestmark = [pytest.mark.servers, pytest.mark.usefixtures("small_model")]

GONE_S = 20
"""Seconds in which an engine that is ended is gone; much more than it takes."""
ASKED = """
import sys
from pydantic import BaseModel
from pincite.models.loop import wait
from pincite.models.kit import kit_of
from pincite.models.local.engine import running
from pincite.models.local.weights import weights_here
from pincite.ports import Prompt
from pincite.settings import load

class Said(BaseModel):
    word: str

asked = f"Repeat this word as it is: {sys.argv[1]}"
said = wait(kit_of(load().models).large.complete(Prompt("Fill in the form.", asked, max_tokens=40), Said))
print(said.value.word, running(weights_here(sys.argv[2]), 8192).pid, flush=True)
sys.stdin.read()
"""


class Number(BaseModel):
    number: int


class Numbers(BaseModel):
    """A reply that takes a while, and ends."""

    numbers: list[Annotated[int, Field(ge=0, le=99)]] = Field(min_length=60, max_length=60)


def small():
    return weights_here(SMALL)


def model():
    return kit_of(load().models).large


def ask(number):
    prompt = Prompt("Fill in the form.", f"Write the number {number}.", max_tokens=30)
    return wait(model().complete(prompt, Number)).value.number


def is_there(pid):
    """Whether a process runs: one that ended and is not yet waited for does not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(holds, seconds=GONE_S):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


def asker(word):
    return subprocess.Popen(
        python("-c", ASKED, word, SMALL), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_a_reply_fills_in_its_form_and_costs_nothing():
    one = model()
    completion = wait(one.complete(Prompt("Fill in the form.", "Write the number 7.", max_tokens=30), Number))  # fmt: skip
    assert completion.value.number == 7
    assert completion.usage.input > 10 and completion.cost == 0
    assert one.base_url == f"local:{SMALL}"


def test_two_processes_ask_one_engine_and_each_gets_its_own_reply():
    ended()
    askers = [asker(word) for word in ("herring", "walnut")]
    try:
        said = [one.stdout.readline().split() for one in askers]
        assert [words[0] for words in said] == ["herring", "walnut"]
        assert said[0][1] == said[1][1]
    finally:
        for one in askers:
            one.kill()
            one.communicate()


def test_an_engine_ends_with_who_started_it_also_when_that_is_killed():
    ended()
    owner = asker("herring")
    pid = int(owner.stdout.readline().split()[1])
    assert is_there(pid)
    owner.kill()
    owner.communicate()
    assert until(lambda: not is_there(pid))


def test_a_forked_process_keeps_no_engine_alive():
    ended()
    pid = engine_of(small(), CONTEXT).pid
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    try:
        ended()
        assert not is_there(pid)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_an_engine_that_is_killed_while_it_replies_is_started_again_and_the_question_answered():
    first = engine_of(small(), CONTEXT)
    killer = threading.Timer(1.0, os.kill, (first.pid, signal.SIGKILL))
    killer.start()
    prompt = Prompt("Fill in the form.", "Write 60 numbers below 100.", max_tokens=400)
    value = wait(model().complete(prompt, Numbers)).value
    killer.join()
    assert len(value.numbers) == 60
    second = running(small(), CONTEXT)
    assert second and second.pid != first.pid


def test_a_cancelled_request_leaves_the_engine_free():
    engine = engine_of(small(), CONTEXT)

    async def cancelled():
        prompt = Prompt(
            "Fill in the form.", "Write 60 numbers that are below 100.", max_tokens=400
        )
        task = asyncio.create_task(model().complete(prompt, Numbers))
        while not engine.call("/slots", timeout=60)[0]["is_processing"]:
            await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    wait(cancelled())
    assert until(lambda: not engine.call("/slots", timeout=60)[0]["is_processing"], 5)
    assert ask(12) == 12


def test_memory_is_free_once_an_engine_ended():
    engine = engine_of(small(), CONTEXT)
    ask(3)
    with open(f"/proc/{engine.pid}/status") as status:
        held = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    assert 300_000 < held < 1_200_000
    engines.end(small(), CONTEXT)
    assert not os.path.exists(f"/proc/{engine.pid}")


def test_an_engine_that_nobody_asks_ends_by_itself(tmp_path):
    order = Order(str(small().path), 512, 1, "key", str(tmp_path), 1.0)
    process = subprocess.Popen(
        python("-m", "pincite.models.local.serving"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        process.stdin.write(json.dumps(asdict(order)).encode() + b"\n")
        process.stdin.flush()
        assert "address" in json.loads(process.stdout.readline())
        assert process.wait(GONE_S) == 0
    finally:
        process.kill()
        process.communicate()


class Polite(BaseHTTPRequestHandler):
    """A server that says yes to everything."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("how", ["dead", "foreign", "damaged"])
def test_a_note_of_an_engine_that_is_gone_is_replaced(how):
    first = engine_of(small(), CONTEXT)
    note = engines._note(small(), CONTEXT)
    told = json.loads(note.read_text())
    with HTTPServer(("127.0.0.1", 0), Polite) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        if how == "dead":
            os.kill(first.pid, signal.SIGKILL)
            assert until(lambda: not is_there(first.pid))
        elif how == "foreign":
            note.write_text(json.dumps(told | {"url": f"http://127.0.0.1:{server.server_port}"}))
        else:
            note.write_text("{")
        second = engine_of(small(), CONTEXT)
        server.shutdown()
    assert second.pid != first.pid
    assert second.call("/health") == {"status": "ok"}
    assert note.stat().st_mode & 0o077 == 0


def test_an_engine_wants_its_key():
    engine = engine_of(small(), CONTEXT)
    with pytest.raises(ValueError, match="status 401"):
        replace(engine, key="another").call("/slots")


def test_what_is_no_model_is_named(tmp_path, monkeypatch):
    file = tmp_path / small().file
    file.write_bytes(b"GGUF" + bytes(100))
    os.truncate(file, small().size)
    monkeypatch.setenv("PINCITE_MODELS", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(ModelError, match="could not load .*models check"):
        engine_of(small(), CONTEXT)


def test_offline_asks_the_engine_and_nothing_else():
    code = """
import socket, sys
from pincite.processes.offline import forbid
forbid()
from pincite.errors import NetworkForbidden
from pincite.models.loop import wait
from pincite.models.kit import kit_of
from pincite.ports import Prompt
from pincite.settings import load
from pydantic import BaseModel

class Number(BaseModel):
    number: int

prompt = Prompt("Fill in the form.", "Write the number 7.", max_tokens=30)
print(wait(kit_of(load().models).large.complete(prompt, Number)).value.number)
for where in (("127.0.0.1", int(sys.argv[1])), ("192.0.2.1", 80)):
    try:
        socket.create_connection(where, timeout=1)
    except NetworkForbidden:
        print("refused")
    try:
        socket.socket().connect(where)
    except NetworkForbidden:
        print("refused")
try:
    socket.socket(socket.AF_INET6)
except NetworkForbidden:
    print("refused")
"""
    ended()
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = subprocess.run(
            python("-c", code, str(other.getsockname()[1])), capture_output=True, text=True, timeout=120
        )  # fmt: skip
    assert done.stdout.split() == ["7"] + ["refused"] * 5, done.stderr
