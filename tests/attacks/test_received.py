"""A corpus that a stranger made: it serves no file but its own, connects nowhere, runs nothing, and its lies are found."""

import io
import json
import os
import shutil
import socket
import sqlite3
import struct
import threading
import zipfile
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.corpus import Corpus, renew, writing
from pincite.corpus.checksums import node_sum, row_sum
from pincite.database.holdings import CONSENT, Held, prints_file
from pincite.database.relations.model import Database
from pincite.errors import CorpusError, PinciteError, UsageError
from pincite.records.answer_store import recall_answer
from pincite.settings import Settings
from pincite.untrusted import inside, is_name
from pincite.workbench.importing import unpack
from pincite.workbench.library import Library, index
from pincite.workbench.transfer import pack

QUESTION = "What was the income tax expense of Halvorsen Maritime in 2023?"


def edit(folder, *statements, mend=False):
    """Edit a corpus as an attacker would; one who minds checksums mends those of nodes, pages and documents."""
    with closing(sqlite3.connect(folder / "corpus.sqlite")) as db, db:
        for statement in statements:
            db.execute(statement)
        if mend:
            db.create_function("row_sum", -1, row_sum)
            db.create_function("node_sum", 10, node_sum)
            documents = "version, source, name, title, series, date, language, meta, pages, tables"
            nodes = "version, id, kind, page, place, parent, text, anchor, grid, meta"
            db.execute(f"UPDATE documents SET sum = row_sum({documents})")
            db.execute(f"UPDATE nodes SET sum = node_sum({nodes})")
            db.execute("UPDATE generations SET sum = row_sum(number, published, content)")
            db.execute(
                "UPDATE pages SET sum = (SELECT sum((kind != 'sentence') * (n.sum & 4294967295)) FROM nodes n "
                "WHERE n.version = pages.version AND n.page = pages.page)"
            )


def asked(folder, question=QUESTION):
    library = Library(folder, Settings())
    try:
        return library.ask(question)
    finally:
        library.corpus.close()


# ---- names that become paths


@pytest.mark.parametrize("name", [
    "..", "../x", "/etc/passwd", "a/../../x", "a\\..\\x", "", ".", "a//b", "C:x", "a\0b", "a/ ", "a/...", "x\n",
    "con|x",
])  # fmt: skip
def test_no_name_leads_out_of_a_corpus(tmp_path, name):
    assert not is_name(name)
    with pytest.raises(CorpusError):
        inside(tmp_path, name)


def test_no_link_leads_out_of_a_corpus(tmp_path):
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "jobs").symlink_to(tmp_path)
    with pytest.raises(CorpusError, match="outside itself"):
        inside(tmp_path / "corpus", "jobs/secret")
    assert inside(tmp_path / "corpus", "sources/x") == tmp_path / "corpus" / "sources" / "x"


@pytest.mark.parametrize("source", ["../../secret", "*", "..", "", "a" * 64 + "/../../../secret"])
def test_a_source_is_a_hash_and_no_path(fresh_corpus, source):
    (fresh_corpus.parent / "secret.txt").write_text("secret")
    edit(fresh_corpus, f"UPDATE documents SET source = '{source}'", mend=True)
    corpus = Corpus(fresh_corpus)
    with pytest.raises(CorpusError, match="no longer in the corpus"):
        corpus.source(corpus.documents[0].source)


def test_a_source_that_was_changed_is_not_opened(fresh_corpus):
    corpus = Corpus(fresh_corpus)
    path = corpus.source(corpus.documents[0].source)
    body = path.read_bytes()
    path.write_bytes(body.replace(b"%PDF-", b"%PDE-"))
    with pytest.raises(CorpusError, match="not the file that was indexed"):
        corpus.source(corpus.documents[0].source)
    path.unlink()
    path.symlink_to("/etc/passwd")
    with pytest.raises(CorpusError, match="not the file that was indexed"):
        corpus.source(corpus.documents[0].source)


