"""An encoder exported to ONNX, made on the spot: what it gives by hand, and that no two encoders' vectors meet."""

import json
from urllib.parse import quote

import numpy as np
import pytest

from pincite.errors import CorpusError, PinciteError, UsageError
from pincite.models.kit import default_kit, kit_of
from pincite.models.model_names import named_encoder
from pincite.models.model_settings import ModelSettings
from pincite.search.index.dense import Dense
from pincite.settings import Settings, load
from pincite.types import Entry
from pincite.workbench.library import Library, index
from tests.served import agreed

WORDS = ["[UNK]", "[CLS]", "[SEP]", "revenue", "umsatz", "intäkt", "cat", "katze"]
ROWS = np.array([[1, 1], [0, 0], [0, 0], [4, 3], [4, 3], [3, 4], [-5, 0], [-5, 0]], np.float32)


def made(folder, rows=ROWS, first=False, onnx_folder=False):
    """An encoder whose tokens have the vectors of `rows`."""
    import onnx
    from onnx import TensorProto, helper
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    words = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, "[UNK]"))
    words.normalizer = normalizers.Lowercase()
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    place = folder / "onnx" if onnx_folder else folder
    place.mkdir(parents=True)
    words.save(str(folder / "tokenizer.json"))
    given = [
        helper.make_tensor_value_info(name, TensorProto.INT64, [1, "n"])
        for name in ("input_ids", "attention_mask")
    ]
    out = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [1, "n", 2])
    table = helper.make_tensor("rows", TensorProto.FLOAT, rows.shape, rows.flatten().tolist())
    nodes = [helper.make_node("Gather", ["rows", "input_ids"], ["last_hidden_state"])]
    graph = helper.make_graph(nodes, "encoder", given, [out], [table])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(place / "model.onnx"))
    if first:
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(
            json.dumps({"pooling_mode_cls_token": True})
        )
    return folder


def named(folder, options=""):
    return named_encoder(f"onnx:{folder}{options}", ModelSettings())


def test_the_mean_of_the_tokens_by_hand(tmp_path):
    encoder = named(made(tmp_path / "m"))
    vectors = encoder.encode(["revenue", "Umsatz cat", "intäkt"])
    # the two marks are zeros: (4, 3) and ((4, 3) + (-5, 0)), brought to length 1
    np.testing.assert_allclose(
        vectors, [[0.8, 0.6], np.array([-1, 3]) / np.sqrt(10), [0.6, 0.8]], rtol=1e-6
    )
    assert encoder.dims == 2 and encoder.encode([]).shape == (0, 2)


def test_the_first_token_where_the_folder_says_so(tmp_path):
    rows = ROWS.copy()
    rows[1] = (0, 2)
    encoder = named(made(tmp_path / "m", rows, first=True, onnx_folder=True))
    np.testing.assert_allclose(encoder.encode(["revenue"]), [[0, 1]])


def test_a_prompt_goes_before_its_side_and_makes_another_encoder(tmp_path):
    folder = made(tmp_path / "m")
    plain, prompted = named(folder), named(folder, f"?query_prompt={quote('cat ')}")
    np.testing.assert_allclose(
        prompted.encode(["revenue"], side="query"), plain.encode(["cat revenue"])
    )
    np.testing.assert_allclose(prompted.encode(["revenue"]), plain.encode(["revenue"]))
    assert plain != prompted and plain.revision != prompted.revision


def test_a_long_text_has_the_mean_of_its_parts(tmp_path):
    encoder = named(made(tmp_path / "m"), "?max_tokens=3")
    assert encoder.window == 1
    cat, revenue, whole = encoder.encode(["cat", "revenue", "revenue cat cat cat"])
    mean = revenue + 3 * cat
    np.testing.assert_allclose(whole, mean / np.linalg.norm(mean), rtol=1e-6)


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({}, 512),
        ({"config.json": {"max_position_embeddings": 8194}}, 8194),
        (
            {
                "config.json": {"max_position_embeddings": 8194},
                "tokenizer_config.json": {"model_max_length": 8192},
            },
            8192,
        ),
        ({"tokenizer_config.json": {"model_max_length": 1e30}}, 512),
        (
            {
                "config.json": {"max_position_embeddings": 512},
                "sentence_bert_config.json": {"max_seq_length": 256},
            },
            256,
        ),
    ],
)
def test_how_much_is_read_at_once_is_what_the_folder_says(tmp_path, files, limit):
    folder = made(tmp_path / "m")
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content))
    assert named(folder).window == limit - 2  # a mark before the text and one after it
    assert named(folder, f"?max_tokens=9&query_prompt={quote('cat cat ')}").window == 5


def test_a_folder_may_move_and_other_weights_are_another_encoder(tmp_path):
    one, moved = made(tmp_path / "a" / "m"), made(tmp_path / "b" / "m")
    assert named(one) == named(moved)
    assert named(one) != named(made(tmp_path / "c" / "m", ROWS * 2))


def test_vectors_of_two_encoders_do_not_meet(tmp_path):
    one, other = named(made(tmp_path / "a")), named(made(tmp_path / "b", ROWS[:, ::-1]))
    Dense(one).build([Entry("n", "v", "revenue")], tmp_path / "index")
    with pytest.raises(CorpusError, match="built with a .* now is b"):
        Dense(other).open(tmp_path / "index")


def test_what_is_no_encoder_is_said(tmp_path):
    with pytest.raises(UsageError, match="there is no folder"):
        named(tmp_path / "none")
    with pytest.raises(
        PinciteError, match=r"needs model.onnx \(or onnx/model.onnx\) and tokenizer.json"
    ):
        named(tmp_path).encode(["a"])
    folder = made(tmp_path / "m")
    (folder / "model.onnx").write_bytes(b"none")
    with pytest.raises(PinciteError, match="cannot be loaded"):
        named(folder).encode(["a"])


def test_it_is_one_setting(tmp_path, monkeypatch):
    folder = made(tmp_path / "m")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(
        "Die Katze schläft auf dem Sofa, und das ist der Umsatz des Hauses.", encoding="utf-8"
    )
    assert load(environment={"PINCITE_ENCODER": "minilm"}).models.encoder == "minilm"
    (tmp_path / "pincite.toml").write_text(
        f'[models]\nencoder = "onnx:{folder}"\n', encoding="utf-8"
    )
    agreed(tmp_path)
    index(tmp_path / "a.txt", tmp_path / "corpus")
    library = Library(tmp_path / "corpus", load())
    assert library.kit.encoder == named(folder)
    assert [hit.document for hit in library.search("Umsatz")] == ["a.txt"]
    other = Library(tmp_path / "corpus", Settings())
    with pytest.raises(CorpusError, match="has no index"):
        other.search("Umsatz")


def test_without_the_setting_the_kit_is_the_built_in():
    assert kit_of(ModelSettings()) is default_kit()
