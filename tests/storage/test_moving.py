from contextlib import closing

import pytest

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.library import Library, index
from pincite.records.answer_store import answer_id, recall_answer
from pincite.review import accept, reviews
from pincite.settings import Settings
from pincite.storage import corpus_folder
from pincite.workbench.importing import unpack
from pincite.workbench.transfer import pack
from tests.conftest import EXAMPLES
from tests.storage.test_corpus_in_postgres import QUESTIONS, other_machine


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
