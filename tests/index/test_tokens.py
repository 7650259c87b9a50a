import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.search.index.tokens import tokens


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("85.5% of 12.5 tCO2e", ["85.5%", "12.5", "tco2e"]),
        ("GPT-3 and Falcon-40B", ["gpt-3", "falcon-40b"]),
        ("1,234.5 (4,521)", ["1,234.5", "4,521"]),
        ("CO₂ and ﬁnal", ["co2", "final"]),
        ("The companies' purchases of property", ["compani", "purchas", "properti"]),
        ("FY2018, 2023Q2", ["fy2018", "2018", "2023q2", "2023"]),
        ("Form 10-K, 8-K", ["form", "10-k", "8-k"]),
        ("long-term U.S. debt", ["long", "term", "u.s", "debt"]),
        ("| Revenue |---|\t12 |", ["revenu", "12"]),
        ("net_income ..... 7", ["net", "incom", "7"]),
        ("What is the", []),
        ("", []),
    ],
)
def test_tokens(text, terms):
    assert tokens(text) == terms


@given(st.text())
def test_terms_are_lower_case_without_blanks_or_delimiters(text):
    for term in tokens(text):
        assert term == term.lower()
        assert not set(term) & set(" \t\n|_")


@given(st.text(alphabet="abc 12.,%-"), st.text(alphabet="abc 12.,%-"))
def test_a_blank_separates(left, right):
    assert tokens(f"{left} \n {right}") == tokens(left) + tokens(right)
