"""Attacks run with `make test-servers`: they try many inputs, and many of them start processes."""

import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """Mark all tests below this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.servers)


@pytest.fixture(scope="module")
def corpus(example_corpus, tmp_path_factory):
    """A copy of the example corpus that is served as `reports`."""
    folder = tmp_path_factory.mktemp("attacked") / "reports.corpus"
    return Path(shutil.copytree(example_corpus, folder))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A corpus whose names and texts would steer a terminal."""
    from tests.attacks.verbs import corpus_of

    folder = tmp_path_factory.mktemp("corpus")
    corpus_of(folder)
    return folder / "c"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """The folder of such a corpus with all that is kept beside it, and the ids of an answer and of a chat."""
    from tests.attacks.verbs import build

    folder = tmp_path_factory.mktemp("world")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return folder, *build(folder)
