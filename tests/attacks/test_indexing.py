"""Folders and files that were made to do harm: each is read or named with its reason, and the others are read."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tracemalloc
import warnings
import zipfile
from pathlib import Path

import pytest

import pincite
from pincite.corpus import Corpus
from pincite.errors import PinciteError, UsageError
from pincite.indexing import discover
from pincite.ingest.document_parser import format_of, parse
from pincite.ingest.parser_processes import ParserJob, parse_all
from pincite.processes.worker import SAFE, safe_path
from tests import forked

PINCITE = Path(sys.executable).with_name("pincite")


def run(*command, cwd):
    """A command run in a folder, as a user does."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", SAFE)}
    words = list(map(str, command))
    return subprocess.run(words, capture_output=True, text=True, cwd=cwd, env=clean, timeout=60)


TOLD = "Revenue of Alpha was 12.5 million euros in 2023."
TAKEN = "raise SystemExit('taken from the working directory')"


@pytest.fixture
def trapped(tmp_path):
    """A working directory that holds modules named as those that parsers and processes import, and a report."""
    folder = tmp_path / "here"
    (folder / "reports").mkdir(parents=True)
    (folder / "reports" / "report.txt").write_text(TOLD)
    for name in ("pincite", "numpy", "re", "pickle", "multiprocessing"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(TAKEN)
    for name in (
        "json", "queue", "threading", "sitecustomize", "usercustomize", "pypdfium2", "onnxruntime", "tomllib", "typer",
        "sqlite3", "PIL",
    ):  # fmt: skip
        (folder / f"{name}.py").write_text(TAKEN)
    return folder


def test_workers_import_nothing_from_the_working_directory(trapped):
    done = run(PINCITE, "index", "reports", "--corpus", "c", "--json", cwd=trapped)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["parsed"] == 1


def test_the_package_run_as_a_module_imports_no_library_from_the_working_directory(
    tmp_path,
):
    """A folder `pincite` itself is Python's choice, made before anything of the package runs: `python -P -m` is for that."""
    (tmp_path / "report.txt").write_text(TOLD)
    for name in ("numpy", "typer", "sqlite3"):
        (tmp_path / f"{name}.py").write_text(TAKEN)
    words = (sys.executable, "-m", "pincite", "index", "report.txt", "--corpus", "c", "--json")
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_no_python_process_is_started_without_the_safe_path():
    """Nothing in the package starts Python but by `pincite.processes.worker`."""
    package = Path(pincite.__file__).parent
    texts = {path.name: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    assert [name for name in texts if "sys.executable" in texts[name]] == ["worker.py"]


def test_processes_of_a_library_get_the_safe_path_for_as_long_as_it_is_asked(
    monkeypatch,
):
    monkeypatch.delenv(SAFE, raising=False)
    with safe_path():
        assert os.environ[SAFE] == "1"
    assert SAFE not in os.environ


def test_a_run_that_read_nothing_fails_and_says_so(tmp_path):
    folder = tmp_path / "reports"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(b"%PDF-1.7 nothing else")
    (folder / "b.pdf").write_bytes(b"")
    done = forked.run("index", folder, "--corpus", tmp_path / "c", "--json", cwd=tmp_path)
    told = json.loads(done.stdout)
    assert done.returncode == 1 and "none of the 2 files" in done.stderr
    assert "none of the 2 files" in told["failure"]
    assert len(told["problems"]) == 2
    assert pincite.index(folder, tmp_path / "c").failure == told["failure"]
    (folder / "c.txt").write_text("Alpha has 12 ships.")
    done = forked.run("index", folder, "--corpus", tmp_path / "c", cwd=tmp_path)
    assert done.returncode == 0 and "a.pdf" in done.stdout and "b.pdf" in done.stdout
    assert len(Corpus(tmp_path / "c").documents) == 1


GOOD = "Alpha had a revenue of 12 million euros in 2023, and 40 ships."


def packed(path, members, how=zipfile.ZIP_DEFLATED):
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w", how) as archive:
        warnings.simplefilter("ignore")  # of names that stand there twice
        for name, data in members:
            archive.writestr(name, data)
    return path


HOSTILE_NAMES = (
    "x" * 300 + ".txt", "\U0001f600" * 300 + ".txt", "x." + "y" * 300, "../../up.txt", "/etc/root.txt", "C:\\win\\y.txt",
    "a:b.txt", "CON.txt", "NUL", "same.txt", "same.txt", "new\nline\x1b[31m.txt", " .txt", "...", "d/" * 200 + "deep.txt",
)  # fmt: skip


def test_members_of_any_name_are_read(tmp_path):
    names = dict(enumerate(HOSTILE_NAMES))
    members = [(name, f"Member {at} says that {GOOD}".encode()) for at, name in names.items()]
    text = page_texts(packed(tmp_path / "a.zip", [*members, ("nul\0.txt", b"Cut at its NUL.")]))
    missing = [name[:9] for at, name in names.items() if f"Member {at} says" not in text]
    assert missing == ["x.yyyyyyy", "NUL", " .txt", "..."]  # of no format that is read, or hidden
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.zip"]


def page_texts(path):
    nodes = parse(path, path.name, "0" * 64).nodes
    return "\n".join(node.text for node in nodes if node.kind == "page")


def test_members_that_cannot_be_read_are_named_and_the_others_are_read(tmp_path):
    whole = packed(tmp_path / "whole.zip", [("a.txt", GOOD.encode())]).read_bytes()
    deep = whole
    for _ in range(4):
        deep = packed(tmp_path / "deep.zip", [("in.zip", deep)]).read_bytes()
    members: list[tuple[str | zipfile.ZipInfo, bytes]] = [
        ("bomb.txt", b"0" * (20 << 20)), ("broken.pdf", b"%PDF-1.4 none"), ("deep.zip", deep), ("empty.docx", b""),
        ("good.txt", GOOD.encode()), ("locked.txt", b"secret" * 9), ("torn.txt", os.urandom(4000)),
    ]  # fmt: skip
    path = packed(tmp_path / "a.zip", members)
    data = bytearray(path.read_bytes())
    central = data.index(b"PK\x01\x02")
    at = data.index(b"locked.txt", central) - 46
    data[at + 8] |= 1  # says that it is encrypted
    torn = data.index(b"torn.txt") + 500
    data[torn : torn + 50] = bytes(50)
    path.write_bytes(data)
    document = parse(path, "a.zip", "0" * 64)
    (lost,) = [node.meta["lost"] for node in document.nodes if "lost" in node.meta]
    for name, why in (
        ("bomb.txt", "decompression bomb"), ("broken.pdf", "cannot be opened"), ("deep.zip", "deep"), ("empty.docx", "empty"),
        ("locked.txt", "needs a password"), ("torn.txt", "cannot be unpacked"),
    ):  # fmt: skip
        assert why in next(said for said in lost.split("; ") if name in said), name
    assert GOOD in page_texts(path)
    summary = pincite.index(path, tmp_path / "c")
    assert [one.status for one in summary.problems] == ["partial"]
    assert "locked.txt" in summary.problems[0].reason


def test_a_member_whose_parser_fails_is_lost_alone(tmp_path, monkeypatch):
    def fails(*given):
        raise ZeroDivisionError("no such row")

    monkeypatch.setattr("pincite.ingest.office.csvfile.csv_pages", fails)
    path = packed(tmp_path / "a.zip", [("a.csv", b"x,y\n1,2\n"), ("b.txt", GOOD.encode())])
    document = parse(path, "a.zip", "0" * 64)
    assert GOOD in page_texts(path)
    assert any("no such row" in node.meta.get("lost", "") for node in document.nodes)


def test_an_archive_of_more_members_than_are_unpacked_is_read_so_far(tmp_path):
    members = [(f"{at:04}.xyz", b"") for at in range(5001)]
    path = packed(tmp_path / "a.zip", [*members, ("0.txt", GOOD.encode())])
    assert GOOD in page_texts(path)


def test_a_mimetype_that_explodes_is_not_unpacked_to_tell_the_format(tmp_path):
    path = packed(tmp_path / "a.zip", [("mimetype", b"0" * (64 << 20)), ("a.txt", GOOD.encode())])
    tracemalloc.start()
    assert format_of(path) == "zip"
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


@pytest.fixture
def strange(tmp_path):
    """A folder with everything that a folder can hold beside files, and files of any name."""
    folder = tmp_path / "reports"
    folder.mkdir()
    secret = tmp_path / "secret.txt"
    secret.write_text("The secret of the house is 42 and nobody shall know.")
    (folder / "good.txt").write_text(GOOD)
    (folder / "inner.txt").symlink_to(folder / "good.txt")
    (folder / "out.txt").symlink_to(secret)
    (folder / "loop.txt").symlink_to("loop.txt")
    (folder / "gone.txt").symlink_to("nothing.txt")
    (folder / "up").symlink_to(tmp_path)
    for name in ("pipe.txt", "pipe.csv", "pipe.parquet"):
        os.mkfifo(folder / name)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(folder / "socket.txt"))
    for name in ("new\nline\x1b[31m.txt", "a" * 251 + ".txt", "\U0001f600.txt"):
        (folder / name).write_text(f"{GOOD} {len(name)}")
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt")).write_text(GOOD)
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.csv")).write_text("a,b\n1,2\n")
    (folder / "empty.pdf").write_bytes(b"")
    for name in ("sparse.pdf", "sparse.csv"):
        with (folder / name).open("wb") as file:
            file.truncate(10 << 30)
    return folder


def test_what_is_no_file_or_cannot_be_named_gets_a_message(strange, tmp_path):
    summary = pincite.index(strange, tmp_path / "c")
    said = {Path(one.path).name: one.reason for one in summary.problems}
    for name, why in {
        "out.txt": "out of what", "up": "out of what", "loop.txt": "symbolic link", "gone.txt": "a broken link",
        "pipe.txt": "a pipe", "pipe.csv": "a pipe", "pipe.parquet": "a pipe", "socket.txt": "a socket",
        "caf\\xe9.txt": "not valid UTF-8", "caf\\xe9.csv": "not valid UTF-8", "empty.pdf": "is empty",
        "sparse.pdf": "10 GiB", "sparse.csv": "10 GiB",
    }.items():  # fmt: skip
        assert why in said.pop(name), name
    assert not said and summary.parsed == 4
    corpus = Corpus(tmp_path / "c")
    for one in corpus.documents:
        assert not any("secret" in node.text for node in corpus.document(one.version).nodes)
    again = pincite.index(strange, tmp_path / "c")
    assert (again.parsed, again.removed, again.problems) == (0, 0, summary.problems)


def test_a_folder_that_cannot_be_looked_into_gets_a_message(tmp_path, monkeypatch):
    (tmp_path / "reports" / "closed").mkdir(parents=True)
    (tmp_path / "reports" / "good.txt").write_text(GOOD)
    scan = os.scandir

    def refusing(path):
        if str(path).endswith("closed"):  # the tests may run as root, whom no mode keeps out
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    (problem,) = pincite.index(tmp_path / "reports", tmp_path / "c").problems
    assert problem.path.endswith("closed") and "Permission denied" in problem.reason


def test_a_file_that_goes_while_a_run_begins_stops_nothing(tmp_path):
    (tmp_path / "a.txt").write_text(GOOD)
    named = {"a.txt": "a" * 64, "gone.txt": "b" * 64}
    jobs = [ParserJob(tmp_path / name, name, sha) for name, sha in named.items()]
    made = {job.name: result for job, result in parse_all(jobs, 1, lambda *_: None)}
    assert isinstance(made["gone.txt"], PinciteError)
    assert not isinstance(made["a.txt"], PinciteError)


@pytest.mark.parametrize(("content", "why"), [
    (b"\x89PNG\r\n\x1a\n\xff\xfe", "utf-8"), (b"id,company,company\na.txt,A,B\n", "two columns are called 'company'"),
    (b"id," + b",".join(b"c%d" % n for n in range(10_000)) + b"\na.txt,1\n", "10,001 columns"),
    (b"\n\nid,company\na.txt,A\n", "first column"), (b",\n,\n", "first column"),
    (b"id,company\na.txt\0\x1b[31m,A\n", "the name of a document cannot have"),
])  # fmt: skip
def test_metadata_of_hostile_content_is_a_message(tmp_path, content, why):
    (tmp_path / "a.txt").write_text(GOOD)
    (tmp_path / "m.csv").write_bytes(content)
    with pytest.raises(UsageError, match=why):
        discover([tmp_path / "a.txt"], tmp_path / "m.csv")


def test_metadata_that_is_giant_or_no_file_is_a_message(tmp_path):
    (tmp_path / "a.txt").write_text(GOOD)
    with (tmp_path / "m.csv").open("wb") as file:
        file.truncate(1 << 30)
    os.mkfifo(tmp_path / "pipe.csv")
    for name, why in (
        ("m.csv", "more than 64 MiB"), ("pipe.csv", "is not a file"), ("none.csv", "No such file"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=why):
            discover([tmp_path / "a.txt"], tmp_path / name)


def test_metadata_is_text_whatever_it_says(tmp_path):
    (tmp_path / "a.txt").write_text(GOOD)
    (tmp_path / "m.csv").write_text(
        'file,company,more\na.txt,=cmd|calc,"x\ny"\n../../etc/passwd,A,\n,B\na.txt\n'
    )
    (found,) = discover([tmp_path / "a.txt"], tmp_path / "m.csv")
    assert found.document == "a.txt"
