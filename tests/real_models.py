"""Real models that tests ask: each has a folder of models with its file alone, and a cache of its own for the engine."""

import os
from pathlib import Path

import pytest

WEIGHTS = "PINCITE_TEST_WEIGHTS"
SMALL, DEFAULT = "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"


def only(name, folder, patch):
    """From now on the model of this name is the only one on this machine, with engines of its own; its file's place."""
    from pincite.models.local.weights import known

    pytest.importorskip("xllamacpp", reason="needs the engine: pip install 'pincite[local]'")
    file = Path(os.environ.get(WEIGHTS, "")) / known()[name].file
    if not os.environ.get(WEIGHTS) or not file.is_file():
        pytest.skip(
            f"needs the file of {name}: run `PINCITE_MODELS=FOLDER pincite models get {name}` and set {WEIGHTS}=FOLDER"
        )
    (folder / "models").mkdir()
    (folder / "models" / file.name).symlink_to(file)
    patch.setenv("PINCITE_MODELS", str(folder / "models"))
    patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    return folder / "models" / file.name


def ended():
    """End the engines of this process."""
    from pincite.models.local import engine

    for note in list(engine._started):
        engine._end(note)


def _real(name, factory):
    with pytest.MonkeyPatch.context() as patch:
        yield only(name, factory.mktemp(name), patch)
        ended()


@pytest.fixture(scope="module")
def small_model(tmp_path_factory):
    """The small model is on this machine, for all tests of a file: it is fast, and seldom right."""
    yield from _real(SMALL, tmp_path_factory)


@pytest.fixture(scope="module")
def default_model(tmp_path_factory):
    """The default model is on this machine, for all tests of a file, which are marked `model`."""
    yield from _real(DEFAULT, tmp_path_factory)
