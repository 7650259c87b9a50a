"""A disk that is full, a place that cannot be written and a database that is damaged: a message, and nothing whole is lost."""

import ast
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import pincite
from pincite.errors import CorpusError, DiskError, DiskFull, UsageError
from pincite.storage.disk import disk_error, whole, write
from tests.attacks.verbs import NAMES, calls, clear, run
from tests.faults.test_disk import ALONE, can_mount

PACKAGE = Path(pincite.__file__).parent


@contextmanager
def full_disk():
    """No file of this process can grow: whatever writes fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def copied(hostile, tmp_path, monkeypatch):
    """A copy of the corpus, and an empty folder to work in."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return Path(shutil.copytree(hostile, tmp_path / "c"))


def is_message(code, err):
    return code in (1, 2) and err.lstrip().startswith("pincite: ") and "Traceback" not in err


# ---- every verb


WRITES = {
    "batch", "beir", "bundle", "chat", "compare", "experiment", "export", "grid", "review", "search", "show", "testset", "token",
    "tune",
}  # fmt: skip
"""Verbs that write a file that the user names; the others print, or write into a corpus."""


@pytest.mark.stress
@pytest.mark.parametrize("verb", NAMES)
def test_no_verb_breaks_on_a_full_disk_and_no_file_is_lost(world, verb, monkeypatch):
    folder, answer, chat = world
    monkeypatch.chdir(folder)
    made = calls(folder, answer, chat)
    assert set(made) == set(NAMES)
    assert {one for one in NAMES if any(out for _, _, out in made[one])} == WRITES
    for words, given, out in made[verb]:
        clear(folder)
        if out and "." in out:
            (folder / "out" / out).write_text("[whole]\n")
        with full_disk():
            code, _, err = run(*words, given=given)
        assert (code == 0 and not out) or is_message(code, err) or verb == "chat", (words, err)
        if out:
            files = [one for one in (folder / "out").rglob("*") if one.is_file()]
            assert code and {one.name for one in files if one.stat().st_size} <= {out}
            assert not out.count(".") or (folder / "out" / out).read_text() == "[whole]\n"
            assert not list(folder.rglob("*.half*"))
    clear(folder)
    for words, given, _ in made[verb]:
        assert run(*words, given=given)[0] == 0 or verb == "token", words  # nothing was harmed


@pytest.mark.parametrize("words", [
    ("export", "out.pincite"), ("export", "docs", "--docling"), ("testset", "documents", "--out", "out.jsonl"),
    ("search", "--questions", "q.csv", "--out", "out.jsonl"), ("index", "more"), ("import", "x.pincite"),
])  # fmt: skip
def test_a_full_disk_is_a_message(copied, words):
    Path("q.csv").write_text("id,question\n1,What was revenue?\n")
    Path("more").mkdir()
    Path("more", "a.txt").write_text("Revenue was 12.")
    assert run("export", "x.pincite", "--corpus", copied)[0] == 0
    Path("out.jsonl").write_text("whole")
    Path("out.pincite").write_text("whole")
    place = Path("new") if words[0] == "import" else copied
    with full_disk():
        code, out, err = run(*words, "--json", "--corpus", place)
    assert is_message(code, err)
    assert "then run the same command again" in err.replace("Make room, ", "") and not out
    assert Path("out.jsonl").read_text() == Path("out.pincite").read_text() == "whole"
    assert not list(Path().rglob(".*half*"))
    assert run("search", "revenue", "--corpus", copied)[0] == 0


@pytest.mark.parametrize("out", ["{}/x", "x" * 300, "folder", "file/x", "/proc/self/x"])
@pytest.mark.parametrize("words", [
    ("testset", "documents", "--out"), ("export",), ("search", "--questions", "q.csv", "--out"),
])  # fmt: skip
def test_a_place_that_cannot_be_written_is_a_message(copied, words, out):
    Path("q.csv").write_text("id,question\n1,What was revenue?\n")
    Path("folder").mkdir()
    Path("file").write_text("whole")
    place = out.format("y" * 5000)
    code, _, err = run(*words, place, "--corpus", copied)
    assert is_message(code, err) and place.rpartition("/")[2][-50:] in err or "file" in err, err
    assert Path("file").read_text() == "whole"
    assert sorted(os.listdir()) == ["file", "folder", "q.csv"]


