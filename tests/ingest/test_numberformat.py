from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pytest

from pincite.ingest.office.numberformat import is_date, shown

CASES = [
    (1234.5, "#,##0.00", "1,234.50"),
    (0.1234, "0.0%", "12.3%"),
    (-4521, "#,##0;(#,##0)", "(4,521)"),
    (4521000, "#,##0,", "4,521"),
    (4521000, '#,##0.0,,"m"', "4.5m"),
    (12.5, '"$"#,##0.00', "$12.50"),
    (12.5, '#,##0.00\\ "€"', "12.50 €"),
    (12.5, "[$€-407] #,##0.00", "€ 12.50"),
    (0, '#,##0;(#,##0);"-"', "-"),
    (-1234, '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)', "(1,234)"),
    (-5, "0.0_);[Red]\\(0.0\\)", "(5.0)"),
    (0.1 + 0.2, "General", "0.3"),
    (1234567890123, None, "1234567890123"),
    (2023, "0", "2023"),
    (5, "00000", "00005"),
    (1.5, "0.##", "1.5"),
    (2, "0.##", "2"),
    (-0.001, "0.00", "0.00"),
    (12345.678, "0.00E+00", "1.23E+4"),
    (7, "[>=1000]#,##0;0.0", "7.0"),
    (0.5, "# ?/?", "0.5"),
    (5, 'General" kg"', "5 kg"),
    (3.14159, "@", "3.14159"),
    (Decimal("1.005"), "0.00", "1.01"),
    (True, None, "TRUE"),
    ("words", "0.00", "words"),
    (None, "0", ""),
    (datetime(2023, 3, 5), "mm-dd-yy", "2023-03-05"),
    (datetime(2023, 3, 5), "d mmm yyyy", "5 Mar 2023"),
    (datetime(2023, 3, 5), "mmm-yy", "Mar-2023"),
    (datetime(2023, 3, 5), "[$-409]mmmm\\ d\\,\\ yyyy;@", "March 5, 2023"),
    (datetime(2023, 3, 5, 14, 30), "yyyy/mm/dd h:mm", "2023-03-05 14:30"),
    (datetime(2023, 3, 5, 14, 30), "h:mm AM/PM", "2:30 PM"),
    (date(2023, 3, 5), "yyyy", "2023"),
    (time(9, 5), "h:mm", "09:05"),
    (timedelta(hours=30, minutes=2), "[h]:mm:ss", "30:02:00"),
]


@pytest.mark.parametrize(("value", "code", "text"), CASES)
def test_a_value_is_shown_as_a_spreadsheet_shows_it(value, code, text):
    assert shown(value, code) == text


@pytest.mark.parametrize(
    ("code", "dated"),
    [
        ("yyyy-mm-dd", True),
        ("[h]:mm", True),
        ("0.00", False),
        ("General", False),
        ('0 "days"', False),
        (None, False),
    ],
)
def test_codes_of_dates_are_known(code, dated):
    assert is_date(code) == dated
