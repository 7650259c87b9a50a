"""Rows that share the last place of a limit."""

import pytest

from tests.rows.drafting.stores import opened, put_right


@pytest.mark.parametrize(
    ("written", "rows", "more"),
    [
        ("plate FROM vehicles ORDER BY payload_kg DESC LIMIT 1", ("KI-A 100", "KI-E 500", "KI-F 600"), 2),
        ("plate FROM vehicles ORDER BY payload_kg DESC LIMIT 2", ("KI-A 100", "KI-E 500", "KI-F 600"), 1),
        ("plate FROM vehicles ORDER BY built LIMIT 3", ("HB-D 400", "KI-A 100", "KI-B 200", "HB-C 300"), 1),
        ("name FROM depots ORDER BY city LIMIT 2", ("Ringway", "Harbour", "Northgate"), 1),
        ("depots.name FROM vehicles JOIN depots ON depots.depot_id = vehicles.depot_id GROUP BY depots.name "
         "ORDER BY COUNT(*) DESC LIMIT 1", ("Harbour", "Northgate", "Ringway"), 2),
    ],
)  # fmt: skip
def test_rows_of_the_same_rank_are_shown(garage, written, rows, more):
    made = put_right(garage, "vehicle", f"SELECT {written}")
    assert sorted(row[0] for row in made.result.rows) == sorted(rows)
    assert made.notes == (f"{more} more share the last place",)


@pytest.mark.parametrize(
    ("written", "count"),
    [
        ("plate FROM vehicles ORDER BY payload_kg DESC LIMIT 3", 3),
        ("plate FROM vehicles ORDER BY payload_kg DESC, built DESC LIMIT 1", 1),
        ("plate FROM vehicles ORDER BY built LIMIT 1", 1),
        ("plate FROM vehicles ORDER BY payload_kg DESC LIMIT 10", 6),
        ("plate FROM vehicles LIMIT 2", 2),
        ("DISTINCT payload_kg FROM vehicles ORDER BY payload_kg DESC LIMIT 1", 1),
        ("plate FROM vehicles ORDER BY payload_kg DESC LIMIT 1 OFFSET 1", 1),
        ("city FROM depots JOIN vehicles ON vehicles.depot_id = depots.depot_id GROUP BY city ORDER BY COUNT(*) DESC LIMIT 1", 1),
        ("plate FROM vehicles WHERE payload_kg = (SELECT MAX(payload_kg) FROM vehicles)", 3),
    ],
)  # fmt: skip
def test_without_a_tie_the_limit_stays(garage, written, count):
    made = put_right(garage, "vehicle", f"SELECT {written}")
    assert len(made.result.rows) == count and made.notes == ()


def test_where_very_many_share_the_place_the_limit_stays(tmp_path):
    script = "CREATE TABLE dice (throw INTEGER PRIMARY KEY, eyes INTEGER);" + "".join(
        f"INSERT INTO dice VALUES ({at}, 6);" for at in range(40)
    )
    made = put_right(
        opened(tmp_path, script), "throw", "SELECT throw FROM dice ORDER BY eyes LIMIT 2"
    )
    assert len(made.result.rows) == 2 and made.notes == ()


def test_a_tie_by_a_named_result_is_seen(garage):
    written = (
        "SELECT depots.name, COUNT(*) AS n FROM vehicles JOIN depots ON depots.depot_id = vehicles.depot_id "
        "GROUP BY depots.name ORDER BY n DESC LIMIT 1"
    )
    assert len(put_right(garage, "depot with the most vehicles", written).result.rows) == 3


def test_an_order_by_place_is_one(garage):
    written = "SELECT payload_kg FROM vehicles ORDER BY 1 LIMIT 1"
    assert put_right(garage, "smallest payload", written).result.rows == ((7500,),)
