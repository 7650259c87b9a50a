"""What a model writes for another engine, as the engine at hand computes it."""

import pytest

from tests.rows.drafting.stores import opened, put_right

STAYS = """
CREATE TABLE stay (id INTEGER PRIMARY KEY, ward TEXT, guest TEXT, came DATE, went DATE, rang DATETIME, heard DATETIME);
INSERT INTO stay VALUES
  (1, 'north', 'Abel', '2023-12-28', '2024-01-04', '2024-01-01 08:00:00', '2024-01-01 08:02:30'),
  (2, 'north', 'Berta', '2024-02-27', '2024-03-01', '2024-02-28 23:00:00', '2024-02-29 01:00:00'),
  (3, 'south', 'Aron', '2024-03-01', '2024-03-02', '2024-03-01 09:00:00', '2024-03-01 09:00:10');
"""


@pytest.mark.parametrize(
    ("question", "written", "rows"),
    [
        ("how many days each guest stayed", "guest, went - came FROM stay ORDER BY stay.id",
         (("Abel", 7), ("Berta", 3), ("Aron", 1))),
        ("stays of more than 5 days", "guest FROM stay WHERE went - came > 5", (("Abel",),)),
        ("days between the first and the last arrival", "MAX(came) - MIN(came) FROM stay", ((64,),)),
        ("seconds until somebody came to Abel", "heard - rang FROM stay WHERE guest = 'Abel'", ((150,),)),
        ("minutes until somebody came to Berta", "heard - rang FROM stay WHERE guest = 'Berta'", ((120,),)),
        ("stays that began in 2024", "guest FROM stay WHERE YEAR(came) = 2024", (("Berta",), ("Aron",))),
        ("stays that began in month 3", "guest FROM stay WHERE EXTRACT(MONTH FROM came) = 3", (("Aron",),)),
        ("guests whose name starts with A or ends with a, in the ward south",
         "guest FROM stay WHERE guest LIKE 'A%' OR guest LIKE '%a' AND ward = 'south'", (("Aron",),)),
        ("stays in north, or of Aron in south", "guest FROM stay WHERE ward = 'north' OR guest = 'Aron' AND ward = 'south'",
         (("Abel",), ("Berta",), ("Aron",))),
        ("how many stays", "COUNT() FROM stay", ((3,),)),
    ],
)  # fmt: skip
def test_what_is_meant_is_computed(tmp_path, question, written, rows):
    assert put_right(opened(tmp_path, STAYS), question, f"SELECT {written}").result.rows == rows


def test_what_means_something_else_since_is_said(tmp_path):
    source = opened(tmp_path, STAYS)
    made = put_right(
        source, "days of Abel's stay", "SELECT went - came FROM stay WHERE guest = 'Abel'"
    )
    assert made.notes == ("from came to went in days",)
    written = "SELECT guest FROM stay WHERE guest LIKE 'A%' OR guest LIKE '%a' AND ward = 'south'"
    made = put_right(source, "A% or %a in the south", written)
    assert made.notes[0].startswith("the rest holds for both of")
