"""Marks of editions in names, titles and questions; every expected value is written by hand."""

import pytest

from pincite.corpus.versions.edition_marks import (
    Mark,
    dates_in,
    designation,
    designations,
    labelled,
    marks_of_name,
    marks_of_title,
    telling,
    written,
)


@pytest.mark.parametrize(
    ("name", "key", "marks"),
    [
        ("handbook_v2", "handbook", [("version", (2,))]),
        ("Manual_V1.1", "manual", [("version", (1, 1))]),
        ("pump rev-B", "pump", [("revision", (2,))]),
        ("Policy_Rev-B_final (2)", "policy", [("revision", (2,)), ("state", (1,))]),
        ("EN 10025-2_2019", "en 10025 2", [("when", (2019,))]),
        ("en10025-2-2004", "en 10025 2", [("when", (2004,))]),
        ("DIN EN 10025-2_2005", "en 10025 2", [("when", (2005,))]),
        ("price list 2023-05-01", "price list", [("when", (2023, 5, 1))]),
        ("price_list_20230501", "price list", [("when", (2023, 5, 1))]),
        ("bulletin 3 March 2021", "bulletin", [("when", (2021, 3, 3))]),
        ("ACME_2022_10K-A", "acme 10k", [("amendment", (1,)), ("when", (2022,))]),
        ("Acme results FY23", "acme results", [("when", (2023,))]),
        ("2023 Q2 ACME", "acme", [("quarter", (2,)), ("when", (2023,))]),
        ("Travel handbook 2nd edition", "travel handbook", [("edition", (2,))]),
        ("Resehandbok utgåva 3", "resehandbok", [("edition", (3,))]),
        ("report (corrected)", "report", [("state", (2,))]),
        ("policy2023", "policy", [("when", (2023,))]),
        ("EN 1993-1-1_2005", "en 1993 1 1", [("when", (2005,))]),
        ("guide_2.0", "guide", [("version", (2, 0))]),
        ("manual-r3", "manual", [("revision", (3,))]),
        ("safety manual ed3", "safety manual", [("edition", (3,))]),
        ("handbook_old", "handbook", [("state", (0,))]),
        ("2303.08559v2", "2303 08559", [("version", (2,))]),
    ],
)
def test_names(name, key, marks):
    found, read = marks_of_name(name)
    assert " ".join(found) == key
    assert sorted((one.kind, one.order) for one in read) == sorted(marks)


@pytest.mark.parametrize(
    "name",
    [
        "engine V8",
        "invoice_1002",
        "a revision a year",
        "issued",
        "24V supply",
        "model 400",
        "new york",
    ],
)
def test_no_marks(name):
    assert marks_of_name(name)[1] == ()


def test_a_standard_is_called_without_its_body_and_year():
    assert designation("DIN EN 10025-2:2005-04 Hot rolled products") == ("en", "10025", "2")
    assert designation("ISO/IEC 27001:2022") == ("iso", "iec", "27001")
    assert designation("A guide to ISO 9001:2015") == ()
    assert designation("Model X 400 manual") == ()


def test_standards_of_a_question():
    asked = "Does EN 10025-2:2004 allow more than SS-EN 10025-3:2019?"
    assert [(key, when.order) for key, when in designations(asked)] == [
        (("en", "10025", "2"), (2004,)),
        (("en", "10025", "3"), (2019,)),
    ]


def test_marks_of_a_question():
    _, marks = marks_of_title("What is the limit in Rev B of the manual?")
    assert marks == (Mark("revision", (2,)),)


@pytest.mark.parametrize(
    ("line", "kind", "order"),
    [
        ("Revision: B", "revision", (2,)),
        ("Version 2.1", "version", (2, 1)),
        ("Document version 3", "version", (3,)),
        ("Second edition", "edition", (2,)),
        ("Issue 4", "edition", (4,)),
        ("Utgåva 2", "edition", (2,)),
    ],
)
def test_a_line_of_a_cover(line, kind, order):
    (mark,) = labelled(line)
    assert (mark.kind, mark.order) == (kind, order)


@pytest.mark.parametrize(
    "line", ["Issued: 3 March 2021", "The software version 4 is needed", "Revisions are kept"]
)
def test_a_line_that_says_no_edition(line):
    assert labelled(line) == ()


def test_dates():
    assert dates_in("issued 2 May 2019") == [(2019, 5, 2)]
    assert dates_in("May 2, 2019") == [(2019, 5, 2)]
    assert dates_in("02.05.2019") == [(2019, 5, 2)]
    assert dates_in("May 2019") == [(2019, 5)]
    assert written((2019, 5, 2)) == "2019-05-02"
    assert written((2019,)) == "2019"


def test_what_a_name_tells():
    assert telling(("acme", "annual", "report", "7", "3fa9c2d8e7b1a0")) == ("acme",)
