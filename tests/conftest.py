"""What tests share: no network, the example reports indexed once."""

import gc
import io
import os
import sys
from pathlib import Path

import hypothesis
import pytest

from pincite import untrusted
from pincite.models.local.choice import HINT
from tests import forked
from tests.copied import unasked
from tests.postgres import postgres  # noqa: F401
from tests.real_models import default_model, small_model  # noqa: F401

# a law holds on a busy machine too: no example has to be over in a time
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"


gc.disable()  # until all is imported and collected


def pytest_collection_finish(session):
    """Thousands of tests and all that they import stay: the collector need not look at them again and again."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 50, 50)  # it took a sixth of the processor time


def pytest_xdist_auto_num_workers(config):
    """Processes for `-n auto`: more than there are cores, as many tests wait for a server, a browser or a process."""
    return (os.cpu_count() or 1) * 3 // 2


def _refuse(event, arguments):
    if (
        event == "socket.connect"
        and isinstance(arguments[1], tuple)
        and str(arguments[1][0]) not in ("127.0.0.1", "::1", "localhost")
    ):
        raise RuntimeError(f"a test opened a connection to {arguments[1]}")


sys.addaudithook(_refuse)

# where the environment keeps Python from it too, what is compiled is written: or each worker would compile all tests each time
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(scope="session", autouse=True)
def state(tmp_path_factory):
    """The folder of the user's state is the tests' own, and no model of this machine answers unasked, or is offered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_MODELS", str(tmp_path_factory.mktemp("models")))
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        untrusted.agree(HINT)
        yield


@pytest.fixture(scope="session", autouse=True)
def _forked_parsers():
    """Workers are forked, which is the same a third of a second sooner; `started_parsers` starts them as users' are."""
    with forked.forked_workers():
        yield


@pytest.fixture(scope="module")
def started_parsers():
    """Parsers are started by Python, as those of users are: for tests of how they start and end."""
    with forked.started_workers():
        yield


@pytest.fixture
def pincite(monkeypatch, capsys):
    """Run the command line in this process with words and a standard input: (exit code, standard output, standard error)."""
    from pincite.cli.main import main

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


@pytest.fixture(scope="session")
def examples():
    """The folder of the example reports."""
    return EXAMPLES


@pytest.fixture(scope="session")
def example_corpus(tmp_path_factory):
    """A corpus of the example reports; tests read it, `fresh_corpus` is a copy to change."""
    from pincite.workbench.library import index

    folder = tmp_path_factory.mktemp("corpora") / "examples"
    index(EXAMPLES / "files", folder, metadata=EXAMPLES / "metadata.csv")
    return folder


@pytest.fixture
def fresh_corpus(example_corpus, tmp_path):
    """A copy of the example corpus that nobody has asked."""
    return unasked(example_corpus, tmp_path / "corpus")


@pytest.fixture(scope="session")
def library(example_corpus):
    """The example corpus, open."""
    from pincite.settings import Settings
    from pincite.workbench.library import Library

    return Library(example_corpus, Settings())
