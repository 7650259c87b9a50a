"""Ranks, pairs and both ends, in statements that a model writes nearly right."""

import pytest

from tests.rows.drafting.stores import opened, put_right


@pytest.mark.parametrize(
    ("question", "written", "rows", "notes"),
    [
        ("second oldest vehicle", "plate FROM vehicles ORDER BY built LIMIT 2", (("KI-A 100",),), ("only place 2",)),
        ("Which has the 3rd highest idle share?", "plate FROM vehicles ORDER BY idle_share DESC LIMIT 1", (("HB-C 300",),),
         ("only place 3",)),
        ("the second test of the oldest vehicle", "plate FROM vehicles ORDER BY built LIMIT 1", (("HB-D 400",),), ()),
        ("the two oldest vehicles", "plate FROM vehicles ORDER BY built LIMIT 2", (("HB-D 400",), ("KI-A 100",)), ()),
        ("the lowest and the highest load", "MIN(load) FROM vehicles", ((10.0, 91.0),), ("the lowest and the highest",)),
        ("highest and lowest load", "MIN(load) FROM vehicles", ((91.0, 10.0),), ("the lowest and the highest",)),
        ("highest and lowest load", "MAX(load) FROM vehicles", ((91.0, 10.0),), ("the lowest and the highest",)),
        ("the lowest load", "MIN(load) FROM vehicles", ((10.0,),), ()),
        ("difference in payload between KI-A 100 and KI-B 200",
         "payload_kg - payload_kg FROM vehicles WHERE plate = 'KI-A 100' AND plate = 'KI-B 200'", ((8000,),),
         ("KI-A 100 or KI-B 200, which no row is at once", "the difference of KI-A 100 and KI-B 200")),
        ("ratio of the payload of KI-B 200 to that of HB-C 300",
         "payload_kg / payload_kg FROM vehicles WHERE plate IN ('HB-C 300', 'KI-B 200')", ((1.5,),), ("KI-B 200 to HB-C 300",)),
        ("ratio of the payload of KI-B 200 to that of HB-C 300",
         "CAST(payload_kg AS REAL) / payload_kg FROM vehicles WHERE plate = 'HB-C 300' AND plate = 'KI-B 200'", ((1.5,),),
         ("HB-C 300 or KI-B 200, which no row is at once", "KI-B 200 to HB-C 300")),
        ("payload to load of KI-B 200 and HB-C 300",
         "payload_kg / built FROM vehicles WHERE plate IN ('HB-C 300', 'KI-B 200')", ((8,), (5,)), ()),
        ("Which carries more, KI-A 100 or KI-B 200?",
         "plate FROM vehicles WHERE plate = 'KI-A 100' AND plate = 'KI-B 200' ORDER BY payload_kg DESC LIMIT 1",
         (("KI-A 100",),), ("KI-A 100 or KI-B 200, which no row is at once",)),
    ],
)  # fmt: skip
def test_the_rank_that_is_asked_for(garage, question, written, rows, notes):
    made = put_right(garage, question, f"SELECT {written}")
    assert (made.result.rows, made.notes) == (rows, notes)


def test_rows_without_a_value_come_last(tmp_path):
    script = "CREATE TABLE t (name TEXT, cost REAL); INSERT INTO t VALUES ('a', NULL), ('b', 2), ('c', 3);"
    made = put_right(
        opened(tmp_path, script), "cheapest?", "SELECT name FROM t ORDER BY cost LIMIT 1"
    )
    assert made.result.rows == (("b",),)
