import sqlite3
import threading
from contextlib import closing

import pytest

from pincite.corpus import Corpus, FileStatus, served_schema, writing
from pincite.errors import CorpusBusy, CorpusError, CorpusNotWritable, UsageError
from pincite.records.answer_store import answer_id, recall_answer
from pincite.settings import Settings
from pincite.storage import address_of, corpus_folder
from pincite.storage.postgres import PostgresTables
from pincite.workbench.library import Library, index
from tests.conftest import EXAMPLES
from tests.test_corpus import document, put

pytestmark = pytest.mark.servers

QUESTIONS = (EXAMPLES / "questions.txt").read_text().splitlines()


def other_machine(monkeypatch, tmp_path):
    """What this process caches from now on is cached elsewhere, as on another machine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))


def test_the_same_answers_as_from_a_folder(address, library, monkeypatch, tmp_path):
    other_machine(monkeypatch, tmp_path)
    served = Library(address, Settings())
    assert served.corpus.generation.documents == library.corpus.generation.documents
    assert served.corpus.generation.shelves == library.corpus.generation.shelves
    for question in QUESTIONS:
        assert answer_id(served.ask(question)) == answer_id(library.ask(question))
        assert served.search(question) == library.search(question)


def test_all_that_is_stored_is_the_same_row_by_row(address, example_corpus):
    with closing(Corpus(address)) as served, closing(Corpus(example_corpus)) as folder:
        for known in folder.documents:
            assert served.document(known.version) == folder.document(known.version)
            assert (
                served.source(known.source).read_bytes()
                == folder.source(known.source).read_bytes()
            )
        assert served.files() == folder.files()
        facts = [(*row[:3], str(row[3]), *row[4:]) for row in served.page_facts()]
        assert sorted(facts) == sorted(
            (*row[:3], str(row[3]), *row[4:]) for row in folder.page_facts()
        )


def test_indexing_again_changes_nothing_and_parses_nothing(address):
    summary = index(EXAMPLES / "files", address, metadata=EXAMPLES / "metadata.csv")
    assert (summary.parsed, summary.encoded, summary.generation) == (0, 0, 1)


def test_two_writers_on_two_machines(database, monkeypatch, tmp_path):
    made = database("writers")
    with writing(made) as writer:
        put(writer, "alpha", "one")
        other_machine(monkeypatch, tmp_path)
        with pytest.raises(CorpusBusy, match="here or on another machine"), writing(made):
            pass
    with writing(made) as writer:
        assert set(writer.files()) == {"/reports/alpha.pdf"}


def test_a_writer_may_wait_for_another(database, monkeypatch, tmp_path):
    made, order = database("waiting"), []
    with writing(made) as first:
        other_machine(monkeypatch, tmp_path)

        def second():
            with writing(made, wait=20) as writer:
                order.append("second")
                put(writer, "beta", "two")

        thread = threading.Thread(target=second)
        thread.start()
        thread.join(0.5)
        assert thread.is_alive()
        order.append("first")
        put(first, "alpha", "one")
    thread.join(20)
    assert order == ["first", "second"]
    with closing(Corpus(made)) as corpus:
        assert [file.document for file in corpus.files()] == ["alpha.pdf", "beta.pdf"]


@pytest.mark.parametrize("within", ["between", "INSERT INTO nodes", "INSERT INTO pages"])
def test_a_writer_whose_connection_is_ended_goes_on(database, ended, within):
    made = database(f"ended_{within.split()[-1]}")
    with writing(made) as writer:
        put(writer, "alpha", "one")
        step, ends = writer.db._run_many, [within]

        def ends_before(sql, rows):
            if ends and sql.startswith(ends[0]):  # in the middle of a transaction
                ends.clear()
                assert ended() > 0
            return step(sql, rows)

        writer.db._run_many = ends_before
        if within == "between":
            ends.clear()
            assert ended() > 0
        put(writer, "beta", "two")
        assert not ends
        ended()
        writer.publish([("alpha.pdf", "alpha-1"), ("beta.pdf", "beta-1")], {})
        ended()
    with closing(Corpus(made)) as corpus:
        assert corpus.generation.number == 1
        assert corpus.document("beta-1").nodes == document("beta", "two").nodes
        ended()
        assert [file.document for file in corpus.files()] == ["alpha.pdf", "beta.pdf"]


def test_a_commit_whose_reply_is_lost_is_not_done_twice(database, ended):
    made = database("replies")
    with writing(made) as writer:
        step, lost = writer.db._run_one, ["COMMIT"]

        def loses(sql, values=()):
            found = step(sql, values)
            if sql == "COMMIT" and lost:
                lost.clear()
                ended()
                return step("SELECT 1")  # the reply that does not come
            return found

        writer.db._run_one = loses
        writer.publish([], {})  # a row that can be inserted once only
        assert not lost
        writer.publish([], {})
    with closing(Corpus(made)) as corpus:
        assert corpus.generation.number == 2


def test_who_lost_the_lock_to_another_writer_stops(database, monkeypatch, tmp_path, ended):
    made = database("lost")
    with writing(made) as first:
        put(first, "alpha", "one")
        other_machine(monkeypatch, tmp_path)
        ended()
        with writing(made) as second:
            put(second, "beta", "two")
        with pytest.raises(CorpusBusy, match="another process has indexed it meanwhile"):
            put(first, "gamma", "three")
    with closing(Corpus(made)) as corpus:
        assert [file.document for file in corpus.files()] == ["alpha.pdf", "beta.pdf"]


def test_a_connection_that_is_ended_while_asking(address, library, ended):
    served = Library(address, Settings())
    for question in QUESTIONS[:4]:
        assert ended() > 0
        assert answer_id(served.ask(question)) == answer_id(library.ask(question))


def test_a_reader_keeps_its_generation_while_others_are_published(database):
    made = database("pinned")
    with writing(made) as writer:
        put(writer, "alpha", "one")
        writer.publish([("alpha.pdf", "alpha-1")], {})
    with closing(Corpus(made)) as reader:
        with writing(made) as writer:
            put(writer, "beta", "two")
            assert reader.generation.number == 1
            writer.publish([("beta.pdf", "beta-1")], {})
            writer.sweep()
        assert [known.id for known in reader.documents] == ["alpha.pdf"]
        assert reader.document("alpha-1").nodes == document("alpha", "one").nodes
        with closing(Corpus(made)) as newer:
            assert [known.id for known in newer.documents] == ["beta.pdf"]


def test_half_a_document_is_never_seen(database):
    made = database("half")
    with writing(made) as writer:
        put(writer, "alpha", "one")
        writer.begin_document("beta-1")
    with writing(made) as writer:  # what was begun and not ended is cleared
        assert writer.db.execute(
            "SELECT count(*) FROM nodes WHERE version = 'beta-1'"
        ).fetchone() == (0,)
        assert writer.versions() == {"alpha-1"}


def test_a_text_with_nul_comes_back_as_it_was(database):
    made = database("nul")
    with writing(made) as writer:
        put(writer, "alpha", "one\0two")
        writer.publish([("alpha.pdf", "alpha-1")], {})
    with closing(Corpus(made)) as corpus:
        assert corpus.document("alpha-1").nodes[1].text == "one\0two"


def test_a_row_that_was_edited_is_found(database):
    made = database("edited")
    with writing(made) as writer:
        put(writer, "alpha", "one")
        writer.publish([("alpha.pdf", "alpha-1")], {})
        writer.db.execute("UPDATE nodes SET text = 'another' WHERE id = 'alpha-p'")
    with closing(Corpus(made)) as corpus, pytest.raises(CorpusError, match="not as it was stored"):
        corpus.nodes(["alpha-p"])


def test_an_index_that_was_edited_is_found(database, monkeypatch, tmp_path):
    made = database("forged")
    index(EXAMPLES / "files" / "brandt-2024-inference-energy.pdf", made)
    db = PostgresTables(address_of(corpus_folder(made)))
    db.execute("UPDATE kept_parts SET content = ? WHERE name LIKE '%nodes.npy'", (b"x",))
    other_machine(monkeypatch, tmp_path)
    with pytest.raises(CorpusError, match=r"nodes.npy in postgresql://.* is not as it was stored"):
        Library(made, Settings()).ask("How much energy does a request need?")


def test_a_schema_is_brought_up_to_date_once(database, monkeypatch):
    made = database("steps")
    with writing(made) as writer:
        put(writer, "alpha", "one")
        writer.publish([("alpha.pdf", "alpha-1")], {})
    step = "ALTER TABLE documents ADD COLUMN IF NOT EXISTS shelfmark TEXT NOT NULL DEFAULT ''"
    monkeypatch.setattr(
        served_schema, "STEPS", (step, "INSERT INTO facts VALUES ('step', 'taken')")
    )
    with pytest.raises(CorpusError, match="made by an earlier Pincite: run `pincite index"):
        Corpus(made)
    for _ in range(2):
        with writing(made) as writer:
            assert dict(writer.db.execute("SELECT name, value FROM facts"))["steps"] == "2"
    monkeypatch.setattr(served_schema, "STEPS", (step,))
    with pytest.raises(CorpusError, match=r"has format 2.2, this Pincite reads format 2.1"):
        Corpus(made)


def test_a_user_who_may_only_read_asks_and_keeps_nothing(address, database, postgres, library):
    with postgres.connect(database("x").split("/")[3].partition("?")[0]) as connection:
        connection.execute('GRANT USAGE ON SCHEMA "examples" TO reader')
        connection.execute('GRANT SELECT ON ALL TABLES IN SCHEMA "examples" TO reader')
    reading = Library(database("examples", "reader"), Settings())
    answer = reading.ask(QUESTIONS[0])
    assert reading.keep([answer]) == [answer_id(library.ask(QUESTIONS[0]))]
    with (
        pytest.raises(CorpusNotWritable, match="this user may not do that"),
        writing(database("examples", "reader")),
    ):
        pass


def test_answers_are_kept_for_all_machines(address, monkeypatch, tmp_path):
    served = Library(address, Settings())
    answer = served.ask(QUESTIONS[0])
    (identity,) = served.keep([answer])
    other_machine(monkeypatch, tmp_path)
    assert recall_answer(corpus_folder(address), identity) == answer


def test_where_there_is_no_corpus(database):
    with pytest.raises(
        CorpusError, match=r"there is no corpus at postgresql:///test\d+\?corpus=none"
    ):
        Corpus(database("none"))


def test_a_folder_that_was_received_names_no_server(address, tmp_path):
    forged = tmp_path / "received"
    forged.mkdir()
    (forged / "address").write_text(address)
    assert address_of(forged) is None
    with pytest.raises(CorpusError, match="there is no corpus at"):
        Corpus(forged)


@pytest.mark.parametrize(
    "given",
    [
        "postgresql://me:secret@db/reports?corpus=x",
        "postgresql://me@db/reports?password=secret",
        "postgresql://me@db/reports?sslpassword=secret",
        "postgresql://me@db/reports?sources=s3://key:secret@bucket/x",
    ],
)
def test_an_address_holds_no_password(given, caches):
    with pytest.raises(UsageError, match="may hold no password") as refused:
        corpus_folder(given)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("postgresql://db/x?corpus=Reports", "cannot name a corpus"),
        ("postgresql://db/x?corpus=pg_catalog", "cannot name a corpus"),
        ("postgresql://db/x?service=evil", "has no parameter service"),
        ("postgresql://db:port/x", "cannot be read"),
    ],
)
def test_an_address_that_cannot_be_used(given, said, caches):
    with pytest.raises(UsageError, match=said):
        corpus_folder(given)


def test_an_address_is_one_however_it_is_written(caches):
    first = corpus_folder("postgresql://me@db:5433/reports?corpus=a&sslmode=require")
    assert corpus_folder("postgres://me@db:5433/reports?sslmode=require&corpus=a") == first
    assert corpus_folder("postgresql:/me@db:5433/reports?sslmode=require&corpus=a") == first
    assert corpus_folder(first) == first
    assert address_of(first).text == "postgresql://db:5433/reports?corpus=a"


def test_the_password_comes_from_the_variable_that_the_address_names(database, monkeypatch):
    made = database("variable") + "&password_variable=REPORTS_PASSWORD"
    with pytest.raises(UsageError, match="REPORTS_PASSWORD, which is not set"), writing(made):
        pass
    monkeypatch.setenv("REPORTS_PASSWORD", "not asked for on a socket")
    with writing(made) as writer:
        assert writer.files() == {}
    assert "not asked" not in (corpus_folder(made) / "address").read_text()


def test_a_folder_knows_nothing_of_it(fresh_corpus):
    with closing(sqlite3.connect(fresh_corpus / "corpus.sqlite")) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    assert "kept_files" not in names
    with writing(fresh_corpus) as writer:
        writer.put_file(FileStatus("/x", "x"))


def test_a_new_corpus_is_seen_whole_or_not_at_all(database, monkeypatch):
    made, seen = database("new"), []
    many = PostgresTables.executemany

    def looks_first(tables, sql, rows):
        if sql.startswith(
            "INSERT INTO facts"
        ):  # the tables are made, what they are is not said yet
            with pytest.raises(CorpusError, match="there is no corpus at") as said:
                Corpus(made)
            seen.append(said)
        return many(tables, sql, rows)

    monkeypatch.setattr(PostgresTables, "executemany", looks_first)
    with writing(made):
        assert len(seen) == 1
        assert Corpus(made).generation.number == 0
