"""Sketches against the sets that they sample."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus.versions.sketch import RUN, alike, from_bytes, held, sketch, to_bytes

WORDS = st.lists(st.sampled_from("ab cd ef gh ij kl mn op qr st".split()), max_size=60).map(
    " ".join
)


def runs(text):
    """The runs of a text, as a set."""
    words = text.split()
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


@given(WORDS, WORDS)
def test_small_texts_are_compared_exactly(a, b):
    x, y = runs(a), runs(b)
    expected = len(x & y) / len(x | y) if x and y else 0.0
    assert alike(sketch([a]), sketch([b])) == pytest.approx(expected)
    assert held(sketch([a]), sketch([b])) == pytest.approx(
        len(x & y) / min(len(x), len(y)) if x and y else 0.0
    )


@given(WORDS)
def test_bytes_and_back(text):
    one = sketch([text])
    again = from_bytes(to_bytes(one))
    assert again.runs == one.runs and again.least.tolist() == one.least.tolist()


def test_long_texts_are_estimated():
    chance = random.Random(5)
    words = [f"w{chance.randrange(4000)}" for _ in range(6000)]
    half = [*words[:3000], *(f"x{chance.randrange(4000)}" for _ in range(3000))]
    assert alike(sketch([" ".join(words)]), sketch([" ".join(half)])) == pytest.approx(
        1 / 3, abs=0.08
    )


def test_numbers_are_all_alike():
    assert (
        alike(sketch(["the load is 42 kN at most"]), sketch(["the load is 57 kN at most"])) == 1.0
    )
