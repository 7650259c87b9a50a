"""A text in parts that an encoder reads at once: nothing is lost, nothing is too long."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.models.endpoints.token_counts import approximate_spans
from pincite.models.text_parts import evenly, parts, read_whole

TEXTS = st.text("ab \n.", max_size=200)


def words(text):
    """Every word is a token."""
    return [found.span() for found in re.finditer(r"\S+", text)]


def letters(text):
    """Every sign but blanks is a token."""
    return [found.span() for found in re.finditer(r"\S", text)]


@pytest.mark.parametrize("spans_of", [words, letters, approximate_spans])
@given(text=TEXTS, most=st.integers(1, 12))
def test_parts_make_the_text_and_each_fits(spans_of, text, most):
    made = parts(text, spans_of, most)
    assert "".join(part for part, _ in made) == text
    assert all(len(spans_of(part)) <= most for part, _ in made)
    assert all(tokens > 0 for _, tokens in made)


def test_parts_are_cut_between_words():
    text = "Sales rose. Costs fell by nine percent in the year."
    assert [part for part, _ in parts(text, letters, 24)] == [
        "Sales rose. Costs fell by ",
        "nine percent in the year.",
    ]


def axes(texts):
    """A text is the direction of its first letter."""
    return np.array([[1, 0] if text.strip()[:1] == "a" else [0, 1] for text in texts], np.float32)


def test_a_long_text_is_the_mean_of_its_parts_by_their_tokens():
    (short, whole) = read_whole(["b", "aaa aaa aaa aaa aaa aaa bbb bbb bbb"], words, 3, axes)
    assert short.tolist() == [0, 1]
    # parts of 3, 2, 2 and 2 words, or the like: six words of nine point to a
    assert whole[0] > whole[1] > 0 and np.linalg.norm(whole) == pytest.approx(1)


def test_tokens_of_a_word_are_spread_over_its_letters():
    assert evenly(10, 17, 3) == [(10, 12), (12, 14), (14, 17)]
    assert evenly(0, 2, 5) == [(0, 1), (1, 2)]
