"""Words that rooms need, in `data/words`."""

import tomllib
from importlib.resources import files

import pytest

from pincite.text import lexicon

ROOMS = {
    path.name.removesuffix(".toml"): tomllib.loads(path.read_text("utf-8"))
    for path in files("pincite").joinpath("data/words").iterdir()
}


GIVEN = {
    "words": {"short": "of the for", "long": ["long term", "long", "a.b"]},
    "patterns": {
        "fragments": {"month": "{spring}|june", "spring": "may"},
        "patterns": {"day": r"(?i) \b(?:{month}) \s \d{1,2} \b", "lost": "{week}"},
        "units": {"mass": ["kg", "t"], "length": "m"},
    },
}


@pytest.fixture
def room(monkeypatch):
    """A room with two lists, in place of the shipped files."""
    monkeypatch.setattr(lexicon, "data_table", lambda name: GIVEN[name.partition("/")[0]])
    for function in (lexicon.word_list, lexicon.word_set, lexicon.pattern, lexicon.pattern_table):
        function.cache_clear()
    yield "room"
    for function in (lexicon.word_list, lexicon.word_set, lexicon.pattern, lexicon.pattern_table):
        function.cache_clear()


def test_a_list_is_one_text_or_a_list_of_texts(room):
    assert lexicon.word_list(room, "short") == ("of", "the", "for")
    assert lexicon.word_set(room, "long") == {"long term", "long", "a.b"}


def test_a_pattern_is_verbose_and_fragments_stand_in_it(room):
    assert lexicon.pattern(room, "day").findall("on June 3, may 12 and may 123") == [
        "June 3",
        "may 12",
    ]
    with pytest.raises(KeyError, match="week"):
        lexicon.pattern(room, "lost")


def test_a_table_of_patterns_keeps_the_order_of_the_file(room):
    found = [(name, said.pattern) for name, said in lexicon.pattern_table(room, "units")]
    assert found == [("mass", "kg"), ("mass", "t"), ("length", "m")]


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


PATTERNS = {
    path.name.removesuffix(".toml"): tomllib.loads(path.read_text("utf-8"))
    for path in files("pincite").joinpath("data/patterns").iterdir()
}


BY_NAME = {
    "patterns", "cues", "wording", "operands", "metrics", "asking", "offers", "focus", "pointers", "request", "contest",
    "company questions", "proper names", "text or table",
}  # fmt: skip
"""Tables whose patterns are taken one by one; every other is taken whole."""


@pytest.mark.parametrize("room_name", sorted(PATTERNS))
def test_every_pattern_compiles_and_is_used_and_so_is_every_fragment(room_name):
    used = "\n".join(path.read_text("utf-8") for path in files("pincite").rglob("*.py"))
    rooms = PATTERNS if room_name == "fragments" else (room_name,)
    folder = files("pincite").joinpath("data/patterns")
    written = "\n".join(folder.joinpath(f"{room}.toml").read_text("utf-8") for room in rooms)
    for table, given in PATTERNS[room_name].items():
        if table == "fragments":
            assert [name for name in given if f"{{{name}}}" not in written] == []
            continue
        assert lexicon.pattern_table(room_name, table)
        names = given if table in BY_NAME else (table,)
        assert [name for name in names if f'"{name}"' not in used] == []
