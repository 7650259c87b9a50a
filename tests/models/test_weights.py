"""Encoders and cross-encoders of the extra `rerankers`, on tiny random models; skipped where it is not installed."""

import math
import os
import shutil
import subprocess
import sys
import threading
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from pincite.errors import PinciteError, UsageError
from pincite.formats.spell import spell, unspell
from pincite.models.hub import CrossEncoder, HuggingFace, pinned, token_spans
from pincite.models.model_names import named_encoder, named_scorer
from pincite.models.model_settings import ModelSettings
from pincite.models.text_parts import parts
from pincite.ports import Tokenizer
from tests.models import tiny

TEXTS = [
    "the cat",
    "revenue grew by a percent in the year",
    "the dog fell and the mouse grew and the house fell of the report for the cat",
    "the cat",
    "and",
]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    tiny.needed()
    folder = tiny.tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny")
    return HuggingFace(str(folder), pinned(str(folder), ""), device="cpu", batch=2)


@pytest.fixture(scope="module")
def prompted(tmp_path_factory):
    tiny.needed()
    prompts = {"query": "query: ", "document": "passage: ", "report": "report for: "}
    folder = tiny.tiny_encoder(tmp_path_factory.mktemp("prompted") / "tiny", prompts)
    return HuggingFace(str(folder), pinned(str(folder), ""), device="cpu")


@pytest.fixture(scope="module")
def scorers(tmp_path_factory):
    tiny.needed()
    parent = tmp_path_factory.mktemp("cross")
    folders = {labels: tiny.tiny_cross(parent / f"labels{labels}", labels) for labels in (1, 2, 3)}
    return {
        labels: CrossEncoder(str(one), pinned(str(one), ""), device="cpu", batch=2)
        for labels, one in folders.items()
    }


def test_rows_are_the_models_own_pooled_and_of_length_one(encoder):
    rows = encoder.encode(TEXTS)
    assert rows.dtype == np.float32 and rows.shape == (5, 16) == (5, encoder.dims)
    for row, states in zip(rows, tiny.reference(encoder.name, TEXTS), strict=True):
        mean = states.mean(axis=0)
        assert row == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
    assert rows[0] == pytest.approx(rows[3], abs=1e-6)
    assert encoder.encode([]).shape == (0, 16)


def test_pooling_is_that_of_the_models_files(tmp_path):
    tiny.needed()
    folder = tiny.tiny_encoder(tmp_path / "tiny", pooled="cls")
    (row,) = HuggingFace(str(folder), "1", device="cpu").encode(["the cat grew"])
    first = tiny.reference(folder, ["the cat grew"])[0][0]
    assert row == pytest.approx(first / np.linalg.norm(first), abs=1e-5)


def test_prompts_are_the_models_own_or_the_given(prompted):
    plain = replace(prompted, query_prompt="", document_prompt="")
    written = plain.encode(
        ["query: the cat", "passage: the cat", "report for: the cat", "the cat"]
    )
    assert prompted.encode(["the cat"], side="query")[0] == pytest.approx(written[0], abs=1e-5)
    assert prompted.encode(["the cat"])[0] == pytest.approx(written[1], abs=1e-5)
    given = replace(prompted, query_prompt="report for: ")
    assert given.encode(["the cat"], side="query")[0] == pytest.approx(written[2], abs=1e-5)
    assert plain.encode(["the cat"], side="query")[0] == pytest.approx(written[3], abs=1e-5)
    task = replace(prompted, query_task="report")  # a task chooses the prompt of its name
    assert task.encode(["the cat"], side="query")[0] == pytest.approx(written[2], abs=1e-5)
    assert not np.allclose(written[0], written[3], atol=1e-3)


def test_a_text_that_is_longer_than_the_window_has_the_mean_of_its_parts(encoder):
    assert encoder.window == 22  # the model's own limit of 24, less [CLS] and [SEP]
    short = replace(encoder, max_tokens=5)
    assert short.window == 3
    first, second, whole = short.encode(
        ["the cat grew", "by a million", "the cat grew by a million"]
    )
    mean = first + second
    assert whole == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
    assert replace(encoder, max_tokens=512).window == 22


def test_size_keeps_the_first_dimensions(encoder):
    small, whole = replace(encoder, size=4), encoder.encode(TEXTS)[:, :4]
    assert small.dims == 4
    assert small.encode(TEXTS) == pytest.approx(
        whole / np.linalg.norm(whole, axis=1, keepdims=True), abs=1e-5
    )