def test_an_index_is_a_folder_of_the_corpus(fresh_corpus):
    shutil.move(fresh_corpus / "shelves", fresh_corpus.parent / "elsewhere")
    (fresh_corpus / "shelves").mkdir()
    for name in Corpus(fresh_corpus).generation.shelves.values():
        there = f"replace(content, '{name}', '../../elsewhere/{name}')"
        edit(fresh_corpus, f"UPDATE generations SET content = {there}", mend=True)
    with pytest.raises(CorpusError, match="outside itself"):
        asked(fresh_corpus)


def test_an_index_of_another_corpus_gives_no_traceback(fresh_corpus):
    for path in (fresh_corpus / "shelves").glob("*/index/rows.npy"):
        np.save(path, np.load(path) + 1_000_000)
    with pytest.raises(CorpusError, match="index of the corpus is damaged"):
        asked(fresh_corpus)


def test_an_index_of_a_language_that_is_none_gives_no_traceback(fresh_corpus):
    for path in (fresh_corpus / "shelves").glob("*/index/languages.npy"):
        np.save(path, np.array(["\u2020\u2020"]))
    with pytest.raises(CorpusError, match="pincite index"):
        asked(fresh_corpus)


PICKLING = (
    "jobs.py", "work.py", "worker_pool.py", "child.py", "measured_system.py",
)  # fmt: skip


def test_nothing_in_the_code_unpickles_a_file():
    for path in (Path(__file__).parents[2] / "pincite").rglob("*.py"):
        code = path.read_text(encoding="utf-8")
        assert not any(word in code for word in ("allow_pickle", "yaml.load(", "unsafe_load"))
        # pipes between our own processes, and what the harness of measuring wrote for itself
        assert "import pickle" not in code or path.name in PICKLING, path


def test_a_job_serves_no_file_but_its_own(example_corpus, tmp_path):
    from tests.serve.conftest import serving

    folder = Path(shutil.copytree(example_corpus, tmp_path / "reports.corpus"))
    (tmp_path / "secret").write_text("secret")
    wrote = {
        "kind": "batch", "corpus": "x", "title": "t", "by": "", "at": "2024-01-01", "state": "done",
        "result": {"file": "../../../secret"},
    }  # fmt: skip
    changes = {
        "a": {}, "b": {"id": "../../.."}, "c": {"result": ["file"]}, "d": {"state": "odd"},
        "e": {"result": {"file": "link"}}, "f": {"result": {"file": str(tmp_path / "secret")}},
    }  # fmt: skip
    for letter, change in changes.items():
        place = folder / "jobs" / (12 * letter)
        place.mkdir(parents=True)
        (place / "job.json").write_text(json.dumps({**wrote, "id": 12 * letter, **change}))
        (place / "link").symlink_to(tmp_path / "secret")
    with serving(folder) as client:
        listed = client.get("/api/v1/corpora/reports/jobs").json()["items"]
        assert {one["id"] for one in listed} == {12 * letter for letter in "aef"}
        for letter in changes:
            for place in ("/api/v1/corpora", "/c"):
                reply = client.get(f"{place}/reports/jobs/{12 * letter}/file")
                assert reply.status_code == 404 and "secret" not in reply.text


# ---- databases


def named(address, corpus, **meta):
    return Held(Database("books", (), "postgresql", address, meta), corpus)


