"""Groups that a question names, in statements that a model writes nearly right."""

import pytest

from tests.rows.drafting.stores import put_right


@pytest.mark.parametrize(
    ("question", "written", "rows"),
    [
        ("How many vehicles does each make have?", "COUNT(*) FROM vehicles", {("Iveco", 1), ("Scania", 2), ("Volvo", 3)}),
        ("payload by make", "SUM(payload_kg) FROM vehicles", {("Iveco", 7500), ("Scania", 44000), ("Volvo", 64000)}),
        ("vehicles in every city", "COUNT(*) FROM vehicles", {("Kiel", 4), ("Bremen", 2)}),
        ("vehicles per depot", "COUNT(*) FROM vehicles", {("Harbour", 2), ("Ringway", 2), ("Northgate", 2)}),
        ("vehicles per depot", "COUNT(*) FROM vehicles GROUP BY depot_id", {("Harbour", 2), ("Ringway", 2), ("Northgate", 2)}),
        ("Iveco's vehicles, each year", "COUNT(*) FROM vehicles WHERE make = 'Iveco' GROUP BY built", {(2009, 1)}),
        ("How many vehicles are there by make Volvo?", "COUNT(*) FROM vehicles WHERE make = 'Volvo'", {(3,)}),
        ("the average load per vehicle", "AVG(payload_kg) FROM vehicles WHERE make = 'Scania'", {(22000.0,)}),
        ("idle share per payload", "SUM(idle_share) FROM vehicles WHERE make = 'Iveco'", {(0.9,)}),
        ("How many vehicles does the depot with the most have, by depot?",
         "COUNT(*) FROM vehicles GROUP BY depot_id ORDER BY COUNT(*) DESC LIMIT 1", {(2,)}),
        ("Who drove each other's vehicles?", "COUNT(*) FROM vehicles", {(6,)}),
        ("How many vehicles are there?", "COUNT() FROM vehicles", {(6,)}),
    ],
)  # fmt: skip
def test_the_groups_that_are_asked_for(garage, question, written, rows):
    made = put_right(garage, question, f"SELECT {written}")
    assert set(made.result.rows) == rows


def test_the_thing_with_the_first_date(supply):
    written = "SELECT MIN(received) FROM batches"
    made = put_right(supply, "Which of our batches was received first?", written)
    assert made.result.rows == (("B-01",),) and made.notes == ("shows batches.batch_no",)


def test_groups_come_by_size_and_those_of_time_by_time(garage, supply):
    made = put_right(garage, "payload by make", "SELECT SUM(payload_kg) FROM vehicles")
    assert made.result.rows == (("Volvo", 64000), ("Scania", 44000), ("Iveco", 7500))
    made = put_right(supply, "kilograms per year", "SELECT SUM(weight_kg) FROM batches")
    assert made.result.rows == (("2022", 1290.0), ("2023", 1410.0))


def test_a_part_of_the_one_date(supply):
    made = put_right(supply, "kilograms per year", "SELECT SUM(weight_kg) FROM batches")
    assert set(made.result.rows) == {("2022", 1290.0), ("2023", 1410.0)}
    made = put_right(
        supply,
        "batches before 2023 for each month",
        "SELECT COUNT(*) FROM batches WHERE received < '2023-01-01'",
    )
    assert set(made.result.rows) == {("2022-03", 1), ("2022-11", 1)}
    assert "for each" in made.notes[-1]


@pytest.mark.parametrize(
    ("question", "written", "rows"),
    [
        ("Which vehicle carries least?", "MIN(payload_kg) FROM vehicles", (("HB-D 400",),)),
        ("What is the vehicle's payload, of KI-A 100?", "payload_kg FROM vehicles WHERE plate = 'KI-A 100'", ((26000,),)),
        ("What is the vehicle KI-A 100 built to carry?", "payload_kg FROM vehicles WHERE plate = 'KI-A 100'", ((26000,),)),
        ("What is the latest vehicle year?", "MAX(built) FROM vehicles", ((2022,),)),
        ("Which of our vehicles was built first?", "MIN(built) FROM vehicles", (("HB-D 400",),)),
        ("What is the oldest vehicle?", "MIN(built) FROM vehicles", (("HB-D 400",),)),
        ("What is the lowest vehicle payload?", "MIN(payload_kg) FROM vehicles", ((7500,),)),
        ("Which vehicles carry most?", "MAX(payload_kg) FROM vehicles", (("KI-A 100",), ("KI-E 500",), ("KI-F 600",))),
        ("Which vehicles of Scania carry what?", "payload_kg FROM vehicles WHERE make = 'Scania'",
         (("KI-B 200", 18000), ("KI-E 500", 26000))),
        ("payload to load for each plate of Scania", "payload_kg / load FROM vehicles WHERE make = 'Scania'",
         (("KI-B 200", 300.0), ("KI-E 500", 26000 / 91.0))),
        ("Which vehicle is the oldest?", "plate FROM vehicles ORDER BY built LIMIT 1", (("HB-D 400",),)),
        ("Which make carries least?", "make FROM vehicles ORDER BY payload_kg LIMIT 1", (("Iveco",),)),
        ("Which vehicles are there?", "vehicle_id FROM vehicles WHERE make = 'Iveco'", (("HB-D 400",),)),
    ],
)  # fmt: skip
def test_the_thing_that_is_asked_for(garage, question, written, rows):
    assert put_right(garage, question, f"SELECT {written}").result.rows == rows
