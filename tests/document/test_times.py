"""Times as headers and questions name them."""

import pytest

from pincite.document.times import When, when


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("December 31, 2019", [(2019, 0, 12, 31)]),
        ("30 June 2019 $’000", [(2019, 0, 6, 30)]),
        ("FY19 against FY 2018", [(2019, 0, 0, 0), (2018, 0, 0, 0)]),
        ("F19", [(2019, 0, 0, 0)]),
        ("2018/19", [(2019, 0, 0, 0)]),
        ("2018/2019", [(2019, 0, 0, 0)]),
        ("2017-2019", [(2017, 0, 0, 0), (2019, 0, 0, 0)]),
        ("Q4 2019", [(2019, 4, 0, 0)]),
        ("the fourth quarter of fiscal 2019", [(2019, 4, 0, 0)]),
        ("January 26 and April 27, 2019", [(2019, 0, 1, 26), (2019, 0, 4, 27)]),
        ("2017,2018 and 2019", [(2017, 0, 0, 0), (2018, 0, 0, 0), (2019, 0, 0, 0)]),
        ("Second", [(0, 2, 0, 0)]),
        ("$2,019.5 or 2019.4 or 2019%", []),
        ("in May", []),
    ],
)
def test_when(text, parts):
    assert [(t.year, t.quarter, t.month, t.day) for t in when(text)] == parts


def test_times_fit_when_they_agree_in_what_both_name():
    assert When(2019).fits(When(2019, month=12, day=31))
    assert not When(2019, quarter=1).fits(When(2019, quarter=2))
    assert not When(2018).fits(When(2019))
