"""The command line, run in this process."""

import io
import sys

import pytest

from pincite.cli.main import main


@pytest.fixture
def pincite(monkeypatch, capsys):
    """Run it with words and a standard input: (exit code, standard output, standard error)."""

    def run(*words, given=""):
        monkeypatch.setattr(sys, "argv", ["pincite", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        monkeypatch.setenv("COLUMNS", "100")
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run
