from contextlib import closing

import pytest

from pincite.corpus import Corpus, writing
from pincite.errors import CorpusError, UsageError
from pincite.indexing.removing import remove
from pincite.records.answer_store import answer_id, recall_answer
from pincite.records.review import accept, reviews
from pincite.settings import Settings
from pincite.storage import corpus_folder
from pincite.storage.file_copies import kept_names
from pincite.workbench.importing import unpack
from pincite.workbench.library import Library, default_shelves, index
from pincite.workbench.transfer import pack
from tests.conftest import EXAMPLES
from tests.storage.test_corpus_in_postgres import QUESTIONS, other_machine
from tests.test_corpus import put

pytestmark = pytest.mark.servers


@pytest.fixture
def reviewed(fresh_corpus):
    """A corpus in a folder with an answer that a person accepted, and the answer's id."""
    library = Library(fresh_corpus, Settings())
    (identity,) = library.keep([library.ask(QUESTIONS[0])])
    accept(library.corpus, identity, "Ada")
    return fresh_corpus, identity


def answers(corpus):
    """The ids of the answers to some questions."""
    library = Library(corpus, Settings())
    return [answer_id(library.ask(question)) for question in QUESTIONS[:4]]


def test_from_a_folder_to_postgres_and_back(reviewed, database, tmp_path, monkeypatch):
    folder, identity = reviewed
    made = corpus_folder(database("moved"))
    pack(folder, tmp_path / "out.pincite")
    assert unpack(tmp_path / "out.pincite", made).documents == 3
    other_machine(monkeypatch, tmp_path)
    made = corpus_folder(database("moved"))
    assert answers(made) == answers(folder)
    assert recall_answer(made, identity) == recall_answer(folder, identity)
    assert reviews(made) == reviews(folder)
    accept(Corpus(made), identity, "Bo")
    assert [review.by for review in reviews(made)] == ["Ada", "Bo"]

    pack(made, tmp_path / "back.pincite")
    assert unpack(tmp_path / "back.pincite", tmp_path / "back").documents == 3
    assert answers(tmp_path / "back") == answers(folder)
    assert [review.by for review in reviews(tmp_path / "back")] == ["Ada", "Bo"]
    with closing(Corpus(tmp_path / "back")) as after, closing(Corpus(folder)) as before:
        assert after.generation == before.generation
        assert [after.document(known.version) for known in after.documents] == [
            before.document(known.version) for known in before.documents
        ]
    again = index(EXAMPLES / "files", tmp_path / "back", metadata=EXAMPLES / "metadata.csv")
    assert (again.parsed, again.encoded) == (0, 0)


def test_nothing_is_imported_over_a_corpus(reviewed, address, tmp_path):
    pack(reviewed[0], tmp_path / "out.pincite")
    with pytest.raises(UsageError, match="there is a corpus at postgresql://.* already"):
        unpack(tmp_path / "out.pincite", corpus_folder(address))


def test_tables_of_files_move_with_their_rows(database, tmp_path, monkeypatch):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "plants.csv").write_text(
        "plant,country,output in GWh\nNorth,Norway,120\nSouth,Denmark,80\nEast,Norway,45\n"
    )
    made = database("tables")
    index(tmp_path / "files", made)
    question = "What is the output of the plant South?"
    pack(corpus_folder(made), tmp_path / "out.pincite")
    unpack(tmp_path / "out.pincite", tmp_path / "folder")
    other_machine(monkeypatch, tmp_path)
    told, _ = Library(database("tables"), Settings()).rows(question)
    same, _ = Library(tmp_path / "folder", Settings()).rows(question)
    assert told.draft == same.draft
    assert "80" in str(told.draft)


def sources_in(place, database, monkeypatch, tmp_path, name):
    """Index a report with its sources at a place; its bytes as another machine reads them."""
    made = database(name) + f"&sources={place}"
    report = EXAMPLES / "files" / "brandt-2024-inference-energy.pdf"
    index(report, made)
    with closing(Corpus(made)) as corpus:
        (known,) = corpus.documents
    assert kept_names(corpus.folder, "sources/") == []
    other_machine(monkeypatch, tmp_path)
    with closing(Corpus(made)) as corpus:
        assert corpus.source(known.source).read_bytes() == report.read_bytes()
    return f"{known.source}.pdf", made


def test_sources_in_a_folder_that_machines_share(database, monkeypatch, tmp_path):
    place = tmp_path / "shared"
    name, made = sources_in(f"file://{place}", database, monkeypatch, tmp_path, "in_a_folder")
    assert [path.name for path in (place / "in_a_folder").iterdir()] == [name]
    remove(["brandt-2024-inference-energy"], made, default_shelves())
    with writing(made) as writer:  # the last two generations keep what they cite
        put(writer, "alpha", "one")
        writer.publish([("alpha.pdf", "alpha-1")], {})
        writer.sweep()
    assert list((place / "in_a_folder").iterdir()) == []


def test_sources_in_a_bucket(database, monkeypatch, tmp_path):
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0)
    s3fs = pytest.importorskip("s3fs")
    server.start()
    s3fs.S3FileSystem.clear_instance_cache()  # it may hold clients of an earlier test's server
    try:
        monkeypatch.setenv("AWS_ENDPOINT_URL", "http://{}:{}".format(*server.get_host_and_port()))
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.setenv(name, "of-the-environment")
        s3fs.S3FileSystem().mkdir("reports")
        name, made = sources_in(
            "s3://reports/kept", database, monkeypatch, tmp_path, "in_a_bucket"
        )
        assert s3fs.S3FileSystem().ls("reports/kept/in_a_bucket") == [
            f"reports/kept/in_a_bucket/{name}"
        ]
        assert "of-the-environment" not in (corpus_folder(made) / "address").read_text()
    finally:
        server.stop()


def test_a_place_for_sources_that_is_not_there(database, tmp_path):
    (tmp_path / "file").write_text("no folder")
    made = database("nowhere") + f"&sources=file://{tmp_path}/file/below"
    with pytest.raises(
        CorpusError, match=r"the sources of the corpus at file://.* cannot be read or written"
    ):
        index(EXAMPLES / "files" / "brandt-2024-inference-energy.pdf", made)
