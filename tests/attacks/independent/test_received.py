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

from pincite import review
from pincite.chat.history import History
from pincite.corpus import Corpus
from pincite.encoding import answer_from, answer_to, dumps
from pincite.errors import PinciteError, UsageError
from pincite.ledger import kept
from pincite.library import Library
from pincite.records.answer_record import record
from pincite.records.answer_store import answer_id, keep, recall_answer
from pincite.serve import uploads
from pincite.serve.corpora import served
from pincite.serve.door import audit
from pincite.serve.processes.jobs import Jobs
from pincite.settings import Settings
from pincite.workbench.bundle import verify
from pincite.workbench.bundle.bundle_archive import MANIFEST, pack, text, unpack
from pincite.workbench.bundle.packing import statements_of
from pincite.workbench.grid import spec_from
from pincite.workbench.grid.grid_state import State
from pincite.workbench.importing import unpack as bring
from pincite.workbench.transfer import pack as export

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
    "answers.sqlite": lambda folder: keep(folder, _ANSWER),
    "reviews.sqlite": accepted,
    "grids.sqlite": grid_begun,
    "chats.sqlite": lambda folder: History(folder).begin("hello"),
    "ledger.sqlite": lambda folder: kept(
        folder / "ledger.sqlite", "CREATE TABLE IF NOT EXISTS a (b)"
    ).close(),
    "audit.jsonl": lambda folder: audit.noted(folder / "audit.jsonl", who="eve"),
}


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
            from pincite.library import index

            within(lambda: index([], fresh_corpus) and None)
        else:
            assert (
                within(
                    lambda: len(Jobs({"x": served([fresh_corpus], Settings())["corpus"]}).of("x"))
                )
                == 0
            )
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

            await uploads.save(
                fresh_corpus, [UploadFile(io.BytesIO(b"hello"), filename="profile.txt")]
            )

    with pytest.raises(PinciteError):
        asyncio.run(use())
    assert not list(mine.iterdir())


@pytest.mark.parametrize(
    "more",
    [
        '"total": NaN',
        '"result": {"a": NaN}',
        '"done": 1e999',
        '"title": "\\ud800"',
        '"result": {"a": ' + "[" * 900 + "]" * 900 + "}",
        '"result": {"file": "a\\u0000b"}',
        '"at": "\\u0000"',
        '"state": "running"',
    ],
)
def test_a_job_that_cannot_be_told_does_not_hide_all_others(fresh_corpus, more):
    """A corpus comes with the record of a job that is no JSON when it is told: the list of jobs is told all the same."""
    from starlette.testclient import TestClient

    from pincite.serve import app

    for identity, said in (("abcdef", "{}"), ("fedcba", f"{{{more}}}")):
        plain = {
            "id": identity,
            "kind": "batch",
            "corpus": "x",
            "title": "t",
            "by": "eve",
            "at": "2026",
            "state": "done",
        }
        written = json.dumps(
            {name: value for name, value in plain.items() if f'"{name}"' not in said}
        )
        (fresh_corpus / "jobs" / identity).mkdir(parents=True)
        (fresh_corpus / "jobs" / identity / "job.json").write_text(
            written[:-1] + ", " + said[1:] if said != "{}" else written
        )
    application = app.create_app(served([fresh_corpus], Settings()), processes=0)
    with TestClient(
        application, base_url="http://127.0.0.1", raise_server_exceptions=False
    ) as client:
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
    assert isinstance(
        within(lambda: Library(fresh_corpus, Settings()).ask(QUESTION)), PinciteError
    )
    assert not canary.exists()
    np.load(arrays[0], allow_pickle=True)
    assert canary.exists()  # as they would


def header(shape, kind="<f4", order="False"):
    said = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}"
    return b"\x93NUMPY\x01\x00" + len(said).to_bytes(2, "little") + said.encode()


@pytest.mark.parametrize(
    "array",
    [
        header("(10**12,)"),
        header("(1000000000000, 384)"),
        header("(-1, 384)"),
        header("()"),
        header("(3,)", "<M8[ns]"),
        b"",
        b"PK\x03\x04",
        pickle.dumps([1]),
    ],
    ids=["sum", "huge", "negative", "scalar", "dates", "empty", "zip", "pickle"],
)
def test_an_array_that_lies_about_its_shape_is_refused(fresh_corpus, array):
    """The arrays of an index say that they are terabytes, less than nothing, or of another kind: it is refused in words."""
    for path in fresh_corpus.glob("shelves/**/*.npy"):
        path.write_bytes(array)
    assert isinstance(
        within(lambda: Library(fresh_corpus, Settings()).ask(QUESTION)), PinciteError
    )


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
        with db:
            changed = db.execute(
                "UPDATE nodes SET text = replace(text, '412', '999'), grid = replace(grid, '412', '999')"
            ).rowcount
        shutil.copy(copy, fresh_corpus / "corpus.sqlite")
        shutil.copy(f"{copy}-wal", fresh_corpus / "corpus.sqlite-wal")
    assert changed and (fresh_corpus / "corpus.sqlite-wal").stat().st_size
    told = within(lambda: Library(fresh_corpus, Settings()).ask(QUESTION))
    assert isinstance(told, PinciteError)


def test_an_answer_that_was_kept_and_edited_is_not_told(fresh_corpus):
    """The value of a kept answer is edited where it is kept: asked for by its id it is refused."""
    (identity,) = keep(fresh_corpus, _ANSWER)
    assert recall_answer(fresh_corpus, identity) == _ANSWER[0]
    with closing(sqlite3.connect(fresh_corpus / "answers.sqlite")) as db, db:
        db.execute("UPDATE answers SET content = replace(content, '412', '999')")
    with pytest.raises(PinciteError):
        recall_answer(fresh_corpus, identity)


