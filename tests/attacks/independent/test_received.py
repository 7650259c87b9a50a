"""A folder, an export or a bundle that a stranger made: it writes nowhere else, waits for nothing, and lies to nobody."""

import asyncio
import io
import json
import os
import pickle
import shutil
import sqlite3
import threading
import zipfile
from contextlib import closing, suppress
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from pincite.chat.history import History
from pincite.corpus import Corpus
from pincite.errors import PinciteError, UsageError
from pincite.records import review
from pincite.records.answer_store import keep, recall_answer
from pincite.serve import uploads
from pincite.serve.corpora import served
from pincite.serve.door import audit
from pincite.serve.processes.jobs import Jobs
from pincite.settings import Settings
from pincite.storage.ledger import kept
from pincite.workbench.bundle import verify
from pincite.workbench.bundle.bundle_archive import MANIFEST, unpack
from pincite.workbench.grid import spec_from
from pincite.workbench.grid.grid_state import State
from pincite.workbench.importing import unpack as bring
from pincite.workbench.library import Library
from pincite.workbench.transfer import pack as export
from tests.attacks.forging import Forger

QUESTION = "What was the revenue of Halvorsen Maritime in 2023?"
WAIT_S = 8
KEY = b"k" * 32


def within(what):
    """What `what` gives, or its refusal; it fails the test when it waits for something that never comes."""
    told = []

    def run():
        try:
            told.append(what())
        except (PinciteError, OSError, sqlite3.Error) as error:
            told.append(error)

    running = threading.Thread(target=run, daemon=True)
    running.start()
    running.join(WAIT_S)
    assert told, "it waits for ever"
    return told[0]


def asked(folder):
    """What is answered to a question over a corpus, or its refusal."""
    return within(lambda: Library(folder, Settings()).ask(QUESTION))


def accepted(folder):
    with closing(Corpus(folder)) as corpus:
        identity = keep(folder, [_ANSWER[0]])[0]
        return review.accept(corpus, identity, "eve")


def grid_begun(folder):
    State(folder, "x").begin(spec_from({"title": "x", "rows": ["a"], "columns": ["b"]}), idle=True)


_ANSWER = []


@pytest.fixture(scope="module", autouse=True)
def an_answer(library):
    _ANSWER[:] = [library.ask(QUESTION)]
    assert _ANSWER[0].value is not None


USES = {
    "answers.sqlite": lambda folder: keep(folder, _ANSWER), "reviews.sqlite": accepted, "grids.sqlite": grid_begun,
    "chats.sqlite": lambda folder: History(folder).begin("hello"),
    "ledger.sqlite": lambda folder: kept(folder / "ledger.sqlite", "CREATE TABLE IF NOT EXISTS a (b)").close(),
    "audit.jsonl": lambda folder: audit.noted(folder / "audit.jsonl", who="eve"),
}  # fmt: skip


@pytest.mark.parametrize("name", USES)
def test_a_link_in_place_of_a_file_lets_nothing_be_written_elsewhere(fresh_corpus, tmp_path, name):
    """A corpus comes with a link to the user's own file where Pincite keeps something: that file stays as it is."""
    victim = tmp_path / "mine"
    if name.endswith(".sqlite"):
        with closing(sqlite3.connect(victim)) as db, db:
            db.execute("CREATE TABLE mine (a)")
    else:
        victim.write_text("precious")
    before, made = victim.read_bytes(), tmp_path / "new"
    for target in (victim, made):
        (fresh_corpus / name).unlink(missing_ok=True)
        (fresh_corpus / name).symlink_to(target)
        within(lambda: USES[name](fresh_corpus))
    assert victim.read_bytes() == before and not made.exists()
    (fresh_corpus / name).unlink()
    USES[name](fresh_corpus)  # which writes where nothing is in its way
    assert (fresh_corpus / name).exists()


@pytest.mark.parametrize("name", [*USES, "corpus.sqlite", "jobs/abcdef/job.json", "lock"])
def test_a_pipe_in_place_of_a_file_is_not_waited_for(fresh_corpus, name):
    """A corpus comes with a pipe where a file should be: nothing waits for somebody to write into it."""
    place = fresh_corpus / name
    place.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(place)
    try:
        if name in USES:
            within(lambda: USES[name](fresh_corpus))
        elif name == "corpus.sqlite":
            assert isinstance(within(lambda: Corpus(fresh_corpus)), PinciteError)
        elif name == "lock":
            from pincite.workbench.library import index

            within(lambda: index([], fresh_corpus) and None)
        else:
            jobs = Jobs({"x": served([fresh_corpus], Settings())["corpus"]})
            assert within(lambda: len(jobs.of("x"))) == 0
    finally:
        with suppress(OSError):  # lets go who waits all the same
            os.close(os.open(place, os.O_RDWR | os.O_NONBLOCK))


