"""The models of this machine on the settings page: got as a job, chosen, kept with the corpus, deleted."""

import hashlib
import json
import threading
from dataclasses import asdict
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pincite.models.local.weights import Weights
from pincite.serve.door.access import new_token, read_tokens
from tests.copied import unasked

from .conftest import PAGE, finished, serving

CONTENT = b"GGUF" + bytes(range(256)) * 400
SETTINGS = "/c/reports/settings"


class Files(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A model that the user has noted, whose file a server of this machine gives."""
    folder, given = tmp_path / "models", tmp_path / "given"
    folder.mkdir()
    given.mkdir()
    (given / "tiny.gguf").write_bytes(CONTENT)
    monkeypatch.setenv("PINCITE_MODELS", str(folder))
    handler = partial(Files, directory=str(given))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/tiny.gguf"
        found = Weights(
            "tiny", "tiny.gguf", len(CONTENT), hashlib.sha256(CONTENT).hexdigest(), address=address
        )
        (folder / "tiny.json").write_text(json.dumps(asdict(found)))
        yield found
        server.shutdown()


@pytest.fixture
def folder(example_corpus, tmp_path):
    return unasked(example_corpus, tmp_path / "reports.corpus")


def state(client, name="tiny"):
    """What the settings page says of a model."""
    page = client.get(SETTINGS, headers=PAGE).text
    row = page.split(f"<bdi>{name}</bdi>")[1].split("</tr>")[0]
    return row.split("<td>")[3].split("</td>")[0]


def test_a_model_is_got_chosen_kept_and_deleted(folder, tiny):
    with serving(folder) as client:
        assert state(client) == "not here"
        begun = client.post(f"{SETTINGS}/models/get", data={"model": "tiny"})
        job = begun.headers["location"].rsplit("/", 1)[1]
        assert finished(client, job)["state"] == "done"
        assert "Answer with it" in client.get(f"/c/reports/jobs/{job}", headers=PAGE).text
        assert tiny.path.read_bytes() == CONTENT and state(client) == "here"
        chosen = client.post(f"{SETTINGS}/model", data={"model": "local:tiny"})
        assert chosen.status_code == 303 and state(client) == "answers"
        sent = {"threshold": "50", "derived": "allow", "silence": "na"}
        client.post(SETTINGS, data=sent)
        assert state(client) == "answers", "how strictly is a choice of its own"
        used = client.post(f"{SETTINGS}/models/remove", data={"model": "tiny"}, headers=PAGE)
        assert used.status_code == 422 and "model tiny answers reports" in used.text
    with serving(folder) as client:
        assert state(client) == "answers"
        client.post(f"{SETTINGS}/model", data={})
        assert state(client) == "here"
        assert 'value="50"' in client.get(SETTINGS, headers=PAGE).text
        assert client.post(f"{SETTINGS}/models/remove", data={"model": "tiny"}).status_code == 303
        assert not tiny.path.exists()


def test_a_model_whose_file_is_gone_does_not_answer(folder, tiny):
    tiny.path.write_bytes(CONTENT)
    with serving(folder) as client:
        client.post(f"{SETTINGS}/model", data={"model": "tiny"})
    tiny.path.unlink()
    with serving(folder) as client:
        page = client.get(SETTINGS, headers=PAGE).text
    assert "None: everything is answered by code" in page


def test_a_model_that_cannot_be_had_says_why(folder, tiny, tmp_path):
    (tmp_path / "given" / "tiny.gguf").unlink()
    with serving(folder) as client:
        begun = client.post(f"{SETTINGS}/models/get", data={"model": "tiny"})
        told = finished(client, begun.headers["location"].rsplit("/", 1)[1])
    assert told["state"] == "failed" and "status 404" in told["error"]


@pytest.mark.parametrize("path", ["model", "models/get", "models/remove"])
def test_models_that_nobody_knows(folder, tiny, path):
    with serving(folder) as client:
        told = client.post(f"{SETTINGS}/{path}", data={"model": "no-such"}, headers=PAGE)
    assert told.status_code == 422 and "o model is called" in told.text


def test_a_model_that_is_not_here_cannot_answer(folder, tiny):
    with serving(folder) as client:
        told = client.post(f"{SETTINGS}/model", data={"model": "tiny"}, headers=PAGE)
    assert told.status_code == 422 and "is not in" in told.text


def test_only_an_admin_of_all_corpora_gets_and_deletes_files(folder, tiny, tmp_path):
    path = tmp_path / "tokens.toml"
    tokens = [new_token(name, "admin", own, path) for name, own in (("ada", []), ("bo", ["reports"]))]  # fmt: skip
    with serving(folder, read_tokens(path), local=False) as client:
        codes = [
            client.post(
                f"{SETTINGS}/models/remove", data={"model": "tiny"}, headers={"Authorization": f"Bearer {token}"}
            ).status_code
            for token in tokens
        ]  # fmt: skip
        bo = {"Authorization": f"Bearer {tokens[1]}", **PAGE}
        assert "Get it" not in client.get(SETTINGS, headers=bo).text
    assert codes == [303, 403]
