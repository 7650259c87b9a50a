"""Processes forked from one that has imported the package: they do what those do that Python starts, a second sooner."""

import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

from pincite.cli.main import main
from pincite.ingest import parser_processes

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.preloaded", "tests.forked", "tests.faults.killing"])
STARTUP = ("PYTHON", "PINCITE_OFFLINE")
"""Variables that are heeded while a process starts: where a test sets one, Python starts it."""


def _startup():
    return {name: value for name, value in os.environ.items() if name.startswith(STARTUP)}


class ForkedParser:
    """A worker of `parser_processes`, with what that uses of a Popen."""

    def __init__(self, environment):
        given, asking = PROCESSES.Pipe(duplex=False)
        told, telling = PROCESSES.Pipe(duplex=False)
        self._process = PROCESSES.Process(
            target=_parse, args=(given, telling, environment), daemon=True
        )
        self._process.start()
        given.close()
        telling.close()
        self.stdin, self.stdout = (
            os.fdopen(os.dup(end.fileno()), mode) for end, mode in ((asking, "wb"), (told, "rb"))
        )
        asking.close()
        told.close()
        self.kill, self.wait = self._process.kill, self._process.join


def _parse(given, telling, environment):
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with os.fdopen(given.fileno(), "rb", closefd=False) as orders:
        with os.fdopen(telling.fileno(), "wb", closefd=False) as replies:
            parser_processes.main(orders, replies)


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
def forked_parsers():
    """Meanwhile the parsers of `index` are forked, unless a test sets variables that Python heeds when it starts."""
    usual = _startup()

    def begun(command, *, stdin, stdout, env):
        if _startup() != usual:
            return subprocess.Popen(command, stdin=stdin, stdout=stdout, env=env)
        return ForkedParser(env)

    parser_processes.subprocess = SimpleNamespace(Popen=begun, PIPE=subprocess.PIPE)
    try:
        yield
    finally:
        parser_processes.subprocess = subprocess


@contextmanager
def started_parsers():
    """Meanwhile they are started as users' are."""
    forked, parser_processes.subprocess = parser_processes.subprocess, subprocess
    try:
        yield
    finally:
        parser_processes.subprocess = forked
