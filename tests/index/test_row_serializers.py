from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.search.index.table_rows import SERIALIZERS

GOLDEN = Path(__file__).parent.parent / "golden" / "rows"
STEEL_A = (("Material", "Steel A"), ("Melting point", 1340), ("Yield strength", "240 MPa"))
STEEL_B = (("Material", "Steel B"), ("Melting point", 1400), ("Yield strength", None))


def test_the_golden_files_are_the_serializers():
    assert {path.stem for path in GOLDEN.iterdir()} == set(SERIALIZERS)


@pytest.mark.parametrize("name", SERIALIZERS)
def test_the_published_example(name):
    write = SERIALIZERS[name]
    made = write("Metal properties", STEEL_A) + "\n" + write("Metal properties", STEEL_B)
    assert made == (GOLDEN / f"{name}.txt").read_text()


def test_what_a_format_reserves_is_escaped():
    row = (("a|b <c>", "x & y | z"), ("1st", 2))
    assert "| a\\|b <c>| x & y \\| z |" in SERIALIZERS["markdown"]("T", row)
    assert "<_1st>2</_1st>" in SERIALIZERS["xml"]("T", row)
    assert "<a_b__c_>x &amp; y | z</a_b__c_>" in SERIALIZERS["xml"]("T", row)
    assert "<li>a|b &lt;c&gt;: x &amp; y | z</li>" in SERIALIZERS["html"]("T", row)


def test_yaml_keeps_text_that_looks_like_something_else():
    assert (
        SERIALIZERS["yaml"]("T", (("a", "no"), ("b", "1000"), ("c", 2.5)))
        == "T:\n  a: 'no'\n  b: '1000'\n  c: 2.5\n"
    )


WORD = st.text("abc:|<>&'\"# -é", max_size=12)


@pytest.mark.parametrize("name", SERIALIZERS)
@given(
    table=WORD,
    row=st.lists(
        st.tuples(WORD, WORD | st.integers() | st.none()),
        min_size=1,
        max_size=5,
        unique_by=lambda p: p[0],
    ),
)
def test_any_row_ends_with_one_newline(name, table, row):
    made = SERIALIZERS[name](table, row)
    assert made.endswith("\n")
    assert not made.endswith("\n\n")


@given(table=WORD, row=st.dictionaries(WORD, WORD | st.integers(), min_size=1, max_size=5))
def test_json_yaml_and_xml_read_back(table, row):
    import json
    from xml.etree import ElementTree

    import yaml

    pairs = tuple(row.items())
    assert json.loads(SERIALIZERS["json"](table, pairs)) == {table: row}
    assert yaml.safe_load(SERIALIZERS["yaml"](table, pairs)) == {table: row}
    held = ElementTree.fromstring(SERIALIZERS["xml"](table, pairs))[0]
    assert [one.text or "" for one in held] == [str(value) for value in row.values()]
