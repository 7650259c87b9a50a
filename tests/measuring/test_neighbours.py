"""Neighbour relations counted by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.measuring.cell_neighbours import Agreement, agreement, relations
from pincite.types import Cell, Table

HEADED = Table(
    (
        Cell(0, 1, "Sales", column_span=2),
        Cell(1, 0, " "),
        Cell(1, 1, "North"),
        Cell(1, 2, "South"),
        Cell(2, 0, "May"),
        Cell(2, 1, "$ 1,200"),
        Cell(2, 2, "7.5 %"),
    )
)


def test_relations_skip_blank_cells_and_follow_spans():
    assert relations([HEADED]) == Counter(
        {
            ("north", "south", "right"): 1,
            ("may", "1,200", "right"): 1,
            ("1,200", "7.5%", "right"): 1,
            ("sales", "north", "down"): 1,
            ("sales", "south", "down"): 1,
            ("north", "1,200", "down"): 1,
            ("south", "7.5%", "down"): 1,
        }
    )


def test_a_neighbour_beyond_a_blank_counts():
    table = Table((Cell(0, 0, "a"), Cell(0, 2, "b"), Cell(3, 0, "c")))
    assert relations([table]) == Counter({("a", "b", "right"): 1, ("a", "c", "down"): 1})


def test_relations_of_several_tables_are_one_multiset():
    pair = Table((Cell(0, 0, "-"), Cell(0, 1, "-")))
    assert relations([pair, pair]) == Counter({("-", "-", "right"): 2})


def test_agreement_counts_each_relation_as_often_as_it_is_in_both():
    found = Table((Cell(0, 0, "A"), Cell(0, 1, "B"), Cell(0, 2, "C")))
    wanted = Table((Cell(0, 0, "a"), Cell(0, 1, "b"), Cell(1, 0, "d")))
    one = agreement([found], [wanted])
    assert one == Agreement(matched=1, found=2, wanted=2)
    assert (one.precision, one.recall, one.f1) == (0.5, 0.5, 0.5)
    total = one + Agreement(2, 2, 4)
    assert (total.precision, total.recall) == (0.75, 0.5)
    assert total.f1 == pytest.approx(0.6)


def test_nothing_found_or_wanted_is_zero():
    assert (Agreement().precision, Agreement().recall, Agreement().f1) == (0, 0, 0)