def test_a_stored_address_is_not_connected_to(tmp_path, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", "hunter2")
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        server.settimeout(1)
        met = []
        waiting = threading.Thread(target=lambda: met.append(_accepted(server)))
        waiting.start()
        with pytest.raises(PinciteError, match=r"not opened.*PINCITE_DB_BOOKS"):
            named(f"postgresql://127.0.0.1:{server.getsockname()[1]}/books", tmp_path).open()
        waiting.join()
        assert met == [False]


def _accepted(server):
    try:
        server.accept()[0].close()
    except TimeoutError:
        return False
    return True


def test_a_stored_address_of_a_file_is_not_opened(tmp_path, monkeypatch):
    with closing(sqlite3.connect(tmp_path / "cookies.sqlite")) as db, db:
        db.execute("CREATE TABLE cookies (value TEXT)")
    address = f"sqlite:///{tmp_path / 'cookies.sqlite'}"
    with pytest.raises(PinciteError, match="not opened"):
        named(address, tmp_path).open()
    monkeypatch.setenv("PINCITE_DB_BOOKS", address)  # so that the user says it
    named(address, tmp_path).open().close()


def test_who_indexed_a_database_here_asks_it_again(tmp_path, monkeypatch):
    from pincite.indexing import Wanted
    from pincite.untrusted import agreement_of, is_agreed

    with closing(sqlite3.connect(tmp_path / "books.sqlite")) as db, db:
        db.execute("CREATE TABLE books (title TEXT, price INTEGER)")
        db.execute("INSERT INTO books VALUES ('Sea', 12)")
    index([], tmp_path / "corpus", databases=[Wanted(str(tmp_path / "books.sqlite"))])
    (held,) = Corpus(tmp_path / "corpus").databases
    assert is_agreed(agreement_of(CONSENT, held.database.address))
    held.open().close()
    pack(tmp_path / "corpus", tmp_path / "a.pincite")
    assert unpack(tmp_path / "a.pincite", tmp_path / "again").barred == ()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another user"))
    barred = unpack(tmp_path / "a.pincite", tmp_path / "theirs").barred
    assert barred == (("books", held.database.address),)
    with pytest.raises(PinciteError, match="not opened"):
        Corpus(tmp_path / "theirs").databases[0].open()


@pytest.mark.parametrize(
    "file", ["../cookies.sqlite", "/etc/passwd", "databases/../../cookies.sqlite"]
)
def test_a_file_of_tables_is_one_of_the_corpus(tmp_path, file):
    with pytest.raises(CorpusError, match="outside itself"):
        named("", tmp_path, file=file).open()


def test_fingerprints_of_rows_are_a_file_of_the_corpus():
    with pytest.raises(CorpusError, match="was forged"):
        prints_file("books", "books", "x/../../../../secret")


# ---- what would run


@pytest.mark.parametrize("sql", [
    "CREATE TRIGGER t AFTER INSERT ON facts BEGIN DELETE FROM nodes; END", "CREATE VIEW v AS SELECT * FROM nodes",
    "CREATE VIRTUAL TABLE v USING fts5 (a)", "CREATE TABLE extra (a)", "CREATE INDEX extra ON nodes (abs(page))",
])  # fmt: skip
def test_a_corpus_has_our_tables_and_no_others(fresh_corpus, sql):
    edit(fresh_corpus, sql)
    with pytest.raises(CorpusError, match="not opened|is not read"):
        Corpus(fresh_corpus)
    with pytest.raises(CorpusError, match="not opened|is not read"), writing(fresh_corpus):
        pass


def test_what_a_thing_is_called_does_not_hide_what_it_is(fresh_corpus):
    edit(
        fresh_corpus, "CREATE VIEW v AS SELECT 1", "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET type = 'table', sql = 'CREATE/**/ VIEW v AS SELECT 1' WHERE name = 'v'",
    )  # fmt: skip
    with pytest.raises(CorpusError):
        Corpus(fresh_corpus)


@pytest.mark.parametrize(
    "file", ["answers.sqlite", "grids.sqlite", "reviews.sqlite", "told.sqlite", "chats.sqlite"]
)
def test_no_file_beside_a_corpus_runs_anything(fresh_corpus, file):
    from pincite.chat.history import History
    from pincite.records.review import reviews
    from pincite.search.index.told_texts import digests
    from pincite.workbench.grid.grid_state import grids

    open_it = {
        "answers.sqlite": lambda: recall_answer(fresh_corpus, "0" * 12), "grids.sqlite": lambda: grids(fresh_corpus),
        "reviews.sqlite": lambda: reviews(fresh_corpus), "told.sqlite": lambda: digests(fresh_corpus),
        "chats.sqlite": lambda: History(fresh_corpus).chats(),
    }[file]  # fmt: skip
    for there in fresh_corpus.glob(f"{file}*"):  # other tests ask of what this is a copy of
        there.unlink()
    with closing(sqlite3.connect(fresh_corpus / file)) as db, db:
        db.execute("CREATE TABLE a (b)")
        db.execute("CREATE VIEW answers AS SELECT * FROM a")
    with pytest.raises(CorpusError, match="would run"):
        open_it()
    (fresh_corpus / file).write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    with pytest.raises(CorpusError, match="damaged"):
        open_it()


# ---- what was edited


@pytest.mark.parametrize("statement", [
    "UPDATE nodes SET text = replace(text, '11,706', '11,760'), grid = replace(grid, '11,706', '11,760')",
    "UPDATE nodes SET page = 1", "UPDATE nodes SET kind = 'sentence' WHERE kind = 'table'",
    "UPDATE nodes SET anchor = replace(anchor, '\"cells\"', '\"sells\"'), meta = '{}', parent = ''",
    "DELETE FROM nodes WHERE kind = 'table'", "DELETE FROM pages",
    "DELETE FROM documents WHERE title LIKE '%Halvorsen%'", "UPDATE documents SET title = 'Another'",
    "UPDATE files SET meta = '{}'", "DELETE FROM files", "DELETE FROM generations",
    "UPDATE generations SET content = replace(content, 'halvorsen', 'solvik')",
    "UPDATE generations SET content = '{'", "UPDATE nodes SET text = x'ff00', grid = x'ff'",
])  # fmt: skip
def test_what_was_edited_gives_no_answer(fresh_corpus, statement):
    right = asked(fresh_corpus)
    assert right.value.value == 11_706
    edit(fresh_corpus, statement)
    with pytest.raises(CorpusError, match="damaged|edited"):
        asked(fresh_corpus)


def test_edited_vectors_are_made_anew(fresh_corpus):
    first = "SELECT text_hash, encoder, vector FROM vectors LIMIT 1"
    changed = "UPDATE vectors SET vector = zeroblob(length(vector)) WHERE text_hash = ?"
    with writing(fresh_corpus) as writer:
        name, encoder, vector = writer.db.execute(first).fetchone()
        assert writer.known_vectors([name], encoder) == {name: vector}
        writer.db.execute(changed, (name,))
        assert writer.known_vectors([name], encoder) == {}


def verified(folder):
    run = CliRunner().invoke(app, ["doctor", "--corpus", str(folder), "--verify", "--json"])
    return run.exit_code, next(one for one in json.loads(run.output) if one["check"] == "nodes")


def test_an_edit_with_its_checksums_mended_is_found_by_reading_the_sources_again(fresh_corpus):
    code, told = verified(fresh_corpus)
    assert code == 0 and told["ok"] and told["same"] == 3 and told["unverified"] == []
    changes = (f"{name} = replace({name}, '11,706', '11,760')" for name in ("text", "grid"))
    edit(fresh_corpus, f"UPDATE nodes SET {', '.join(changes)}", mend=True)
    # no checksum tells: an attacker who is careful
    assert asked(fresh_corpus).value.value == 11_760
    code, told = verified(fresh_corpus)
    assert code == 1 and not told["ok"]
    (found,) = told["differs"]
    assert "halvorsen" in found["document"].lower() and "11,760" in found["why"]


def test_a_document_that_names_another_source_is_found(fresh_corpus):
    first, second, _ = (one.source for one in Corpus(fresh_corpus).documents)
    swap = f"UPDATE documents SET source = '{first}' WHERE source = '{second}'"
    edit(fresh_corpus, swap, mend=True)
    code, told = verified(fresh_corpus)
    assert code == 1 and "another source" in told["differs"][0]["why"]


def test_a_corpus_of_the_format_before_gets_checksums(fresh_corpus):
    right = asked(fresh_corpus)
    with closing(sqlite3.connect(fresh_corpus / "corpus.sqlite", isolation_level=None)) as db:
        for table in ("files", "documents", "nodes", "vectors", "covers", "generations"):
            told = db.execute(f"PRAGMA table_info({table})")
            columns = ", ".join(name for _, name, *_ in told if name != "sum")
            kinds = columns
            if table == "generations":
                kinds = "number INTEGER PRIMARY KEY, published, content"
            db.execute(f"CREATE TABLE before_{table} ({kinds})")
            db.execute(f"INSERT INTO before_{table} SELECT {columns} FROM {table}")
            db.execute(f"DROP TABLE {table}")
            db.execute(f"ALTER TABLE before_{table} RENAME TO {table}")
        db.execute("DROP TABLE pages")
        db.execute("CREATE INDEX nodes_by_id ON nodes (id)")
        db.execute("CREATE INDEX nodes_by_page ON nodes (version, page)")
        db.execute("DELETE FROM facts WHERE name != 'format'")
        db.execute("UPDATE facts SET value = '1'")
    with pytest.raises(CorpusError, match="pincite index --corpus"):
        Corpus(fresh_corpus)
    run = CliRunner().invoke(app, ["index", "--corpus", str(fresh_corpus)])
    assert run.exit_code == 0, run.output
    assert asked(fresh_corpus) == right
    renew(fresh_corpus)  # does nothing to what is new


# ---- import


@pytest.fixture(scope="module")
def exported(example_corpus, tmp_path_factory):
    """The example corpus as a file: its members."""
    out = tmp_path_factory.mktemp("exported") / "reports.pincite"
    pack(example_corpus, out)
    with zipfile.ZipFile(out) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(members, path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members:
            archive.writestr(name, body)
    return path


def refused(file, folder, why):
    before = sorted(folder.parent.rglob("*"))
    with pytest.raises(CorpusError, match=why):
        unpack(file, folder)
    # nothing is left, and nothing was written elsewhere
    assert sorted(folder.parent.rglob("*")) == before


def test_an_exported_corpus_comes_back(exported, tmp_path):
    made = unpack(packed(exported.items(), tmp_path / "a.pincite"), tmp_path / "new" / "corpus")
    assert made.documents == 3 and made.barred == ()
    assert asked(tmp_path / "new" / "corpus").value.value == 11_706
    with pytest.raises(UsageError, match="not empty"):
        unpack(tmp_path / "a.pincite", tmp_path / "new" / "corpus")


@pytest.mark.parametrize("name", [
    "../evil", "/tmp/evil", "sources/../../evil", "sources\\evil", "jobs/aaaaaaaaaaaa/job.json", "lock", "evil.txt",
    "corpus.sqlite-wal", "CORPUS.SQLITE", "sources/" + "A" * 64 + ".pdf", "sources/x.pdf", "databases/x.py",
    "shelves/x/nodes.pkl", "shelves/nodes.npy", "shelves/a/b/c/d.npy", "shelves/a\0b/nodes.npy", "reports/x.html",
    "chats.sqlite", "sources/", "uploads/a.pdf", "shelves/" + "a" * 300 + "/x.npy", "corpus.sqlite-journal",
    "pincite.toml", "jobs/a/job.json", "audit.jsonl", "shelves/a.npy/../b.npy", "sources/" + "0" * 64 + ".pdf/x",
    "people/anna/chats.sqlite", "replies.sqlite", "ledger.sqlite",
])  # fmt: skip
def test_what_is_no_part_of_a_corpus_is_not_unpacked(exported, tmp_path, name):
    file = packed([*exported.items(), (name, b"x")], tmp_path / "a.pincite")
    refused(file, tmp_path / "c", "nothing was imported")


def test_two_members_of_one_name_are_not_unpacked(exported, tmp_path):
    with pytest.warns(UserWarning, match="Duplicate"):
        file = packed([*exported.items(), ("corpus.sqlite", b"x")], tmp_path / "a.pincite")
    refused(file, tmp_path / "c", "twice")
    name = next(one for one in exported if one.startswith("shelves/"))
    other = name.replace("nodes", "NODES").swapcase().replace("SHELVES", "shelves")
    file = packed([*exported.items(), (other, b"")], file)
    refused(file, tmp_path / "c", "nothing was imported")


@pytest.mark.parametrize("kind", [0o120777, 0o020666, 0o010666, 0o040755])
def test_links_devices_and_folders_are_not_unpacked(exported, tmp_path, kind):
    info = zipfile.ZipInfo("databases/a.sqlite")
    info.create_system, info.external_attr = 3, kind << 16
    with zipfile.ZipFile(packed(exported.items(), tmp_path / "a.pincite"), "a") as archive:
        archive.writestr(info, "/etc/passwd")
    refused(tmp_path / "a.pincite", tmp_path / "c", "a link, a folder or a device")


def test_a_source_must_be_what_its_name_says(exported, tmp_path):
    changed = [
        (name, body + b" " * name.startswith("sources/")) for name, body in exported.items()
    ]
    file = packed(changed, tmp_path / "a.pincite")
    refused(file, tmp_path / "c", "not the file that its name identifies")


def test_what_would_explode_is_not_unpacked(exported, tmp_path, monkeypatch):
    monkeypatch.setattr("pincite.workbench.importing.SMALL", 1 << 20)
    large = ("databases/a.sqlite", b"\0" * (40 << 20))
    file = packed([*exported.items(), large], tmp_path / "a.pincite")
    refused(file, tmp_path / "c", "times its size")
    many = tmp_path / "many.pincite"
    many.write_bytes(b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, 1 << 30, 0, 0))
    refused(many, tmp_path / "c", "lists more than")


def test_members_inside_each_other_are_not_unpacked(exported, tmp_path):
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("corpus.sqlite", exported["corpus.sqlite"])
        (one,) = archive.infolist()
        for number in range(50):
            again = zipfile.ZipInfo(f"databases/{number}.sqlite")
            again.header_offset, again.CRC = one.header_offset, one.CRC
            again.file_size, again.compress_size = one.file_size, one.compress_size
            archive.filelist.append(again)
            archive.NameToInfo[again.filename] = again
    (tmp_path / "a.pincite").write_bytes(body.getvalue())
    refused(tmp_path / "a.pincite", tmp_path / "c", "nested in each other")


@pytest.mark.parametrize("at", [0.3, 0.5, 0.9, 0.999])
def test_half_a_file_is_not_imported(exported, tmp_path, at):
    body = packed(exported.items(), tmp_path / "whole.pincite").read_bytes()
    first, rest = body[: int(at * len(body))], body[int(at * len(body)) :]
    for changed in (first, first + b"\0" + rest):
        (tmp_path / "a.pincite").write_bytes(changed)
        refused(tmp_path / "a.pincite", tmp_path / "c", "nothing was imported")


def test_a_corpus_that_was_edited_is_not_imported(fresh_corpus, exported, tmp_path):
    edit(fresh_corpus, "UPDATE nodes SET text = 'x' WHERE kind = 'table'")
    for body, why in (
        ((fresh_corpus / "corpus.sqlite").read_bytes(), "edited"),
        (b"SQLite format 3\0" + os.urandom(5000), "nothing was imported"),
    ):
        changed = {**exported, "corpus.sqlite": body}
        refused(packed(changed.items(), tmp_path / "a.pincite"), tmp_path / "new", why)


def test_a_table_without_end_is_not_imported(fresh_corpus, exported, tmp_path):
    wide = '\'{"cells":[[0,0,"x",1,1,null],[900000,900000,"y",1,1,null]],"headers":[1,0],"caption":"","scale":"1","unit":"",'
    wide += '"unscaled":false,"page":1,"box":null}\''
    edit(fresh_corpus, f"UPDATE nodes SET grid = {wide} WHERE kind = 'table'", mend=True)
    changed = {**exported, "corpus.sqlite": (fresh_corpus / "corpus.sqlite").read_bytes()}
    file = packed(changed.items(), tmp_path / "a.pincite")
    refused(file, tmp_path / "new", "too large to be read")


def test_a_full_disk_leaves_nothing_of_an_import(exported, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    file = packed(exported.items(), tmp_path / "a.pincite")
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=64 << 20))
        refused(file, tmp_path / "c", "are free")
    with monkeypatch.context() as patched:
        patched.setattr("pincite.workbench.importing._write", full)
        refused(file, tmp_path / "c", "No space left on device.*Make room")


def test_nobodys_folder_is_cleared_for_an_import(exported, tmp_path):
    (tmp_path / "c.half").mkdir()
    (tmp_path / "c.half" / "mine.txt").write_text("mine")
    unpack(packed(exported.items(), tmp_path / "a.pincite"), tmp_path / "c")
    assert (tmp_path / "c.half" / "mine.txt").read_text() == "mine"
