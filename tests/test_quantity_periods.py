"""Periods as reports write them."""

import pytest

from pincite.quantity import Period, periods

CASES = [
    ("FY2019", Period("FY2019", 2019, 2019, fiscal=True)),
    ("FY19", Period("FY19", 2019, 2019, fiscal=True)),
    ("fiscal 2019", Period("fiscal 2019", 2019, 2019, fiscal=True)),
    ("Fiscal Year 2019", Period("Fiscal Year 2019", 2019, 2019, fiscal=True)),
    ("2019", Period("2019", 2019, 2019)),
    ("Q2 2023", Period("Q2 2023", 2023, 2023, quarter=2)),
    ("2Q23", Period("2Q23", 2023, 2023, quarter=2)),
    ("Q4 FY23", Period("Q4 FY23", 2023, 2023, quarter=4, fiscal=True)),
    ("H1 2022", Period("H1 2022", 2022, 2022, half=1)),
    ("first half of 2020", Period("first half of 2020", 2020, 2020, half=1)),
    (
        "third quarter of fiscal 2021",
        Period("third quarter of fiscal 2021", 2021, 2021, quarter=3, fiscal=True),
    ),
    ("2018/19", Period("2018/19", 2018, 2019)),
    ("2017-2019", Period("2017-2019", 2017, 2019)),
    ("2017 to 2019", Period("2017 to 2019", 2017, 2019)),
    ("1999-00", Period("1999-00", 1999, 2000)),
    (
        "year ended June 30, 2019",
        Period("year ended June 30, 2019", 2019, 2019, month=6, day=30, fiscal=True),
    ),
    ("December 31, 2018", Period("December 31, 2018", 2018, 2018, month=12, day=31)),
    ("31 December 2018", Period("31 December 2018", 2018, 2018, month=12, day=31)),
    ("2018-12-31", Period("2018-12-31", 2018, 2018, month=12, day=31)),
    ("March 2020", Period("March 2020", 2020, 2020, month=3)),
    ("Dec-19", Period("Dec-19", 2019, 2019, month=12)),
    ("May 5", Period("May 5", None, None, month=5, day=5)),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[c[0] for c in CASES])
def test_reads(text, expected):
    (period,) = periods(f"as of {text} it was")
    start = len("as of ")
    assert period == Period(
        *(getattr(expected, name) for name in Period.__slots__[:-2]),
        start=start,
        end=start + len(text),
    )


def test_several_in_order():
    found = periods("In 2018 and 2019, against fiscal 2017")
    assert [(p.year, p.fiscal) for p in found] == [(2018, False), (2019, False), (2017, True)]


@pytest.mark.parametrize(
    "text", ["1,950 units", "2019% more", "12019", "$2019", "3.2015", "it may 5", "no period"]
)
def test_is_no_period(text):
    assert periods(text) == []
