"""Which model answers, and with which forms: what the user set, then the first whose file is there, then none."""

import os

import pytest

from pincite.errors import ModelMissing, UsageError
from pincite.models.kit import kit_of
from pincite.models.local.weights import WeightsMissing, billions, is_small, known
from pincite.settings import Settings, load, with_model

pytest.importorskip("xllamacpp", reason="needs the engine: pip install 'pincite[local]'")

DEFAULT, SMALL = "qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of models, and a working folder without settings."""
    models = tmp_path / "models"
    models.mkdir()
    monkeypatch.setenv("PINCITE_MODELS", str(models))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return models


def put(folder, name):
    """A file of the right size, which holds nothing."""
    file = folder / known()[name].file
    file.touch()
    os.truncate(file, known()[name].size)


def test_without_a_file_no_model_answers():
    assert load().models.names == {}


def test_the_default_goes_before_the_small_one(folder):
    put(folder, SMALL)
    assert load().models.large == f"local:{SMALL}"
    put(folder, DEFAULT)
    assert load().models.large == f"local:{DEFAULT}"
    assert kit_of(load().models).large.name == DEFAULT


def test_a_file_of_another_size_is_not_there(folder):
    (folder / known()[DEFAULT].file).write_bytes(b"GGUF")
    assert load().models.names == {}


def test_what_is_set_goes_first(folder):
    put(folder, DEFAULT)
    assert load(environment={"PINCITE_MODEL": "gpt-5"}).models.large == "gpt-5"
    assert load(environment={"PINCITE_MODEL": f"local:{SMALL}"}).models.large == f"local:{SMALL}"
    assert with_model(load(), off=True).models.names == {}


def test_a_file_of_settings_may_name_one_without_consent(folder, tmp_path):
    put(folder, SMALL)
    (tmp_path / "work" / "pincite.toml").write_text(f'[models]\nlarge = "local:{SMALL}"\n')
    assert load().models.large == f"local:{SMALL}"


def test_one_that_is_named_and_not_there_is_not_replaced(folder):
    put(folder, SMALL)
    settings = with_model(load(), f"local:{DEFAULT}")
    with pytest.raises(WeightsMissing, match=f"pincite models get {DEFAULT}"):
        kit_of(settings.models)
    assert issubclass(WeightsMissing, ModelMissing)
    with pytest.raises(UsageError, match="no model is called 'qwen'"):
        with_model(load(), "local:qwen")


def test_the_files_that_run_here_see_no_pictures(folder):
    put(folder, SMALL)
    kit = kit_of(load().models)
    assert kit.small and kit.judge and kit.vision is None


def test_forms_are_short_for_small_models(folder):
    put(folder, SMALL)
    assert load().form == "short"
    assert load(environment={"PINCITE_MODEL": "gpt-5"}).form == "full"
    assert load(environment={"PINCITE_MODEL": "qwen3:4b"}).form == "short"
    assert load(environment={"PINCITE_FORMS": "full"}).form == "full"
    assert Settings().form == "full"


@pytest.mark.parametrize(("name", "size"), [
    ("local:qwen2.5-coder-1.5b", 1.5), ("llama-3.3-70b-versatile", 70), ("qwen3:4b", 4), ("Mixtral-8x7B-Instruct", 56),
    ("gemma-3-270m", None), ("gpt-5", None), ("qwen2.5-coder", None), ("llama3.1:8b-instruct", 8),
])  # fmt: skip
def test_how_large_a_model_is_by_its_name(name, size):
    assert billions(name) == size
    assert is_small(name) == (size is not None and size < 8)
