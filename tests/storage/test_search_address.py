"""Where a corpus is searched: an engine's address, its folder, or the schema that it is in."""

import pytest

from pincite.errors import UsageError
from pincite.search.index.engines.engine_address import engine_address
from pincite.storage import corpus_folder, search_address


def test_a_corpus_in_postgres_is_searched_where_it_is(caches):
    given = "postgresql://ada@db.example.org:5433/main?corpus=reports&password_variable=SECRET"
    place = engine_address(search_address("corpus", corpus_folder(given)))
    assert place.text == "postgresql://db.example.org:5433/main?corpus=reports"
    assert (place.kind, place.schema, place.password_variable) == (
        "postgresql",
        "reports",
        "SECRET",
    )
    assert "ada" in place.url and "ada" not in repr(place)


@pytest.mark.parametrize(
    ("setting", "found"),
    [("corpus", ""), ("", ""), ("milvus://host", "milvus://host")],
)
def test_a_corpus_in_a_folder(tmp_path, setting, found):
    assert search_address(setting, tmp_path) == found


def test_the_address_of_a_database_names_no_schema():
    assert engine_address("postgresql://db.example.org/main").schema == ""


def test_what_is_wrong_with_a_corpus_is_wrong_with_its_search():
    with pytest.raises(UsageError, match="cannot name a corpus"):
        engine_address("postgresql://db.example.org/main?corpus=No")
