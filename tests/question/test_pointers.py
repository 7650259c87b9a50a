"""Where a question points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.question.pointers import ordinal, points


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is shown on page 9?", [("page", "9")]),
        ("Compare pages 3 and 4.", [("page", "3"), ("page", "4")]),
        ("Which date stands on the second page?", [("nth", "2")]),
        ("Who is named on the last slide?", [("nth", "-1")]),
        ("What does Table 2 list?", [("table", "2")]),
        ("How do Figures 5 and 6 differ?", [("figure", "5"), ("figure", "6")]),
        ("What does Section 3.3 say?", [("section", "3.3")]),
        ("How many threats does Appendix C name?", [("appendix", "C")]),
        ("What must a tenant do under the Quiet Hours section?", [("titled", "Quiet Hours")]),
        ("How many tables are on offer?", []),
        ("Which figure is higher?", []),
    ],
)
def test_where_a_question_points(text: str, expected: list[tuple[str, str]]) -> None:
    assert points(text) == expected


@given(st.text(max_size=200))
def test_no_question_is_too_odd_to_read(text: str) -> None:
    assert all(kind and label for kind, label in points(text))


def test_ordinals() -> None:
    assert [ordinal(word) for word in ("first", "Third", "12th", "last")] == [1, 3, 12, -1]
