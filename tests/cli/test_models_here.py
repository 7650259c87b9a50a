"""`pincite models`, and what `ask` and `doctor` say of models on this machine."""

import json
import os

import pytest

from pincite.models.local.weights import known

pytest.importorskip("xllamacpp", reason="needs the engine: pip install 'pincite[local]'")

NAME = "qwen2.5-coder-0.5b"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PINCITE_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    (tmp_path / "models").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "models"


def put(folder):
    """A file of the right size, which holds nothing."""
    file = folder / known()[NAME].file
    file.touch()
    os.truncate(file, known()[NAME].size)


def test_the_list_says_which_is_here_and_answers(pincite, folder):
    code, out, err = pincite("models")
    assert (code, err) == (0, "")
    assert "not here" in out and "`pincite models get` brings the first" in out
    put(folder)
    listed = {one["name"]: one for one in json.loads(pincite("models", "list", "--json")[1])}
    assert listed[NAME]["here"] and listed[NAME]["answers"]
    assert listed[NAME]["licence"] == "Apache-2.0" and listed[NAME]["size"] == 491_400_064
    assert not listed["qwen2.5-coder-1.5b"]["here"]


def test_a_broken_file_is_named_and_can_be_removed(pincite, folder):
    put(folder)
    code, out, _ = pincite("models", "check")
    assert code == 1
    assert f"FAIL  {NAME}: its hash is" in out and f"pincite models remove {NAME}" in out
    assert pincite("models", "remove", NAME)[0] == 0
    assert not (folder / known()[NAME].file).exists()
    code, _, err = pincite("models", "check", NAME)
    assert code == 1 and f"pincite models get {NAME}" in err


def test_a_mistake_is_a_message(pincite, folder):
    for words, said in (
        (("models", "fetch"), "takes one of list, get, add, remove, check"),
        (("models", "get", "qwen"), "no model is called 'qwen'"),
        (("models", "add"), "name the file to add"),
        (("models", "add", "nothing.gguf"), "there is no file nothing.gguf"),
        (("models", "remove"), "name the model to remove"),
    ):
        code, out, err = pincite(*words)
        assert (code, out) == (2, "") and said in err, words


def test_ask_says_once_how_to_get_a_model(pincite, folder, example_corpus, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    words = ("ask", "What was the income tax expense of Halvorsen Maritime in 2023?", "--corpus", example_corpus)  # fmt: skip
    assert pincite(*words, "--no-model")[2] == ""
    assert "pincite models get" in pincite(*words)[2]
    assert pincite(*words)[2] == ""


def test_doctor_says_that_no_model_answers_and_how_to_have_one(pincite, folder):
    checks = {one["check"]: one for one in json.loads(pincite("doctor", "--json")[1])}
    assert checks["model"]["ok"] and "pincite models get" in checks["model"]["what"]


def test_doctor_names_a_model_that_is_set_and_not_here(pincite, folder, monkeypatch):
    monkeypatch.setenv("PINCITE_MODEL", f"local:{NAME}")
    code, out, _ = pincite("doctor")
    assert code == 1 and f"pincite models get {NAME}" in out
