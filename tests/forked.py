"""Processes forked from one that has imported the package: they do what those do that Python starts, a second sooner."""

import multiprocessing
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest

from pincite.cli.main import main
from pincite.processes import worker as processes

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.preloaded", "tests.forked", "tests.faults.killing"])
STARTUP = ("PYTHON", "PINCITE_OFFLINE")
"""Variables that are heeded while a process starts: where a test sets one, Python starts it."""
START = processes.start


def _startup():
    return {name: value for name, value in os.environ.items() if name.startswith(STARTUP)}


def _forked(environment):
    """A process that serves calls, as `processes.start` gives it."""
    ours, theirs = PROCESSES.Pipe()
    process = PROCESSES.Process(target=_serve, args=(theirs, environment), daemon=True)
    process.start()
    theirs.close()
    ended = SimpleNamespace(kill=process.kill, wait=process.join, poll=lambda: process.exitcode)
    return ended, ours


def _serve(pipe, environment):
    os.environ.update(environment or {})
    processes.serve(pipe)


def run(*words, cwd, env=None, given="", timeout=90):
    """Run the command line in a process of its own, in a folder and with these variables alone; a CompletedProcess."""
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("given", "said", "wrong")]
        files[0].write_text(given)
        environment = dict(os.environ if env is None else env)
        process = PROCESSES.Process(
            target=_command, args=(list(map(str, words)), str(cwd), environment, files)
        )
        process.start()
        process.join(timeout)
        if process.is_alive():
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(words, timeout)
        said, wrong = (path.read_text() for path in files[1:])
        return subprocess.CompletedProcess(words, process.exitcode, said, wrong)


def _command(words, folder, environment, files):
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, path in enumerate(files):
        opened = os.open(path, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")
    sys.argv = ["pincite", *words]
    main()


@contextmanager
def forked_workers():
    """Meanwhile workers are forked, unless a test sets variables that Python heeds when it starts."""
    usual = _startup()

    def begun(environment, quiet):
        return _forked(environment) if _startup() == usual else START(environment, quiet)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "start", begun)
        yield


@contextmanager
def started_workers():
    """Meanwhile they are started as users' are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "start", START)
        yield
