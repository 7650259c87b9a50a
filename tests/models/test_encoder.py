"""The built-in encoder against reference values, its promises about input, and how it fails."""

import hashlib
import subprocess
import sys
from importlib import resources

import numpy as np
import pytest

from pincite.errors import PinciteError, UsageError
from pincite.models import encoder, shipped
from pincite.models.encoder import MiniLM

QUESTION = "What was the revenue in 2020?"
ANSWER = "Net sales for the year 2020 came to 4.2 billion euros."
OTHER = "The cat sat on the mat."


@pytest.fixture
def fresh():
    for made in (encoder._load, encoder.tokenizer):
        made.cache_clear()
    yield
    for made in (encoder._load, encoder.tokenizer):
        made.cache_clear()


def test_cosines_are_those_of_the_original_weights():
    # the forward pass of the original float32 weights in PyTorch 2.13 gives these three cosines
    question, answer, other = MiniLM().encode([QUESTION, ANSWER, OTHER])
    assert question @ answer == pytest.approx(0.6214, abs=0.02)
    assert question @ other == pytest.approx(0.0256, abs=0.02)
    assert answer @ other == pytest.approx(0.0106, abs=0.02)


def test_first_components_are_those_of_the_original_weights():
    expected = [
        [0.0059, 0.0131, 0.0158, -0.0027],
        [0.0630, -0.0218, 0.0153, -0.0089],
        [0.1302, -0.0158, -0.0367, 0.0580],
    ]
    np.testing.assert_allclose(
        MiniLM().encode([QUESTION, ANSWER, OTHER])[:, :4], expected, atol=0.015
    )


def test_rows_are_unit_float32():
    rows = MiniLM().encode(
        ["", "1,204.5", "été 中文 \U0001f600", "\ud800 half a pair", "word " * 3000]
    )
    assert rows.shape == (5, 384)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_nothing_in_nothing_out():
    rows = MiniLM().encode([])
    assert rows.shape == (0, 384)
    assert rows.dtype == np.float32


def test_a_row_depends_on_its_text_alone():
    texts = [QUESTION, ANSWER, OTHER, "word " * 300, ""]
    together = MiniLM(threads=3).encode(texts, side="document")
    for text, row in zip(texts, together, strict=True):
        np.testing.assert_array_equal(MiniLM().encode([text], side="query")[0], row)


def test_a_text_that_is_longer_than_the_window_has_the_mean_of_its_parts():
    assert MiniLM().window == 254
    first, second = "word " * 128, "and more " * 64
    whole, *halves = MiniLM().encode([first + second, first, second])
    mean = halves[0] + halves[1]
    np.testing.assert_allclose(whole, mean / np.linalg.norm(mean), atol=1e-6)
    kept, ended = MiniLM().encode(["word " * 254, "word " * 253])
    assert not np.array_equal(kept, ended)


def test_a_word_that_is_longer_than_the_window_is_read_in_part():
    endless = "汉" * 600  # no gap to cut at, and each sign a token
    rows = MiniLM().encode([endless, "a" * 900, "é" * 400])
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_no_product_of_a_layer_saturates_16_bits():
    onnx = pytest.importorskip("onnx")
    path = resources.files("pincite") / "data" / "minilm" / "model.onnx"
    graph = onnx.load(str(path)).graph
    arrays = {weight.name: weight for weight in graph.initializer}
    layers = [node for node in graph.node if node.op_type == "DynamicQuantizeMatMul"]
    assert len(layers) == 24
    for node in layers:
        weight = onnx.numpy_helper.to_array(arrays[node.input[1]]).astype(np.int32)
        pairs = weight.reshape(-1, 2, weight.shape[1])
        for signed in (pairs, -pairs):
            # two products with inputs of up to 255, as AVX2 adds them
            assert 255 * np.maximum(signed, 0).sum(axis=1).max() <= 2**15 - 1


def test_threads_do_not_change_who_the_encoder_is():
    assert MiniLM(threads=1) == MiniLM(threads=2)
    assert repr(MiniLM(threads=1)) == "MiniLM()"


@pytest.mark.parametrize("value", ["0", "-1", "two", "²"])
def test_a_wrong_number_of_threads_is_refused(monkeypatch, value):
    monkeypatch.setenv("PINCITE_THREADS", value)
    with pytest.raises(UsageError, match="PINCITE_THREADS"):
        MiniLM().encode([QUESTION, ANSWER])


def test_files_are_those_that_the_source_note_names():
    folder = resources.files("pincite") / "data" / "minilm"
    note = (folder / "SOURCE.md").read_text()
    for name, digest in (("model.onnx", encoder.MODEL), ("tokenizer.json", encoder.TOKENIZER)):
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        assert f"`{name}` {digest}" in note


@pytest.mark.parametrize("damage", ["missing", "one byte changed"])
@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_damage_is_told_with_the_way_out(monkeypatch, tmp_path, fresh, name, damage):
    intact = resources.files("pincite") / "data" / "minilm"
    copy = tmp_path / "data" / "minilm"
    copy.mkdir(parents=True)
    for each in ("model.onnx", "tokenizer.json"):
        content = (intact / each).read_bytes()
        if each == name and damage == "one byte changed":
            content = content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]
        if each != name or damage != "missing":
            (copy / each).write_bytes(content)
    monkeypatch.setattr(shipped.resources, "files", lambda package: tmp_path)
    with pytest.raises(
        PinciteError, match=rf"{name}.*(cannot be read|is damaged).*pip install --force-reinstall"
    ):
        MiniLM().encode([QUESTION])


PROCESSES = """
import multiprocessing
import sys
from pincite.models.encoder import MiniLM
assert not {"onnxruntime", "tokenizers"} & set(sys.modules), "imported before they are needed"
def row(_):
    return MiniLM(threads=2).encode(["one", "two"])[1].tolist()
if __name__ == "__main__":
    here = row(0)
    for method in {"fork", "spawn"} & set(multiprocessing.get_all_start_methods()):
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(row, range(2)) == [here, here], method
    print("same")
"""


def test_processes_made_after_the_first_use_encode_the_same_in_silence(tmp_path):
    script = tmp_path / "processes.py"
    script.write_text(PROCESSES)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", script], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("same\n", "")
