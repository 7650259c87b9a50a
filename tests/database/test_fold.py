import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.database.relations.name_folding import distance, fold, key, similarity, stems


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("SAE-301, Annealed", "sae 301 annealed"),
        ("  Málaga\tStraße ", "malaga strasse"),
        ("12 MPa", "12 mpa"),
        ("+", "+"),
        ("- -", "- -"),
        ("", ""),
    ],
)
def test_a_name_is_folded(text, folded):
    assert fold(text) == folded


def test_plurals_are_their_singulars():
    assert stems("Stainless Steels") == stems("stainless steel")
    assert key("cities") == key("City")


def test_the_key_of_a_name_does_not_depend_on_blanks_save_between_digits():
    assert key("SAE 301") == key("sae-301") == key("SAE301")
    assert key("1 23") != key("12 3")


@pytest.mark.parametrize(
    ("one", "other", "changes"),
    [
        ("kitten", "sitting", 3),
        ("steel", "stele", 1),
        ("abc", "", 3),
        ("same", "same", 0),
        ("ca", "abc", 3),
    ],
)
def test_the_distance_of_two_words(one, other, changes):
    assert distance(one, other) == changes


words = st.text(alphabet="abcd", max_size=6)


@given(words, words)
def test_likeness_is_symmetric_and_1_only_for_the_same(one, other):
    assert similarity(one, other) == similarity(other, one)
    assert (similarity(one, other) == 1) == (one == other)
    assert 0 <= similarity(one, other) <= 1
