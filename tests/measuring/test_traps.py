"""The sources of the trap questions: the same bytes every time, codes stored as text, and careless statements fall in."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import openpyxl
import pytest

from benchmarks.questions.traps.build import build
from benchmarks.questions.traps.score import outcome

FOLDER = Path(__file__).parents[2] / "benchmarks" / "questions" / "traps"
LINES = [json.loads(line) for line in (FOLDER / "questions.jsonl").open(encoding="utf-8")]


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traps")
    build(folder)
    return folder


# Careless statements, and which of the foreseen mistakes they make.
CARELESS = """
1 energy SELECT SUM(use_twh) FROM electricity_use WHERE year = 2022
2 energy SELECT AVG(use_twh) FROM electricity_use WHERE year = 2021
5 deliveries SELECT SUM(freight_eur) FROM consignment WHERE 0 + depot_postcode = 1067
10 deliveries SELECT COUNT(*) FROM scan WHERE status = 'delayed'
11 deliveries SELECT SUM(pieces) FROM parcel JOIN scan USING (consignment_id) WHERE status = 'delayed'
12 projects SELECT SUM(budget_eur) FROM project NATURAL JOIN assignment NATURAL JOIN staff WHERE team = 'Field'
13 projects SELECT AVG(monthly_salary_eur) FROM project NATURAL JOIN assignment NATURAL JOIN staff WHERE client = 'City of Velden'
18 alloys SELECT batch_no FROM test_result WHERE property = 'tensile strength' ORDER BY CAST(result AS REAL) DESC LIMIT 1
20 contracts SELECT supplier FROM contract ORDER BY signed_on LIMIT 1
20 contracts SELECT supplier FROM contract ORDER BY SUBSTR(signed_on, 7) LIMIT 1
21 contracts SELECT revenue_eur FROM sales ORDER BY quarter DESC LIMIT 1
22 people SELECT COUNT(*) FROM employee WHERE hired_on BETWEEN '01.07.2018' AND '31.12.2019'
26 alloys SELECT COUNT(*) FROM test_result WHERE unit = 'ppm' AND result < 10
27 energy SELECT name FROM area JOIN electricity_use ON area_code = code WHERE year = 2022 ORDER BY use_twh DESC LIMIT 1 OFFSET 1
28 people SELECT surname FROM employee WHERE bonus_eur <> 'NA' ORDER BY bonus_eur DESC LIMIT 1
30 alloys SELECT COUNT(*) FROM batch WHERE alloy LIKE '%AX 4%'
"""


def fallen_into(number, value):
    asked = LINES[number - 1]
    return outcome(asked["gold"], {"value": value, "unit": ""}, asked["trap"]) == "trap"


@pytest.mark.parametrize("careless", CARELESS.strip().splitlines())
def test_a_careless_statement_falls_into_the_trap(careless, sources):
    number, source, statement = careless.split(" ", 2)
    with closing(sqlite3.connect(sources / f"{source}.sqlite")) as database:
        found = [cell for row in database.execute(statement) for cell in row]
    assert len(found) == 1 and fallen_into(int(number), found[0])


def rows(sources, source, sheet):
    head, *body = openpyxl.load_workbook(sources / f"{source}.xlsx")[sheet].values
    return [dict(zip(head, row, strict=True)) for row in body]


def test_careless_sums_over_sheets_fall_into_the_traps(sources):
    staff = rows(sources, "headcount", "Headcount")
    assert fallen_into(3, sum(row["Headcount"] for row in staff if row["Year"] == 2023))
    values = sum(row["Market value"] for row in rows(sources, "holdings", "Holdings"))
    assert fallen_into(15, values) and fallen_into(16, values)


def test_codes_are_stored_as_text(sources):
    tickers = [row["Ticker"] for row in rows(sources, "holdings", "Holdings")]
    assert tickers[:5] == ["TRUE", "NA", "0700", "700", "1E3"]
    assert {row["Year"] for row in rows(sources, "emissions", "Emissions")} == {"2022", "2023"}


def test_the_same_bytes_come_out_every_time(sources, tmp_path):
    for path in build(tmp_path):
        assert path.read_bytes() == (sources / path.name).read_bytes()


def test_there_are_40_traps_and_10_controls(sources):
    assert [each["id"] for each in LINES] == list(range(1, 51))
    kinds = Counter(each["kind"] for each in LINES)
    assert kinds["control"] == sum(each.get("control", False) for each in LINES) == 10
    assert kinds["absent"] == 10 and min(kinds.values()) >= 4
    assert all((sources / each["source"]).exists() for each in LINES)
