from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.formats.spell import spell, unspell


@dataclass(frozen=True)
class Leaf:
    k1: float = 1.5
    name: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tree:
    left: Leaf
    right: Leaf = Leaf()
    weights: dict[str, float] = field(default_factory=dict)
    handle: object = field(default=None, repr=False, compare=False)


NAMES = {"Leaf": Leaf, "Tree": Tree}


def test_defaults_are_left_out():
    assert spell(Leaf()) == "Leaf()"
    assert (
        spell(Tree(Leaf(k1=0.9), weights={"table": 2.0}))
        == "Tree(left=Leaf(k1=0.9), weights={'table': 2.0})"
    )


def test_handles_are_not_spelled():
    assert spell(Tree(Leaf(), handle=object())) == "Tree(left=Leaf())"


leaves = st.builds(
    Leaf,
    k1=st.floats(allow_nan=False, allow_infinity=False),
    name=st.text(),
    tags=st.lists(st.text()).map(tuple),
)


@given(st.builds(Tree, leaves, leaves, st.dictionaries(st.text(), st.integers())))
def test_a_spelling_reads_back_to_an_equal_value(tree):
    assert unspell(spell(tree), NAMES) == tree


@pytest.mark.parametrize(
    "line", ["__import__('os')", "Leaf().k1", "Leaf(", "[1 for x in ()]", "open('x')"]
)
def test_nothing_but_spellings_is_read(line):
    with pytest.raises(UsageError):
        unspell(line, NAMES)