@pytest.mark.parametrize("name", ["jobs", "uploads"])
def test_a_link_in_place_of_a_folder_takes_nothing_elsewhere(fresh_corpus, tmp_path, name):
    """A corpus comes with its folder of jobs or uploads linked to the user's: what is sent does not land there."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (fresh_corpus / name).symlink_to(mine)

    async def use():
        if name == "jobs":
            corpora = served([fresh_corpus], Settings())
            Jobs(corpora).start(next(iter(corpora.values())), "batch", "t", "eve", {})
        else:
            from starlette.datastructures import UploadFile

            sent = UploadFile(io.BytesIO(b"hello"), filename="profile.txt")
            await uploads.save(fresh_corpus, [sent])

    with pytest.raises(PinciteError):
        asyncio.run(use())
    assert not list(mine.iterdir())


@pytest.mark.parametrize("more", [
    '"total": NaN', '"result": {"a": NaN}', '"done": 1e999', '"title": "\\ud800"',
    '"result": {"a": ' + "[" * 900 + "]" * 900 + "}", '"result": {"file": "a\\u0000b"}', '"at": "\\u0000"',
    '"state": "running"',
])  # fmt: skip
def test_a_job_that_cannot_be_told_does_not_hide_all_others(fresh_corpus, more):
    """A corpus comes with the record of a job that is no JSON when it is told: the list of jobs is told all the same."""
    from starlette.testclient import TestClient

    from pincite.serve import app

    for identity, said in (("abcdef", '"done": 0'), ("fedcba", more)):
        plain = {
            "id": identity, "kind": "batch", "corpus": "x", "title": "t", "by": "eve", "at": "2026", "state": "done",
        }  # fmt: skip
        kept = {name: value for name, value in plain.items() if f'"{name}"' not in said}
        (fresh_corpus / "jobs" / identity).mkdir(parents=True)
        written = f"{json.dumps(kept)[:-1]}, {said}}}"
        (fresh_corpus / "jobs" / identity / "job.json").write_text(written)
    application = app.create_app(served([fresh_corpus], Settings()), processes=0)
    with TestClient(application, "http://127.0.0.1", raise_server_exceptions=False) as client:
        told = client.get("/api/v1/corpora/corpus/jobs")
        assert told.status_code == 200 and "abcdef" in told.text
        assert client.get("/c/corpus/jobs", headers={"Accept": "text/html"}).status_code == 200
        assert client.get("/api/v1/corpora/corpus/jobs/fedcba/file").status_code == 404


def test_a_source_swapped_between_two_looks_is_noticed(fresh_corpus):
    """A source is read, then swapped for one of the same length with its time put back: it is not shown in its place."""
    with closing(Corpus(fresh_corpus)) as corpus:
        sha = corpus.documents[0].source
        path = corpus.source(sha)
        was = path.stat()
        path.write_bytes(b"%PDF-" + b"x" * (was.st_size - 5))
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
        assert path.stat().st_mtime_ns == was.st_mtime_ns and path.stat().st_size == was.st_size
        with pytest.raises(PinciteError, match="changed"):
            corpus.source(sha)


def test_arrays_of_a_shelf_run_nothing(fresh_corpus, tmp_path):
    """The arrays of an index are pickles that write a file when they are loaded: nothing is written."""
    canary = tmp_path / "ran"

    class Bomb:
        def __reduce__(self):
            return open, (str(canary), "w")

    made = np.array([Bomb()], dtype=object)
    arrays = list(fresh_corpus.glob("shelves/**/*.npy"))
    for path in arrays:
        np.save(path, made, allow_pickle=True)
    assert isinstance(asked(fresh_corpus), PinciteError)
    assert not canary.exists()
    np.load(arrays[0], allow_pickle=True)
    assert canary.exists()  # as they would


def header(shape, kind="<f4", order="False"):
    said = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}"
    return b"\x93NUMPY\x01\x00" + len(said).to_bytes(2, "little") + said.encode()


@pytest.mark.parametrize("array", [
    header("(10**12,)"), header("(1000000000000, 384)"), header("(-1, 384)"), header("()"), header("(3,)", "<M8[ns]"),
    b"", b"PK\x03\x04", pickle.dumps([1]),
], ids=["sum", "huge", "negative", "scalar", "dates", "empty", "zip", "pickle"])  # fmt: skip
def test_an_array_that_lies_about_its_shape_is_refused(fresh_corpus, array):
    """The arrays of an index say that they are terabytes, less than nothing, or of another kind: it is refused in words."""
    for path in fresh_corpus.glob("shelves/**/*.npy"):
        path.write_bytes(array)
    assert isinstance(asked(fresh_corpus), PinciteError)


def test_an_old_edition_is_not_served_as_the_newest(fresh_corpus):
    """The newest generation is taken out of a corpus, so that what was corrected since is unsaid: it is refused."""
    with closing(sqlite3.connect(fresh_corpus / "corpus.sqlite")) as db, db:
        (number,) = db.execute("SELECT max(number) FROM generations").fetchone()
        db.execute("UPDATE facts SET value = ? WHERE name = 'generation'", (str(number + 1),))
    with pytest.raises(PinciteError, match="damaged"):
        Corpus(fresh_corpus)


def test_an_edit_that_lies_in_the_log_of_the_database_is_found(fresh_corpus, tmp_path):
    """The edit of a number is hidden in the -wal file beside an untouched database: the number is not answered with."""
    copy = tmp_path / "copy.sqlite"
    shutil.copy(fresh_corpus / "corpus.sqlite", copy)
    with closing(sqlite3.connect(copy)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        changes = (f"{name} = replace({name}, '412', '999')" for name in ("text", "grid"))
        with db:
            changed = db.execute(f"UPDATE nodes SET {', '.join(changes)}").rowcount
        shutil.copy(copy, fresh_corpus / "corpus.sqlite")
        shutil.copy(f"{copy}-wal", fresh_corpus / "corpus.sqlite-wal")
    assert changed and (fresh_corpus / "corpus.sqlite-wal").stat().st_size
    assert isinstance(asked(fresh_corpus), PinciteError)


def test_an_answer_that_was_kept_and_edited_is_not_told(fresh_corpus):
    """The value of a kept answer is edited where it is kept: asked for by its id it is refused."""
    (identity,) = keep(fresh_corpus, _ANSWER)
    assert recall_answer(fresh_corpus, identity) == _ANSWER[0]
    with closing(sqlite3.connect(fresh_corpus / "answers.sqlite")) as db, db:
        db.execute("UPDATE answers SET content = replace(content, '412', '999')")
    with pytest.raises(PinciteError):
        recall_answer(fresh_corpus, identity)


# ---- exports


def test_a_name_in_an_export_that_is_another_one_inside_is_refused(example_corpus, tmp_path):
    """The list of an export says other names than stand before the members: nothing is imported."""
    export(example_corpus, tmp_path / "a.pincite")
    body = (tmp_path / "a.pincite").read_bytes()
    at = body.index(b"corpus.sqlite")
    (tmp_path / "a.pincite").write_bytes(body[:at] + b"../../.bashrc" + body[at + 13 :])
    with pytest.raises(PinciteError):
        bring(tmp_path / "a.pincite", tmp_path / "made")
    assert not (tmp_path / "made").exists() and not list(tmp_path.glob(".*"))


# ---- bundles


@pytest.fixture(scope="module")
def bundle(library, example_corpus, tmp_path_factory):
    from typer.testing import CliRunner

    from pincite.cli.main import app

    place = tmp_path_factory.mktemp("bundles")
    out, corpus = place / "evidence.zip", shutil.copytree(example_corpus, place / "corpus")
    (identity,) = keep(corpus, _ANSWER)
    words = ["bundle", identity, "--corpus", str(corpus), "--out", str(out)]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0 and verify(out).ok, told.output
    return out


def forged(bundle, out, change):
    """The bundle with another answer, made anew as whoever can program would, hashes, ids, page and all."""
    forger = Forger(bundle.read_bytes())
    forger.put(change(forger.answer()))
    return forger.make(out)


def test_a_bundle_forged_without_a_change_is_whole(bundle, tmp_path):
    """What the forger of these tests makes is a bundle: it is found for what was changed and for nothing else."""
    assert forged(bundle, tmp_path / "a.zip", lambda answer: answer).ok


def test_a_statement_beside_a_quote_does_not_excuse_the_quote(bundle, tmp_path):
    """A citation of a database is put beside a false quote, since answers of databases are not read again: the quote is found."""

    def beside(answer, quote):
        first = answer.citations[0]
        statement = replace(first.anchor, sql="SELECT 1", source="", cells=())
        rows = replace(first, label="9", document="plant", anchor=statement)
        return replace(answer, citations=(replace(first, quote=quote), rows))

    assert not forged(bundle, tmp_path / "a.zip", lambda answer: beside(answer, "999,999")).ok
    assert forged(
        bundle, tmp_path / "b.zip", lambda answer: beside(answer, answer.citations[0].quote)
    ).ok


def test_words_beside_an_answer_that_claim_no_value_are_found(bundle, tmp_path):
    """An answer beside the answer has no value to be read again and tells of one in its text: it is found."""

    def lie(answer):
        other = replace(
            answer, value=None, text="999 million EUR, as restated", claims=(), citations=(), others=(), checks=(),
        )  # fmt: skip
        return replace(answer, others=(other,))

    assert not forged(bundle, tmp_path / "a.zip", lie).ok


@pytest.mark.parametrize("trick", [
    "before", "behind", "twice", "empty comment", "other comment", "a folder", "deflated", "extra field",
])  # fmt: skip
def test_an_archive_that_two_programs_read_as_two_is_found(bundle, tmp_path, trick):
    """Bytes are added where one program looks and another does not, so that both read another file: it is found."""
    body = bundle.read_bytes()
    out = tmp_path / "a.zip"
    if trick in ("before", "behind"):
        out.write_bytes(b"GIF89a" + body if trick == "before" else body + b"<script>")
    else:
        held, made = unpack(body), io.BytesIO()
        members = {**held.members, MANIFEST: held.manifest}
        with zipfile.ZipFile(
            made, "w", zipfile.ZIP_DEFLATED if trick == "deflated" else zipfile.ZIP_STORED
        ) as archive:
            for name in sorted(members):
                info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                info.create_system, info.external_attr = 3, 0o644 << 16
                info.extra = b"\x99\x99\x01\x00x" if trick == "extra field" else b""
                archive.writestr(info, members[name], archive.compression)
            if trick == "twice":
                with pytest.warns(UserWarning):
                    archive.writestr("index.html", members["index.html"])
            if trick == "a folder":
                archive.writestr("pages/", b"")
            comment = zipfile.ZipFile(io.BytesIO(body)).comment
            archive.comment = {"empty comment": b"", "other comment": comment + b" "}.get(
                trick, comment
            )
        out.write_bytes(made.getvalue())
    assert not verify(out).ok


@pytest.mark.parametrize(
    "trick",
    ["stripped", "another key", "of another manifest", "upper case", "twice", "no letters", "cut"],
)
def test_a_signature_that_is_not_that_of_the_key_is_refused(bundle, tmp_path, trick):
    """Where a key is set, a bundle comes unsigned, signed by another, or with a signature that is nearly right: it is refused."""
    forger, out = Forger(bundle.read_bytes()), tmp_path / "a.zip"
    forger.write(out, KEY)
    assert verify(out, key=KEY).ok
    signed = out.read_bytes()
    right = unpack(signed).signature
    if trick in ("stripped", "another key"):
        forger.write(out, b"" if trick == "stripped" else b"e" * 32)
    else:
        wrong = {
            "of another manifest": sha256(b"other").hexdigest(), "upper case": right.upper(), "twice": f"{right}{right}",
            "no letters": "\xff" * 64, "cut": right[:-2],
        }[trick].encode("latin-1")  # fmt: skip
        body = bytearray(signed[: -len(right)])
        at = body.rfind(b"PK\x05\x06")
        length = int.from_bytes(body[at + 20 : at + 22], "little") - len(right) + len(wrong)
        body[at + 20 : at + 22] = length.to_bytes(2, "little")
        out.write_bytes(bytes(body) + wrong)
        assert wrong != right.encode() and out.read_bytes() != signed
    assert not verify(out, key=KEY).ok


def test_a_bundle_that_is_not_there_or_no_file_is_told(tmp_path):
    """A folder is given as a bundle: a message is said, and no traceback."""
    with pytest.raises(UsageError):
        verify(tmp_path)
