"""`pincite ask` with a slow model: a line says how far it is and goes away; Ctrl-C ends the request at once."""

import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time

import pytest

from tests.served import agreed, question, right
from tests.stand_ins.fakes import HANG, ScriptedServer, delayed

pytestmark = pytest.mark.servers

ASKED = question("Income tax expense", 2023)
TOML = '[models]\nlarge = "scripted"\n'


@pytest.fixture
def asking(tmp_path, example_corpus, monkeypatch):
    """Begins `pincite ask` with a model at a server, its standard error a terminal: the process and the terminal."""
    (tmp_path / "pincite.toml").write_text(TOML)
    corpus = shutil.copytree(example_corpus, tmp_path / "reports.corpus")
    monkeypatch.chdir(tmp_path)

    def begin(url, *more):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        agreed(tmp_path)
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "pincite.cli.main", "ask", ASKED]
        process = subprocess.Popen(
            [*command, "--corpus", str(corpus), *more],
            stdout=subprocess.PIPE, stderr=theirs, cwd=tmp_path,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "120"}, text=True, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        return process, ours

    return begin


def heard(terminal, seconds, until=""):
    """What comes on a terminal within so many seconds, or until some words have come."""
    said, end = b"", time.monotonic() + seconds
    while time.monotonic() < end and (not until or until.encode() not in said):
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                said += os.read(terminal, 65536)
            except OSError:  # its other end is closed
                break
    return said.decode(errors="replace")


def wait_until(reached, seconds=10):
    """Wait for something that has to come true within so many seconds."""
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_line_says_what_is_read_and_disappears(asking):
    with ScriptedServer(delayed(right, 1.5)) as server:
        process, terminal = asking(server.url)
        said = heard(terminal, 60, "with scripted")
        out, _ = process.communicate(timeout=60)
        said += heard(terminal, 1)
    assert "reading" in said and "lines with scripted" in said
    assert said.rstrip().endswith("\x1b[2K") or "\x1b[2K" in said.split("with scripted")[-1]
    assert process.returncode == 0 and "11,706" in out and "with scripted" not in out


def test_with_json_nothing_is_said(asking):
    with ScriptedServer(delayed(right, 1.0)) as server:
        process, terminal = asking(server.url, "--json")
        out, _ = process.communicate(timeout=60)
        assert "reading" not in heard(terminal, 0.5) and '"value"' in out


def test_control_c_closes_the_request_and_leaves_no_traceback(asking):
    with ScriptedServer(lambda asked: HANG) as server:
        process, terminal = asking(server.url)
        said = heard(terminal, 60, "with scripted")
        assert "with scripted" in said
        wait_until(lambda: server.asked)  # the line is said before the request is sent
        assert server.bill.requests == 0
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        said += heard(terminal, 1)
        wait_until(
            lambda: server.bill.requests
        )  # the server would wait for ever: only a closed request ends
    assert process.returncode == 130
    assert "Traceback" not in said, said