# ---- exports


@pytest.mark.parametrize(
    "member",
    [
        "corpus.sqlite-wal",
        "corpus.sqlite-journal",
        "pincite.toml",
        "jobs/a/job.json",
        "audit.jsonl",
        "lock",
        "CORPUS.SQLITE",
        "shelves/a.npy/../b.npy",
        "sources/" + "0" * 64 + ".pdf/x",
        "people/anna/chats.sqlite",
        "replies.sqlite",
        "ledger.sqlite",
    ],
)
def test_an_export_brings_nothing_that_exports_do_not_have(example_corpus, tmp_path, member):
    """A member is added to an export that would be read as a log, settings, jobs or replies: nothing is imported."""
    export(example_corpus, tmp_path / "a.pincite")
    bring(tmp_path / "a.pincite", tmp_path / "fine")
    with zipfile.ZipFile(tmp_path / "a.pincite", "a") as archive:
        archive.writestr(member, b"x")
    with pytest.raises(PinciteError):
        bring(tmp_path / "a.pincite", tmp_path / "made")
    assert not (tmp_path / "made").exists()


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
    told = CliRunner().invoke(
        app, ["bundle", identity, "--corpus", str(corpus), "--out", str(out)]
    )
    assert told.exit_code == 0 and verify(out).ok, told.output
    return out


def forged(bundle, out, change):
    """The bundle with another answer, made anew as whoever can program would, hashes, ids, page and all."""
    from pincite.workbench.bundle.bundle_page import ShownAnswer, page_of

    held = unpack(bundle.read_bytes())
    (before,) = held.facts["answers"]
    answer = change(answer_from(json.loads(held.members[f"answers/{before}.json"])["answer"]))
    after = answer_id(answer)
    members = {name.replace(before, after): body for name, body in held.members.items()}
    told = json.loads(members[f"answers/{after}.json"]) | {
        "id": after,
        "answer": json.loads(dumps(answer_to(answer))),
        "record": record(answer, after),
    }
    trace = json.loads(members[f"trace/{after}.json"]) | {"answer": after, "same": False}
    members |= {
        f"answers/{after}.json": text(json.loads(dumps(told))),
        f"trace/{after}.json": text(trace),
    }
    if statements := statements_of(answer):
        members[f"statements/{after}.sql"] = "\n\n".join(statements).encode() + b"\n"
    facts = {
        name: value
        for name, value in held.facts.items()
        if name not in ("members", "digest", "format")
    } | {"answers": [after]}
    shown = ShownAnswer(
        after,
        answer,
        {
            one.label: f"pages/{after}.{one.label}.png"
            for one in answer.citations
            if f"pages/{after}.{one.label}.png" in members
        },
        (),
    )
    members["index.html"] = page_of([shown], facts).encode()
    out.write_bytes(pack(members, facts)[0])
    return verify(out)


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
            answer,
            value=None,
            text="999 million EUR, as restated",
            claims=(),
            citations=(),
            others=(),
            checks=(),
        )
        return replace(answer, others=(other,))

    assert not forged(bundle, tmp_path / "a.zip", lie).ok


@pytest.mark.parametrize("part", ["value", "text", "checks"])
def test_a_forged_answer_is_read_again_where_it_stands(bundle, tmp_path, part):
    """The value, its words or the verdict of an answer are rewritten with every hash: reading its place again finds each."""

    def lie(answer):
        if part == "value":
            return replace(answer, value=replace(answer.value, value=answer.value.value + 1))
        if part == "text":
            return replace(answer, text="999 million EUR")
        return replace(
            answer, checks=tuple(replace(one, how="seen by an auditor") for one in answer.checks)
        )

    assert not forged(bundle, tmp_path / "a.zip", lie).ok


@pytest.mark.parametrize(
    "trick",
    [
        "before",
        "behind",
        "twice",
        "empty comment",
        "other comment",
        "a folder",
        "deflated",
        "extra field",
    ],
)
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
    held = unpack(bundle.read_bytes())
    facts = {
        name: value
        for name, value in held.facts.items()
        if name not in ("members", "digest", "format")
    }
    out = tmp_path / "a.zip"
    out.write_bytes(pack(held.members, facts, KEY)[0])
    assert verify(out, key=KEY).ok
    right = unpack(out.read_bytes()).signature
    if trick == "stripped":
        out.write_bytes(pack(held.members, facts)[0])
    elif trick == "another key":
        out.write_bytes(pack(held.members, facts, b"e" * 32)[0])
    else:
        wrong = {
            "of another manifest": sha256(b"other").hexdigest(),
            "upper case": right.upper(),
            "twice": f"{right}{right}",
            "no letters": "\xff" * 64,
            "cut": right[:-2],
        }[trick]
        if trick == "upper case":
            assert wrong != right
        from pincite.workbench.bundle.bundle_archive import _archive

        out.write_bytes(_archive({**held.members, MANIFEST: held.manifest}, right)[: -len(right)])
        body = bytearray(out.read_bytes())
        length = (
            len(zipfile.ZipFile(io.BytesIO(pack(held.members, facts, KEY)[0])).comment)
            - len(right)
            + len(wrong.encode("latin-1"))
        )
        at = body.rfind(b"PK\x05\x06")
        body[at + 20 : at + 22] = length.to_bytes(2, "little")
        out.write_bytes(bytes(body) + wrong.encode("latin-1"))
    assert not verify(out, key=KEY).ok


def test_a_bundle_that_is_not_there_or_no_file_is_told(tmp_path):
    """A folder is given as a bundle: a message is said, and no traceback."""
    with pytest.raises(UsageError):
        verify(tmp_path)
