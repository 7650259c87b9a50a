import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.document.address import area, cell_name, own_place, place_of, standing, unprinted
from pincite.types import Anchor


def anchor(path, cells=(), page=3):
    return Anchor("", ((page, None),) if page else (), cells, path)


@pytest.mark.parametrize(
    ("row", "column", "name"),
    [
        (0, 0, "A1"),
        (4, 2, "C5"),
        (0, 25, "Z1"),
        (9, 26, "AA10"),
        (0, 701, "ZZ1"),
        (0, 702, "AAA1"),
    ],
)
def test_a_cell_has_the_name_that_spreadsheets_give_it(row, column, name):
    assert cell_name(row, column) == name


def test_areas_name_their_corners():
    assert area([(0, 0), (500, 899)], (1, 5)) == "B1:F1,B501:F900"


@pytest.mark.parametrize(
    ("path", "cells", "told"),
    [
        ("3 Results > Revenue", (), "page 3"),
        ("", (), "page 3"),
        ("slide 3 > Costs", (), "slide 3 > Costs"),
        ("slide 3, notes", (), "slide 3, notes"),
        ("text > Results > Revenue", (), "Results > Revenue"),
        ("text", (), "the text"),
        ("Costs!B2:F9", ((0, 0),), "Costs!B2"),
        ("Costs!B2:F9", ((3, 1), (3, 2)), "Costs!C5, D5"),
        ("Costs!B2:F9", (), "Costs!B2:F9"),
        ("Costs!B8:B8", (), "Costs!B8"),
        ("cells A1:C3", ((2, 1),), "cells B3"),
        ("Costs!A1:F1,A502:F900", ((1, 2),), "Costs!C502"),
        ("member a.xlsx, Costs!A1:B2", ((1, 1),), "member a.xlsx, Costs!B2"),
        ("member a.pdf, page 7 > Risks", (), "member a.pdf, page 7 > Risks"),
        ("tagged facts", (), "tagged facts"),
        ("Slides of 2023", (), "page 3"),
    ],
)
def test_a_place_is_told_in_the_terms_of_its_format(path, cells, told):
    assert place_of(anchor(path, cells)) == told


@given(st.integers(0, 2000), st.integers(0, 900), st.integers(0, 300), st.integers(0, 300))
def test_a_cited_cell_has_the_address_it_had_in_the_file(row, column, down, right):
    path = f"S!{area([(row, row + 300)], (column, column + 300))}"
    assert place_of(anchor(path, ((down, right),))) == f"S!{cell_name(row + down, column + right)}"


@pytest.mark.parametrize(
    ("path", "page", "told", "place"),
    [
        ("3 Results > Revenue", 3, "on page 3", ""),
        ("slide 3 > Costs", 3, "on slide 3 > Costs", "slide 3"),
        ("text > Results > Revenue", 3, "under Results > Revenue", "text"),
        ("text", 3, "in the text", "text"),
        ("Costs!B2:F9", 3, "at Costs!B2:F9", ""),
        ("chapter 2 > Costs", 3, "in chapter 2 > Costs", "chapter 2"),
        (
            "member a.pdf, page 3 > Costs",
            7,
            "in member a.pdf, page 3 > Costs",
            "member a.pdf, page 3",
        ),
        ("Results", 0, "under Results", ""),
        ("", 0, "", ""),
    ],
)
def test_a_sentence_says_where_it_stands(path, page, told, place):
    assert standing(anchor(path, page=page)) == told
    assert own_place(path) == place
    assert bool(unprinted(anchor(path, page=page))) == (told not in ("on page 3", ""))
