"""Files behind addresses: a store that speaks S3 (of moto, in memory, which takes any key) and a server of the web."""

import http.server
import importlib
import sys
import threading
from email.utils import formatdate

import pytest

from pincite.errors import UsageError
from pincite.indexing import discover, parsing
from pincite.indexing.remote_files import fetched
from pincite.workbench.library import index

pytestmark = pytest.mark.servers

fsspec = pytest.importorskip("fsspec")


@pytest.fixture(scope="module")
def store():
    """The address of a store that speaks S3."""
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(store, monkeypatch):
    """A bucket of its own, with what writes into it."""
    import s3fs

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wonderfully-secret")
    monkeypatch.setenv("AWS_ENDPOINT_URL", store)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()  # it may hold clients of an earlier test's server
    files = s3fs.S3FileSystem(skip_instance_cache=True)
    files.mkdir("reports")
    yield files
    files.rm("reports", recursive=True)


def test_files_of_a_bucket_are_indexed_and_fetched_again_only_when_they_changed(
    tmp_path, bucket, monkeypatch
):
    bucket.pipe("reports/2023/a.txt", b"Output was 5 tonnes in 2023.")
    bucket.pipe("reports/2022/a.txt", b"Output was 4 tonnes in 2022.")
    bucket.pipe("reports/b.md", b"# B\n\nCosts were 7 euros.")
    bucket.pipe("reports/copy.txt", b"Output was 5 tonnes in 2023.")
    bucket.pipe("reports/.hidden/c.txt", b"Nobody should see this.")
    corpus = tmp_path / "corpus"
    made = index("s3://reports", corpus)
    assert (made.parsed, made.problems) == (4, ())
    assert {file.path: file.document for file in made.files} == {
        "s3://reports/2023/a.txt": "2023/a.txt",
        "s3://reports/2022/a.txt": "2022/a.txt",
        "s3://reports/b.md": "b.md",
        "s3://reports/copy.txt": "copy.txt",
    }
    assert not (corpus / "fetched").exists() and len(list((corpus / "sources").iterdir())) == 3

    asked = []
    monkeypatch.setattr(
        parsing,
        "fetched",
        lambda file, folder: asked.append(file.address) or fetched(file, folder),
    )
    again = index("s3://reports", corpus)
    assert (again.parsed, again.unchanged, asked) == (0, 4, [])
    bucket.pipe("reports/b.md", b"# B\n\nCosts were 8 euros.")  # as long as before
    bucket.rm("reports/copy.txt")
    changed = index("s3://reports", corpus)
    assert (changed.parsed, changed.unchanged, changed.removed) == (1, 2, 1)
    assert asked == ["s3://reports/b.md"]
    # another prefix, or a folder of this machine, takes nothing out
    (tmp_path / "own.txt").write_text("Output was 5 tonnes in 2023.")
    assert index(tmp_path / "own.txt", corpus).removed == 0
    assert len(index("s3://reports/2023", corpus).files) == 1
    held = b"".join(path.read_bytes() for path in corpus.rglob("*") if path.is_file())
    assert b"wonderfully-secret" not in held


def test_a_bucket_is_indexed_on_a_cluster_as_without(tmp_path, bucket):
    pytest.importorskip("distributed")
    from tests.cluster.hosts import held

    for number in range(5):
        bucket.pipe(f"reports/{number}.txt", f"Output {number} was {number} tonnes.".encode())
    index("s3://reports", tmp_path / "here")
    made = index("s3://reports", tmp_path / "there", on="local:2")
    assert made.parsed == 5
    assert held(tmp_path / "here") == held(tmp_path / "there")


def test_an_address_of_nothing_is_said_to_be_so(bucket):
    with pytest.raises(UsageError, match="nothing is at s3://reports/none"):
        discover(["s3://reports/none"])


class Pages(http.server.BaseHTTPRequestHandler):
    files, asked, broken = {}, [], ()

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        body = self.files.get(self.path)
        self.asked.append((self.command, self.path))
        self.send_response(200 if body is not None else 404)
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
            self.send_header("ETag", f'"{hash(body)}"')
            self.send_header("Last-Modified", formatdate(1e9))
            self.send_header(
                "Content-Type", "text/html" if self.path.endswith("/") else "text/plain"
            )
        self.end_headers()
        if body is not None and self.command == "GET" and self.path not in self.broken:
            self.wfile.write(body)

    def log_message(self, *given):
        pass


@pytest.fixture
def web():
    pytest.importorskip("aiohttp")
    Pages.files, Pages.asked, Pages.broken = {}, [], ()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_a_file_of_the_web_and_what_a_page_links_to_below_it(tmp_path, web):
    Pages.files["/annual%20report.txt"] = b"Output was 5 tonnes in 2023."
    Pages.files["/list/a.txt"] = b"Output was 6 tonnes in 2023."
    Pages.files["/list/"] = (
        b'<a href="a.txt">A</a> <a href="/elsewhere.txt">no</a> <a href="deeper/">no</a>'
    )
    corpus = tmp_path / "corpus"
    made = index([f"{web}/annual%20report.txt", f"{web}/list/"], corpus)
    assert {file.document for file in made.files} == {"annual report.txt", "a.txt"}
    assert made.parsed == 2
    Pages.asked.clear()
    assert index([f"{web}/annual%20report.txt", f"{web}/list/"], corpus).unchanged == 2
    assert ("GET", "/list/a.txt") not in Pages.asked
    Pages.files["/list/a.txt"] = b"Output was 7 tonnes in 2023."
    assert index([f"{web}/list/"], corpus).parsed == 1


def test_a_file_that_cannot_be_had_is_reported_and_stops_no_other(tmp_path, web):
    Pages.files = {"/a.txt": b"Output was 5 tonnes.", "/b.txt": b"Output was 6 tonnes."}
    Pages.broken = ("/b.txt",)  # the connection ends before its bytes come
    made = index([f"{web}/a.txt", f"{web}/b.txt"], tmp_path / "corpus")
    ((problem,),) = (made.problems,)
    assert (made.parsed, problem.document, problem.status) == (1, "b.txt", "unreadable")
    assert f"{web}/b.txt cannot be read" in problem.reason
    Pages.broken = ()
    assert index([f"{web}/a.txt", f"{web}/b.txt"], tmp_path / "corpus").parsed == 1


@pytest.mark.parametrize(
    "address, said",
    [
        ("https://me:secret@host/a.pdf", "holds a password or a key"),
        ("https://host/a.pdf?access_token=abc", "holds a password or a key"),
        ("https://host/a.pdf?X-Amz-Signature=abc", "holds a password or a key"),
        ("ftp://host/a.pdf", "no store that files are read from"),
    ],
)
def test_addresses_that_are_refused_before_anything_is_asked(address, said):
    with pytest.raises(UsageError, match=said) as refused:
        discover([address])
    assert "secret@" not in str(refused.value) and "abc" not in str(refused.value)


def test_what_is_missing_is_named_with_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    monkeypatch.delitem(importlib.import_module("fsspec.registry")._registry, "s3", raising=False)
    with pytest.raises(UsageError, match=r"pip install 'pincite\[remote\]'"):
        discover(["s3://other/a.pdf"])