@pytest.mark.parametrize(("name", "words"), [
    ("corpus", ("ask", "What was revenue of Acme in 2023?")), ("answers", ("ask", "What was revenue of Acme in 2023?")),
    ("answers", ("show", "0123456789ab")), ("reviews", ("review", "list")), ("chats", ("chat", "--list")),
    ("corpus", ("status",)), ("ledger", ("cost",)), ("corpus", ("export", "x.pincite")), ("reviews", ("export", "x.pincite")),
    ("told", ("index", "--recipe", "enrich", "--stand-ins")), ("grids", ("bundle", "--grid", "x")),
])  # fmt: skip
def test_a_damaged_database_is_a_message(copied, words, name):
    path = copied / f"{name}.sqlite"
    if name == "corpus":
        data = bytearray(path.read_bytes())
        data[4096:] = os.urandom(len(data) - 4096)  # its head says that it is one
        path.write_bytes(data)
    else:
        path.write_bytes(os.urandom(8192))
    code, out, err = run(*words, "--corpus", copied)
    assert code == 0 or is_message(code, err), err


def test_a_folder_that_vanishes_is_a_message(copied):
    shutil.rmtree(copied)
    for words in (
        ("ask", "x"), ("list",), ("export", "x"), ("show", "x"), ("remove", "x"), ("review", "list"),
        ("grid", "x.yaml", "--out", "x.csv"),
    ):  # fmt: skip
        code, out, err = run(*words, "--corpus", copied, "--json")
        assert is_message(code, err) and not out and not copied.exists()


