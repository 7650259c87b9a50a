"""A corpus in PostgreSQL that is searched in its own schema."""

import pytest

from pincite.corpus import Corpus
from pincite.settings import load
from pincite.workbench.library import Library, index
from tests.conftest import EXAMPLES
from tests.storage.test_corpus_in_postgres import QUESTIONS, other_machine

pytestmark = pytest.mark.servers


def test_a_corpus_searched_where_it_is_answers_as_a_folder(
    database, ended, library, monkeypatch, tmp_path
):
    monkeypatch.setenv("PINCITE_SEARCH", "corpus")
    made = database("searched")
    index(EXAMPLES / "files", made, metadata=EXAMPLES / "metadata.csv")
    other_machine(monkeypatch, tmp_path)
    served = Library(made, load())
    assert all("corpus=searched" in spelled for spelled in served.corpus.generation.shelves)
    assert 2 <= len(engine_tables(made)) <= len(served.corpus.generation.shelves)
    for number, question in enumerate(QUESTIONS):
        if number == 2:
            assert ended() > 0
        mine, known = served.ask(question), library.ask(question)
        assert (mine.value, mine.reason) == (known.value, known.reason)
        assert mine.confidence == pytest.approx(known.confidence, abs=1e-3)


def engine_tables(address):
    """The tables of indexes in the schema of a corpus."""
    rows = Corpus(address)._rows(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
    )
    return [name for (name,) in rows if name.startswith("pincite_")]
