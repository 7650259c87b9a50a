"""Words that rooms need, in `data/words`."""

import tomllib
from importlib.resources import files

import pytest

from pincite import lexicon

ROOMS = {
    path.name.removesuffix(".toml"): tomllib.loads(path.read_text("utf-8"))
    for path in files("pincite").joinpath("data/words").iterdir()
}


@pytest.fixture
def room(monkeypatch):
    """A room with two lists, in place of the shipped files."""
    monkeypatch.setattr(lexicon, "_lists", lambda room: {"short": "of the for", "long": ["long term", "long", "a.b"]})
    for function in (lexicon.word_list, lexicon.word_set, lexicon.phrases):
        function.cache_clear()
    yield "room"
    for function in (lexicon.word_list, lexicon.word_set, lexicon.phrases):
        function.cache_clear()


def test_a_list_is_one_text_or_a_list_of_texts(room):
    assert lexicon.word_list(room, "short") == ("of", "the", "for")
    assert lexicon.word_set(room, "long") == {"long term", "long", "a.b"}


def test_phrases_are_whole_words_with_any_blanks_and_the_longest_is_found(room):
    found = [match.group() for match in lexicon.phrases(room, "long").finditer("Long  term debt, belongs along a.b, axb; long")]
    assert found == ["Long  term", "a.b", "long"]


def test_a_list_that_is_missing_is_named(room):
    with pytest.raises(KeyError, match="other"):
        lexicon.word_list(room, "other")


@pytest.mark.parametrize("room_name", sorted(ROOMS))
def test_no_list_says_a_word_twice_and_each_is_used(room_name):
    used = "\n".join(path.read_text("utf-8") for path in files("pincite").rglob("*.py"))
    for name in ROOMS[room_name]:
        given = lexicon.word_list(room_name, name)
        assert len(given) == len(set(given)), name
        assert f'"{name}"' in used, name