def test_spans_are_the_tokens_of_the_whole_text(encoder):
    assert isinstance(encoder, Tokenizer)
    text = "The cat  grew \ud800 by é 12." + " cat" * 50
    assert [text[start:end] for start, end in encoder.spans(text)][:8] == [
        "The",
        "cat",
        "grew",
        "\ud800",
        "by",
        "é",
        "12",
        ".",
    ]
    assert len(encoder.spans(text)) == 58


def test_vectors_are_known_apart(encoder):
    assert encoder.revision.startswith(encoder.commit)
    others = [
        replace(encoder, **one)
        for one in ({"size": 4}, {"max_tokens": 8}, {"query_prompt": ""}, {"query_task": "a"})
    ]
    assert len({one.revision for one in [encoder, *others]}) == 5
    assert replace(encoder, batch=7, device="cuda").revision == encoder.revision
    assert unspell(spell(others[0]), {"HuggingFace": HuggingFace}) == others[0]


def test_many_threads_share_a_model(encoder):
    found, alone = {}, encoder.encode(TEXTS)

    def work(at):
        found[at] = encoder.encode(TEXTS), encoder.spans(TEXTS[2])

    threads = [threading.Thread(target=work, args=(at,)) for at in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 8 and all(
        np.allclose(rows, alone, atol=1e-6) for rows, _ in found.values()
    )


def test_a_score_is_the_sigmoid_of_the_logit_once(scorers):
    texts = [
        "the cat grew",
        "revenue fell by a percent in the year of the report and the mouse",
        "dog",
    ]
    logits = tiny.reference(scorers[1].name, [("the cat", text) for text in texts])
    expected = [1 / (1 + math.exp(-float(one[0]))) for one in logits]
    assert scorers[1].score("the cat", texts) == pytest.approx(expected, abs=1e-6)
    assert scorers[1].score("the cat", texts[::-1]) == pytest.approx(expected[::-1], abs=1e-6)
    assert scorers[1].score("the cat", []) == []
    assert len(set(expected)) == 3


def test_of_two_classes_the_second_counts(scorers):
    logits = tiny.reference(scorers[2].name, [("the cat", "dog")])[0]
    expected = math.exp(logits[1]) / (math.exp(logits[0]) + math.exp(logits[1]))
    assert scorers[2].score("the cat", ["dog"]) == pytest.approx([expected], abs=1e-6)


def test_more_classes_are_no_scorer(scorers):
    with pytest.raises(PinciteError, match="3 classes"):
        scorers[3].score("the cat", ["dog"])


def test_numbers_that_are_no_probabilities_are_told(scorers):
    with pytest.raises(PinciteError, match="not probabilities"):
        replace(scorers[1], probabilities=True).score(
            "the cat", ["dog", "the cat grew", "revenue", "mouse", "a"]
        )


def test_the_kept_activation_is_not_applied_twice(scorers, tmp_path):
    from sentence_transformers import CrossEncoder as Theirs

    theirs = Theirs(scorers[1].name, device="cpu")  # saves a sigmoid in its configuration
    theirs.save_pretrained(str(tmp_path / "saved"))
    ours = replace(scorers[1], name=str(tmp_path / "saved"))
    assert ours.score("the cat", ["dog"]) == pytest.approx(
        [float(theirs.predict([("the cat", "dog")])[0])], abs=1e-6
    )


def test_a_text_that_is_longer_than_the_window_counts_as_its_best_part(scorers):
    text = "revenue " * 12 + "the cat grew by a percent " * 6
    (score,) = scorers[1].score("the cat", [text])
    model, lock = scorers[1]._loaded()
    pieces = [
        part
        for part, _ in parts(
            text, partial(token_spans, model, lock), scorers[1]._room(model, lock, "the cat")
        )
    ]
    assert len(pieces) > 1
    assert score == pytest.approx(max(scorers[1].score("the cat", pieces)), abs=1e-6)


def test_weights_that_broke_are_told(scorers, tmp_path):
    from safetensors.numpy import load_file, save_file

    broken = tmp_path / "broken"
    shutil.copytree(scorers[1].name, broken)
    weights = {
        name: one * np.float32("nan")
        for name, one in load_file(broken / "model.safetensors").items()
    }
    save_file(weights, broken / "model.safetensors", {"format": "pt"})
    with pytest.raises(PinciteError, match="no numbers"):
        replace(scorers[1], name=str(broken)).score("the cat", ["dog"])


def test_a_folder_is_known_by_its_files(encoder, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(encoder.name, copy)
    assert pinned(str(copy), "") == encoder.commit
    (copy / "README.md").write_text("other")
    assert pinned(str(copy), "") != encoder.commit


def test_a_folder_without_a_model_is_told(tmp_path):
    tiny.needed()
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(PinciteError, match="cannot be loaded"):
        HuggingFace(str(tmp_path), "1").encode(["a"])


def test_named_by_their_folder(encoder, scorers):
    settings = ModelSettings()
    assert named_encoder(f"hf:{encoder.name}?batch=8", settings) == encoder
    assert named_scorer(f"cross:{scorers[1].name}", settings) == scorers[1]
    with pytest.raises(UsageError, match="leave out"):
        named_encoder(f"hf:{encoder.name}@abc", settings)


def test_no_socket_is_opened_for_a_folder(encoder, scorers):
    code = f"""
from pincite.processes import offline
offline.forbid()
from pincite.models.hub import HuggingFace
from pincite.models.hub import CrossEncoder
print(HuggingFace({encoder.name!r}, "1", device="cpu").encode(["the cat"]).shape)
print(len(CrossEncoder({scorers[1].name!r}, "1", device="cpu").score("the cat", ["dog"])))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "(1, 16)\n1\n", done.stderr


def test_a_model_that_is_not_here_is_not_fetched_offline():
    tiny.needed()
    code = """
from pincite.processes import offline
offline.forbid()
from pincite.models.hub import HuggingFace
HuggingFace("nobody/has-this", "0" * 40).encode(["the cat"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (
        "PinciteError: nobody/has-this cannot be loaded" in done.stderr
        and "hf download nobody/has-this" in done.stderr
    )


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    for work in (
        lambda: HuggingFace("some/encoder", "abc").encode(["a"]),
        lambda: HuggingFace("some/encoder", "abc").dims,
        lambda: CrossEncoder("some/scorer", "abc").score("q", ["a"]),
    ):
        with pytest.raises(PinciteError, match=r"pip install 'pincite\[rerankers\]'"):
            work()


@pytest.mark.parametrize("revision", ["", "main", "master"])
def test_a_model_of_the_hub_is_pinned(revision):
    with pytest.raises(UsageError, match="fixed revision"):
        pinned("BAAI/bge-m3", revision)


def test_a_pinned_model_and_a_folder_that_is_not_there():
    assert (
        pinned("BAAI/bge-m3", "5617a9f61b028005a4858fdac845db406aefb181")
        == "5617a9f61b028005a4858fdac845db406aefb181"
    )
    with pytest.raises(UsageError, match="no folder"):
        pinned("./nothing/here", "")


def run(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def test_a_model_of_the_hub_is_that_of_its_commit(encoder, scorers, tmp_path):
    """The hub's own folder of downloaded models, under --offline: a commit that is there loads, another does not."""
    here, other = "a" * 40, "b" * 40
    for name, folder in (
        ("models--org--tiny", encoder.name),
        ("models--org--cross", scorers[1].name),
    ):
        shutil.copytree(folder, tmp_path / "hub" / name / "snapshots" / here)
    code = f"""
from pincite.processes import offline
offline.forbid()
from pincite.models.model_names import named_encoder, named_scorer
from pincite.models.model_settings import ModelSettings
encoder = named_encoder("hf:org/tiny@{here}?device=cpu", ModelSettings())
print(encoder.name, encoder.revision, encoder.encode(["the cat"])[0, :2].round(4).tolist())
print(named_scorer("cross:org/cross@{here}?device=cpu", ModelSettings()).score("the cat", ["dog"])[0])
named_encoder("hf:org/tiny@{other}", ModelSettings()).dims
"""
    done = run(code, HF_HOME=str(tmp_path))
    lines = done.stdout.splitlines()
    assert lines[0] == f"org/tiny {here} {encoder.encode(['the cat'])[0, :2].round(4).tolist()}", (
        done.stderr
    )
    assert float(lines[1]) == pytest.approx(scorers[1].score("the cat", ["dog"])[0], abs=1e-6)
    assert "PinciteError: org/tiny cannot be loaded" in done.stderr
