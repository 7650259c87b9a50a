"""Processes forked from one that has imported the package: they do the same as those that Python starts, without its second of imports."""

import multiprocessing
import os
import signal
import subprocess
from contextlib import contextmanager
from types import SimpleNamespace

from pincite.ingest import parser_processes

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.preloaded", "tests.forked", "tests.faults.killing"])
STARTUP = ("PYTHON", "PINCITE_OFFLINE")
"""Variables that are heeded while a process starts: where a test sets one, Python starts it."""


def _startup():
    return {name: value for name, value in os.environ.items() if name.startswith(STARTUP)}


_USUAL = _startup()


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


@contextmanager
def forked_parsers():
    """Meanwhile the parsers of `index` are forked, unless a test sets variables that Python heeds when it starts."""

    def begun(command, *, stdin, stdout, env):
        if _startup() != _USUAL:
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