def test_a_corpus_that_another_holds_is_no_damage(copied, monkeypatch):
    connect = sqlite3.connect

    def hurried(*given, **more):
        return connect(*given, **{**more, "timeout": 0})

    monkeypatch.setattr(sqlite3, "connect", hurried)
    with closing(connect(copied / "corpus.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        code, _, err = run("index", "--corpus", copied)
    assert is_message(code, err) and "another process holds it" in err and "damaged" not in err


# ---- the mechanism


def test_what_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("whole")
    path.chmod(0o600)
    with pytest.raises(ZeroDivisionError), whole(path) as half:
        half.write_text("ha")
        raise ZeroDivisionError
    with full_disk(), pytest.raises(OSError) as full:
        write(path, "more than there is room for")
    assert full.value.filename == str(path) and path.read_text() == "whole"
    assert os.listdir(tmp_path) == ["kept.txt"]
    write(path, "new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o600
    (tmp_path / "link.txt").symlink_to(path)
    write(tmp_path / "link.txt", "through")
    assert (tmp_path / "link.txt").is_symlink() and path.read_text() == "through"
    (tmp_path / ".kept.half.txt").symlink_to(
        "/etc/hostname"
    )  # put there by somebody else: not written through
    write(path, "again")
    assert path.read_text() == "again" and Path("/etc/hostname").read_text() != "again"


def test_a_device_is_written_to_and_not_replaced():
    write("/dev/null", "x")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(OSError) as full:
        write("/dev/full", "x")
    assert isinstance(disk_error(full.value), DiskFull)


def failed(does):
    with pytest.raises(sqlite3.DatabaseError) as raised:
        does()
    return str(disk_error(raised.value, "reports.corpus"))


def test_what_sqlite_says_becomes_what_to_do(tmp_path):
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE t (x)")
        db.commit()
        db.execute("PRAGMA max_page_count = 2")
        assert "make room" in failed(lambda: db.execute("INSERT INTO t VALUES (zeroblob(100000))"))
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        said = failed(lambda: db.execute("INSERT INTO t VALUES (1)"))
        assert "copy the corpus to a folder that you may write to" in said
    with (
        closing(sqlite3.connect(path, timeout=0)) as db,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN EXCLUSIVE")
        assert "another process holds it" in failed(lambda: db.execute("INSERT INTO t VALUES (1)"))
    path.write_bytes(b"no database" * 1000)
    with closing(sqlite3.connect(path)) as db:
        said = failed(lambda: db.execute("SELECT * FROM t"))
    assert "it is damaged" in said and "the corpus reports.corpus" in said
    assert disk_error(sqlite3.OperationalError("no such table: x")) is None


def test_what_has_a_message_keeps_it():
    try:
        try:
            open("/no/such/file")
        except OSError as error:
            raise CorpusError("said already") from error
    except CorpusError as error:
        assert disk_error(error) is None
    assert disk_error(ConnectionResetError(104, "reset")) is None
    assert disk_error(ValueError()) is None
    assert isinstance(disk_error(FileNotFoundError(2, "No such file", "x")), DiskError)
    assert issubclass(DiskFull, DiskError) and not issubclass(DiskError, UsageError)


BESIDE = {
    "corpus/writer", "search/index/shelf", "search/index/dense", "search/index/lexical", "search/index/ivfpq", "indexing/parsing",
    "database/relations/row_fingerprints", "lab/experiments/run_folder", "serve/door/audit", "serve/uploads",
    "serve/processes/work", "ingest/contained_files", "workbench/batch", "consent", "storage/disk",
    "indexing/cluster_tasks", "search/index/engines/engine_rows", "search/index/engines/milvus_words",
    "storage/file_copies", "storage/sources",
}  # fmt: skip
"""Files that write otherwise: into folders and files that take their name when they are whole or end with their task, or by
adding lines.
"""


def test_every_file_is_written_whole():
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text("utf-8")
        name = path.relative_to(PACKAGE).with_suffix("").as_posix()
        if name in BESIDE or not re.search(r"\.write_(?:text|bytes)\(|\bopen\(", text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                given = {one.value for one in node.args if isinstance(one, ast.Constant)}
                opens = node.func.attr == "open" and given & {"w", "wb", "a", "x"}
                writes = opens or node.func.attr in ("write_text", "write_bytes")
                target = ast.unparse(node.func.value)
                where = f"{path}:{node.lineno} writes {target}: use pincite.storage.disk"
                assert not writes or target == "half", where


# ---- the server


def test_a_server_on_a_full_disk_says_so(hostile, tmp_path, caplog):
    from tests.serve.conftest import serving

    folder = Path(shutil.copytree(hostile, tmp_path / "reports.corpus"))
    with serving(folder) as client:
        api = "/api/v1/corpora/reports"
        asked = client.post(f"{api}/ask", json={"question": "What was revenue of Acme in 2023?"})
        comment = {"answer_id": asked.json()["answer_id"], "action": "comment", "note": "so it is"}
        questions = [{"id": "1", "text": "What was revenue?"}]
        with full_disk():
            replies = [
                client.post(f"{api}/feedback", json=comment),
                client.post(f"{api}/batches", json={"questions": questions}),
                client.post(f"{api}/documents", files={"files": ("a.txt", b"Revenue was 12.")}),
            ]
        # SQLite calls a file that may not grow an error of it
        assert [reply.status_code for reply in replies] == [500, 507, 507]
        for reply in replies:
            assert reply.headers["content-type"] == "application/problem+json", reply.text
            assert str(tmp_path) not in reply.text and "Traceback" not in reply.text
        assert client.get("/health").status_code == 200
        assert not [*folder.rglob("*.half*"), *folder.glob("uploads/*")]
    assert not any(one.exc_info for one in caplog.records)


# ---- a disk that is really full


FILLED = """
    import os, sys
    from pathlib import Path
    from pincite.cli.main import main

    corpus, disk = Path(sys.argv[1]), Path(sys.argv[2])
    (disk / "out.jsonl").write_text("whole")
    with open(disk / "filler", "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
    for words in (["export", disk / "c.pincite"], ["testset", "documents", "--out", disk / "out.jsonl"]):
        sys.argv = ["pincite", *map(str, words), "--corpus", str(corpus)]
        try:
            main()
        except SystemExit as stop:
            assert stop.code == 1, stop.code
    assert (disk / "out.jsonl").read_text() == "whole" and sorted(os.listdir(disk)) == ["filler", "out.jsonl"]
"""


@pytest.mark.stress
@pytest.mark.skipif(not can_mount(), reason="no disk of a given size can be made here")
def test_a_small_disk_that_is_full(hostile, tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "filled.py").write_text(textwrap.dedent(FILLED))
    disk, script = tmp_path / "disk", tmp_path / "filled.py"
    mounted = f'mount -t tmpfs -o size=1m tmpfs "{disk}" && exec "{sys.executable}" "{script}" "{hostile}" "{disk}"'
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    words = [*ALONE, "sh", "-c", mounted]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and done.stderr.count("No space left on device") == 2, done.stderr
